//! The `Agent` trait: an agent chooses moves, may explain them, and says what it can do.

use crate::crew::Crew;
use crate::evaluator::Term;
use crate::monitor::StopSignal;
use std::sync::Arc;
use tetrion_engine::game::{Game, Move};
use tetrion_engine::position::{Position, View};
use tetrion_engine::ruleset::Mode;

/// Chooses moves from what a player can see.
pub trait Agent {
    /// Chooses the next move; `None` only if there is none.
    fn choose(&mut self, view: &View) -> Option<Move>;

    /// The moves considered, best first, from one search and without reasons: the first is the choice. Empty only if there is no
    /// move.
    fn rank(&mut self, view: &View) -> Vec<Move> {
        self.choose(view).into_iter().collect()
    }

    /// Explains the choice: all moves considered, best first. `None` if the agent can't explain its moves.
    fn explain(&mut self, view: &View) -> Option<Explanation> {
        let _ = view;
        None
    }

    /// Shows the agent the other player's position, before each of its moves in versus. Most agents look only at their own.
    fn see_opponent(&mut self, opponent: &Position) {
        let _ = opponent;
    }

    /// Limits what the agent may spend on each move. Agents that do not [respect limits](Abilities::limits) ignore this.
    fn limit(&mut self, limits: Limits) {
        let _ = limits;
    }

    /// Lends the agent threads to search with. They change the time that a search takes, but not what it finds. Most agents search on
    /// the thread that asks them.
    fn work_with(&mut self, crew: Arc<dyn Crew>) {
        let _ = crew;
    }

    /// What the agent can do.
    fn abilities(&self) -> Abilities {
        Abilities::default()
    }

    /// Placements judged so far, in all searches. `None` if the agent does not count them.
    fn nodes(&self) -> Option<u64> {
        None
    }

    /// Chooses the next move of a game; `None` if the game is over.
    fn next_move(&mut self, game: &Game) -> Option<Move> {
        self.choose(&game.view()?)
    }
}

/// What an agent can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Abilities {
    /// The modes that it was made for. It makes legal moves in the other modes too.
    pub modes: &'static [Mode],
    /// Whether it respects [`Limits`].
    pub limits: bool,
    /// Whether it uses as many nodes as it may: more of them make it stronger.
    pub scales: bool,
    /// Whether it searches on [several threads](Agent::work_with).
    pub threads: bool,
    /// Whether it explains its moves.
    pub explains: bool,
}

impl Default for Abilities {
    /// Every mode, no limits, no explanations.
    fn default() -> Abilities {
        Abilities { modes: &Mode::ALL, limits: false, scales: false, threads: false, explains: false }
    }
}

/// What an agent may spend on a move.
#[derive(Clone, Default)]
pub struct Limits {
    /// Placements to evaluate, at most. The same number always gives the same move.
    pub nodes: Option<u64>,
    /// Checked now and then. Once it is raised, the agent plays the best move so far. Agents have no clock of their own.
    pub stop: Option<Arc<dyn StopSignal>>,
}

impl Limits {
    /// These limits; where there is none, the earlier one.
    pub fn or(self, earlier: Limits) -> Limits {
        Limits { nodes: self.nodes.or(earlier.nodes), stop: self.stop.or(earlier.stop) }
    }
}

/// An agent's reasons for a move.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The moves that it considered, best first.
    pub moves: Vec<ConsideredMove>,
}

/// A move that an agent considered.
#[derive(Clone, Debug, PartialEq)]
pub struct ConsideredMove {
    /// The move.
    pub play: Move,
    /// The score of the best line found from it.
    pub score: f64,
    /// What the move itself contributes to the score.
    pub terms: Vec<Term>,
    /// The moves expected after it.
    pub line: Vec<Move>,
}

impl ConsideredMove {
    /// What the rest of the line contributes. Terms and rest add up to the score.
    pub fn rest(&self) -> f64 {
        self.score - self.terms.iter().map(Term::contribution).sum::<f64>()
    }
}
