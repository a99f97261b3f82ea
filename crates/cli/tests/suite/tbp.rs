//! `tetrion tbp` as a front end uses it.
#![cfg(unix)]

use crate::common::{command, fails, json};
use serde_json::Value;
use std::io::Write;
use std::process::Stdio;
use std::time::{Duration, Instant};
use tetrion::{Game, Limits, Mode, Move, Player, Ruleset, game_seed};
use tetrion_interop::tbp::{Host, Process, ProcessLimits, Rules};

/// Longer than anything takes that has an end.
const LONG: Duration = Duration::from_secs(300);

fn bot(arguments: &[&str]) -> Host<Process> {
    let rules = Rules { randomizer: Some("seven_bag".to_owned()), ..Rules::default() };
    let limits = ProcessLimits { handshake: LONG, ..ProcessLimits::default() };
    Host::spawn(command(&[&["tbp"], arguments].concat()), rules, limits).unwrap()
}

/// The moves of a bot, each told as soon as it is played.
fn moves_of_bot(host: &mut Host<Process>, mut game: Game, count: usize) -> Vec<Move> {
    host.start(&game.view().unwrap()).unwrap();
    let mut moves = Vec::new();
    while let Some(view) = game.view().filter(|_| moves.len() < count) {
        let (resolved, _) = host.choose(&view, Instant::now() + LONG).unwrap();
        let drawn = if resolved.play.hold && view.hold.is_none() { 2 } else { 1 };
        host.play(resolved.answer).unwrap();
        game.play(resolved.play).unwrap();
        moves.push(resolved.play);
        let queue = &game.position().queue;
        for piece in &queue[queue.len() - drawn..] {
            host.new_piece(*piece).unwrap();
        }
    }
    moves
}

fn moves_of_agent(name: &str, nodes: u64, mut game: Game, count: usize) -> Vec<Move> {
    let mut agent = Player::named(name).unwrap().agent(0);
    agent.limit(Limits { nodes: Some(nodes), stop: None });
    let next = || {
        let play = agent.next_move(&game)?;
        game.play(play).unwrap();
        Some(play)
    };
    std::iter::from_fn(next).take(count).collect()
}

#[test]
fn a_bot_plays_a_whole_sprint_like_its_agent() {
    let game = Game::new(Ruleset::for_agents(Mode::Sprint), game_seed(7, 0)).unwrap();
    let run = json(&["run", "lee", "--mode", "sprint", "--seed", "7", "--nodes", "5000", "--json"]);
    let mut host = bot(&["lee", "--nodes", "5000"]);
    let moves = moves_of_bot(&mut host, game.clone(), usize::MAX);
    assert_eq!(Some(moves.len() as u64), run["games"][0]["pieces"].as_u64());
    assert_eq!(moves, moves_of_agent("lee", 5_000, game, usize::MAX));
    assert_eq!(host.conduct().to_string(), format!("{} suggestions", moves.len()));
}

#[test]
fn versus_is_the_default_and_plays_the_same_moves_with_the_same_nodes() {
    let game = Game::new(Ruleset::for_agents(Mode::Blitz), game_seed(8, 0)).unwrap();
    let mut host = bot(&["--nodes", "20000"]);
    assert_eq!(host.info().name, "Tetrion versus");
    let moves = moves_of_bot(&mut host, game.clone(), 30);
    assert_eq!(moves, moves_of_agent("versus", 20_000, game, 30));
}

#[test]
fn threads_change_the_time_but_not_the_moves() {
    let game = Game::new(Ruleset::for_agents(Mode::Blitz), game_seed(8, 1)).unwrap();
    let mut host = bot(&["--nodes", "60000", "--threads", "3"]);
    let moves = moves_of_bot(&mut host, game.clone(), 6);
    assert_eq!(moves, moves_of_agent("versus", 60_000, game, 6));
}

#[test]
fn without_a_budget_and_with_little_time_there_is_always_a_legal_move() {
    for arguments in [&["blitz"][..], &["blitz", "--time", "1"], &["capstone"], &["random"], &["finesse"]] {
        let game = Game::new(Ruleset::for_agents(Mode::Practice), 9).unwrap();
        let mut host = bot(arguments);
        // Fewer than anyone needs to lose.
        assert_eq!(moves_of_bot(&mut host, game, 9).len(), 9, "{arguments:?}");
        assert!(host.conduct().faults.is_empty() && host.conduct().illegal == 0);
    }
}

/// Everything that the bot says to some lines, and to itself.
fn said(arguments: &[&str], input: &[u8]) -> (Vec<Value>, String) {
    let mut command = command(&[&["tbp"], arguments].concat());
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // Fails if the bot has said goodbye already.
    let _ = child.stdin.take().unwrap().write_all(input);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", output.status);
    let lines = String::from_utf8(output.stdout).unwrap();
    let messages = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    (messages, String::from_utf8(output.stderr).unwrap())
}

