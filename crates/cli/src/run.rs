//! `tetrion run`: plays games with an agent and reports them.

use crate::estimate::{DEFAULT_TRIALS, Estimation, MAX_TRIALS, Method};
use crate::interrupt::{Interrupted, on_interrupt};
use crate::long_run::{LongRun, Unfinished, play_to_the_end};
use crate::output::{self, counted, thousands};
use crate::record::{ExplainedAgent, RecordOptions, RecordedReport};
use crate::setup::{AgentOptions, GameOptions};
use crate::{UsageError, habits, progress, small};
use anyhow::{Context, Result, anyhow};
use indicatif::ProgressBar;
use rayon::prelude::*;
use serde::Serialize;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tetrion::Player;
use tetrion_dataset::{GameIdentity, Recorder};
use tetrion_engine::board::Board;
use tetrion_engine::game::{Game, Move};
use tetrion_engine::position::View;
use tetrion_engine::randomizer::game_seed;
use tetrion_engine::record::{GameResult, PlacementRecord};
use tetrion_engine::replay::Replay;
use tetrion_engine::ruleset::{Goal, Mode, Ruleset};
use tetrion_players::agent::{Agent, Limits};
use tetrion_players::catalogue::AgentSpec;
use tetrion_players::classic::{ClassicEnd, ClassicStart, ClassicWeights, StopWhen, play_classic_unless};
use tetrion_players::monitor::Monitor;
use tetrion_players::play::{Observer, PlayGameError, PlayOptions, play_game};
use tetrion_study::habits::{HabitCounts, Habits};
use tetrion_study::statistics::{Share, Summary};

/// The options of `tetrion run`.
#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    agent: AgentOptions,
    #[command(flatten)]
    game: GameOptions,
    /// Number of games
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    games: u64,
    /// How the lines of Classic games are found
    #[arg(long, value_enum, default_value_t)]
    method: Method,
    /// Splitting: trials for each step of an estimate; four times as many halve its error
    #[arg(long, default_value_t = DEFAULT_TRIALS, value_parser = clap::value_parser!(u32).range(1..=MAX_TRIALS))]
    trials: u32,
    /// Classic: keep how far the games are in this file, and resume them from it; an interrupted run reports what it has
    #[arg(long, value_name = "FILE", conflicts_with_all = ["replays", "habits", "max_pieces", "file"])]
    resume: Option<PathBuf>,
    /// Number of games to play at the same time [default: one per core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Write a replay of each game into this folder
    #[arg(long, value_name = "DIR")]
    replays: Option<PathBuf>,
    /// Also report the agent's habits: keys, holds, wells, stack heights, and where the points came from
    ///
    /// Points are by kind of clear without bonuses, and by bonus. A clear uses the pieces that its rows are made of: a quarter of
    /// the width for each row, so a tetris uses 10. The pieces that no clear used are left on the board.
    #[arg(long)]
    habits: bool,
    #[command(flatten)]
    record: RecordOptions,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// A game in a report.
#[derive(Serialize)]
pub struct GameReport {
    index: u64,
    outcome: &'static str,
    pub pieces: u64,
    pub lines: u64,
    score: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    keys: Option<u64>,
}

impl GameReport {
    /// The game with this index in its run.
    pub fn new(index: u64, result: &GameResult) -> GameReport {
        let GameResult { pieces, lines, score, keys, .. } = *result;
        GameReport { index, outcome: result.outcome_name(), pieces, lines, score, keys }
    }
}

#[derive(Serialize)]
struct Report {
    agent: String,
    mode: Mode,
    seed: u64,
    /// The rules and the search limits: with the agent and the seed, everything that determines a game.
    rules: Ruleset,
    nodes: Option<u64>,
    time: Option<u64>,
    games: Vec<GameReport>,
    /// `None` if some games are not over: short games end first, so a summary of those that are would mislead.
    summary: Option<RunSummary>,
    /// The expected lines of an exact policy.
    #[serde(skip_serializing_if = "Option::is_none")]
    expected_lines: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    habits: Option<Habits>,
    #[serde(skip_serializing_if = "Option::is_none")]
    recorded: Option<RecordedReport>,
    /// With `--resume`, if some games are not over.
    #[serde(skip_serializing_if = "Option::is_none")]
    unfinished: Option<Unfinished>,
}

