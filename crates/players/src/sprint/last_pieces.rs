//! Solves the last three pieces: which orders of them leave an empty field.

use crate::field::{Fields, can_be_filled, rows_left};
use rustc_hash::FxHashMap;
use tetrion_engine::compact::Bits;
use tetrion_engine::piece::Piece;

/// A set of orders of three pieces: bit `7b + c` of number `a` is the order `a`, `b`, `c`.
pub type ThreePieceOrders = [u64; 7];

/// The empty set of orders.
pub const NO_ORDERS: ThreePieceOrders = [0; 7];

/// Whether an order is in a set.
#[cfg(test)]
fn contains(orders: &ThreePieceOrders, [a, b, c]: [usize; 3]) -> bool {
    orders[a] >> (7 * b + c) & 1 == 1
}

/// The lowest bit of each group of seven.
const LOWEST_OF_EACH_SEVEN: u64 = 1 | 1 << 7 | 1 << 14 | 1 << 21 | 1 << 28 | 1 << 35 | 1 << 42;

/// A whole group of seven bits.
const SEVEN_BITS: u64 = (1 << 7) - 1;

/// Finds the orders of one, two or three pieces that clear a field, and remembers them. They depend only on the field, so they
/// serve all games.
#[derive(Default)]
pub struct LastPiecesSolver {
    one: FxHashMap<Bits, u8>,
    two: FxHashMap<Bits, u64>,
    three: FxHashMap<Bits, ThreePieceOrders>,
}

/// The most fields to remember, for each number of pieces.
const MAX_REMEMBERED_FIELDS: usize = 1 << 20;

impl LastPiecesSolver {
    /// The single pieces that clear a field: bit `a`.
    fn one_piece(&mut self, fields: &Fields, field: Bits) -> u8 {
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
    fn two_pieces(&mut self, fields: &Fields, field: Bits) -> u64 {
        if let Some(known) = self.two.get(&field) {
            return *known;
        }
        let rows = rows_left(field, 2);
        let mut orders = 0;
        for piece in Piece::ALL {
            let mut pieces = 0u8;
            fields.for_each_landing(field, piece, rows, |after, _| {
                if can_be_filled(after, rows_left(after, 1)) {
                    pieces |= self.one_piece(fields, after);
                }
            });
            orders |= u64::from(pieces) << (7 * piece as u8);
        }
        self.two.insert(field, orders);
        orders
    }

    /// The orders of three pieces that clear a field.
    pub fn three_pieces(&mut self, fields: &Fields, field: Bits) -> ThreePieceOrders {
        if let Some(known) = self.three.get(&field) {
            return *known;
        }
        if self.one.len().max(self.two.len()).max(self.three.len()) > MAX_REMEMBERED_FIELDS {
            *self = LastPiecesSolver::default();
        }
        let rows = rows_left(field, 3);
        let mut orders = NO_ORDERS;
        for piece in Piece::ALL {
            let mut pairs = 0u64;
            fields.for_each_landing(field, piece, rows, |after, _| {
                if can_be_filled(after, rows_left(after, 2)) {
                    pairs |= self.two_pieces(fields, after);
                }
            });
            orders[piece as usize] = pairs;
        }
        self.three.insert(field, orders);
        orders
    }

    /// The orders of the last three draws that clear a field, with this piece in hold.
    pub fn clearing_draws(&mut self, fields: &Fields, field: Bits, hold: Piece) -> ThreePieceOrders {
        let orders = self.three_pieces(fields, field);
        if orders == NO_ORDERS {
            return NO_ORDERS;
        }
        // Each draw or the held piece is placed, and the other is held.
        let hold = hold as usize;
        std::array::from_fn(|a| pairs_with_hold(orders[a], hold) | pairs_with_hold(orders[hold], a))
    }
}

/// The pairs of draws with which a player can place two pieces in one of these orders, with this piece in hold: bit `7b + c`.
#[inline]
fn pairs_with_hold(orders: u64, hold: usize) -> u64 {
    // Place the first draw. If the held piece may follow, the second draw does not matter.
    let draw_first = orders | ((orders >> hold & LOWEST_OF_EACH_SEVEN) * SEVEN_BITS);
    // Place the held piece. Then either draw may follow.
    let follow = orders >> (7 * hold) & SEVEN_BITS;
    let either = (0..7).fold(0, |spread, b| spread | (follow >> b & 1) << (7 * b)) * SEVEN_BITS;
    draw_first | either | (follow * LOWEST_OF_EACH_SEVEN)
}

#[cfg(test)]
mod tests {
    use super::super::finish::clears;
    use super::*;
    use tetrion_engine::moves::Movement;
    use tetrion_engine::randomizer::Random;

    /// Full rows except for a gap of twelve cells, open at the top. Sometimes one cell of the gap is elsewhere.
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
            let mut solver = LastPiecesSolver::default();
            let mut some = 0;
            for _ in 0..20 {
                let field = field_to_clear(&mut random);
                let hold = Piece::ALL[random.below(7) as usize];
                let solved = solver.clearing_draws(&fields, field, hold);
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
