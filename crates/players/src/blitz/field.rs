//! A field: the lowest rows of a board in one number, and what a piece does to it.

use std::fmt::Debug;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not, Shl, Shr};
use tetrion_engine::board::Board;
use tetrion_engine::location::PieceLocation;

/// Columns of a field.
pub const COLUMNS: usize = 10;

/// The full row at the bottom, as a number.
pub const FULL_ROW: usize = (1 << COLUMNS) - 1;

/// A number whose bit `x + 10 y` is the cell in column `x` from the left and row `y` from the bottom. The bits above the last row
/// are free for other uses.
pub trait Cells:
    Copy
    + Debug
    + Eq
    + Ord
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitAndAssign
    + BitOr<Output = Self>
    + BitOrAssign
    + Not<Output = Self>
    + Shl<usize, Output = Self>
    + Shr<usize, Output = Self>
{
    /// Rows of a field. A stack that is higher is about to lose.
    const ROWS: usize;
    /// Whether the free bits hold the garbage of a versus game.
    const HAVE_GARBAGE: bool;
    /// No cells.
    const NONE: Self;
    /// Column 0 of the bottom row.
    const FIRST: Self;
    /// A full row at the bottom.
    const ROW: Self;
    /// All cells.
    const ALL: Self;
    /// Column 0.
    const FIRST_COLUMN: Self;
    /// The last column.
    const LAST_COLUMN: Self;

    /// How many there are.
    fn count(self) -> u32;

    /// The number of the lowest one.
    fn lowest(self) -> usize;

    /// One more than the number of the highest one, or 0.
    fn end(self) -> usize;

    /// All but the lowest one.
    fn without_lowest(self) -> Self;

    /// The lowest 64 of them.
    fn low(self) -> u64;

    /// The number as cells.
    fn from_low(low: u64) -> Self;

    /// A number that scatters them.
    fn scattered(self) -> u64;

    /// The cell with this number.
    #[inline]
    fn cell(at: usize) -> Self {
        Self::FIRST << at
    }
}

/// Twelve rows.
impl Cells for u128 {
    const ROWS: usize = 12;
    const HAVE_GARBAGE: bool = false;
    const NONE: u128 = 0;
    const FIRST: u128 = 1;
    const ROW: u128 = (1 << COLUMNS) - 1;
    const ALL: u128 = (1 << (COLUMNS * Self::ROWS)) - 1;
    const FIRST_COLUMN: u128 = {
        let (mut column, mut y) = (0, 0);
        while y < Self::ROWS {
            column |= 1 << (COLUMNS * y);
            y += 1;
        }
        column
    };
    const LAST_COLUMN: u128 = Self::FIRST_COLUMN << (COLUMNS - 1);

    #[inline]
    fn count(self) -> u32 {
        self.count_ones()
    }

    #[inline]
    fn lowest(self) -> usize {
        self.trailing_zeros() as usize
    }

    #[inline]
    fn end(self) -> usize {
        128 - self.leading_zeros() as usize
    }

    #[inline]
    fn without_lowest(self) -> u128 {
        self & self.wrapping_sub(1)
    }

    #[inline]
    fn low(self) -> u64 {
        self as u64
    }

    #[inline]
    fn from_low(low: u64) -> u128 {
        low.into()
    }

