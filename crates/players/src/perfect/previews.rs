//! The best play for a player who sees only a few pieces ahead.
//!
//! The player sees the current piece and some previews, and must choose a move without knowing what follows. The best move wins
//! the most orders of the unseen pieces, given the best play afterwards. No move wins more orders than have a solution when all
//! pieces are known, so a move is followed only while it could still beat the best so far.
//!
//! The first use of an empty hold moves the queue on by one piece, which shows one piece more before the next placement.

use super::orders::OrderSet;
use super::solver::{SearchState, Solver};
use crate::monitor::{Monitor, Stopped};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use tetrion_engine::compact::Bits;
use tetrion_engine::piece::Piece;
use tetrion_engine::randomizer::Bag;

impl Solver {
    /// The number of [`orders`](super::Problem::orders) that the best player clears who sees the current piece and this many
    /// previews. The player sees the known pieces from the start.
    pub fn won_orders(&mut self, previews: usize, monitor: &Monitor) -> Result<u64, Stopped> {
        let orders = self.problem().orders_from();
        let hold = if self.problem().held { Hold::Filled } else { Hold::Empty };
        let (_, starts) = self.starts();
        let mut player = PreviewPlayer {
            solver: self,
            previews,
            orders,
            won: FxHashMap::default(),
            lossless: FxHashMap::default(),
        };
        let situation = |state| Situation { state, hold, seen: Seen::default() };
        let situations: Vec<_> = starts.into_iter().map(situation).collect();
        player.won_by(&situations, 0, monitor)
    }
}

/// Whether a piece is held. If so, it is the one at hand.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Hold {
    Empty,
    /// The current piece must be placed now.
    JustFilled,
    Filled,
}

/// Pieces in order, three bits each, the first in the lowest bits.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
struct Seen {
    pieces: u64,
    count: u8,
}

impl Seen {
    fn get(self, at: usize) -> Option<Piece> {
        (at < self.count.into()).then(|| Piece::ALL[(self.pieces >> (3 * at) & 7) as usize])
    }

    fn and(self, piece: Piece) -> Seen {
        Seen { pieces: self.pieces | (piece as u64) << (3 * self.count), count: self.count + 1 }
    }

    fn after_first(self) -> Seen {
        Seen { pieces: self.pieces >> 3, count: self.count.saturating_sub(1) }
    }
}

/// What the player sees before a decision.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Situation {
    state: SearchState,
    hold: Hold,
    /// The pieces after the one at hand.
    seen: Seen,
}

impl Situation {
    /// The number of pieces seen so far.
    fn end(self) -> usize {
        usize::from(self.state.taken) + usize::from(self.seen.count)
    }
}

/// Which of the two available pieces is placed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PlacedPiece {
    AtHand,
    Next,
}

struct PreviewPlayer<'s> {
    solver: &'s mut Solver,
    previews: usize,
    /// The number of orders of the unknown pieces, starting from each of them.
    orders: Vec<u64>,
    /// Results for situations already examined.
    won: FxHashMap<Situation, u64>,
    lossless: FxHashMap<Situation, bool>,
}

