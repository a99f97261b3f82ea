//! A field: the lowest six rows of a board in one 64-bit number, and the placements on it.

use tetrion_engine::board::Board;
use tetrion_engine::compact::{Bits, Grid, Shape};
use tetrion_engine::location::PieceLocation;
use tetrion_engine::moves::{MoveRules, Movement, generate};
use tetrion_engine::piece::{Orientation, Piece};

/// Rows of a field. A good Sprint never needs more.
pub const ROWS: usize = 6;
/// Columns of a field.
pub const COLUMNS: usize = 10;

/// Generates the placements on fields, for one kind of movement.
pub struct Fields {
    grid: Grid,
    shapes: [Vec<Shape>; 7],
    movement: Movement,
}

impl Fields {
    /// Fields with hard drops only ([`Movement::HardDrop`]) or with full movement ([`Movement::Full`]).
    pub fn new(movement: Movement) -> Fields {
        let grid = Grid::new(COLUMNS, ROWS);
        let shapes = Piece::ALL.map(|piece| {
            let shape = |orientation: &Orientation| grid.shape(&piece.shape(*orientation));
            piece.distinct_orientations().iter().filter_map(shape).collect()
        });
        Fields { grid, shapes, movement }
    }

    /// How pieces may move.
    pub fn movement(&self) -> Movement {
        self.movement
    }

    /// The field of a board; `None` if the stack is higher or the width is different.
    pub fn of(board: &Board) -> Option<Bits> {
        if board.width() != COLUMNS || board.stack_height() > ROWS {
            return None;
        }
        let cells = (0..COLUMNS * ROWS).filter(|at| board.columns()[at % COLUMNS] >> (at / COLUMNS) & 1 == 1);
        Some(cells.fold(0, |bits, at| bits | 1 << at))
    }

    /// The field as a guideline board, with room to spawn pieces.
    pub fn board(field: Bits) -> Board {
        let mut board = Board::guideline();
        for at in bits(field) {
            board.set(at % COLUMNS, at / COLUMNS, true);
        }
        board
    }

    /// Calls `visit` with the field after every placement of a piece, and the number of rows cleared. Only placements within
    /// the lowest `ceiling` rows count, and only those within the field.
    #[inline]
    pub fn for_each_landing(
        &self,
        field: Bits,
        piece: Piece,
        ceiling: usize,
        mut visit: impl FnMut(Bits, u32),
    ) {
        self.for_each_placement(field, piece, ceiling, |_, after, rows| visit(after, rows));
    }

    /// Like [`for_each_landing`](Fields::for_each_landing), but calls `visit` with the cells of the placement first.
    #[inline]
    pub fn for_each_placement(
        &self,
        field: Bits,
        piece: Piece,
        ceiling: usize,
        mut visit: impl FnMut(Bits, Bits, u32),
    ) {
        let ceiling = ceiling.min(ROWS);
        if self.movement == Movement::Full {
            return self.for_each_placement_by_full_movement(field, piece, ceiling, &mut visit);
        }
        let solid = self.grid.solid(field);
        for shape in &self.shapes[piece as usize] {
            let blocked = shape.blocked(solid);
            for x in 0..shape.columns() {
                let y = self.grid.rest(blocked, x);
                if y + shape.height() <= ceiling {
                    let (after, rows) = self.grid.place(field, shape, x, y);
                    visit(shape.cells() << (x + y * COLUMNS), after, rows);
                }
            }
        }
    }

    /// [`for_each_placement`](Fields::for_each_placement) with full movement.
    fn for_each_placement_by_full_movement(
        &self,
        field: Bits,
        piece: Piece,
        ceiling: usize,
        visit: &mut dyn FnMut(Bits, Bits, u32),
    ) {
        let board = Fields::board(field);
        let start = PieceLocation::spawning(piece, &board, 19);
        let rules = MoveRules { movement: Movement::Full, half_turns: false, spins: false };
        for placement in generate(&board, start, rules).iter() {
            let cells = placement.location().cells();
            if cells.iter().all(|cell| cell.1 < ceiling as i32) {
                let cells = cells.iter().fold(0, |bits, (x, y)| bits | 1 << (x + y * COLUMNS as i32));
                let (after, rows) = self.grid.clear(field | cells, 0..ceiling);
                visit(cells, after, rows);
            }
        }
    }

    /// The field with every hole filled.
    #[inline]
    pub fn solid(&self, field: Bits) -> Bits {
        self.grid.solid(field)
    }
}

/// A quick necessary condition for filling the empty cells of the lowest `rows` with tetrominoes. If no row has two adjacent
/// empty cells across the border between two columns, no piece can ever cross that border. Then the empty cells on each side
/// must be a multiple of four. Always true for more rows than a field has.
#[inline]
pub fn can_be_filled(field: Bits, rows: usize) -> bool {
    if rows > ROWS {
        return true;
    }
    let empty = !field & ((1 << (rows * COLUMNS)) - 1);
    let open = empty & empty >> 1;
    // Combines all rows into one.
    let open = open | open >> (3 * COLUMNS);
    let open = open | open >> COLUMNS | open >> (2 * COLUMNS);
    let mut closed = !open & ((1 << (COLUMNS - 1)) - 1);
    while closed != 0 {
        let left = closed ^ (closed - 1);
        if !(empty & (FIRST_COLUMN * left)).count_ones().is_multiple_of(4) {
            return false;
        }
        closed &= closed - 1;
    }
    true
}

/// The cells of row 0.
pub const FIRST_ROW: Bits = (1 << COLUMNS) - 1;

/// The cells of column 0.
pub const FIRST_COLUMN: Bits = {
    let (mut column, mut y) = (0, 0);
    while y < ROWS {
        column |= 1 << (y * COLUMNS);
        y += 1;
    }
    column
};

/// The rows that are cleared if this many more pieces leave an empty field.
#[inline]
pub fn rows_left(field: Bits, pieces: usize) -> usize {
    (field.count_ones() as usize + 4 * pieces) / COLUMNS
}

/// The cells of the last column.
pub const LAST_COLUMN: Bits = FIRST_COLUMN << (COLUMNS - 1);

/// The indices of a field's filled cells, from the lowest row up, each row from the left.
pub fn bits(mut field: Bits) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let at = (field != 0).then(|| field.trailing_zeros() as usize)?;
        field &= field - 1;
        Some(at)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tetrion_engine::randomizer::Random;

    #[test]
    fn what_can_be_filled_is_what_counting_column_by_column_says() {
        let mut random = Random::new(1);
        let mut fillable = 0;
        for _ in 0..2_000 {
            let rows = 1 + random.below(ROWS as u64) as usize;
            let field = random.below(1 << 60) | random.below(1 << 60);
            let empty = |x: usize, y: usize| field >> (x + y * COLUMNS) & 1 == 0;
            let count = |x: usize| (0..rows).filter(|y| empty(x, *y)).count();
            let closed = |x: usize| (0..rows).all(|y| !(empty(x - 1, y) && empty(x, y)));
            let plain = (1..COLUMNS)
                .filter(|x| closed(*x))
                .all(|x| (0..x).map(count).sum::<usize>().is_multiple_of(4));
            assert_eq!(can_be_filled(field, rows), plain, "{field:x} {rows}");
            fillable += usize::from(plain);
        }
        assert!((20..1_980).contains(&fillable), "{fillable}");
    }
}
