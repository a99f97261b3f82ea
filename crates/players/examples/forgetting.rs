//! After how many pieces a Classic controller has forgotten the board it started from.
//!
//! Pairs of games get the same pieces: one continues a game that has been running for a while, the other starts from the empty board. Once
//! their boards are equal they stay equal. `cargo run --release -p tetrion-players --example forgetting -- dt20`

use std::error::Error;
use tetrion_engine::board::Board;
use tetrion_engine::randomizer::game_seed;
use tetrion_engine::ruleset::{Mode, Ruleset};
use tetrion_players::catalogue::{self, AgentSpec};
use tetrion_players::classic::{ClassicStart, StopWhen, play_classic_from};

/// Pairs of games.
const PAIRS: u64 = 512;

fn main() -> Result<(), Box<dyn Error>> {
    let name = std::env::args().nth(1).unwrap_or("dt20".to_owned());
    let AgentSpec::File(file) = catalogue::find(&name)? else { return Err("not an agent in a file".into()) };
    let weights = file.classic_weights(&Ruleset::new(Mode::Classic)).ok_or("the kernel can't play for it")?;
    let play = |boards: &[Board], round: u64, pieces: u64| -> Vec<Board> {
        let start =
            |(pair, board): (u64, &Board)| ClassicStart { board: *board, seed: game_seed(round, pair) };
        let starts: Vec<ClassicStart> = (0..).zip(boards).map(start).collect();
        let stop = StopWhen { pieces: Some(pieces), ..StopWhen::default() };
        play_classic_from(&weights, &starts, stop).iter().map(|end| end.board).collect()
    };
    let mut fresh = vec![Board::new(10, 20)?; PAIRS as usize];
    // Five thousand pieces have 20,000 cells, whole rows: later both boards can have the same number of cells.
    let mut running = play(&fresh, 0, 5_000);
    let (mut placed, mut pieces) = (0, 50);
    for round in 1..=40 {
        running = play(&running, round, pieces);
        fresh = play(&fresh, round, pieces);
        placed += pieces;
        let equal = running.iter().zip(&fresh).filter(|(running, fresh)| running == fresh).count();
        println!("after {placed:>6} pieces {equal:>3} of {PAIRS} pairs are equal");
        if round % 4 == 0 {
            pieces *= 2;
        }
    }
    Ok(())
}
