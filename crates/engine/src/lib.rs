//! Guideline Tetris: what a game is, told once for the page, the agents, the trainer and the bots.
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
//! One noun a module. From the bottom up:
//! - [`piece`], [`board`], [`location`] and [`rotation`]: tetrominoes, cells, where a piece is and how it turns;
//! - [`moves`]: every placement that a piece can reach, and the fewest keys to it; [`perft`] counts them;
//! - [`randomizer`], [`scoring`] and [`ruleset`]: which pieces come, what a placement is worth, and what ends a game;
//! - [`game`]: all of that together, one placement at a time; [`position`] is what a player sees of it, [`record`] what happened
//!   at each placement and what came of the game, [`history`] takes moves back, [`picture`] knows the colours;
//! - [`clock`]: the same in real time, for people;
//! - [`replay`]: a game in a file, to be played again; [`words`]: numbers in sentences.
//!
//! Nothing here reads a clock, a file or the environment, and no thread is started. Move generation and playing a placement
//! allocate nothing (but for a hold when no next piece is seen, which looks ahead in a copy of the randomizer).

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
pub mod words;
