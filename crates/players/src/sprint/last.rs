//! The last three pieces: which orders of them leave nothing.

use crate::field::{Fields, can_be_filled, rows_left};
use rustc_hash::FxHashMap;
use tetrion_engine::compact::Bits;
use tetrion_engine::piece::Piece;

/// A set of orders of three pieces: bit `7b + c` of number `a` is the order `a`, `b`, `c`.
pub type Orders = [u64; 7];

/// No orders.
pub const NONE: Orders = [0; 7];

/// Whether an order is in a set.
#[cfg(test)]
fn contains(orders: &Orders, [a, b, c]: [usize; 3]) -> bool {
    orders[a] >> (7 * b + c) & 1 == 1
}

/// The first of each seven bits.
const FIRSTS: u64 = 1 | 1 << 7 | 1 << 14 | 1 << 21 | 1 << 28 | 1 << 35 | 1 << 42;

/// All seven bits.
const ALL: u64 = (1 << 7) - 1;

/// What is known of fields that are to be cleared with one, two or three pieces. It depends on nothing else, so it serves all
/// games.
#[derive(Default)]
pub struct Last {
    one: FxHashMap<Bits, u8>,
    two: FxHashMap<Bits, u64>,
    three: FxHashMap<Bits, Orders>,
}

/// Fields remembered, at most.
const MOST: usize = 1 << 20;

impl Last {
    /// The pieces that clear a field.
    fn one(&mut self, fields: &Fields, field: Bits) -> u8 {
        if let Some(known) = self.one.get(&field) {
            return *known;
        }
        let rows = rows_left(field, 1);
        let mut pieces = 0;
        for piece in Piece::ALL {
            fields.for_each_landing(field, piece, rows, |after, _| {
                if after == 0 {
                    pieces |= 1 << piece as u8;
                }
            });
        }
        self.one.insert(field, pieces);
        pieces
    }

    /// The orders of two pieces that clear a field: bit `7a + b`.
    fn two(&mut self, fields: &Fields, field: Bits) -> u64 {
        if let Some(known) = self.two.get(&field) {
            return *known;
        }
        let rows = rows_left(field, 2);
        let mut orders = 0;
        for piece in Piece::ALL {
            let mut pieces = 0u8;
            fields.for_each_landing(field, piece, rows, |after, _| {
                if can_be_filled(after, rows_left(after, 1)) {
                    pieces |= self.one(fields, after);
                }
            });
            orders |= u64::from(pieces) << (7 * piece as u8);
        }
        self.two.insert(field, orders);
        orders
    }

    /// The orders of three pieces that clear a field.
    pub fn three(&mut self, fields: &Fields, field: Bits) -> Orders {
        if let Some(known) = self.three.get(&field) {
            return *known;
        }
        if self.one.len().max(self.two.len()).max(self.three.len()) > MOST {
            *self = Last::default();
        }
        let rows = rows_left(field, 3);
        let mut orders = NONE;
        for piece in Piece::ALL {
            let mut pairs = 0u64;
            fields.for_each_landing(field, piece, rows, |after, _| {
                if can_be_filled(after, rows_left(after, 2)) {
                    pairs |= self.two(fields, after);
                }
            });
            orders[piece as usize] = pairs;
        }
        self.three.insert(field, orders);
        orders
    }

    /// The orders of the last three draws with which a field is cleared, if a piece is held.
    pub fn draws(&mut self, fields: &Fields, field: Bits, hold: Piece) -> Orders {
        let orders = self.three(fields, field);
        if orders == NONE {
            return NONE;
        }
        // Each time the held piece or the draw is placed, and the other is held.
        let hold = hold as usize;
        std::array::from_fn(|a| pairs_with_hold(orders[a], hold) | pairs_with_hold(orders[hold], a))
    }
}

/// Two draws with which two pieces can be placed in one of some orders, if a piece is held: bit `7b + c`, as in the orders.
#[inline]
fn pairs_with_hold(orders: u64, hold: usize) -> u64 {
    // The first draw is placed: if what was held may follow, the second draw does not matter.
    let draw_first = orders | ((orders >> hold & FIRSTS) * ALL);
    // What was held is placed: then either draw may follow.
    let follow = orders >> (7 * hold) & ALL;
    let either = (0..7).fold(0, |spread, b| spread | (follow >> b & 1) << (7 * b)) * ALL;
    draw_first | either | (follow * FIRSTS)
}

#[cfg(test)]
mod tests {
    use super::super::finish::clears;
    use super::*;
    use tetrion_engine::moves::Movement;
    use tetrion_engine::randomizer::Random;

    /// Full rows but for a gap of twelve cells that is open at the top; sometimes one of its cells is in another place.
    fn field_to_clear(random: &mut Random) -> Bits {
        let (rows, width) = [(4, 3), (3, 4), (2, 6)][random.below(3) as usize];
        let left = random.below(11 - width);
        let row: Bits = 0x3ff & !(((1 << width) - 1) << left);
        let field = (0..rows).fold(0, |field, y| field | row << (10 * y));
        let (filled, emptied) = (random.below(10 * rows), random.below(10 * rows));
        let moved = field >> filled & 1 == 0 && field >> emptied & 1 == 1 && random.below(4) == 0;
        if moved { (field | 1 << filled) & !(1 << emptied) } else { field }
    }

    #[test]
    fn the_orders_are_those_that_trying_all_finds() {
        let mut random = Random::new(1);
        for movement in [Movement::HardDrop, Movement::Full] {
            let fields = Fields::new(movement);
            let mut last = Last::default();
            let mut some = 0;
            for _ in 0..20 {
                let field = field_to_clear(&mut random);
                let hold = Piece::ALL[random.below(7) as usize];
                let solved = last.draws(&fields, field, hold);
                for _ in 0..20 {
                    let order = [(); 3].map(|()| random.below(7) as usize);
                    let draws = order.map(|piece| Piece::ALL[piece]);
                    let found = clears(&fields, field, hold, &draws, 3);
                    assert_eq!(contains(&solved, order), found, "{field:x} {hold} {draws:?}");
                    some += usize::from(found);
                }
            }
            assert!(some > 5, "{some} of them clear the field");
        }
    }
}
