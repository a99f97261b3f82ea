//! Beam search: after each piece only the best boards go on.

use super::{Ground, Node, Scored, Work};
use crate::evaluator::Evaluator;
use std::collections::HashSet;
use tetrion_engine::game::Move;

/// The layers of a search, kept so that the next one need not make them anew.
#[derive(Default)]
pub(super) struct Beam {
    layers: Vec<Vec<Entry>>,
    seen: HashSet<Node>,
}

/// A board in a layer.
#[derive(Clone, Copy)]
struct Entry {
    node: Node,
    play: Move,
    score: f64,
    /// What the placements so far brought.
    carried: f64,
    /// The entry of the layer before that it came from; in the first layer, nothing.
    parent: usize,
    /// The entry of the first layer that it came from.
    root: usize,
}

impl Beam {
    pub(super) fn search<E: Evaluator>(
        &mut self,
        ground: &Ground,
        root: &Node,
        evaluator: &E,
        width: usize,
        with_lines: bool,
        work: &mut Work,
    ) -> Vec<Scored> {
        let pieces = ground.known.len();
        self.layers.resize_with(pieces.max(self.layers.len()), Vec::new);
        self.layers.iter_mut().for_each(Vec::clear);
        let mut last = 0;
        for layer in 0..pieces {
            let (before, after) = self.layers.split_at_mut(layer);
            let next = &mut after[0];
            self.seen.clear();
            let mut visit = |node: &Node, parent: usize, carried: f64, root: Option<usize>| {
                ground.for_each_move(node, evaluator, |play, child, after| {
                    if work.spend() && self.seen.insert(child) {
                        let score = evaluator.score(after, carried);
                        let carried = carried + evaluator.carry(after);
                        let root = root.unwrap_or(next.len());
                        next.push(Entry { node: child, play, score, carried, parent, root });
                    }
                });
            };
            match before.last() {
                None => visit(root, 0, 0.0, None),
                Some(entries) => {
                    for (index, entry) in entries.iter().take(width).enumerate() {
                        visit(&entry.node, index, entry.carried, Some(entry.root));
                    }
                }
            }
            if next.is_empty() || work.exhausted && layer > 0 {
                break;
            }
            if layer > 0 {
                // The first layer keeps its order: its indices are the roots.
                keep_best(next, width);
            }
            last = layer;
            if work.exhausted {
                break;
            }
        }
        self.first_moves(last, with_lines)
    }

    /// The first moves: those with a line in the last layer by its score, the others behind them by their own.
    fn first_moves(&self, last: usize, with_lines: bool) -> Vec<Scored> {
        let Some(first) = self.layers.first() else { return Vec::new() };
        let mut best: Vec<Option<usize>> = vec![None; first.len()];
        if last > 0 {
            for (index, entry) in self.layers[last].iter().enumerate() {
                let known = &mut best[entry.root];
                if known.is_none_or(|known| self.layers[last][known].score < entry.score) {
                    *known = Some(index);
                }
            }
        }
        // Scores of different layers can't be compared, so those that were left behind go below the lowest that was not.
        let lowest = self.layers[last].iter().map(|entry| entry.score).fold(f64::INFINITY, f64::min);
        let highest = first.iter().map(|entry| entry.score).fold(f64::NEG_INFINITY, f64::max);
        let behind = if last > 0 { lowest - highest - 1.0 } else { 0.0 };
        let scored = first.iter().zip(best).map(|(entry, best)| {
            let score = best.map_or(entry.score + behind, |index| self.layers[last][index].score);
            let line = match best {
                Some(index) if with_lines => self.line(last, index),
                _ => Vec::new(),
            };
            Scored { play: entry.play, score, line }
        });
        scored.collect()
    }

    /// The moves that lead to an entry, without the first.
    fn line(&self, mut layer: usize, mut index: usize) -> Vec<Move> {
        let mut line = Vec::new();
        while layer > 0 {
            let entry = &self.layers[layer][index];
            line.push(entry.play);
            index = entry.parent;
            layer -= 1;
        }
        line.reverse();
        line
    }
}

/// Keeps the best entries, in order; of equal ones, those that came first.
fn keep_best(entries: &mut Vec<Entry>, width: usize) {
    entries.sort_by(|a, b| b.score.total_cmp(&a.score));
    entries.truncate(width);
}
