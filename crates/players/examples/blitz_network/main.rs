//! Trains a small network to judge fields for `blitz`, and lets it play against the tables with the same time per piece.
//!
//! `cargo run --release -p tetrion-players --example blitz_network -- [NODES [GAMES]]`, where NODES are those of the tables.

mod network;

use network::{FastNetwork, Network};
use std::hint::black_box;
use std::num::NonZeroU64;
use std::sync::LazyLock;
use std::time::{Duration, Instant};
use tetrion_engine::game::Game;
use tetrion_engine::randomizer::{Random, game_seed};
use tetrion_engine::ruleset::{Mode, Ruleset};
use tetrion_players::agent::{Agent, Limits};
use tetrion_players::blitz::learn::{self, Blitz, Leaf, Lesson, School};
use tetrion_players::blitz::{BlitzAgent, Judge, Outlook, Tables, Value, Weights};
use tetrion_study::statistics::{Summary, interval_text};

/// The seeds of the games with lessons, and of those that measure.
const LESSON_SEED: u64 = 8_000;
const SEED: u64 = 520;
/// Games with lessons to test the network with, and to train it.
const TEST_GAMES: u64 = 10;
const TRAINING_GAMES: u64 = 60;
/// Games that measure how much slower the network is.
const CALIBRATION_GAMES: u64 = 6;
/// Leaves that are judged to measure the time for one.
const LEAVES_TO_TIME: usize = 2_000_000;
/// Pieces of a game.
const PIECES: f64 = 360.0;

fn main() {
    let mut arguments = std::env::args().skip(1).map(|argument| argument.parse().map(NonZeroU64::get));
    let (Ok(nodes), Ok(games)) =
        (arguments.next().unwrap_or(Ok(75_000)), arguments.next().unwrap_or(Ok(100)))
    else {
        eprintln!("NODES and GAMES must be whole numbers above 0: blitz_network [NODES [GAMES]]");
        std::process::exit(2);
    };
    let tables = Value::new(Tables::learned(), &Weights::learned());
    let collect = |numbers: std::ops::Range<u64>| -> Vec<Lesson<u128>> {
        numbers.flat_map(|number| Blitz::play(&tables, game_seed(LESSON_SEED, number), u32::MAX).0).collect()
    };
    let (test, training) = (collect(0..TEST_GAMES), collect(TEST_GAMES..TEST_GAMES + TRAINING_GAMES));
    println!("{} positions to train with, {} to test with", training.len(), test.len());

    let network = Network::trained(Tables::learned(), &training, &mut Random::new(LESSON_SEED));
    let fast = FastNetwork::new(&network);
    let explained = |points: &dyn Fn(&Leaf<u128>) -> f64| {
        let error = learn::deviation(test.iter(), |leaf| leaf.worth - points(leaf));
        100.0 * (1.0 - (error / learn::deviation(test.iter(), |leaf| leaf.worth)).powi(2))
    };
    let outlooks: Vec<Outlook<u128>> =
        test.iter().flat_map(|Lesson(leaves)| leaves).map(|leaf| leaf.outlook).collect();
    println!("variance explained among leaves of a position, and time for a leaf:");
    for (name, judge) in [("tables", &tables as &dyn Judge<u128>), ("network", &fast)] {
        let share = explained(&|leaf| judge.worth(&leaf.outlook).into());
        println!("  {name:<8} {share:.1} %  {:.0} ns", nanoseconds(judge, &outlooks));
    }
    compare(BlitzAgent::with_judge(tables, nodes), BlitzAgent::with_judge(fast, nodes), nodes, games);
}

/// The time that a judge takes for a leaf.
fn nanoseconds(judge: &dyn Judge<u128>, outlooks: &[Outlook<u128>]) -> f64 {
    let start = processor_time();
    for outlook in outlooks.iter().cycle().take(LEAVES_TO_TIME) {
        black_box(judge.worth(black_box(outlook)));
    }
    (processor_time() - start).as_nanos() as f64 / LEAVES_TO_TIME as f64
}

/// Plays the same games with the tables and the network, which gets as many nodes as fit into the same time.
fn compare(mut tables: BlitzAgent, mut network: BlitzAgent, nodes: u64, games: u64) {
    // In turn, because other programs slow both down now and then.
    let mut times = [Duration::ZERO; 2];
    for seed in 0..CALIBRATION_GAMES {
        times[0] += play(&mut tables, seed).1;
        times[1] += play(&mut network, seed).1;
    }
    let slower = times[1].as_secs_f64() / times[0].as_secs_f64();
    let network_nodes = (nodes as f64 / slower) as u64;
    network.limit(Limits { nodes: Some(network_nodes), stop: None });
    println!(
        "the network takes {slower:.2} times as long for a piece, so it gets {network_nodes} nodes of {nodes}"
    );
    let (mut scores, mut times) = ([Vec::new(), Vec::new()], [Duration::ZERO; 2]);
    for number in 0..games {
        for (at, agent) in [&mut tables, &mut network].into_iter().enumerate() {
            let (score, time) = play(agent, game_seed(SEED, number));
            scores[at].push(score);
            times[at] += time;
        }
    }
    let [of_tables, of_network] = &scores;
    let leads: Vec<f64> =
        of_network.iter().zip(of_tables).map(|(network, tables)| network - tables).collect();
    println!("{games} games with each:");
    for (name, scores, time) in [
        ("tables", of_tables, Some(times[0])),
        ("network", of_network, Some(times[1])),
        ("lead", &leads, None),
    ] {
        let Summary { mean, ci95, .. } = Summary::of(scores.iter().copied());
        let time =
            time.map(|time| format!(", {:.2} ms a piece", 1e3 * time.as_secs_f64() / games as f64 / PIECES));
        println!(
            "  {name:<8} {mean:>8.0}  95 % interval {}{}",
            interval_text(ci95, "games"),
            time.unwrap_or_default()
        );
    }
}

/// Plays a game. Returns its score and the time it took.
fn play(agent: &mut BlitzAgent, seed: u64) -> (f64, Duration) {
    let mut game = Game::new(Ruleset::for_agents(Mode::Blitz), seed).expect("the rules of a mode are valid");
    let start = processor_time();
    while let Some(play) = agent.next_move(&game) {
        game.play_generated(play);
    }
    (game.result().score as f64, processor_time() - start)
}

/// The time that this thread has run, where Linux says it: other programs must not count. Elsewhere, the time that has passed.
fn processor_time() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let schedule = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let running = schedule.split(' ').next().and_then(|time| time.parse().ok());
    running.map_or_else(|| START.elapsed(), Duration::from_nanos)
}