    #[inline]
    fn scattered(self) -> u64 {
        let low = (self as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let high = ((self >> 64) as u64).wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
        (low.rotate_left(29) ^ high).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20
    }
}

/// The field of a board; `None` if the stack is higher or the width is different.
pub fn of_board<C: Cells>(board: &Board) -> Option<C> {
    if board.width() != COLUMNS || board.stack_height() > C::ROWS {
        return None;
    }
    let column = |x: usize| {
        (0..C::ROWS).filter(move |y| board.columns()[x] >> y & 1 == 1).map(move |y| x + COLUMNS * y)
    };
    Some((0..COLUMNS).flat_map(column).fold(C::NONE, |cells, at| cells | C::cell(at)))
}

/// The field as a board of that height, on a floor of full rows.
#[inline]
pub fn to_board<C: Cells>(field: C, floor: u32, height: usize) -> Board {
    let mut columns = [(1 << floor) - 1; COLUMNS];
    let mut rest = field;
    let mut y = floor;
    while rest != C::NONE {
        let row = rest.low() & FULL_ROW as u64;
        for (x, column) in columns.iter_mut().enumerate() {
            *column |= (row >> x & 1) << y;
        }
        rest = rest >> COLUMNS;
        y += 1;
    }
    Board::from_columns(&columns, height)
}

/// The cells of a piece above a floor; `None` if it reaches above the field.
#[inline]
pub fn cells_of<C: Cells>(location: PieceLocation, floor: u32) -> Option<C> {
    let mut cells = C::NONE;
    for (x, y) in location.cells() {
        if y >= C::ROWS as i32 {
            return None;
        }
        cells |= C::cell((x + (y - floor as i32) * COLUMNS as i32) as usize);
    }
    Some(cells)
}

/// The field without its full rows, and how many there were. Only rows that the cells touch can be full.
#[inline]
pub fn clear<C: Cells>(mut field: C, cells: C) -> (C, u32) {
    let mut lines = 0;
    let low = cells.lowest() / COLUMNS;
    let high = (cells.end() - 1) / COLUMNS;
    // From the top, so that the rows below stay where they are.
    for y in (low..=high).rev() {
        if row(field, y) == FULL_ROW {
            let above = !C::NONE << (y * COLUMNS);
            field = field & !above | field >> COLUMNS & above;
            lines += 1;
        }
    }
    (field, lines)
}

/// The field with every hole filled.
#[inline]
pub fn solid<C: Cells>(field: C) -> C {
    let mut solid = field | field >> COLUMNS;
    let mut rows = 2;
    while rows < C::ROWS {
        solid |= solid >> (rows * COLUMNS);
        rows *= 2;
    }
    solid
}

/// The field on so many rows of garbage with holes in one column. There must be room for it.
#[inline]
pub fn raised<C: Cells>(field: C, rows: u32, hole: usize) -> C {
    let row = C::ROW & !C::cell(hole);
    (0..rows).fold(field, |field, _| field << COLUMNS | row)
}

/// The rows of the stack.
#[inline]
pub fn height<C: Cells>(field: C) -> usize {
    field.end().div_ceil(COLUMNS)
}

/// The cells of a row, as a number.
#[inline]
pub fn row<C: Cells>(field: C, y: usize) -> usize {
    (field >> (y * COLUMNS)).low() as usize & FULL_ROW
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use tetrion_engine::moves::{MoveRules, generate};
    use tetrion_engine::piece::Piece;
    use tetrion_engine::randomizer::Random;

    /// A board with a random stack of up to `rows` rows, none of them full.
    pub fn random_board(random: &mut Random, rows: u64) -> Board {
        let mut board = Board::guideline();
        for y in 0..random.below(rows + 1) as usize {
            let gap = random.below(10) as usize;
            (0..10).filter(|x| *x != gap).for_each(|x| board.set(x, y, random.below(100) < 85));
        }
        board
    }

    pub fn check_placements<C: Cells>() {
        let mut random = Random::new(1);
        for round in 0..500 {
            let board = random_board(&mut random, 9);
            let field: C = of_board(&board).unwrap();
            assert_eq!(to_board(field, 0, board.height()), board);
            let piece = Piece::ALL[round % 7];
            let start = PieceLocation::spawning(piece, &board, 19);
            for placement in generate(&board, start, MoveRules::GUIDELINE).iter() {
                let (after, full) = board.after(placement);
                let found = cells_of(placement.location(), 0).map(|cells: C| clear(field | cells, cells));
                if let Some(found) = found {
                    assert_eq!(
                        Some(found),
                        of_board::<C>(&after).map(|after| (after, full.count_ones())),
                        "{placement} on {board:?}"
                    );
                } else {
                    assert!(placement.location().cells().iter().any(|(_, y)| *y >= C::ROWS as i32));
                }
            }
        }
    }

    #[test]
    fn placements_do_the_same_on_a_field_as_on_a_board() {
        check_placements::<u128>();
    }

    #[test]
    fn other_boards_have_no_field() {
        let mut high = Board::guideline();
        high.set(3, 12, true);
        assert_eq!((of_board::<u128>(&high), of_board::<u128>(&Board::new(9, 20).unwrap())), (None, None));
    }
}
