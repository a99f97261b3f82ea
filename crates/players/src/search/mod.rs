//! Searches: lookahead, expectimax and beam search over any evaluator.
//!
//! | file | holds |
//! |---|---|
//! | `search/mod.rs` | [`Searcher`], the agent made of an evaluator and a search plan |
//! | `search/choices.rs` | which pieces can be placed next: hold and queue |
//! | `search/reach.rs` | which placements are considered |
//! | `search/lookahead.rs` | all lines of a given length, and the average over the next unseen piece |
//! | `search/beam.rs` | the beam, which keeps the best nodes after each piece |

pub mod beam;
pub mod choices;
mod lookahead;
mod reach;

pub use reach::Reach;

use crate::afterstate::{Afterstate, PlacementContext};
use crate::agent::{Abilities, Agent, ConsideredMove, Explanation, Limits};
use crate::evaluator::{Evaluator, Term};
use crate::monitor::StopSignal;
use beam::{Beam, BeamNode};
use choices::{Choice, choices};
use std::cmp::Ordering;
use tetrion_engine::board::Board;
use tetrion_engine::game::Move;
use tetrion_engine::piece::Piece;
use tetrion_engine::position::View;
use tetrion_engine::ruleset::Ruleset;
use tetrion_engine::scoring::Streak;

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchPlan {
    /// All lines of `plies` placements of the visible pieces. One ply is greedy.
    Lookahead {
        /// Placements in a line.
        plies: usize,
    },
    /// A lookahead, followed by the average over the possible next pieces, each in its best placement.
    Expectimax {
        /// Placements in a line, before the unseen piece.
        plies: usize,
        /// How many first moves to search this deeply: the best by the first placement alone.
        roots: usize,
    },
    /// Keeps the best boards after each piece, over all visible pieces.
    Beam {
        /// How many boards to keep.
        width: usize,
    },
}

/// A position in a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct SearchNode {
    board: Board,
    hold: Option<Piece>,
    /// The index of the next piece among the known ones.
    next: usize,
    /// The current back-to-back and combo; none if the evaluator does not depend on it.
    streak: Streak,
    /// Pieces left to place, in games with a piece limit.
    pieces_left: Option<u32>,
}

impl SearchNode {
    fn before(&self) -> PlacementContext<'_> {
        PlacementContext { board: &self.board, streak: self.streak, pieces_left: self.pieces_left }
    }
}

/// What all nodes of a search share.
struct SearchContext<'g> {
    rules: &'g Ruleset,
    /// The current piece, then the previews.
    known: Vec<Piece>,
    /// The pieces that may come after the known ones.
    unseen: Vec<Piece>,
    /// Whether to use hold at all, and whether the first move can use it.
    hold: bool,
    hold_now: bool,
    /// Whether positions with different back-to-back or combo are different nodes.
    streaks: bool,
    reach: Reach,
}

impl SearchContext<'_> {
    /// Calls `visit` with every move from a node that does not lose at once: the choice of the piece, and the result of its
    /// placement.
    #[inline]
    fn for_each_move<E: Evaluator>(
        &self,
        node: &SearchNode,
        evaluator: &E,
        mut visit: impl FnMut(Choice, &Afterstate),
    ) {
        let may_hold = self.hold && (node.next > 0 || self.hold_now);
        for choice in choices(&self.known, node.next, node.hold, may_hold) {
            for placement in self.reach.placements(&node.board, choice.piece, self.rules).iter() {
                let after = Afterstate::new(node.before(), placement, evaluator.judged(), self.rules);
                if let Some(after) = after {
                    visit(choice, &after);
                }
            }
        }
    }

    /// The node that a move leads to.
    #[inline]
    fn child(&self, choice: Choice, after: &Afterstate) -> SearchNode {
        SearchNode {
            board: after.board,
            hold: choice.held,
            next: choice.next,
            streak: if self.streaks { after.streak() } else { Streak::default() },
            pieces_left: after.pieces_left,
        }
    }
}

/// A first move, with the score of the best line found from it.
#[derive(Clone, Debug)]
struct ScoredMove {
    play: Move,
    score: f64,
    /// The expected moves after it. Only filled in for explanations.
    line: Vec<Move>,
}

/// A node of the beam: a position with the score of the line that leads to it.
#[derive(Clone, Copy)]
struct ScoredNode {
    node: SearchNode,
    /// The last move of that line; `None` at the root.
    play: Option<Move>,
    score: f64,
    /// What the placements so far contribute to the score.
    carried: f64,
}

impl BeamNode for ScoredNode {
    type Key = SearchNode;

    fn key(&self) -> SearchNode {
        self.node
    }

    fn rank(&self, other: &ScoredNode) -> Ordering {
        other.score.total_cmp(&self.score)
    }
}

/// An agent made of an evaluator and a search plan.
pub struct Searcher<E> {
    evaluator: E,
    plan: SearchPlan,
    reach: Reach,
    hold: bool,
    limits: Limits,
    beam: Beam<ScoredNode>,
}

impl<E: Evaluator> Searcher<E> {
    /// A searcher without limits.
    pub fn new(evaluator: E, plan: SearchPlan, reach: Reach, hold: bool) -> Searcher<E> {
        Searcher { evaluator, plan, reach, hold, limits: Limits::default(), beam: Beam::default() }
    }

