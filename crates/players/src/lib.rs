//! Who plays: features of boards, evaluators, searches, and the agents made of them.
//!
//! ```
//! use tetrion_engine::game::Game;
//! use tetrion_engine::ruleset::{Mode, Ruleset};
//! use tetrion_players::catalogue;
//! use tetrion_players::play::{PlayOptions, play_game};
//!
//! let mut game = Game::new(Ruleset::for_agents(Mode::Sprint), 1)?;
//! let mut agent = catalogue::find("lee")?.agent(1);
//! let result = play_game(&mut game, agent.as_mut(), &mut PlayOptions::default())?;
//! assert_eq!(result.lines, 40);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! From the bottom up:
//! - [`features`] and [`afterstate`]: what can be seen in a placement and the board that it leaves;
//! - [`evaluator`]: how good that is;
//! - [`search`]: how far to look: greedy, lookahead, beam, expectimax;
//! - [`agent`]: what an agent is; [`agent_file`]: one as a small file of weights and search settings;
//! - [`catalogue`]: the agents that have a name;
//! - [`sprint`]: forty lines in one hundred pieces, over [`field`], the lowest rows in one number;
//! - [`finesse`]: forty lines with the fewest keys;
//! - [`perfect`]: the solver of perfect clears, over [`field`] too;
//! - [`play`]: the loop in which agents play games, watched by observers; [`monitor`]: progress, and a way to stop;
//! - [`classic`]: the kernel for Classic games, which plays many at once for a linear agent that looks at one piece.

pub mod afterstate;
pub mod agent;
pub mod agent_file;
pub mod catalogue;
pub mod classic;
pub mod evaluator;
pub mod features;
pub mod field;
pub mod finesse;
pub mod monitor;
pub mod perfect;
pub mod play;
mod random;
pub mod search;
pub mod sprint;

pub use agent::Agent;
pub use finesse::FinesseAgent;
pub use random::RandomAgent;
