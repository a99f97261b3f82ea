#![doc = include_str!("../README.md")]
//!
//! The root re-exports what most programs need. The modules are the underlying crates:
//!
//! - [`engine`]: boards, moves, games, real-time play, replays;
//! - [`players`]: features, evaluators, searches, agents, the loop that plays a game;
//! - [`exact`]: provably optimal policies for small boards;
//! - [`study`]: statistics and playing habits;
//! - [`interop`]: fumens, images and the Tetris Bot Protocol.
//!
//! [`Player::find`] turns a name into a player: `lee`, `my.toml` or `exact:FILE`.

mod player;

/// Pages whose code blocks are doctests.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../../../README.md")]
    mod readme {}
    #[doc = include_str!("../../../docs/TBP.md")]
    mod tbp {}
    #[doc = include_str!("../../../docs/WRITING_AGENTS.md")]
    mod writing_agents {}
}

pub use player::{Player, PlayerError};

pub use tetrion_engine as engine;
pub use tetrion_exact as exact;
pub use tetrion_interop as interop;
pub use tetrion_players as players;
pub use tetrion_study as study;

pub use tetrion_engine::board::Board;
pub use tetrion_engine::game::{Game, IllegalMove, Move};
pub use tetrion_engine::location::{PieceLocation, Placement, Spin};
pub use tetrion_engine::moves::{MoveSet, Movement};
pub use tetrion_engine::piece::{Orientation, Piece, parse_queue};
pub use tetrion_engine::position::{Position, View};
pub use tetrion_engine::randomizer::{Bag, Random, Randomizer, game_seed};
pub use tetrion_engine::record::{GameResult, Keys, Outcome, PlacementRecord, TopOut};
pub use tetrion_engine::replay::Replay;
pub use tetrion_engine::ruleset::{Goal, Mode, Ruleset};
pub use tetrion_engine::scoring::{PointTable, Scoring, Streak};
pub use tetrion_players::afterstate::{Afterstate, Judged};
pub use tetrion_players::agent::{Abilities, Agent, ConsideredMove, Explanation, Limits};
pub use tetrion_players::agent_file::AgentFile;
pub use tetrion_players::evaluator::{Evaluator, Linear, Term};
pub use tetrion_players::features::Feature;
pub use tetrion_players::monitor::Monitor;
pub use tetrion_players::play::{Decision, Observer, PlayGameError, PlayOptions, play_game};
pub use tetrion_players::search::{Reach, SearchPlan, Searcher};
pub use tetrion_study::statistics::{Share, Summary};