impl PreviewPlayer<'_> {
    /// All situations that this one can become once the player has seen as much as the previews show.
    fn looks(&self, situation: Situation) -> Vec<Situation> {
        if situation.end() >= self.horizon(situation) {
            return vec![situation];
        }
        let (can_come, _) = self.solver.problem().next(situation.end(), self.bag_after(situation));
        can_come
            .iter()
            .flat_map(|piece| self.looks(Situation { seen: situation.seen.and(piece), ..situation }))
            .collect()
    }

    /// The number of orders that the best decision wins.
    fn decide(&mut self, situation: Situation, monitor: &Monitor) -> Result<u64, Stopped> {
        if self.loses_nothing(situation, monitor)? {
            return self.solvable(&[situation], monitor);
        }
        if let Some(won) = self.won.get(&situation) {
            return Ok(*won);
        }
        self.solver.count(monitor)?;
        let mut options = Vec::new();
        for then in self.options(situation) {
            options.push((self.solvable(&then, monitor)?, then));
        }
        options.sort_by_key(|(at_most, _)| Reverse(*at_most));
        let mut best = 0;
        for (at_most, then) in options {
            if at_most <= best {
                break;
            }
            best = best.max(self.won_by(&then, best, monitor)?);
        }
        self.won.insert(situation, best);
        Ok(best)
    }

    /// The number of orders won from these situations, or some number up to `floor` as soon as it is clear that it is no greater.
    fn won_by(&mut self, situations: &[Situation], floor: u64, monitor: &Monitor) -> Result<u64, Stopped> {
        let mut most = self.solvable(situations, monitor)?;
        for situation in self.all_looks(situations) {
            most -= self.solvable(&[situation], monitor)? - self.decide(situation, monitor)?;
            if most <= floor {
                break;
            }
        }
        Ok(most)
    }

    /// Whether the player wins every order that has a solution. This is quick to check, and often true.
    fn loses_nothing(&mut self, situation: Situation, monitor: &Monitor) -> Result<bool, Stopped> {
        let most = self.solvable(&[situation], monitor)?;
        if most == 0 || self.sees_all(situation) {
            return Ok(true);
        }
        if let Some(lossless) = self.lossless.get(&situation) {
            return Ok(*lossless);
        }
        self.solver.count(monitor)?;
        let mut lossless = false;
        for then in self.options(situation) {
            if self.solvable(&then, monitor)? == most && self.all_lose_nothing(&then, monitor)? {
                lossless = true;
                break;
            }
        }
        self.lossless.insert(situation, lossless);
        Ok(lossless)
    }

    fn all_lose_nothing(&mut self, situations: &[Situation], monitor: &Monitor) -> Result<bool, Stopped> {
        for situation in self.all_looks(situations) {
            if !self.loses_nothing(situation, monitor)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn all_looks(&self, situations: &[Situation]) -> Vec<Situation> {
        situations.iter().flat_map(|situation| self.looks(*situation)).collect()
    }

    /// The situations after each possible move: each placement, and the first use of the hold.
    fn options(&self, situation: Situation) -> Vec<Vec<Situation>> {
        let (hand, next) = (situation.state.hand, situation.seen.get(0));
        let mut options = Vec::new();
        if situation.hold != Hold::JustFilled {
            let placements = self.placements(situation, hand);
            options.extend(placements.map(|field| self.after(situation, PlacedPiece::AtHand, field)));
        }
        if let Some(next) = next
            && (situation.hold == Hold::JustFilled || situation.hold == Hold::Filled && next != hand)
        {
            let placements = self.placements(situation, next);
            options.extend(placements.map(|field| self.after(situation, PlacedPiece::Next, field)));
        }
        if situation.hold == Hold::Empty && self.solver.problem().hold {
            options.push(vec![Situation { hold: Hold::JustFilled, ..situation }]);
        }
        options
    }

    fn placements(&self, situation: Situation, piece: Piece) -> impl Iterator<Item = Bits> + use<> {
        self.solver.placements(situation.state, piece).into_iter().map(|placement| placement.after)
    }

    /// The situations after a placement: one, or if the next piece is still unseen, one for each possible piece.
    fn after(&self, situation: Situation, placed: PlacedPiece, field: Bits) -> Vec<Situation> {
        let SearchState { hand, taken, bag, .. } = situation.state;
        let (can_come, bag_after) = self.solver.problem().next(taken.into(), bag);
        let hold = if situation.hold == Hold::Empty { Hold::Empty } else { Hold::Filled };
        let then = |next| {
            let hand = if placed == PlacedPiece::AtHand { next } else { hand };
            let state = SearchState { field, hand, taken: taken + 1, bag: bag_after(next) };
            Situation { state, hold, seen: situation.seen.after_first() }
        };
        match situation.seen.get(0) {
            Some(next) => vec![then(next)],
            None => can_come.iter().map(then).collect(),
        }
    }

    /// The number of orders of the unseen pieces that have a solution, summed over these situations.
    fn solvable(&mut self, situations: &[Situation], monitor: &Monitor) -> Result<u64, Stopped> {
        let known = self.solver.problem().known.len();
        let mut count = 0;
        for situation in situations {
            let solved = match self.solver.left(situation.state) {
                0 => OrderSet::ALL,
                _ => self.solver.solve(situation.state, monitor)?,
            };
            let taken = usize::from(situation.state.taken);
            let drawn = (known.max(taken)..situation.end()).filter_map(|at| situation.seen.get(at - taken));
            let forest = &self.solver.forest;
            let solved = drawn.fold(solved, |set, piece| forest.after(set, piece));
            count += forest.count(solved, &self.orders[situation.end().saturating_sub(known)..]);
        }
        Ok(count)
    }

    /// Whether the player sees every piece, and every move is possible.
    fn sees_all(&self, situation: Situation) -> bool {
        situation.hold != Hold::JustFilled && self.horizon(situation) == self.solver.problem().seen()
    }

    /// The number of pieces seen at the next decision.
    fn horizon(&self, situation: Situation) -> usize {
        let problem = self.solver.problem();
        let seen = usize::from(situation.state.taken) + usize::from(situation.hold != Hold::Empty);
        seen.saturating_add(self.previews).clamp(problem.known.len(), problem.seen())
    }

    /// The bag after the seen pieces.
    fn bag_after(&self, situation: Situation) -> Bag {
        let (mut bag, mut at) = (situation.state.bag, usize::from(situation.state.taken));
        while let Some(piece) = situation.seen.get(at - usize::from(situation.state.taken)) {
            bag = self.solver.problem().next(at, bag).1(piece);
            at += 1;
        }
        bag
    }
}
