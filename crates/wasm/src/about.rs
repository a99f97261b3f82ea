//! What a replay says of itself.

use serde::{Deserialize, Serialize};
use tetrion_engine::clock::Action;
use tetrion_engine::replay::{Actions, Replay};
use tetrion_engine::ruleset::{Micros, Mode};
use tetrion_leaderboard::{COUNTDOWN, Competitor, Leaderboard, MAX_PAUSED};
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
    state_hash: String,
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
            duration: duration(replay) as f64,
            timed: matches!(replay.actions, Actions::Inputs { .. }),
            agent,
            pieces: replay.result.pieces as u32,
            lines: replay.result.lines as u32,
            score: replay.result.score as f64,
            outcome: replay.result.outcome.map(|outcome| outcome.name().to_owned()),
            state_hash: format!("{:016x}", replay.state_hash),
        }
    }
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
}

/// A leaderboard.
#[derive(Serialize, Tsify)]
pub struct LeaderboardAbout {
    #[tsify(type = "Mode")]
    mode: Mode,
    #[tsify(type = "Competitor")]
    by: Competitor,
    /// How it is ordered, in words.
    order: &'static str,
}

/// The leaderboards.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct Leaderboards {
    /// How long the countdown before a ranked game takes, in milliseconds.
    countdown_millis: f64,
    /// How long a verified game may be paused in total, in minutes.
    max_paused_minutes: f64,
    leaderboards: Vec<LeaderboardAbout>,
}

/// All leaderboards.
#[wasm_bindgen]
pub fn leaderboards() -> Result<Ts<Leaderboards>, JsError> {
    let about = |board: Leaderboard| LeaderboardAbout {
        mode: board.mode,
        by: board.competitor,
        order: board.order(),
    };
    Ok(Leaderboards {
        countdown_millis: COUNTDOWN as f64 / 1_000.0,
        max_paused_minutes: MAX_PAUSED as f64 / 6e7,
        leaderboards: Leaderboard::all().map(about).collect(),
    }
    .into_ts()?)
}

/// What ranked games of a leaderboard are ordered by, number by number: less is better.
#[wasm_bindgen]
pub fn standing(about: Ts<About>) -> Result<Vec<f64>, JsError> {
    let About { mode, agent, duration, pieces, score, .. } = about.to_rust()?;
    let competitor = if agent { Competitor::Agent } else { Competitor::Person };
    let standing = Leaderboard { mode, competitor }.standing(Some(duration as Micros), pieces, score as u64);
    Ok(standing.map(|number| number as f64).to_vec())
}

/// What is wrong with a player's name, if it can't be on a leaderboard.
#[wasm_bindgen(js_name = nameProblem)]
pub fn name_problem(name: &str) -> Option<String> {
    tetrion_leaderboard::check_name(name).err().map(|error| error.to_string())
}
