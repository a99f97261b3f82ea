//! What is provably best on small boards.
//!
//! Pieces drop straight onto a board of few cells, each drawn by a Markov chain from the one before it; rows that are full
//! are cleared, and a piece that reaches above the board loses. How many rows can be expected, and what should be done with
//! each piece on each board? Dynamic programming over all boards that can come up answers both, exactly:
//!
//! ```
//! use tetrion_exact::{Chain, Model, Monitor, PieceSet, SmallGame, solve};
//!
//! let game = SmallGame::new(PieceSet::classic(), 4, 4)?;
//! let monitor = Monitor::default();
//! let model = Model::new(game, Chain::uniform(7), &monitor)?;
//! let (mut values, mut decisions) = (Vec::new(), Vec::new());
//! let expected = solve::until_loss(&model, 1e-6, &mut values, &mut decisions, &monitor, |_| {})?;
//! assert!((expected.mean() - 7.0669).abs() < 1e-4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! From the bottom up:
//! - [`pieces`], [`game`] and [`chain`]: what is played;
//! - [`boards`]: the boards that can come up, numbered;
//! - [`model`]: one step of dynamic programming over all of them;
//! - [`solve`]: as many steps as a question takes, and how far off the answer can be;
//! - [`policy`], [`play`] and [`mod@file`]: the decisions, games played by them, and files of them;
//! - [`agents`]: what the agents of the players crate decide, so that they can be judged as exactly.

pub mod agents;
pub mod boards;
pub mod chain;
pub mod file;
pub mod game;
pub mod model;
pub mod monitor;
pub mod pieces;
pub mod play;
pub mod policy;
pub mod solve;

pub use chain::Chain;
pub use game::SmallGame;
pub use model::Model;
pub use monitor::{Monitor, Stopped};
pub use pieces::PieceSet;
pub use policy::Policy;
