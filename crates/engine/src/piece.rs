//! The seven tetrominoes, their four orientations and the cells they cover.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A tetromino. Every table that is indexed by piece uses this (alphabetical) order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Piece {
    I,
    J,
    L,
    O,
    S,
    T,
    Z,
}

/// The way a piece faces. Pieces spawn facing north.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Orientation {
    North,
    East,
    South,
    West,
}

/// A cell relative to a rotation centre: columns to the right, rows up.
pub type Offset = (i8, i8);

impl Piece {
    /// All pieces, in table order.
    pub const ALL: [Piece; 7] = [Piece::I, Piece::J, Piece::L, Piece::O, Piece::S, Piece::T, Piece::Z];

    /// The cells that the piece covers, relative to its rotation centre.
    ///
    /// The centre is that of "true rotation": a quarter turn without a kick rotates the cells around it. I and O have no middle
    /// cell; the kick tables in [`rotation`](crate::rotation) make up the difference.
    #[inline]
    pub const fn cells(self, orientation: Orientation) -> [Offset; 4] {
        CELLS[self as usize][orientation as usize]
    }

    /// The same cells as columns and rows that start at 0.
    pub fn shape(self, orientation: Orientation) -> [(usize, usize); 4] {
        let cells = self.cells(orientation);
        let low = low_corner(cells);
        cells.map(|(x, y)| ((x - low.0) as usize, (y - low.1) as usize))
    }

    /// The orientations whose cells differ in shape: one for O, two for I, S and Z, four for the others.
    pub const fn distinct_orientations(self) -> &'static [Orientation] {
        const ALL: [Orientation; 4] = Orientation::ALL;
        match self {
            Piece::O => ALL.split_at(1).0,
            Piece::I | Piece::S | Piece::Z => ALL.split_at(2).0,
            Piece::J | Piece::L | Piece::T => &ALL,
        }
    }

    /// The first orientation with the same shape, and how far the centre must move to cover the same cells.
    #[inline]
    pub const fn canonical(self, orientation: Orientation) -> (Orientation, Offset) {
        CANONICAL[self as usize][orientation as usize]
    }

    /// The piece's letter.
    pub const fn letter(self) -> char {
        ['I', 'J', 'L', 'O', 'S', 'T', 'Z'][self as usize]
    }

    /// The piece with that letter, in upper or lower case.
    pub fn from_letter(letter: char) -> Option<Piece> {
        Piece::ALL.into_iter().find(|piece| piece.letter() == letter.to_ascii_uppercase())
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// A letter that names no piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a piece: use the letters I, J, L, O, S, T and Z")]
pub struct UnknownPiece(pub char);

/// Reads a queue such as `IOLJSZT`. Spaces and commas are ignored.
pub fn parse_queue(text: &str) -> Result<Vec<Piece>, UnknownPiece> {
    text.chars()
        .filter(|c| !c.is_whitespace() && *c != ',')
        .map(|c| Piece::from_letter(c).ok_or(UnknownPiece(c)))
        .collect()
}

impl Orientation {
    /// All orientations, clockwise from north.
    pub const ALL: [Orientation; 4] =
        [Orientation::North, Orientation::East, Orientation::South, Orientation::West];

    /// The orientation after this many clockwise quarter turns.
    #[inline]
    pub const fn turned(self, quarters: u8) -> Orientation {
        Orientation::ALL[(self as usize + quarters as usize) % 4]
    }
}

/// The pieces as they spawn, facing north.
const NORTH: [[Offset; 4]; 7] = [
    [(-1, 0), (0, 0), (1, 0), (2, 0)],
    [(-1, 0), (0, 0), (1, 0), (-1, 1)],
    [(-1, 0), (0, 0), (1, 0), (1, 1)],
    [(0, 0), (1, 0), (0, 1), (1, 1)],
    [(-1, 0), (0, 0), (0, 1), (1, 1)],
    [(-1, 0), (0, 0), (1, 0), (0, 1)],
    [(-1, 1), (0, 1), (0, 0), (1, 0)],
];

pub(crate) const CELLS: [[[Offset; 4]; 4]; 7] = all_cells();

const CANONICAL: [[(Orientation, Offset); 4]; 7] = all_canonical();

const fn all_cells() -> [[[Offset; 4]; 4]; 7] {
    let mut cells = [[[(0, 0); 4]; 4]; 7];
    let mut piece = 0;
    while piece < 7 {
        cells[piece][0] = NORTH[piece];
        let mut turn = 1;
        while turn < 4 {
            let mut cell = 0;
            while cell < 4 {
                let (x, y) = cells[piece][turn - 1][cell];
                cells[piece][turn][cell] = (y, -x);
                cell += 1;
            }
            turn += 1;
        }
        piece += 1;
    }
    cells
}

const fn all_canonical() -> [[(Orientation, Offset); 4]; 7] {
    let mut table = [[(Orientation::North, (0, 0)); 4]; 7];
    let mut piece = 0;
    while piece < 7 {
        let distinct = Piece::ALL[piece].distinct_orientations().len();
        let mut turn = 0;
        while turn < 4 {
            let shape = turn % distinct;
            let (from, to) = (low_corner(CELLS[piece][turn]), low_corner(CELLS[piece][shape]));
            table[piece][turn] = (Orientation::ALL[shape], (from.0 - to.0, from.1 - to.1));
            turn += 1;
        }
        piece += 1;
    }
    table
}

/// The lowest column and the lowest row of some cells.
pub(crate) const fn low_corner(cells: [Offset; 4]) -> Offset {
    let mut low = cells[0];
    let mut cell = 1;
    while cell < 4 {
        if cells[cell].0 < low.0 {
            low.0 = cells[cell].0;
        }
        if cells[cell].1 < low.1 {
            low.1 = cells[cell].1;
        }
        cell += 1;
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn rotation_centres_are_those_of_true_rotation() {
        use Orientation::*;
        assert_eq!(Piece::O.cells(East), [(0, 0), (0, -1), (1, 0), (1, -1)], "O east: top-left");
        assert_eq!(low_corner(Piece::O.cells(South)), (-1, -1), "O south: top-right");
        assert_eq!(low_corner(Piece::O.cells(West)), (-1, 0), "O west: bottom-right");
        assert_eq!(low_corner(Piece::I.cells(East)), (0, -2), "I east: middle-top");
        assert_eq!(low_corner(Piece::I.cells(South)), (-2, 0), "I south: middle-right");
        assert_eq!(low_corner(Piece::I.cells(West)), (0, -1), "I west: middle-bottom");
    }

    #[test]
    fn canonical_orientation_covers_the_same_cells() {
        for piece in Piece::ALL {
            for orientation in Orientation::ALL {
                let (canonical, (dx, dy)) = piece.canonical(orientation);
                let own: BTreeSet<_> = piece.cells(orientation).into();
                let same: BTreeSet<_> =
                    piece.cells(canonical).iter().map(|(x, y)| (x + dx, y + dy)).collect();
                assert_eq!(own, same, "{piece} {orientation:?}");
                assert!(piece.distinct_orientations().contains(&canonical));
            }
        }
    }

    #[test]
    fn queues_are_read_and_unknown_letters_named() {
        assert_eq!(parse_queue("i O,t"), Ok(vec![Piece::I, Piece::O, Piece::T]));
        assert_eq!(parse_queue("IOX"), Err(UnknownPiece('X')));
    }
}
