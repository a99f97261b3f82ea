//! Records a game, writes it to a file, reads it again and verifies it:
//! `cargo run --release -p tetrion --example verify_replay`

use tetrion::{Game, Mode, Move, PlacementRecord, PlayOptions, Player, Replay, Ruleset, play_game};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let seed = 7;
    let mut game = Game::new(Ruleset::for_agents(Mode::Sprint), seed)?;
    let mut moves = Vec::new();
    let mut record_moves = |play: Move, _: &PlacementRecord, _: &Game| moves.push(play);
    let mut options = PlayOptions { observers: vec![&mut record_moves], ..PlayOptions::default() };
    play_game(&mut game, Player::named("lee")?.agent(seed).as_mut(), &mut options)?;

    let path = std::env::temp_dir().join("lee.tetrion");
    std::fs::write(&path, Replay::of_moves(&game, seed, "lee", moves).to_bytes())?;

    let replay = Replay::from_bytes(&std::fs::read(&path)?)?;
    let mut tetrises = 0;
    let played = replay.play(|record| tetrises += u32::from(record.lines == 4))?;
    println!("verified: {} pieces, {tetrises} tetrises, by {}", played.game.placed(), replay.player);

    // A replay that claims more than was played does not verify.
    let mut forged = replay.clone();
    forged.result.score += 1_000;
    if let Err(error) = forged.play(|_| ()) {
        println!("forged: {error}");
    }
    std::fs::remove_file(path)?;
    Ok(())
}
