//! `tetrion bench`: the README's benchmarks, and a signature of the program's behaviour.

use crate::UsageError;
use crate::output;
use anyhow::{Context, Result, bail};
use serde::Serialize;
use std::ops::ControlFlow;
use std::process::Command;
use std::time::Instant;
use tetrion_engine::board::Board;
use tetrion_engine::game::{Game, Move};
use tetrion_engine::moves::Movement;
use tetrion_engine::perft::perft;
use tetrion_engine::piece::{Piece, parse_queue};
use tetrion_engine::randomizer::Random;
use tetrion_engine::replay::Replay;
use tetrion_engine::ruleset::{Mode, Ruleset};
use tetrion_exact::solve as exact;
use tetrion_exact::{Chain, Model, Monitor, PieceSet, SmallGame};
use tetrion_players::agent::Limits;
use tetrion_players::blitz::{BlitzAgent, Weights};
use tetrion_players::catalogue::{self, AgentSpec};
use tetrion_players::classic::play_classic;
use tetrion_players::{Agent, typist};
use tetrion_server::verify::ReplayedGame;

/// The options of `tetrion bench`.
#[derive(clap::Args)]
pub struct Options {
    /// Runs of each measurement; the median counts
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Queue for perft
    #[arg(long, default_value = "IOLJSZ")]
    queue: String,
    /// Another perft program to compare with, run in turn with ours; it gets the queue as its argument
    #[arg(long, value_name = "PROGRAM")]
    perft_peer: Option<String>,
    /// Print only the signature, a hash that changes when the program's behaviour changes
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

/// How much work was done, and a hash of its results.
struct Done {
    count: u64,
    hash: u64,
}

/// Runs the command.
pub fn run(options: Options) -> Result<()> {
    let queue = parse_queue(&options.queue).map_err(|error| UsageError(error.to_string()))?;
    if options.signature {
        return match options.json {
            true => output::json(&serde_json::json!({ "signature": signature() })),
            false => output::line(signature()),
        };
    }
    if let Some(peer) = &options.perft_peer {
        // Find out before measuring anything whether the peer runs at all.
        time_peer(peer, "I")?;
    }
    let mut report = Report { signature: signature(), measurements: Vec::new() };
    let mut record = |name: &str, unit: &'static str, mut values: Vec<f64>| -> Result<()> {
        values.sort_by(f64::total_cmp);
        let (median, min, max) = (values[values.len() / 2], values[0], values[values.len() - 1]);
        if !options.json {
            output::line(format!("{name:<44} {median:>9.2} {unit} ({min:.2} to {max:.2})"))?;
        }
        report.measurements.push(Measurement { name: name.to_owned(), unit, median, min, max });
        Ok(())
    };

