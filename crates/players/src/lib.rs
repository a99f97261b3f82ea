//! Who plays: agents that look at a game and choose the next move.
//!
//! ```
//! use tetrion_engine::game::Game;
//! use tetrion_engine::ruleset::{Mode, Ruleset};
//! use tetrion_players::{Agent, named};
//!
//! let mut game = Game::new(Ruleset::for_agents(Mode::Sprint), 1)?;
//! let mut agent = named("random", 1)?;
//! while let Some(play) = agent.choose(&game) {
//!     game.play(play)?;
//! }
//! assert!(game.outcome().is_some());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod random;

pub use random::RandomAgent;

use tetrion_engine::game::{Game, Move};

/// Chooses moves. An agent sees of the game what a player sees: the public side of [`Game`].
pub trait Agent {
    /// The next move; nothing if the game is over.
    fn choose(&mut self, game: &Game) -> Option<Move>;
}

/// A name that is no agent's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no agent '{0}': choose {list}", list = NAMES.join(", "))]
pub struct UnknownAgent(pub String);

/// The names of all agents.
pub const NAMES: [&str; 1] = ["random"];

/// The agent with that name, for one game: what it leaves to chance depends on the seed alone.
pub fn named(name: &str, seed: u64) -> Result<Box<dyn Agent>, UnknownAgent> {
    match name {
        "random" => Ok(Box::new(RandomAgent::new(seed))),
        _ => Err(UnknownAgent(name.to_owned())),
    }
}
