//! `tetrion bench`: the speeds that the README tells, and a signature of what was computed.

use crate::UsageError;
use crate::output;
use anyhow::{Context, Result, bail};
use serde::Serialize;
use std::process::Command;
use std::time::Instant;
use tetrion_engine::board::Board;
use tetrion_engine::game::{Game, Move};
use tetrion_engine::moves::Movement;
use tetrion_engine::perft::perft;
use tetrion_engine::piece::parse_queue;
use tetrion_engine::randomizer::Random;
use tetrion_engine::ruleset::{Mode, Ruleset};

/// What to measure.
#[derive(clap::Args)]
pub struct Options {
    /// Runs of each measurement; their median is told
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Queue that perft places
    #[arg(long, default_value = "IOLJSZ")]
    queue: String,
    /// Another program that counts perft, to be timed in turn with ours: it is called with the queue
    #[arg(long, value_name = "PROGRAM")]
    perft_peer: Option<String>,
    /// Print only the signature: a number that changes when behaviour does
    #[arg(long)]
    signature: bool,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    signature: String,
    measurements: Vec<Measurement>,
}

#[derive(Serialize)]
struct Measurement {
    name: String,
    unit: &'static str,
    median: f64,
    min: f64,
    max: f64,
}

/// Runs the command.
pub fn run(options: Options) -> Result<()> {
    let queue = parse_queue(&options.queue).map_err(|error| UsageError(error.to_string()))?;
    if options.signature {
        return output::line(signature());
    }
    let (mut counted, mut peer_counted, mut dropped) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..options.runs {
        let start = Instant::now();
        let nodes = perft(&Board::guideline(), &queue) as f64;
        counted.push(nodes / start.elapsed().as_secs_f64() / 1e6);
        if let Some(peer) = &options.perft_peer {
            peer_counted.push(nodes / time_peer(peer, &options.queue)? / 1e6);
        }
        let start = Instant::now();
        let placements = drop_at_random(2_000_000, 1).0 as f64;
        dropped.push(placements / start.elapsed().as_secs_f64() / 1e6);
    }
    let mut measurements = vec![measurement(&format!("perft {}", options.queue), "M placements/s", counted)];
    if !peer_counted.is_empty() {
        let peer = measurement("perft, the peer", "M placements/s", peer_counted);
        let ratio = measurements[0].median / peer.median;
        measurements.push(peer);
        measurements.push(measurement("perft, ours to the peer's", "times", vec![ratio]));
    }
    measurements.push(measurement("random hard drops, one game at a time", "M placements/s", dropped));
    let report = Report { signature: signature(), measurements };
    if options.json {
        return output::json(&report);
    }
    for Measurement { name, unit, median, min, max } in &report.measurements {
        output::line(format!("{name:<40} {median:>9.2} {unit} ({min:.2} to {max:.2})"))?;
    }
    output::line(format!("signature {}", report.signature))
}

fn measurement(name: &str, unit: &'static str, mut values: Vec<f64>) -> Measurement {
    values.sort_by(f64::total_cmp);
    let median = values[values.len() / 2];
    Measurement { name: name.to_owned(), unit, median, min: values[0], max: values[values.len() - 1] }
}

fn time_peer(program: &str, queue: &str) -> Result<f64> {
    let start = Instant::now();
    let done = Command::new(program).arg(queue).output().with_context(|| format!("can't run {program}"))?;
    if !done.status.success() {
        bail!("{program} failed: {}", String::from_utf8_lossy(&done.stderr).trim());
    }
    Ok(start.elapsed().as_secs_f64())
}

/// Plays whole games of random hard drops until that many pieces are placed; says how many they were, and a hash of all
/// final states.
fn drop_at_random(pieces: u64, seed: u64) -> (u64, u64) {
    let rules = Ruleset { movement: Movement::HardDrop, hold: false, ..Ruleset::new(Mode::Practice) };
    let mut random = Random::new(!seed);
    let (mut placed, mut hash) = (0, 0u64);
    for game in 0.. {
        let mut game = Game::new(rules.clone(), seed + game).expect("these rules make a game");
        while game.outcome().is_none() {
            let placements = game.placements(game.current());
            let nth = random.below(placements.len() as u64) as usize;
            let placement = placements.nth(nth).expect("one of the placements");
            game.play_generated(Move { hold: false, placement });
        }
        placed += u64::from(game.placed());
        hash = hash.rotate_left(5) ^ game.state_hash();
        if placed >= pieces {
            break;
        }
    }
    (placed, hash)
}

/// What perft counts and how random games end, as one number. A change that is meant to keep behaviour keeps it.
fn signature() -> String {
    let board = Board::guideline();
    let mut hash = drop_at_random(20_000, 7).1;
    for queue in ["IOLJS", "TIOLJ", "ZTIOL", "SZTIO", "LJSZT"] {
        let queue = parse_queue(queue).expect("these are pieces");
        hash = hash.rotate_left(7) ^ perft(&board, &queue);
    }
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_signature_is_the_one_in_the_repository() {
        let recorded = include_str!("../signature.txt").trim();
        assert_eq!(
            signature(),
            recorded,
            "behaviour changed: if that is meant, record it with `tetrion bench --signature`"
        );
    }
}