    // Run ours and the peer's in turn, so that both see the same load on the machine.
    let (mut ours, mut theirs, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..options.runs {
        let start = Instant::now();
        let nodes = count_perft(&queue).count as f64;
        let seconds = start.elapsed().as_secs_f64();
        ours.push(nodes / seconds / 1e6);
        if let Some(peer) = &options.perft_peer {
            let peer_seconds = time_peer(peer, &options.queue)?;
            theirs.push(nodes / peer_seconds / 1e6);
            ratios.push(peer_seconds / seconds);
        }
    }
    record(&format!("perft {}", options.queue), "M placements/s", ours)?;
    if options.perft_peer.is_some() {
        record("perft, the peer", "M placements/s", theirs)?;
        record("perft, ours to the peer's", "times", ratios)?;
    }
    let mut measure = |name: &str, work: &dyn Fn() -> Done| {
        record(name, "k decisions/s", (0..options.runs).map(|_| speed(work) / 1e3).collect())
    };
    measure("random hard drops, one game at a time", &|| drop_at_random(2_000_000, 1))?;
    for (name, mode, pieces) in SAMPLES {
        measure(&format!("{name}, {mode}, one game at a time"), &|| play(name, mode, pieces))?;
    }
    for name in ["bcts", "dt20", "record"] {
        measure(&format!("{name}, classic 10x20, many games"), &|| play_many(name, 1_024, 10_000))?;
        measure(&format!("{name}, classic 10x20, one game"), &|| play_many(name, 1, 500_000))?;
    }
    measure("record+, classic 10x20, many games", &|| play_many("record+", 512, 1_000))?;
    let positions = blitz_positions();
    let nodes_per_second = (0..options.runs).map(|_| speed(|| search_blitz(&positions)) / 1e6).collect();
    record("blitz, search of a position", "M placements/s", nodes_per_second)?;

    for (name, games) in [("agents", agents_games()), ("people", peoples_games())] {
        let kilobytes = games.iter().map(Vec::len).sum::<usize>() as f64 / games.len() as f64 / 1e3;
        let name = format!("verifying games by {name} ({kilobytes:.1} kB each)");
        record(&name, "games/s", (0..options.runs).map(|_| speed(|| verify(&games))).collect())?;
    }

    for (name, pieces, side, stages) in [
        ("exact, tiny 3x3, 999 placements", PieceSet::tiny(), (3, 3), Some(999)),
        ("exact, classic 5x4, until loss to 1e-6", PieceSet::classic(), (5, 4), None),
    ] {
        let milliseconds = (0..options.runs).map(|_| solve(&pieces, side, stages) * 1e3).collect();
        record(name, "ms", milliseconds)?;
    }

    if options.json {
        return output::json(&report);
    }
    output::line(format!("signature {}", report.signature))
}

/// The agents to measure, with a mode and a number of pieces that takes about a second.
const SAMPLES: [(&str, Mode, u64); 2] = [("capstone", Mode::Sprint, 100_000), ("lee", Mode::Sprint, 20_000)];

/// How much work is done per second.
fn speed(work: impl Fn() -> Done) -> f64 {
    let start = Instant::now();
    let count = work().count as f64;
    count / start.elapsed().as_secs_f64()
}

fn time_peer(program: &str, queue: &str) -> Result<f64> {
    let start = Instant::now();
    let done = Command::new(program).arg(queue).output().with_context(|| format!("can't run {program}"))?;
    if !done.status.success() {
        bail!("{program} failed: {}", String::from_utf8_lossy(&done.stderr).trim());
    }
    Ok(start.elapsed().as_secs_f64())
}

fn count_perft(queue: &[Piece]) -> Done {
    let count = perft(&Board::guideline(), queue);
    Done { count, hash: count }
}

/// Plays random hard drops, game after game, until this many pieces are placed.
fn drop_at_random(pieces: u64, seed: u64) -> Done {
    let rules = Ruleset { movement: Movement::HardDrop, hold: false, ..Ruleset::new(Mode::Practice) };
    let mut random = Random::new(!seed);
    play_games(&rules, pieces, seed, |game| {
        let placements = game.placements(game.current());
        let nth = random.below(placements.len() as u64) as usize;
        placements.nth(nth).map(|placement| Move { hold: false, placement })
    })
}

/// Lets an agent play, game after game, until this many pieces are placed.
fn play(name: &str, mode: Mode, pieces: u64) -> Done {
    let mut agent = catalogue::find(name).expect("a named agent").agent(1);
    play_games(&Ruleset::for_agents(mode), pieces, 1, |game| agent.next_move(game))
}

/// Lets a linear agent play this many Classic games in the kernel, each with at most this many pieces.
fn play_many(name: &str, games: u64, pieces: u64) -> Done {
    let Ok(AgentSpec::File(file)) = catalogue::find(name) else { panic!("{name} is an agent in a file") };
    let weights = file.classic_weights(&Ruleset::new(Mode::Classic)).expect("the kernel can play for it");
    let seeds: Vec<u64> = (0..games).collect();
    let ends = play_classic(10, 20, &weights, &seeds, Some(pieces));
    let hash = ends.iter().fold(0u64, |hash, end| hash.rotate_left(5) ^ end.lines ^ end.keys << 32);
    Done { count: ends.iter().map(|end| end.pieces).sum(), hash }
}

/// The agent for Blitz, judging this many placements for a move.
fn blitz_agent(nodes: u64) -> BlitzAgent {
    BlitzAgent::new(&Weights::learned(), nodes)
}

/// Every tenth position of a game of Blitz.
fn blitz_positions() -> Vec<Game> {
    let mut game = Game::new(Ruleset::for_agents(Mode::Blitz), 1).expect("the rules are valid");
    let mut agent = blitz_agent(4_000);
    let mut positions = Vec::new();
    while let Some(play) = agent.next_move(&game).filter(|_| game.placed() < 200) {
        if game.placed().is_multiple_of(10) {
            positions.push(game.clone());
        }
        game.play_generated(play);
    }
    positions
}

/// Searches positions as `blitz` does. The work is the placements that it judges.
fn search_blitz(positions: &[Game]) -> Done {
    let mut agent = blitz_agent(700_000);
    for game in positions {
        agent.next_move(game);
    }
    let nodes = agent.nodes().unwrap_or_default();
    Done { count: nodes, hash: nodes }
}

/// As many Sprints as Blitzes by an agent, as files.
fn agents_games() -> Vec<Vec<u8>> {
    ranked_games(|mode, seed| {
        let mut game = Game::new(Ruleset::for_agents(mode), seed).expect("the rules are valid");
        let mut agent = catalogue::find("capstone").expect("a named agent").agent(seed);
        let mut moves = Vec::new();
        while let Some(play) = agent.next_move(&game) {
            game.play_generated(play);
            moves.push(play);
        }
        Replay::of_moves(&game, seed, "bench", moves)
    })
}

/// As many Sprints as Blitzes with the keys and the times of a person, as files.
fn peoples_games() -> Vec<Vec<u8>> {
    ranked_games(|mode, seed| typist::play(Ruleset::new(mode), seed, "bench", 500_000))
}

fn ranked_games(play: impl Fn(Mode, u64) -> Replay) -> Vec<Vec<u8>> {
    let seeds = 1..=100;
    seeds.flat_map(|seed| [Mode::Sprint, Mode::Blitz].map(|mode| play(mode, seed).to_bytes())).collect()
}

/// Verifies games as the server does.
fn verify(games: &[Vec<u8>]) -> Done {
    let verified = games.iter().map(|game| ReplayedGame::verify(game).expect("they are true"));
    Done { count: games.len() as u64, hash: verified.map(|game| game.score).sum() }
}

/// Solves a small board and returns the seconds it took.
fn solve(pieces: &PieceSet, (width, height): (usize, usize), stages: Option<u64>) -> f64 {
    let start = Instant::now();
    let monitor = Monitor::default();
    let game = SmallGame::new(pieces.clone(), width, height).expect("a small board");
    let model = Model::new(game, Chain::uniform(pieces.count()), &monitor).expect("nobody stops it");
    let mut values = Vec::new();
    let solved = match stages {
        Some(stages) => {
            exact::horizon(&model, stages, &mut values, None, &monitor, |_, _, _| ControlFlow::Continue(()))
                .is_ok()
        }
        None => exact::until_loss(&model, 1e-6, &mut values, &mut Vec::new(), &monitor, |_| {}).is_ok(),
    };
    assert!(solved, "these games end, so they have a solution");
    start.elapsed().as_secs_f64()
}

fn play_games(
    rules: &Ruleset,
    pieces: u64,
    seed: u64,
    mut choose: impl FnMut(&Game) -> Option<Move>,
) -> Done {
    let mut done = Done { count: 0, hash: 0 };
    let mut seeds = seed..;
    while done.count < pieces {
        let mut game = Game::new(rules.clone(), seeds.next().unwrap_or(seed)).expect("the rules are valid");
        while game.outcome().is_none() && done.count < pieces {
            let Some(play) = choose(&game) else { break };
            game.play_generated(play);
            done.count += 1;
        }
        done.hash = done.hash.rotate_left(5) ^ game.state_hash();
    }
    done
}

/// A hash of perft counts, random games and the choices of agents. A change that is meant to keep behaviour must keep it.
fn signature() -> String {
    let mut hash = drop_at_random(20_000, 7).hash;
    let mut add = |done: Done| hash = hash.rotate_left(7) ^ done.hash;
    for queue in ["IOLJS", "TIOLJ", "ZTIOL", "SZTIO", "LJSZT"] {
        add(count_perft(&parse_queue(queue).expect("these are pieces")));
    }
    // The agents for Blitz and versus are not made for these modes.
    let modes = [Mode::Sprint, Mode::Classic];
    let is_made_for_them =
        |entry: &&AgentSpec| entry.agent(0).abilities().modes.iter().any(|mode| modes.contains(mode));
    for entry in catalogue::all().iter().filter(is_made_for_them) {
        for mode in modes {
            add(play(entry.name(), mode, 300));
        }
    }
    // Over the known pieces only, and with sampled continuations.
    for (nodes, pieces) in [(4_000, 40), (160_000, 5)] {
        let mut agent = blitz_agent(nodes);
        add(play_games(&Ruleset::for_agents(Mode::Blitz), pieces, 1, |game| agent.next_move(game)));
    }
    let mut versus = catalogue::find("versus").expect("it is built in").agent(0);
    versus.limit(Limits { nodes: Some(60_000), stop: None });
    add(play_games(&Ruleset::for_agents(Mode::Versus), 20, 1, |game| versus.next_move(game)));
    for name in ["dellacherie", "eltetris", "bcts", "dt10", "dt20"] {
        add(play_many(name, 64, 300));
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
            "behaviour changed: if this is intended, put the output of `tetrion bench --signature` into signature.txt"
        );
    }
}
