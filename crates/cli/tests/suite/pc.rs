//! `tetrion pc` as a user types it.

use crate::common;
use serde_json::{Value, json};

fn pc<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
    [&["pc"], arguments].concat()
}

fn report(arguments: &[&str]) -> Value {
    common::json(&[&pc(arguments)[..], &["--json"]].concat())
}

fn text(arguments: &[&str]) -> String {
    let output = common::tetrion(&pc(arguments));
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn fails(arguments: &[&str], status: i32, words: &str) {
    common::fails(&pc(arguments), status, words);
}

/// The perfect clear opener with the I in the hold.
const OPENER: &str = "###.....##/###....###/###...####/###....###";

#[test]
fn solutions_are_listed_with_their_drawing_and_order() {
    let board = "####....##/####....##";
    let report = report(&["--board", board, "--queue", "IOI", "--hold", "O"]);
    assert_eq!(report["board"], json!(["####....##", "####....##"]));
    assert_eq!((&report["queue"], &report["hold"]), (&json!("IOI"), &json!("O")));
    assert_eq!(report["tried"], json!([{"lines": 2, "pieces": 2, "orders": 1, "solved": 1}]));
    assert_eq!((&report["chance"], &report["complete"]), (&Value::Null, &json!(true)));
    // Hold swaps the I with the first O, and the I stays in the hold.
    let solution = &report["solutions"][0];
    assert_eq!((&report["count"], &solution["order"]), (&json!(1), &json!("*OO")));
    assert_eq!(solution["drawing"], json!(["####OOOO##", "####OOOO##"]));
    assert_eq!(solution["placements"][0]["cells"].as_array().unwrap().len(), 4);
    assert_eq!(solution["placements"][0]["hold"], true);

    let text = text(&["--board", board, "--queue", "IOI", "--hold", "O"]);
    assert!(text.starts_with("perfect clear of 2 rows with 2 pieces"), "{text}");
    assert!(text.contains("\n1 solution; * uses the hold ("), "{text}");
    assert!(text.ends_with(" s)\n\n*OO\n  ####OOOO##\n  ####OOOO##\n"), "{text}");
}

#[test]
fn a_diagram_tells_its_pieces_unless_others_are_given() {
    // Two rows with a gap of four, and the comment #Q=[O](I)OI.
    let diagram = "v115@RhD8DeF8DeB8JeAgWXAFLDmClcJSAVjiSAVG88A4N8?8A5WdBA";
    let told = text(&["--board", diagram]);
    assert!(told.starts_with("the diagram's pieces: queue IOI, hold O\nperfect clear of 2 rows"), "{told}");
    let given = report(&["--board", diagram, "--queue", "OO"]);
    assert_eq!((&given["queue"], &given["hold"]), (&json!("OO"), &Value::Null));
    assert_eq!(given["chance"], Value::Null, "two are enough, whatever comes after them");
}

#[test]
fn more_pieces_may_be_known_than_are_used() {
    let queue = format!("OO{}", "IJLOSTZ".repeat(5));
    assert_eq!(
        report(&["--board", "####....##/####....##", "--queue", &queue])["solutions"][0]["order"],
        "OO"
    );
}

#[test]
fn unknown_pieces_make_two_chances() {
    let opener = ["--board", OPENER, "--hold", "I"];
    let report = report(&[&opener[..], &["--limit", "3", "--previews", "2"]].concat());
    let chance = &report["chance"];
    assert_eq!((&chance["orders"], &chance["unknown"]), (&json!(840), &json!(4)));
    let in_advance = &chance["in_advance"];
    assert_eq!(in_advance["orders"], 711);
    assert!((in_advance["probability"].as_f64().unwrap() - 711.0 / 840.0).abs() < 1e-12);
    let as_seen = &chance["as_seen"];
    let won = as_seen["orders"].as_u64().unwrap();
    assert!(as_seen["previews"] == 2 && (1..711).contains(&won), "{as_seen}");
    assert_eq!((&report["count"], &report["complete"]), (&json!(63), &json!(true)));
    assert_eq!(report["solutions"].as_array().unwrap().len(), 3);

    let text = text(&opener);
    assert!(text.contains("4 unknown pieces, if known in advance: 84.64 % (711 of 840 orders)\n"), "{text}");
    assert!(
        text.contains("4 unknown pieces, as seen with 5 previews: 84.64 % (711 of 840 orders)\n"),
        "{text}"
    );
    assert!(text.contains("\n63 solutions, 10 shown"), "{text}");
    let all = self::report(&[&opener[..], &["--all"]].concat());
    assert_eq!(all["solutions"].as_array().unwrap().len(), 63);
}

#[test]
fn the_bag_decides_what_comes() {
    let board = "####....##/####....##";
    let chance = |more: &[&str]| {
        let report = report(&[&["--board", board, "--queue", "O", "--lines", "2"], more].concat());
        let tried = &report["tried"][0];
        (tried["solved"].as_u64().unwrap(), tried["orders"].as_u64().unwrap())
    };
    // After the O of a bag, the next can't come before six others.
    assert_eq!(chance(&[]), (0, 30));
    assert_eq!(chance(&["--bag", "OI"]), (2, 2));
    assert_eq!(chance(&["--bag", "OI", "--no-hold"]), (1, 2));
    assert_eq!(chance(&["--bag", ""]), (12, 42));
}

#[test]
fn the_fewest_rows_are_cleared_that_can_be() {
    let opening = ["--queue", "IOLJSZTIOLJ", "--limit", "1"];
    let fewest = report(&opening);
    let two = json!({"lines": 2, "pieces": 5, "orders": 1, "solved": 0});
    assert_eq!(fewest["tried"], json!([two, {"lines": 4, "pieces": 10, "orders": 1, "solved": 1}]));
    assert!(fewest["count"].as_u64().unwrap() > 10);
    let only_two = report(&[&opening[..], &["--lines", "2"]].concat());
    assert_eq!((&only_two["tried"], &only_two["count"]), (&json!([two]), &json!(0)));
}

#[test]
fn more_rows_are_tried_than_the_known_pieces_clear() {
    // Two rows need a second O soon; four rows need five more pieces.
    let board = "####..####/####..####/####....##/####....##";
    let text = text(&["--board", "####....##/####....##", "--queue", "O", "--bag", "SZTLJI", "--limit", "0"]);
    assert!(text.starts_with("no perfect clear of 2 rows with 2 pieces, whatever pieces come\n"), "{text}");
    assert!(text.contains("\nperfect clear of 4 rows with 7 pieces\n"), "{text}");
    let text = self::text(&["--board", board, "--queue", "SSSS", "--no-hold"]);
    assert!(text.contains("no perfect clear of 4 rows with 3 pieces\n"), "{text}");
}

#[test]
fn hard_drops_alone_clear_less() {
    let solved = |movement| {
        let report = report(&["--board", OPENER, "--hold", "I", "--movement", movement]);
        report["chance"]["in_advance"]["orders"].as_u64().unwrap()
    };
    assert_eq!(solved("full"), 711);
    assert!((1..711).contains(&solved("hard")));
}

#[test]
fn wrong_use_exits_with_2_and_one_clear_line() {
    fails(&["--queue", "IOX"], 2, "'X' is not a piece");
    fails(&["--queue", ""], 2, "the queue is empty");
    fails(&["--hold", "IO"], 2, "the hold has one piece, such as T, not 'IO'");
    fails(&["--hold", ""], 2, "the hold has one piece");
    fails(&["--hold", "Q"], 2, "'Q' is not a piece");
    fails(&["--previews", "few"], 2, "--previews");
    fails(&["--hold", "I", "--no-hold"], 2, "cannot be used with");
    fails(&["--bag", "IIO"], 2, "a bag has each piece once");
    fails(
        &["--board", "##......../.........."],
        2,
        "row 1 from the bottom is empty, with filled rows above it",
    );
    fails(&["--board", "##........."], 2, "10 columns, but this one has 11");
    fails(&["--board", "###......."], 2, "must be even");
    fails(&["--board", "##........", "--lines", "2"], 2, "try 1 with 2 pieces, 3 with 7 pieces");
    fails(&["--lines", "7"], 2, "try 2 with 5 pieces, 4 with 10 pieces, 6 with 15 pieces");
    fails(&["--lines", "0"], 2, "try 2 with 5 pieces");
    fails(&["--board", "##########"], 2, "row 1 of the board is full");
    fails(
        &["--board", &"#........./".repeat(6)],
        2,
        "can't be cleared in 6 rows: no other number up to 6 works",
    );
    fails(&["--board", "no/such/file"], 2, "there is no file no/such/file");
    fails(&["--board", "src"], 2, "src is a folder");
    fails(&["--board", "v115@9gB8"], 2, "the fumen breaks off in page 1");
    fails(&["--board", "v116@vhAAgH"], 2, "only 115 and 110 can be read");
    fails(&["--movement", "straight"], 2, "straight");
    let high = "#........./".repeat(7);
    fails(&["--board", &high], 2, "limited to 6 rows, but the board is 7 rows high");
}

#[test]
fn files_without_a_board_exit_with_1_and_one_clear_line() {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes, words) in [
        ("binary", &b"\xff\xfe#..."[..], "can't read"),
        ("empty", b"\n", "the board has no rows"),
        ("words", b"nothing", "'n' is not a cell"),
        ("ragged", b"#.........\n#.", "row 2 of the board has 2 columns"),
        ("fumen", b"v115@9gB8", "breaks off in page 1"),
    ] {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        fails(&["--board", path.to_str().unwrap()], 1, words);
    }
}
