//! The Super Rotation System (SRS) and its wall kicks.
//!
//! Kicks are offsets of the rotation centre (see [`Piece::cells`]). A turn tries them in order and takes the first that fits. If
//! none fits, the piece does not turn.

use crate::piece::{Offset, Orientation, Piece};
use Orientation::{East, North, South, West};

/// A turn of the piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Turn {
    /// A quarter turn clockwise.
    Clockwise = 1,
    /// A half turn. Not part of the guideline: only some rulesets allow it.
    Half = 2,
    /// A quarter turn counter-clockwise.
    CounterClockwise = 3,
}

impl Turn {
    /// The turns that a ruleset allows.
    pub const fn allowed(half_turns: bool) -> &'static [Turn] {
        if half_turns {
            &[Turn::Clockwise, Turn::CounterClockwise, Turn::Half]
        } else {
            &[Turn::Clockwise, Turn::CounterClockwise]
        }
    }
}

/// The kick test that upgrades a T-spin mini to a full T-spin: the fifth, which moves the T by one column and two rows.
pub const UPGRADING_KICK: usize = 4;

/// The kicks that a turn tries, in order.
#[inline(always)]
pub const fn kicks(piece: Piece, from: Orientation, turn: Turn) -> &'static [Offset] {
    match (piece, turn) {
        (Piece::O, _) => &O_TURNS[from as usize][turn as usize - 1],
        (Piece::I, Turn::Half) => &I_HALF[from as usize],
        (Piece::I, _) => i_quarter(from, from.turned(turn as u8)),
        (_, Turn::Half) => &JLSTZ_HALF[from as usize],
        _ => jlstz_quarter(from, from.turned(turn as u8)),
    }
}

const fn jlstz_quarter(from: Orientation, to: Orientation) -> &'static [Offset] {
    match (from, to) {
        (_, East) => &[(0, 0), (-1, 0), (-1, 1), (0, -2), (-1, -2)],
        (East, _) => &[(0, 0), (1, 0), (1, -1), (0, 2), (1, 2)],
        (_, West) => &[(0, 0), (1, 0), (1, 1), (0, -2), (1, -2)],
        _ => &[(0, 0), (-1, 0), (-1, -1), (0, 2), (-1, 2)],
    }
}

const fn i_quarter(from: Orientation, to: Orientation) -> &'static [Offset] {
    match (from, to) {
        (North, East) | (West, South) => &[(1, 0), (-1, 0), (2, 0), (-1, -1), (2, 2)],
        (East, North) | (South, West) => &[(-1, 0), (1, 0), (-2, 0), (1, 1), (-2, -2)],
        (North, _) | (East, South) => &[(0, -1), (-1, -1), (2, -1), (-1, 1), (2, -2)],
        _ => &[(0, 1), (1, 1), (-2, 1), (1, -1), (-2, 2)],
    }
}

/// The O keeps its cells while its centre moves around them. By orientation and turn (clockwise, half, counter-clockwise).
const O_TURNS: [[[Offset; 1]; 3]; 4] = [
    [[(0, 1)], [(1, 1)], [(1, 0)]],
    [[(1, 0)], [(1, -1)], [(0, -1)]],
    [[(0, -1)], [(-1, -1)], [(-1, 0)]],
    [[(-1, 0)], [(-1, 1)], [(0, 1)]],
];

/// Half turns (180°) as in TETR.IO's SRS+, the most played game that has them.
const JLSTZ_HALF: [[Offset; 6]; 4] = [
    [(0, 0), (0, 1), (1, 1), (-1, 1), (1, 0), (-1, 0)],
    [(0, 0), (1, 0), (1, 2), (1, 1), (0, 2), (0, 1)],
    [(0, 0), (0, -1), (-1, -1), (1, -1), (-1, 0), (1, 0)],
    [(0, 0), (-1, 0), (-1, 2), (-1, 1), (0, 2), (0, 1)],
];

/// The same half turns around the middle of the I's box.
const I_HALF: [[Offset; 6]; 4] = {
    const CENTRE_MOVES: [Offset; 4] = [(1, -1), (-1, -1), (-1, 1), (1, 1)];
    let mut table = JLSTZ_HALF;
    let mut from = 0;
    while from < 4 {
        let mut test = 0;
        while test < 6 {
            table[from][test].0 += CENTRE_MOVES[from].0;
            table[from][test].1 += CENTRE_MOVES[from].1;
            test += 1;
        }
        from += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turning_an_o_leaves_its_cells() {
        for from in Orientation::ALL {
            for &turn in Turn::allowed(true) {
                let [(dx, dy)] = *kicks(Piece::O, from, turn) else { panic!("one test") };
                let moved = Piece::O.cells(from.turned(turn as u8)).map(|(x, y)| (x + dx, y + dy));
                let mut before = Piece::O.cells(from);
                let mut after = moved;
                before.sort_unstable();
                after.sort_unstable();
                assert_eq!(before, after, "{from:?} {turn:?}");
            }
        }
    }

    #[test]
    fn four_unkicked_turns_bring_a_piece_back() {
        for piece in Piece::ALL {
            for turn in [Turn::Clockwise, Turn::CounterClockwise] {
                let (mut x, mut y) = (0, 0);
                for step in 0..4u8 {
                    let from = North.turned(step * turn as u8);
                    let (dx, dy) = kicks(piece, from, turn)[0];
                    (x, y) = (x + dx, y + dy);
                }
                assert_eq!((x, y), (0, 0), "{piece} {turn:?}");
            }
        }
    }

    #[test]
    fn a_half_turn_is_two_quarter_turns_in_the_open() {
        for piece in Piece::ALL {
            for from in Orientation::ALL {
                let (ax, ay) = kicks(piece, from, Turn::Clockwise)[0];
                let (bx, by) = kicks(piece, from.turned(1), Turn::Clockwise)[0];
                assert_eq!(kicks(piece, from, Turn::Half)[0], (ax + bx, ay + by), "{piece} {from:?}");
            }
        }
    }
}
