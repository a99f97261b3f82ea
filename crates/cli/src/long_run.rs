//! `tetrion run --resume FILE`: Classic games that take hours, in a file that keeps how far each of them is.

use crate::UsageError;
use crate::output::{self, counted, thousands};
use crate::run::GameReport;
use anyhow::{Context, Result, bail};
use indicatif::ProgressBar;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::time::Instant;
use tetrion_engine::board::Board;
use tetrion_engine::randomizer::game_seed;
use tetrion_engine::ruleset::Ruleset;
use tetrion_players::classic::{ClassicEnd, ClassicWeights, FinishedLeg, LongGame, RelayPlan, StopReason};
use tetrion_players::monitor::Monitor;
use tetrion_study::statistics::exponential_interval;

/// The version of the file.
const VERSION: u32 = 1;

/// Games that are played at the same time: the first ones that are not over, so that games end in about their order.
const GAMES_AT_A_TIME: usize = 32;
/// New legs that a thread runs at the same time: enough to fill the kernel's lanes.
const LEGS_PER_THREAD: usize = 256;
/// After this many pieces most boards have forgotten how they started.
const WARM_UP: u64 = 300_000;
/// Pieces in a leg. A round of legs takes a minute or two. An interruption loses what was played in the current round.
const LEG: u64 = 4_000_000;

/// A run of long games, as in its file.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LongRun {
    version: u32,
    /// The agent as an agent file: the same name is not enough.
    agent: String,
    rules: Ruleset,
    seed: u64,
    /// The games, from number 0 on.
    games: Vec<SavedGame>,
}

/// A game that has begun.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedGame {
    /// Whether it is over.
    lost: bool,
    pieces: u64,
    lines: u64,
    keys: u64,
    board: Board,
}

impl SavedGame {
    fn of(end: &ClassicEnd) -> SavedGame {
        let ClassicEnd { pieces, lines, keys, board, .. } = *end;
        SavedGame { lost: end.lost(), pieces, lines, keys, board }
    }

    fn end(&self) -> ClassicEnd {
        let SavedGame { lost, pieces, lines, keys, board } = *self;
        let reason = if lost { StopReason::Lost } else { StopReason::Pieces };
        ClassicEnd { reason, board, pieces, lines, keys }
    }
}

impl LongRun {
    /// Reads a run from its file, or starts a new one if there is no such file. Refuses a file of other games.
    pub fn open(path: &Path, agent: String, rules: &Ruleset, seed: u64) -> Result<LongRun> {
        let new = LongRun { version: VERSION, agent, rules: rules.clone(), seed, games: Vec::new() };
        if !path.exists() {
            return Ok(new);
        }
        let text = tetrion_files::read_text(path)?;
        let shown = path.display();
        #[derive(Deserialize)]
        struct Head {
            version: u32,
        }
        let not_a_run = || format!("{shown} is not a run of games: give the file of a run, or a new name");
        let Head { version } = serde_json::from_str(&text).with_context(not_a_run)?;
        if version != VERSION {
            bail!("{shown} has version {version}: this program reads version {VERSION}");
        }
        let old: LongRun = serde_json::from_str(&text).with_context(not_a_run)?;
        let other = |what: &str| {
            UsageError(format!(
                "{shown} has games of another {what}: resume it with the same one, or give a new file name"
            ))
        };
        if old.agent != new.agent {
            return Err(other("agent").into());
        }
        if old.rules != new.rules {
            return Err(other("mode or board").into());
        }
        if old.seed != new.seed {
            return Err(UsageError(format!(
                "{shown} has games of seed {}, not {seed}: give that seed, or a new file name",
                old.seed
            ))
            .into());
        }
        let is_possible = |game: &SavedGame| {
            let (width, height) = (rules.width.into(), rules.visible_height.into());
            let board = &game.board;
            // Every cell of every piece is on the board or was cleared.
            (board.width(), board.height()) == (width, height)
                && board.full_rows() == 0
                && game.pieces.checked_mul(4)
                    == game
                        .lines
                        .checked_mul(width as u64)
                        .map(|cells| cells + u64::from(board.filled_cells()))
        };
        if let Some(index) = old.games.iter().position(|game| !is_possible(game)) {
            bail!("{shown} is damaged: game {index} is impossible; delete the file to start again");
        }
        Ok(old)
    }

