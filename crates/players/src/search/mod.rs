//! Searches: how far an agent looks, and at what.
//!
//! | file | holds |
//! |---|---|
//! | `search/mod.rs` | [`Searcher`], the agent that is an evaluator and a plan, and what every plan shares |
//! | `search/reach.rs` | which placements are looked at |
//! | `search/lookahead.rs` | every line of so many placements, and the chance of what comes after them |
//! | `search/beam.rs` | the best few boards after each piece, over all pieces that are seen |

mod beam;
mod lookahead;
mod reach;

pub use reach::Reach;

use crate::afterstate::Afterstate;
use crate::evaluator::{Evaluator, Part};
use crate::{Agent, Candidate, Explanation};
use beam::Beam;
use tetrion_engine::board::Board;
use tetrion_engine::game::Move;
use tetrion_engine::piece::Piece;
use tetrion_engine::position::View;
use tetrion_engine::ruleset::Ruleset;

/// How far to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plan {
    /// Every line of so many placements over the pieces that are seen: 1 is greedy.
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

/// How much a search may do for a move. What it has found when that runs out counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Placements looked at. The same number always gives the same move.
    pub nodes: u64,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { nodes: u64::MAX }
    }
}

/// Says whether there is time left. Searches have no clock of their own.
pub type TimeLeft = Box<dyn FnMut() -> bool + Send>;

/// A position in a search: a board, the held piece, and which of the known pieces is next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Node {
    board: Board,
    hold: Option<Piece>,
    next: usize,
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
    reach: Reach,
}

impl Ground<'_> {
    /// Calls `visit` with every move from a node that does not lose at once, and what it leads to.
    fn for_each_move<E: Evaluator>(
        &self,
        node: &Node,
        evaluator: &E,
        mut visit: impl FnMut(Move, Node, &Afterstate),
    ) {
        let Some(&current) = self.known.get(node.next) else { return };
        let mut place = |hold, piece: Piece, held, next| {
            for placement in self.reach.placements(&node.board, piece, self.rules).iter() {
                if let Some(after) = Afterstate::new(&node.board, placement, evaluator.judged(), self.rules) {
                    let child = Node { board: after.board, hold: held, next };
                    visit(Move { hold, placement }, child, &after);
                }
            }
        };
        place(false, current, node.hold, node.next + 1);
        if !self.hold || node.next == 0 && !self.hold_now {
            return;
        }
        match (node.hold, self.known.get(node.next + 1)) {
            // The same piece from the hold leads nowhere else.
            (Some(held), _) if held != current => place(true, held, Some(current), node.next + 1),
            (None, Some(&following)) => place(true, following, Some(current), node.next + 2),
            _ => {}
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

/// An agent that is an evaluator and a plan.
pub struct Searcher<E> {
    evaluator: E,
    plan: Plan,
    reach: Reach,
    hold: bool,
    budget: Budget,
    time_left: Option<TimeLeft>,
    beam: Beam,
}

impl<E: Evaluator> Searcher<E> {
    /// A searcher without a limit.
    pub fn new(evaluator: E, plan: Plan, reach: Reach, hold: bool) -> Searcher<E> {
        let budget = Budget::default();
        Searcher { evaluator, plan, reach, hold, budget, time_left: None, beam: Beam::default() }
    }

    /// Limits the placements that are looked at for each move.
    pub fn with_budget(mut self, budget: Budget) -> Searcher<E> {
        self.budget = budget;
        self
    }

    /// The best line of every first move, best first.
    fn search(&mut self, view: &View, with_lines: bool) -> Vec<Scored> {
        let known: Vec<Piece> = [view.current()].into_iter().chain(view.previews().iter().copied()).collect();
        let unseen = match view.bag {
            Some(bag) if bag.iter().next().is_some() => bag.iter().collect(),
            _ => Piece::ALL.to_vec(),
        };
        let hold = self.hold && view.rules.hold;
        let ground =
            Ground { rules: view.rules, known, unseen, hold, hold_now: view.can_hold(), reach: self.reach };
        let root = Node { board: *&view.board, hold: view.hold, next: 0 };
        let mut work = Work { left: self.budget.nodes, time_left: self.time_left.as_mut(), exhausted: false };
        let mut scored = match self.plan {
            Plan::Lookahead { plies } => {
                lookahead::search(&ground, &root, &self.evaluator, plies, with_lines, &mut work)
            }
            Plan::Expectimax { plies, roots } => {
                lookahead::expectimax(&ground, &root, &self.evaluator, plies, roots, with_lines, &mut work)
            }
            Plan::Beam { width } => {
                self.beam.search(&ground, &root, &self.evaluator, width, with_lines, &mut work)
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

impl<E: Evaluator> Agent for Searcher<E> {
    fn choose(&mut self, view: &View) -> Option<Move> {
        let best = self.search(view, false).into_iter().next();
        best.map(|best| best.play).or_else(|| self.last_resort(view))
    }

    fn explain(&mut self, view: &View) -> Option<Explanation> {
        let candidates = self.search(view, true).into_iter().map(|scored| {
            let after =
                Afterstate::new(&view.board, scored.play.placement, self.evaluator.judged(), view.rules);
            let parts: Vec<Part> = after.map_or(Vec::new(), |after| self.evaluator.parts(&after));
            Candidate { play: scored.play, score: scored.score, parts, line: scored.line }
        });
        Some(Explanation { candidates: candidates.collect() })
    }

    fn limit(&mut self, budget: Option<Budget>, time_left: Option<TimeLeft>) {
        self.budget = budget.unwrap_or(self.budget);
        self.time_left = time_left.or(self.time_left.take());
    }
}

/// What is left of a budget.
struct Work<'t> {
    left: u64,
    time_left: Option<&'t mut TimeLeft>,
    exhausted: bool,
}

impl Work<'_> {
    /// Counts a placement; says whether there was anything left for it.
    #[inline]
    fn spend(&mut self) -> bool {
        if self.left == 0 {
            self.exhausted = true;
        }
        self.left = self.left.saturating_sub(1);
        // Asking for the time costs more than a placement.
        if self.left.is_multiple_of(256)
            && let Some(time_left) = &mut self.time_left
        {
            self.exhausted |= !time_left();
        }
        !self.exhausted
    }
}
