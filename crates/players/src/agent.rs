//! What an agent is: it chooses moves, may explain them, and says what it can do.

use crate::evaluator::Term;
use crate::monitor::StopSignal;
use std::sync::Arc;
use tetrion_engine::game::{Game, Move};
use tetrion_engine::position::View;
use tetrion_engine::ruleset::Mode;

/// Chooses moves, knowing what a player knows.
pub trait Agent {
    /// The next move; `None` only if there is none.
    fn choose(&mut self, view: &View) -> Option<Move>;

    /// Why: all moves that were considered, best first. `None` if the agent has no reasons.
    fn explain(&mut self, view: &View) -> Option<Explanation> {
        let _ = view;
        None
    }

    /// Sets what it may spend on each move. Only the limits that it [respects](Abilities) have an effect.
    fn limit(&mut self, limits: Limits) {
        let _ = limits;
    }

    /// What it can do.
    fn abilities(&self) -> Abilities {
        Abilities::default()
    }

    /// The next move of a game; `None` if the game is over.
    fn next_move(&mut self, game: &Game) -> Option<Move> {
        self.choose(&game.view()?)
    }
}

/// What an agent says about itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Abilities {
    /// The modes that it was made for. It makes legal moves in the others too.
    pub modes: &'static [Mode],
    /// Whether it keeps to a number of nodes, and to a time.
    pub limits: bool,
    /// Whether it explains its moves.
    pub explains: bool,
}

impl Default for Abilities {
    /// Every mode, no limits, no explanations.
    fn default() -> Abilities {
        Abilities { modes: &Mode::ALL, limits: false, explains: false }
    }
}

/// What an agent may spend on a move.
#[derive(Clone, Default)]
pub struct Limits {
    /// Placements looked at. The same number always gives the same move.
    pub nodes: Option<u64>,
    /// Asked now and then; once it is raised, the best move so far counts. Agents have no clock of their own.
    pub stop: Option<Arc<dyn StopSignal>>,
}

/// What an agent thinks of a position.
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
    /// What the rest of the line contributes: with the terms, it adds up to the score.
    pub fn rest(&self) -> f64 {
        self.score - self.terms.iter().map(Term::contribution).sum::<f64>()
    }
}