    /// Plays until this many games are over, or the monitor stops it. Writes the file after every round.
    pub fn play(
        &mut self,
        path: &Path,
        count: usize,
        weights: &ClassicWeights,
        monitor: &Monitor,
        progress: &ProgressBar,
    ) -> Result<Speed> {
        let (width, height) = (self.rules.width.into(), self.rules.visible_height.into());
        let empty = *LongGame::new(width, height, self.seed).end();
        while self.games.len() < count {
            self.games.push(SavedGame::of(&empty));
        }
        // Written at once, to find out before hours of play whether it can be.
        self.write(path)?;
        let mut ends: Vec<ClassicEnd> = self.games[..count].iter().map(SavedGame::end).collect();
        progress.set_position(ends.iter().filter(|end| end.lost()).count() as u64);
        play_to_the_end(&mut ends, self.seed, weights, monitor, |ends| {
            for (game, end) in self.games.iter_mut().zip(ends) {
                *game = SavedGame::of(end);
            }
            progress.set_position(ends.iter().filter(|end| end.lost()).count() as u64);
            self.write(path)
        })
    }

    fn write(&self, path: &Path) -> Result<()> {
        let text = serde_json::to_string(self)?;
        tetrion_files::write_whole(path, text.as_bytes())?;
        Ok(())
    }

    /// The games that are over, among the first `count`.
    pub fn finished(&self, count: usize) -> Vec<GameReport> {
        let games = self.games.iter().take(count).enumerate().filter(|(_, game)| game.lost);
        games.map(|(index, game)| GameReport::new(index as u64, &game.end().result())).collect()
    }

    /// What is known about the first `count` games while some of them are not over; `None` if all are.
    pub fn unfinished(&self, count: usize) -> Option<Unfinished> {
        let games = &self.games[..count.min(self.games.len())];
        let lost = games.iter().filter(|game| game.lost).count() as u64;
        let lines: u64 = games.iter().map(|game| game.lines).sum();
        (lost < count as u64).then(|| Unfinished {
            games: count as u64,
            finished: lost,
            lines,
            mean: (lost > 0).then(|| lines as f64 / lost as f64),
            ci95: exponential_interval(lines as f64, lost),
        })
    }
}

/// Plays the games of a run from where they are to their end, or until the monitor stops it. Parts of the same game are played at the
/// same time, so the longest game does not keep all threads but one waiting. Calls `after_round` whenever games got further.
pub fn play_to_the_end(
    games: &mut [ClassicEnd],
    seed: u64,
    weights: &ClassicWeights,
    monitor: &Monitor,
    mut after_round: impl FnMut(&[ClassicEnd]) -> Result<()>,
) -> Result<Speed> {
    let mut played = Speed { decisions: 0, seconds: 0.0 };
    let mut in_play: Vec<(usize, LongGame)> = Vec::new();
    loop {
        in_play.retain(|(_, game)| !game.end().lost());
        for index in 0..games.len() {
            let is_waiting = !games[index].lost() && in_play.iter().all(|(known, _)| *known != index);
            if in_play.len() < GAMES_AT_A_TIME && is_waiting {
                in_play.push((index, LongGame::resumed(games[index], game_seed(seed, index as u64))));
            }
        }
        if in_play.is_empty() {
            return Ok(played);
        }
        let start = Instant::now();
        let threads = rayon::current_num_threads();
        let plan = RelayPlan {
            legs: (threads * LEGS_PER_THREAD).div_ceil(in_play.len()),
            leg: LEG,
            warm_up: WARM_UP,
        };
        let mut long_games: Vec<LongGame> = in_play.iter().map(|(_, game)| game.clone()).collect();
        let legs = plan.legs(&long_games);
        // Neighbouring legs belong to one game, so every thread gets some of each game.
        let share = legs.len().div_ceil(threads);
        let finished: Option<Vec<Vec<FinishedLeg>>> =
            legs.par_chunks(share).map(|legs| plan.run(weights, legs, || monitor.is_stopped())).collect();
        let Some(finished) = finished else { return Ok(played) };
        plan.join(&mut long_games, finished.into_iter().flatten());
        for ((index, game), joined) in in_play.iter_mut().zip(long_games) {
            played.decisions += joined.end().pieces - games[*index].pieces;
            games[*index] = *joined.end();
            *game = joined;
        }
        after_round(games)?;
        played.seconds += start.elapsed().as_secs_f64();
    }
}

