//! The search for perfect clears.
//!
//! With a hold, the player can always place one of two pieces: the one at hand or the one that comes after it. With an empty
//! hold these are the current piece and the next one, otherwise the held piece and the current one. Whichever is placed, the
//! other stays at hand. So a state is a field, the piece at hand and the number of pieces that have come.

use super::Problem;
use super::orders::{Forest, OrderSet};
use super::solution::{RowsLeft, Solution, SolutionStep};
use crate::field::{COLUMNS, Fields, ROWS, can_be_filled, rows_left};
use crate::monitor::{Monitor, Stopped};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use tetrion_engine::compact::Bits;
use tetrion_engine::piece::Piece;
use tetrion_engine::randomizer::Bag;

/// The solutions found.
#[derive(Clone, Debug)]
pub struct Listing {
    /// Distinct by the cells that each piece fills. Those for the most orders come first.
    pub solutions: Vec<Solution>,
    /// Whether these are all. If not, there may be more, and each may work for more orders.
    pub complete: bool,
}

/// Searches for the solutions of a problem, and remembers the states it has solved.
pub struct Solver {
    problem: Problem,
    fields: Fields,
    pub(super) forest: Forest,
    solved: SolvedStates,
    /// States searched so far.
    searched: u64,
    limit: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct SearchState {
    pub field: Bits,
    /// The piece at hand.
    pub hand: Piece,
    /// The number of pieces that have come, including the one at hand.
    pub taken: u8,
    /// What is left in the bag.
    pub bag: Bag,
}

/// The orders of the remaining pieces that solve each state. There are millions of states, so those with the same remaining
/// pieces share a map, whose key packs the field and the piece at hand into one number.
#[derive(Default)]
struct SolvedStates(FxHashMap<(u8, Bag), FxHashMap<u64, OrderSet>>);

impl SolvedStates {
    fn key(state: SearchState) -> u64 {
        state.field | (state.hand as u64) << (COLUMNS * ROWS)
    }

    fn get(&self, state: SearchState) -> Option<OrderSet> {
        self.0.get(&(state.taken, state.bag))?.get(&SolvedStates::key(state)).copied()
    }

    fn insert(&mut self, state: SearchState, orders: OrderSet) {
        self.0.entry((state.taken, state.bag)).or_default().insert(SolvedStates::key(state), orders);
    }
}

/// A placement on the field that may lead to a solution.
pub(super) struct FieldPlacement {
    cells: Bits,
    pub after: Bits,
}

/// A placement of one of two pieces.
struct SearchMove {
    placed: Piece,
    cells: Bits,
    then: SearchState,
}

impl Solver {
    /// A solver that has searched nothing yet.
    pub fn new(problem: Problem) -> Solver {
        let fields = Fields::new(problem.movement);
        Solver {
            problem,
            fields,
            forest: Forest::default(),
            solved: SolvedStates::default(),
            searched: 0,
            limit: u64::MAX,
        }
    }

    /// The problem.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// The number of states searched so far.
    pub fn searched(&self) -> u64 {
        self.searched
    }

    /// From now on, stops after this many states in all.
    pub fn limit(&mut self, states: u64) {
        self.limit = states;
    }

    /// The number of [`orders`](Problem::orders) for which the problem has a solution.
    pub fn solved_orders(&mut self, monitor: &Monitor) -> Result<u64, Stopped> {
        let (can_come, starts) = self.starts();
        let mut solved = [OrderSet::NONE; 7];
        for state in starts {
            solved[state.hand as usize] = self.solve(state, monitor)?;
        }
        let solved = self.join(0, can_come, solved);
        Ok(self.forest.count(solved, &self.problem.orders_from()))
    }

