//! Compares two agents over a thousand Sprints each, with 95 % confidence intervals:
//! `cargo run --release -p tetrion --example thousand_games`

use rayon::prelude::*;
use tetrion::{Game, GameResult, Mode, PlayOptions, Player, Ruleset, Summary, game_seed, play_game};

const GAMES: u64 = 1_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("{}", Summary::HEADING);
    for name in ["capstone", "lee1"] {
        let player = Player::named(name)?;
        // Both agents play the same pieces: a game's seed depends only on the run's seed and the game's index.
        let play = |index| -> GameResult {
            let seed = game_seed(1, index);
            let mut game =
                Game::new(Ruleset::for_agents(Mode::Sprint), seed).expect("the Sprint rules are valid");
            play_game(&mut game, player.agent(seed).as_mut(), &mut PlayOptions::default())
                .expect("built-in agents make legal moves")
        };
        let results: Vec<GameResult> = (0..GAMES).into_par_iter().map(play).collect();
        let won = results.iter().filter(|result| !result.is_lost());
        println!("{}", Summary::of(won.map(|result| result.pieces as f64)).row(name));
    }
    Ok(())
}
