//! The board: which cells are filled.

use crate::location::Placement;
use crate::words::counted;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A board of filled and empty cells, 3 to 16 columns wide and up to 40 rows high.
///
/// Column `x` is a set of rows: bit `y` of `columns()[x]` is set if the cell in column `x` (0 is the left) and row `y`
/// (0 is the bottom) is filled. A board has no colours: see [`Picture`](crate::picture::Picture).
///
/// Files store a board as its size and its rows as drawn, the top row of the stack first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "DrawnBoard", into = "DrawnBoard")]
pub struct Board {
    columns: [u64; Board::MAX_WIDTH],
    width: u8,
    height: u8,
}

/// A board in a file.
#[derive(Serialize, Deserialize)]
struct DrawnBoard {
    width: u8,
    height: u8,
    rows: Vec<String>,
}

/// Why a board can't be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardError {
    /// Wider or narrower than a board can be.
    #[error("a board is 3 to 16 columns wide, not {0}")]
    Width(usize),
    /// Higher or lower than a board can be.
    #[error("a board is 1 to 40 rows high, not {0}")]
    Height(usize),
    /// A drawn row whose length differs from the board's width.
    #[error("row {row} of the board has {}, not {expected}", counted(*found as u64, "column"))]
    Ragged {
        /// Counted from the top, from 1.
        row: usize,
        /// Columns in that row.
        found: usize,
        /// Columns of the board.
        expected: usize,
    },
    /// A drawn row that is full: it would have been cleared.
    #[error("row {0} of the board is full: it would have been cleared")]
    FullRow(usize),
}

impl Board {
    /// The most columns that a board can have.
    pub const MAX_WIDTH: usize = 16;
    /// The fewest columns that a board can have.
    pub const MIN_WIDTH: usize = 3;
    /// The most rows that a board can have.
    pub const MAX_HEIGHT: usize = 40;

    /// An empty board.
    pub fn new(width: usize, height: usize) -> Result<Board, BoardError> {
        if !(Board::MIN_WIDTH..=Board::MAX_WIDTH).contains(&width) {
            return Err(BoardError::Width(width));
        }
        if !(1..=Board::MAX_HEIGHT).contains(&height) {
            return Err(BoardError::Height(height));
        }
        Ok(Board { columns: [0; Board::MAX_WIDTH], width: width as u8, height: height as u8 })
    }

    /// The empty guideline board: 10 columns and 40 rows, of which the lower 20 are visible.
    pub const fn guideline() -> Board {
        Board { columns: [0; Board::MAX_WIDTH], width: 10, height: 40 }
    }

    /// A board of these columns, each a set of rows.
    ///
    /// # Panics
    /// If there are fewer than 3 columns or more than 16, or if the height is above 40.
    #[inline]
    pub fn from_columns(columns: &[u64], height: usize) -> Board {
        assert!(
            (Board::MIN_WIDTH..=Board::MAX_WIDTH).contains(&columns.len()) && height <= Board::MAX_HEIGHT
        );
        let mut board =
            Board { columns: [0; Board::MAX_WIDTH], width: columns.len() as u8, height: height as u8 };
        board.columns[..columns.len()].copy_from_slice(columns);
        board
    }

    /// Columns.
    #[inline]
    pub const fn width(&self) -> usize {
        self.width as usize
    }

    /// Rows.
    #[inline]
    pub const fn height(&self) -> usize {
        self.height as usize
    }

    /// The columns from the left, each a set of rows.
    #[inline]
    pub fn columns(&self) -> &[u64] {
        &self.columns[..self.width()]
    }

    /// Whether a cell is filled. Cells in the walls and the floor count as filled, cells above the board as empty.
    #[inline]
    pub fn is_filled(&self, x: i32, y: i32) -> bool {
        if x < 0 || x >= i32::from(self.width) || y < 0 {
            return true;
        }
        y < 64 && self.columns[x as usize] >> y & 1 == 1
    }

