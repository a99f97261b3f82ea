//! Stacking: the first part of a game, which keeps the stack low and without holes.

use super::Root;
use crate::field::{self, COLUMNS, Fields, ROWS};
use crate::search::choices::choices_with_full_hold;
use rustc_hash::FxHashSet;
use tetrion_engine::compact::Bits;
use tetrion_engine::piece::Piece;

/// How much each flaw of a field costs.
pub struct FieldCosts {
    /// Per hole: an empty cell with a filled cell above it.
    pub holes: u32,
    /// Per row of height difference between neighbouring columns.
    pub steps: u32,
    /// Per well cell: an empty cell with higher columns on both sides.
    pub wells: u32,
    /// Per well cell with two more well cells above it.
    pub deep: u32,
    /// Per filled cell.
    pub filled: u32,
    /// Per empty cell.
    pub empty: u32,
}

/// Costs while stacking: they favour a low and even stack without holes.
pub const STACKING_COSTS: FieldCosts =
    FieldCosts { holes: 16, steps: 2, wells: 2, deep: 4, filled: 1, empty: 0 };

impl FieldCosts {
    /// What a field costs.
    #[inline]
    pub fn of(&self, fields: &Fields, field: Bits) -> u32 {
        let solid = fields.solid(field);
        let holes = solid & !field;
        // Columns are solid from the floor up, so every difference between neighbours is part of a step.
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
            + self.empty * (FIELD_CELLS - filled)
    }

    /// The highest cost that a field can have.
    pub const fn max(&self) -> u32 {
        (self.holes + self.steps + self.wells + self.deep + self.filled + self.empty) * FIELD_CELLS
    }
}

const FIELD_CELLS: u32 = (COLUMNS * ROWS) as u32;

/// A position while stacking.
#[derive(Clone, Copy)]
struct StackNode {
    field: Bits,
    hold: Piece,
    cost: u32,
    /// The first move on the path to it.
    root: usize,
}

/// The first move of the best line over the visible pieces, found by a beam search.
///
/// This beam is simpler than the shared one: equal fields cost the same, so the first path to each is as good as any, and layers
/// need not be sorted.
pub fn choose(fields: &Fields, width: usize, roots: &[Root], draws: &[Piece]) -> Option<usize> {
    let node = |(root, from): (usize, &Root)| StackNode {
        field: from.field,
        hold: from.hold,
        cost: STACKING_COSTS.of(fields, from.field),
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
                        let cost = STACKING_COSTS.of(fields, field);
                        next.push(StackNode { field, hold, cost, root: node.root });
                    }
                });
            }
        }
        // If no piece fits in the field any more, the lines found so far count.
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

    /// Counts column by column.
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
            let costs = FieldCosts { holes: 32, steps: 16, wells: 8, deep: 4, filled: 2, empty: 1 };
            assert_eq!(costs.of(&fields, field), plain as u32, "{field:x}");
            assert!(plain as u32 <= costs.max());
        }
    }
}
