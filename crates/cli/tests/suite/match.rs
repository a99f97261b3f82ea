//! `tetrion match` and `tetrion league`, with agents and with bots of every kind.
#![cfg(unix)]

use crate::common::{command, fails, json, tetrion};
use serde_json::Value;
use std::fs;
use std::path::Path;
use tempfile::tempdir;
use tetrion_engine::replay::Recorded;

/// Our own bot, as a command.
fn own_bot(arguments: &str) -> String {
    format!("tbp:'{}' tbp {arguments}", env!("CARGO_BIN_EXE_tetrion"))
}

/// A bot that is a shell script. It is asked for moves after these lines.
fn script(after_start: &str) -> String {
    let lines = format!(
        r#"echo "{{\"type\":\"info\",\"name\":\"script\"}}"; read -r rules; echo "{{\"type\":\"ready\"}}"; read -r start; {after_start}"#
    );
    format!("tbp:sh -c '{lines}'")
}

/// The names of the replays in a folder, with their bytes.
fn replays(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let path = entry.unwrap().path();
            (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read(path).unwrap())
        })
        .collect();
    files.sort();
    files
}

#[test]
fn a_match_is_the_same_byte_for_byte_with_any_number_of_threads() {
    let played = |threads: &str| {
        let folder = tempdir().unwrap();
        let path = folder.path().to_string_lossy().into_owned();
        let report = json(&[
            "match",
            "blitz-fast",
            "capstone",
            "--mode",
            "versus",
            "--rules",
            "ppt",
            "--nodes",
            "500",
            "--games",
            "4",
            "--seed",
            "9",
            "--max-pieces",
            "150",
            "--threads",
            threads,
            "--replays",
            &path,
            "--json",
        ]);
        (report, replays(folder.path()))
    };
    let (one, many) = (played("1"), played("3"));
    assert_eq!(one, many);
    let (report, replays) = one;
    assert_eq!(replays.len(), 4);
    for (index, (name, bytes)) in replays.iter().enumerate() {
        assert_eq!(*name, format!("game-{index:06}.tetrion"));
        let Recorded::Match(replay) = Recorded::from_bytes(bytes).unwrap() else {
            panic!("{name} is no match")
        };
        assert!(replay.play(|_, _, _| ()).is_ok());
    }
    assert_eq!(report["players"], serde_json::json!(["blitz-fast", "capstone"]));
    assert_eq!((report["mode"].as_str(), report["seed"].as_u64()), (Some("versus"), Some(9)));
    for (index, game) in report["games"].as_array().unwrap().iter().enumerate() {
        assert_eq!(game["index"], index);
        assert!(game["winner"].is_null() || game["winner"].as_u64().is_some_and(|winner| winner < 2));
        assert!(game["reason"].is_string());
        assert!(["pieces", "attack", "score"].iter().all(|list| game[*list].as_array().unwrap().len() == 2));
    }
    let summary = &report["summary"];
    let wins: u64 = summary["wins"].as_array().unwrap().iter().map(|wins| wins.as_u64().unwrap()).sum();
    assert_eq!(wins + summary["draws"].as_u64().unwrap(), 4);
    assert_eq!(summary["elo"]["ci95"].as_array().unwrap().len(), 2);
    assert_eq!(summary["faults"], serde_json::json!([]));
}

#[test]
fn a_match_can_be_verified_and_stepped_through() {
    let folder = tempdir().unwrap();
    tetrion(&[
        "match",
        "lee",
        "random",
        "--mode",
        "versus",
        "--nodes",
        "100",
        "--games",
        "1",
        "--replays",
        &folder.path().to_string_lossy(),
    ]);
    let file = folder.path().join("game-000000.tetrion");
    let path = file.to_string_lossy().into_owned();
    let report = json(&["replay", "verify", &path, "--json"]);
    assert_eq!((&report["verified"], &report["winner"]), (&true.into(), &0.into()));
    assert_eq!(report["sides"][1]["outcome"], "top_out");
    let pieces = |side: usize| report["sides"][side]["pieces"].as_u64().unwrap();
    let shown = |at: &str| String::from_utf8(tetrion(&["replay", "show", &path, "--at", at]).stdout).unwrap();
    assert!(shown("1").contains("piece 1,") && shown("1").contains("shown after 1,"));
    assert_ne!(shown("7"), shown("8"));
    let last = (pieces(0) + pieces(1)).to_string();
    assert!(shown(&last).contains("lee won"), "{}", shown(&last));
    fails(&["replay", "show", &path, "--at", "0"], 2, "--at must be from 1 to");
    fails(&["replay", "export", &path, "--to", "game.gif"], 1, "a match of two players");
    let mut bytes = fs::read(&file).unwrap();
    bytes[20] ^= 1;
    fs::write(&file, bytes).unwrap();
    fails(&["replay", "verify", &path], 1, "damaged");
}

