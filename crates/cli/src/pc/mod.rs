//! `tetrion pc`: finds perfect clears.

mod report;

use crate::output::{self, counted};
use crate::setup::MovementOption;
use crate::{UsageError, board_text, progress};
use anyhow::{Result, anyhow};
use indicatif::ProgressBar;
use report::{AsSeen, ClearChance, OrderShare, Report, RowsTried};
use std::sync::Arc;
use std::time::Instant;
use tetrion_engine::board::Board;
use tetrion_engine::piece::parse_queue;
use tetrion_engine::randomizer::Bag;
use tetrion_interop::fumen::PageSetup;
use tetrion_players::field::ROWS;
use tetrion_players::monitor::{Monitor, Stopped};
use tetrion_players::perfect::{self, PerfectError, PieceSupply, Problem, Solver};

/// What to clear, and with which pieces.
#[derive(clap::Args)]
pub struct Options {
    /// The board: empty, rows such as '#.../##..' from the top, a fumen, a file with one of these, or - for standard input.
    /// Without --queue, the queue and hold in the comment of a fumen's first page are used
    #[arg(long, default_value = "empty")]
    board: String,
    /// The known pieces, such as IOLJSZT; unknown pieces from a 7-bag follow them [default: none]
    #[arg(long, value_name = "PIECES")]
    queue: Option<String>,
    /// The held piece [default: none]
    #[arg(long, value_name = "PIECE")]
    hold: Option<String>,
    /// Don't use the hold
    #[arg(long, conflicts_with = "hold")]
    no_hold: bool,
    /// The pieces left in the bag after the queue [default: as if the queue started a new bag, not counting the held piece]
    #[arg(long, value_name = "PIECES")]
    bag: Option<String>,
    /// The number of previews a player sees
    #[arg(long, value_name = "N", default_value_t = 5)]
    previews: usize,
    /// Rows to clear, up to 6 [default: the fewest possible]
    #[arg(long)]
    lines: Option<usize>,
    /// How pieces may move
    #[arg(long, value_enum, default_value = "full")]
    movement: MovementOption,
    /// Show at most this many solutions; 0 shows none
    #[arg(long, value_name = "N", default_value_t = 10)]
    limit: usize,
    /// Find and show all solutions, however long that takes
    #[arg(long, conflicts_with = "limit")]
    all: bool,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Boards to search for the probabilities: a minute or two.
const SEARCH_LIMIT: u64 = 20_000_000;
/// Boards to search to find out whether more rows than the known pieces clear can be cleared at all, if nobody asked for them:
/// some seconds.
const TRY_LIMIT: u64 = 2_000_000;
/// Boards to search to count the solutions, without --all: about half a second.
const LISTING_LIMIT: u64 = 200_000;

/// Runs the command.
pub fn run(options: Options) -> Result<()> {
    let given = board_text::read(&options.board)?;
    let pieces = pieces(&options, &given)?;
    let board = given.board;
    let start = Instant::now();
    let search = SearchProgress::start();
    let from_diagram = options.queue.is_none() && !given.queue.is_empty();
    let mut report = Report::new(&board, &pieces, from_diagram);
    if let Some((mut solver, solved)) = fewest_rows(&options, &board, &pieces, &search, &mut report.tried)? {
        report.chance = chance(&mut solver, solved, options.previews, &search);
        solver.limit(if options.all { u64::MAX } else { solver.searched() + LISTING_LIMIT });
        let listing = solver.solutions(&search.monitor);
        report.list(listing, if options.all { usize::MAX } else { options.limit });
    }
    drop(search);
    report.seconds = start.elapsed().as_secs_f64();
    if options.json { output::json(&report) } else { report.print() }
}

fn pieces(options: &Options, start: &PageSetup) -> Result<PieceSupply, UsageError> {
    let read = |text: &str| parse_queue(text).map_err(|error| UsageError(error.to_string()));
    let queue = match options.queue.as_deref() {
        None => start.queue.clone(),
        Some(text) => match read(text)? {
            none if none.is_empty() => {
                let reason = "the queue is empty: give pieces such as IOLJSZT, or leave out --queue";
                return Err(UsageError(reason.to_owned()));
            }
            queue => queue,
        },
    };
    let held = match options.hold.as_deref().map(|text| (text, read(text))) {
        None => start.hold.filter(|_| !options.no_hold && options.queue.is_none()),
        Some((text, pieces)) => match pieces?[..] {
            [piece] => Some(piece),
            _ => {
                let reason = format!(
                    "the hold has one piece, such as T, not '{text}': leave out --hold if it is empty"
                );
                return Err(UsageError(reason));
            }
        },
    };
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
    Ok(PieceSupply { queue, held, hold: !options.no_hold, bag })
}

/// The solver of the problem with the fewest rows that has a solution, and the number of orders it solves.
fn fewest_rows(
    options: &Options,
    board: &Board,
    pieces: &PieceSupply,
    search: &SearchProgress,
    tried: &mut Vec<RowsTried>,
) -> Result<Option<(Solver, u64)>> {
    let usage = |error: PerfectError| UsageError(error.to_string());
    let clears = perfect::clears(board).map_err(usage)?;
    let rows = match options.lines {
        Some(lines) => vec![lines],
        // The error for any number says why none works.
        None if clears.is_empty() => vec![ROWS],
        None => clears.iter().map(|clear| clear.0).collect(),
    };
    let known = pieces.queue.len() + usize::from(pieces.held.is_some());
    for lines in rows {
        let problem = Problem::new(board, lines, pieces.clone(), options.movement.into()).map_err(usage)?;
        let asked_for = options.lines.is_some() || problem.pieces() <= known;
        let limit = if asked_for { SEARCH_LIMIT } else { TRY_LIMIT };
        let mut solver = Solver::new(problem);
        solver.limit(limit);
        let solved = solver.solved_orders(&search.monitor);
        tried.push(RowsTried::new(solver.problem(), solved.ok(), limit));
        match solved {
            Ok(0) => {}
            Ok(solved) => return Ok(Some((solver, solved))),
            Err(Stopped) if options.lines.is_some() => {
                let (lines, limit) = (counted(lines as u64, "row"), counted(limit, "board"));
                let hint = "give a longer --queue, or fewer --lines";
                return Err(anyhow!("{lines} take a search of more than {limit}: {hint}"));
            }
            // More rows take longer still.
            Err(Stopped) => break,
        }
    }
    Ok(None)
}

/// The probability of a perfect clear, if it depends on unknown pieces.
fn chance(solver: &mut Solver, solved: u64, previews: usize, search: &SearchProgress) -> Option<ClearChance> {
    let problem = solver.problem();
    let (unknown, orders) = (problem.unknown(), problem.orders());
    // With a hold, one more piece comes than is placed: if every order is solved, it makes no difference.
    if unknown == 0 || problem.is_known() && solved == orders {
        return None;
    }
    let share = |of| OrderShare { orders: of, probability: of as f64 / orders as f64 };
    solver.limit(SEARCH_LIMIT);
    let won = solver.won_orders(previews, &search.monitor);
    let as_seen = AsSeen { previews, share: won.ok().map(share), limit: SEARCH_LIMIT };
    Some(ClearChance { unknown, orders, in_advance: share(solved), as_seen })
}

/// A search with its progress on the screen.
struct SearchProgress {
    monitor: Arc<Monitor>,
    bar: ProgressBar,
}

impl SearchProgress {
    fn start() -> SearchProgress {
        let monitor = Arc::new(Monitor::default());
        let counted = monitor.clone();
        let bar = progress::spinner("{spinner} {boards} boards searched", move || counted.done());
        SearchProgress { monitor, bar }
    }
}

impl Drop for SearchProgress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
