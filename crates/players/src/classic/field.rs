//! The boards of games in progress: boards of any size, and low ones that fit the lanes.
//!
//! Columns are upside down: the bottom row is the highest bit.

use super::shape::KernelShape;
use tetrion_engine::board::Board;
use wide::u16x16;

/// Width and height of a board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Size {
    pub(super) width: usize,
    pub(super) height: usize,
}

impl Size {
    /// A size that the kernel supports.
    ///
    /// # Panics
    /// If the kernel does not support it.
    pub(super) fn checked(width: usize, height: usize) -> Size {
        assert!(
            (4..=16).contains(&width) && (4..=40).contains(&height),
            "a board is 4 to 16 columns wide and 4 to 40 rows high, not {width}x{height}"
        );
        Size { width, height }
    }

    /// The rows of the board.
    pub(super) fn rows(self) -> u64 {
        !(u64::MAX >> self.height)
    }
}

/// A board of any size. Columns beyond the width are empty.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field {
    pub(super) columns: [u64; 16],
    width: usize,
}

impl Field {
    pub(super) fn of(board: &Board) -> Field {
        let mut columns = [0; 16];
        for (column, rows) in columns.iter_mut().zip(board.columns()) {
            *column = rows.reverse_bits();
        }
        Field { columns, width: board.width() }
    }

    /// Writes the board into an engine board of the same size.
    pub(super) fn draw_over(&self, board: &mut Board) {
        for (x, column) in self.columns[..self.width].iter().enumerate() {
            let rows = column.reverse_bits();
            let mut changed = rows ^ board.columns()[x];
            while changed != 0 {
                let y = changed.trailing_zeros();
                board.set(x, y as usize, rows >> y & 1 == 1);
                changed &= changed - 1;
            }
        }
    }

    /// Drops a shape and clears full rows.
    pub(super) fn drop(&mut self, shape: &KernelShape, x: usize) -> Drop {
        let columns = &mut self.columns[..self.width];
        let rest = |(column, bottom): (&u64, &u16)| height(*column).saturating_sub((*bottom).into());
        let under = &columns[x..x + shape.width];
        let row = under.iter().zip(&shape.bottoms).map(rest).fold(0, u32::max);
        for (column, cells) in columns[x..x + shape.width].iter_mut().zip(shape.cells) {
            *column |= cells >> row;
        }
        let full = columns.iter().fold(u64::MAX, |full, column| full & column);
        let in_full_rows = |cells: &u64| (cells >> row & full).count_ones();
        let cells_in_full_rows = shape.cells[..shape.width].iter().map(in_full_rows).sum();
        let mut left = full;
        while left != 0 {
            // From the top, so that the other full rows stay where they are.
            let row = left & left.wrapping_neg();
            left ^= row;
            for column in columns.iter_mut() {
                // The row is full, so it can be subtracted; a set of rows added to itself moves down.
                *column = *column - row + (*column & (row - 1));
            }
        }
        Drop { row, lines: full.count_ones(), cells_in_full_rows }
    }

    /// Whether any empty cell has a filled one above it.
    pub(super) fn has_holes(&self) -> bool {
        // Negation keeps the highest cell and inverts every cell below it.
        let holes = self.columns.iter().map(|column| column.wrapping_neg() & !column);
        holes.fold(0, |all, holes| all | holes) != 0
    }

    /// The height of the highest column.
    pub(super) fn stack_height(&self) -> u32 {
        height(self.columns.iter().fold(0, |all, column| all | column))
    }
}

/// What a shape did when it dropped.
pub(super) struct Drop {
    /// The row of its lowest cell, before clearing.
    pub(super) row: u32,
    /// Rows cleared.
    pub(super) lines: u32,
    /// The cells of the shape in these rows.
    pub(super) cells_in_full_rows: u32,
}

fn height(column: u64) -> u32 {
    64 - column.trailing_zeros()
}

/// A board of [`LOW_WIDTH`](super::lanes::LOW_WIDTH) columns whose stack is in the lowest 16 rows, in one vector. The
/// other columns are empty.
#[derive(Clone, Copy, Debug)]
pub(super) struct LowField(pub(super) u16x16);

impl LowField {
    /// An empty board.
    pub(super) const EMPTY: LowField = LowField(u16x16::new([0; 16]));

    /// The lowest rows of a board.
    pub(super) fn of(field: &Field) -> LowField {
        LowField(u16x16::new(field.columns.map(|column| (column >> 48) as u16)))
    }

    /// The board as a [`Field`].
    pub(super) fn to_field(self, size: Size) -> Field {
        Field { columns: self.0.to_array().map(|column| u64::from(column) << 48), width: size.width }
    }
}