#[derive(Serialize)]
struct RunSummary {
    pieces: Summary,
    lines: Summary,
    score: Summary,
    keys: Summary,
    outcomes: BTreeMap<&'static str, u64>,
    /// How many games reached the line goal with the fewest possible pieces.
    #[serde(skip_serializing_if = "Option::is_none")]
    fewest_pieces: Option<FewestPieces>,
    decisions_per_second: f64,
    /// Seconds. `None` if the kernel played many games at once.
    slowest_decision: Option<f64>,
}

#[derive(Serialize)]
struct FewestPieces {
    pieces: u64,
    games: Share,
}

impl FewestPieces {
    fn of(games: &[GameReport], rules: &Ruleset) -> Option<FewestPieces> {
        let lines = u64::from(rules.goal.lines?);
        // Every piece has four cells, and the lines cleared can't have more cells than the pieces.
        let pieces = (lines * u64::from(rules.width)).div_ceil(4);
        let reached = |game: &GameReport| game.lines >= lines && game.pieces == pieces;
        Some(FewestPieces { pieces, games: Share::of(games.iter().map(reached)) })
    }
}

/// A game that was not played in the kernel.
struct PlayedGame {
    report: GameReport,
    habits: HabitCounts,
    slowest: Duration,
}

/// Everything that the games of a run share.
struct GamesRun<'r> {
    options: &'r Options,
    player: &'r Player,
    rules: &'r Ruleset,
    recorder: Option<&'r Recorder>,
    monitor: Arc<Monitor>,
    progress: ProgressBar,
}

/// Runs the command.
pub fn run(options: Options) -> Result<()> {
    let player = options.agent.find()?;
    let threads = options.threads.map_or(0, |threads| u64::from(threads).min(options.games) as usize);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().context("can't start threads")?;
    if let Some(policy) = player.small_policy() {
        if options.habits {
            let reason = "habits are counted only in games of tetrominoes: leave out --habits";
            return Err(UsageError(reason.to_owned()).into());
        }
        if options.record.is_wanted() {
            let reason = "only games of tetrominoes are recorded: leave out --record";
            return Err(UsageError(reason.to_owned()).into());
        }
        let replays = options.replays.is_some();
        return pool.install(|| small::run(policy, &options.game, options.games, replays, options.json));
    }
    let rules = options.game.rules(&player)?;
    if matches!(rules.mode, Mode::Practice | Mode::Zen) && options.game.max_pieces.is_none() {
        return Err(UsageError(format!("{} has no end: limit it with --max-pieces", rules.mode)).into());
    }
    if options.method == Method::Splitting {
        return pool.install(|| estimate(&options, &player, &rules));
    }
    if let Some(folder) = &options.replays {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("can't make the folder {}", folder.display()))?;
    }
    let recorder = options.record.start(&player)?;
    warn_of_other_modes(&player, rules.mode);
    let run = GamesRun {
        options: &options,
        player: &player,
        rules: &rules,
        recorder: recorder.as_ref(),
        monitor: Arc::default(),
        progress: progress::games(options.games),
    };
    let monitor = Arc::clone(&run.monitor);
    on_interrupt(move || monitor.stop())?;
    if let Some(path) = &options.resume {
        return pool.install(|| run.play_long(path));
    }
    let start = Instant::now();
    let (games, habits, slowest) = pool.install(|| run.play())?;
    let seconds = start.elapsed().as_secs_f64();
    run.progress.finish_and_clear();
    let recorder = recorder.filter(|recorder| recorder.has_failed() || !games.is_empty());
    let recorded = recorder.map(Recorder::finish).transpose()?.map(RecordedReport::new);
    let (played, asked) = (games.len() as u64, options.games);
    if played > 0 {
        let report = Report {
            summary: Some(RunSummary {
                slowest_decision: slowest.map(|slowest| slowest.as_secs_f64()),
                ..summarise(&games, &rules, seconds)
            }),
            agent: player.name().to_owned(),
            mode: rules.mode,
            seed: options.game.seed,
            rules,
            nodes: options.agent.nodes,
            time: options.agent.time,
            games,
            expected_lines: match &player {
                Player::Exact(policy) if options.game.max_pieces.is_none() => Some(policy.expected().mean()),
                _ => None,
            },
            habits: options.habits.then(|| Habits::of(&habits)),
            recorded,
            unfinished: None,
        };
        if options.json { output::json(&report)? } else { print(&report)? }
    }
    match played < asked {
        true => Err(Interrupted(format!("interrupted after {played} of {}", counted(asked, "game"))).into()),
        false => Ok(()),
    }
}

