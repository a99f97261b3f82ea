//! A mind: a judge and a search, within limits. It is what the agents for Blitz and versus have in common.

use super::field::Cells;
use super::goal::Goal;
use super::layer::SieveCounts;
use super::search::{FirstMove, Search, SearchShape};
use super::value::Judge;
use crate::afterstate::{Afterstate, Judged, PlacementContext};
use crate::agent::{ConsideredMove, Explanation, Limits};
use crate::crew::Crew;
use crate::evaluator::Term;
use std::sync::Arc;
use tetrion_engine::game::Move;
use tetrion_engine::position::View;

/// Searches for the best moves.
pub struct Mind<C: Cells> {
    judge: Box<dyn Judge<C>>,
    /// How it searches, unless there are other limits.
    shape: SearchShape,
    limits: Limits,
    search: Search<C>,
    /// With a time limit alone: the placements that it expects to have time for.
    affordable: u64,
}

/// With a time limit alone, the first search judges this many placements.
const FIRST_NODES: u64 = 10_000;
/// The second one judges this many, as long as nothing is known about the time that there is.
const SECOND_NODES: u64 = 60_000;
/// And no search more than this: the end of a game does not need more.
const MOST_NODES: u64 = 100_000_000;

impl<C: Cells> Mind<C> {
    /// A mind that judges this many placements for a move, if it has no other limits.
    pub fn new(judge: impl Judge<C> + 'static, nodes: u64) -> Mind<C> {
        Mind {
            judge: Box::new(judge),
            shape: SearchShape::for_nodes(nodes),
            limits: Limits::default(),
            search: Search::default(),
            affordable: SECOND_NODES,
        }
    }

    /// What became of the placements after the first moves, in all searches so far.
    pub fn sieve_counts(&self) -> SieveCounts {
        self.search.sieve_counts()
    }

    /// Placements judged so far, in all searches.
    pub fn nodes(&self) -> u64 {
        self.search.nodes
    }

    /// Adds limits.
    pub fn limit(&mut self, limits: Limits) {
        self.limits = limits.or(std::mem::take(&mut self.limits));
    }

    /// Searches with these threads from now on.
    pub fn work_with(&mut self, crew: Arc<dyn Crew>) {
        self.search.crew = crew;
    }

    /// The first moves, best first.
    fn search(&mut self, view: &View, goal: &Goal, with_lines: bool) -> Vec<FirstMove<C>> {
        let stop = self.limits.stop.as_deref();
        // The same number of nodes gives the same move, whatever came before.
        self.search.keeps_lines = self.limits.nodes.is_none() && stop.is_some();
        let mut run = |shape: &SearchShape| {
            let before = self.search.nodes;
            let found = self.search.run(view, &*self.judge, goal, shape, stop, with_lines);
            (found, self.search.nodes - before)
        };
        match (self.limits.nodes, stop) {
            (Some(nodes), _) => return run(&SearchShape::for_nodes(nodes)).0.moves,
            (None, None) => return run(&self.shape).0.moves,
            (None, Some(_)) => {}
        }
        // A quick search, so that there is an answer. Then one that lasts as long as the last time, and if time is left, a longer one.
        let (mut found, _) = run(&SearchShape::for_nodes(FIRST_NODES));
        let mut nodes = self.affordable;
        let mut spent = 0;
        while found.is_complete && nodes <= MOST_NODES {
            let (deeper, judged) = run(&SearchShape::for_nodes(nodes));
            spent += judged;
            if stop.is_some_and(crate::monitor::StopSignal::is_raised) {
                self.affordable = spent.max(SECOND_NODES);
            }
            if !deeper.is_complete {
                break;
            }
            found = deeper;
            nodes *= 2;
        }
        found.moves
    }

    /// The moves that are worth considering, best first. None if the stack is too high or the board has another width.
    pub fn rank(&mut self, view: &View, goal: &Goal) -> Vec<Move> {
        self.search(view, goal, false).into_iter().map(|first| first.play).collect()
    }

    /// The same, with reasons. `earned` makes the term of what a move earns, from its afterstate.
    pub fn explain(
        &mut self,
        view: &View,
        goal: &Goal,
        earned: impl Fn(f64, Option<&Afterstate>) -> Term,
    ) -> Explanation {
        let context = PlacementContext::of(view);
        let moves = self.search(view, goal, true).into_iter().map(|first| {
            let after = Afterstate::new(context, first.play.placement, Judged::AfterClearing, view.rules);
            let mut terms = self.judge.terms(&first.outlook);
            for (_, y) in terms.iter_mut().flat_map(|term| &mut term.cells) {
                *y = after.map_or(*y, |after| after.row_before_clearing(*y));
            }
            terms.insert(0, earned(first.points.into(), after.as_ref()));
            ConsideredMove { play: first.play, score: first.expected, terms, line: first.line }
        });
        Explanation { moves: moves.collect() }
    }
}
