//! Perfect clears: placements that leave the board empty.
//!
//! ```
//! use tetrion_engine::moves::Movement;
//! use tetrion_engine::piece::parse_queue;
//! use tetrion_players::perfect::{PieceSupply, Problem, Solver, search_on};
//!
//! let board = "####....##\n####....##".parse()?;
//! let pieces = PieceSupply::known(parse_queue("OOI")?);
//! let mut solver = Solver::new(Problem::new(&board, 2, pieces, Movement::Full)?);
//! let listing = solver.solutions(&mut search_on);
//! assert_eq!(listing.solutions[0].order(), "OO");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Pieces that are not known come from the 7-bag. There are two chances of a perfect clear:
//!
//! - [`Solver::solved_orders`]: the orders for which there is a solution, as if the whole order were known in advance. This is
//!   what setup finders call the success rate, and the most that anyone can reach;
//! - [`Solver::won_orders`]: the orders for which a player finds one who sees a few previews, and must decide before the rest.
//!
//! | file | holds |
//! |---|---|
//! | `perfect/mod.rs` | what is asked: a board, the rows to clear, the pieces that come |
//! | `perfect/solver.rs` | the search |
//! | `perfect/orders.rs` | sets of orders of the unknown pieces |
//! | `perfect/previews.rs` | what a player reaches who sees a few pieces ahead |
//! | `perfect/solution.rs` | a solution: its placements, its drawing, when the hold is used |

mod orders;
mod previews;
mod solution;
mod solver;

pub use solution::{Solution, SolutionStep};
pub use solver::{Listing, Solver, Stopped, Watch, search_on};

use crate::field::{COLUMNS, Fields, ROWS};
use tetrion_engine::board::Board;
use tetrion_engine::compact::Bits;
use tetrion_engine::moves::Movement;
use tetrion_engine::piece::Piece;
use tetrion_engine::randomizer::Bag;
use tetrion_engine::words::counted;

/// The pieces that come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PieceSupply {
    /// Those that are known, in their order.
    pub queue: Vec<Piece>,
    /// The piece in the hold.
    pub held: Option<Piece>,
    /// Whether the hold may be used.
    pub hold: bool,
    /// The pieces that can come after the queue before a new bag begins.
    pub bag: Bag,
}

impl PieceSupply {
    /// A queue that began with a bag, and an empty hold.
    pub fn known(queue: Vec<Piece>) -> PieceSupply {
        let bag = bag_after(&queue);
        PieceSupply { queue, held: None, hold: true, bag }
    }
}

/// What is left of the bag after some pieces, if a bag began with the first of them. Where a piece comes again too early for
/// that, a new bag must have begun, and it is taken to have begun there.
pub fn bag_after(pieces: &[Piece]) -> Bag {
    pieces.iter().fold(Bag::EMPTY, |bag, piece| {
        let bag = if bag.contains(*piece) { bag } else { Bag::FULL };
        bag.without(*piece)
    })
}

/// What is asked: to clear so many rows, and nothing left, with the pieces that come.
#[derive(Clone, Debug)]
pub struct Problem {
    field: Bits,
    rows: usize,
    count: usize,
    /// In the order in which they come, the held one first: no more than can be used.
    known: Vec<Piece>,
    /// Whether the first of them is in the hold.
    held: bool,
    hold: bool,
    bag: Bag,
    movement: Movement,
}

/// Why there is nothing to search for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PerfectError {
    /// A board of another width.
    #[error("perfect clears are searched on 10 columns, and the board has {0}")]
    Width(usize),
    /// A board that is too high.
    #[error("perfect clears of up to 6 rows are searched, and the board is {0} rows high")]
    Height(usize),
    /// Rows with nothing below them.
    #[error("row {0} from the bottom is empty below filled ones: no game leaves such a board")]
    Floating(usize),
    /// An odd number of cells.
    #[error(
        "no pieces clear a board of {0} cells: rows have 10, pieces 4, so the board must have an even number"
    )]
    Odd(u32),
    /// A number of rows that can't be cleared.
    #[error(
        "a board of {} and height {height} can't be cleared in {}: {}",
        counted((*cells).into(), "cell"),
        counted(*rows as u64, "row"),
        possible(.clears)
    )]
    Rows {
        /// The rows that were asked for.
        rows: usize,
        /// Cells of the board.
        cells: u32,
        /// Rows of the board.
        height: usize,
        /// What could be asked for: rows, and the pieces that they take.
        clears: Vec<(usize, usize)>,
    },
    /// A held piece without a hold.
    #[error("there is a piece in the hold, but the hold is not to be used")]
    Hold,
}

fn possible(clears: &[(usize, usize)]) -> String {
    let clears: Vec<_> = clears
        .iter()
        .map(|(rows, pieces)| format!("{rows} with {pieces} piece{}", if *pieces == 1 { "" } else { "s" }))
        .collect();
    if clears.is_empty() {
        "nor in any other number up to 6".to_owned()
    } else {
        format!("try {}", clears.join(", "))
    }
}

/// The numbers of rows in which a board could be cleared, by its cells alone, and the pieces that each takes.
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
    /// A problem that could have a solution, by the number of cells.
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

    /// Pieces that it takes.
    pub fn pieces(&self) -> usize {
        self.count
    }

    /// The pieces that come before the last is placed: with a hold, one of them may stay there.
    fn seen(&self) -> usize {
        self.count + usize::from(self.hold)
    }

    /// How many of these are not known.
    pub fn unknown(&self) -> usize {
        self.seen() - self.known.len()
    }

    /// Whether the pieces that are placed can all be known ones.
    pub fn is_known(&self) -> bool {
        self.known.len() >= self.count
    }

    /// The number of orders in which they can come, all as likely.
    pub fn orders(&self) -> u64 {
        self.orders_from()[0]
    }

    /// The number of orders of the unknown pieces from each of them on.
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

    /// The pieces that can come after so many, and what is left of the bag after each.
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
