//! Who plays: features of boards, evaluators, searches, and the agents made of them.
//!
//! ```
//! use tetrion_engine::game::Game;
//! use tetrion_engine::ruleset::{Mode, Ruleset};
//! use tetrion_players::catalogue;
//!
//! let mut game = Game::new(Ruleset::for_agents(Mode::Sprint), 1)?;
//! let mut agent = catalogue::find("lee")?.agent(1);
//! while let Some(play) = agent.next_move(&game) {
//!     game.play(play)?;
//! }
//! assert_eq!(game.lines(), 40);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! From the bottom up:
//! - [`features`] and [`afterstate`]: what can be seen in a placement and the board that it leaves;
//! - [`evaluator`]: how good that is;
//! - [`search`]: how far to look: greedy, lookahead, beam, expectimax;
//! - [`agent_file`]: an agent as a small file of weights and search settings;
//! - [`catalogue`]: the agents that have a name;
//! - [`sprint`]: forty lines in one hundred pieces, over [`field`], the lowest rows in one number;
//! - [`finesse`]: forty lines with the fewest keys;
//! - [`perfect`]: the solver of perfect clears, over [`field`] too;
//! - [`classic`]: many Classic games at once, for a linear agent that looks at one piece.

pub mod afterstate;
pub mod agent_file;
pub mod catalogue;
pub mod classic;
pub mod evaluator;
pub mod features;
pub mod field;
pub mod finesse;
pub mod perfect;
mod random;
pub mod search;
pub mod sprint;

pub use finesse::FinesseAgent;
pub use random::RandomAgent;

use evaluator::Part;
use search::{Budget, TimeLeft};
use tetrion_engine::game::{Game, Move};
use tetrion_engine::position::View;

/// Chooses moves, knowing what a player knows.
pub trait Agent {
    /// The next move; nothing only if there is none.
    fn choose(&mut self, view: &View) -> Option<Move>;

    /// Why: all moves that were considered, best first. Nothing if the agent has no reasons.
    fn explain(&mut self, view: &View) -> Option<Explanation> {
        let _ = view;
        None
    }

    /// The next move of a game; nothing if it is over.
    fn next_move(&mut self, game: &Game) -> Option<Move> {
        self.choose(&game.view()?)
    }

    /// The reasons for it.
    fn explain_next_move(&mut self, game: &Game) -> Option<Explanation> {
        self.explain(&game.view()?)
    }

    /// Limits what it does for each move, if it can be limited: the placements looked at, and the time. What is not given
    /// stays as it is.
    fn limit(&mut self, budget: Option<Budget>, time_left: Option<TimeLeft>) {
        let _ = (budget, time_left);
    }
}

/// What an agent thinks of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The moves that it considered, best first.
    pub candidates: Vec<Candidate>,
}

/// A move that an agent considered.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The move.
    pub play: Move,
    /// The score of the best line found from it.
    pub score: f64,
    /// What is seen after the move itself. With one ply, value times weight adds up to the score.
    pub parts: Vec<Part>,
    /// The moves that are expected after it.
    pub line: Vec<Move>,
}
