//! Finds the T-spins in the planes of a finished flood.

use super::column::Column;
use super::flood::{Flood, Plane, Planes, Steps, follow_turn, for_each_shape, free, inside, landing, shapes};
use crate::location::T_CORNERS;
use crate::piece::Piece;
use crate::rotation::{Turn, UPGRADING_KICK};

const T: usize = Piece::T as usize;

/// Where the corners around a T's centre are filled.
pub(super) struct Corners<const N: usize> {
    /// By corner, clockwise from the front left as the T faces north.
    filled: Planes<u64, N>,
    /// At least three corners are filled.
    three: Plane<u64, N>,
    /// There are three of them where a T can rest.
    spin_possible: bool,
}

impl<const N: usize> Corners<N> {
    pub(super) fn about(board: &Plane<u64, N>) -> Self {
        let mut filled = [[0; N]; 4];
        let mut three = [0; N];
        for x in inside::<N>() {
            for (corner, (dx, dy)) in T_CORNERS.into_iter().enumerate() {
                filled[corner][x] = board[x.wrapping_add_signed(dx as isize)].seen_from(dy);
            }
            let [a, b, c, d] = filled.map(|plane| plane[x]);
            three[x] = a & b & (c | d) | c & d & (a | b);
        }
        let mut spin_possible = 0;
        for_each_shape!(T, SHAPE => {
            let landing = landing(&free::<u64, N, T, SHAPE>(board));
            for x in inside::<N>() {
                spin_possible |= landing[x] & three[x];
            }
        });
        Corners { filled, three, spin_possible: spin_possible != 0 }
    }

    /// Whether a T could rest with three corners filled.
    pub(super) fn allow_a_spin(&self) -> bool {
        self.spin_possible
    }
}

/// The landings of a T by spin (none, mini, full), after a flood from `spawned` and a final drop.
pub(super) fn tell_apart<const N: usize>(
    flood: &mut Flood<u64, N>,
    corners: &Corners<N>,
    spawned: &Planes<u64, N>,
    steps: Steps,
) -> [Planes<u64, N>; 3] {
    let before_drop = flood.reached;
    flood.drop();
    let turned_into = turned_into(&before_drop, &flood.free, steps.half_turns);
    let mut by_spin = [[[0; N]; 4]; 3];
    for r in 0..4 {
        let free = &flood.free[r];
        let landing = landing(free);
        let [plainly, kicked] = &turned_into[r];
        for x in inside::<N>() {
            let slid = (before_drop[r][x - 1] | before_drop[r][x + 1]) & free[x];
            let fell = flood.reached[r][x].down(1) & free[x];
            let three = corners.three[x];
            let front = corners.filled[r][x] & corners.filled[(r + 1) % 4][x];
            let turned = plainly[x] | kicked[x];
            by_spin[0][r][x] = landing[x] & (spawned[r][x] | slid | fell | turned & !three);
            by_spin[1][r][x] = landing[x] & three & !front & plainly[x];
            by_spin[2][r][x] = landing[x] & three & (front & turned | kicked[x]);
        }
    }
    by_spin
}

/// Where a last turn leads, by the orientation after it: with any other kick, and with the upgrading kick.
fn turned_into<const N: usize>(
    reached: &Planes<u64, N>,
    free: &Planes<u64, N>,
    half_turns: bool,
) -> [[Plane<u64, N>; 2]; 4] {
    const HALF: usize = Turn::Half as usize;
    let mut turned = [[[0; N]; 2]; 4];
    macro_rules! follow_turns {
        ($turn:literal: $($from:literal)*) => {$({
            const TO: usize = ($from + $turn) % 4;
            follow_turn::<u64, N, T, $from, $turn>(&reached[$from], &free[TO], |test, x, rows| {
                let upgraded = $turn != HALF && test == UPGRADING_KICK;
                turned[TO][usize::from(upgraded)][x] |= rows;
            });
        })*};
    }
    follow_turns!(1: 0 1 2 3);
    follow_turns!(3: 0 1 2 3);
    if half_turns {
        follow_turns!(2: 0 1 2 3);
    }
    turned
}
