//! The report on a solved board.

use crate::output::{self, counted, thousands};
use anyhow::Result;
use serde::Serialize;
use tetrion_exact::SmallGame;
use tetrion_exact::game::{Bits, PlacementIndex};

/// Everything about a solved board.
#[derive(Serialize)]
pub struct Report {
    pub game: String,
    pub board: String,
    pub stages: Option<u64>,
    pub chain: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<String>,
    /// The pieces, in the order of all figures by piece.
    pub pieces: Vec<String>,
    /// Reachable boards, and how many of them are kept when mirror images count once.
    pub boards: usize,
    pub boards_kept: usize,
    /// A state is a board and a piece.
    pub states: usize,
    pub memory_bytes: usize,
    /// Sweeps over all boards.
    pub sweeps: usize,
    pub expected: ExpectedRows,
    pub error_bound: f64,
    pub seconds: f64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub survival: Vec<SurvivalChance>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub at: Vec<AtBoard>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub against: Vec<Against>,
    /// The files that were written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub written: Vec<String>,
}

#[derive(Serialize)]
pub struct ExpectedRows {
    pub by_first_piece: Vec<f64>,
    /// The average over the first pieces, or the figure of the piece asked for.
    pub mean: f64,
}

/// The probability of surviving this many placements.
#[derive(Serialize)]
pub struct SurvivalChance {
    pub placements: u64,
    pub chance: f64,
}

/// The best placement of a piece on the board asked for.
#[derive(Serialize)]
pub struct AtBoard {
    pub piece: String,
    pub value: f64,
    /// The index of the placement, by orientation and then column, or `None` if every placement loses.
    pub decision: Option<PlacementIndex>,
    pub rows: u32,
    /// The rows of the board with the piece in its place.
    pub drawing: Vec<String>,
}

/// An agent compared with optimal play.
#[derive(Serialize)]
pub struct Against {
    pub agent: String,
    pub expected: ExpectedRows,
    pub error_bound: f64,
    /// Its share of the optimum.
    pub ratio: f64,
    /// The boards it reaches.
    pub boards: usize,
}

/// The rows of a board from the top: `#` for its cells, `o` for those of a piece, including any above the board.
pub fn drawing(game: &SmallGame, board: Bits, piece: &[(usize, usize)]) -> Vec<String> {
    let filled = game.rows(board);
    let top = piece.iter().map(|cell| cell.1 + 1).max().unwrap_or(0).max(game.height());
    let cell = |x: usize, y: usize| match y < game.height() && filled[game.height() - 1 - y][x] {
        true => '#',
        false if piece.contains(&(x, y)) => 'o',
        false => '.',
    };
    (0..top).rev().map(|y| (0..game.width()).map(|x| cell(x, y)).collect()).collect()
}

/// Prints the report on one board.
pub fn print(report: &Report) -> Result<()> {
    let length = report.stages.map_or("until loss".to_owned(), |stages| counted(stages, "placement"));
    output::line(format!("{} {}, {} pieces, {length}", report.game, report.board, report.chain))?;
    let boards = counted(report.boards as u64, "board");
    let folded = if report.boards_kept < report.boards {
        format!(", {} without mirror images", thousands(report.boards_kept as u64))
    } else {
        String::new()
    };
    output::line(format!("{boards} reachable{folded}; {}", work(report)))?;
    output::line("")?;
    output::line("first piece   expected rows")?;
    for (piece, rows) in report.pieces.iter().zip(&report.expected.by_first_piece) {
        output::line(format!("{piece:<11} {rows:>15.9}"))?;
    }
    let name = report.first.as_ref().map_or("mean".to_owned(), |first| format!("first {first}"));
    output::line(format!(
        "{name:<11} {:>15.9}   error at most {:.1e}",
        report.expected.mean, report.error_bound
    ))?;
    if !report.survival.is_empty() {
        output::line("\nplacements   probability of survival")?;
        for SurvivalChance { placements, chance } in &report.survival {
            output::line(format!("{:>10}   {chance:.9}", thousands(*placements)))?;
        }
    }
    for AtBoard { piece, value, decision, rows, drawing } in &report.at {
        output::line("")?;
        let what = match (decision, rows) {
            (None, _) => "every placement loses".to_owned(),
            (Some(decision), 0) => format!("placement {decision}"),
            (Some(decision), 1) => format!("placement {decision}, clears a row"),
            (Some(decision), rows) => format!("placement {decision}, clears {rows} rows"),
        };
        output::line(format!("{piece}: {value:.9} expected rows; {what}"))?;
        for row in drawing {
            output::line(format!("  {row}"))?;
        }
    }
    if !report.against.is_empty() {
        output::line("\nagent         expected rows   of the optimum")?;
        for Against { agent, expected, ratio, .. } in &report.against {
            output::line(format!("{agent:<12} {:>14.6} {:>15.1} %", expected.mean, ratio * 100.0))?;
        }
        output::line(format!("{:<12} {:>14.6} {:>15.1} %", "optimum", report.expected.mean, 100.0))?;
    }
    if !report.written.is_empty() {
        output::line("")?;
    }
    for path in &report.written {
        output::line(format!("wrote {path}"))?;
    }
    Ok(())
}

fn work(report: &Report) -> String {
    let sweeps = counted(report.sweeps as u64, "sweep");
    format!("{sweeps}, {} and {:.2} s", megabytes(report.memory_bytes), report.seconds)
}

fn megabytes(bytes: usize) -> String {
    match bytes {
        0..10_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        10_000_000..10_000_000_000 => format!("{} MB", thousands(bytes as u64 / 1_000_000)),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}

/// Prints one line of a table of boards: the size of the calculation, and each agent's share of the optimum.
pub fn print_row(report: &Report, with_heading: bool) -> Result<()> {
    if with_heading {
        let agents: String = report.against.iter().map(|against| format!(" {:>12}", against.agent)).collect();
        output::line(format!(
            "{:>5} {:>13} {:>13} {:>14} {:>10} {:>7} {:>9} {:>12} {:>8}{agents}",
            "board", "boards", "kept", "states", "memory", "sweeps", "seconds", "rows", "error"
        ))?;
    }
    let ratios: String = report.against.iter().map(|a| format!(" {:>10.1} %", a.ratio * 100.0)).collect();
    output::line(format!(
        "{:>5} {:>13} {:>13} {:>14} {:>10} {:>7} {:>9.2} {:>12.6} {:>8.1e}{ratios}",
        report.board,
        thousands(report.boards as u64),
        thousands(report.boards_kept as u64),
        thousands(report.states as u64),
        megabytes(report.memory_bytes),
        report.sweeps,
        report.seconds,
        report.expected.mean,
        report.error_bound,
    ))
}
