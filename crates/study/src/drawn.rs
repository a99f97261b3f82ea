//! Boards drawn as text, for the tests of this crate.

use tetrion_engine::board::Board;

/// The board with these rows, from the top, separated by spaces: `#` is a filled cell.
pub fn board(rows: &str) -> Board {
    let mut board = Board::guideline();
    for (y, row) in rows.split_whitespace().rev().enumerate() {
        row.bytes().enumerate().for_each(|(x, cell)| board.set(x, y, cell == b'#'));
    }
    board
}
