//! Sets of orders in which the unknown pieces can come.
//!
//! The orders form a tree that branches by the next piece. A set is a subtree. Equal subtrees are stored once, so sets of very
//! many orders stay small and comparing them is one operation.

use rustc_hash::FxHashMap;
use tetrion_engine::piece::Piece;
use tetrion_engine::randomizer::Bag;

/// A set of orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OrderSet(u32);

impl OrderSet {
    /// No order.
    pub const NONE: OrderSet = OrderSet(0);
    /// Every order.
    pub const ALL: OrderSet = OrderSet(1);
    /// The branch of a piece that can't come next.
    const NEVER: OrderSet = OrderSet(2);
    /// The number of the first set that is neither of these.
    const FIRST_BRANCHING: usize = 3;
}

/// The orders after each next piece.
type Branches = [OrderSet; 7];

/// All sets in use.
#[derive(Default)]
pub struct Forest {
    branchings: Vec<Branches>,
    numbers: FxHashMap<Branches, OrderSet>,
}

impl Forest {
    /// The set of orders that begin with a possible piece and continue as `after` says.
    pub fn branch(&mut self, can_come: Bag, mut after: impl FnMut(Piece) -> OrderSet) -> OrderSet {
        let branches =
            Piece::ALL.map(|piece| if can_come.contains(piece) { after(piece) } else { OrderSet::NEVER });
        self.intern(branches)
    }

    /// The set of orders that begin with these pieces, each with those that could have come instead.
    pub fn beginning_with(&mut self, drawn: &[(Bag, Piece)]) -> OrderSet {
        drawn.iter().rev().fold(OrderSet::ALL, |rest, (can_come, drawn)| {
            self.branch(*can_come, |piece| if piece == *drawn { rest } else { OrderSet::NONE })
        })
    }

    /// The orders in either set.
    pub fn union(&mut self, a: OrderSet, b: OrderSet) -> OrderSet {
        match (a, b) {
            (a, b) if a == b => a,
            (OrderSet::NONE, other) | (other, OrderSet::NONE) => other,
            (OrderSet::ALL, _) | (_, OrderSet::ALL) => OrderSet::ALL,
            (a, b) => {
                let (left, right) = (self.branches(a), self.branches(b));
                let mut both = left;
                for (one, other) in both.iter_mut().zip(right) {
                    *one = self.union(*one, other);
                }
                self.intern(both)
            }
        }
    }

    /// The rest of the orders that begin with this piece.
    pub fn after(&self, set: OrderSet, piece: Piece) -> OrderSet {
        match set {
            OrderSet::NONE | OrderSet::ALL | OrderSet::NEVER => set,
            _ => self.branches(set)[piece as usize],
        }
    }

    /// The number of orders in a set, given the number of all orders from each piece on.
    pub fn count(&self, set: OrderSet, orders: &[u64]) -> u64 {
        match set {
            OrderSet::NONE | OrderSet::NEVER => 0,
            OrderSet::ALL => orders[0],
            _ => self.branches(set).iter().map(|after| self.count(*after, &orders[1..])).sum(),
        }
    }

    fn branches(&self, set: OrderSet) -> Branches {
        self.branchings[set.0 as usize - OrderSet::FIRST_BRANCHING]
    }

    fn intern(&mut self, branches: Branches) -> OrderSet {
        for same in [OrderSet::NONE, OrderSet::ALL] {
            if branches.iter().all(|after| [same, OrderSet::NEVER].contains(after)) {
                return same;
            }
        }
        *self.numbers.entry(branches).or_insert_with(|| {
            self.branchings.push(branches);
            OrderSet((self.branchings.len() - 1 + OrderSet::FIRST_BRANCHING) as u32)
        })
    }
}
