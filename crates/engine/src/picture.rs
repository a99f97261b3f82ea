//! The colours of a board: which piece filled each cell.

use crate::board::Board;
use crate::opening::Opening;
use crate::piece::Piece;
use crate::record::{Outcome, PlacementRecord, TopOut};

/// The colours of a board. The rules don't need them, so they are kept apart from the game and updated from its records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Picture {
    /// By row from the bottom, then column.
    cells: [[Option<Piece>; Board::MAX_WIDTH]; Board::MAX_HEIGHT],
}

impl Default for Picture {
    fn default() -> Picture {
        Picture { cells: [[None; Board::MAX_WIDTH]; Board::MAX_HEIGHT] }
    }
}

impl Picture {
    /// The colours at the start of a game. Cells that no piece filled have no colour.
    pub fn of_opening(opening: &Opening) -> Picture {
        let mut picture = Picture::default();
        for (x, y, piece) in opening.filled() {
            if let Some(cell) = picture.cells.get_mut(y).and_then(|row| row.get_mut(x)) {
                *cell = piece;
            }
        }
        picture
    }

    /// The piece that filled a cell, if one did.
    pub fn cell(&self, x: usize, y: usize) -> Option<Piece> {
        *self.cells.get(y)?.get(x)?
    }

    /// Paints the placed piece, removes the cleared rows, and lifts everything above rows of garbage, which have no colour.
    pub fn apply(&mut self, record: &PlacementRecord) {
        if record.outcome == Some(Outcome::TopOut(TopOut::Overflow)) {
            return;
        }
        for (x, y) in record.placement.location().cells() {
            if let Some(cell) = self.cells.get_mut(y as usize).and_then(|row| row.get_mut(x as usize)) {
                *cell = Some(record.placement.piece());
            }
        }
        let mut kept = 0;
        for y in 0..Board::MAX_HEIGHT {
            if record.cleared_rows >> y & 1 == 0 {
                self.cells[kept] = self.cells[y];
                kept += 1;
            }
        }
        self.cells[kept..].fill([None; Board::MAX_WIDTH]);
        let garbage = (record.garbage as usize).min(Board::MAX_HEIGHT);
        self.cells.rotate_right(garbage);
        self.cells[..garbage].fill([None; Board::MAX_WIDTH]);
    }
}
