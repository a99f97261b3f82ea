//! Plays a Sprint with the agent `lee` and prints every clear: `cargo run --release -p tetrion --example play_game`

use tetrion::{Game, Mode, Move, PlacementRecord, PlayOptions, Player, Ruleset, play_game};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut game = Game::new(Ruleset::for_agents(Mode::Sprint), 1)?;
    let mut agent = Player::named("lee")?.agent(1);
    let mut print_clears = |_: Move, record: &PlacementRecord, _: &Game| {
        if let Some(name) = record.clear_name() {
            println!("piece {:>3}: {name}, {} points", record.number, record.points.total());
        }
    };
    let mut options =
        PlayOptions { observers: vec![&mut print_clears], count_keys: true, ..PlayOptions::default() };
    let result = play_game(&mut game, agent.as_mut(), &mut options)?;
    println!(
        "{} pieces, {} lines, {} points, {:?} keys",
        result.pieces, result.lines, result.score, result.keys
    );
    println!("{}", game.board());
    Ok(())
}