    /// The best line of every first move, best first.
    fn search(&mut self, view: &View, with_lines: bool) -> Vec<ScoredMove> {
        let unseen = match view.bag {
            Some(bag) if !bag.is_empty() => bag.iter().collect(),
            _ => Piece::ALL.to_vec(),
        };
        let context = SearchContext {
            rules: view.rules,
            known: view.queue.clone(),
            unseen,
            hold: self.hold && view.rules.hold,
            hold_now: view.can_hold(),
            streaks: self.evaluator.sees_streaks(),
            reach: self.reach,
        };
        let root = SearchNode {
            board: view.board,
            hold: view.hold,
            next: 0,
            streak: view.streak,
            pieces_left: view.pieces_left(),
        };
        let mut budget = SearchBudget {
            left: self.limits.nodes.unwrap_or(u64::MAX),
            stop: self.limits.stop.as_deref(),
            exhausted: false,
        };
        let mut scored = match self.plan {
            SearchPlan::Lookahead { plies } => {
                lookahead::search(&context, &root, &self.evaluator, plies, with_lines, &mut budget)
            }
            SearchPlan::Expectimax { plies, roots } => {
                lookahead::expectimax(&context, &root, &self.evaluator, plies, roots, with_lines, &mut budget)
            }
            SearchPlan::Beam { width } => {
                search_beam(&mut self.beam, &context, root, &self.evaluator, width, &mut budget);
                best_lines(&self.beam, with_lines)
            }
        };
        // The sort is stable: moves with equal scores keep their order.
        scored.sort_by(|a, b| b.score.total_cmp(&a.score));
        scored
    }

    /// A move for when every move loses at once: any of them.
    fn last_resort(&self, view: &View) -> Option<Move> {
        let placements = view.placements(view.current());
        placements.iter().next().map(|placement| Move { hold: false, placement })
    }
}

/// Fills the layers of a beam, one per known piece, until the budget runs out.
fn search_beam<E: Evaluator>(
    beam: &mut Beam<ScoredNode>,
    context: &SearchContext,
    root: SearchNode,
    evaluator: &E,
    width: usize,
    budget: &mut SearchBudget,
) {
    beam.start([ScoredNode { node: root, play: None, score: 0.0, carried: 0.0 }]);
    for layer in 0..context.known.len() {
        let went_on = beam.advance(width, |from, found| {
            context.for_each_move(&from.node, evaluator, |choice, after| {
                if budget.spend() {
                    let score = evaluator.score(after, from.carried);
                    let carried = from.carried + evaluator.carry(after);
                    let (node, play) = (context.child(choice, after), Some(choice.play(after.placement)));
                    found(ScoredNode { node, play, score, carried });
                }
            });
            // However small the budget is, the first moves found so far count.
            layer == 0 || !budget.exhausted
        });
        if !went_on || budget.exhausted {
            break;
        }
    }
}

/// The first moves: those with a line in the last layer by the score of that line, then the others by their own score.
fn best_lines(beam: &Beam<ScoredNode>, with_lines: bool) -> Vec<ScoredMove> {
    let first = beam.first_moves();
    let last = if beam.depth() > 1 { beam.last() } else { &[] };
    // The last layer is sorted, so the first entry of a first move is its best.
    let mut best = vec![None; first.len()];
    for entry in last.iter().rev() {
        best[entry.root] = Some(entry);
    }
    // Scores of different layers can't be compared. First moves without a line go below the lowest line.
    let offset = match (last.last(), first.first()) {
        (Some(lowest), Some(highest)) => lowest.node.score - highest.node.score - 1.0,
        _ => 0.0,
    };
    let moves = |node: &ScoredNode| node.play;
    let scored = first.iter().zip(best).filter_map(|(entry, best)| {
        let score = best.map_or(entry.node.score + offset, |best| best.node.score);
        let line = match best {
            Some(best) if with_lines => beam.path(best).iter().skip(1).filter_map(moves).collect(),
            _ => Vec::new(),
        };
        Some(ScoredMove { play: entry.node.play?, score, line })
    });
    scored.collect()
}

impl<E: Evaluator> Agent for Searcher<E> {
    fn choose(&mut self, view: &View) -> Option<Move> {
        self.rank(view).first().copied()
    }

    fn rank(&mut self, view: &View) -> Vec<Move> {
        let moves: Vec<Move> = self.search(view, false).into_iter().map(|scored| scored.play).collect();
        if moves.is_empty() { self.last_resort(view).into_iter().collect() } else { moves }
    }

    fn explain(&mut self, view: &View) -> Option<Explanation> {
        let moves = self.search(view, true).into_iter().map(|scored| {
            let judged = self.evaluator.judged();
            let after =
                Afterstate::new(PlacementContext::of(view), scored.play.placement, judged, view.rules);
            let terms: Vec<Term> = after.map_or(Vec::new(), |after| self.evaluator.terms(&after));
            ConsideredMove { play: scored.play, score: scored.score, terms, line: scored.line }
        });
        Some(Explanation { moves: moves.collect() })
    }

    fn limit(&mut self, limits: Limits) {
        self.limits = limits.or(std::mem::take(&mut self.limits));
    }

    fn abilities(&self) -> Abilities {
        Abilities { limits: true, explains: true, ..Abilities::default() }
    }
}

/// What a search may still spend.
struct SearchBudget<'t> {
    left: u64,
    stop: Option<&'t dyn StopSignal>,
    exhausted: bool,
}

impl SearchBudget<'_> {
    /// Whether there is any limit.
    fn is_limited(&self) -> bool {
        self.left < u64::MAX || self.stop.is_some()
    }

    /// Spends a placement. Returns whether the budget had one left.
    #[inline]
    fn spend(&mut self) -> bool {
        if self.left == 0 {
            self.exhausted = true;
        }
        self.left = self.left.saturating_sub(1);
        // Checking the time costs more than evaluating a placement.
        if self.left.is_multiple_of(256)
            && let Some(stop) = self.stop
        {
            self.exhausted |= stop.is_raised();
        }
        !self.exhausted
    }
}
