//! Move generation: every final placement of a piece.
//!
//! | file | holds |
//! |---|---|
//! | `moves/mod.rs` | [`generate`] and the [`MoveSet`] that it returns |
//! | `moves/flood.rs` | the fast generator, in terms of columns |
//! | `moves/column.rs` | a column: the rows of one board, or of 32 boards at once |
//! | `moves/spins.rs` | which of the placements of a T are spins |
//! | `moves/batch.rs` | 32 boards at once |
//! | [`plain`] | the same as a simple breadth-first search; the tests compare the two |
//! | [`path`] | the fewest keys that bring a piece to a placement |

pub(crate) mod batch;
mod column;
mod flood;
pub mod path;
pub mod plain;
mod spins;

use crate::board::Board;
use crate::location::{PieceLocation, Placement, Spin};
use crate::piece::{CELLS, Offset, Orientation, Piece, low_corner};
use flood::{Flood, Plane, Planes, Steps, WALL};
use serde::{Deserialize, Serialize};
use spins::Corners;

/// How a piece can move before it locks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Movement {
    /// Shifts, turns and soft drops: tucks, kicks and spins.
    Full,
    /// Shifts and turns where the piece spawns, then a hard drop.
    HardDrop,
    /// Any orientation in any column, straight from above: the rule of the research benchmark. Pieces don't spawn anywhere, so a
    /// placement may rest above the board.
    Straight,
}

/// The rules that move generation needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct MoveRules {
    /// How pieces move.
    pub movement: Movement,
    /// Whether half turns (180°) are allowed.
    pub half_turns: bool,
    /// Whether T-spins count, so that placements of a T differ by them.
    pub spins: bool,
}

impl MoveRules {
    /// The guideline's full movement, with T-spins.
    pub const GUIDELINE: MoveRules = MoveRules { movement: Movement::Full, half_turns: false, spins: true };
}

/// A set of placements of one piece, as bits, without heap memory.
///
/// Iteration is by spin, orientation, column and row, so the order is the same for equal sets.
#[derive(Clone, Copy, Eq)]
pub struct MoveSet {
    piece: Piece,
    /// By spin, then orientation, then column of the rotation centre: the rows.
    rows: [[[u64; Board::MAX_WIDTH]; 4]; 3],
    /// The number of orientations, spin by spin, up to the last one with a placement. The rest need not be looked at.
    orientations: usize,
}

impl PartialEq for MoveSet {
    fn eq(&self, other: &MoveSet) -> bool {
        self.piece == other.piece && self.rows == other.rows
    }
}

impl MoveSet {
    fn empty(piece: Piece) -> MoveSet {
        MoveSet { piece, rows: [[[0; Board::MAX_WIDTH]; 4]; 3], orientations: 0 }
    }

    /// The set of these landings: without a spin, and, if T-spins count, with a mini and a full spin.
    #[inline(always)]
    fn from_planes<const N: usize>(piece: Piece, by_spin: &[Planes<u64, N>]) -> MoveSet {
        let mut moves = MoveSet::empty(piece);
        for (rows, planes) in moves.rows.iter_mut().zip(by_spin) {
            for (rows, plane) in rows.iter_mut().zip(planes) {
                rows[..N - 2 * WALL].copy_from_slice(&plane[WALL..N - WALL]);
            }
        }
        moves.orientations = 4 * (by_spin.len() - 1) + piece.distinct_orientations().len();
        moves
    }

    /// The rows of every spin, orientation and column that a placement can have, in the order of iteration.
    #[inline]
    fn rows(&self) -> &[u64] {
        self.rows.as_flattened()[..self.orientations].as_flattened()
    }

    /// The placement in one of the `rows()`.
    #[inline]
    fn placement(&self, index: usize, y: u32) -> Placement {
        const SPINS: [Spin; 3] = [Spin::None, Spin::Mini, Spin::Full];
        let (plane, x) = (index / Board::MAX_WIDTH, index % Board::MAX_WIDTH);
        let orientation = Orientation::ALL[plane % 4];
        Placement::new(
            PieceLocation { piece: self.piece, orientation, x: x as i8, y: y as i8 },
            SPINS[plane / 4],
        )
    }

    /// The number of placements.
    #[inline]
    pub fn len(&self) -> usize {
        self.rows().iter().map(|rows| rows.count_ones() as usize).sum()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.rows().iter().all(|rows| *rows == 0)
    }

    /// Whether the set contains a placement.
    pub fn contains(&self, placement: Placement) -> bool {
        let PieceLocation { piece, orientation, x, y } = placement.location();
        piece == self.piece
            && (0..Board::MAX_WIDTH as i8).contains(&x)
            && (0..64).contains(&y)
            && self.rows[placement.spin() as usize][orientation as usize][x as usize] >> y & 1 == 1
    }

    /// Adds a placement of the set's piece.
    ///
    /// # Panics
    /// If it places another piece, or lies outside every board.
    pub fn insert(&mut self, placement: Placement) {
        let PieceLocation { piece, orientation, x, y } = placement.location();
        assert_eq!(piece, self.piece, "a set holds placements of one piece");
        let (spin, orientation) = (placement.spin() as usize, orientation as usize);
        self.rows[spin][orientation][x as usize] |= 1 << y;
        self.orientations = self.orientations.max(4 * spin + orientation + 1);
    }

    /// The placement at an index of the iteration.
    #[inline]
    pub fn nth(&self, mut nth: usize) -> Option<Placement> {
        for (index, rows) in self.rows().iter().enumerate() {
            let count = rows.count_ones() as usize;
            if nth < count {
                let row = (0..nth).fold(*rows, |rows, _| rows & (rows - 1)).trailing_zeros();
                return Some(self.placement(index, row));
            }
            nth -= count;
        }
        None
    }

