//! Learns the tables of `versus` from those of `blitz`, in matches against itself, and prints them as `src/versus/tables.toml`.

use tetrion_players::blitz::learn::{Progress, learn};
use tetrion_players::versus::learn::Versus;

/// The matches of each round. The first rounds only have to find the direction.
const MATCHES: [u64; 9] = [8, 8, 12, 12, 16, 16, 20, 20, 20];

fn main() {
    let tables = learn::<Versus>(&MATCHES, |mean, Progress { error, spread }| {
        eprintln!("{mean} lines sent in 1,000 pieces, off by {error:.0} points of {spread:.0}");
    });
    println!(
        "# What fields are worth, in points of which a line of attack has 300. Made by: cargo run --release -p tetrion-players --example learn_versus"
    );
    print!("{}", tables.to_text());
}
