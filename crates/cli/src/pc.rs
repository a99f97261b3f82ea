//! `tetrion pc`: finds perfect clears.

use crate::output::{self, thousands};
use crate::setup::MovementOption;
use crate::{UsageError, board_text, progress};
use anyhow::Result;
use indicatif::ProgressBar;
use serde::Serialize;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;
use tetrion_engine::board::Board;
use tetrion_engine::piece::{Piece, parse_queue};
use tetrion_engine::randomizer::Bag;
use tetrion_players::field::{COLUMNS, ROWS, bits};
use tetrion_players::perfect::{
    self, Listing, PerfectError, Pieces, Problem, Solution, Solver, Step, Stopped,
};

/// What to clear, and with what.
#[derive(clap::Args)]
pub struct Options {
    /// The board: empty, rows such as '#.../##..' from the top, a fumen, or a file with one of these
    #[arg(long, default_value = "empty")]
    board: String,
    /// The pieces that come, such as IOLJSZT; those after them are unknown, and come from a 7-bag
    #[arg(long, default_value = "")]
    queue: String,
    /// The piece in the hold [default: none]
    #[arg(long, value_name = "PIECE")]
    hold: Option<String>,
    /// Don't use the hold
    #[arg(long, conflicts_with = "hold")]
    no_hold: bool,
    /// The pieces that can come after the queue before a new bag [default: as if a bag began with the queue; the held piece does
    /// not count]
    #[arg(long, value_name = "PIECES")]
    bag: Option<String>,
    /// Rows to clear, up to 6 [default: the fewest that can be cleared with the given pieces]
    #[arg(long)]
    lines: Option<usize>,
    /// How pieces may move
    #[arg(long, value_enum, default_value = "full")]
    movement: MovementOption,
    /// Show so many solutions
    #[arg(long, value_name = "N", default_value_t = 10)]
    solutions: usize,
    /// Find and show all solutions, however long it takes
    #[arg(long, conflicts_with = "solutions")]
    all: bool,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    board: Vec<String>,
    queue: String,
    hold: Option<String>,
    lines: usize,
    /// The pieces that the clear takes.
    pieces: usize,
    /// Whether there is a solution, for some order of the unknown pieces.
    solvable: bool,
    /// Those that are shown.
    solutions: Vec<ShownSolution>,
    /// How many were found: all there are, if complete.
    count: usize,
    complete: bool,
    /// With unknown pieces.
    chance: Option<Chance>,
    seconds: f64,
}

#[derive(Serialize)]
struct ShownSolution {
    /// The pieces as they are placed, after a `*` where the hold is used first.
    order: String,
    placements: Vec<ShownPlacement>,
    /// The rows before any was cleared, from the top.
    drawing: Vec<String>,
    /// For how many orders of the unknown pieces it can be placed; at least, if not all solutions were found.
    orders: u64,
}

#[derive(Serialize)]
struct ShownPlacement {
    piece: String,
    hold: bool,
    /// Columns from the left and rows from the bottom, as they are at the time.
    cells: Vec<(usize, usize)>,
}

/// Over the orders of the unknown pieces, if each is known in advance.
#[derive(Serialize)]
struct Chance {
    unknown: usize,
    solved: u64,
    orders: u64,
    probability: f64,
}

/// Runs the command.
pub fn run(options: Options) -> Result<()> {
    let board = board_text::read(&options.board)?;
    let pieces = pieces(&options)?;
    let start = Instant::now();
    let search = Search::start();
    let (mut solver, solved) = fewest_rows(&options, &board, &pieces, &search)?;
    let listing = match (solved, options.all) {
        (0, _) => Listing { solutions: Vec::new(), complete: true },
        (_, true) => solver.solutions(&mut |looked_at| search.go_on(looked_at, u64::MAX)),
        (_, false) => {
            let limit = solver.looked_at() + LISTING_LIMIT;
            solver.solutions(&mut |looked_at| search.go_on(looked_at, limit))
        }
    };
    drop(search);
    let seconds = start.elapsed().as_secs_f64();
    let shown = if options.all { usize::MAX } else { options.solutions };
    let problem = solver.problem();
    let (unknown, orders) = (problem.unknown(), problem.orders());
    let chance = Chance { unknown, solved, orders, probability: solved as f64 / orders as f64 };
    let report = Report {
        board: board.to_string().lines().map(str::to_owned).collect(),
        queue: letters(&pieces.queue),
        hold: pieces.held.map(|piece| piece.to_string()),
        lines: problem.rows(),
        pieces: problem.pieces(),
        solvable: solved > 0,
        count: listing.solutions.len(),
        complete: listing.complete,
        solutions: listing.solutions.iter().take(shown).map(shown_solution).collect(),
        chance: (unknown > 0).then_some(chance),
        seconds,
    };
    if options.json { output::json(&report) } else { print(&report) }
}

