//! The first part of a game: a low stack without holes.

use super::Root;
use crate::field::{self, COLUMNS, Fields, ROWS};
use rustc_hash::FxHashSet;
use tetrion_engine::compact::Bits;
use tetrion_engine::piece::Piece;

/// How good a field is to go on with.
#[inline]
pub fn score(fields: &Fields, field: Bits) -> f32 {
    let solid = fields.solid(field);
    let count = |cells: Bits| cells.count_ones() as f32;
    let holes = solid & !field;
    // Columns are solid from the floor: where neighbours differ there is a step.
    let steps = (solid ^ solid >> 1) & !field::LAST_COLUMN;
    let left = solid << 1 | field::FIRST_COLUMN;
    let right = solid >> 1 | field::LAST_COLUMN;
    let wells = !solid & left & right;
    let deep = wells & wells >> COLUMNS & wells >> (2 * COLUMNS);
    -(8.0 * count(holes) + count(steps) + count(wells) + 2.0 * count(deep) + 0.5 * count(field))
}

/// A position on the way.
#[derive(Clone, Copy)]
struct Node {
    field: Bits,
    hold: Piece,
    score: f32,
    root: usize,
}

/// The first move of the best line that a beam finds over the pieces that are seen.
pub fn choose(fields: &Fields, width: usize, roots: &[Root], draws: &[Piece]) -> Option<usize> {
    let node = |(root, from): (usize, &Root)| Node {
        field: from.field,
        hold: from.hold,
        score: score(fields, from.field),
        root,
    };
    let mut layer: Vec<Node> = roots.iter().enumerate().map(node).collect();
    let mut seen = FxHashSet::default();
    for &draw in &draws[1..] {
        if layer.len() > width {
            layer.select_nth_unstable_by(width, |a, b| b.score.total_cmp(&a.score).then(a.root.cmp(&b.root)));
            layer.truncate(width);
        }
        let mut next = Vec::new();
        seen.clear();
        for node in &layer {
            let mut place = |piece: Piece, hold: Piece| {
                fields.for_each_landing(node.field, piece, ROWS, |field, _| {
                    if seen.insert((field, hold)) {
                        next.push(Node { field, hold, score: score(fields, field), root: node.root });
                    }
                });
            };
            place(draw, node.hold);
            if draw != node.hold {
                place(node.hold, draw);
            }
        }
        // Where nothing fits below the top of the fields, what was found so far counts.
        if next.is_empty() {
            break;
        }
        layer = next;
    }
    let best = layer.iter().max_by(|a, b| a.score.total_cmp(&b.score).then(b.root.cmp(&a.root)));
    best.map(|node| node.root)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tetrion_engine::moves::Movement;

    /// The same counts, column by column.
    #[test]
    fn scores_are_those_of_plain_counting() {
        let fields = Fields::new(Movement::HardDrop);
        let mut random = tetrion_engine::randomizer::Random::new(1);
        for _ in 0..1_000 {
            let field = random.below(1 << 60) & random.below(1 << 60);
            let filled = |x: usize, y: usize| field >> (x + y * COLUMNS) & 1 == 1;
            let height = |x: usize| (0..ROWS).rev().find(|y| filled(x, *y)).map_or(0, |y| y as i32 + 1);
            let wall = ROWS as i32;
            let (mut holes, mut steps, mut wells, mut deep) = (0, 0, 0, 0);
            for x in 0..COLUMNS {
                holes += (0..height(x) as usize).filter(|y| !filled(x, *y)).count() as i32;
                steps += if x > 0 { (height(x) - height(x - 1)).abs() } else { 0 };
                let left = if x > 0 { height(x - 1) } else { wall };
                let right = if x + 1 < COLUMNS { height(x + 1) } else { wall };
                let depth = (left.min(right) - height(x)).max(0);
                wells += depth;
                deep += (depth - 2).max(0);
            }
            let plain = -(8 * holes + steps + wells + 2 * deep) as f32 - 0.5 * field.count_ones() as f32;
            assert_eq!(score(&fields, field), plain, "{field:x}");
        }
    }
}
