//! `tetrion perft`: counts the ways to place a queue.

use crate::UsageError;
use crate::output::{self, counted, thousands};
use anyhow::Result;
use serde::Serialize;
use std::time::Instant;
use tetrion_engine::board::Board;
use tetrion_engine::perft::perft;
use tetrion_engine::piece::{Piece, parse_queue};

/// The options of `tetrion perft`.
#[derive(clap::Args)]
pub struct Options {
    /// The pieces, such as IOLJSZT
    #[arg(value_parser = queue)]
    queue: Queue,
    /// How many of them to place [default: all]
    #[arg(long)]
    depth: Option<usize>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Clone)]
struct Queue(Vec<Piece>);

fn queue(text: &str) -> Result<Queue, String> {
    match parse_queue(text) {
        Ok(pieces) if pieces.is_empty() => Err("a queue needs at least one piece".to_owned()),
        Ok(pieces) => Ok(Queue(pieces)),
        Err(error) => Err(error.to_string()),
    }
}

#[derive(Serialize)]
struct Report {
    queue: String,
    depth: usize,
    nodes: u64,
    seconds: f64,
}

/// Runs the command.
pub fn run(options: Options) -> Result<()> {
    let Queue(queue) = options.queue;
    let depth = options.depth.unwrap_or(queue.len());
    if depth == 0 || depth > queue.len() {
        let pieces = queue.len();
        return Err(UsageError(format!(
            "the depth must be from 1 to {pieces}, the length of the queue, not {depth}"
        ))
        .into());
    }
    let start = Instant::now();
    let nodes = perft(&Board::guideline(), &queue[..depth]);
    let seconds = start.elapsed().as_secs_f64();
    let queue: String = queue.iter().map(|piece| piece.letter()).collect();
    let report = Report { queue, depth, nodes, seconds };
    if options.json {
        return output::json(&report);
    }
    let speed = thousands((nodes as f64 / seconds.max(1e-9)) as u64);
    output::line(format!(
        "{} to depth {depth}: {} in {seconds:.3} s ({speed} per second)",
        report.queue,
        counted(nodes, "placement"),
    ))
}