/// What `--method splitting` and `--resume` need of an agent.
const NEEDS_KERNEL: &str = "only for Classic games that the fast kernel can play: an agent of weighted features that looks at one piece, \
                            or with expectimax and whole weights; uniform pieces; a board of at least 4x4";

/// Estimates instead of playing whole games.
fn estimate(options: &Options, player: &Player, rules: &Ruleset) -> Result<()> {
    if options.resume.is_some() || options.replays.is_some() || options.habits || options.record.is_wanted() {
        let reason = "splitting plays no whole games: leave out --resume, --replays, --habits and --record";
        return Err(UsageError(reason.to_owned()).into());
    }
    let weights = kernel_weights(options, player, rules)
        .ok_or_else(|| UsageError(format!("splitting is {NEEDS_KERNEL}")))?;
    let estimation = Estimation {
        agent: player.name(),
        weights: &weights,
        rules,
        seed: options.game.seed,
        estimates: options.games,
        trials: options.trials,
    };
    estimation.run(options.json)
}

/// The weights for the Classic kernel, if it can play the same games faster.
fn kernel_weights(options: &Options, player: &Player, rules: &Ruleset) -> Option<ClassicWeights> {
    let Player::Agent(AgentSpec::File(file)) = player else { return None };
    let Options { agent, replays, habits, record, .. } = options;
    let watched = replays.is_some() || *habits || record.is_wanted();
    let watched = watched || agent.nodes.is_some() || agent.time.is_some();
    file.classic_weights(rules).filter(|_| !watched)
}

/// Warns if an agent was not designed for a mode.
fn warn_of_other_modes(player: &Player, mode: Mode) {
    let modes = player.abilities().modes;
    if !modes.contains(&mode) {
        let modes: Vec<_> = modes.iter().map(|mode| mode.name()).collect();
        eprintln!("note: {} was designed for {}, not for {mode}", player.name(), modes.join(" and "));
    }
}