fn pieces(options: &Options) -> Result<Pieces, UsageError> {
    let read = |text: &str| parse_queue(text).map_err(|error| UsageError(error.to_string()));
    let queue = read(&options.queue)?;
    let held = match options.hold.as_deref().map(read).transpose()?.as_deref() {
        None | Some([]) => None,
        Some([piece]) => Some(*piece),
        Some(_) => return Err(UsageError("the hold has one piece".to_owned())),
    };
    let most = ROWS * COLUMNS / 4 + 1;
    if queue.len() + usize::from(held.is_some()) > most {
        return Err(UsageError(format!("at most {most} pieces can be used for {ROWS} rows: give fewer")));
    }
    let bag = match &options.bag {
        None => perfect::bag_after(&queue),
        Some(text) => {
            let pieces = read(text)?;
            let bag = Bag::from_iter(pieces.iter().copied());
            if bag.len() != pieces.len() {
                return Err(UsageError(format!("a bag has each piece once, not '{text}'")));
            }
            bag
        }
    };
    Ok(Pieces { queue, held, hold: !options.no_hold, bag })
}

/// The problem with the fewest rows that has a solution, or else the last that was tried; and for how many orders it has one.
fn fewest_rows(options: &Options, board: &Board, pieces: &Pieces, search: &Search) -> Result<(Solver, u64)> {
    let usage = |error: PerfectError| UsageError(error.to_string());
    let clears = perfect::clears(board).map_err(usage)?;
    let known = pieces.queue.len() + usize::from(pieces.held.is_some());
    let tried: Vec<usize> = match options.lines {
        Some(lines) => vec![lines],
        // Without enough pieces for any, the fewest rows take the fewest unknown ones.
        None => {
            let enough = clears.iter().filter(|clear| clear.1 <= known).map(|clear| clear.0);
            let enough: Vec<_> = enough.collect();
            if enough.is_empty() { vec![clears.first().map_or(ROWS, |clear| clear.0)] } else { enough }
        }
    };
    let mut last = None;
    for rows in tried {
        let problem = Problem::new(board, rows, pieces.clone(), options.movement.into()).map_err(usage)?;
        let mut solver = Solver::new(problem);
        let solved = solver.solved_orders(&mut |looked_at| search.go_on(looked_at, SEARCH_LIMIT));
        let solved = solved.map_err(|Stopped| {
            let limit = thousands(SEARCH_LIMIT);
            UsageError(format!(
                "{rows} rows take more than {limit} boards to look at: give more pieces, or fewer --lines"
            ))
        })?;
        last = Some((solver, solved));
        if solved > 0 {
            break;
        }
    }
    last.ok_or_else(|| UsageError("there are no rows to clear".to_owned()).into())
}

/// Boards to look at for the chance: some minutes, and one or two gigabytes of memory.
const SEARCH_LIMIT: u64 = 20_000_000;
/// Boards to look at for the number of solutions, if not all are asked for: half a second or so.
const LISTING_LIMIT: u64 = 200_000;

/// A search that is shown.
struct Search {
    looked_at: Arc<AtomicU64>,
    bar: ProgressBar,
}

impl Search {
    fn start() -> Search {
        let looked_at = Arc::new(AtomicU64::new(0));
        let count = looked_at.clone();
        let bar =
            progress::spinner("{spinner} {boards} boards looked at", move || count.load(Ordering::Relaxed));
        Search { looked_at, bar }
    }

    fn go_on(&self, looked_at: u64, limit: u64) -> ControlFlow<()> {
        self.looked_at.store(looked_at, Ordering::Relaxed);
        if looked_at < limit { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

impl Drop for Search {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

fn letters(pieces: &[Piece]) -> String {
    pieces.iter().map(|piece| piece.letter()).collect()
}

fn shown_solution(solution: &Solution) -> ShownSolution {
    let placement = |step: &Step| ShownPlacement {
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

fn print(report: &Report) -> Result<()> {
    let many = |count: usize, noun: &str| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
    let clear = format!("{} with {}", many(report.lines, "row"), many(report.pieces, "piece"));
    if !report.solvable {
        let however = report.chance.as_ref().map_or("", |_| ", whatever comes");
        return output::line(format!("no perfect clear of {clear}{however} ({:.3} s)", report.seconds));
    }
    output::line(format!("perfect clear of {clear} ({:.3} s)", report.seconds))?;
    if let Some(Chance { unknown, solved, orders, probability }) = &report.chance {
        let (solved, orders) = (thousands(*solved), thousands(*orders));
        let percent = probability * 100.0;
        let unknown = many(*unknown, "unknown piece");
        output::line(format!("{solved} of {orders} orders of {unknown}, known in advance: {percent:.2} %"))?;
    }
    let count = thousands(report.count as u64);
    let shown = match report.solutions.len() {
        all if all == report.count => String::new(),
        shown => format!(", {shown} shown"),
    };
    let at_least = if report.complete { "" } else { "at least " };
    let noun = if report.count == 1 { "solution" } else { "solutions" };
    output::line(format!("{at_least}{count} {noun}{shown}; * uses the hold"))?;
    for ShownSolution { order, drawing, orders, .. } in &report.solutions {
        let orders = match report.chance.is_some() && report.complete {
            true => format!("  {} orders", thousands(*orders)),
            false => String::new(),
        };
        output::line(format!("\n{order}{orders}"))?;
        for row in drawing {
            output::line(format!("  {row}"))?;
        }
    }
    Ok(())
}
