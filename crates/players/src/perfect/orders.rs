//! Sets of orders in which the pieces that are not known can come.
//!
//! The orders make a tree: its branches are the pieces that can come next. A set is a part of that tree, and equal parts are kept
//! once, so that sets of very many orders stay small and are compared at once.

use rustc_hash::FxHashMap;
use tetrion_engine::piece::Piece;
use tetrion_engine::randomizer::Bag;

/// A set of orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Orders(u32);

impl Orders {
    /// No order.
    pub const NONE: Orders = Orders(0);
    /// Every order.
    pub const ALL: Orders = Orders(1);
    /// What is said of a piece that can't come.
    const NEVER: Orders = Orders(2);
    /// The number of the first branching.
    const FIRST: usize = 3;
}

/// The orders after each next piece.
type Branches = [Orders; 7];

/// All sets that were needed.
#[derive(Default)]
pub struct Forest {
    branchings: Vec<Branches>,
    numbers: FxHashMap<Branches, Orders>,
}

impl Forest {
    /// The set of orders that begin with one of the pieces that can come, and go on as is said of it.
    pub fn branch(&mut self, can_come: Bag, mut after: impl FnMut(Piece) -> Orders) -> Orders {
        let branches =
            Piece::ALL.map(|piece| if can_come.contains(piece) { after(piece) } else { Orders::NEVER });
        self.intern(branches)
    }

    /// The set of orders that begin with these pieces, each out of those that could come.
    pub fn beginning_with(&mut self, drawn: &[(Bag, Piece)]) -> Orders {
        drawn.iter().rev().fold(Orders::ALL, |rest, (can_come, drawn)| {
            self.branch(*can_come, |piece| if piece == *drawn { rest } else { Orders::NONE })
        })
    }

    /// The orders that are in either set.
    pub fn union(&mut self, a: Orders, b: Orders) -> Orders {
        match (a, b) {
            (a, b) if a == b => a,
            (Orders::NONE, other) | (other, Orders::NONE) => other,
            (Orders::ALL, _) | (_, Orders::ALL) => Orders::ALL,
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

    /// What follows a piece in the orders of a set that begin with it.
    pub fn after(&self, set: Orders, piece: Piece) -> Orders {
        match set {
            Orders::NONE | Orders::ALL | Orders::NEVER => set,
            _ => self.branches(set)[piece as usize],
        }
    }

    /// How many orders are in a set, if so many can come from each piece on.
    pub fn count(&self, set: Orders, orders: &[u64]) -> u64 {
        match set {
            Orders::NONE | Orders::NEVER => 0,
            Orders::ALL => orders[0],
            _ => self.branches(set).iter().map(|after| self.count(*after, &orders[1..])).sum(),
        }
    }

    fn branches(&self, set: Orders) -> Branches {
        self.branchings[set.0 as usize - Orders::FIRST]
    }

    fn intern(&mut self, branches: Branches) -> Orders {
        for same in [Orders::NONE, Orders::ALL] {
            if branches.iter().all(|after| [same, Orders::NEVER].contains(after)) {
                return same;
            }
        }
        *self.numbers.entry(branches).or_insert_with(|| {
            self.branchings.push(branches);
            Orders((self.branchings.len() - 1 + Orders::FIRST) as u32)
        })
    }
}
