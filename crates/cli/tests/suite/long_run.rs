//! `tetrion run` for very long Classic games: resumed from a file, or estimated.

use crate::common::{command, fails, json};
use serde_json::Value;
use std::process::{Command, Stdio};

/// A run of Classic games on a low board, with more arguments.
fn run<'a>(more: &[&'a str]) -> Vec<&'a str> {
    ["run", "bcts", "--mode", "classic", "--board", "10x8", "--seed", "5", "--json"]
        .into_iter()
        .chain(more.iter().copied())
        .collect()
}

fn games(report: &Value) -> &Vec<Value> {
    report["games"].as_array().unwrap()
}

#[test]
fn games_in_a_file_are_the_games_of_an_ordinary_run() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.json");
    let file = file.to_str().unwrap();
    let ordinary = json(&run(&["--games", "8"]));
    let some = json(&run(&["--games", "3", "--resume", file]));
    assert_eq!(games(&some)[..], games(&ordinary)[..3]);
    // The file has three games. The others are added to it.
    let all = json(&run(&["--games", "8", "--resume", file]));
    assert_eq!(games(&all), games(&ordinary));
    assert_eq!(all["summary"]["lines"], ordinary["summary"]["lines"]);
    assert_eq!(all["unfinished"], Value::Null);
    // Nothing is left to play, and fewer games can be asked for.
    let written = std::fs::read(file).unwrap();
    assert_eq!(games(&json(&run(&["--games", "2", "--resume", file])))[..], games(&ordinary)[..2]);
    assert_eq!(std::fs::read(file).unwrap(), written);

    fails(&[&run(&["--resume", file])[..], &["--seed", "6"]].concat(), 2, "--seed");
    let other = ["run", "bcts", "--mode", "classic", "--board", "10x8", "--seed", "6", "--resume", file];
    fails(&other, 2, "seed 5, not 6");
    let other = ["run", "dt10", "--mode", "classic", "--board", "10x8", "--seed", "5", "--resume", file];
    fails(&other, 2, "another agent");
    let other = ["run", "bcts", "--mode", "classic", "--board", "10x9", "--seed", "5", "--resume", file];
    fails(&other, 2, "another mode or board");
    std::fs::write(file, "not a run").unwrap();
    fails(&run(&["--resume", file]), 1, "is not a run of games");
}

#[test]
fn a_game_that_is_under_way_in_the_file_is_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.json");
    let file = file.to_str().unwrap();
    let ordinary = json(&run(&["--games", "1"]));
    json(&run(&["--games", "1", "--resume", file]));
    // The board before the last piece is not known here, but the empty board before the first one is.
    let mut saved: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    let game = &mut saved["games"][0];
    for number in ["pieces", "lines", "keys"] {
        game[number] = 0.into();
    }
    game["lost"] = false.into();
    game["board"]["rows"] = Value::Array(Vec::new());
    std::fs::write(file, saved.to_string()).unwrap();
    assert_eq!(games(&json(&run(&["--games", "1", "--resume", file]))), games(&ordinary));
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_reports_the_lines_of_all_games_and_no_summary_of_the_short_ones() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.json");
    // Games that take minutes.
    let run = ["run", "dt20", "--mode", "classic", "--board", "10x20", "--games", "3", "--json", "--resume"];
    let child = command(&[&run[..], &[file.to_str().unwrap()]].concat())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    while !file.exists() {
        std::thread::yield_now();
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{message}");
    assert!(message.contains("of 3 games: the same command resumes them"), "{message}");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["summary"], Value::Null);
    assert_eq!(report["unfinished"]["games"], 3);
}

#[test]
fn an_estimate_has_an_interval_around_the_mean_of_whole_games() {
    let board = ["run", "bcts", "--mode", "classic", "--board", "10x10", "--seed", "5", "--json"];
    let estimated =
        json(&[&board[..], &["--method", "splitting", "--games", "6", "--trials", "1024"]].concat());
    assert_eq!((&estimated["method"], &estimated["agent"]), (&"splitting".into(), &"bcts".into()));
    let played = json(&[&board[..], &["--games", "200"]].concat());
    let interval = |report: &Value| [0, 1].map(|at| report[at].as_f64().unwrap());
    let ([low, high], [played_low, played_high]) =
        (interval(&estimated["ci95"]), interval(&played["summary"]["lines"]["ci95"]));
    let lines = estimated["lines"].as_f64().unwrap();
    assert!(low < lines && lines < high, "{estimated}");
    assert!(low < played_high && played_low < high, "{low} to {high}, {played_low} to {played_high}");
    assert!(estimated["steps"].as_array().unwrap().len() > 3);
}

#[test]
fn what_can_not_be_estimated_or_resumed_is_refused() {
    let splitting = ["--method", "splitting"];
    for agent in ["random", "lee"] {
        let run = ["run", agent, "--mode", "classic"];
        fails(&[&run[..], &splitting].concat(), 2, "splitting is only for Classic");
        fails(&[&run[..], &["--resume", "no/such/file"]].concat(), 2, "--resume is only for Classic");
    }
    let run = ["run", "dt20", "--mode", "sprint"];
    fails(&[&run[..], &splitting].concat(), 2, "splitting is only for Classic");
    let run = ["run", "dt20", "--mode", "classic"];
    fails(&[&run[..], &splitting, &["--max-pieces", "9"]].concat(), 2, "leave out --max-pieces");
    fails(&[&run[..], &splitting, &["--trials", "0"]].concat(), 2, "--trials");
    fails(&[&run[..], &splitting, &["--games", "1000000"]].concat(), 2, "at most 100000");
    fails(
        &[&run[..], &splitting, &["--habits"]].concat(),
        2,
        "leave out --resume, --replays, --habits and --record",
    );
    fails(&[&run[..], &["--method", "magic"]].concat(), 2, "magic");
    let unwritable = "no/such/folder/games.json";
    fails(&[&run[..], &["--board", "10x6", "--resume", unwritable]].concat(), 1, unwritable);
}
