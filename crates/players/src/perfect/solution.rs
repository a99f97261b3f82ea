//! A solution: which piece fills which cells, and in what order.

use crate::field::{COLUMNS, bits};
use tetrion_engine::compact::Bits;
use tetrion_engine::piece::Piece;

/// A placement of a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolutionStep {
    /// The piece.
    pub piece: Piece,
    /// Whether the hold is used just before.
    pub hold: bool,
    /// The cells that it fills, at the time.
    pub cells: Bits,
    /// The same cells as they lie in the board before any row was cleared.
    pub origin: Bits,
}

/// Placements that leave the board empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// In an order that is possible.
    pub steps: Vec<SolutionStep>,
    /// For how many orders of the unknown pieces the same cells can be filled by the same pieces.
    pub orders: u64,
}

impl Solution {
    /// The pieces in the order of their placements: a `*` stands before those that the hold is used for.
    pub fn order(&self) -> String {
        let letters =
            self.steps.iter().flat_map(|step| [step.hold.then_some('*'), Some(step.piece.letter())]);
        letters.flatten().collect()
    }

    /// The rows of the board before any was cleared, from the top: letters for the pieces, `#` for what was there.
    pub fn drawing(&self) -> Vec<String> {
        let cells = self.steps.iter().fold(0, |cells, step| cells | step.origin);
        let top = (Bits::BITS as usize - cells.leading_zeros() as usize).div_ceil(COLUMNS);
        let mut drawing = vec![vec!['#'; COLUMNS]; top];
        for step in &self.steps {
            for at in bits(step.origin) {
                drawing[top - 1 - at / COLUMNS][at % COLUMNS] = step.piece.letter();
            }
        }
        drawing.into_iter().map(String::from_iter).collect()
    }
}

/// The rows that are left of those there were at first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowsLeft(u8);

impl RowsLeft {
    /// All of so many.
    pub fn all(rows: usize) -> RowsLeft {
        RowsLeft(((1u32 << rows) - 1) as u8)
    }

    /// Where cells lie among the first rows.
    pub fn origin(self, cells: Bits) -> Bits {
        let rows: Vec<_> = bits(self.0.into()).collect();
        bits(cells).fold(0, |origin, at| origin | 1 << (at % COLUMNS + rows[at / COLUMNS] * COLUMNS))
    }

    /// The rows that are left when the full ones of a field are cleared.
    pub fn after(self, field: Bits) -> RowsLeft {
        let full = |y: usize| field >> (y * COLUMNS) & crate::field::ROW == crate::field::ROW;
        let left = bits(self.0.into()).enumerate().filter(|(y, _)| !full(*y));
        RowsLeft(left.fold(0, |rows, (_, row)| rows | 1 << row))
    }
}
