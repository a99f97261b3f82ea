//! `tetrion watch` without a terminal: piped, and with wrong arguments.

use serde_json::Value;
use std::process::{Command, Output, Stdio};

fn tetrion(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tetrion")).args(arguments).stdin(Stdio::null()).output().unwrap()
}

fn watched(arguments: &[&str]) -> String {
    let output = tetrion(&[&["watch"], arguments].concat());
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn is_refused(arguments: &[&str], words: &str) {
    let output = tetrion(&[&["watch"], arguments].concat());
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
    assert!(message.lines().count() == 1 && message.contains(words), "{arguments:?}: {message}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
}

#[test]
fn outside_a_terminal_the_end_of_the_game_is_printed_as_plain_text() {
    for mode in ["sprint", "blitz", "practice", "zen", "classic"] {
        let printed = watched(&["lee", "--mode", mode, "--max-pieces", "50", "--seed", "3"]);
        assert!(!printed.contains(|c: char| c.is_control() && c != '\n'), "{printed}");
        // The last line is the result, not part of the frame.
        assert!(printed.lines().take(23).all(|line| line.chars().count() <= 80), "{printed}");
        for words in ["+---------------------+", "pieces 50", "last move", "bumpiness", "All pieces placed"] {
            assert!(printed.contains(words), "no {words} in {printed}");
        }
        assert!(!printed.contains("space pause"), "there are no keys to press: {printed}");
    }
}

#[test]
fn the_game_watched_is_the_game_that_a_run_plays() {
    for agent in ["random", "capstone", "slide"] {
        let printed = watched(&[agent, "--mode", "sprint", "--seed", "5", "--max-pieces", "80"]);
        let run = tetrion(&["run", agent, "--mode", "sprint", "--seed", "5", "--max-pieces", "80", "--json"]);
        let report: Value = serde_json::from_slice(&run.stdout).unwrap();
        let game = &report["games"][0];
        let keys_per_piece = game["keys"].as_f64().unwrap() / game["pieces"].as_f64().unwrap();
        assert!(printed.contains(&format!("keys per piece {keys_per_piece:.2}")), "{agent}: {printed}");
        let result = printed.lines().last().unwrap().replace(',', "");
        let expected = format!("pieces {} lines {} score {}.", game["pieces"], game["lines"], game["score"]);
        assert!(result.starts_with(&format!("{agent} sprint seed 5 game 0: {expected}")), "{result}");
    }
}

#[test]
fn an_agent_without_reasons_shows_none() {
    let printed = watched(&["random", "--mode", "sprint"]);
    assert!(
        printed.contains("hold") && printed.contains("Top Out!") && !printed.contains("column"),
        "{printed}"
    );
}

#[test]
fn high_boards_are_printed_whole() {
    let printed = watched(&["lee", "--mode", "blitz", "--board", "16x36", "--max-pieces", "20"]);
    assert_eq!(printed.lines().filter(|line| line.starts_with("| ")).count(), 36, "{printed}");
    assert!(!printed.contains("are shown"), "{printed}");
}

#[test]
fn wrong_use_exits_with_2_and_one_clear_line() {
    is_refused(&["lee", "--mode", "practice"], "--max-pieces");
    is_refused(&["lee", "--mode", "zen"], "--max-pieces");
    is_refused(&["lee", "--mode", "classic"], "--max-pieces");
    is_refused(&["nobody", "--mode", "sprint"], "no agent 'nobody'");
    is_refused(&["lee"], "--mode");
    for speed in ["0", "0.05", "1001", "-3", "fast", "NaN", "inf"] {
        is_refused(&["lee", "--mode", "sprint", &format!("--speed={speed}")], "from 0.1 to 1000");
    }
}
