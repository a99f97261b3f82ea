//! The agent for Blitz: the most points in 360 pieces.
//!
//! It looks for T-spins, tetrises and perfect clears with a beam search that counts real points (`search`). After the known
//! pieces, it draws continuations from the bag and follows the best first moves through each of them. At the end of a line, it
//! adds what the field is worth (`value`): its T-slots, its well, its flaws. The weights of these are in agent files. Any other
//! [`Judge`] can say it instead.
//!
//! | file | holds |
//! |---|---|
//! | `blitz/field.rs` | the lowest twelve rows of a board in one number |
//! | `blitz/value.rs` | what a field is worth |
//! | `blitz/slots.rs` | T-slots |
//! | `blitz/perfect_clear.rs` | tetrises that leave an empty board |
//! | `blitz/tables.rs`, `tables.toml` | the learned tables of the value |
//! | `blitz/learn.rs` | how the tables are learned |
//! | `blitz/layer.rs` | the best nodes after a number of pieces, each state once |
//! | `blitz/search.rs` | the search |
//! | `blitz/race.rs` | which first move does best over the same samples |

mod field;
mod layer;
pub mod learn;
mod perfect_clear;
mod race;
mod search;
mod slots;
mod subject;
mod tables;
mod value;

use crate::afterstate::{Afterstate, Judged, PlacementContext};
use crate::agent::{Abilities, Agent, ConsideredMove, Explanation, Limits};
use crate::catalogue;
use crate::evaluator::Term;
use crate::features::Feature;
use search::{FirstMove, Search, SearchShape};
use tetrion_engine::game::Move;
use tetrion_engine::position::View;
use tetrion_engine::ruleset::Mode;

pub use layer::SieveCounts;
pub use tables::Tables;
pub use value::{Arrival, Aspect, ENTRIES, Judge, Outlook, UnknownAspect, Value, Weights};

/// The agent for Blitz.
pub struct BlitzAgent {
    judge: Box<dyn Judge>,
    /// How it searches, unless there are other limits.
    shape: SearchShape,
    limits: Limits,
    search: Search,
    /// Plays what this agent can't: other boards, a stack that is too high.
    fallback: Option<Box<dyn Agent + Send>>,
}

/// With a time limit alone, the agent searches again with this many times as many nodes until time is up.
const GROWTH: u64 = 8;
/// And starts with this many.
const FIRST_NODES: u64 = 10_000;
/// And ends with this many: the end of a game does not need more.
const MOST_NODES: u64 = 100_000_000;

impl BlitzAgent {
    /// An agent that judges this many placements for a move, if it has no other limits.
    pub fn new(weights: &Weights, nodes: u64) -> BlitzAgent {
        BlitzAgent::with_judge(Value::new(Tables::learned(), weights), nodes)
    }

    /// An agent that plays by what this judge says that fields are worth.
    pub fn with_judge(judge: impl Judge + 'static, nodes: u64) -> BlitzAgent {
        BlitzAgent {
            judge: Box::new(judge),
            shape: SearchShape::for_nodes(nodes),
            limits: Limits::default(),
            search: Search::default(),
            fallback: None,
        }
    }

    /// What became of the placements after the first moves, in all searches so far.
    pub fn sieve_counts(&self) -> SieveCounts {
        self.search.sieve_counts()
    }

    /// The first moves, best first.
    fn search(&mut self, view: &View, with_lines: bool) -> Vec<FirstMove> {
        let stop = self.limits.stop.as_deref();
        let mut run = |shape: &SearchShape| self.search.run(view, &*self.judge, shape, stop, with_lines);
        match (self.limits.nodes, stop) {
            (Some(nodes), _) => return run(&SearchShape::for_nodes(nodes)).moves,
            (None, None) => return run(&self.shape).moves,
            (None, Some(_)) => {}
        }
        let mut nodes = FIRST_NODES;
        let mut found = run(&SearchShape::for_nodes(nodes));
        while found.is_complete && nodes < MOST_NODES {
            nodes *= GROWTH;
            let deeper = run(&SearchShape::for_nodes(nodes));
            if !deeper.is_complete {
                break;
            }
            found = deeper;
        }
        found.moves
    }

    /// The move of another agent.
    fn fall_back(&mut self, view: &View) -> Option<Move> {
        let capstone = || catalogue::find("capstone").map(|entry| entry.agent(0)).ok();
        self.fallback = self.fallback.take().or_else(capstone);
        self.fallback.as_mut()?.choose(view)
    }
}

impl Agent for BlitzAgent {
    fn choose(&mut self, view: &View) -> Option<Move> {
        self.rank(view).first().copied()
    }

    fn rank(&mut self, view: &View) -> Vec<Move> {
        let moves: Vec<Move> = self.search(view, false).into_iter().map(|first| first.play).collect();
        if moves.is_empty() { self.fall_back(view).into_iter().collect() } else { moves }
    }

    fn explain(&mut self, view: &View) -> Option<Explanation> {
        let context = PlacementContext::of(view);
        let moves = self.search(view, true).into_iter().map(|first| {
            let after = Afterstate::new(context, first.play.placement, Judged::AfterClearing, view.rules);
            let points = Term {
                brief: Feature::Points.brief(),
                cells: after.map_or_else(Vec::new, |after| Feature::Points.cells(&after)),
                ..Term::new(Feature::Points.name(), first.points.into(), 1.0)
            };
            let mut terms = self.judge.terms(&first.outlook);
            for (_, y) in terms.iter_mut().flat_map(|term| &mut term.cells) {
                *y = after.map_or(*y, |after| after.row_before_clearing(*y));
            }
            terms.insert(0, points);
            ConsideredMove { play: first.play, score: first.expected, terms, line: first.line }
        });
        Some(Explanation { moves: moves.collect() })
    }

    fn limit(&mut self, limits: Limits) {
        self.limits = limits.or(std::mem::take(&mut self.limits));
    }

    fn nodes(&self) -> Option<u64> {
        Some(self.search.nodes)
    }

    fn abilities(&self) -> Abilities {
        Abilities { modes: &[Mode::Blitz], limits: true, scales: true, explains: true }
    }
}
