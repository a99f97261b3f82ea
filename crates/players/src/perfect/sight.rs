//! What a player can reach who sees only some of the pieces that come.
//!
//! At any time the current piece and some previews are seen, and a move is chosen without knowing what follows them. The best
//! choice is the one that wins for most orders of the pieces that are not seen yet, if it goes on as well with whatever
//! comes. No choice wins for more orders than have a solution when all is known, so that a choice is followed only as long as it
//! could be better than the best so far.
//!
//! Using an empty hold brings the queue one piece on, so that one more is seen before the next piece is placed.

use super::orders::Orders;
use super::solver::{Solver, State, Stopped, Watch};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use tetrion_engine::compact::Bits;
use tetrion_engine::piece::Piece;
use tetrion_engine::randomizer::Bag;

impl Solver {
    /// For how many of its [`orders`](super::Problem::orders) the problem is solved by a player who sees the current piece and
    /// so many previews, and makes the best of it. The known pieces are seen from the start.
    pub fn won_orders(&mut self, previews: usize, watch: &mut Watch) -> Result<u64, Stopped> {
        let orders = self.problem().orders_from();
        let hold = if self.problem().held { Hold::Filled } else { Hold::Empty };
        let (_, starts) = self.starts();
        let mut player = Player {
            solver: self,
            previews,
            orders,
            won: FxHashMap::default(),
            lossless: FxHashMap::default(),
        };
        let sight = |state| Sight { state, hold, seen: Seen::default() };
        let sights: Vec<_> = starts.into_iter().map(sight).collect();
        player.won_by(&sights, 0, watch)
    }
}

/// Whether there is a piece in the hold: if so, it is the one at hand.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Hold {
    Empty,
    /// The current piece must be placed now.
    JustFilled,
    Filled,
}

/// Pieces in their order, three bits for each, the first lowest.
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

/// What a player has before them.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Sight {
    state: State,
    hold: Hold,
    /// The pieces after the one at hand.
    seen: Seen,
}

impl Sight {
    /// How many pieces have been seen, from the first.
    fn end(self) -> usize {
        usize::from(self.state.taken) + usize::from(self.seen.count)
    }
}

/// Which of two pieces is placed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Placed {
    AtHand,
    Next,
}

struct Player<'s> {
    solver: &'s mut Solver,
    previews: usize,
    /// Of the unknown pieces, from each of them on.
    orders: Vec<u64>,
    /// What was found out about sights.
    won: FxHashMap<Sight, u64>,
    lossless: FxHashMap<Sight, bool>,
}