    /// Fills or empties a cell.
    ///
    /// # Panics
    /// If the cell is outside the board.
    pub fn set(&mut self, x: usize, y: usize, filled: bool) {
        assert!(x < self.width() && y < self.height(), "cell ({x}, {y}) is outside the board");
        self.columns[x] = self.columns[x] & !(1 << y) | u64::from(filled) << y;
    }

    /// Fills the cells of a placement. Full rows stay: see [`clear_rows`](Board::clear_rows).
    ///
    /// # Panics
    /// If the placement reaches outside the board, except into the rows just above it.
    #[inline]
    pub fn place(&mut self, placement: Placement) {
        for (x, y) in placement.location().cells() {
            self.columns[x as usize] |= 1 << y;
        }
    }

    /// Places a piece and clears the full rows. Returns them as a bit set, as they were before clearing.
    ///
    /// # Panics
    /// If the placement reaches outside the board, except into the rows just above it.
    #[inline]
    pub fn place_and_clear(&mut self, placement: Placement) -> u64 {
        self.place(placement);
        let full = self.full_rows();
        if full != 0 {
            self.clear_rows(full);
        }
        full
    }

    /// The board after a placement, and the rows that it cleared. See [`place_and_clear`](Board::place_and_clear).
    #[inline]
    pub fn after(&self, placement: Placement) -> (Board, u64) {
        let mut after = *self;
        let full = after.place_and_clear(placement);
        (after, full)
    }

    /// The height of a column: the row above its highest filled cell.
    #[inline]
    pub fn column_height(&self, x: usize) -> usize {
        (64 - self.columns[x].leading_zeros()) as usize
    }

    /// The height of the highest column.
    #[inline]
    pub fn stack_height(&self) -> usize {
        (64 - self.columns.iter().fold(0, |all, column| all | column).leading_zeros()) as usize
    }

    /// Whether no cell is filled.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.columns.iter().fold(0, |all, column| all | column) == 0
    }

    /// The number of filled cells.
    #[inline]
    pub fn filled_cells(&self) -> u32 {
        self.columns.iter().map(|column| column.count_ones()).sum()
    }

    /// The set of full rows.
    #[inline]
    pub fn full_rows(&self) -> u64 {
        self.columns().iter().fold(u64::MAX, |full, column| full & column)
    }

    /// Removes the given rows; the rows above them move down.
    #[inline]
    pub fn clear_rows(&mut self, rows: u64) {
        // From the top, so that the rows still to be removed don't move.
        let mut left = rows;
        while left != 0 {
            let top = 63 - left.leading_zeros();
            let below = (1u64 << top) - 1;
            for column in &mut self.columns {
                *column = *column & below | *column >> 1 & !below;
            }
            left &= below;
        }
    }

    /// Lifts the stack by one row, onto a row with one hole. The top row must be empty.
    pub fn rise(&mut self, hole: usize) {
        let width = self.width();
        for (x, column) in self.columns[..width].iter_mut().enumerate() {
            debug_assert!(*column >> (self.height - 1) & 1 == 0, "the stack has room to rise");
            *column = *column << 1 | u64::from(x != hole);
        }
    }

    /// The mirror image of the board.
    pub fn mirrored(&self) -> Board {
        let mut mirrored = *self;
        mirrored.columns[..self.width()].reverse();
        mirrored
    }
}

impl fmt::Display for Board {
    /// Draws the rows up to the highest filled one: `#` is filled, `.` is empty.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for y in (0..self.stack_height().max(1)).rev() {
            for column in self.columns() {
                f.write_str(if column >> y & 1 == 1 { "#" } else { "." })?;
            }
            if y > 0 {
                f.write_str("\n")?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{} board\n{self}", self.width, self.height)
    }
}

impl FromStr for Board {
    type Err = BoardError;

    /// Reads drawn rows, top row first: `.`, `_` and `-` are empty, anything else is filled. The board is 40 rows high.
    fn from_str(text: &str) -> Result<Board, BoardError> {
        let rows: Vec<&str> = text.lines().map(str::trim).filter(|row| !row.is_empty()).collect();
        let width = rows.first().map_or(0, |row| row.chars().count());
        Board::new(width, Board::MAX_HEIGHT)?.with_rows(&rows)
    }
}

