//! Guideline Tetris: one engine for the page, the agents, the trainer and the bots.
//!
//! ```
//! use tetrion_engine::game::{Game, Move};
//! use tetrion_engine::ruleset::{Mode, Ruleset};
//!
//! // The same rules and seed give the same game everywhere.
//! let mut game = Game::new(Ruleset::new(Mode::Sprint), 1)?;
//! let placements = game.placements(game.current());
//! let placement = placements.iter().next().expect("a piece can always be placed on an empty board");
//! let record = game.play(Move { hold: false, placement })?;
//! assert_eq!((record.number, record.lines), (1, 0));
//! assert_eq!(game.board().filled_cells(), 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Each module is named after one noun. From the bottom up:
//! - [`piece`], [`board`], [`location`] and [`rotation`]: tetrominoes, cells, where a piece is and how it turns;
//! - [`moves`]: every placement that a piece can reach, and the fewest keys to it; [`perft`] counts them;
//! - [`randomizer`], [`scoring`] and [`ruleset`]: which pieces come, what a placement scores, and what ends a game;
//! - [`game`]: all of that together, one placement at a time. [`position`] is what a player sees, [`record`] is what each
//!   placement and the whole game led to, [`history`] is undo and redo, and [`picture`] keeps the colours;
//! - [`opening`]: a game that starts from the middle; [`compact`]: small boards, each in one integer;
//! - [`clock`]: the game in real time, for people; [`versus`]: two players and the garbage between them;
//! - [`replay`]: a game in a file; [`words`]: numbers in sentences.
//!
//! The engine reads no clock, no file and no environment variable, and starts no thread. Generating moves and playing a
//! placement allocate nothing, except for a hold without previews, which looks ahead in a copy of the randomizer.

pub mod board;
pub mod clock;
pub mod compact;
pub mod game;
pub mod history;
pub mod location;
pub mod moves;
pub mod opening;
pub mod perft;
pub mod picture;
pub mod piece;
pub mod position;
pub mod randomizer;
pub mod record;
pub mod replay;
pub mod rotation;
pub mod ruleset;
pub mod scoring;
pub mod versus;
pub mod words;