impl GamesRun<'_> {
    /// Plays all games, or those that end before an interruption. Returns also the slowest decision, if decisions are timed.
    fn play(&self) -> Result<(Vec<GameReport>, Vec<HabitCounts>, Option<Duration>)> {
        if let Some(weights) = kernel_weights(self.options, self.player, self.rules) {
            return Ok((self.play_in_kernel(&weights)?, Vec::new(), None));
        }
        // Games begin in their order, so that a recording never waits for a game that has not begun.
        let played: Vec<Option<PlayedGame>> = (0..self.options.games)
            .par_bridge()
            .map(|index| self.play_one(index).inspect(|_| self.progress.inc(1)))
            .collect::<Result<_>>()?;
        let mut played: Vec<PlayedGame> = played.into_iter().flatten().collect();
        played.sort_unstable_by_key(|played| played.report.index);
        let slowest = played.iter().map(|played| played.slowest).max();
        let (games, habits) = played.into_iter().map(|played| (played.report, played.habits)).unzip();
        Ok((games, habits, slowest))
    }

    /// Plays all games, or those that end before an interruption. Long ones are finished in a relay.
    fn play_in_kernel(&self, weights: &ClassicWeights) -> Result<Vec<GameReport>> {
        /// More games at a time hardly make the kernel faster, and an interruption loses all unfinished ones.
        const GAMES_AT_A_TIME: usize = 1_024;
        /// A game that is not over by then is a long one.
        const LONG: u64 = 20_000_000;
        let seed = self.options.game.seed;
        let seeds: Vec<u64> = (0..self.options.games).map(|index| game_seed(seed, index)).collect();
        let share = seeds.len().div_ceil(rayon::current_num_threads()).min(GAMES_AT_A_TIME);
        let (width, height) = (self.rules.width.into(), self.rules.visible_height.into());
        let board = Board::new(width, height).expect("the rules were checked");
        let goal = self.rules.goal.pieces.map(u64::from);
        let stop = StopWhen { pieces: goal.or(Some(LONG)), ..StopWhen::default() };
        let play = |seeds: &[u64]| {
            let starts: Vec<ClassicStart> =
                seeds.iter().map(|seed| ClassicStart { board, seed: *seed }).collect();
            let stopped = || self.monitor.is_stopped();
            let ends = play_classic_unless(weights, &starts, stop, stopped, || self.progress.inc(1));
            ends.map_or(vec![None; seeds.len()], |ends| ends.into_iter().map(Some).collect())
        };
        let played: Vec<Option<ClassicEnd>> = seeds.par_chunks(share).flat_map_iter(play).collect();
        let (indices, mut ends): (Vec<u64>, Vec<ClassicEnd>) =
            (0..).zip(played).filter_map(|(index, end)| Some((index, end?))).unzip();
        if goal.is_none() && !self.monitor.is_stopped() {
            let is_over = |ends: &[ClassicEnd]| ends.iter().filter(|end| end.lost()).count() as u64;
            self.progress.set_position(is_over(&ends));
            play_to_the_end(&mut ends, seed, weights, &self.monitor, |ends| {
                self.progress.set_position(is_over(ends));
                Ok(())
            })?;
        }
        let games = indices.into_iter().zip(ends).filter(|(_, end)| goal.is_some() || end.lost());
        Ok(games.map(|(index, end)| GameReport::new(index, &end.result())).collect())
    }

    /// The game in a recording.
    fn identity(&self, index: u64, seed: u64) -> GameIdentity {
        let (agent, rules) = (self.player.name().into(), Arc::new(self.rules.clone()));
        GameIdentity { number: index, seed, agent, rules }
    }

    /// Plays games that take hours, and keeps them in a file.
    fn play_long(&self, path: &Path) -> Result<()> {
        let weights = kernel_weights(self.options, self.player, self.rules);
        let (Some(weights), Player::Agent(AgentSpec::File(file))) = (weights, self.player) else {
            return Err(UsageError(format!("--resume is {NEEDS_KERNEL}")).into());
        };
        let (seed, asked) = (self.options.game.seed, self.options.games as usize);
        let mut long = LongRun::open(path, file.to_text(), self.rules, seed)?;
        let speed = long.play(path, asked, &weights, &self.monitor, &self.progress)?;
        self.progress.finish_and_clear();
        let (games, unfinished) = (long.finished(asked), long.unfinished(asked));
        let played = games.len();
        let summary = unfinished.is_none().then(|| RunSummary {
            decisions_per_second: speed.decisions as f64 / speed.seconds.max(1e-9),
            ..summarise(&games, self.rules, speed.seconds)
        });
        let report = Report {
            agent: self.player.name().to_owned(),
            mode: self.rules.mode,
            seed,
            rules: self.rules.clone(),
            nodes: None,
            time: None,
            games,
            summary,
            expected_lines: None,
            habits: None,
            recorded: None,
            unfinished,
        };
        if self.options.json {
            output::json(&report)?
        } else {
            print(&report)?
        }
        match report.unfinished {
            None => Ok(()),
            Some(_) => Err(Interrupted(format!(
                "interrupted after {played} of {}: the same command resumes them",
                counted(asked as u64, "game")
            ))
            .into()),
        }
    }

    /// Plays one game. `None` if it was interrupted.
    fn play_one(&self, index: u64) -> Result<Option<PlayedGame>> {
        let Options { agent: agent_options, replays, habits, .. } = self.options;
        let seed = game_seed(self.options.game.seed, index);
        let mut game = Game::new(self.rules.clone(), seed)?;
        let mut agent = agent_options.agent(self.player, seed);
        let mut moves = Vec::new();
        let mut counts = HabitCounts::default();
        let mut log = self.recorder.map(|recorder| recorder.game(self.identity(index, seed), &game));
        let choice = Cell::new(None);
        let mut explained = ExplainedAgent { agent: agent.as_mut(), choice: &choice };
        let explains = self.recorder.is_some_and(|recorder| recorder.columns().choices);
        let played_by: &mut dyn Agent = if explains { &mut explained } else { explained.agent };
        let mut timed = TimedAgent { agent: played_by, slowest: Duration::ZERO };
        let mut record_move = |play: Move, _: &PlacementRecord, _: &Game| moves.push(play);
        let mut count_habits = |_: Move, record: &PlacementRecord, game: &Game| counts.add(record, game);
        let mut record_row = |_: Move, record: &PlacementRecord, game: &Game| {
            log.iter_mut().for_each(|log| log.add(record, game, choice.take()));
        };
        let mut observers: Vec<&mut dyn Observer> = Vec::new();
        if replays.is_some() {
            observers.push(&mut record_move);
        }
        if *habits {
            observers.push(&mut count_habits);
        }
        if self.recorder.is_some() {
            observers.push(&mut record_row);
        }
        let mut limits = || agent_options.limits_of_move();
        let mut options = PlayOptions {
            observers,
            count_keys: true,
            limits: Some(&mut limits),
            monitor: Some(&self.monitor),
        };
        let result = match play_game(&mut game, &mut timed, &mut options) {
            Ok(result) => result,
            Err(PlayGameError::Stopped) => return Ok(None),
            Err(error) => {
                let player = self.player.name();
                return Err(anyhow!(error).context(format!("{player} could not finish game {index}")));
            }
        };
        let slowest = timed.slowest;
        if let Some(folder) = replays {
            let (name, mode, run_seed) = (self.player.name(), self.rules.mode, self.options.game.seed);
            let file_name = format!("{name}-{mode}-seed{run_seed}-game{index}.tetrion");
            let replay = Replay::of_moves(&game, seed, name, moves);
            tetrion_files::write_whole(&folder.join(file_name), &replay.to_bytes())?;
        }
        if let Some(log) = log {
            log.finish(result);
        }
        // The reason comes with the end of the recording.
        if self.recorder.is_some_and(Recorder::has_failed) {
            self.monitor.stop();
        }
        Ok(Some(PlayedGame { report: GameReport::new(index, &result), habits: counts, slowest }))
    }
}

