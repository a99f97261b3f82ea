//! `tetrion study`.

use crate::common::{fails, json, tetrion};
use std::fs;

#[test]
fn studies_are_listed_and_a_wrong_one_is_refused() {
    let listed = json(&["study", "--list", "--json"]);
    let names: Vec<&str> =
        listed.as_array().unwrap().iter().map(|study| study["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"lookahead"));
    let text = String::from_utf8(tetrion(&["study", "--list"]).stdout).unwrap();
    assert!(names.iter().all(|name| text.contains(name)));
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fails(&["study"], 2, "--out <DIR>");
    fails(&["study", "hats", "--out", &path("out")], 2, "there is no study 'hats': choose lookahead");
    fails(&["study", &path("hats.toml"), "--out", &path("out")], 1, "can't read");
    fs::write(path("hats.toml"), "version = 1\nhats = 3\n").unwrap();
    fails(&["study", &path("hats.toml"), "--out", &path("out")], 1, "line 2: unknown field `hats`");
}

#[test]
fn a_study_of_few_games_writes_its_report() {
    let folder = tempfile::tempdir().unwrap();
    let study = folder.path().join("own.toml");
    let text = "version = 1\nname = 'own'\ntitle = 'Own'\nquestion = '?'\ngames = 100\nseed = 1\n\
                run = [{name = 'a', mode = 'sprint', agent = 'lee1'}, {name = 'b', mode = 'sprint', agent = 'capstone'}]\n\
                claim = [{text = 'b is better', measure = 'pieces', less = 'b', than = 'a'}]\n";
    fs::write(&study, text).unwrap();
    let out = folder.path().join("out");
    let arguments = ["study", study.to_str().unwrap(), "--out", out.to_str().unwrap(), "--games", "12"];
    let results = json(&[&arguments[..], &["--json"]].concat());
    assert_eq!(results["measures"][0]["runs"][0]["games"], 12);
    let said = String::from_utf8(tetrion(&arguments).stdout).unwrap();
    assert!(said.contains("b is better") && said.contains("index.html"), "{said}");
}
