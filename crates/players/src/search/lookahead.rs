//! Searches all lines of a given length, and averages over the next unseen piece.

use super::choices::Choice;
use super::{ScoredMove, SearchBudget, SearchContext, SearchNode};
use crate::afterstate::Afterstate;
use crate::evaluator::Evaluator;
use tetrion_engine::game::Move;

/// Searches all lines of `plies` placements, or fewer if fewer pieces are known.
///
/// With a limited budget it searches deeper and deeper, and the deepest finished search counts.
pub(super) fn search<E: Evaluator>(
    context: &SearchContext,
    root: &SearchNode,
    evaluator: &E,
    plies: usize,
    with_lines: bool,
    budget: &mut SearchBudget,
) -> Vec<ScoredMove> {
    let plies = plies.min(context.known.len());
    let first = if budget.is_limited() { 1 } else { plies };
    let mut best = Vec::new();
    for depth in first..=plies {
        let mut search =
            LineSearch { context, evaluator, leaf: Leaf::Board, with_lines, budget: &mut *budget };
        let scored = search.first_moves(root, depth);
        if !budget.exhausted || best.is_empty() {
            best = scored;
        }
        if budget.exhausted {
            break;
        }
    }
    best
}

/// A lookahead that ends every line with the average over the next unseen piece. It searches and returns only the `roots` first
/// moves that score best by themselves. If the budget runs out, it returns all first moves, scored by themselves.
pub(super) fn expectimax<E: Evaluator>(
    context: &SearchContext,
    root: &SearchNode,
    evaluator: &E,
    plies: usize,
    roots: usize,
    with_lines: bool,
    budget: &mut SearchBudget,
) -> Vec<ScoredMove> {
    let mut search = LineSearch { context, evaluator, leaf: Leaf::Board, with_lines: false, budget };
    let mut first = search.first_moves(root, 1);
    first.sort_by(|a, b| b.score.total_cmp(&a.score));
    let chosen: Vec<Move> = first.iter().take(roots).map(|scored| scored.play).collect();
    search.leaf = Leaf::Chance;
    search.with_lines = with_lines;
    let deep = search.first_moves_among(root, plies, &|play| chosen.contains(&play));
    if search.budget.exhausted || deep.is_empty() {
        return first;
    }
    deep
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Leaf {
    Board,
    Chance,
}

struct LineSearch<'s, 'g, 't, E> {
    context: &'s SearchContext<'g>,
    evaluator: &'s E,
    leaf: Leaf,
    with_lines: bool,
    budget: &'s mut SearchBudget<'t>,
}

impl<E: Evaluator> LineSearch<'_, '_, '_, E> {
    fn first_moves(&mut self, root: &SearchNode, plies: usize) -> Vec<ScoredMove> {
        self.first_moves_among(root, plies, &|_| true)
    }

    fn first_moves_among(
        &mut self,
        root: &SearchNode,
        plies: usize,
        is_wanted: &dyn Fn(Move) -> bool,
    ) -> Vec<ScoredMove> {
        let mut scored = Vec::with_capacity(64);
        self.context.for_each_move(root, self.evaluator, |choice, after| {
            let play = choice.play(after.placement);
            if !self.budget.exhausted && is_wanted(play) {
                let mut line = Vec::new();
                let score = self.line(choice, after, plies - 1, 0.0, &mut line);
                line.reverse();
                scored.push(ScoredMove { play, score, line });
            }
        });
        scored
    }

    /// The score of the best line from here. Stores that line backwards in `line` if lines are wanted.
    fn line(
        &mut self,
        choice: Choice,
        after: &Afterstate,
        plies: usize,
        carried: f64,
        line: &mut Vec<Move>,
    ) -> f64 {
        if !self.budget.spend() {
            return f64::NEG_INFINITY;
        }
        let is_leaf = plies == 0 || choice.next >= self.context.known.len();
        if is_leaf && self.leaf == Leaf::Board {
            return self.evaluator.score(after, carried);
        }
        let node = self.context.child(choice, after);
        if is_leaf {
            return self.chance(&node, carried + self.evaluator.carry(after));
        }
        let carried = carried + self.evaluator.carry(after);
        let mut best = f64::NEG_INFINITY;
        self.context.for_each_move(&node, self.evaluator, |choice, after| {
            let mut rest = Vec::new();
            let score = self.line(choice, after, plies - 1, carried, &mut rest);
            if score > best {
                best = score;
                if self.with_lines {
                    rest.push(choice.play(after.placement));
                    *line = rest;
                }
            }
        });
        best
    }

    /// The average over the possible next pieces, each in its best placement.
    fn chance(&mut self, node: &SearchNode, carried: f64) -> f64 {
        let context = self.context;
        let mut sum = 0.0;
        for &piece in &context.unseen {
            let mut best = self.evaluator.loss();
            for placement in context.reach.placements(&node.board, piece, context.rules).iter() {
                let judged = self.evaluator.judged();
                let after = Afterstate::new(node.before(), placement, judged, context.rules);
                if let Some(after) = after {
                    best = best.max(self.evaluator.score(&after, carried));
                    self.budget.spend();
                }
            }
            sum += best;
        }
        sum / context.unseen.len() as f64
    }
}