    /// All solutions, for any order of the unknown pieces, or those found before the search was stopped.
    pub fn solutions(&mut self, monitor: &Monitor) -> Listing {
        let mut found = FoundSolutions::default();
        let line = PartialSolution {
            steps: Vec::new(),
            drawn: Vec::new(),
            rows: RowsLeft::all(self.problem.rows),
            holding: self.problem.held,
        };
        let (can_come, starts) = self.starts();
        let complete = starts.into_iter().all(|state| {
            let line = line.drawing(self.drawn(0, can_come, state.hand));
            self.list(state, &line, &mut found, monitor).is_ok()
        });
        let orders = self.problem.orders_from();
        let solution = |(steps, set)| Solution { steps, orders: self.forest.count(set, &orders) };
        let mut solutions: Vec<_> = found.lines.into_iter().map(solution).collect();
        solutions.sort_by_key(|solution| Reverse(solution.orders));
        Listing { solutions, complete }
    }

    /// The pieces that can be at hand first, and the states with them.
    pub(super) fn starts(&self) -> (Bag, Vec<SearchState>) {
        let field = self.problem.field;
        let (can_come, bag_after) = self.problem.next(0, self.problem.bag);
        let start = |hand| SearchState { field, hand, taken: 1, bag: bag_after(hand) };
        (can_come, can_come.iter().map(start).collect())
    }

    /// The orders of the remaining pieces that solve a state.
    pub(super) fn solve(&mut self, state: SearchState, monitor: &Monitor) -> Result<OrderSet, Stopped> {
        if let Some(solved) = self.solved.get(state) {
            return Ok(solved);
        }
        self.count(monitor)?;
        let last = self.left(state) == 1;
        let by_hand = self.placements(state, state.hand);
        let solved = if last && !by_hand.is_empty() {
            OrderSet::ALL
        } else {
            let (can_come, bag_after) = self.problem.next(state.taken.into(), state.bag);
            let mut solved = [OrderSet::NONE; 7];
            for next in can_come.iter() {
                for choice in self.choices(state, &by_hand, next, bag_after(next)) {
                    let after = if last { OrderSet::ALL } else { self.solve(choice.then, monitor)? };
                    let set = &mut solved[next as usize];
                    *set = self.forest.union(*set, after);
                    if *set == OrderSet::ALL {
                        break;
                    }
                }
            }
            self.join(state.taken.into(), can_come, solved)
        };
        self.solved.insert(state, solved);
        Ok(solved)
    }

