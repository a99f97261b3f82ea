//! The field of a page: coloured cells, and the garbage row below them.

use std::fmt;
use std::str::FromStr;
use tetrion_engine::board::{Board, BoardError};
use tetrion_engine::location::PieceLocation;
use tetrion_engine::piece::Piece;
use tetrion_engine::words::counted;

/// The content of a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FumenCell {
    /// Empty.
    #[default]
    Empty,
    /// A block in a piece's colour.
    Piece(Piece),
    /// A block of no piece.
    Grey,
}

/// The colours, in the order of their numbers in a diagram.
const COLOURS: [FumenCell; 9] = [
    FumenCell::Empty,
    FumenCell::Piece(Piece::I),
    FumenCell::Piece(Piece::L),
    FumenCell::Piece(Piece::O),
    FumenCell::Piece(Piece::Z),
    FumenCell::Piece(Piece::T),
    FumenCell::Piece(Piece::J),
    FumenCell::Piece(Piece::S),
    FumenCell::Grey,
];

impl FumenCell {
    /// The cell with this number in a diagram.
    pub(super) fn from_number(number: i32) -> Option<FumenCell> {
        COLOURS.get(usize::try_from(number).ok()?).copied()
    }

    /// Its number in a diagram.
    pub(super) fn number(self) -> i32 {
        match self {
            FumenCell::Empty => 0,
            FumenCell::Piece(piece) => [1, 6, 2, 3, 7, 5, 4][piece as usize],
            FumenCell::Grey => 8,
        }
    }

    /// Its letter in a drawn field: the piece's, `X` for grey, `_` for empty.
    pub const fn letter(self) -> char {
        match self {
            FumenCell::Empty => '_',
            FumenCell::Piece(piece) => piece.letter(),
            FumenCell::Grey => 'X',
        }
    }

    /// The cell for a letter: `_`, `.` and `-` are empty, a piece's letter has its colour, and anything else is grey.
    pub fn from_letter(letter: char) -> FumenCell {
        match letter {
            '_' | '.' | '-' => FumenCell::Empty,
            _ => Piece::from_letter(letter).map_or(FumenCell::Grey, FumenCell::Piece),
        }
    }
}

/// A row, from the left.
pub(super) type FieldRow = [FumenCell; FumenField::WIDTH];

/// The field of a page: 10 columns and 23 rows, and a garbage row below them.
///
/// As text, it is drawn from the top, without the garbage row:
///
/// ```
/// use tetrion_interop::fumen::{FumenCell, FumenField};
/// let field: FumenField = "I_________\nIXXXXXXXX_".parse()?;
/// assert_eq!(field.cell(1, 0), FumenCell::Grey);
/// assert_eq!(field.to_string(), "I_________\nIXXXXXXXX_");
/// # Ok::<(), tetrion_interop::fumen::FieldError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FumenField {
    /// From the bottom, starting with the garbage row.
    rows: [FieldRow; FumenField::HEIGHT + 1],
}

/// Why a drawing or a board is not a field.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FieldError {
    /// Not ten columns.
    #[error("a fumen's field is 10 columns wide, not {0}")]
    Width(usize),
    /// A row of a drawing without exactly ten columns.
    #[error("row {row} from the top has {}: a fumen's field has 10", counted(*width as u64, "column"))]
    RowWidth {
        /// From 1.
        row: usize,
        /// Its columns.
        width: usize,
    },
    /// Too many rows.
    #[error("a fumen's field has at most 23 rows, not {0}")]
    Height(usize),
}

impl Default for FumenField {
    fn default() -> FumenField {
        FumenField { rows: [[FumenCell::Empty; FumenField::WIDTH]; FumenField::HEIGHT + 1] }
    }
}

impl FumenField {
    /// Columns.
    pub const WIDTH: usize = 10;
    /// Rows, without the garbage row.
    pub const HEIGHT: usize = 23;

    /// The content of a cell of the field.
    ///
    /// # Panics
    /// If there is no such cell.
    pub fn cell(&self, x: usize, y: usize) -> FumenCell {
        self.rows[y + 1][x]
    }

    /// Sets a cell of the field.
    ///
    /// # Panics
    /// If there is no such cell.
    pub fn set(&mut self, x: usize, y: usize, cell: FumenCell) {
        self.rows[y + 1][x] = cell;
    }

    /// The garbage row, from the left.
    pub fn garbage(&self) -> [FumenCell; FumenField::WIDTH] {
        self.rows[0]
    }

    /// Sets the garbage row.
    pub fn set_garbage(&mut self, row: [FumenCell; FumenField::WIDTH]) {
        self.rows[0] = row;
    }

    /// The number of rows up to the highest block.
    pub fn stack_height(&self) -> usize {
        self.rows[1..]
            .iter()
            .rposition(|row| row.iter().any(|cell| *cell != FumenCell::Empty))
            .map_or(0, |y| y + 1)
    }

    /// The field as a guideline board, without the garbage row. Fails if a row is full.
    pub fn board(&self) -> Result<Board, BoardError> {
        let mut board = Board::guideline();
        for y in 0..FumenField::HEIGHT {
            for x in 0..FumenField::WIDTH {
                board.set(x, y, self.cell(x, y) != FumenCell::Empty);
            }
        }
        match board.full_rows() {
            0 => Ok(board),
            full => Err(BoardError::FullRow(self.stack_height() - full.trailing_zeros() as usize)),
        }
    }