#[test]
fn our_bot_plays_like_our_agent() {
    let report = json(&[
        "match",
        "lee",
        &own_bot("lee --nodes 300"),
        "--mode",
        "sprint",
        "--nodes",
        "300",
        "--games",
        "2",
        "--patience",
        "600000",
        "--json",
    ]);
    assert_eq!(
        (&report["summary"]["draws"], &report["summary"]["difference"]["mean"]),
        (&2.into(), &0.0.into())
    );
    let bot = &report["bots"][1];
    assert_eq!(bot["introduced_as"], "Tetrion lee");
    assert_eq!(bot["conduct"].as_object().unwrap().len(), 1, "nothing but suggestions: {bot}");
    assert_eq!(report["bots"][0], Value::Null);
}

#[test]
fn garbage_reaches_a_bot() {
    let report = json(&[
        "match",
        "blitz-fast",
        &own_bot("capstone"),
        "--mode",
        "versus",
        "--nodes",
        "500",
        "--games",
        "2",
        "--max-pieces",
        "200",
        "--patience",
        "600000",
        "--json",
    ]);
    assert_eq!(report["summary"]["faults"], serde_json::json!([]));
    assert!(report["games"].as_array().unwrap().iter().all(|game| game["pieces"][1].as_u64().unwrap() > 10));
}

#[test]
fn bots_that_misbehave_lose_their_games_with_the_reason() {
    let move_far_away = r#"echo "{\"type\":\"suggestion\",\"moves\":[{\"location\":{\"type\":\"T\",\"orientation\":\"north\",\"x\":400,\"y\":0},\"spin\":\"none\"}]}""#;
    for (after_start, patience, words) in [
        ("exit 4", "600000", "died"),
        ("read -r suggest; exit 4", "600000", "died"),
        ("cat > /dev/null", "50", "no suggestion within"),
        ("read -r suggest; echo nonsense; cat > /dev/null", "600000", "something else than a message"),
        (&format!("read -r suggest; {move_far_away}; cat > /dev/null"), "600000", "no legal move"),
        ("read -r suggest; exec yes", "600000", ""),
    ] {
        for mode in ["versus", "blitz"] {
            let report = json(&[
                "match",
                &script(after_start),
                "random",
                "--mode",
                mode,
                "--games",
                "2",
                "--patience",
                patience,
                "--json",
            ]);
            assert_eq!(report["summary"]["wins"], serde_json::json!([0, 2]), "{after_start}");
            let faults = report["summary"]["faults"].as_array().unwrap();
            assert_eq!(faults.len(), 2, "the bot gets another chance in the next game: {after_start}");
            for fault in faults {
                assert!(fault["fault"].as_str().unwrap().contains(words), "{after_start}: {fault}");
            }
            assert!(report["games"][0]["reason"].as_str().unwrap().contains("forfeits"));
        }
    }
}

