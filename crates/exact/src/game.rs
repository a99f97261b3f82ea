//! A small game: pieces that drop straight onto a board of few cells.

use crate::pieces::{Overflow, Pieces};

/// A board as bits: row by row from the lowest, each from the left. Boards in play have no full row.
pub type Bits = u64;

/// What to do with a piece: the number of its placement, by orientation and then column. [`LOST`] where all lose.
pub type Decision = u8;

/// The decision where no placement survives.
pub const LOST: Decision = Decision::MAX;

/// The most rows or columns that a board can have.
pub const MAX_SIDE: usize = 32;

/// What a placement that does not lose leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Landing {
    /// The board, without the rows that were full.
    pub board: Bits,
    /// The rows that were full.
    pub rows: u32,
}

/// Pieces and a board.
#[derive(Clone, Debug)]
pub struct SmallGame {
    pieces: Pieces,
    width: usize,
    height: usize,
    /// The lowest column and the lowest row, all filled.
    column: Bits,
    row: Bits,
    /// What a piece can do, by piece.
    drops: Vec<Vec<Drop>>,
}

/// A piece facing one way, at the left end of the floor.
#[derive(Clone, Debug)]
struct Drop {
    cells: Bits,
    height: usize,
    /// How many columns it can be placed in.
    columns: usize,
    /// Where the lowest cell of each of its columns is.
    skirt: Vec<u32>,
}

/// Why a drawn board is none of the game's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadBoardError {
    /// Too many rows.
    #[error("the board has {found} rows, and there are {height}")]
    Rows {
        /// The rows found.
        found: usize,
        /// How many there can be.
        height: usize,
    },
    /// A row of another width.
    #[error("row {row} from the top has {found} columns, and the board has {width}")]
    Columns {
        /// The row, from 1.
        row: usize,
        /// The columns found.
        found: usize,
        /// How many there should be.
        width: usize,
    },
    /// A row that would have been cleared.
    #[error("row {0} from the top is full: full rows are cleared at once")]
    Full(usize),
}

/// Why a board can't be played on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SizeError {
    /// Too small or too large to be thought of.
    #[error("a board has 1 to {MAX_SIDE} columns and rows")]
    Side,
    /// More cells than a number has bits.
    #[error(
        "a {width}x{height} board has too many cells to be solved: {most} are the most{}",
        if *above { ", with those above it that a piece can reach" } else { "" }
    )]
    Cells {
        /// Its columns.
        width: usize,
        /// Its rows.
        height: usize,
        /// Whether the rows above it count.
        above: bool,
        /// How many cells there can be.
        most: usize,
    },
    /// More placements than a decision can tell apart.
    #[error("the piece {0} has more than {LOST} placements on this board")]
    Placements(String),
}

