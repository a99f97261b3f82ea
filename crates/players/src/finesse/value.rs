//! How many keys a board is expected to take to the goal.
//!
//! A sum over what is seen of the board, each from a table. The tables were learned: the search looked on from boards of its own
//! games for the six pieces that followed, and the tables were fitted to what it found, keys and expected keys from there; again
//! and again, until nothing changed.

use super::weights::*;
use crate::field::{COLUMNS, FIRST_COLUMN, ROW, ROWS};
use tetrion_engine::compact::Bits;
use tetrion_engine::piece::Piece;

/// One key: values are in hundredths.
pub const KEY: i32 = 100;

/// Steps between columns count as this high at most.
const STEEP: i32 = 3;

/// Keys to the goal, in parts of [`KEY`], that so many lines are missing to.
#[inline]
pub fn keys_to_go(board: Bits, hold: Option<Piece>, left: u32) -> i32 {
    if left == 0 {
        return 0;
    }
    // Every cell that is covered counts as filled.
    let solid = (1..ROWS).fold(board, |solid, rows| solid | board >> (rows * COLUMNS));
    let height = |x: usize| (solid & FIRST_COLUMN << x).count_ones() as i32;
    let heights: [i32; COLUMNS] = std::array::from_fn(height);
    let step = |x: usize| ((heights[x + 1] - heights[x]).clamp(-STEEP, STEEP) + STEEP) as usize;
    let steps: [usize; COLUMNS - 1] = std::array::from_fn(step);
    let holes = solid & !board;
    let row = |cells: Bits, y: usize| cells >> (y * COLUMNS) & ROW;
    let rows_with_holes = (0..ROWS).filter(|y| row(holes, *y) != 0).count();
    let cells = board.count_ones();

    let mut sum = 0;
    for x in 0..COLUMNS - 2 {
        sum += i32::from(STEPS[x][steps[x]][steps[x + 1]]);
    }
    for (of_column, height) in HEIGHT.iter().zip(heights) {
        sum += i32::from(of_column[height as usize]);
    }
    for (y, of_row) in FILLED.iter().enumerate() {
        sum += i32::from(of_row[row(board, y).count_ones() as usize]);
    }
    sum += i32::from(HOLES[(holes.count_ones() as usize).min(HOLES.len() - 1)]);
    sum += i32::from(ROWS_WITH_HOLES[rows_with_holes.min(ROWS_WITH_HOLES.len() - 1)]);
    sum += i32::from(TALLEST[heights.into_iter().fold(0, i32::max) as usize]);
    sum += i32::from(CELLS[cells as usize / 4]);
    sum += i32::from(HOLD[hold.map_or(Piece::ALL.len(), |piece| piece as usize)]);
    let missing = (COLUMNS as u32).saturating_mul(left).saturating_sub(cells);
    sum + of_pieces(missing.div_ceil(4))
}

/// What so many pieces take, the fewest that there can be.
#[inline]
fn of_pieces(pieces: u32) -> i32 {
    let known = pieces.min(PIECES.len() as u32 - 1);
    // Far from the goal all boards of a search are about as far: how far does not matter, as long as it is a number.
    let more = (pieces - known).min(10_000) as i32;
    i32::from(PIECES[known as usize]) + more * PIECE
}
