//! `tetrion fumen` and `tetrion replay export` as a user types them.

use crate::common::{command, fails, json, tetrion};
use std::io::Write;
use std::path::PathBuf;
use std::process::{Output, Stdio};

/// Runs the command with the given standard input.
fn fed(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = command(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    child.wait_with_output().unwrap()
}

fn text(output: Output) -> String {
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

/// A replay with twelve pieces, in its own folder.
fn replay() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let arguments = ["run", "bcts", "--mode", "sprint", "--max-pieces", "12", "--replays", path];
    assert!(tetrion(&arguments).status.success());
    let file = std::fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().path();
    (folder, file)
}

const QUIZ: &str = "v115@vhGSSYXAFLDmClcJSAVDEHBEooRBMoAVBUtfBAXsBA?AANrBmnBAAAAAA";

#[test]
fn pages_are_drawn_with_piece_flags_and_comment() {
    let drawn = text(tetrion(&["fumen", "decode", "v115@RhA8IeB8HeC8GeAYJvhAAAA"]));
    let expected = "\
page 1 of 2  [rises]
| X . . . . . . . . . |
| X X . . . . . . . . |
+---------------------+
  X X X . . . . . . .
page 2 of 2
| X . . . . . . . . . |
| X X . . . . . . . . |
| X X X . . . . . . . |
+---------------------+
";
    assert_eq!(drawn, expected);
    let drawn = text(tetrion(&["fumen", "decode", QUIZ]));
    assert!(drawn.starts_with("page 1 of 7  L spawn (8, 0)  #Q=[](L)TSJ\n"), "{drawn}");
    assert!(drawn.contains("[]"), "{drawn}");
}

#[test]
fn what_decode_prints_encode_takes() {
    let document = text(tetrion(&["fumen", "decode", QUIZ, "--json"]));
    assert_eq!(text(fed(&["fumen", "encode", "-"], document.as_bytes())).trim_end(), QUIZ);
    let document: serde_json::Value = serde_json::from_str(&document).unwrap();
    assert_eq!(document["pages"][1]["comment"], "#Q=[](T)SJ");
    assert_eq!(
        document["pages"][1]["operation"],
        serde_json::json!({"type": "S", "rotation": "spawn", "x": 6, "y": 0})
    );
    let again = text(fed(&["fumen", "decode", "-", "--json"], QUIZ.as_bytes()));
    assert_eq!(serde_json::from_str::<serde_json::Value>(&again).unwrap(), document);
}

#[test]
fn older_diagrams_become_those_of_today() {
    let (old, new) = (
        "v110@4bmb3bib0bnbkb7bybopEmpbHtQrH7eAhbA7eA0YB7eAqlA7eA0/A7eAyAc",
        "v115@fgYtgpJeLxAgHvhEhlA0iBqvA0JByqe",
    );
    assert_eq!(text(tetrion(&["fumen", "encode", old])).trim_end(), new);
    assert_eq!(text(fed(&["fumen", "encode", "-"], old.as_bytes())).trim_end(), new);
}

#[test]
fn drawn_boards_become_diagrams() {
    let expected = "v115@bhzhPeAgH\n";
    assert_eq!(text(tetrion(&["fumen", "encode", "IIII______"])), expected);
    assert_eq!(text(fed(&["fumen", "encode", "-"], b"..........\niiii......\n")), expected);
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "#.........\n##........\n").unwrap();
    let from_file = json(&["fumen", "encode", file.path().to_str().unwrap(), "--json"]);
    let from_rows = json(&["fumen", "encode", "X_________/XX________", "--json"]);
    assert_eq!(from_file, from_rows);
    assert_eq!(from_rows["pages"], 1);
}

#[test]
fn replays_become_diagrams_and_images() {
    let (folder, file) = replay();
    let file = file.to_str().unwrap();
    let fumen = text(tetrion(&["fumen", "encode", file]));
    assert_eq!(text(tetrion(&["replay", "export", file, "--to", "-"])), fumen);
    let pages = json(&["fumen", "decode", fumen.trim_end(), "--json"]);
    assert_eq!(pages["pages"].as_array().unwrap().len(), 12);

    let export = |name: &str, more: &[&str]| {
        let to = folder.path().join(name);
        let arguments = ["replay", "export", file, "--to", to.to_str().unwrap(), "--json"];
        let report = json(&[&arguments[..], more].concat());
        let bytes = std::fs::read(to).unwrap();
        assert_eq!(report["bytes"], bytes.len());
        bytes
    };
    assert!(export("game.gif", &[]).starts_with(b"GIF89a"));
    let end = export("end.png", &[]);
    assert!(end.starts_with(b"\x89PNG"));
    assert_eq!(export("last.PNG", &["--at", "12"]), end);
    assert_ne!(export("middle.png", &["--at", "6"]), end);
    assert_eq!(export("game.fumen", &[]), fumen.trim_end().as_bytes());
    let saved = folder.path().join("game.fumen");
    assert_eq!(json(&["fumen", "decode", saved.to_str().unwrap(), "--json"]), pages);

    let to = folder.path().join("none.png");
    let to = to.to_str().unwrap();
    fails(&["replay", "export", file, "--to", to, "--at", "13"], 1, "has 12 placements");
    assert!(!std::path::Path::new(to).exists());
    fails(&["replay", "export", file, "--to", "game.mp4"], 2, ".gif, .png, .fumen, .parquet or .csv");
    fails(&["replay", "export", file, "--to", "game.gif", "--at", "3"], 2, "--at is for one position");
    fails(&["replay", "export", file, "--to", "/nowhere/game.gif"], 1, "can't write /nowhere/game.gif");
}

#[test]
fn what_is_no_diagram_is_refused_with_the_reason() {
    fails(&["fumen", "decode", "v115@vhAyO"], 2, "breaks off in page 1");
    fails(&["fumen", "decode", "v114@vhAAgH"], 2, "version 114");
    fails(&["fumen", "decode", "no-such-file"], 2, "there is no file no-such-file: give a fumen");
    fails(&["fumen", "encode", "board1.txt"], 2, "'b' is not a cell");
    fails(&["fumen", "encode", "IIII"], 2, "is neither a file nor a board");
    let file = tempfile::NamedTempFile::new().unwrap();
    let path = file.path().to_str().unwrap();
    for (contents, reason) in [
        ("{\"pages\": [{\"field\": [\"XX\"]}]}", "page 1: row 1 from the top has 2 columns"),
        ("{\"pages\": [{\"fields\": []}]}", "unknown field `fields`"),
        ("{\"pages\": []}", "has no pages"),
        ("[]", "can't use"),
        ("", "is empty"),
        (&format!("{{\"pages\": [{}{{}}]}}", "{},".repeat(10_000)), "more than 10000 pages"),
        (&format!("{{\"pages\": [{{\"comment\": \"{}\"}}]}}", "x".repeat(5_000)), "shorten it"),
        ("XX..", "row 1 from the top has 4 columns"),
        ("TETRION", "can't use"),
    ] {
        std::fs::write(path, contents).unwrap();
        fails(&["fumen", "encode", path], 1, reason);
    }
}
