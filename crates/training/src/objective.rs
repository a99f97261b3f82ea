//! What a candidate is to be good at.

use crate::monitor::Monitor;
use serde::{Deserialize, Serialize};
use std::fmt;
use tetrion_engine::game::Game;
use tetrion_engine::randomizer::Randomizer;
use tetrion_engine::record::Outcome;
use tetrion_engine::ruleset::{Mode, Ruleset};
use tetrion_engine::words::counted;
use tetrion_players::agent::Limits;
use tetrion_players::agent_file::AgentFile;
use tetrion_players::search::SearchPlan;

/// What is played, and what counts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Objective {
    /// What counts.
    pub measure: Measure,
    /// How it is found out.
    #[serde(default)]
    pub method: Method,
    /// For lines, what is played: classic if not given, or practice.
    pub mode: Option<Mode>,
    /// The board; 10x20 if not given.
    pub board: Option<BoardSize>,
    /// How pieces are drawn; as usual in the mode if not given.
    pub randomizer: Option<Draw>,
    /// A game ends after so many pieces.
    pub pieces: Option<u32>,
    /// How many games a candidate plays; with splitting, how many estimates are made.
    pub games: u32,
    /// With splitting, the trials of each step of an estimate: 4,096 if not given.
    pub trials: Option<u32>,
}

/// What counts in a game: more is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// Lines cleared.
    Lines,
    /// Sprint in few pieces: a win is −pieces, a loss pieces + 5·lines − 550.
    SprintReward,
    /// Sprint with few keys, holds and hard drops included: a win is −keys, a loss pieces + 5·lines − 2,000.
    SprintKeys,
    /// The score of a Blitz.
    BlitzScore,
}

/// How a candidate's worth is found out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// By the mean over whole games.
    #[default]
    Games,
    /// By multilevel splitting on the height of the stack, for Classic games too long to be played.
    Splitting,
}

/// How pieces are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Draw {
    /// All seven in random order, then all seven again.
    Bag,
    /// Each as likely as any other.
    Uniform,
}

/// Columns and visible rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct BoardSize {
    /// Columns.
    pub width: u8,
    /// Rows.
    pub height: u8,
}

impl TryFrom<String> for BoardSize {
    type Error = String;

    fn try_from(text: String) -> Result<BoardSize, String> {
        let wrong = || format!("'{text}' is not a board size: give columns and rows, such as 10x20");
        let (width, height) = text.split_once(['x', 'X', '×']).ok_or_else(wrong)?;
        Ok(BoardSize {
            width: width.parse().map_err(|_| wrong())?,
            height: height.parse().map_err(|_| wrong())?,
        })
    }
}

impl From<BoardSize> for String {
    fn from(size: BoardSize) -> String {
        format!("{}x{}", size.width, size.height)
    }
}

/// The trials of an estimate, if nothing else is said.
const TRIALS: u32 = 4_096;

/// The most games for one candidate, and the most trials, whose boards are all in memory: more is a slip of the pen.
const MOST_GAMES: u32 = 10_000_000;
const MOST_TRIALS: u32 = 100_000;

impl Objective {
    /// The rules of its games, or what is wrong with it.
    pub fn rules(&self) -> Result<Ruleset, String> {
        let own = match self.measure {
            Measure::Lines => None,
            Measure::SprintReward | Measure::SprintKeys => Some(Mode::Sprint),
            Measure::BlitzScore => Some(Mode::Blitz),
        };
        let mode = match (own, self.mode) {
            (Some(own), Some(mode)) if own != mode => {
                return Err(format!("this measure is of {own}, not of {mode}: leave the mode out"));
            }
            (None, Some(mode @ (Mode::Sprint | Mode::Blitz))) => {
                return Err(format!("lines are not counted in {mode}: choose classic or practice"));
            }
            (own, mode) => own.or(mode).unwrap_or(Mode::Classic),
        };
        let mut rules = Ruleset::for_agents(mode);
        if let Some(size) = self.board {
            (rules.width, rules.visible_height) = (size.width, size.height);
        }
        match self.randomizer {
            None => {}
            Some(Draw::Bag) => rules.randomizer = Randomizer::SevenBag,
            Some(Draw::Uniform) => rules.randomizer = Randomizer::Uniform,
        }
        if self.pieces.is_some() {
            rules.goal.pieces = self.pieces;
        }
        rules.start().map_err(|error| error.to_string())?;
        if mode == Mode::Practice && self.pieces.is_none() {
            return Err("practice has no end: say when to stop with pieces".to_owned());
        }
        if !(1..=MOST_GAMES).contains(&self.games) {
            return Err(format!("games is {}: give a number from 1 to {MOST_GAMES}", self.games));
        }
        if self.method == Method::Splitting {
            if mode != Mode::Classic || rules.randomizer != Randomizer::Uniform {
                return Err("splitting is for lines in classic with uniform pieces only".to_owned());
            }
            if self.pieces.is_some() {
                return Err("splitting estimates whole games: leave pieces out".to_owned());
            }
            if !(1..=MOST_TRIALS).contains(&self.trials()) {
                return Err(format!(
                    "trials is {}: give a number from 1 to {MOST_TRIALS}, and more games instead",
                    self.trials()
                ));
            }
        } else if self.trials.is_some() {
            return Err("trials are for splitting: leave them out, or give method = \"splitting\"".to_owned());
        }
        Ok(rules)
    }

