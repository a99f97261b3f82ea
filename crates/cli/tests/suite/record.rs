//! Games as tables: `tetrion run --record`, `tetrion replay export` and `tetrion solve --table`.

use crate::common::{fails, json, tetrion};
use std::fs;
use std::path::Path;

/// The header and the rows of a CSV file without quotes.
fn table(path: &Path) -> (Vec<String>, Vec<Vec<String>>) {
    let text = fs::read_to_string(path).unwrap();
    let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
    (lines.next().unwrap(), lines.collect())
}

#[test]
fn a_recording_is_the_same_on_any_number_of_threads_and_from_replays() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let run = |threads: &str, file: &str| {
        let game =
            ["run", "lee", "--mode", "sprint", "--lines", "4", "--games", "6", "--seed", "5", "--json"];
        json(
            &[&game[..], &["--threads", threads, "--record", &path(file), "--replays", &path("replays")]]
                .concat(),
        )
    };
    let report = run("1", "one.csv");
    run("3", "three.csv");
    let one = fs::read(path("one.csv")).unwrap();
    assert!(one == fs::read(path("three.csv")).unwrap(), "threads change nothing");
    let (header, rows) = table(Path::new(&path("one.csv")));
    let pieces: u64 =
        report["games"].as_array().unwrap().iter().map(|game| game["pieces"].as_u64().unwrap()).sum();
    assert_eq!(rows.len() as u64, pieces);
    assert_eq!(report["recorded"]["placements"]["rows"], pieces);
    assert_eq!(report["recorded"]["games"]["file"], path("one-games.csv"));
    let points = header.iter().position(|name| name == "points").unwrap();
    let total: u64 = rows.iter().map(|row| row[points].parse::<u64>().unwrap()).sum();
    let scores = report["games"].as_array().unwrap().iter().map(|game| game["score"].as_u64().unwrap());
    assert_eq!(total, scores.sum::<u64>());

    let replays: Vec<String> =
        (0..6).map(|game| path(&format!("replays/lee-sprint-seed5-game{game}.tetrion"))).collect();
    let replays: Vec<&str> = replays.iter().map(String::as_str).collect();
    json(&[&["replay", "export", "--json", "--to", &path("replayed.csv")], &replays[..]].concat());
    assert!(one == fs::read(path("replayed.csv")).unwrap(), "a replay gives the same rows");
    assert_eq!(fs::read(path("one-games.csv")).unwrap(), fs::read(path("replayed-games.csv")).unwrap());
}

#[test]
fn choices_and_features_are_recorded_if_they_are_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.csv");
    let game = ["run", "lee", "--mode", "sprint", "--lines", "2", "--record", path.to_str().unwrap()];
    assert!(tetrion(&[&game[..], &["--record-choices", "--record-features"]].concat()).status.success());
    let (header, rows) = table(&path);
    let value = |row: &Vec<String>, name: &str| -> f64 {
        row[header.iter().position(|other| other == name).unwrap()].parse().unwrap()
    };
    for row in &rows {
        assert!(value(row, "candidates") >= 9.0 && value(row, "margin") >= 0.0);
        assert_eq!(value(row, "after_holes"), value(row, "holes"));
    }
}

#[test]
fn wrong_uses_of_recording_say_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (table, text) = (path("rows.parquet"), path("rows.txt"));
    let run = ["run", "random", "--mode", "sprint"];
    let with = |more: &[&str], status, words| fails(&[&run[..], more].concat(), status, words);
    with(&["--record", &text], 2, "use a name that ends in .parquet or .csv");
    with(&["--record", &path("nowhere/rows.csv")], 1, "there is no folder");
    with(&["--record-features"], 2, "--record <FILE>");
    with(&["--record", &table, "--record-choices"], 2, "random does not explain its moves");
    fails(&["replay", "export", "--to", &table, &text], 1, "can't read");
    fs::write(&text, "no replay").unwrap();
    fails(&["replay", "export", "--to", &table, &text], 1, "not a Tetrion replay");
    fails(&["replay", "export", "--to", &path("a.gif"), &text, &text], 2, "only tables take more than one");
    fails(&["solve", "--game", "tiny", "--board", "3x3", "--table", &text], 2, ".parquet or .csv");
    fails(&["solve", "--game", "tiny", "--board", "3x3,3x4", "--table", &table], 2, "work with one board");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "only the text is left");
}

#[test]
fn a_solved_game_is_written_as_a_table() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tiny.csv");
    let solve = ["solve", "--game", "tiny", "--board", "3x3", "--stages", "3", "--json", "--table"];
    let report = json(&[&solve[..], &[path.to_str().unwrap()]].concat());
    let (header, rows) = table(&path);
    assert_eq!(header[1..], ["stage", "to_go", "board", "piece", "value", "decision", "rows", "next_board"]);
    assert_eq!(rows.len() as u64, 3 * report["states"].as_u64().unwrap());
    let first: Vec<f64> = rows
        .iter()
        .filter(|row| row[1] == "1" && row[3] == ".../.../...")
        .map(|row| row[5].parse().unwrap())
        .collect();
    let expected = report["expected"]["by_first_piece"].as_array().unwrap();
    assert_eq!(first, expected.iter().map(|rows| rows.as_f64().unwrap()).collect::<Vec<_>>());
}