    /// Adds every solution that continues `line` from this state.
    fn list(
        &mut self,
        state: SearchState,
        line: &PartialSolution,
        found: &mut FoundSolutions,
        monitor: &Monitor,
    ) -> Result<(), Stopped> {
        self.count(monitor)?;
        let last = self.left(state) == 1;
        let mut by_hand = self.placements(state, state.hand);
        if last {
            // The last piece at hand works whatever comes next.
            for placement in by_hand.drain(..) {
                found.add(line.and(state, state.hand, None, placement.cells), &mut self.forest);
            }
        }
        let (can_come, bag_after) = self.problem.next(state.taken.into(), state.bag);
        for next in can_come.iter() {
            let line = line.drawing(self.drawn(state.taken.into(), can_come, next));
            for SearchMove { placed, cells, then } in self.choices(state, &by_hand, next, bag_after(next)) {
                if last || self.solve(then, monitor)? != OrderSet::NONE {
                    let line = line.and(state, placed, Some(then.hand), cells);
                    if last {
                        found.add(line, &mut self.forest);
                    } else {
                        self.list(then, &line, found, monitor)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Counts a state. Every so often, reports progress and checks whether to stop.
    pub(super) fn count(&mut self, monitor: &Monitor) -> Result<(), Stopped> {
        const STATES_BETWEEN_CHECKS: u64 = 1024;
        self.searched += 1;
        if self.searched.is_multiple_of(STATES_BETWEEN_CHECKS) {
            monitor.add(STATES_BETWEEN_CHECKS);
            if monitor.is_stopped() || self.searched >= self.limit {
                return Err(Stopped);
            }
        }
        Ok(())
    }

    /// The possible moves when a piece comes: place the piece at hand, or with a hold the one that came.
    fn choices(
        &self,
        state: SearchState,
        by_hand: &[FieldPlacement],
        next: Piece,
        bag: Bag,
    ) -> Vec<SearchMove> {
        let choice = |placed, hand, placement: &FieldPlacement| SearchMove {
            placed,
            cells: placement.cells,
            then: SearchState { field: placement.after, hand, taken: state.taken + 1, bag },
        };
        let mut choices: Vec<_> =
            by_hand.iter().map(|placement| choice(state.hand, next, placement)).collect();
        if self.problem.hold && next != state.hand {
            choices.extend(
                self.placements(state, next).iter().map(|placement| choice(next, state.hand, placement)),
            );
        }
        choices
    }

    /// The placements of a piece that stay within the rows to clear and leave no area that pieces can't fill.
    pub(super) fn placements(&self, state: SearchState, piece: Piece) -> Vec<FieldPlacement> {
        let rows = rows_left(state.field, self.left(state));
        let mut placements = Vec::new();
        self.fields.for_each_placement(state.field, piece, rows, |cells, after, cleared| {
            if can_be_filled(after, rows - cleared as usize) {
                placements.push(FieldPlacement { cells, after });
            }
        });
        placements
    }

    /// Pieces left to place.
    pub(super) fn left(&self, state: SearchState) -> usize {
        self.problem.count + 1 - usize::from(state.taken)
    }

    /// The set of orders after the first `taken` pieces, from the sets after each next piece. Known pieces are not part of an order.
    fn join(&mut self, taken: usize, can_come: Bag, after: [OrderSet; 7]) -> OrderSet {
        match self.problem.known.get(taken) {
            Some(next) => after[*next as usize],
            None => self.forest.branch(can_come, |piece| after[piece as usize]),
        }
    }

    /// The next piece as part of an order, if it is unknown.
    fn drawn(&self, taken: usize, can_come: Bag, next: Piece) -> Option<(Bag, Piece)> {
        (taken >= self.problem.known.len()).then_some((can_come, next))
    }
}

/// The placements on the way to a solution.
#[derive(Clone)]
struct PartialSolution {
    steps: Vec<SolutionStep>,
    /// The unknown pieces that have come, each with those that could have.
    drawn: Vec<(Bag, Piece)>,
    rows: RowsLeft,
    /// Whether a piece is held.
    holding: bool,
}

impl PartialSolution {
    /// The same placements after one more piece has come.
    fn drawing(&self, drawn: Option<(Bag, Piece)>) -> PartialSolution {
        let mut line = self.clone();
        line.drawn.extend(drawn);
        line
    }

    /// One more placement, of a piece that could have been swapped for `other`. If a piece is held, it is the one at hand.
    fn and(&self, state: SearchState, piece: Piece, other: Option<Piece>, cells: Bits) -> PartialSolution {
        let mut line = self.clone();
        let hold = self.holding == (piece == state.hand) && other != Some(piece);
        line.steps.push(SolutionStep { piece, hold, cells, origin: self.rows.origin(cells) });
        line.rows = self.rows.after(state.field | cells);
        line.holding |= hold;
        line
    }
}

/// The solutions found so far, by the cells that each piece fills.
#[derive(Default)]
struct FoundSolutions {
    lines: Vec<(Vec<SolutionStep>, OrderSet)>,
    numbers: FxHashMap<Vec<(Bits, Piece)>, usize>,
}

impl FoundSolutions {
    fn add(&mut self, line: PartialSolution, forest: &mut Forest) {
        let mut filled: Vec<_> = line.steps.iter().map(|step| (step.origin, step.piece)).collect();
        filled.sort_unstable();
        let orders = forest.beginning_with(&line.drawn);
        let number = *self.numbers.entry(filled).or_insert(self.lines.len());
        match self.lines.get_mut(number) {
            Some((_, all)) => *all = forest.union(*all, orders),
            None => self.lines.push((line.steps, orders)),
        }
    }
}