/// An agent that remembers its slowest decision.
struct TimedAgent<'a> {
    agent: &'a mut dyn Agent,
    slowest: Duration,
}

impl Agent for TimedAgent<'_> {
    fn choose(&mut self, view: &View) -> Option<Move> {
        let asked = Instant::now();
        let chosen = self.agent.choose(view);
        self.slowest = self.slowest.max(asked.elapsed());
        chosen
    }

    fn limit(&mut self, limits: Limits) {
        self.agent.limit(limits);
    }
}

fn summarise(games: &[GameReport], rules: &Ruleset, seconds: f64) -> RunSummary {
    let mut outcomes = BTreeMap::new();
    for game in games {
        *outcomes.entry(game.outcome).or_insert(0) += 1;
    }
    let decisions: u64 = games.iter().map(|game| game.pieces).sum();
    RunSummary {
        pieces: Summary::of(games.iter().map(|game| game.pieces as f64)),
        lines: Summary::of(games.iter().map(|game| game.lines as f64)),
        score: Summary::of(games.iter().map(|game| game.score as f64)),
        keys: Summary::of(games.iter().map(|game| game.keys.unwrap_or(0) as f64)),
        outcomes,
        fewest_pieces: FewestPieces::of(games, rules),
        decisions_per_second: decisions as f64 / seconds.max(1e-9),
        slowest_decision: None,
    }
}

