//! Learns the tables of `blitz` from hand-made ones and prints them as `src/blitz/tables.toml`.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use tetrion_players::blitz::learn::{Learner, Lesson};
use tetrion_players::blitz::{ENTRIES, Tables};

/// The games of each round. The first rounds only have to find the direction.
const GAMES: [u64; 10] = [4, 4, 4, 4, 8, 8, 16, 16, 24, 24];
/// The result is the mean of the tables after this many last rounds: each of them overshoots a little.
const LAST_ROUNDS: usize = 4;

fn main() {
    let mut learner = Learner::default();
    let mut tables = Vec::new();
    for (round, count) in GAMES.into_iter().enumerate() {
        let games = play(&learner, count);
        let mean = games.iter().map(|(_, score)| score).sum::<u64>() / count;
        let lessons: Vec<Lesson> = games.into_iter().flat_map(|(lessons, _)| lessons).collect();
        let progress = learner.learn(lessons);
        let (error, spread) = (progress.error, progress.spread);
        tables.push(learner.tables().entries());
        eprintln!("round {}: {mean} points a game, off by {error:.0} points of {spread:.0}", round + 1);
    }
    println!(
        "# What fields are worth, in points. Made by: cargo run --release -p tetrion-players --example learn_blitz"
    );
    print!("{}", mean(&tables[GAMES.len() - LAST_ROUNDS..]).to_text());
}

/// Tables with the mean of each entry.
fn mean(tables: &[[i32; ENTRIES]]) -> Tables {
    let sum = |at: usize| tables.iter().map(|entries| entries[at]).sum::<i32>();
    Tables::new(std::array::from_fn(|at| sum(at) / tables.len() as i32))
}

/// Plays the games of a round on all cores.
fn play(learner: &Learner, count: u64) -> Vec<(Vec<Lesson>, u64)> {
    let threads = thread::available_parallelism().map_or(1, |threads| threads.get());
    let next = AtomicU64::new(0);
    let play_some = || {
        let numbers = std::iter::from_fn(|| Some(next.fetch_add(1, Ordering::Relaxed)));
        let numbers = numbers.take_while(|number| *number < count);
        numbers.map(|number| (number, learner.play(number))).collect::<Vec<_>>()
    };
    let mut games: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(play_some)).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("a thread plays to the end")).collect()
    });
    // The order must not depend on the threads: sums of rounded numbers would.
    games.sort_by_key(|(number, _)| *number);
    games.into_iter().map(|(_, game)| game).collect()
}
