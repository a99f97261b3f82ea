//! What a player can reach who sees only some of the pieces that come.
//!
//! At any time the current piece and some previews are seen, and a move is chosen without knowing what follows them. The best
//! choice is the one that wins for most orders of the pieces that are not seen yet, if it goes on as well with whatever
//! comes. No choice wins for more orders than it has solutions for when all is known, so that only those are followed which
//! could be better than the best so far.
//!
//! Using an empty hold brings the queue one piece on, so that one more is seen before the next piece is placed.

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
        let mut player = Player { solver: self, previews, orders, won: FxHashMap::default() };
        let sights = starts.into_iter().map(|state| Sight { state, hold, seen: Seen::default() });
        player.won_by(sights, watch)
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
    won: FxHashMap<Sight, u64>,
}

impl Player<'_> {
    /// The orders that are won from any of some sights on.
    fn won_by(&mut self, sights: impl IntoIterator<Item = Sight>, watch: &mut Watch) -> Result<u64, Stopped> {
        sights.into_iter().try_fold(0, |won, sight| Ok(won + self.look(sight, watch)?))
    }

    /// The orders that are won when all is seen that can be, whatever it is.
    fn look(&mut self, sight: Sight, watch: &mut Watch) -> Result<u64, Stopped> {
        if sight.end() >= self.horizon(sight) {
            return self.decide(sight, watch);
        }
        let (can_come, _) = self.solver.problem().next(sight.end(), self.bag_after(sight));
        let more = can_come.iter().map(|piece| Sight { seen: sight.seen.and(piece), ..sight });
        self.won_by(more, watch)
    }

    /// The orders that are won by the best decision.
    fn decide(&mut self, sight: Sight, watch: &mut Watch) -> Result<u64, Stopped> {
        let most = self.solvable(sight, watch)?;
        if most == 0 || self.sees_all(sight) {
            return Ok(most);
        }
        if let Some(won) = self.won.get(&sight) {
            return Ok(*won);
        }
        self.solver.count(watch)?;
        let mut best = 0;
        let mut options = self.options(sight, watch)?;
        options.sort_by_key(|option| Reverse(option.0));
        for (at_most, then) in options {
            if at_most <= best {
                break;
            }
            let exact = then.iter().all(|sight| self.sees_all(*sight));
            let won = if exact { at_most } else { self.won_by(then, watch)? };
            best = best.max(won);
        }
        if best < most && sight.hold == Hold::Empty && self.solver.problem().hold {
            best = best.max(self.look(Sight { hold: Hold::JustFilled, ..sight }, watch)?);
        }
        self.won.insert(sight, best);
        Ok(best)
    }

    /// What placements lead to, each with the most orders that can be won from there.
    fn options(&mut self, sight: Sight, watch: &mut Watch) -> Result<Vec<(u64, Vec<Sight>)>, Stopped> {
        let (hand, next) = (sight.state.hand, sight.seen.get(0));
        let mut placements = Vec::new();
        if sight.hold != Hold::JustFilled {
            placements.extend(self.landings(sight, hand).map(|field| (Placed::AtHand, field)));
        }
        if let Some(next) = next
            && (sight.hold == Hold::JustFilled || sight.hold == Hold::Filled && next != hand)
        {
            placements.extend(self.landings(sight, next).map(|field| (Placed::Next, field)));
        }
        let mut options = Vec::new();
        for (placed, field) in placements {
            let then = self.after(sight, placed, field);
            let mut most = 0;
            for sight in &then {
                most += self.solvable(*sight, watch)?;
            }
            options.push((most, then));
        }
        Ok(options)
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

    /// Of the orders that are not seen yet, those that have a solution if they are known.
    fn solvable(&mut self, sight: Sight, watch: &mut Watch) -> Result<u64, Stopped> {
        let known = self.solver.problem().known.len();
        let unseen = &self.orders[sight.end().saturating_sub(known)..];
        if self.solver.left(sight.state) == 0 {
            return Ok(unseen[0]);
        }
        let solved = self.solver.solve(sight.state, watch)?;
        let taken = usize::from(sight.state.taken);
        let drawn = (known.max(taken)..sight.end()).filter_map(|at| sight.seen.get(at - taken));
        let forest = &self.solver.forest;
        Ok(forest.count(drawn.fold(solved, |set, piece| forest.after(set, piece)), unseen))
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