    /// All placements.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = Placement> + '_ {
        let mut columns = self.rows().iter().enumerate();
        let (mut index, mut rows) = (0, 0);
        std::iter::from_fn(move || {
            while rows == 0 {
                (index, rows) = columns.next().map(|(index, rows)| (index, *rows))?;
            }
            let y = rows.trailing_zeros();
            rows &= rows - 1;
            Some(self.placement(index, y))
        })
    }
}

impl std::fmt::Debug for MoveSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.iter().map(|placement| placement.to_string())).finish()
    }
}

/// Whether the rows around a piece are empty in every orientation, so that it can shift and turn freely before it falls.
#[inline]
pub(crate) fn spawns_freely(board: &Board, start: PieceLocation) -> bool {
    let reach_below = match start.piece {
        Piece::I => 2,
        Piece::O => 0,
        _ => 1,
    };
    board.stack_height() as i32 + reach_below <= i32::from(start.y) && start.y as usize + 3 <= board.height()
}

/// Every placement that the piece at `start` can reach. The set is empty if the piece does not fit there.
///
/// With [`Movement::Straight`], only the piece matters, not its position.
pub fn generate(board: &Board, start: PieceLocation, rules: MoveRules) -> MoveSet {
    macro_rules! by_piece {
        ($columns:literal) => {
            match start.piece {
                Piece::I => generate_for::<$columns, 0>(board, start, rules),
                Piece::J => generate_for::<$columns, 1>(board, start, rules),
                Piece::L => generate_for::<$columns, 2>(board, start, rules),
                Piece::O => generate_for::<$columns, 3>(board, start, rules),
                Piece::S => generate_for::<$columns, 4>(board, start, rules),
                Piece::T => generate_for::<$columns, 5>(board, start, rules),
                Piece::Z => generate_for::<$columns, 6>(board, start, rules),
            }
        };
    }
    // Columns with three columns of wall on both sides: for the usual ten, or for the widest board. The page has to be fetched,
    // and wide boards are rare there.
    if board.width() <= 10 {
        by_piece!(16)
    } else if cfg!(target_family = "wasm") {
        let mut moves = MoveSet::empty(start.piece);
        plain::generate(board, start, rules).into_iter().for_each(|placement| moves.insert(placement));
        moves
    } else {
        by_piece!(22)
    }
}

fn generate_for<const N: usize, const P: usize>(
    board: &Board,
    start: PieceLocation,
    rules: MoveRules,
) -> MoveSet {
    let piece = Piece::ALL[P];
    let open = rules.movement == Movement::Straight || spawns_freely(board, start);
    if open && rules.movement != Movement::Full {
        return straight_down::<P>(board);
    }
    let walled = walled::<N>(board);
    if !open && !start.fits(board) {
        return MoveSet::empty(piece);
    }
    let corners = (piece == Piece::T && rules.spins).then(|| Corners::about(&walled));
    if open && corners.as_ref().is_none_or(|corners| !corners.allow_a_spin()) {
        let landings = flood::reach_from_above::<u64, N, P>(&walled, rules.half_turns);
        return MoveSet::from_planes(piece, &[landings]);
    }

    // The general case: flood from where the piece spawns, and find its spins.
    let mut flood;
    let mut spawned = [[0; N]; 4];
    let orientations;
    if open {
        flood = Flood::new::<P>(&walled);
        spawned = flood.free.map(|free| flood::open_to_the_sky(&free));
        orientations = 0b1111;
    } else {
        let ceiling = u64::MAX << board.height();
        flood = Flood::new::<P>(&walled.map(|column| column | ceiling));
        spawned[start.orientation as usize][start.x as usize + WALL] = 1 << start.y;
        orientations = 1 << start.orientation as u8;
    }
    flood.reached = spawned;
    let steps = Steps { fall: rules.movement == Movement::Full, half_turns: rules.half_turns };
    flood.run::<P>(steps, orientations, None);
    match corners {
        None => MoveSet::from_planes(piece, &[flood.landings::<P>()]),
        Some(corners) => {
            MoveSet::from_planes(piece, &spins::tell_apart(&mut flood, &corners, &spawned, steps))
        }
    }
}

/// Where a piece rests after a straight drop: on the highest column under it.
#[inline(always)]
fn straight_down<const P: usize>(board: &Board) -> MoveSet {
    let mut heights = [0; Board::MAX_WIDTH];
    for (height, column) in heights.iter_mut().zip(board.columns()) {
        *height = 64 - column.leading_zeros() as i32;
    }
    let mut moves = MoveSet::empty(Piece::ALL[P]);
    moves.orientations = flood::shapes::<P>();
    for shape in 0..flood::shapes::<P>() {
        let cells = CELLS[P][shape];
        let (left, right) =
            (-low_corner(cells).0, cells[0].0.max(cells[1].0).max(cells[2].0).max(cells[3].0));
        for x in left as usize..board.width() - right as usize {
            let row = |(dx, dy): Offset| heights[x.wrapping_add_signed(dx as isize) & 15] - i32::from(dy);
            let y = row(cells[0]).max(row(cells[1])).max(row(cells[2])).max(row(cells[3]));
            moves.rows[0][shape][x] = 1 << y;
        }
    }
    moves
}

/// The board with its walls.
fn walled<const N: usize>(board: &Board) -> Plane<u64, N> {
    let mut walled = [u64::MAX; N];
    walled[WALL..WALL + board.width()].copy_from_slice(board.columns());
    walled
}