    /// The trials of an estimate.
    pub(crate) fn trials(&self) -> u32 {
        self.trials.unwrap_or(TRIALS)
    }

    /// What a candidate is worth whose games were worth so much.
    pub fn score(&self, values: &[f64]) -> f64 {
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        match self.method {
            Method::Games => mean,
            // The values are chances to lose: means of their inverses would be too high.
            Method::Splitting => 1.0 / mean,
        }
    }
}

impl fmt::Display for Objective {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.measure {
            Measure::Lines => "lines",
            Measure::SprintReward => "sprint reward",
            Measure::SprintKeys => "sprint keys",
            Measure::BlitzScore => "blitz score",
        })?;
        if self.measure == Measure::Lines {
            write!(f, " in {}", self.mode.unwrap_or(Mode::Classic))?;
        }
        if let Some(size) = self.board {
            write!(f, " {}", String::from(size))?;
        }
        if let Some(pieces) = self.pieces {
            write!(f, ", {}", counted(pieces.into(), "piece"))?;
        }
        match self.method {
            Method::Games => Ok(()),
            Method::Splitting => f.write_str(", by splitting"),
        }
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    /// Pieces placed.
    pub pieces: u64,
    /// Lines cleared.
    pub lines: u64,
    /// Points.
    pub score: u64,
    /// Keys pressed, if they count.
    pub keys: u64,
    /// Whether it was lost.
    pub lost: bool,
}

impl Measure {
    /// What a game that ended so is worth.
    pub fn value(self, end: End) -> f64 {
        let End { pieces, lines, score, keys, lost } = end;
        let loss = |most: f64| pieces as f64 + 5.0 * lines as f64 - most;
        match self {
            Measure::Lines => lines as f64,
            Measure::SprintReward if lost => loss(550.0),
            Measure::SprintReward => -(pieces as f64),
            // More keys than any win takes.
            Measure::SprintKeys if lost => loss(2_000.0),
            Measure::SprintKeys => -(keys as f64),
            Measure::BlitzScore => score as f64,
        }
    }

    /// Plays a game; nothing if the monitor stops it before its end.
    pub fn play(
        self,
        agent: &AgentFile,
        rules: &Ruleset,
        seed: u64,
        monitor: &Monitor,
    ) -> Result<Option<End>, String> {
        let mut game = Game::new(rules.clone(), seed).map_err(|error| error.to_string())?;
        let thinks_long = !matches!(agent.plan, SearchPlan::Lookahead { plies: 1 | 2 });
        let mut agent = agent.agent();
        if thinks_long {
            // A move may take minutes. Others are over at once, and need not ask.
            agent.limit(Limits { nodes: None, stop: Some(monitor.stop_signal()) });
        }
        let mut keys = 0;
        loop {
            let play = agent.next_move(&game);
            // Before it is made: the search may have been cut off.
            if monitor.is_stopped() {
                return Ok(None);
            }
            let Some(play) = play else { break };
            if self == Measure::SprintKeys {
                keys += u64::from(game.keys(play));
            }
            // The searches choose among the moves that can be made.
            game.play_generated(play);
        }
        Ok(Some(End {
            pieces: game.placed().into(),
            lines: game.lines().into(),
            score: game.score(),
            keys,
            lost: !matches!(game.outcome(), Some(Outcome::Clear | Outcome::PieceLimit)),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_worth_what_the_documents_say() {
        let won = End { pieces: 104, lines: 40, score: 9_000, keys: 390, lost: false };
        let lost = End { pieces: 70, lines: 20, score: 4_000, keys: 260, lost: true };
        let value = |measure: Measure| (measure.value(won), measure.value(lost));
        assert_eq!(value(Measure::Lines), (40.0, 20.0));
        assert_eq!(value(Measure::SprintReward), (-104.0, -380.0));
        assert_eq!(value(Measure::SprintKeys), (-390.0, -1_830.0));
        assert_eq!(value(Measure::BlitzScore), (9_000.0, 4_000.0));
    }

    #[test]
    fn what_is_no_objective_is_refused() {
        let wrong = |text: &str| toml::from_str::<Objective>(text).unwrap().rules().unwrap_err();
        assert!(wrong("measure = 'sprint_reward'\nmode = 'blitz'\ngames = 1").contains("of sprint"));
        assert!(wrong("measure = 'lines'\nmode = 'sprint'\ngames = 1").contains("classic or practice"));
        assert!(wrong("measure = 'lines'\nmode = 'practice'\ngames = 1").contains("no end"));
        assert!(wrong("measure = 'lines'\nboard = '2x20'\ngames = 1").contains("columns"));
        assert!(wrong("measure = 'lines'\ngames = 0").contains("games is 0"));
        assert!(wrong("measure = 'lines'\nmethod = 'splitting'\npieces = 9\ngames = 1").contains("whole"));
    }
}
