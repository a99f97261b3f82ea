//! The move generator in its simplest form: try every step from every location until there is nothing new.
//!
//! It explains the rules, and the tests compare the fast generator with it.

use super::{MoveRules, Movement};
use crate::board::Board;
use crate::location::{LastAction, PieceLocation, Placement, Spin};
use crate::piece::Orientation;
use crate::rotation::Turn;
use std::collections::{BTreeSet, HashSet};

/// Every placement that the piece at `start` can reach: the same as [`generate`](super::generate).
pub fn generate(board: &Board, start: PieceLocation, rules: MoveRules) -> BTreeSet<Placement> {
    if rules.movement == Movement::Straight {
        return straight_drops(board, start);
    }
    let mut placements = BTreeSet::new();
    let mut seen = HashSet::new();
    let mut to_visit = Vec::new();
    if start.fits(board) {
        to_visit.push((start, LastAction::Moved));
    }
    while let Some((location, last)) = to_visit.pop() {
        if !seen.insert((location, last)) {
            continue;
        }
        let resting = location.dropped(board);
        let last_at_rest = if resting == location { last } else { LastAction::Moved };
        let spin = if rules.spins { Spin::of(resting, last_at_rest, board) } else { Spin::None };
        placements.insert(Placement::new(resting, spin));

        for by in [(-1, 0), (1, 0)] {
            to_visit.extend(location.step(by, board).map(|moved| (moved, LastAction::Moved)));
        }
        if rules.movement == Movement::Full {
            to_visit.extend(location.step((0, -1), board).map(|moved| (moved, LastAction::Moved)));
        }
        for &turn in Turn::allowed(rules.half_turns) {
            if let Some((turned, test)) = location.turn(turn, board) {
                to_visit.push((turned, LastAction::of_turn(turn, test)));
            }
        }
    }
    placements
}

fn straight_drops(board: &Board, start: PieceLocation) -> BTreeSet<Placement> {
    let mut placements = BTreeSet::new();
    for orientation in Orientation::ALL {
        for x in 0..board.width() as i8 {
            let above = PieceLocation { orientation, x, y: board.height() as i8 + 4, ..start };
            if above.cells().iter().any(|&(x, y)| board.is_filled(x, y)) {
                continue;
            }
            let mut resting = above;
            while !resting.moved((0, -1)).cells().iter().any(|&(x, y)| board.is_filled(x, y)) {
                resting = resting.moved((0, -1));
            }
            placements.insert(Placement::new(resting, Spin::None));
        }
    }
    placements
}
