//! Plays Blitz with more and more nodes, prints the scores as a table, and draws them:
//! `cargo run --release -p tetrion-training --example blitz_nodes -- docs/images/blitz-nodes.svg`

use rayon::prelude::*;
use std::error::Error;
use tetrion_charts::{Axis, Chart, Marks, Series};
use tetrion_engine::game::Game;
use tetrion_engine::randomizer::game_seed;
use tetrion_engine::ruleset::{Mode, Ruleset};
use tetrion_engine::words::thousands;
use tetrion_players::agent::Limits;
use tetrion_players::catalogue;
use tetrion_players::play::{PlayOptions, play_game};
use tetrion_study::statistics::Summary;

const NODES: [u64; 7] = [1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000];
const GAMES: u64 = 12;
/// The games are those of `tetrion run blitz --mode blitz --seed 500`.
const SEED: u64 = 500;

/// The score of a game.
fn play(nodes: u64, game: u64) -> Result<f64, String> {
    let seed = game_seed(SEED, game);
    let mut agent = catalogue::find("blitz").map_err(|error| error.to_string())?.agent(seed);
    agent.limit(Limits { nodes: Some(nodes), stop: None });
    let mut game = Game::new(Ruleset::for_agents(Mode::Blitz), seed).map_err(|error| error.to_string())?;
    let result = play_game(&mut game, agent.as_mut(), &mut PlayOptions::default());
    Ok(result.map_err(|error| error.to_string())?.score as f64)
}

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args().nth(1).ok_or("name the file for the plot, for example nodes.svg")?;
    println!("| nodes | mean score | 95 % interval |\n|---|---|---|");
    let (mut means, mut band) = (Vec::new(), Vec::new());
    for nodes in NODES {
        let games: Vec<f64> =
            (0..GAMES).into_par_iter().map(|game| play(nodes, game)).collect::<Result<_, _>>()?;
        let scores = Summary::of(games.into_iter());
        let [low, high] = scores.ci95.unwrap_or([scores.min, scores.max]);
        let whole = |number: f64| thousands(number.round() as u64);
        println!("| {} | {} | {} to {} |", thousands(nodes), whole(scores.mean), whole(low), whole(high));
        means.push((nodes as f64, scores.mean));
        band.push((nodes as f64, low, high));
    }
    let chart = Chart {
        title: "Blitz: what more nodes bring".into(),
        x: Axis::log("nodes per piece"),
        y: Axis::linear("mean score, points"),
        series: vec![
            Series::new("95 % interval", Marks::Band(band)),
            Series::new("mean", Marks::Line(means.clone())),
            Series::new("", Marks::Points(means)),
        ],
    };
    std::fs::write(&file, chart.svg()).map_err(|error| format!("{file} can't be written: {error}"))?;
    Ok(())
}
