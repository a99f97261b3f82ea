//! The Tetris Bot Protocol (TBP): our agents in other programs, and other programs' bots in our games.
//!
//! A host (the program with the game) and a bot exchange JSON objects, one a line. The specification is at
//! <https://github.com/tetris-bot-protocol/tbp-spec>. We support its extensions for randomizers and move information, and the
//! proposed one for garbage.
//!
//! | file | holds |
//! |---|---|
//! | `message.rs` | the messages, and pieces and moves as TBP writes them |
//! | `position.rs` | the engine's position as a `start` message, and back |
//! | `bot.rs` | [`Bot`]: our side if we are the bot, without the thinking |
//! | `resolve.rs` | [`resolve`]: which of the suggested moves is played, and with which spin |
//! | `host.rs` | [`Host`]: our side if we run the game, and how a bot behaved |
//! | `process.rs` | a bot in a process of its own |
//! | `lines.rs` | reading lines up to a length |
//!
//! The host's side reads the clock, and a process needs threads; everything else is free of both and also builds for the page.

mod bot;
#[cfg(not(target_family = "wasm"))]
mod host;
mod lines;
mod message;
mod position;
#[cfg(not(target_family = "wasm"))]
mod process;
mod resolve;

pub use bot::{BadMessage, Bot, Step};
#[cfg(not(target_family = "wasm"))]
pub use host::{Conduct, Fault, Host, Suggestion, Transport};
pub use lines::{Line, excerpt, read_line};
pub use message::{
    BotMessage, Cell, HostMessage, Info, MoveInfo, RandomizerState, Row, Rules, Start, TbpLocation, TbpMove,
};
#[cfg(not(target_family = "wasm"))]
pub use process::{Process, ProcessLimits, kill_all};
pub use resolve::{NoLegalMove, Resolved, resolve};
