//! Perfect clears: sequences of placements that leave the board empty.
//!
//! ```
//! use tetrion_engine::moves::Movement;
//! use tetrion_engine::piece::parse_queue;
//! use tetrion_players::monitor::Monitor;
//! use tetrion_players::perfect::{PieceSupply, Problem, Solver};
//!
//! let board = "####....##\n####....##".parse()?;
//! let pieces = PieceSupply::known(parse_queue("OOI")?);
//! let mut solver = Solver::new(Problem::new(&board, 2, pieces, Movement::Full)?);
//! let listing = solver.solutions(&Monitor::default());
//! assert_eq!(listing.solutions[0].order(), "OO");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Unknown pieces come from a 7-bag. There are two ways to count the orders in which they can come:
//!
//! - [`Solver::solved_orders`] counts the orders that have a solution, as if the player knew the whole order in advance. Setup
//!   finders call this the success rate. No player can do better;
//! - [`Solver::won_orders`] counts the orders that the best player clears who sees only a few previews at a time.
//!
//! | file | holds |
//! |---|---|
//! | `perfect/mod.rs` | the problem: a board, the rows to clear, the pieces |
//! | `perfect/solver.rs` | the search |
//! | `perfect/orders.rs` | sets of orders of unknown pieces |
//! | `perfect/previews.rs` | the best play with a few previews |
//! | `perfect/solution.rs` | a solution: its placements and its drawing |

mod orders;
mod previews;
mod solution;
mod solver;

pub use solution::{Solution, SolutionStep};
pub use solver::{Listing, Solver};

use crate::field::{COLUMNS, Fields, ROWS};
use tetrion_engine::board::Board;
use tetrion_engine::compact::Bits;
use tetrion_engine::moves::Movement;
use tetrion_engine::piece::Piece;
use tetrion_engine::randomizer::Bag;
use tetrion_engine::words::counted;

/// The pieces to play with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PieceSupply {
    /// The known pieces, in order.
    pub queue: Vec<Piece>,
    /// The piece in the hold.
    pub held: Option<Piece>,
    /// Whether the hold can be used.
    pub hold: bool,
    /// The pieces left in the bag after the queue.
    pub bag: Bag,
}

impl PieceSupply {
    /// A queue that starts with a new bag, and an empty hold.
    pub fn known(queue: Vec<Piece>) -> PieceSupply {
        let bag = bag_after(&queue);
        PieceSupply { queue, held: None, hold: true, bag }
    }
}

/// The pieces left in the bag after some pieces, if a bag began with the first of them. A piece that comes again too early
/// starts a new bag.
pub fn bag_after(pieces: &[Piece]) -> Bag {
    pieces.iter().fold(Bag::EMPTY, |bag, piece| {
        let bag = if bag.contains(*piece) { bag } else { Bag::FULL };
        bag.without(*piece)
    })
}

/// A perfect clear to search for: a board, the number of rows to clear, and the pieces.
#[derive(Clone, Debug)]
pub struct Problem {
    field: Bits,
    rows: usize,
    count: usize,
    /// The known pieces that can be used, the held one first.
    known: Vec<Piece>,
    /// Whether the first of them is held.
    held: bool,
    hold: bool,
    bag: Bag,
    movement: Movement,
}

/// Why a perfect clear can't be searched for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PerfectError {
    /// The board is not 10 columns wide.
    #[error("a perfect clear needs a board of 10 columns, but this one has {0}")]
    Width(usize),
    /// The board is too high.
    #[error("perfect clears are limited to 6 rows, but the board is {0} rows high")]
    Height(usize),
    /// An empty row below filled ones.
    #[error("row {0} from the bottom is empty, with filled rows above it: no game leaves such a board")]
    Floating(usize),
    /// An odd number of filled cells.
    #[error(
        "a board of {0} filled cells can't be cleared: rows have 10 cells and pieces have 4, so the number must be even"
    )]
    Odd(u32),
    /// The board can't be cleared in this number of rows.
    #[error(
        "a board of height {height} with {} can't be cleared in {}: {}",
        counted((*cells).into(), "filled cell"),
        counted(*rows as u64, "row"),
        possible(.clears)
    )]
    Rows {
        /// The rows asked for.
        rows: usize,
        /// Filled cells of the board.
        cells: u32,
        /// Height of the board.
        height: usize,
        /// The numbers of rows that are possible, and the pieces that each takes.
        clears: Vec<(usize, usize)>,
    },
    /// A held piece, but no hold.
    #[error("there is a held piece, but the hold is disabled")]
    Hold,
}

