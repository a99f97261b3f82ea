//! What a replay says of itself.

use crate::error;
use crate::match_viewer::MatchViewer;
use crate::viewer::Viewer;
use serde::{Deserialize, Serialize};
use tetrion_engine::clock::Action;
use tetrion_engine::replay::{Actions, Ending, Recorded, Replay};
use tetrion_engine::ruleset::{Micros, Mode};
use tetrion_engine::versus::{Hands, MatchReplay, MatchResult};
use tetrion_leaderboard::{COUNTDOWN, Category, Competitor, Day, Leaderboard, MAX_PAUSED};
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

/// The time of a move in a replay without time: two pieces a second.
pub const MICROS_PER_MOVE: Micros = 500_000;

/// What a replay says of itself.
#[derive(Serialize, Deserialize, Tsify)]
#[tsify(missing_as_null)]
#[serde(rename_all = "camelCase")]
pub struct About {
    player: String,
    #[tsify(type = "Mode")]
    mode: Mode,
    /// What it is compared with; null if its rules are not standard. Replays kept by earlier versions don't say.
    #[serde(default)]
    #[tsify(optional, type = "Category | null")]
    category: Option<Category>,
    /// The lines that end it.
    #[serde(default)]
    #[tsify(optional, type = "number | null")]
    goal_lines: Option<u32>,
    /// Microseconds.
    duration: f64,
    /// Whether the times are those of the game, or made up for moves without any.
    timed: bool,
    /// Whether an agent placed pieces in it.
    agent: bool,
    pieces: u32,
    lines: u32,
    score: f64,
    #[tsify(type = "Outcome | null")]
    outcome: Option<String>,
    /// The other side, if it is a match: then everything else is about the first.
    #[serde(default)]
    #[tsify(optional, type = "OpponentAbout | null")]
    opponent: Option<OpponentAbout>,
    state_hash: String,
}

/// The other side of a match.
#[derive(Serialize, Deserialize, Tsify)]
#[tsify(missing_as_null)]
pub struct OpponentAbout {
    player: String,
    /// The side that won; null for a draw, and if nobody has yet.
    #[tsify(type = "Side | null")]
    winner: Option<usize>,
}

impl About {
    /// Reads it off a replay.
    pub fn of(replay: &Replay) -> About {
        let agent = match &replay.actions {
            Actions::Moves(_) => true,
            Actions::Inputs { inputs, .. } => {
                inputs.iter().any(|input| matches!(input.action, Action::Place(_)))
            }
        };
        About {
            player: replay.player.clone(),
            mode: replay.rules.mode,
            category: Category::of(&replay.rules, replay.seed, competitor(agent)),
            goal_lines: replay.rules.goal.lines,
            duration: duration(replay) as f64,
            timed: matches!(replay.actions, Actions::Inputs { .. }),
            agent,
            pieces: replay.result.pieces as u32,
            lines: replay.result.lines as u32,
            score: replay.result.score as f64,
            outcome: replay.result.outcome.map(|outcome| outcome.name().to_owned()),
            opponent: None,
            state_hash: format!("{:016x}", replay.state_hash),
        }
    }

    /// Reads it off a match with this result.
    pub fn of_match(replay: &MatchReplay, result: Option<MatchResult>) -> About {
        let [first, other] = &replay.sides;
        let Ending { result: game, state_hash } = &first.ending;
        let winner = result.and_then(|result| result.winner);
        About {
            player: first.player.clone(),
            mode: replay.rules.mode,
            category: None,
            goal_lines: replay.rules.goal.lines,
            duration: replay.end as f64,
            timed: true,
            agent: first.hands == Hands::Agent,
            pieces: game.pieces as u32,
            lines: game.lines as u32,
            score: game.score as f64,
            outcome: game.outcome.map(|outcome| outcome.name().to_owned()),
            opponent: Some(OpponentAbout { player: other.player.clone(), winner }),
            state_hash: format!("{:016x}", state_hash ^ other.ending.state_hash.rotate_left(1)),
        }
    }
}

fn competitor(agent: bool) -> Competitor {
    if agent { Competitor::Agent } else { Competitor::Person }
}

/// How long a replay takes.
pub fn duration(replay: &Replay) -> Micros {
    match &replay.actions {
        Actions::Inputs { end, .. } => *end,
        Actions::Moves(moves) => MICROS_PER_MOVE * (moves.len() as Micros + 1),
    }
}

