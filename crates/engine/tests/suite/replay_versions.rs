//! Files of every version are read, verify, and give the same results as when they were written.
//!
//! The programs of their time wrote `replays/v1` and `replays/v2`, and printed `results.txt`. These files never change. When
//! there is a new version, add files of it and keep the old ones.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tetrion_engine::replay::Replay;
use tetrion_engine::versus::MatchReplay;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/replays")
}

fn files(version: u8) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder().join(format!("v{version}"))).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    paths
        .map(|path| (path.file_stem().unwrap().to_str().unwrap().to_owned(), std::fs::read(&path).unwrap()))
        .collect()
}

/// Name, outcome, pieces, lines, score and state hash of each file.
fn results() -> BTreeMap<String, String> {
    let text = std::fs::read_to_string(folder().join("results.txt")).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| line.split_once(' ').unwrap())
        .map(|(name, result)| (name.to_owned(), result.to_owned()))
        .collect()
}

#[test]
fn every_version_is_read_and_verifies() {
    let results = results();
    for (version, count) in [(1, 8), (2, 10), (3, 10)] {
        let files = files(version);
        assert_eq!(files.len(), count, "version {version}");
        for (name, bytes) in files {
            assert_eq!(bytes[7], version);
            let replay =
                Replay::from_bytes(&bytes).unwrap_or_else(|error| panic!("v{version}/{name}: {error}"));
            let played = replay.play(|_| ()).unwrap_or_else(|error| panic!("v{version}/{name}: {error}"));
            let result = played.game.result();
            let found = format!(
                "{:?} {} {} {} {}",
                result.outcome,
                result.pieces,
                result.lines,
                result.score,
                played.game.state_hash()
            );
            assert_eq!(found, results[&name], "v{version}/{name}");
        }
    }
}

#[test]
fn matches_are_read_and_verify() {
    let results = results();
    let files = files(4);
    assert_eq!(files.len(), 2);
    for (name, bytes) in files {
        let replay = MatchReplay::from_bytes(&bytes).unwrap();
        assert_eq!(replay.to_bytes(), bytes, "{name}");
        replay.play(|_, _, _| ()).unwrap_or_else(|error| panic!("v4/{name}: {error}"));
        let found = replay.sides.map(|side| {
            let result = side.ending.result;
            let [pieces, lines, score] = [result.pieces, result.lines, result.score];
            format!("{} {pieces} {lines} {score} {:016x}", result.outcome_name(), side.ending.state_hash)
        });
        assert_eq!(found.join(", "), results[&name], "v4/{name}");
    }
}

#[test]
fn an_older_file_becomes_the_file_of_today() {
    let today = files(3);
    for (name, bytes) in files(2) {
        let written = Replay::from_bytes(&bytes).unwrap().to_bytes();
        assert_eq!(written, today[&name], "{name}");
    }
    for (name, bytes) in files(1) {
        let read = Replay::from_bytes(&bytes).unwrap();
        assert_eq!(read, Replay::from_bytes(&today[&name]).unwrap(), "{name}");
    }
}

#[test]
fn a_version_to_come_is_refused_with_what_to_do() {
    let mut bytes = files(3).into_values().next().unwrap();
    bytes[7] = 5;
    let error = Replay::from_bytes(&bytes).unwrap_err().to_string();
    assert!(error.contains("version 5") && error.contains("newer program"), "{error}");
}

#[test]
fn rules_of_a_file_that_names_fewer_rules_mean_what_they_meant() {
    use tetrion_engine::ruleset::{Mode, Ruleset};
    let text = r#"{"mode":"blitz","width":10,"visible_height":20,"movement":"full","half_turns":false,
        "randomizer":"seven_bag","hold":true,"previews":5,"goal":{"time":180000000}}"#;
    assert_eq!(serde_json::from_str::<Ruleset>(text).unwrap(), Ruleset::new(Mode::Blitz));
    // A rule that this program doesn't know can't be ignored: the game would differ.
    let unknown = text.replace("\"hold\"", "\"wind\":20,\"hold\"");
    assert!(serde_json::from_str::<Ruleset>(&unknown).unwrap_err().to_string().contains("wind"));
}