    /// A board as a field, all grey.
    pub fn of_board(board: &Board) -> Result<FumenField, FieldError> {
        if board.width() != FumenField::WIDTH {
            return Err(FieldError::Width(board.width()));
        }
        if board.stack_height() > FumenField::HEIGHT {
            return Err(FieldError::Height(board.stack_height()));
        }
        let mut field = FumenField::default();
        for y in 0..board.stack_height() {
            for x in 0..FumenField::WIDTH {
                if board.is_filled(x as i32, y as i32) {
                    field.set(x, y, FumenCell::Grey);
                }
            }
        }
        Ok(field)
    }

    /// The cells in the order of a diagram: from the top row to the garbage row.
    pub(super) fn in_order(&self) -> impl Iterator<Item = FumenCell> {
        self.rows.iter().rev().flatten().copied()
    }

    /// The same for the rows of a version, to change them.
    pub(super) fn in_order_mut(&mut self, rows: usize) -> impl Iterator<Item = &mut FumenCell> {
        self.rows[..rows].iter_mut().rev().flatten()
    }

    /// Adds a piece to the field. Cells above the top are lost.
    pub(super) fn fill(&mut self, operation: PieceLocation) {
        for (x, y) in operation.cells() {
            if let Some(cell) = self.rows[1..].get_mut(y as usize).and_then(|row| row.get_mut(x as usize)) {
                *cell = FumenCell::Piece(operation.piece);
            }
        }
    }

    /// Clears full rows.
    pub(super) fn clear_rows(&mut self) {
        let mut kept = 1;
        for y in 1..self.rows.len() {
            if self.rows[y].contains(&FumenCell::Empty) {
                self.rows[kept] = self.rows[y];
                kept += 1;
            }
        }
        self.rows[kept..].fill([FumenCell::Empty; FumenField::WIDTH]);
    }

    /// Moves everything up by one row, the garbage row into the field.
    pub(super) fn rise(&mut self) {
        self.rows.rotate_right(1);
        self.rows[0] = [FumenCell::Empty; FumenField::WIDTH];
    }

    /// Swaps left and right, but not in the garbage row.
    pub(super) fn mirror(&mut self) {
        self.rows[1..].iter_mut().for_each(|row| row.reverse());
    }
}

/// A row as letters.
pub(super) fn draw_row(row: &FieldRow) -> String {
    row.iter().map(|cell| cell.letter()).collect()
}

/// Reads a row from ten letters. The error is the number of letters, if not ten.
pub(super) fn read_row(text: &str) -> Result<FieldRow, usize> {
    let cells: Vec<FumenCell> = text.chars().map(FumenCell::from_letter).collect();
    cells.try_into().map_err(|cells: Vec<FumenCell>| cells.len())
}

impl fmt::Display for FumenField {
    /// Draws the rows up to the highest block.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows: Vec<_> = self.rows[1..=self.stack_height().max(1)].iter().rev().map(draw_row).collect();
        f.write_str(&rows.join("\n"))
    }
}

impl FromStr for FumenField {
    type Err = FieldError;

    /// Reads drawn rows, from the top.
    fn from_str(text: &str) -> Result<FumenField, FieldError> {
        let rows: Vec<&str> = text.lines().map(str::trim).filter(|row| !row.is_empty()).collect();
        if rows.len() > FumenField::HEIGHT {
            return Err(FieldError::Height(rows.len()));
        }
        let mut field = FumenField::default();
        for (index, text) in rows.iter().enumerate() {
            let row = read_row(text).map_err(|width| FieldError::RowWidth { row: index + 1, width })?;
            field.rows[rows.len() - index] = row;
        }
        Ok(field)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_and_numbers_are_each_others_inverse() {
        for number in 0..9 {
            assert_eq!(FumenCell::from_number(number).map(FumenCell::number), Some(number));
        }
        assert_eq!((FumenCell::from_number(9), FumenCell::from_number(-1)), (None, None));
    }

    #[test]
    fn wrong_drawings_are_refused_with_the_reason() {
        let ragged = "__________\n____".parse::<FumenField>();
        assert_eq!(ragged, Err(FieldError::RowWidth { row: 2, width: 4 }));
        assert_eq!("__________\n".repeat(24).parse::<FumenField>(), Err(FieldError::Height(24)));
    }

    #[test]
    fn a_field_with_a_full_row_is_no_board() {
        let field: FumenField = "X_________\nXXXXXXXXXX\n_XXXXXXXXX".parse().unwrap();
        assert_eq!(field.board(), Err(BoardError::FullRow(2)));
    }

    #[test]
    fn a_board_comes_back_from_its_field() {
        let board: Board = "#.........\n##.#######".parse().unwrap();
        assert_eq!(FumenField::of_board(&board).unwrap().board(), Ok(board));
        assert_eq!(FumenField::of_board(&Board::new(9, 20).unwrap()), Err(FieldError::Width(9)));
    }
}