fn start(queue: &str) -> String {
    let queue: Vec<String> = queue.chars().map(|piece| format!("\"{piece}\"")).collect();
    format!(
        r#"{{"type":"start","hold":null,"queue":[{}],"combo":0,"back_to_back":false,"board":[]}}"#,
        queue.join(",")
    )
}

const SUGGEST: &str = r#"{"type":"suggest"}"#;

#[test]
fn questions_are_answered_before_the_bot_ends_with_its_input() {
    let input = [r#"{"type":"rules"}"#, &start("TIO"), SUGGEST, SUGGEST].join("\n");
    let (messages, problems) = said(&["blitz", "--nodes", "2000"], input.as_bytes());
    let types: Vec<_> = messages.iter().map(|message| message["type"].as_str().unwrap()).collect();
    assert_eq!(types, ["info", "ready", "suggestion", "suggestion"]);
    assert_eq!(messages[2]["moves"], messages[3]["moves"], "the same position");
    assert!(messages[2]["moves"].as_array().unwrap().len() > 1, "alternatives follow");
    assert!(messages[2]["move_info"]["nodes"].as_f64() > Some(0.0));
    assert_eq!(problems, "");
}

#[test]
fn nonsense_is_ignored_with_a_line_each() {
    let long = "x".repeat(3 << 20);
    let lines = [
        "hello",
        "\u{0}\u{1b}[2J",
        "[[[[",
        r#"{"type":"waltz"}"#,
        r#"{"type":"play"}"#,
        r#"{"type":"new_piece","piece":"T"}"#,
        r#"{"type":"start","queue":["T"],"board":[[null]]}"#,
        r#"{"type":"start","queue":["Q"],"board":[]}"#,
        &long,
        SUGGEST,
        &start(""),
        SUGGEST,
        r#"{"type":"new_piece","piece":"T"}"#,
        SUGGEST,
        r#"{"type":"stop"}"#,
        SUGGEST,
        r#"{"type":"quit"}"#,
        SUGGEST,
    ];
    let input = [&b"\xff\xfe\n"[..], lines.join("\n").as_bytes()].concat();
    let (messages, problems) = said(&["lee"], &input);
    let counts: Vec<_> =
        messages[1..].iter().map(|message| message["moves"].as_array().unwrap().len()).collect();
    // Before a game, without a piece and after the game there is no move. The question in the game may be answered after `stop`.
    assert_eq!(counts.len(), 4);
    assert_eq!([counts[0], counts[1], counts[3]], [0; 3]);
    assert_eq!(problems.lines().count(), 9, "{problems}");
    assert!(problems.lines().all(|line| line.starts_with("ignored: ") && line.len() < 400), "{problems}");
}

#[test]
fn garbage_and_foreign_moves_are_followed() {
    let mut game = Game::new(Ruleset::for_agents(Mode::Practice), 3).unwrap();
    let mut host = bot(&["capstone", "--nodes", "100000"]);
    host.start(&game.view().unwrap()).unwrap();
    // A move that no agent would make.
    let placement = game.placements(game.current()).iter().last().unwrap();
    game.play(Move { hold: false, placement }).unwrap();
    host.new_piece(*game.position().queue.last().unwrap()).unwrap();
    host.play(placement.into()).unwrap();
    let row: Vec<Value> = (0..10).map(|x| if x == 7 { Value::Null } else { "G".into() }).collect();
    host.garbage(vec![serde_json::from_value(Value::Array(row)).unwrap(); 3]).unwrap();
    let mut columns: Vec<u64> = game.board().columns().iter().map(|column| column << 3 | 0b111).collect();
    columns[7] &= !0b111;
    let game = game.with_board(tetrion::Board::from_columns(&columns, 40));
    let (resolved, _) = host.choose(&game.view().unwrap(), Instant::now() + LONG).unwrap();
    let expected = Player::named("capstone").unwrap().agent(0).next_move(&game).unwrap();
    assert_eq!((resolved.play, resolved.illegal), (expected, 0));
}

#[test]
fn wrong_options_are_refused() {
    fails(&["tbp", "nobody"], 2, "no agent 'nobody'");
    fails(&["tbp", "blitz", "--nodes", "5", "--time", "5"], 2, "--time");
    fails(&["tbp", "random", "--nodes", "5"], 2, "no search to limit");
    fails(&["tbp", "lee", "--threads", "2"], 2, "lee searches on one thread: leave out --threads");
    fails(&["tbp", "--threads", "0"], 2, "--threads");
}
