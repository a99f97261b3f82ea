//! The agents, and what they are made of: features, evaluators and searches.
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
//! - [`afterstate`]: a placement and the board that it leaves; [`features`]: numbers that describe them;
//! - [`evaluator`]: scores an afterstate;
//! - [`search`]: greedy, lookahead, beam and expectimax;
//! - [`agent`]: the `Agent` trait; [`agent_file`]: an agent as a small file of weights and search settings;
//! - [`catalogue`]: the built-in agents, by name;
//! - [`field`]: the lowest six rows of a board in one 64-bit number, for fast searches;
//! - [`blitz`]: the agent for the most points in 360 pieces;
//! - [`versus`]: the agent that sends lines to another player;
//! - [`sprint`]: the agent that clears 40 lines in 100 pieces;
//! - [`finesse`]: the agent that clears 40 lines with the fewest keys;
//! - [`perfect`]: the perfect clear solver;
//! - [`play`]: the loop in which agents play games, with observers; [`monitor`]: progress and cancellation; [`crew`]: threads on loan;
//! - [`typist`]: an agent's game with the keys and the times of a person;
//! - [`classic`]: the kernel for Classic games, which plays many games at once with a linear one-piece controller.

pub mod afterstate;
pub mod agent;
pub mod agent_file;
pub mod blitz;
pub mod catalogue;
pub mod classic;
pub mod crew;
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
pub mod subject;
pub mod typist;
pub mod versus;

pub use agent::Agent;
pub use blitz::BlitzAgent;
pub use finesse::FinesseAgent;
pub use random::RandomAgent;
pub use versus::VersusAgent;
