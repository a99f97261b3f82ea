//! The first part of a game: a low stack without holes.

use super::Root;
use crate::field::{self, COLUMNS, Fields, ROWS};
use crate::search::beam::{Beam, BeamNode};
use crate::search::choices::choices_with_full_hold;
use std::cmp::Ordering;
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
pub struct StackNode {
    pub field: Bits,
    pub hold: Piece,
    /// Rows cleared so far.
    pub rows: usize,
    /// The first move that led here.
    pub root: usize,
    cost: u32,
}

impl BeamNode for StackNode {
    type Key = (Bits, Piece);

    fn key(&self) -> (Bits, Piece) {
        (self.field, self.hold)
    }

    fn rank(&self, other: &StackNode) -> Ordering {
        (self.cost, self.root).cmp(&(other.cost, other.root))
    }
}

/// A beam that has the fields that first moves lead to.
pub fn start_beam(fields: &Fields, roots: &[Root]) -> Beam<StackNode> {
    let mut beam = Beam::default();
    beam.start(roots.iter().enumerate().map(|(root, &Root { field, hold, rows, .. })| StackNode {
        field,
        hold,
        rows,
        root,
        cost: STACKING.of(fields, field),
    }));
    beam
}

/// Places another piece in the beam; says whether there was room for it.
pub fn advance_beam(beam: &mut Beam<StackNode>, fields: &Fields, width: usize, draw: Piece) -> bool {
    beam.advance(width, |node, found| {
        for (piece, hold) in choices_with_full_hold(draw, node.hold) {
            fields.for_each_landing(node.field, piece, ROWS, |field, rows| {
                let (cost, rows) = (STACKING.of(fields, field), node.rows + rows as usize);
                found(StackNode { field, hold, rows, root: node.root, cost });
            });
        }
        true
    })
}

/// The first move of the best line that a beam finds over the pieces that are seen.
pub fn choose(fields: &Fields, width: usize, roots: &[Root], draws: &[Piece]) -> Option<usize> {
    let mut beam = start_beam(fields, roots);
    // Where nothing fits below the top of the fields, what was found so far counts.
    let _ = draws[1..].iter().all(|draw| advance_beam(&mut beam, fields, width, *draw));
    beam.last().first().map(|best| best.node.root)
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
