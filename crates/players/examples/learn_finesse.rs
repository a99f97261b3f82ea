//! Learns the tables of `finesse` from nothing, and prints the file that they are in, `src/finesse/weights.rs`, which
//! `cargo fmt` then lays out.

use tetrion_players::finesse::learn::Learner;

const ROUNDS: u32 = 20;
const GAMES: u64 = 3000;

fn main() {
    let mut learner = Learner::default();
    for round in 1..=ROUNDS {
        let off = learner.round(GAMES);
        eprintln!("round {round} of {ROUNDS}: the tables were off by {off:.3} keys");
    }
    println!("//! The tables of [`value`](super::value), in hundredths of a key. Made by");
    println!("//! `cargo run --release -p tetrion-players --example learn_finesse`.");
    println!();
    println!("use super::value::Tables;");
    println!();
    println!("/// What the agent plays with.");
    println!("pub static LEARNED: Tables<i16> = {:?};", learner.tables());
}
