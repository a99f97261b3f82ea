//! Learns the tables of `blitz` from hand-made ones and prints them as `src/blitz/tables.toml`.

use tetrion_players::blitz::learn::{Blitz, Progress, learn};

/// The games of each round. The first rounds only have to find the direction.
const GAMES: [u64; 10] = [4, 4, 4, 4, 8, 8, 16, 16, 24, 24];

fn main() {
    let tables = learn::<Blitz>(&GAMES, |mean, Progress { error, spread }| {
        eprintln!("{mean} points a game, off by {error:.0} points of {spread:.0}");
    });
    println!(
        "# What fields are worth, in points. Made by: cargo run --release -p tetrion-players --example learn_blitz"
    );
    print!("{}", tables.to_text());
}
