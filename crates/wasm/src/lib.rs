//! The engine and the players in the browser.
//!
//! Nothing here knows a rule: it turns calls of the page into calls of the engine and the agents, and their results into
//! JavaScript objects. Each type that crosses is declared once, in Rust; the page's TypeScript is generated from it.
//!
//! | file | holds |
//! |---|---|
//! | `live_game.rs` | a game under way: by keys in time, by an agent's moves, or both |
//! | `course.rs` | what sessions and replays share: a game with time or without, and what was placed in it |
//! | `live_match.rs` | a match under way: a person against an agent, or two agents |
//! | `match_course.rs` | what matches under way and recorded ones share |
//! | `view.rs` | what the page draws |
//! | `thinker.rs` | an agent: its moves and its reasons |
//! | `viewer.rs`, `match_viewer.rs` | a replay of a game or a match at any time of it |
//! | `tbp_bot.rs` | an agent for other front ends, in a worker |
//! | `about.rs` | what a replay says of itself, and whether its game counts on a leaderboard |
//! | `tiny.rs` | the 3×3 game, with what each move is worth |

mod about;
mod course;
mod live_game;
mod live_match;
mod match_course;
mod match_viewer;
mod tbp_bot;
mod thinker;
mod tiny;
mod view;
mod viewer;

pub use about::{is_match, leaderboards, name_problem, standing, verified_replay};
pub use live_game::{LiveGame, start_of_fumen};
pub use live_match::LiveMatch;
pub use match_viewer::MatchViewer;
pub use tbp_bot::TbpBot;
pub use thinker::{Thinker, agents};
pub use tiny::Tiny;
pub use view::shapes;
pub use viewer::Viewer;

use wasm_bindgen::JsError;

/// An error of the engine as a JavaScript error.
fn error(reason: impl std::fmt::Display) -> JsError {
    JsError::new(&reason.to_string())
}
