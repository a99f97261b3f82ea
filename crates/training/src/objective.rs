//! Objectives: what candidates play, and the value of a game.

use crate::evaluation::EvaluateError;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;
use tetrion_engine::game::Game;
use tetrion_engine::randomizer::Randomizer;
use tetrion_engine::record::{GameResult, Outcome};
use tetrion_engine::ruleset::{Mode, Ruleset};
use tetrion_engine::versus::{Hands, Match, VersusPreset};
use tetrion_engine::words::counted;
use tetrion_players::agent::{Agent, Limits};
use tetrion_players::agent_file::{AgentFile, AgentKind};
use tetrion_players::catalogue::{self, AgentSpec};
use tetrion_players::monitor::Monitor;
use tetrion_players::play::{PlayGameError, PlayOptions, play_game, play_match};
use tetrion_players::search::SearchPlan;

/// What candidates play, and what they are trained for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Objective {
    /// The value of a game.
    pub measure: Measure,
    /// How fitness is measured.
    #[serde(default)]
    pub method: Method,
    /// The mode for lines: classic (the default) or practice.
    pub mode: Option<Mode>,
    /// The size of the board; by default 10x20.
    pub board: Option<BoardSize>,
    /// How pieces are drawn; by default as the mode does.
    pub randomizer: Option<RandomizerKind>,
    /// The number of pieces after which a game ends.
    pub pieces: Option<u32>,
    /// Games for each candidate; with splitting, estimates.
    pub games: u32,
    /// In versus, the agent to play against.
    pub opponent: Option<String>,
    /// With splitting, trials for each step of an estimate; by default 4,096.
    pub trials: Option<u32>,
}

/// The value of a game. Higher is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// Lines cleared.
    Lines,
    /// Sprint with few pieces: −pieces for a win, pieces + 5·lines − 550 for a loss.
    SprintReward,
    /// Sprint with few keys, counting holds and hard drops: −keys for a win, pieces + 5·lines − 2,000 for a loss.
    SprintKeys,
    /// The score of a Blitz game.
    BlitzScore,
    /// A match of versus: 1 for a win, 0.5 for a draw.
    VersusPoints,
}

/// How fitness is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// By the mean over full games.
    #[default]
    Games,
    /// By a splitting estimate, for Classic games that are too long to play.
    Splitting,
}

/// How pieces are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RandomizerKind {
    /// All seven in random order, again and again.
    Bag,
    /// Each piece with the same chance.
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

/// The default number of trials for each step of an estimate.
const DEFAULT_TRIALS: u32 = 4_096;

/// The most games for a candidate. More is a typing mistake.
const MAX_GAMES_PER_CANDIDATE: u32 = 10_000_000;
/// The most trials for a step. Their boards are all in memory.
const MAX_TRIALS: u32 = 100_000;

impl Objective {
    /// The rules of its games. Fails if the objective is invalid.
    pub fn rules(&self) -> Result<Ruleset, String> {
        let own = match self.measure {
            Measure::Lines => None,
            Measure::SprintReward | Measure::SprintKeys => Some(Mode::Sprint),
            Measure::BlitzScore => Some(Mode::Blitz),
            Measure::VersusPoints => Some(Mode::Versus),
        };
        let mode = match (own, self.mode) {
            (Some(own), Some(mode)) if own != mode => {
                return Err(format!("this measure needs {own}, not {mode}: omit the mode"));
            }
            (None, Some(mode @ (Mode::Sprint | Mode::Blitz | Mode::Zen | Mode::Versus))) => {
                return Err(format!("the measure lines is not for {mode}: choose classic or practice"));
            }
            (own, mode) => own.or(mode).unwrap_or(Mode::Classic),
        };
        let mut rules = Ruleset::for_agents(mode);
        if let Some(size) = self.board {
            (rules.width, rules.visible_height) = (size.width, size.height);
        }
        match self.randomizer {
            None => {}
            Some(RandomizerKind::Bag) => rules.randomizer = Randomizer::SevenBag,
            Some(RandomizerKind::Uniform) => rules.randomizer = Randomizer::Uniform,
        }
        if self.pieces.is_some() {
            rules.goal.pieces = self.pieces;
        }
        rules.start().map_err(|error| error.to_string())?;
        match (mode, &self.opponent) {
            (Mode::Versus, None) => return Err("versus needs an opponent: name an agent".to_owned()),
            (Mode::Versus, Some(name)) => {
                catalogue::find(name).map_err(|error| format!("opponent: {error}"))?;
            }
            (_, Some(_)) => return Err("opponent is only for versus: omit it".to_owned()),
            (_, None) => {}
        }
        if mode == Mode::Practice && self.pieces.is_none() {
            return Err("practice games never end: set pieces".to_owned());
        }
        if !(1..=MAX_GAMES_PER_CANDIDATE).contains(&self.games) {
            return Err(format!(
                "games is {}: give a number from 1 to {MAX_GAMES_PER_CANDIDATE}",
                self.games
            ));
        }
        if self.method == Method::Splitting {
            if mode != Mode::Classic || rules.randomizer != Randomizer::Uniform {
                return Err("splitting works only for lines in classic with uniform pieces".to_owned());
            }
            if self.pieces.is_some() {
                return Err("splitting estimates full games: omit pieces".to_owned());
            }
            if !(1..=MAX_TRIALS).contains(&self.trials()) {
                return Err(format!(
                    "trials is {}: give a number from 1 to {MAX_TRIALS}; for more precision, give more games",
                    self.trials()
                ));
            }
        } else if self.trials.is_some() {
            return Err("trials is only for splitting: omit it, or set method = \"splitting\"".to_owned());
        }
        Ok(rules)
    }