/// The mode with its goals.
fn game_text(rules: &Ruleset) -> String {
    let Goal { lines, pieces, time: _ } = rules.goal;
    let goals = lines.map(|lines| counted(lines.into(), "line"));
    let goals: Vec<_> =
        goals.into_iter().chain(pieces.map(|pieces| counted(pieces.into(), "piece"))).collect();
    match goals.is_empty() {
        true => rules.mode.to_string(),
        false => format!("{} ({})", rules.mode, goals.join(" or ")),
    }
}

fn print(report: &Report) -> Result<()> {
    const MAX_ROWS: usize = 20;
    if !report.games.is_empty() {
        output::line(" game  outcome      pieces   lines       score     keys")?;
    }
    for GameReport { index, outcome, pieces, lines, score, keys } in report.games.iter().take(MAX_ROWS) {
        output::line(format!(
            "{index:>5}  {outcome:<11} {pieces:>7} {lines:>7} {score:>11} {:>8}",
            keys.unwrap_or(0)
        ))?;
    }
    if report.games.len() > MAX_ROWS {
        output::line(format!("  ... and {} more (--json has them all)", report.games.len() - MAX_ROWS))?;
    }
    if let Some(summary) = &report.summary {
        print_summary(report, summary)?;
    }
    if let Some(unfinished) = &report.unfinished {
        unfinished.print()?;
    }
    if let Some(habits) = &report.habits {
        habits::print(habits)?;
    }
    report.recorded.as_ref().map_or(Ok(()), RecordedReport::print)
}

fn print_summary(report: &Report, summary: &RunSummary) -> Result<()> {
    output::line("")?;
    output::line(format!(
        "{}, {}, seed {}: {}",
        report.agent,
        game_text(&report.rules),
        report.seed,
        counted(report.games.len() as u64, "game")
    ))?;
    output::line(Summary::HEADING)?;
    for (name, summary) in [
        ("pieces", summary.pieces),
        ("lines", summary.lines),
        ("score", summary.score),
        ("keys", summary.keys),
    ] {
        output::line(summary.row(name))?;
    }
    if let Some(expected) = report.expected_lines {
        output::line(format!("expected lines of the policy: {expected:.6}"))?;
    }
    if let Some(FewestPieces { pieces, games: Share { count, of, ci95: [low, high] } }) =
        &summary.fewest_pieces
    {
        let (low, high) = (100.0 * low, 100.0 * high);
        output::line(format!(
            "with the fewest possible pieces ({}): {count} of {of} (95 % interval {low:.1} to {high:.1} %)",
            thousands(*pieces)
        ))?;
    }
    let outcomes: Vec<_> = summary.outcomes.iter().map(|(name, count)| format!("{name} {count}")).collect();
    output::line(format!("outcomes: {}", outcomes.join(", ")))?;
    let slowest = summary.slowest_decision.map(|seconds| format!(", slowest {:.1} ms", seconds * 1e3));
    let speed = thousands(summary.decisions_per_second as u64);
    output::line(format!("{speed} decisions per second{}", slowest.unwrap_or_default()))
}
