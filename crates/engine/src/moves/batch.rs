//! Move generation for 32 boards at once: the lanes of a vector are boards.
//!
//! Placing the same piece on many boards costs hardly more than on one. Perft uses it.

use super::column::{BatchColumn, Column};
use super::flood::{Plane, WALL, for_each_shape, inside, landings_from_above, reach_from_above, shapes};
use crate::piece::{CELLS, Piece, low_corner};

/// Columns of a board in a batch, with the walls.
const N: usize = 16;

/// Columns of a board in a batch.
pub(crate) const WIDTH: usize = N - 2 * WALL;

/// The highest stack in a batch: a piece on top of it still fits into the 16 rows of a lane.
pub(crate) const MAX_STACK: u32 = 12;

/// The columns of a board of ten columns and 16 rows; those beyond the tenth are empty.
pub(crate) type SmallBoard = [u16; 16];

/// Up to 32 boards.
#[derive(Clone)]
pub(crate) struct Batch {
    boards: [SmallBoard; BatchColumn::BOARDS],
    len: usize,
}

impl Batch {
    pub(crate) fn new() -> Batch {
        Batch { boards: [[0; 16]; BatchColumn::BOARDS], len: 0 }
    }

    /// Adds a board. Returns whether the batch is full now.
    ///
    /// # Panics
    /// If the batch was full before.
    #[inline(always)]
    pub(crate) fn push(&mut self, board: SmallBoard) -> bool {
        self.boards[self.len] = board;
        self.len += 1;
        self.len == BatchColumn::BOARDS
    }

    /// Empties the batch, and lays its boards side by side, full rows cleared. Boards higher than [`MAX_STACK`] go to
    /// `too_high` instead.
    #[inline(always)]
    pub(crate) fn take(&mut self, mut too_high: impl FnMut(SmallBoard)) -> SideBySide<'_> {
        // Lanes without a board stay full, so that nothing lands there.
        let mut columns = [BatchColumn::ALL; N];
        let boards = &mut self.boards[..self.len];
        for (lane, board) in boards.iter().enumerate() {
            for x in 0..WIDTH {
                columns[WALL + x].as_mut_array()[lane] = board[x];
            }
        }
        let mut full = BatchColumn::ALL;
        let mut filled = BatchColumn::NONE;
        for x in inside::<N>() {
            full &= columns[x];
            filled |= columns[x];
        }
        for (lane, board) in boards.iter_mut().enumerate() {
            if full.as_array()[lane] != 0 {
                clear_rows(board, full.as_array()[lane]);
                filled.as_mut_array()[lane] = board.iter().fold(0, |all, column| all | column);
            }
            let fits = filled.as_array()[lane] >> MAX_STACK == 0;
            if !fits {
                too_high(*board);
            }
            if full.as_array()[lane] != 0 || !fits {
                for x in 0..WIDTH {
                    columns[WALL + x].as_mut_array()[lane] = if fits { board[x] } else { u16::MAX };
                }
            }
        }
        self.len = 0;
        SideBySide { columns, boards: &self.boards }
    }
}

fn clear_rows(board: &mut SmallBoard, rows: u16) {
    let mut left = rows;
    while left != 0 {
        let below = (1u16 << left.ilog2()) - 1;
        for column in board.iter_mut() {
            *column = *column & below | *column >> 1 & !below;
        }
        left &= below;
    }
}

/// The boards of a batch, side by side.
pub(crate) struct SideBySide<'b> {
    columns: Plane<BatchColumn, N>,
    boards: &'b [SmallBoard; BatchColumn::BOARDS],
}

macro_rules! by_piece {
    ($piece:expr, $self:ident.$method:ident($($argument:expr),*)) => {
        match $piece {
            Piece::I => $self.$method::<0>($($argument),*),
            Piece::J => $self.$method::<1>($($argument),*),
            Piece::L => $self.$method::<2>($($argument),*),
            Piece::O => $self.$method::<3>($($argument),*),
            Piece::S => $self.$method::<4>($($argument),*),
            Piece::T => $self.$method::<5>($($argument),*),
            Piece::Z => $self.$method::<6>($($argument),*),
        }
    };
}

impl SideBySide<'_> {
    /// The number of landings on all boards of a piece that spawns above the stack. Boards that need a full search go to `hard`
    /// and are not counted.
    pub(crate) fn count_easy_landings(&self, piece: Piece, hard: impl FnMut(SmallBoard)) -> u64 {
        by_piece!(piece, self.count_easy(hard))
    }

    /// The number of landings on all boards of a piece that spawns above the stack.
    pub(crate) fn count_landings(&self, piece: Piece) -> u64 {
        by_piece!(piece, self.count_all())
    }

    /// Calls `placed` with every board after every landing of the piece, full rows not cleared yet.
    pub(crate) fn place(&self, piece: Piece, placed: impl FnMut(SmallBoard)) {
        by_piece!(piece, self.place_all(placed))
    }

    fn count_easy<const P: usize>(&self, mut hard: impl FnMut(SmallBoard)) -> u64 {
        let mut left_over = BatchColumn::NONE;
        let mut counts = BatchColumn::NONE;
        for_each_shape!(P, SHAPE => {
            let (landings, left_over_of_shape) = landings_from_above::<BatchColumn, N, P, SHAPE>(&self.columns);
            left_over |= left_over_of_shape;
            counts = counts.plus(count(&landings));
        });
        let easy = left_over.where_none();
        let mut hard_lanes = !easy.to_bits();
        while hard_lanes != 0 {
            hard(self.boards[hard_lanes.trailing_zeros() as usize]);
            hard_lanes &= hard_lanes - 1;
        }
        (counts & easy).sum()
    }

    fn count_all<const P: usize>(&self) -> u64 {
        let landings = reach_from_above::<BatchColumn, N, P>(&self.columns, false);
        landings.iter().take(shapes::<P>()).map(|plane| count(plane).sum()).sum()
    }

    fn place_all<const P: usize>(&self, mut placed: impl FnMut(SmallBoard)) {
        let landings = reach_from_above::<BatchColumn, N, P>(&self.columns, false);
        for shape in 0..shapes::<P>() {
            let cells = CELLS[P][shape];
            let low = low_corner(cells).1;
            for x in inside::<N>() {
                let mut piece = [0u16; 16];
                for (dx, dy) in cells {
                    piece[x.wrapping_add_signed(dx as isize).wrapping_sub(WALL) & 15] |= 1 << (dy - low);
                }
                for (board, rows) in self.boards.iter().zip(landings[shape][x].as_array()) {
                    let mut rows = *rows;
                    while rows != 0 {
                        let bottom = (rows.trailing_zeros() as i32 + i32::from(low)) as u32;
                        rows &= rows - 1;
                        let mut after = *board;
                        for (column, piece) in after.iter_mut().zip(piece) {
                            *column |= piece << bottom;
                        }
                        placed(after);
                    }
                }
            }
        }
    }
}

/// The number of positions in a plane, by lane.
#[inline(always)]
fn count(plane: &Plane<BatchColumn, N>) -> BatchColumn {
    let mut counts = BatchColumn::NONE;
    for x in inside::<N>() {
        counts = counts.plus(plane[x].ones());
    }
    counts
}
