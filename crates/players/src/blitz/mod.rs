//! The agent for Blitz: the most points in 360 pieces.
//!
//! It looks for T-spins, tetrises and perfect clears with a beam search that counts real points (`search`). After the known
//! pieces, it draws continuations from the bag and follows the best first moves through each of them. At the end of a line, it
//! adds what the field is worth (`value`): its T-slots, its well, its flaws. The weights of these are in agent files. Any other
//! [`Judge`] can say it instead.
//!
//! | file | holds |
//! |---|---|
//! | `blitz/field.rs` | the lowest rows of a board in one number |
//! | `blitz/goal.rs` | what a search plays for |
//! | `blitz/value.rs` | what a field is worth |
//! | `blitz/slots.rs` | T-slots |
//! | `blitz/perfect_clear.rs` | tetrises that leave an empty board |
//! | `blitz/tables.rs`, `tables.toml` | the learned tables of the value |
//! | `blitz/learn.rs` | how the tables are learned |
//! | `blitz/layer.rs` | the best nodes after a number of pieces, each state once |
//! | `blitz/search.rs` | the search |
//! | `blitz/sampling.rs` | sampled continuations of the best first moves, on any number of threads |
//! | `blitz/race.rs` | which first move does best over the same samples |
//! | `blitz/kept.rs` | what a search leaves for the next one |
//! | `blitz/mind.rs` | a judge and a search, within limits |

pub(crate) mod field;
pub(crate) mod goal;
mod kept;
pub(crate) mod layer;
pub mod learn;
pub(crate) mod mind;
mod perfect_clear;
mod race;
mod sampling;
pub(crate) mod search;
mod slots;
mod subject;
mod tables;
mod value;

use crate::afterstate::Afterstate;
use crate::agent::{Abilities, Agent, Explanation, Limits};
use crate::catalogue;
use crate::crew::Crew;
use crate::evaluator::Term;
use crate::features::Feature;
use std::sync::Arc;
use tetrion_engine::game::Move;
use tetrion_engine::position::View;
use tetrion_engine::ruleset::Mode;

pub use field::Cells;
use goal::Goal;
pub use layer::{Incoming, SieveCounts};
use mind::Mind;
pub use tables::Tables;
pub use value::{Arrival, Aspect, ENTRIES, Judge, Outlook, UnknownAspect, Value, Weights};

/// The agent for Blitz.
pub struct BlitzAgent {
    mind: Mind<u128>,
    /// Plays what this agent can't: other boards, a stack that is too high.
    fallback: Fallback,
}

impl BlitzAgent {
    /// An agent that judges this many placements for a move, if it has no other limits.
    pub fn new(weights: &Weights, nodes: u64) -> BlitzAgent {
        BlitzAgent::with_judge(Value::new(Tables::learned(), weights), nodes)
    }

    /// An agent that plays by what this judge says that fields are worth.
    pub fn with_judge(judge: impl Judge<u128> + 'static, nodes: u64) -> BlitzAgent {
        BlitzAgent { mind: Mind::new(judge, nodes), fallback: Fallback::default() }
    }

    /// What became of the placements after the first moves, in all searches so far.
    pub fn sieve_counts(&self) -> SieveCounts {
        self.mind.sieve_counts()
    }
}

impl Agent for BlitzAgent {
    fn choose(&mut self, view: &View) -> Option<Move> {
        self.rank(view).first().copied()
    }

    fn rank(&mut self, view: &View) -> Vec<Move> {
        let moves = self.mind.rank(view, &Goal::points(view.rules));
        if moves.is_empty() { self.fallback.choose(view).into_iter().collect() } else { moves }
    }

    fn explain(&mut self, view: &View) -> Option<Explanation> {
        let points = |points, after: Option<&Afterstate>| Term {
            brief: Feature::Points.brief(),
            cells: after.map_or_else(Vec::new, |after| Feature::Points.cells(after)),
            ..Term::new(Feature::Points.name(), points, 1.0)
        };
        Some(self.mind.explain(view, &Goal::points(view.rules), points))
    }

    fn limit(&mut self, limits: Limits) {
        self.mind.limit(limits);
    }

    fn work_with(&mut self, crew: Arc<dyn Crew>) {
        self.mind.work_with(crew);
    }

    fn nodes(&self) -> Option<u64> {
        Some(self.mind.nodes())
    }

    fn abilities(&self) -> Abilities {
        Abilities { modes: &[Mode::Blitz], limits: true, scales: true, threads: true, explains: true }
    }
}

/// Plays where fields can't: other boards, a stack that is too high.
#[derive(Default)]
pub(crate) struct Fallback(Option<Box<dyn Agent + Send>>);

impl Fallback {
    /// Its move.
    pub fn choose(&mut self, view: &View) -> Option<Move> {
        let capstone = || catalogue::find("capstone").map(|entry| entry.agent(0)).ok();
        self.0 = self.0.take().or_else(capstone);
        self.0.as_mut()?.choose(view)
    }
}
