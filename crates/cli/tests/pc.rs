//! `tetrion pc` as a user types it.
#![allow(clippy::unwrap_used)]

use serde_json::{Value, json};
use std::process::{Command, Output};

fn tetrion(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tetrion")).arg("pc").args(arguments).output().unwrap()
}

fn report(arguments: &[&str]) -> Value {
    let output = tetrion(&[arguments, &["--json"]].concat());
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn text(arguments: &[&str]) -> String {
    let output = tetrion(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn fails(arguments: &[&str], status: i32, words: &str) {
    let output = tetrion(arguments);
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{arguments:?}: {message}");
    assert_eq!(message.lines().count(), 1, "{arguments:?}: {message}");
    assert!(message.starts_with("error: ") && message.contains(words), "{arguments:?}: {message}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
}

/// The perfect clear opener with the I in the hold.
const OPENER: &str = "###.....##/###....###/###...####/###....###";

#[test]
fn solutions_are_listed_with_their_drawing_and_order() {
    let board = "####....##/####....##";
    let report = report(&["--board", board, "--queue", "IOI", "--hold", "O"]);
    assert_eq!(report["board"], json!(["####....##", "####....##"]));
    assert_eq!((&report["queue"], &report["hold"]), (&json!("IOI"), &json!("O")));
    assert_eq!((&report["lines"], &report["pieces"]), (&json!(2), &json!(2)));
    assert_eq!((&report["solvable"], &report["chance"]), (&json!(true), &Value::Null));
    // The hold is used for the first O; the I that it leaves there stays.
    let solution = &report["solutions"][0];
    assert_eq!((&report["count"], &solution["order"]), (&json!(1), &json!("*OO")));
    assert_eq!(solution["drawing"], json!(["####OOOO##", "####OOOO##"]));
    assert_eq!(solution["placements"][0]["cells"].as_array().unwrap().len(), 4);
    assert_eq!(solution["placements"][0]["hold"], true);

    let text = text(&["--board", board, "--queue", "IOI", "--hold", "O"]);
    assert!(text.starts_with("perfect clear of 2 rows with 2 pieces"), "{text}");
    assert!(text.contains("\n1 solution; * uses the hold\n\n*OO\n  ####OOOO##\n  ####OOOO##\n"), "{text}");
}

#[test]
fn unknown_pieces_make_a_chance() {
    let report = report(&["--board", OPENER, "--hold", "I", "--solutions", "3"]);
    let chance = &report["chance"];
    assert_eq!(
        (&chance["solved"], &chance["orders"], &chance["unknown"]),
        (&json!(711), &json!(840), &json!(4))
    );
    assert!((chance["probability"].as_f64().unwrap() - 711.0 / 840.0).abs() < 1e-12);
    assert_eq!((&report["count"], &report["complete"]), (&json!(63), &json!(true)));
    assert_eq!(report["solutions"].as_array().unwrap().len(), 3);
    let text = text(&["--board", OPENER, "--hold", "I"]);
    assert!(text.contains("711 of 840 orders of 4 unknown pieces, known in advance: 84.64 %"), "{text}");
    assert!(text.contains("63 solutions, 10 shown"), "{text}");
    let all = self::report(&["--board", OPENER, "--hold", "I", "--all"]);
    assert_eq!(all["solutions"].as_array().unwrap().len(), 63);
}

#[test]
fn the_bag_decides_what_comes() {
    let board = "####....##/####....##";
    let chance = |more: &[&str]| {
        let report = report(&[&["--board", board, "--queue", "O"], more].concat());
        (report["chance"]["solved"].as_u64().unwrap(), report["chance"]["orders"].as_u64().unwrap())
    };
    // After the O of a bag, the next can't come before six others.
    assert_eq!(chance(&[]), (0, 30));
    assert_eq!(chance(&["--bag", "OI"]), (2, 2));
    assert_eq!(chance(&["--bag", "OI", "--no-hold"]), (1, 2));
    assert_eq!(chance(&["--bag", ""]), (12, 42));
}

#[test]
fn the_fewest_rows_are_cleared_that_can_be() {
    let opening = ["--queue", "IOLJSZTIOLJ", "--solutions", "1"];
    let fewest = report(&opening);
    assert_eq!(
        (&fewest["lines"], &fewest["pieces"], &fewest["solvable"]),
        (&json!(4), &json!(10), &json!(true))
    );
    assert!(fewest["count"].as_u64().unwrap() > 10);
    let two = report(&[&opening[..], &["--lines", "2"]].concat());
    assert_eq!((&two["solvable"], &two["count"], &two["pieces"]), (&json!(false), &json!(0), &json!(5)));
    assert!(
        text(&["--queue", "IOLJS", "--lines", "2"]).starts_with("no perfect clear of 2 rows with 5 pieces")
    );
}

#[test]
fn hard_drops_alone_clear_less() {
    let solved = |movement| {
        let report = report(&["--board", OPENER, "--hold", "I", "--movement", movement]);
        report["chance"]["solved"].as_u64().unwrap()
    };
    assert_eq!(solved("full"), 711);
    assert!((1..711).contains(&solved("hard")));
}

#[test]
fn wrong_use_exits_with_2_and_one_clear_line() {
    fails(&["--queue", "IOX"], 2, "'X' is not a piece");
    fails(&["--hold", "IO"], 2, "the hold has one piece");
    fails(&["--hold", "I", "--no-hold"], 2, "cannot be used with");
    fails(&["--bag", "IIO"], 2, "a bag has each piece once");
    fails(&["--queue", "IJLOSTZIJLOSTZIJL"], 2, "at most 16 pieces");
    fails(&["--board", "##........."], 2, "10 columns, and the board has 11");
    fails(&["--board", "###......."], 2, "even number");
    fails(&["--board", "##........", "--lines", "2"], 2, "try 1 with 2 pieces, 3 with 7 pieces");
    fails(&["--lines", "7"], 2, "try 2 with 5 pieces, 4 with 10 pieces, 6 with 15 pieces");
    fails(&["--lines", "0"], 2, "try 2 with 5 pieces");
    fails(&["--board", "##########"], 2, "row 1 of the board is full");
    fails(&["--board", "no/such/file"], 2, "not a cell of a board");
    fails(&["--board", "v115@9gB8"], 2, "the fumen can't be read: it ends too early");
    fails(&["--board", "v116@vhAAgH"], 2, "only versions 115 and 110");
    fails(&["--movement", "straight"], 2, "straight");
    let high = "#........./".repeat(7);
    fails(&["--board", &high], 2, "up to 6 rows are searched, and the board is 7 rows high");
}