    /// The trials for each step of an estimate.
    pub(crate) fn trials(&self) -> u32 {
        self.trials.unwrap_or(DEFAULT_TRIALS)
    }

    /// The score of a candidate whose games have these values.
    pub fn score(&self, values: &[f64]) -> f64 {
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        match self.method {
            Method::Games => mean,
            // The values are chances to lose. The mean of their inverses would be too high.
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
            Measure::VersusPoints => "points of a match",
        })?;
        if let Some(opponent) = &self.opponent {
            write!(f, " against {opponent}")?;
        }
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

impl Measure {
    /// The value of a game.
    pub fn value(self, result: &GameResult) -> f64 {
        let (pieces, lines) = (result.pieces as f64, result.lines as f64);
        let is_won = matches!(result.outcome, Some(Outcome::Clear | Outcome::PieceLimit));
        let loss = |most: f64| pieces + 5.0 * lines - most;
        match self {
            Measure::Lines => lines,
            Measure::SprintReward if is_won => -pieces,
            Measure::SprintReward => loss(550.0),
            Measure::SprintKeys if is_won => -(result.keys.unwrap_or(0) as f64),
            // A win never takes this many keys.
            Measure::SprintKeys => loss(2_000.0),
            Measure::BlitzScore => result.score as f64,
            Measure::VersusPoints => f64::from(u8::from(!result.outcome.is_some_and(Outcome::is_loss))),
        }
    }

    /// Lets an agent play a game to its end, unless the monitor stops it.
    pub fn play(
        self,
        agent: &AgentFile,
        game: &mut Game,
        monitor: &Arc<Monitor>,
    ) -> Result<GameResult, PlayGameError> {
        let count_keys = self == Measure::SprintKeys;
        let mut options = PlayOptions { count_keys, monitor: Some(monitor), ..PlayOptions::default() };
        play_game(game, within_limits(agent, monitor).as_mut(), &mut options)
    }
}

/// The agent, which stops when the monitor does.
fn within_limits(agent: &AgentFile, monitor: &Arc<Monitor>) -> Box<dyn Agent + Send> {
    let (thinks_long, nodes) = match agent.kind {
        AgentKind::Features { plan, nodes, .. } => {
            (!matches!(plan, SearchPlan::Lookahead { plies: 1 | 2 }), nodes)
        }
        AgentKind::Tables { nodes, .. } => (true, Some(nodes)),
    };
    let mut agent = agent.agent();
    if thinks_long {
        // A move may take minutes, so the search itself checks the monitor. Short searches need not.
        agent.limit(Limits { nodes, stop: Some(monitor.clone()) });
    }
    agent
}

/// The time between the pieces of a match, in microseconds.
const INTERVAL: u64 = 500_000;

/// Lets an agent play a match against another, which may look at as many placements. The seed also decides the side and the preset.
/// Returns the points: 1 for a win, 0.5 for a draw.
pub(crate) fn play_versus(
    agent: &AgentFile,
    opponent: &AgentSpec,
    rules: &Ruleset,
    seed: u64,
    monitor: &Arc<Monitor>,
) -> Result<f64, EvaluateError> {
    let (side, preset) = ((seed % 2) as usize, VersusPreset::ALL[(seed / 2 % 2) as usize]);
    let rules = Ruleset { versus: Some(preset.rules()), ..rules.clone() };
    let mut live = Match::new(&rules, seed, [Hands::Agent; 2])
        .map_err(|error| EvaluateError::Task(error.to_string()))?;
    let mut own = within_limits(agent, monitor);
    let mut other = opponent.agent(seed);
    if let AgentKind::Tables { nodes, .. } = agent.kind {
        other.limit(Limits { nodes: Some(nodes), stop: Some(monitor.clone()) });
    }
    let mut agents: [&mut dyn Agent; 2] = [own.as_mut(), other.as_mut()];
    agents.rotate_left(side);
    let result = play_match(&mut live, agents, INTERVAL, Some(monitor))?;
    Ok(match result.and_then(|result| result.winner) {
        None => 0.5,
        Some(winner) => f64::from(u8::from(winner == side)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tetrion_engine::record::TopOut;

    #[test]
    fn games_have_the_published_values() {
        let won = GameResult {
            outcome: Some(Outcome::Clear),
            pieces: 104,
            lines: 40,
            score: 9_000,
            keys: Some(390),
        };
        let lost = GameResult {
            outcome: Some(Outcome::TopOut(TopOut::BlockOut)),
            pieces: 70,
            lines: 20,
            score: 4_000,
            keys: Some(260),
        };
        let value = |measure: Measure| (measure.value(&won), measure.value(&lost));
        assert_eq!(value(Measure::Lines), (40.0, 20.0));
        assert_eq!(value(Measure::SprintReward), (-104.0, -380.0));
        assert_eq!(value(Measure::SprintKeys), (-390.0, -1_830.0));
        assert_eq!(value(Measure::BlitzScore), (9_000.0, 4_000.0));
    }

    #[test]
    fn invalid_objectives_are_refused() {
        let wrong = |text: &str| toml::from_str::<Objective>(text).unwrap().rules().unwrap_err();
        assert!(wrong("measure = 'sprint_reward'\nmode = 'blitz'\ngames = 1").contains("needs sprint"));
        assert!(wrong("measure = 'lines'\nmode = 'sprint'\ngames = 1").contains("classic or practice"));
        assert!(wrong("measure = 'lines'\nmode = 'practice'\ngames = 1").contains("never end"));
        assert!(wrong("measure = 'lines'\nboard = '2x20'\ngames = 1").contains("columns"));
        assert!(wrong("measure = 'lines'\ngames = 0").contains("games is 0"));
        assert!(
            wrong("measure = 'lines'\nmethod = 'splitting'\npieces = 9\ngames = 1").contains("full games")
        );
    }
}
