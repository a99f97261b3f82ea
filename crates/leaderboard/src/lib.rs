//! Which games count on the leaderboards, in which order, under which names, and which of them a hand can have played.
//!
//! The server applies these rules to the replays that it receives, and the page asks the same code through WASM. Nothing here
//! plays a game: the server also checks that a replay verifies.

mod category;
mod day;
pub mod hands;
mod name;
mod seal;

pub use category::{Category, UnknownCategory};
pub use day::{Day, NotADay};
pub use name::{MAX_NAME_CHARS, NameError, check_name, typed_name};
pub use seal::Seal;

use serde::{Deserialize, Serialize};
use tetrion_engine::clock::Action;
use tetrion_engine::moves::Movement;
use tetrion_engine::record::Outcome;
use tetrion_engine::replay::{Actions, Replay};
use tetrion_engine::ruleset::{Micros, Mode};

/// How long 3, 2, 1 takes before a person's ranked game.
pub const COUNTDOWN: Micros = 1_500_000;

/// How long the pauses of a verified game may last in total. Whoever changes the page can think in a pause, or try moves out.
pub const MAX_PAUSED: Micros = 5 * 60 * 1_000_000;

/// Who competes: people and agents have leaderboards of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Competitor {
    /// Somebody who pressed keys.
    Person,
    /// A program that chose placements.
    Agent,
}

impl Competitor {
    /// The name in files and in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Competitor::Person => "person",
            Competitor::Agent => "agent",
        }
    }

    /// Who played a game. A game that a person and an agent shared belongs to neither.
    fn of(replay: &Replay) -> Result<Competitor, NotRanked> {
        let Actions::Inputs { inputs, .. } = &replay.actions else { return Ok(Competitor::Agent) };
        let placed = inputs.iter().filter(|input| matches!(input.action, Action::Place(_))).count();
        match placed {
            0 => Ok(Competitor::Person),
            _ if placed == inputs.len() => Ok(Competitor::Agent),
            _ => Err(NotRanked::Shared),
        }
    }
}

/// One leaderboard: a category, and who competes in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Leaderboard {
    /// The kind of game.
    pub category: Category,
    /// Who plays.
    pub competitor: Competitor,
}

/// Why a game does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotRanked {
    /// The player's name can't be shown.
    #[error(transparent)]
    Name(#[from] NameError),
    /// The mode has no leaderboard.
    #[error("{0} has no leaderboard: play sprint or blitz")]
    Mode(Mode),
    /// The rules were made easier, or harder.
    #[error("this game did not use the rules of a ranked {0}: play it without changed rules")]
    Rules(Mode),
    /// A person and an agent both placed pieces.
    #[error("a person and an agent shared this game, so it counts for neither")]
    Shared,
    /// The game was left before it ended.
    #[error("the game was left before it ended")]
    Unfinished,
    /// A Sprint that did not clear all its lines.
    #[error("a sprint counts only if it clears all its lines")]
    LinesLeft,
}

impl Leaderboard {
    /// The leaderboard that a replay belongs on, if its game counts. The replay itself is taken at its word.
    pub fn of(replay: &Replay) -> Result<Leaderboard, NotRanked> {
        check_name(&replay.player)?;
        let (rules, mode) = (&replay.rules, replay.rules.mode);
        let competitor = Competitor::of(replay)?;
        if !Category::LASTING.iter().any(|category| category.mode() == mode) {
            return Err(NotRanked::Mode(mode));
        }
        // Each placement must be reachable.
        let reachable = rules.movement != Movement::Straight;
        let category = Category::of(rules, replay.seed, competitor).filter(|_| reachable);
        let category = category.ok_or(NotRanked::Rules(mode))?;
        match (mode, replay.result.outcome) {
            (_, None) => Err(NotRanked::Unfinished),
            (Mode::Sprint, Some(outcome)) if outcome != Outcome::Clear => Err(NotRanked::LinesLeft),
            _ => Ok(Leaderboard { category, competitor }),
        }
    }

    /// The leaderboards that stay the same every day.
    pub fn lasting() -> impl Iterator<Item = Leaderboard> {
        let of = |category| {
            [Competitor::Person, Competitor::Agent].map(|competitor| Leaderboard { category, competitor })
        };
        Category::LASTING.into_iter().flat_map(of)
    }

    /// The order of [`Leaderboard::standing`] in words.
    pub fn order(self) -> String {
        match (self.category.lines(), self.competitor) {
            (Some(lines), Competitor::Person) => format!("Fastest {lines} lines first."),
            (Some(lines), Competitor::Agent) => {
                format!("Fewest pieces for {lines} lines first, then the higher score.")
            }
            (None, Competitor::Person) => "Highest score in three minutes first.".to_owned(),
            (None, Competitor::Agent) => "Highest score in 360 pieces first.".to_owned(),
        }
    }

    /// What games are ordered by on this leaderboard: less is better. Of equal games, the earlier one is ahead.
    pub fn standing(self, micros: Option<Micros>, pieces: u32, score: u64) -> [i64; 2] {
        standing(self.category.mode(), self.competitor, micros, pieces, score)
    }
}

/// The same, from what it depends on.
pub fn standing(
    mode: Mode,
    competitor: Competitor,
    micros: Option<Micros>,
    pieces: u32,
    score: u64,
) -> [i64; 2] {
    let number = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    match (mode, competitor) {
        (Mode::Sprint, Competitor::Person) => [number(micros.unwrap_or(Micros::MAX)), 0],
        (Mode::Sprint, Competitor::Agent) => [pieces.into(), -number(score)],
        _ => [-number(score), 0],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_better_game_of_each_leaderboard_has_the_lower_standing() {
        let board = |category, competitor| Leaderboard { category, competitor };
        let sprint = board(Category::Sprint40, Competitor::Person);
        assert!(sprint.standing(Some(29_999_999), 110, 0) < sprint.standing(Some(30_000_000), 100, 9_000));
        assert!(sprint.standing(Some(Micros::MAX), 100, 0) <= sprint.standing(None, 100, 0));
        let agents = board(Category::Sprint40, Competitor::Agent);
        assert!(agents.standing(None, 100, 0) < agents.standing(None, 101, 9_000));
        assert!(agents.standing(None, 100, 9_000) < agents.standing(None, 100, 8_999));
        for competitor in [Competitor::Person, Competitor::Agent] {
            let blitz = board(Category::Blitz, competitor);
            assert!(blitz.standing(None, 360, 9_000) < blitz.standing(Some(1), 100, 8_999));
        }
    }
}
