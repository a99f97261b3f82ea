//! Every line of a number of placements; and the chance of what comes after them.

use super::{Ground, Scored, SearchNode, Work};
use crate::afterstate::Afterstate;
use crate::evaluator::Evaluator;
use tetrion_engine::game::Move;

/// Looks at every line of `plies` placements, or as many as there are pieces known for.
///
/// With a limited budget the depth grows step by step, and the deepest that was finished counts.
pub(super) fn search<E: Evaluator>(
    ground: &Ground,
    root: &SearchNode,
    evaluator: &E,
    plies: usize,
    with_lines: bool,
    work: &mut Work,
) -> Vec<Scored> {
    let plies = plies.min(ground.known.len());
    let first = if work.is_limited() { 1 } else { plies };
    let mut best = Vec::new();
    for depth in first..=plies {
        let mut lines = Lines { ground, evaluator, leaf: Leaf::Board, with_lines, work: &mut *work };
        let scored = lines.first_moves(root, depth);
        if !work.exhausted || best.is_empty() {
            best = scored;
        }
        if work.exhausted {
            break;
        }
    }
    best
}

/// The same, with the average over the unseen next piece at the end of every line, for the `roots` first moves that look best
/// by themselves: only they are returned. If the budget runs out before they are done, all first moves are, by themselves.
pub(super) fn expectimax<E: Evaluator>(
    ground: &Ground,
    root: &SearchNode,
    evaluator: &E,
    plies: usize,
    roots: usize,
    with_lines: bool,
    work: &mut Work,
) -> Vec<Scored> {
    let mut lines = Lines { ground, evaluator, leaf: Leaf::Board, with_lines: false, work };
    let mut first = lines.first_moves(root, 1);
    first.sort_by(|a, b| b.score.total_cmp(&a.score));
    let chosen: Vec<Move> = first.iter().take(roots).map(|scored| scored.play).collect();
    lines.leaf = Leaf::Chance;
    lines.with_lines = with_lines;
    let deep = lines.first_moves_among(root, plies, &|play| chosen.contains(&play));
    if lines.work.exhausted || deep.is_empty() {
        return first;
    }
    deep
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Leaf {
    Board,
    Chance,
}

struct Lines<'s, 'g, 't, E> {
    ground: &'s Ground<'g>,
    evaluator: &'s E,
    leaf: Leaf,
    with_lines: bool,
    work: &'s mut Work<'t>,
}

impl<E: Evaluator> Lines<'_, '_, '_, E> {
    fn first_moves(&mut self, root: &SearchNode, plies: usize) -> Vec<Scored> {
        self.first_moves_among(root, plies, &|_| true)
    }

    fn first_moves_among(
        &mut self,
        root: &SearchNode,
        plies: usize,
        looked_at: &dyn Fn(Move) -> bool,
    ) -> Vec<Scored> {
        let mut scored = Vec::with_capacity(64);
        self.ground.for_each_move(root, self.evaluator, |play, child, after| {
            if !self.work.exhausted && looked_at(play) {
                let mut line = Vec::new();
                let score = self.line(&child, after, plies - 1, 0.0, &mut line);
                line.reverse();
                scored.push(Scored { play, score, line });
            }
        });
        scored
    }

    /// The score of the best line that goes on from here, and that line backwards if it is wanted.
    fn line(
        &mut self,
        node: &SearchNode,
        after: &Afterstate,
        plies: usize,
        carried: f64,
        line: &mut Vec<Move>,
    ) -> f64 {
        if !self.work.spend() {
            return f64::NEG_INFINITY;
        }
        if plies == 0 || node.next >= self.ground.known.len() {
            return match self.leaf {
                Leaf::Board => self.evaluator.score(after, carried),
                Leaf::Chance => self.chance(node, carried + self.evaluator.carry(after)),
            };
        }
        let carried = carried + self.evaluator.carry(after);
        let mut best = f64::NEG_INFINITY;
        self.ground.for_each_move(node, self.evaluator, |play, child, after| {
            let mut rest = Vec::new();
            let score = self.line(&child, after, plies - 1, carried, &mut rest);
            if score > best {
                best = score;
                if self.with_lines {
                    rest.push(play);
                    *line = rest;
                }
            }
        });
        best
    }

    /// The average over the pieces that may come, each placed as well as it can be.
    fn chance(&mut self, node: &SearchNode, carried: f64) -> f64 {
        let ground = self.ground;
        let mut sum = 0.0;
        for &piece in &ground.unseen {
            let mut best = self.evaluator.loss();
            for placement in ground.reach.placements(&node.board, piece, ground.rules).iter() {
                let judged = self.evaluator.judged();
                let after = Afterstate::new(node.before(), placement, judged, ground.rules);
                if let Some(after) = after {
                    best = best.max(self.evaluator.score(&after, carried));
                    self.work.spend();
                }
            }
            sum += best;
        }
        sum / ground.unseen.len() as f64
    }
}
