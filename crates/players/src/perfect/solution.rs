//! A solution: the cells that each piece fills, in order.

use crate::field::{COLUMNS, FIRST_ROW, bits};
use tetrion_engine::compact::Bits;
use tetrion_engine::piece::Piece;

/// A placement of a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolutionStep {
    /// The piece.
    pub piece: Piece,
    /// Whether the player uses the hold just before.
    pub hold: bool,
    /// The cells it fills at that time.
    pub cells: Bits,
    /// The same cells on the board before any row was cleared.
    pub origin: Bits,
}

/// Placements that leave the board empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The placements in a playable order.
    pub steps: Vec<SolutionStep>,
    /// The number of orders of the unknown pieces in which the same pieces can fill the same cells.
    pub orders: u64,
}

impl Solution {
    /// The pieces in the order they are placed, with `*` before each use of the hold.
    pub fn order(&self) -> String {
        let letters =
            self.steps.iter().flat_map(|step| [step.hold.then_some('*'), Some(step.piece.letter())]);
        letters.flatten().collect()
    }

    /// The board before any row was cleared, from the top: letters for the pieces, `#` for cells already filled.
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

/// The rows of the original board that are not cleared yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowsLeft(u8);

impl RowsLeft {
    /// All of this many rows.
    pub fn all(rows: usize) -> RowsLeft {
        RowsLeft(((1u32 << rows) - 1) as u8)
    }

    /// The position of cells on the original board.
    pub fn origin(self, cells: Bits) -> Bits {
        let rows: Vec<_> = bits(self.0.into()).collect();
        bits(cells).fold(0, |origin, at| origin | 1 << (at % COLUMNS + rows[at / COLUMNS] * COLUMNS))
    }

    /// The rows that remain after the full rows of a field are cleared.
    pub fn after(self, field: Bits) -> RowsLeft {
        let full = |y: usize| field >> (y * COLUMNS) & FIRST_ROW == FIRST_ROW;
        let left = bits(self.0.into()).enumerate().filter(|(y, _)| !full(*y));
        RowsLeft(left.fold(0, |rows, (_, row)| rows | 1 << row))
    }
}