impl Board {
    /// The board with drawn rows at its bottom, the top one first.
    fn with_rows<S: AsRef<str>>(mut self, rows: &[S]) -> Result<Board, BoardError> {
        if rows.len() > self.height() {
            return Err(BoardError::Height(rows.len()));
        }
        for (from_top, row) in rows.iter().map(AsRef::as_ref).enumerate() {
            let found = row.chars().count();
            if found != self.width() {
                return Err(BoardError::Ragged { row: from_top + 1, found, expected: self.width() });
            }
            for (x, cell) in row.chars().enumerate() {
                self.set(x, rows.len() - 1 - from_top, !matches!(cell, '.' | '_' | '-'));
            }
        }
        match self.full_rows() {
            0 => Ok(self),
            full => Err(BoardError::FullRow(rows.len() - full.trailing_zeros() as usize)),
        }
    }
}

impl TryFrom<DrawnBoard> for Board {
    type Error = BoardError;

    fn try_from(drawn: DrawnBoard) -> Result<Board, BoardError> {
        Board::new(drawn.width.into(), drawn.height.into())?.with_rows(&drawn.rows)
    }
}

impl From<Board> for DrawnBoard {
    fn from(board: Board) -> DrawnBoard {
        let rows = match board.is_empty() {
            true => Vec::new(),
            false => board.to_string().lines().map(str::to_owned).collect(),
        };
        DrawnBoard { width: board.width, height: board.height, rows }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(text: &str) -> Board {
        text.parse().unwrap()
    }

    #[test]
    fn a_drawn_board_reads_back_as_it_was_drawn() {
        let drawn = "#...\n##..\n###.";
        assert_eq!(board(drawn).to_string(), drawn);
        assert_eq!(board(drawn).stack_height(), 3);
        assert_eq!(board(drawn).column_height(1), 2);
        assert_eq!(board(drawn).filled_cells(), 6);
    }

    #[test]
    fn wrong_drawings_are_refused_with_the_reason() {
        assert_eq!("##".parse::<Board>(), Err(BoardError::Width(2)));
        assert_eq!("#...\n#..".parse::<Board>(), Err(BoardError::Ragged { row: 2, found: 3, expected: 4 }));
        assert_eq!("#...\n####".parse::<Board>(), Err(BoardError::FullRow(2)));
        assert_eq!(Board::new(10, 41), Err(BoardError::Height(41)));
    }

    #[test]
    fn cleared_rows_leave_no_gap() {
        let mut cleared = board("#..#\n.##.\n##..\n.#.#");
        cleared.clear_rows(0b0101);
        assert_eq!(cleared.to_string(), "#..#\n##..");
    }

    #[test]
    fn a_board_in_a_file_is_its_drawn_rows() {
        let board = board("#...\n##..");
        let file = r###"{"width":4,"height":40,"rows":["#...","##.."]}"###;
        assert_eq!(serde_json::to_string(&board).unwrap(), file);
        assert_eq!(serde_json::from_str::<Board>(file).unwrap(), board);
        let wrong = r###"{"width":4,"height":1,"rows":["#...","##.."]}"###;
        assert!(serde_json::from_str::<Board>(wrong).unwrap_err().to_string().contains("not 2"));
    }

    #[test]
    fn after_a_placement_full_rows_are_gone_and_named() {
        use crate::location::{PieceLocation, Placement, Spin};
        use crate::piece::{Orientation, Piece};
        let before = board("##..\n##..");
        let location = PieceLocation { piece: Piece::O, orientation: Orientation::North, x: 2, y: 0 };
        let (after, full) = before.after(Placement::new(location, Spin::None));
        assert_eq!((after.is_empty(), full), (true, 0b11));
        assert_eq!(before.filled_cells(), 4);
    }
}