/// A game to be kept.
#[derive(Serialize, Tsify)]
#[tsify(missing_as_null)]
pub struct RecordedGame {
    /// The replay file.
    #[serde(with = "serde_bytes")]
    #[tsify(type = "Uint8Array")]
    bytes: Vec<u8>,
    about: About,
    /// Whether it counts on a leaderboard.
    ranked: bool,
}

impl RecordedGame {
    /// The game of a replay.
    pub fn of(replay: &Replay) -> RecordedGame {
        let ranked = Leaderboard::of(replay).is_ok();
        RecordedGame { bytes: replay.to_bytes(), about: About::of(replay), ranked }
    }

    /// The match of a replay, with its result.
    pub fn of_match(replay: &MatchReplay, result: Option<MatchResult>) -> RecordedGame {
        RecordedGame { bytes: replay.to_bytes(), about: About::of_match(replay, result), ranked: false }
    }
}

/// Whether a file holds a match, not a game.
#[wasm_bindgen(js_name = isMatch)]
pub fn is_match(bytes: &[u8]) -> Result<bool, JsError> {
    Ok(matches!(Recorded::from_bytes(bytes).map_err(error)?, Recorded::Match(_)))
}

/// Reads the file of a game or a match, verifies it, and returns what it says of itself.
#[wasm_bindgen(js_name = verifiedReplay)]
pub fn verified_replay(bytes: &[u8]) -> Result<Ts<About>, JsError> {
    match Recorded::from_bytes(bytes).map_err(error)? {
        Recorded::Game(_) => Viewer::new(bytes)?.about(),
        Recorded::Match(replay) => MatchViewer::of(replay).map_err(error)?.about(),
    }
}

/// A leaderboard.
#[derive(Serialize, Tsify)]
#[tsify(missing_as_null)]
pub struct LeaderboardAbout {
    #[tsify(type = "Category")]
    category: Category,
    #[tsify(type = "Mode")]
    mode: Mode,
    /// The lines of a Sprint.
    lines: Option<u32>,
    #[tsify(type = "Competitor")]
    by: Competitor,
    /// How it is ordered, in words.
    order: String,
}

/// The leaderboards.
#[derive(Serialize, Tsify)]
#[tsify(missing_as_null)]
#[serde(rename_all = "camelCase")]
pub struct Leaderboards {
    /// How long the countdown before a ranked game takes, in milliseconds.
    countdown_millis: f64,
    /// How long a verified game may be paused in total, in minutes.
    max_paused_minutes: f64,
    /// Those that stay the same every day. That of a daily is like that of Sprint.
    leaderboards: Vec<LeaderboardAbout>,
}

/// The leaderboards and their rules.
#[wasm_bindgen]
pub fn leaderboards() -> Result<Ts<Leaderboards>, JsError> {
    let about = |board: Leaderboard| LeaderboardAbout {
        category: board.category,
        mode: board.category.mode(),
        lines: board.category.lines(),
        by: board.competitor,
        order: board.order(),
    };
    Ok(Leaderboards {
        countdown_millis: COUNTDOWN as f64 / 1_000.0,
        max_paused_minutes: MAX_PAUSED as f64 / 6e7,
        leaderboards: Leaderboard::lasting().map(about).collect(),
    }
    .into_ts()?)
}

/// What ranked games of a leaderboard are ordered by, number by number: less is better.
#[wasm_bindgen]
pub fn standing(about: Ts<About>) -> Result<Vec<f64>, JsError> {
    let About { mode, agent, duration, pieces, score, .. } = about.to_rust()?;
    let micros = Some(duration as Micros);
    let standing = tetrion_leaderboard::standing(mode, competitor(agent), micros, pieces, score as u64);
    Ok(standing.map(|number| number as f64).to_vec())
}

/// The seed of the daily of a day, such as `2026-11-18`.
#[wasm_bindgen(js_name = dailySeed)]
pub fn daily_seed(day: &str) -> Result<u64, JsError> {
    day.parse().map(Day::seed).map_err(error)
}

/// What is wrong with a player's name as it was typed, if it can't be on a leaderboard.
#[wasm_bindgen(js_name = nameProblem)]
pub fn name_problem(typed: &str) -> Option<String> {
    tetrion_leaderboard::typed_name(typed).err().map(|error| error.to_string())
}

/// The name on the leaderboards of a player who typed this; nothing if it can't be on one.
#[wasm_bindgen(js_name = nameOf)]
pub fn name_of(typed: &str) -> Option<String> {
    tetrion_leaderboard::typed_name(typed).ok().map(str::to_owned)
}
