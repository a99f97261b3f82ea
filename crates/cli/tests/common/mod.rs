//! Running the command as a user types it, for all tests.
#![allow(dead_code)]

pub mod serving;

use serde_json::Value;
use std::process::{Command, Output};
use tetrion_engine::game::{Game, Move};
use tetrion_engine::replay::Replay;
use tetrion_engine::ruleset::{Mode, Ruleset};

/// The command with arguments, not started yet.
pub fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tetrion"));
    command.args(arguments);
    command
}

/// Runs it.
pub fn tetrion(arguments: &[&str]) -> Output {
    command(arguments).output().unwrap()
}

/// Runs it and parses the JSON that it prints.
pub fn json(arguments: &[&str]) -> Value {
    let output = tetrion(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Asserts that it fails with this status and one line that contains these words.
pub fn fails(arguments: &[&str], status: i32, words: &str) {
    let output = tetrion(arguments);
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{arguments:?}: {message}");
    assert_eq!(message.lines().count(), 1, "{arguments:?}: {message}");
    assert!(message.starts_with("error: ") && message.contains(words), "{arguments:?}: {message}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
}

/// The replay of an agent's Blitz that puts each piece at the first place: a short game, different for each seed.
pub fn stacked(seed: u64, player: &str) -> Vec<u8> {
    let mut game = Game::new(Ruleset::for_agents(Mode::Blitz), seed).unwrap();
    let mut moves = Vec::new();
    while game.outcome().is_none() {
        let placement = game.placements(game.current()).iter().next().unwrap();
        let play = Move { hold: false, placement };
        game.play(play).unwrap();
        moves.push(play);
    }
    Replay::of_moves(&game, seed, player, moves).to_bytes()
}