impl SmallGame {
    /// A game on a board of that size.
    pub fn new(pieces: Pieces, width: usize, height: usize) -> Result<SmallGame, SizeError> {
        if !(1..=MAX_SIDE).contains(&width) || !(1..=MAX_SIDE).contains(&height) {
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
        let drops: Vec<Vec<Drop>> = pieces
            .kinds()
            .iter()
            .map(|kind| {
                let fitting = kind.orientations().iter().filter(|shape| shape.width() <= width);
                fitting
                    .filter(|shape| width * shape.height() <= most)
                    .map(|shape| {
                        let lowest = |x| shape.cells().filter(|cell| cell.0 == x).map(|cell| cell.1).min();
                        let skirt =
                            (0..shape.width()).filter_map(|x| lowest(x).map(|y| (x + y * width) as u32));
                        Drop {
                            cells: shape.cells().fold(0, |cells, (x, y)| cells | 1 << (x + y * width)),
                            height: shape.height(),
                            columns: width - shape.width() + 1,
                            skirt: skirt.collect(),
                        }
                    })
                    .collect()
            })
            .collect();
        for (kind, drops) in pieces.kinds().iter().zip(&drops) {
            if drops.iter().map(|drop| drop.columns).sum::<usize>() > LOST as usize {
                return Err(SizeError::Placements(kind.name().to_owned()));
            }
        }
        let row = (1 << width) - 1;
        let column = (0..height).fold(0, |column, y| column | 1 << (y * width));
        Ok(SmallGame { pieces, width, height, column, row, drops })
    }

    /// The pieces.
    pub fn pieces(&self) -> &Pieces {
        &self.pieces
    }

    /// Columns of the board.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Rows of the board.
    pub fn height(&self) -> usize {
        self.height
    }

    /// The cells of the board.
    pub fn cells(&self) -> usize {
        self.width * self.height
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

    /// Calls `visit` with every placement of a piece that does not lose, by orientation and then column.
    #[inline]
    pub fn for_each_landing(&self, board: Bits, piece: usize, mut visit: impl FnMut(Decision, Landing)) {
        let solid = self.solid(board);
        let mut decision = 0;
        for drop in &self.drops[piece] {
            let blocked = drop.blocked(solid);
            for x in 0..drop.columns {
                if let Some(landing) = self.land(board, drop, blocked, x) {
                    visit(decision, landing);
                }
                decision += 1;
            }
        }
    }

    /// What a placement leaves; nothing if it loses, or is none.
    #[inline]
    pub fn landing(&self, board: Bits, piece: usize, decision: Decision) -> Option<Landing> {
        let (drop, x) = self.drop(piece, decision)?;
        self.land(board, drop, drop.blocked(self.solid(board)), x)
    }

    /// The cells in which a placement comes to rest, also above the board; nothing if there is no such placement.
    pub fn resting_cells(
        &self,
        board: Bits,
        piece: usize,
        decision: Decision,
    ) -> Option<Vec<(usize, usize)>> {
        let (drop, x) = self.drop(piece, decision)?;
        let y = self.rest(drop.blocked(self.solid(board)), x);
        let place = |at: usize| (at % self.width + x, at / self.width + y);
        Some((0..Bits::BITS as usize).filter(|at| drop.cells >> at & 1 == 1).map(place).collect())
    }

    /// How many placements a piece has, losing ones included.
    pub fn placements(&self, piece: usize) -> usize {
        self.drops[piece].iter().map(|drop| drop.columns).sum()
    }

    /// Reads a board drawn as rows, the highest first, apart by `/` or in lines: `.`, `_` and `-` are empty cells. Rows that are
    /// not drawn are above, and empty.
    pub fn read(&self, text: &str) -> Result<Bits, ReadBoardError> {
        let rows: Vec<_> = text.split(['/', '\n']).map(str::trim).filter(|row| !row.is_empty()).collect();
        let (found, height, width) = (rows.len(), self.height, self.width);
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

    /// The rows of a board, the highest first.
    pub fn rows(&self, board: Bits) -> Vec<Vec<bool>> {
        let cell = |x: usize, y: usize| board >> (x + y * self.width) & 1 == 1;
        (0..self.height).rev().map(|y| (0..self.width).map(|x| cell(x, y)).collect()).collect()
    }

    #[inline]
    fn drop(&self, piece: usize, decision: Decision) -> Option<(&Drop, usize)> {
        let mut x = decision as usize;
        for drop in &self.drops[piece] {
            if x < drop.columns {
                return Some((drop, x));
            }
            x -= drop.columns;
        }
        None
    }

    /// The board with every cell filled that has a filled one above it: where nothing that falls can be.
    #[inline]
    fn solid(&self, board: Bits) -> Bits {
        let mut solid = board;
        let mut by = self.width;
        while by < self.width * self.height {
            solid |= solid >> by;
            by *= 2;
        }
        solid
    }

    /// The row in which a piece comes to rest in column `x`: as many as are blocked there.
    #[inline]
    fn rest(&self, blocked: Bits, x: usize) -> usize {
        (blocked & self.column << x).count_ones() as usize
    }

    #[inline]
    fn land(&self, board: Bits, drop: &Drop, blocked: Bits, x: usize) -> Option<Landing> {
        let y = self.rest(blocked, x);
        let outside = y + drop.height > self.height;
        if outside && self.pieces.overflow() == Overflow::BeforeClearing {
            return None;
        }
        let mut board = board | drop.cells << (x + y * self.width);
        let mut rows = 0;
        // From the top, so that the rows below stay where they are.
        for y in (y..y + drop.height).rev() {
            let at = y * self.width;
            if board >> at & self.row == self.row {
                let below = (1 << at) - 1;
                board = board & below | board >> self.width & !below;
                rows += 1;
            }
        }
        (!outside || board >> self.cells() == 0).then_some(Landing { board, rows })
    }
}

impl Drop {
    /// Where the piece's lowest left corner can't be.
    #[inline]
    fn blocked(&self, solid: Bits) -> Bits {
        self.skirt.iter().fold(0, |blocked, by| blocked | solid >> by)
    }
}
