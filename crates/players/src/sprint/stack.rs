//! The first part of a game: a low stack without holes.

use super::Root;
use crate::field::{self, COLUMNS, Fields, ROWS};
use crate::search::choices::choices_with_full_hold;
use rustc_hash::FxHashSet;
use tetrion_engine::compact::Bits;
use tetrion_engine::piece::Piece;

/// What makes a field bad to go on with, and how much each counts.
pub struct Costs {
    /// Empty cells with a filled one above them.
    pub holes: u32,
    /// Rows by which neighbouring columns differ.
    pub steps: u32,
    /// Cells with higher columns on both sides.
    pub wells: u32,
    /// Those that have two of their kind above them.
    pub deep: u32,
    /// Filled cells.
    pub filled: u32,
    /// Empty cells.
    pub empty: u32,
}

/// While stacking: no holes, a low and even stack.
pub const STACKING: Costs = Costs { holes: 16, steps: 2, wells: 2, deep: 4, filled: 1, empty: 0 };

impl Costs {
    /// What a field costs.
    #[inline]
    pub fn of(&self, fields: &Fields, field: Bits) -> u32 {
        let solid = fields.solid(field);
        let holes = solid & !field;
        // Columns are solid from the floor: where neighbours differ there is a step.
        let steps = (solid ^ solid >> 1) & !field::LAST_COLUMN;
        let left = solid << 1 | field::FIRST_COLUMN;
        let right = solid >> 1 | field::LAST_COLUMN;
        let wells = !solid & left & right;
        let deep = wells & wells >> COLUMNS & wells >> (2 * COLUMNS);
        let (count, filled) = (Bits::count_ones, field.count_ones());
        self.holes * count(holes)
            + self.steps * count(steps)
            + self.wells * count(wells)
            + self.deep * count(deep)
            + self.filled * filled
            + self.empty * (CELLS - filled)
    }

    /// No field costs more.
    pub const fn most(&self) -> u32 {
        (self.holes + self.steps + self.wells + self.deep + self.filled + self.empty) * CELLS
    }
}

const CELLS: u32 = (COLUMNS * ROWS) as u32;

/// A field on the way.
#[derive(Clone, Copy)]
struct StackNode {
    field: Bits,
    hold: Piece,
    cost: u32,
    /// The first move that led here.
    root: usize,
}

/// The first move of the best line that a beam finds over the visible pieces.
///
/// This beam is simpler than the shared one: equal fields cost the same, so the first path to each is as good as any, and layers
/// need not be sorted.
pub fn choose(fields: &Fields, width: usize, roots: &[Root], draws: &[Piece]) -> Option<usize> {
    let node = |(root, from): (usize, &Root)| StackNode {
        field: from.field,
        hold: from.hold,
        cost: STACKING.of(fields, from.field),
        root,
    };
    let mut layer: Vec<StackNode> = roots.iter().enumerate().map(node).collect();
    let mut seen = FxHashSet::default();
    for &draw in &draws[1..] {
        if layer.len() > width {
            layer.select_nth_unstable_by(width, |a, b| (a.cost, a.root).cmp(&(b.cost, b.root)));
            layer.truncate(width);
        }
        let mut next = Vec::new();
        seen.clear();
        for node in &layer {
            for (piece, hold) in choices_with_full_hold(draw, node.hold) {
                fields.for_each_landing(node.field, piece, ROWS, |field, _| {
                    if seen.insert((field, hold)) {
                        let cost = STACKING.of(fields, field);
                        next.push(StackNode { field, hold, cost, root: node.root });
                    }
                });
            }
        }
        // Where nothing fits below the top of the fields, what was found so far counts.
        if next.is_empty() {
            break;
        }
        layer = next;
    }
    layer.iter().min_by_key(|node| (node.cost, node.root)).map(|node| node.root)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tetrion_engine::moves::Movement;

    /// The same counts, column by column.
    #[test]
    fn costs_are_those_of_plain_counting() {
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
            let filled = field.count_ones() as i32;
            let plain = 32 * holes + 16 * steps + 8 * wells + 4 * deep + 2 * filled + (60 - filled);
            let costs = Costs { holes: 32, steps: 16, wells: 8, deep: 4, filled: 2, empty: 1 };
            assert_eq!(costs.of(&fields, field), plain as u32, "{field:x}");
            assert!(plain as u32 <= costs.most());
        }
    }
}
