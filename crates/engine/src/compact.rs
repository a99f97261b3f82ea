//! Small boards, each in one integer, and shapes that drop straight onto them.
//!
//! Bit `x + y * width` is the cell in column `x` from the left and row `y` from the bottom. A board has fewer than 64 cells, and
//! a placement takes a few instructions.

use std::ops::Range;

/// A board in one integer.
pub type Bits = u64;

/// The size of boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    width: usize,
    height: usize,
    /// The leftmost column and the bottom row, all filled.
    column: Bits,
    row: Bits,
}

/// A shape in the bottom left corner of a board, ready to be dropped in any column where it fits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    cells: Bits,
    height: usize,
    columns: usize,
    /// The lowest cell of each of its columns.
    skirt: Vec<u32>,
}

impl Shape {
    /// Its cells.
    #[inline]
    pub fn cells(&self) -> Bits {
        self.cells
    }

    /// How many rows it spans.
    #[inline]
    pub fn height(&self) -> usize {
        self.height
    }

    /// In how many columns it can be dropped.
    #[inline]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Where its lower left corner can't go, on a [`solid`](Grid::solid) board.
    #[inline]
    pub fn blocked(&self, solid: Bits) -> Bits {
        self.skirt.iter().fold(0, |blocked, by| blocked | solid >> by)
    }
}

impl Grid {
    /// Boards of that size.
    ///
    /// # Panics
    /// If they have no cells, or 64 or more.
    pub fn new(width: usize, height: usize) -> Grid {
        let cells = width * height;
        assert!(cells > 0 && cells < Bits::BITS as usize, "{width}x{height} cells don't fit into an integer");
        let column = (0..height).fold(0, |column, y| column | 1 << (y * width));
        Grid { width, height, column, row: (1 << width) - 1 }
    }

    /// Columns.
    #[inline]
    pub fn width(&self) -> usize {
        self.width
    }

    /// Rows.
    #[inline]
    pub fn height(&self) -> usize {
        self.height
    }

    /// The cells of column 0.
    #[inline]
    pub fn column(&self) -> Bits {
        self.column
    }

    /// The shape of cells (column, row) that start in column 0 and row 0. `None` if it is too large for these boards.
    pub fn shape(&self, cells: &[(usize, usize)]) -> Option<Shape> {
        let width = cells.iter().map(|cell| cell.0 + 1).max()?;
        let height = cells.iter().map(|cell| cell.1 + 1).max()?;
        if width > self.width || height * self.width >= Bits::BITS as usize {
            return None;
        }
        let lowest = |x| cells.iter().filter(|cell| cell.0 == x).map(|cell| cell.1).min();
        Some(Shape {
            cells: cells.iter().fold(0, |bits, (x, y)| bits | 1 << (x + y * self.width)),
            height,
            columns: self.width - width + 1,
            skirt: (0..width).filter_map(|x| lowest(x).map(|y| (x + y * self.width) as u32)).collect(),
        })
    }

    /// The board with every cell under a filled one filled too: no falling piece can reach those.
    #[inline]
    pub fn solid(&self, board: Bits) -> Bits {
        let mut solid = board;
        let mut by = self.width;
        while by < self.width * self.height {
            solid |= solid >> by;
            by *= 2;
        }
        solid
    }

    /// The row in which a shape comes to rest with its left end in column `x`: the number of blocked rows there.
    #[inline]
    pub fn rest(&self, blocked: Bits, x: usize) -> usize {
        (blocked & self.column << x).count_ones() as usize
    }

    /// The board with a shape placed and full rows cleared, and the number of cleared rows. The shape may reach above the board,
    /// as long as the integer has bits for it.
    #[inline]
    pub fn place(&self, board: Bits, shape: &Shape, x: usize, y: usize) -> (Bits, u32) {
        self.clear(board | shape.cells << (x + y * self.width), y..y + shape.height)
    }

    /// The board without the full rows in a range, and their number.
    #[inline]
    pub fn clear(&self, mut board: Bits, among: Range<usize>) -> (Bits, u32) {
        let mut rows = 0;
        // From the top, so that the rows below stay where they are.
        for y in among.rev() {
            let at = y * self.width;
            if board >> at & self.row == self.row {
                let below = (1 << at) - 1;
                board = board & below | board >> self.width & !below;
                rows += 1;
            }
        }
        (board, rows)
    }

    /// The mirror image of a board.
    #[inline]
    pub fn mirrored(&self, mut board: Bits) -> Bits {
        for x in 0..self.width / 2 {
            let across = self.width - 1 - 2 * x;
            let differ = (board ^ board >> across) & self.column << x;
            board ^= differ | differ << across;
        }
        board
    }
}
