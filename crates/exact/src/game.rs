//! A small game: pieces that drop straight down onto a small board.

use crate::pieces::{Oriented, Overflow, PieceSet};
use tetrion_engine::compact::{Grid, Shape};
use tetrion_engine::words::counted;

pub use tetrion_engine::compact::Bits;

/// Where to put a piece: the index of its placement, by orientation and then column, or [`LOST`] if every placement loses.
pub type PlacementIndex = u8;

/// The decision when every placement loses.
pub const LOST: PlacementIndex = PlacementIndex::MAX;

/// The greatest number of rows or columns of a board.
pub const MAX_BOARD_SIDE: usize = 32;

/// The result of a placement that does not lose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Successor {
    /// The board after clearing.
    pub board: Bits,
    /// The number of rows cleared.
    pub rows: u32,
}

/// Pieces and a board.
#[derive(Clone, Debug)]
pub struct SmallGame {
    pieces: PieceSet,
    grid: Grid,
    /// The orientations of each piece that fit the board.
    shapes: Vec<Vec<Shape>>,
}

/// Why a drawing is not a board of the game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadBoardError {
    /// Too many rows.
    #[error("the drawing has {found} rows, but the board has {height}")]
    Rows {
        /// The rows found.
        found: usize,
        /// The rows of the board.
        height: usize,
    },
    /// A row of another width.
    #[error("row {row} from the top has {}, but the board has {width}", counted(*found as u64, "column"))]
    Columns {
        /// The row, from 1.
        row: usize,
        /// The columns found.
        found: usize,
        /// The columns of the board.
        width: usize,
    },
    /// A row that would have been cleared.
    #[error("row {0} from the top is full: the game clears full rows at once")]
    Full(usize),
}

/// Why a board can't be played on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SizeError {
    /// No rows or columns, or too many.
    #[error("a board needs 1 to {MAX_BOARD_SIDE} columns and 1 to {MAX_BOARD_SIDE} rows")]
    Side,
    /// More cells than an integer has bits.
    #[error(
        "a {width}x{height} board has too many cells to solve: the limit is {most}{}",
        if *above { ", counting those above the board that a piece can reach" } else { "" }
    )]
    Cells {
        /// Its columns.
        width: usize,
        /// Its rows.
        height: usize,
        /// Whether the rows above it count.
        above: bool,
        /// The greatest number of cells.
        most: usize,
    },
    /// More placements than a decision can number.
    #[error("the piece {0} has more than {LOST} placements on this board")]
    Placements(String),
}

impl SmallGame {
    /// A game on a board of this size.
    pub fn new(pieces: PieceSet, width: usize, height: usize) -> Result<SmallGame, SizeError> {
        if !(1..=MAX_BOARD_SIDE).contains(&width) || !(1..=MAX_BOARD_SIDE).contains(&height) {
            return Err(SizeError::Side);
        }
        let shapes = || pieces.kinds().iter().flat_map(|kind| kind.orientations());
        let tallest = shapes().map(|shape| shape.height()).max().unwrap_or(0);
        let above = pieces.overflow() == Overflow::AfterClearing;
        let rows = if above { height + tallest } else { height };
        let most = Bits::BITS as usize - 1;
        if width * rows > most {
            return Err(SizeError::Cells { width, height, above, most });
        }
        let grid = Grid::new(width, height);
        let mut shapes = Vec::new();
        for kind in pieces.kinds() {
            let shape = |shape: &Oriented| grid.shape(&shape.cells().collect::<Vec<_>>());
            let facing: Vec<Shape> = kind.orientations().iter().filter_map(shape).collect();
            if facing.iter().map(Shape::columns).sum::<usize>() > LOST as usize {
                return Err(SizeError::Placements(kind.name().to_owned()));
            }
            shapes.push(facing);
        }
        Ok(SmallGame { pieces, grid, shapes })
    }

    /// The pieces.
    pub fn pieces(&self) -> &PieceSet {
        &self.pieces
    }

    /// Columns of the board.
    pub fn width(&self) -> usize {
        self.grid.width()
    }

    /// Rows of the board.
    pub fn height(&self) -> usize {
        self.grid.height()
    }