#[test]
fn the_table_names_the_winner() {
    let output = tetrion(&["match", "lee", "random", "--mode", "versus", "--nodes", "100", "--games", "4"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && text.contains("lee won every game"), "{text}");
    let output = tetrion(&[
        "match", "lee", "random", "--mode", "versus", "--nodes", "100", "--games", "500", "--sprt", "0,200",
    ]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("the test says: 200 Elo or more"), "{text}");
}

#[test]
fn a_match_that_makes_no_sense_is_refused() {
    fails(&["match", "lee", "nobody", "--mode", "versus"], 2, "there is no agent 'nobody'");
    fails(&["match", "lee", "tbp:", "--mode", "versus"], 2, "tbp: needs a command");
    fails(&["match", "lee", "tbp:'", "--mode", "versus"], 2, "can't read the command");
    fails(&["match", "lee", "tbp:no-such-bot", "--mode", "versus"], 1, "no-such-bot");
    fails(&["match", "lee", "lee", "--mode", "versus", "--pace", "0"], 2, "pace");
    fails(&["match", "lee", "lee", "--mode", "versus", "--rules", "best"], 2, "guideline or ppt");
    fails(&["match", "lee", "lee", "--mode", "versus", "--sprt", "5,5"], 2, "two numbers");
    fails(&["match", "lee", "--mode", "versus"], 2, "2 values required");
    fails(&["run", "lee", "--mode", "versus"], 2, "two players");
}

const LEAGUE: &str = r#"players = ["lee", "capstone", "random"]
games = 4

[contest]
mode = "versus"
nodes = 200
max_pieces = 100
"#;

#[test]
fn a_league_rates_everybody_and_goes_on_where_it_was_interrupted() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("league.toml");
    fs::write(&file, LEAGUE).unwrap();
    let (file, out) = (file.to_string_lossy().into_owned(), folder.path().join("league"));
    let whole = json(&["league", &file, "--json"]);
    assert_eq!(whole["standings"]["games"], 12);
    let players = whole["standings"]["players"].as_array().unwrap();
    assert_eq!(players[2]["name"], "random");
    assert_eq!(players[2]["wins"], 0);
    let html = fs::read_to_string(out.join("standings.html")).unwrap();
    assert!(html.contains("<svg") && html.contains("capstone") && !html.contains("http://127"));
    assert!(fs::read_to_string(out.join("standings.txt")).unwrap().contains("95 % interval"));
    assert!(fs::read(out.join("ratings.png")).unwrap().starts_with(b"\x89PNG"));

    // A killed program leaves whole lines and perhaps a part of one.
    let games = out.join("games.jsonl");
    let text = fs::read_to_string(&games).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    fs::write(&games, format!("{}\n{}", lines[..5].join("\n"), &lines[5][..20])).unwrap();
    assert_eq!(json(&["league", &file, "--json"]), whole);
    assert_eq!(fs::read_to_string(&games).unwrap().lines().count(), 12);

    // Another league must not add to these games.
    fs::write(&file, LEAGUE.replace("200", "300")).unwrap();
    fails(&["league", &file], 2, "other players or rules");
    fs::write(&games, "{}\n").unwrap();
    fs::write(&file, LEAGUE).unwrap();
    fails(&["league", &file], 1, "line 1 is not a game of this league");
}

#[test]
fn a_league_that_makes_no_sense_is_refused() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("league.toml");
    let refused = |text: &str, words: &str| {
        fs::write(&file, text).unwrap();
        fails(&["league", &file.to_string_lossy()], 2, words);
    };
    let with =
        |players: &str, rest: &str| format!("players = [{players}]\n{rest}\n[contest]\nmode = \"versus\"\n");
    refused(&with("'lee'", ""), "2 to 64 players");
    refused(&with("'lee', 'lee'", ""), "twice");
    refused(&with("'lee', 'random'", "games = 3"), "even number");
    refused(&with("'lee', 'nobody'", ""), "nobody");
    refused(&with("'lee', 'random'", "hats = 3"), "hats");
    refused(&with("'lee', 'random'", "").replace("versus", "chess"), "chess");
    refused(&format!("{}hats = 3\n", with("'lee', 'random'", "")), "hats");
    refused(&format!("{}pace = 99.0\n", with("'lee', 'random'", "")), "pace");
    refused("players = ['lee', 'random']\n", "contest");
    fails(&["league", "no-such-file.toml"], 1, "no-such-file.toml");
}

#[test]
fn an_interrupted_match_reports_the_games_so_far() {
    use std::io::Read;
    let folder = tempdir().unwrap();
    let mut child = command(&[
        "match",
        "lee",
        "random",
        "--mode",
        "versus",
        "--nodes",
        "100",
        "--games",
        "1000000",
        "--json",
        "--replays",
        &folder.path().to_string_lossy(),
    ])
    .stdout(std::process::Stdio::piped())
    .spawn()
    .unwrap();
    while fs::read_dir(folder.path()).unwrap().next().is_none() {
        std::thread::yield_now();
    }
    let status = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(status.success());
    let mut text = String::new();
    child.stdout.take().unwrap().read_to_string(&mut text).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let report: Value = serde_json::from_str(&text).unwrap();
    assert!(!report["games"].as_array().unwrap().is_empty());
}
