//! Estimates the keys that a board takes to the goal.
//!
//! The estimate is a sum of table entries, one for each property of the board. The tables were [learned](super::learn).

use crate::field::{COLUMNS, FIRST_COLUMN, FIRST_ROW, ROWS};
use tetrion_engine::compact::{Bits, Grid};
use tetrion_engine::piece::Piece;

/// Table entries are in hundredths of a key.
pub const UNITS_PER_KEY: i32 = 100;

/// Height differences between columns are clamped to this.
pub const MAX_STEP: i32 = 3;

/// The number of distinct steps.
const STEP_COUNT: usize = 2 * MAX_STEP as usize + 1;

/// How much each property of a board adds to the estimated keys to go.
#[derive(Clone, Debug)]
pub struct KeyTables<T> {
    /// By column: the step up from it and the step up from the next column, from 3 down to 3 up.
    pub steps: [[[T; STEP_COUNT]; STEP_COUNT]; COLUMNS - 2],
    /// By column: its height.
    pub height: [[T; ROWS + 1]; COLUMNS],
    /// By row, for the lowest two: its filled cells.
    pub filled: [[T; COLUMNS + 1]; 2],
    /// Holes, up to 4 or more.
    pub holes: [T; 5],
    /// Rows with holes, up to 3 or more.
    pub rows_with_holes: [T; 4],
    /// The height of the highest column.
    pub tallest: [T; ROWS + 1],
    /// Filled cells, divided by four.
    pub cells: [T; COLUMNS * ROWS / 4 + 1],
    /// The piece in hold; the last entry is for none.
    pub hold: [T; 8],
    /// The fewest pieces left to place, up to 9 or more.
    pub pieces: [T; 10],
    /// For each piece beyond 9.
    pub piece: T,
}

impl<T: Copy> KeyTables<T> {
    /// Converts every entry.
    pub(super) fn map<U>(self, mut to: impl FnMut(T) -> U) -> KeyTables<U> {
        KeyTables {
            steps: self.steps.map(|column| column.map(|step| step.map(&mut to))),
            height: self.height.map(|column| column.map(&mut to)),
            filled: self.filled.map(|row| row.map(&mut to)),
            holes: self.holes.map(&mut to),
            rows_with_holes: self.rows_with_holes.map(&mut to),
            tallest: self.tallest.map(&mut to),
            cells: self.cells.map(&mut to),
            hold: self.hold.map(&mut to),
            pieces: self.pieces.map(&mut to),
            piece: to(self.piece),
        }
    }

    /// Calls `visit` with the entry of each table for a board with `left` lines to go. Returns the number of pieces beyond 9.
    #[inline]
    pub(super) fn look_up(
        &self,
        grid: &Grid,
        board: Bits,
        hold: Option<Piece>,
        left: u32,
        mut visit: impl FnMut(T),
    ) -> u32 {
        // The board with every hole filled.
        let solid = grid.solid(board);
        let height = |x: usize| (solid & FIRST_COLUMN << x).count_ones() as i32;
        let heights: [i32; COLUMNS] = std::array::from_fn(height);
        let step = |x: usize| ((heights[x + 1] - heights[x]).clamp(-MAX_STEP, MAX_STEP) + MAX_STEP) as usize;
        let steps: [usize; COLUMNS - 1] = std::array::from_fn(step);
        let holes = solid & !board;
        let row = |cells: Bits, y: usize| cells >> (y * COLUMNS) & FIRST_ROW;
        let rows_with_holes = (0..ROWS).filter(|y| row(holes, *y) != 0).count();
        let cells = board.count_ones();

        for x in 0..COLUMNS - 2 {
            visit(self.steps[x][steps[x]][steps[x + 1]]);
        }
        for (of_column, height) in self.height.iter().zip(heights) {
            visit(of_column[height as usize]);
        }
        for (y, of_row) in self.filled.iter().enumerate() {
            visit(of_row[row(board, y).count_ones() as usize]);
        }
        visit(self.holes[(holes.count_ones() as usize).min(self.holes.len() - 1)]);
        visit(self.rows_with_holes[rows_with_holes.min(self.rows_with_holes.len() - 1)]);
        visit(self.tallest[heights.into_iter().fold(0, i32::max) as usize]);
        visit(self.cells[cells as usize / 4]);
        visit(self.hold[hold.map_or(Piece::ALL.len(), |piece| piece as usize)]);
        let missing = (COLUMNS as u32).saturating_mul(left).saturating_sub(cells);
        let pieces = missing.div_ceil(4);
        let known = pieces.min(self.pieces.len() as u32 - 1);
        visit(self.pieces[known as usize]);
        pieces - known
    }
}

impl KeyTables<i16> {
    /// The estimated keys to go with `left` lines to clear, [`UNITS_PER_KEY`] for each.
    #[inline]
    pub(super) fn keys_to_go(&self, grid: &Grid, board: Bits, hold: Option<Piece>, left: u32) -> i32 {
        if left == 0 {
            return 0;
        }
        let mut sum = 0;
        let more = self.look_up(grid, board, hold, left, |keys| sum += i32::from(keys));
        // Far from the goal all boards of a search are about equally far. The limit only avoids overflow.
        sum + more.min(10_000) as i32 * i32::from(self.piece)
    }
}
