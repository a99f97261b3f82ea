//! The engine and the players in the browser.
//!
//! Nothing here knows a rule: it turns calls of the page into calls of the engine and the agents, and their results into
//! JavaScript objects. Each type that crosses is declared once, in Rust; the page's TypeScript is generated from it.
//!
//! | file | holds |
//! |---|---|
//! | `live_game.rs` | a game under way: by keys in time, by an agent's moves, or both |
//! | `course.rs` | what sessions and replays share: a game with time or without, and what was placed in it |
//! | `view.rs` | what the page draws |
//! | `thinker.rs` | an agent: its moves and its reasons |
//! | `viewer.rs` | a replay at any time of it |
//! | `about.rs` | what a replay says of itself, and whether its game counts on a leaderboard |
//! | `tiny.rs` | the 3×3 game, with what each move is worth |

mod about;
mod course;
mod live_game;
mod thinker;
mod tiny;
mod view;
mod viewer;

pub use about::{leaderboards, name_problem, standing};
pub use live_game::{LiveGame, start_of_fumen};
pub use thinker::{Thinker, agents};
pub use tiny::Tiny;
pub use view::shapes;
pub use viewer::Viewer;

use wasm_bindgen::JsError;

/// An error of the engine as a JavaScript error.
fn error(reason: impl std::fmt::Display) -> JsError {
    JsError::new(&reason.to_string())
}