impl Player<'_> {
    /// What may be seen when it comes to a decision.
    fn looks(&self, sight: Sight) -> Vec<Sight> {
        if sight.end() >= self.horizon(sight) {
            return vec![sight];
        }
        let (can_come, _) = self.solver.problem().next(sight.end(), self.bag_after(sight));
        can_come.iter().flat_map(|piece| self.looks(Sight { seen: sight.seen.and(piece), ..sight })).collect()
    }

    /// The orders that are won by the best decision.
    fn decide(&mut self, sight: Sight, watch: &mut Watch) -> Result<u64, Stopped> {
        if self.loses_nothing(sight, watch)? {
            return self.solvable(&[sight], watch);
        }
        if let Some(won) = self.won.get(&sight) {
            return Ok(*won);
        }
        self.solver.count(watch)?;
        let mut options = Vec::new();
        for then in self.options(sight) {
            options.push((self.solvable(&then, watch)?, then));
        }
        options.sort_by_key(|(at_most, _)| Reverse(*at_most));
        let mut best = 0;
        for (at_most, then) in options {
            if at_most <= best {
                break;
            }
            best = best.max(self.won_by(&then, best, watch)?);
        }
        self.won.insert(sight, best);
        Ok(best)
    }

    /// The orders that are won from some sights on, or, as soon as that is known, any number that is not above the floor.
    fn won_by(&mut self, sights: &[Sight], floor: u64, watch: &mut Watch) -> Result<u64, Stopped> {
        let mut most = self.solvable(sights, watch)?;
        for sight in self.all_looks(sights) {
            most -= self.solvable(&[sight], watch)? - self.decide(sight, watch)?;
            if most <= floor {
                break;
            }
        }
        Ok(most)
    }

    /// Whether all orders are won that have a solution if they are known. This is quick to find out, and often so.
    fn loses_nothing(&mut self, sight: Sight, watch: &mut Watch) -> Result<bool, Stopped> {
        let most = self.solvable(&[sight], watch)?;
        if most == 0 || self.sees_all(sight) {
            return Ok(true);
        }
        if let Some(lossless) = self.lossless.get(&sight) {
            return Ok(*lossless);
        }
        self.solver.count(watch)?;
        let mut lossless = false;
        for then in self.options(sight) {
            if self.solvable(&then, watch)? == most && self.all_lose_nothing(&then, watch)? {
                lossless = true;
                break;
            }
        }
        self.lossless.insert(sight, lossless);
        Ok(lossless)
    }

    fn all_lose_nothing(&mut self, sights: &[Sight], watch: &mut Watch) -> Result<bool, Stopped> {
        for sight in self.all_looks(sights) {
            if !self.loses_nothing(sight, watch)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn all_looks(&self, sights: &[Sight]) -> Vec<Sight> {
        sights.iter().flat_map(|sight| self.looks(*sight)).collect()
    }

    /// What the moves that are open lead to: each placement, and using an empty hold.
    fn options(&self, sight: Sight) -> Vec<Vec<Sight>> {
        let (hand, next) = (sight.state.hand, sight.seen.get(0));
        let mut options = Vec::new();
        if sight.hold != Hold::JustFilled {
            let landings = self.landings(sight, hand);
            options.extend(landings.map(|field| self.after(sight, Placed::AtHand, field)));
        }
        if let Some(next) = next
            && (sight.hold == Hold::JustFilled || sight.hold == Hold::Filled && next != hand)
        {
            let landings = self.landings(sight, next);
            options.extend(landings.map(|field| self.after(sight, Placed::Next, field)));
        }
        if sight.hold == Hold::Empty && self.solver.problem().hold {
            options.push(vec![Sight { hold: Hold::JustFilled, ..sight }]);
        }
        options
    }

    fn landings(&self, sight: Sight, piece: Piece) -> impl Iterator<Item = Bits> + use<> {
        self.solver.landings(sight.state, piece).into_iter().map(|landing| landing.after)
    }

    /// The sights after a placement: one, or where the next piece is not seen yet, one for each that can come.
    fn after(&self, sight: Sight, placed: Placed, field: Bits) -> Vec<Sight> {
        let State { hand, taken, bag, .. } = sight.state;
        let (can_come, bag_after) = self.solver.problem().next(taken.into(), bag);
        let hold = if sight.hold == Hold::Empty { Hold::Empty } else { Hold::Filled };
        let then = |next| {
            let hand = if placed == Placed::AtHand { next } else { hand };
            let state = State { field, hand, taken: taken + 1, bag: bag_after(next) };
            Sight { state, hold, seen: sight.seen.after_first() }
        };
        match sight.seen.get(0) {
            Some(next) => vec![then(next)],
            None => can_come.iter().map(then).collect(),
        }
    }

    /// Of the orders of what is not seen yet in some sights, those that have a solution if they are known.
    fn solvable(&mut self, sights: &[Sight], watch: &mut Watch) -> Result<u64, Stopped> {
        let known = self.solver.problem().known.len();
        let mut count = 0;
        for sight in sights {
            let solved = match self.solver.left(sight.state) {
                0 => Orders::ALL,
                _ => self.solver.solve(sight.state, watch)?,
            };
            let taken = usize::from(sight.state.taken);
            let drawn = (known.max(taken)..sight.end()).filter_map(|at| sight.seen.get(at - taken));
            let forest = &self.solver.forest;
            let solved = drawn.fold(solved, |set, piece| forest.after(set, piece));
            count += forest.count(solved, &self.orders[sight.end().saturating_sub(known)..]);
        }
        Ok(count)
    }

    /// Whether nothing is left to be seen, and all moves are open.
    fn sees_all(&self, sight: Sight) -> bool {
        sight.hold != Hold::JustFilled && self.horizon(sight) == self.solver.problem().seen()
    }

    /// The pieces that are seen when it comes to a decision, from the first.
    fn horizon(&self, sight: Sight) -> usize {
        let problem = self.solver.problem();
        let seen = usize::from(sight.state.taken) + usize::from(sight.hold != Hold::Empty);
        seen.saturating_add(self.previews).clamp(problem.known.len(), problem.seen())
    }

    /// What is left of the bag after the pieces that are seen.
    fn bag_after(&self, sight: Sight) -> Bag {
        let (mut bag, mut at) = (sight.state.bag, usize::from(sight.state.taken));
        while let Some(piece) = sight.seen.get(at - usize::from(sight.state.taken)) {
            bag = self.solver.problem().next(at, bag).1(piece);
            at += 1;
        }
        bag
    }
}
