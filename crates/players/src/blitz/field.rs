//! A field: the lowest twelve rows of a board in one 128-bit number, and what a piece does to it.

use tetrion_engine::board::Board;
use tetrion_engine::location::PieceLocation;

/// Rows of a field. A stack that is higher is about to lose.
pub const ROWS: usize = 12;
/// Columns of a field.
pub const COLUMNS: usize = 10;

/// Bit `x + 10 y` is the cell in column `x` from the left and row `y` from the bottom.
pub type Cells = u128;

/// A full row at the bottom.
pub const ROW: Cells = (1 << COLUMNS) - 1;
/// Column 0.
pub const FIRST_COLUMN: Cells = {
    let (mut column, mut y) = (0, 0);
    while y < ROWS {
        column |= 1 << (COLUMNS * y);
        y += 1;
    }
    column
};
/// The last column.
pub const LAST_COLUMN: Cells = FIRST_COLUMN << (COLUMNS - 1);
/// All cells.
pub const ALL: Cells = (1 << (COLUMNS * ROWS)) - 1;

/// The field of a board; `None` if the stack is higher or the width is different.
pub fn of_board(board: &Board) -> Option<Cells> {
    if board.width() != COLUMNS || board.stack_height() > ROWS {
        return None;
    }
    let column =
        |x: usize| (0..ROWS).filter(move |y| board.columns()[x] >> y & 1 == 1).map(move |y| x + COLUMNS * y);
    Some((0..COLUMNS).flat_map(column).fold(0, |cells, at| cells | 1 << at))
}

/// The field as a board of that height.
#[inline]
pub fn to_board(field: Cells, height: usize) -> Board {
    let mut columns = [0u64; COLUMNS];
    let mut rest = field;
    let mut y = 0;
    while rest != 0 {
        let row = rest as u64 & ROW as u64;
        for (x, column) in columns.iter_mut().enumerate() {
            *column |= (row >> x & 1) << y;
        }
        rest >>= COLUMNS;
        y += 1;
    }
    Board::from_columns(&columns, height)
}

/// The cells of a piece; `None` if it reaches above the field.
#[inline]
pub fn cells_of(location: PieceLocation) -> Option<Cells> {
    let mut cells = 0;
    for (x, y) in location.cells() {
        if y >= ROWS as i32 {
            return None;
        }
        cells |= 1 << (x + y * COLUMNS as i32);
    }
    Some(cells)
}

/// The field without its full rows, and how many there were. Only rows that the cells touch can be full.
#[inline]
pub fn clear(mut field: Cells, cells: Cells) -> (Cells, u32) {
    let mut lines = 0;
    let low = cells.trailing_zeros() as usize / COLUMNS;
    let high = (127 - cells.leading_zeros() as usize) / COLUMNS;
    // From the top, so that the rows below stay where they are.
    for y in (low..=high).rev() {
        let at = y * COLUMNS;
        if field >> at & ROW == ROW {
            let below = (1 << at) - 1;
            field = field & below | field >> COLUMNS & !below;
            lines += 1;
        }
    }
    (field, lines)
}

/// The field with every hole filled.
#[inline]
pub fn solid(field: Cells) -> Cells {
    let mut solid = field | field >> COLUMNS;
    solid |= solid >> (2 * COLUMNS);
    solid |= solid >> (4 * COLUMNS);
    solid | solid >> (8 * COLUMNS)
}

#[cfg(test)]
pub(super) mod tests {
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

    #[test]
    fn placements_do_the_same_on_a_field_as_on_a_board() {
        let mut random = Random::new(1);
        for round in 0..500 {
            let board = random_board(&mut random, 9);
            let field = of_board(&board).unwrap();
            assert_eq!(to_board(field, board.height()), board);
            let piece = Piece::ALL[round % 7];
            let start = PieceLocation::spawning(piece, &board, 19);
            for placement in generate(&board, start, MoveRules::GUIDELINE).iter() {
                let (after, full) = board.after(placement);
                let found = cells_of(placement.location()).map(|cells| clear(field | cells, cells));
                if let Some(found) = found {
                    assert_eq!(
                        Some(found),
                        of_board(&after).map(|after| (after, full.count_ones())),
                        "{placement} on {board:?}"
                    );
                } else {
                    assert!(placement.location().cells().iter().any(|(_, y)| *y >= ROWS as i32));
                }
            }
        }
    }

    #[test]
    fn other_boards_have_no_field() {
        let mut high = Board::guideline();
        high.set(3, ROWS, true);
        assert_eq!((of_board(&high), of_board(&Board::new(9, 20).unwrap())), (None, None));
    }
}
