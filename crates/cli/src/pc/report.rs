//! The report of `tetrion pc`.

use crate::output::{self, counted, thousands};
use anyhow::Result;
use serde::Serialize;
use tetrion_engine::board::Board;
use tetrion_engine::piece::Piece;
use tetrion_players::field::{COLUMNS, bits};
use tetrion_players::perfect::{Listing, PieceSupply, Problem, Solution, SolutionStep};

/// The problem and its solutions.
#[derive(Serialize)]
pub struct Report {
    board: Vec<String>,
    queue: String,
    hold: Option<String>,
    /// Whether queue and hold come from a diagram.
    #[serde(skip)]
    from_diagram: bool,
    /// The numbers of rows tried. If there is a solution, it is for the last of them.
    pub tried: Vec<RowsTried>,
    /// If there is a solution that depends on unknown pieces.
    pub chance: Option<ClearChance>,
    /// The solutions shown.
    solutions: Vec<ShownSolution>,
    /// The number found: all there are, if complete.
    count: usize,
    complete: bool,
    pub seconds: f64,
}

/// A number of rows that was tried, and the result.
#[derive(Serialize)]
pub struct RowsTried {
    lines: usize,
    /// The pieces to place.
    pieces: usize,
    /// The number of orders of the unknown pieces.
    orders: u64,
    /// The number of these that have a solution, or `None` if the search gave up.
    solved: Option<u64>,
    #[serde(skip)]
    limit: u64,
}

/// The probability of a perfect clear over the orders of the unknown pieces.
#[derive(Serialize)]
pub struct ClearChance {
    pub unknown: usize,
    pub orders: u64,
    /// If the player knew the whole order before the first move.
    pub in_advance: OrderShare,
    /// If the player sees only the previews.
    pub as_seen: AsSeen,
}

/// A number of orders, and their share of all orders.
#[derive(Serialize)]
pub struct OrderShare {
    pub orders: u64,
    pub probability: f64,
}

/// The result of the best player who sees some previews.
#[derive(Serialize)]
pub struct AsSeen {
    pub previews: usize,
    /// `None` if the search gave up.
    #[serde(flatten)]
    pub share: Option<OrderShare>,
    #[serde(skip)]
    pub limit: u64,
}

#[derive(Serialize)]
struct ShownSolution {
    /// The pieces in the order they are placed, with `*` before each use of the hold.
    order: String,
    placements: Vec<ShownPlacement>,
    /// The board before any row was cleared, from the top.
    drawing: Vec<String>,
    /// The number of orders of the unknown pieces for which it works; a lower bound if the list is incomplete.
    orders: u64,
}

#[derive(Serialize)]
struct ShownPlacement {
    piece: String,
    hold: bool,
    /// Columns from the left and rows from the bottom, at that time.
    cells: Vec<(usize, usize)>,
}

impl RowsTried {
    /// The result of a search limited to this many boards.
    pub fn new(problem: &Problem, solved: Option<u64>, limit: u64) -> RowsTried {
        let (lines, pieces, orders) = (problem.rows(), problem.pieces(), problem.orders());
        RowsTried { lines, pieces, orders, solved, limit }
    }

    fn describe(&self) -> String {
        let clear =
            format!("{} with {}", counted(self.lines as u64, "row"), counted(self.pieces as u64, "piece"));
        match self.solved {
            Some(0) if self.orders > 1 => format!("no perfect clear of {clear}, whatever pieces come"),
            Some(0) => format!("no perfect clear of {clear}"),
            Some(_) => format!("perfect clear of {clear}"),
            None => {
                let (limit, lines) = (counted(self.limit, "board"), self.lines);
                let hint = format!("give a longer --queue, or search longer with --lines {lines}");
                format!("{clear}: gave up after {limit}; {hint}")
            }
        }
    }
}

impl Report {
    /// An empty report.
    pub fn new(board: &Board, pieces: &PieceSupply, from_diagram: bool) -> Report {
        Report {
            board: board.to_string().lines().map(str::to_owned).collect(),
            queue: pieces.queue.iter().map(|piece| piece.letter()).collect(),
            hold: pieces.held.as_ref().map(Piece::to_string),
            from_diagram,
            tried: Vec::new(),
            chance: None,
            solutions: Vec::new(),
            count: 0,
            complete: true,
            seconds: 0.0,
        }
    }

    /// Adds solutions, and shows the first of them.
    pub fn list(&mut self, listing: Listing, shown: usize) {
        self.count = listing.solutions.len();
        self.complete = listing.complete;
        self.solutions = listing.solutions.iter().take(shown).map(ShownSolution::new).collect();
    }

    /// Prints it for people.
    pub fn print(&self) -> Result<()> {
        if self.from_diagram {
            let hold = self.hold.as_ref().map(|piece| format!(", hold {piece}")).unwrap_or_default();
            output::line(format!("the diagram's pieces: queue {}{hold}", self.queue))?;
        }
        for tried in &self.tried {
            output::line(tried.describe())?;
        }
        if let Some(chance) = &self.chance {
            chance.print()?;
        }
        if self.tried.last().is_some_and(|last| last.solved > Some(0)) {
            self.print_solutions()?;
        }
        Ok(())
    }

    fn print_solutions(&self) -> Result<()> {
        let at_least = if self.complete { "" } else { "at least " };
        let found = counted(self.count as u64, "solution");
        let shown = match self.solutions.len() {
            all if all == self.count => String::new(),
            shown => format!(", {shown} shown"),
        };
        let holds = self.solutions.iter().any(|solution| solution.order.contains('*'));
        let holds = if holds { "; * uses the hold" } else { "" };
        output::line(format!("{at_least}{found}{shown}{holds} ({:.3} s)", self.seconds))?;
        for ShownSolution { order, drawing, orders, .. } in &self.solutions {
            let orders = match self.chance.is_some() && self.complete {
                true => format!("  {}", counted(*orders, "order")),
                false => String::new(),
            };
            output::line(format!("\n{order}{orders}"))?;
            for row in drawing {
                output::line(format!("  {row}"))?;
            }
        }
        Ok(())
    }
}

impl ClearChance {
    fn print(&self) -> Result<()> {
        let told = |share: &OrderShare| {
            let (orders, all) = (thousands(share.orders), counted(self.orders, "order"));
            format!("{:.2} % ({orders} of {all})", share.probability * 100.0)
        };
        let unknown = counted(self.unknown as u64, "unknown piece");
        output::line(format!("{unknown}, if known in advance: {}", told(&self.in_advance)))?;
        let AsSeen { previews, share, limit } = &self.as_seen;
        let seen = match share {
            Some(share) => told(share),
            None => format!(
                "gave up after {} boards; give a longer --queue, or more --previews",
                thousands(*limit)
            ),
        };
        output::line(format!("{unknown}, as seen with {}: {seen}", counted(*previews as u64, "preview")))
    }
}

impl ShownSolution {
    fn new(solution: &Solution) -> ShownSolution {
        let placement = |step: &SolutionStep| ShownPlacement {
            piece: step.piece.to_string(),
            hold: step.hold,
            cells: bits(step.cells).map(|at| (at % COLUMNS, at / COLUMNS)).collect(),
        };
        ShownSolution {
            order: solution.order(),
            placements: solution.steps.iter().map(placement).collect(),
            drawing: solution.drawing(),
            orders: solution.orders,
        }
    }
}