    /// Number of cells of the board.
    pub fn cells(&self) -> usize {
        self.width() * self.height()
    }

    /// The mirror image of a board.
    #[inline]
    pub fn mirrored(&self, board: Bits) -> Bits {
        self.grid.mirrored(board)
    }

    /// Calls `visit` with every placement of a piece that does not lose, by orientation and then column.
    #[inline]
    pub fn for_each_successor(
        &self,
        board: Bits,
        piece: usize,
        mut visit: impl FnMut(PlacementIndex, Successor),
    ) {
        let solid = self.grid.solid(board);
        let mut decision = 0;
        for shape in &self.shapes[piece] {
            let blocked = shape.blocked(solid);
            for x in 0..shape.columns() {
                if let Some(successor) = self.land(board, shape, blocked, x) {
                    visit(decision, successor);
                }
                decision += 1;
            }
        }
    }

    /// The result of a placement, or `None` if it loses or does not exist.
    #[inline]
    pub fn successor(&self, board: Bits, piece: usize, decision: PlacementIndex) -> Option<Successor> {
        let (shape, x) = self.shape(piece, decision)?;
        self.land(board, shape, shape.blocked(self.grid.solid(board)), x)
    }

    /// The cells where a placement comes to rest, including any above the board, or `None` if there is no such placement.
    pub fn resting_cells(
        &self,
        board: Bits,
        piece: usize,
        decision: PlacementIndex,
    ) -> Option<Vec<(usize, usize)>> {
        let (shape, x) = self.shape(piece, decision)?;
        let y = self.grid.rest(shape.blocked(self.grid.solid(board)), x);
        let place = |at: usize| (at % self.width() + x, at / self.width() + y);
        Some((0..Bits::BITS as usize).filter(|at| shape.cells() >> at & 1 == 1).map(place).collect())
    }

    /// The number of placements of a piece, including those that lose.
    pub fn placements(&self, piece: usize) -> usize {
        self.shapes[piece].iter().map(Shape::columns).sum()
    }

    /// Reads a board drawn as rows from the top, separated by `/` or line breaks. `.`, `_` and `-` are empty cells. Missing
    /// rows are empty rows at the top.
    pub fn read(&self, text: &str) -> Result<Bits, ReadBoardError> {
        let rows: Vec<_> = text.split(['/', '\n']).map(str::trim).filter(|row| !row.is_empty()).collect();
        let (found, height, width) = (rows.len(), self.height(), self.width());
        if found > height {
            return Err(ReadBoardError::Rows { found, height });
        }
        let mut board = 0;
        for (row, text) in rows.iter().enumerate() {
            let cells: Vec<bool> = text.chars().map(|cell| !matches!(cell, '.' | '_' | '-')).collect();
            if cells.len() != width {
                return Err(ReadBoardError::Columns { row: row + 1, found: cells.len(), width });
            }
            if cells.iter().all(|filled| *filled) {
                return Err(ReadBoardError::Full(row + 1));
            }
            for x in (0..width).filter(|x| cells[*x]) {
                board |= 1 << (x + (found - 1 - row) * width);
            }
        }
        Ok(board)
    }

    /// The rows of a board, from the top.
    pub fn rows(&self, board: Bits) -> Vec<Vec<bool>> {
        let cell = |x: usize, y: usize| board >> (x + y * self.width()) & 1 == 1;
        (0..self.height()).rev().map(|y| (0..self.width()).map(|x| cell(x, y)).collect()).collect()
    }

    #[inline]
    fn shape(&self, piece: usize, decision: PlacementIndex) -> Option<(&Shape, usize)> {
        let mut x = decision as usize;
        for shape in &self.shapes[piece] {
            if x < shape.columns() {
                return Some((shape, x));
            }
            x -= shape.columns();
        }
        None
    }

    #[inline]
    fn land(&self, board: Bits, shape: &Shape, blocked: Bits, x: usize) -> Option<Successor> {
        let y = self.grid.rest(blocked, x);
        let outside = y + shape.height() > self.height();
        if outside && self.pieces.overflow() == Overflow::BeforeClearing {
            return None;
        }
        let (board, rows) = self.grid.place(board, shape, x, y);
        (!outside || board >> self.cells() == 0).then_some(Successor { board, rows })
    }
}
