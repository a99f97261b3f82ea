//! Searches: how far an agent looks, and at what.
//!
//! | file | holds |
//! |---|---|
//! | `search/mod.rs` | [`Searcher`], the agent that is an evaluator and a plan, and what every plan shares |
//! | `search/choices.rs` | which piece can be placed next: hold and queue |
//! | `search/reach.rs` | which placements are looked at |
//! | `search/lookahead.rs` | every line of a number of placements, and the chance of what comes after them |
//! | `search/beam.rs` | the beam: after each piece only the best nodes go on |

pub mod beam;
pub mod choices;
mod lookahead;
mod reach;

pub use reach::Reach;

use crate::afterstate::{Afterstate, Before};
use crate::agent::{Abilities, Agent, ConsideredMove, Explanation, Limits};
use crate::evaluator::{Evaluator, Term};
use crate::monitor::StopSignal;
use beam::{Beam, BeamNode};
use choices::choices;
use std::cmp::Ordering;
use tetrion_engine::board::Board;
use tetrion_engine::game::Move;
use tetrion_engine::piece::Piece;
use tetrion_engine::position::View;
use tetrion_engine::ruleset::{Mode, Ruleset};
use tetrion_engine::scoring::Streak;

/// How far to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchPlan {
    /// Every line of `plies` placements over the pieces that are seen: 1 is greedy.
    Lookahead {
        /// Placements in a line.
        plies: usize,
    },
    /// The same, and then the average over the pieces that may come next, each placed as well as it can be.
    Expectimax {
        /// Placements in a line before the unseen piece.
        plies: usize,
        /// How many first moves are looked at so closely: the best by the first placement alone.
        roots: usize,
    },
    /// The best boards after each piece, over all pieces that are seen.
    Beam {
        /// How many boards.
        width: usize,
    },
}

/// A position in a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct SearchNode {
    board: Board,
    hold: Option<Piece>,
    /// Which of the known pieces is next.
    next: usize,
    /// The back-to-back and combo under way; left as it was at the root if the evaluator does not look at it.
    streak: Streak,
    /// How many pieces are left to place, in games that end after a number of pieces.
    pieces_left: Option<u32>,
}

impl SearchNode {
    fn before(&self) -> Before<'_> {
        Before { board: &self.board, streak: self.streak, pieces_left: self.pieces_left }
    }
}

/// What every node of a search shares.
struct Ground<'g> {
    rules: &'g Ruleset,
    /// The current piece, then those that are seen.
    known: Vec<Piece>,
    /// Pieces that may come after those that are known.
    unseen: Vec<Piece>,
    /// Whether the hold is used at all, and whether it can be used for the first move.
    hold: bool,
    hold_now: bool,
    /// Whether positions are told apart by back-to-back and combo.
    streaks: bool,
    reach: Reach,
}

impl Ground<'_> {
    /// Calls `visit` with every move from a node that does not lose at once, and what it leads to.
    fn for_each_move<E: Evaluator>(
        &self,
        node: &SearchNode,
        evaluator: &E,
        mut visit: impl FnMut(Move, SearchNode, &Afterstate),
    ) {
        let may_hold = self.hold && (node.next > 0 || self.hold_now);
        for choice in choices(&self.known, node.next, node.hold, may_hold) {
            for placement in self.reach.placements(&node.board, choice.piece, self.rules).iter() {
                let after = Afterstate::new(node.before(), placement, evaluator.judged(), self.rules);
                let Some(after) = after else { continue };
                let child = SearchNode {
                    board: after.board,
                    hold: choice.held,
                    next: choice.next,
                    streak: if self.streaks { after.streak() } else { node.streak },
                    pieces_left: after.pieces_left,
                };
                visit(Move { hold: choice.hold, placement }, child, &after);
            }
        }
    }
}

/// A first move, with the score of the best line found from it.
#[derive(Clone, Debug)]
struct Scored {
    play: Move,
    score: f64,
    /// The moves that are expected after it; only filled in for explanations.
    line: Vec<Move>,
}

/// A node of the beam: a position with the score of the line that led there.
#[derive(Clone, Copy)]
struct ScoredNode {
    node: SearchNode,
    /// The move that led there; `None` at the root.
    play: Option<Move>,
    score: f64,
    /// What the placements so far brought.
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

/// An agent that is an evaluator and a plan.
pub struct Searcher<E> {
    evaluator: E,
    plan: SearchPlan,
    reach: Reach,
    hold: bool,
    limits: Limits,
    beam: Beam<ScoredNode>,
}

impl<E: Evaluator> Searcher<E> {
    /// A searcher without a limit.
    pub fn new(evaluator: E, plan: SearchPlan, reach: Reach, hold: bool) -> Searcher<E> {
        Searcher { evaluator, plan, reach, hold, limits: Limits::default(), beam: Beam::default() }
    }

