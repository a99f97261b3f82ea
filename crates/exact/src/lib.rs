//! Optimal play on small boards, solved exactly.
//!
//! Pieces drop straight down onto a small board. A Markov chain draws each piece from the one before it. Full rows are
//! cleared, and a piece that reaches above the board loses. How many rows can a player expect, and where should each piece
//! go on each board? Dynamic programming over all reachable boards answers both:
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
//! - [`pieces`], [`game`] and [`chain`]: the game;
//! - [`boards`]: the reachable boards, numbered;
//! - [`model`]: one sweep of dynamic programming over all boards;
//! - [`solve`]: sweeps until the answer is exact enough, with a proven error bound;
//! - [`policy`], [`play`] and [`mod@file`]: the optimal decisions, games played with them, and files that store them;
//! - [`agents`]: the decisions of the players crate's agents, which can be evaluated just as exactly.

pub mod agents;
pub mod boards;
pub mod chain;
pub mod file;
pub mod game;
pub mod model;
pub mod pieces;
pub mod play;
pub mod policy;
pub mod solve;

pub use chain::Chain;
pub use game::SmallGame;
pub use model::Model;
pub use pieces::PieceSet;
pub use policy::Policy;
pub use tetrion_players::monitor::{Monitor, Stopped};