/// How fast games were played.
pub struct Speed {
    /// Decisions that count; those in warm-ups don't.
    pub decisions: u64,
    /// The time that they took.
    pub seconds: f64,
}

/// Games of which some are not over.
#[derive(Debug, PartialEq, Serialize)]
pub struct Unfinished {
    /// Games asked for.
    games: u64,
    /// Games that are over.
    finished: u64,
    /// The lines of all games so far.
    lines: u64,
    /// The lines of all games for each that is over: the mean of a game, if its end comes at any time with the same chance.
    mean: Option<f64>,
    /// Its 95 % interval.
    ci95: Option<[f64; 2]>,
}

impl Unfinished {
    /// Prints it. The mean over only those games that are over would be too low: short games end first.
    pub fn print(&self) -> Result<()> {
        output::line(format!(
            "{} of {} over, {} lines so far",
            self.finished,
            counted(self.games, "game"),
            thousands(self.lines)
        ))?;
        if let (Some(mean), Some([low, high])) = (self.mean, self.ci95) {
            let [mean, low, high] = [mean, low, high].map(|lines| thousands(lines.round() as u64));
            output::line(format!(
                "lines per game, from all lines and the games that are over: {mean} (95 % interval {low} to {high})"
            ))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tetrion_engine::ruleset::Mode;

    fn run(games: &[(bool, u64)]) -> LongRun {
        let board = Board::new(10, 20).unwrap();
        let game =
            |&(lost, lines): &(bool, u64)| SavedGame { lost, pieces: 5 * lines / 2, lines, keys: 0, board };
        LongRun {
            version: VERSION,
            agent: "agent".to_owned(),
            rules: Ruleset::new(Mode::Classic),
            seed: 3,
            games: games.iter().map(game).collect(),
        }
    }

    #[test]
    fn unfinished_games_count_with_the_lines_they_have() {
        let run = run(&[(true, 100), (false, 400), (true, 20)]);
        let unfinished = run.unfinished(3).unwrap();
        assert_eq!((unfinished.finished, unfinished.lines, unfinished.mean), (2, 520, Some(260.0)));
        let [low, high] = unfinished.ci95.unwrap();
        assert!(low > 80.0 && low < 260.0 && high > 260.0, "{low} {high}");
        assert_eq!(run.finished(3).iter().map(|game| game.lines).collect::<Vec<_>>(), [100, 20]);
        assert_eq!(run.unfinished(1), None);
        assert_eq!(run.unfinished(4).unwrap().games, 4);
    }

    #[test]
    fn a_file_of_other_games_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.json");
        let saved = run(&[(true, 100)]);
        saved.write(&path).unwrap();
        let open = |agent: &str, rules: &Ruleset, seed| {
            LongRun::open(&path, agent.to_owned(), rules, seed).map_err(|error| format!("{error:#}"))
        };
        let rules = Ruleset::new(Mode::Classic);
        assert_eq!(open("agent", &rules, 3), Ok(saved));
        assert!(open("other", &rules, 3).unwrap_err().contains("another agent"));
        assert!(open("agent", &rules, 4).unwrap_err().contains("seed 3, not 4"));
        let low = Ruleset { visible_height: 10, ..rules.clone() };
        assert!(open("agent", &low, 3).unwrap_err().contains("another mode or board"));
        let text = std::fs::read_to_string(&path).unwrap();
        for (from, to, message) in [
            ("\"version\":1", "\"version\":2", "version 2"),
            ("\"lines\":100", "\"lines\":101", "game 0 is impossible"),
            ("{", "[", "not a run of games"),
            ("\"seed\":3", "\"seed\":3,\"luck\":1", "not a run of games"),
        ] {
            std::fs::write(&path, text.replacen(from, to, 1)).unwrap();
            let error = open("agent", &rules, 3).unwrap_err();
            assert!(error.contains(message), "{error}");
        }
    }
}