    /// The best line of every first move, best first.
    fn search(&mut self, view: &View, with_lines: bool) -> Vec<Scored> {
        let unseen = match view.bag {
            Some(bag) if !bag.is_empty() => bag.iter().collect(),
            _ => Piece::ALL.to_vec(),
        };
        let ground = Ground {
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
        let mut work = Work {
            left: self.limits.nodes.unwrap_or(u64::MAX),
            stop: self.limits.stop.as_deref(),
            exhausted: false,
        };
        let mut scored = match self.plan {
            SearchPlan::Lookahead { plies } => {
                lookahead::search(&ground, &root, &self.evaluator, plies, with_lines, &mut work)
            }
            SearchPlan::Expectimax { plies, roots } => {
                lookahead::expectimax(&ground, &root, &self.evaluator, plies, roots, with_lines, &mut work)
            }
            SearchPlan::Beam { width } => {
                search_beam(&mut self.beam, &ground, root, &self.evaluator, width, &mut work);
                best_lines(&self.beam, with_lines)
            }
        };
        // A stable sort: of equal scores, the move that came first stays first.
        scored.sort_by(|a, b| b.score.total_cmp(&a.score));
        scored
    }

    /// What can be done when every move loses at once: any of them.
    fn last_resort(&self, view: &View) -> Option<Move> {
        let placements = view.placements(view.current());
        placements.iter().next().map(|placement| Move { hold: false, placement })
    }
}

/// Fills the layers of a beam, one for each known piece, as far as the budget goes.
fn search_beam<E: Evaluator>(
    beam: &mut Beam<ScoredNode>,
    ground: &Ground,
    root: SearchNode,
    evaluator: &E,
    width: usize,
    work: &mut Work,
) {
    beam.start([ScoredNode { node: root, play: None, score: 0.0, carried: 0.0 }]);
    for layer in 0..ground.known.len() {
        let went_on = beam.advance(width, |from, found| {
            ground.for_each_move(&from.node, evaluator, |play, node, after| {
                if work.spend() {
                    let score = evaluator.score(after, from.carried);
                    let carried = from.carried + evaluator.carry(after);
                    found(ScoredNode { node, play: Some(play), score, carried });
                }
            });
            // However little may be spent, the first moves that were found count.
            layer == 0 || !work.exhausted
        });
        if !went_on || work.exhausted {
            break;
        }
    }
}

/// The first moves: those with a line in the last layer by its score, the others behind them by their own.
fn best_lines(beam: &Beam<ScoredNode>, with_lines: bool) -> Vec<Scored> {
    let first = beam.first_moves();
    let last = if beam.depth() > 1 { beam.last() } else { &[] };
    // The last layer is sorted, so the first entry of a first move is its best.
    let mut best = vec![None; first.len()];
    for entry in last.iter().rev() {
        best[entry.root] = Some(entry);
    }
    // Scores of different layers can't be compared, so those that were left behind go below the lowest that was not.
    let behind = match (last.last(), first.first()) {
        (Some(lowest), Some(highest)) => lowest.node.score - highest.node.score - 1.0,
        _ => 0.0,
    };
    let moves = |node: &ScoredNode| node.play;
    let scored = first.iter().zip(best).filter_map(|(entry, best)| {
        let score = best.map_or(entry.node.score + behind, |best| best.node.score);
        let line = match best {
            Some(best) if with_lines => beam.path(best).iter().skip(1).filter_map(moves).collect(),
            _ => Vec::new(),
        };
        Some(Scored { play: entry.node.play?, score, line })
    });
    scored.collect()
}

impl<E: Evaluator> Agent for Searcher<E> {
    fn choose(&mut self, view: &View) -> Option<Move> {
        let best = self.search(view, false).into_iter().next();
        best.map(|best| best.play).or_else(|| self.last_resort(view))
    }

    fn explain(&mut self, view: &View) -> Option<Explanation> {
        let moves = self.search(view, true).into_iter().map(|scored| {
            let judged = self.evaluator.judged();
            let after = Afterstate::new(Before::of(view), scored.play.placement, judged, view.rules);
            let terms: Vec<Term> = after.map_or(Vec::new(), |after| self.evaluator.terms(&after));
            ConsideredMove { play: scored.play, score: scored.score, terms, line: scored.line }
        });
        Some(Explanation { moves: moves.collect() })
    }

    fn limit(&mut self, limits: Limits) {
        self.limits = Limits {
            nodes: limits.nodes.or(self.limits.nodes),
            stop: limits.stop.or(self.limits.stop.take()),
        };
    }

    fn abilities(&self) -> Abilities {
        Abilities { modes: &Mode::ALL, limits: true, explains: true }
    }
}

/// What is left of what a search may spend.
struct Work<'t> {
    left: u64,
    stop: Option<&'t dyn StopSignal>,
    exhausted: bool,
}

impl Work<'_> {
    /// Whether there is any limit.
    fn is_limited(&self) -> bool {
        self.left < u64::MAX || self.stop.is_some()
    }

    /// Counts a placement; says whether there was anything left for it.
    #[inline]
    fn spend(&mut self) -> bool {
        if self.left == 0 {
            self.exhausted = true;
        }
        self.left = self.left.saturating_sub(1);
        // Asking for the time costs more than a placement.
        if self.left.is_multiple_of(256)
            && let Some(stop) = self.stop
        {
            self.exhausted |= stop.is_raised();
        }
        !self.exhausted
    }
}
