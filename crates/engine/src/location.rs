//! Where a piece is, how it moves, and where it comes to rest.

use crate::board::Board;
use crate::piece::{Offset, Orientation, Piece};
use crate::rotation::{self, Turn, UPGRADING_KICK};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A piece somewhere on the board: its orientation and where its rotation centre is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct PieceLocation {
    pub piece: Piece,
    pub orientation: Orientation,
    pub x: i8,
    pub y: i8,
}

impl PieceLocation {
    /// Where a piece spawns: facing north, with its centre in the given row and in the middle column, or left of the middle.
    ///
    /// On a board three columns wide the I would not fit, so it spawns upright.
    #[inline]
    pub fn spawning(piece: Piece, board: &Board, row: usize) -> PieceLocation {
        let orientation = match piece {
            Piece::I if board.width() == 3 => Orientation::East,
            _ => Orientation::North,
        };
        PieceLocation { piece, orientation, x: (board.width() as i8 - 1) / 2, y: row as i8 }
    }

    /// The cells of the board that the piece covers.
    #[inline]
    pub fn cells(self) -> [(i32, i32); 4] {
        let (x, y) = (i32::from(self.x), i32::from(self.y));
        self.piece.cells(self.orientation).map(|(dx, dy)| (x + i32::from(dx), y + i32::from(dy)))
    }

    /// The lowest row that the piece covers.
    #[inline]
    pub fn bottom(self) -> i32 {
        let [a, b, c, d] = self.cells().map(|(_, y)| y);
        a.min(b).min(c).min(d)
    }

    /// Whether all its cells are empty and inside the board.
    #[inline]
    pub fn fits(self, board: &Board) -> bool {
        let ceiling = board.height() as i32;
        self.cells().into_iter().all(|(x, y)| y < ceiling && !board.is_filled(x, y))
    }

    /// The piece moved by an offset, whether it fits there or not.
    #[inline]
    pub fn moved(self, (dx, dy): Offset) -> PieceLocation {
        // No board is as large as the range of an `i8`, so a location that wraps around fits no board.
        PieceLocation { x: self.x.wrapping_add(dx), y: self.y.wrapping_add(dy), ..self }
    }

    /// The piece moved by an offset, if it fits there.
    #[inline]
    pub fn step(self, by: Offset, board: &Board) -> Option<PieceLocation> {
        Some(self.moved(by)).filter(|moved| moved.fits(board))
    }

    /// The piece after a turn and the number (from 0) of the kick test that succeeded. `None` if none did.
    pub fn turn(self, turn: Turn, board: &Board) -> Option<(PieceLocation, usize)> {
        let turned = PieceLocation { orientation: self.orientation.turned(turn as u8), ..self };
        rotation::kicks(self.piece, self.orientation, turn)
            .iter()
            .enumerate()
            .find_map(|(test, kick)| turned.step(*kick, board).map(|location| (location, test)))
    }

    /// The piece where it lands if it falls from here.
    pub fn dropped(self, board: &Board) -> PieceLocation {
        let mut location = self;
        while let Some(lower) = location.step((0, -1), board) {
            location = lower;
        }
        location
    }

    /// Whether the piece rests on something.
    pub fn is_grounded(self, board: &Board) -> bool {
        !self.moved((0, -1)).fits(board)
    }

    /// The same cells in the first orientation of that shape.
    #[inline]
    pub fn canonical(self) -> PieceLocation {
        let (orientation, by) = self.piece.canonical(self.orientation);
        PieceLocation { orientation, ..self }.moved(by)
    }
}

/// Whether a placement is a T-spin, and which kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Spin {
    #[default]
    None,
    Mini,
    Full,
}

/// What moved the piece last. A spin needs a turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum LastAction {
    /// It spawned, shifted or fell.
    #[default]
    Moved,
    /// It turned.
    Turned,
    /// It made a quarter turn with the kick that makes any T-spin a full one.
    Kicked,
}

impl LastAction {
    /// The action of a turn that succeeded with this kick test.
    pub fn of_turn(turn: Turn, kick_test: usize) -> LastAction {
        if turn != Turn::Half && kick_test == UPGRADING_KICK {
            LastAction::Kicked
        } else {
            LastAction::Turned
        }
    }
}

/// The corners of the T's box, clockwise from the front left as it faces north.
pub(crate) const T_CORNERS: [Offset; 4] = [(-1, 1), (1, 1), (1, -1), (-1, -1)];

impl Spin {
    /// The spin of a piece that rests at `location` after its last action. A T that turned has spun in if at least three of the
    /// four corners around its centre are filled (walls and floor count). The spin is full if both front corners are filled or
    /// the upgrading kick was used, else mini.
    pub fn of(location: PieceLocation, last: LastAction, board: &Board) -> Spin {
        if location.piece != Piece::T || last == LastAction::Moved {
            return Spin::None;
        }
        let filled =
            T_CORNERS.map(|(dx, dy)| board.is_filled(i32::from(location.x + dx), i32::from(location.y + dy)));
        let front = location.orientation as usize;
        if filled.iter().filter(|corner| **corner).count() < 3 {
            Spin::None
        } else if last == LastAction::Kicked || filled[front] && filled[(front + 1) % 4] {
            Spin::Full
        } else {
            Spin::Mini
        }
    }
}

/// Where a piece comes to rest. Two placements are equal if they cover the same cells with the same spin: the location is
/// stored in the first orientation of its shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(from = "(PieceLocation, Spin)", into = "(PieceLocation, Spin)")]
pub struct Placement {
    location: PieceLocation,
    spin: Spin,
}

impl From<(PieceLocation, Spin)> for Placement {
    fn from((location, spin): (PieceLocation, Spin)) -> Placement {
        Placement::new(location, spin)
    }
}

impl From<Placement> for (PieceLocation, Spin) {
    fn from(placement: Placement) -> (PieceLocation, Spin) {
        (placement.location, placement.spin)
    }
}

impl Placement {
    /// The placement of a piece at a location.
    #[inline]
    pub fn new(location: PieceLocation, spin: Spin) -> Placement {
        Placement { location: location.canonical(), spin }
    }

    /// The piece placed.
    #[inline]
    pub fn piece(self) -> Piece {
        self.location.piece
    }

    /// Where it rests, in the first orientation of its shape.
    #[inline]
    pub fn location(self) -> PieceLocation {
        self.location
    }

    /// Whether it spun in.
    #[inline]
    pub fn spin(self) -> Spin {
        self.spin
    }

    /// The leftmost column that it covers.
    pub fn left_column(self) -> i8 {
        self.location.x + crate::piece::low_corner(self.location.piece.cells(self.location.orientation)).0
    }
}

impl fmt::Display for Placement {
    /// Piece, orientation and column and row of the centre, such as `T south (4, 1) full spin`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PieceLocation { piece, orientation, x, y } = self.location;
        let facing = ["north", "east", "south", "west"][orientation as usize];
        write!(f, "{piece} {facing} ({x}, {y})")?;
        match self.spin {
            Spin::None => Ok(()),
            Spin::Mini => f.write_str(" mini spin"),
            Spin::Full => f.write_str(" full spin"),
        }
    }
}