fn possible(clears: &[(usize, usize)]) -> String {
    let clears: Vec<_> = clears
        .iter()
        .map(|(rows, pieces)| format!("{rows} with {pieces} piece{}", if *pieces == 1 { "" } else { "s" }))
        .collect();
    if clears.is_empty() {
        "no other number up to 6 works either".to_owned()
    } else {
        format!("try {}", clears.join(", "))
    }
}

/// The numbers of rows in which a board could be cleared, judging by its filled cells, and the pieces that each takes.
pub fn clears(board: &Board) -> Result<Vec<(usize, usize)>, PerfectError> {
    if board.width() != COLUMNS {
        return Err(PerfectError::Width(board.width()));
    }
    if board.stack_height() > ROWS {
        return Err(PerfectError::Height(board.stack_height()));
    }
    let is_empty = |y: &usize| board.columns()[..COLUMNS].iter().all(|column| column >> y & 1 == 0);
    if let Some(y) = (0..board.stack_height()).find(is_empty) {
        return Err(PerfectError::Floating(y + 1));
    }
    let cells = board.filled_cells();
    if !cells.is_multiple_of(2) {
        return Err(PerfectError::Odd(cells));
    }
    let empty = |rows: usize| rows * COLUMNS - cells as usize;
    let rows = (board.stack_height().max(1)..=ROWS).filter(|rows| empty(*rows).is_multiple_of(4));
    Ok(rows.map(|rows| (rows, empty(rows) / 4)).collect())
}

impl Problem {
    /// A problem that could have a solution, judging by the number of cells.
    pub fn new(
        board: &Board,
        rows: usize,
        pieces: PieceSupply,
        movement: Movement,
    ) -> Result<Problem, PerfectError> {
        let clears = clears(board)?;
        let Some(&(_, count)) = clears.iter().find(|clear| clear.0 == rows) else {
            let (cells, height) = (board.filled_cells(), board.stack_height());
            return Err(PerfectError::Rows { rows, cells, height, clears });
        };
        let PieceSupply { queue, held, hold, bag } = pieces;
        if held.is_some() && !hold {
            return Err(PerfectError::Hold);
        }
        let field = Fields::of(board).ok_or(PerfectError::Height(board.stack_height()))?;
        let known = held.into_iter().chain(queue).take(count + usize::from(hold)).collect();
        Ok(Problem { field, rows, count, known, held: held.is_some(), hold, bag, movement })
    }

    /// Rows to clear.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Pieces to place.
    pub fn pieces(&self) -> usize {
        self.count
    }

    /// The pieces that appear before the last one is placed: with a hold, one of them may stay there.
    fn seen(&self) -> usize {
        self.count + usize::from(self.hold)
    }

    /// How many of these are unknown.
    pub fn unknown(&self) -> usize {
        self.seen() - self.known.len()
    }

    /// Whether there are enough known pieces to place.
    pub fn is_known(&self) -> bool {
        self.known.len() >= self.count
    }

    /// The number of orders in which the unknown pieces can come, all equally likely.
    pub fn orders(&self) -> u64 {
        self.orders_from()[0]
    }

    /// The number of orders of the unknown pieces, starting from each of them.
    fn orders_from(&self) -> Vec<u64> {
        let first = if self.bag.is_empty() { Bag::FULL.len() } else { self.bag.len() };
        let choices = (1..=first).rev().chain((1..=7).rev().cycle());
        let mut orders = vec![1];
        for choices in choices.take(self.unknown()).collect::<Vec<_>>().into_iter().rev() {
            orders.push(orders[orders.len() - 1] * choices as u64);
        }
        orders.reverse();
        orders
    }

    /// The pieces that can come after the first `taken`, and the bag after each.
    fn next(&self, taken: usize, bag: Bag) -> (Bag, impl Fn(Piece) -> Bag + use<>) {
        let known = self.known.get(taken).copied();
        let can_come = match known {
            Some(piece) => Bag::from_iter([piece]),
            None if taken >= self.seen() => Bag::EMPTY,
            None if bag.is_empty() => Bag::FULL,
            None => bag,
        };
        (can_come, move |piece| if known.is_some() { bag } else { can_come.without(piece) })
    }
}
