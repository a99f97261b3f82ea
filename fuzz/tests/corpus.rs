//! Every input in `corpus/` keeps its property, and is accepted or refused as its name says.

use std::fs;
use std::path::Path;
use tetrion_fuzz::Verdict;

/// Replays the inputs of a target: names that start with `good-` are accepted, those with `bad-` refused.
fn replay_corpus(target: &str, property: fn(&[u8]) -> Verdict) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target);
    let (mut good, mut bad) = (0, 0);
    for entry in fs::read_dir(&folder).expect("the corpus is part of the repository") {
        let path = entry.expect("the corpus can be listed").path();
        let name = path.file_name().and_then(|name| name.to_str()).expect("names are plain text");
        let data = fs::read(&path).expect("the corpus can be read");
        let verdict = property(&data);
        // The fuzzer adds inputs of its own while it runs: for those, the property is all there is to check.
        if name.starts_with("good-") {
            assert_eq!(verdict, Verdict::Accepted, "{target}/{name}");
            good += 1;
        } else if name.starts_with("bad-") {
            assert_eq!(verdict, Verdict::Refused, "{target}/{name}");
            bad += 1;
        }
    }
    assert!(good >= 12 && bad >= 1, "{target}: only {good} good and {bad} bad inputs");
}

#[test]
fn replays() {
    replay_corpus("replay", tetrion_fuzz::replay);
}

#[test]
fn clocks() {
    replay_corpus("clock", tetrion_fuzz::clock);
}

#[test]
fn fumens() {
    replay_corpus("fumen", tetrion_fuzz::fumen);
}

#[test]
fn agents() {
    replay_corpus("agent", tetrion_fuzz::agent);
}

#[test]
fn recipes() {
    replay_corpus("recipe", tetrion_fuzz::recipe);
}

#[test]
fn tickets() {
    replay_corpus("ticket", tetrion_fuzz::ticket);
}

#[test]
fn requests() {
    replay_corpus("api", tetrion_fuzz::api);
}

#[test]
fn bots_and_hosts() {
    replay_corpus("tbp", tetrion_fuzz::tbp);
}
