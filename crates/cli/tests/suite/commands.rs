//! The command as a user types it.

use crate::common::{self, fails, json, tetrion};
use std::path::Path;
use std::process::{Command, Stdio};

#[test]
fn perft_counts_as_published() {
    let report = json(&["perft", "IOLJSZT", "--depth", "5", "--json"]);
    assert_eq!((&report["queue"], &report["depth"]), (&"IOLJSZT".into(), &5.into()));
    assert_eq!(report["nodes"], 3_497_187);
    assert!(report["seconds"].as_f64().unwrap() >= 0.0);
}

#[test]
fn wrong_use_exits_with_2_and_one_clear_line() {
    fails(&["perft", "IOX"], 2, "'X' is not a piece");
    fails(&["perft", ""], 2, "at least one piece");
    fails(&["perft", "IOL", "--depth", "4"], 2, "from 1 to 3");
    fails(&["perft", "IOL", "--depth", "0"], 2, "from 1 to 3");
    fails(&["perft"], 2, "<QUEUE>");
    fails(&["run", "nobody", "--mode", "sprint"], 2, "no agent 'nobody': choose random, capstone");
    fails(&["run", "random", "--mode", "marathon"], 2, "'marathon' is not a mode: choose sprint");
    fails(&["run", "random", "--mode", "sprint", "--games", "0"], 2, "--games");
    fails(&["run", "random", "--mode", "sprint", "--board", "10by20"], 2, "such as 10x20");
    fails(&["run", "random", "--mode", "sprint", "--board", "2x20"], 2, "3 to 16 columns");
    fails(&["run", "random", "--mode", "classic", "--board", "10x41"], 2, "1 to 40 rows");
    fails(&["run", "random", "--mode", "sprint", "--board", "10x37"], 2, "at most 36 visible rows");
    fails(&["run", "random", "--mode", "classic", "--movement", "hard"], 2, "straight drops only");
    fails(&["run", "random", "--mode", "blitz", "--lines", "20"], 2, "--lines is for sprint");
    fails(&["run", "random", "--mode", "practice"], 2, "--max-pieces");
    fails(&["run", "random", "--mode", "zen"], 2, "zen has no end");
    fails(&["bench", "--queue", "Q"], 2, "'Q' is not a piece");
    fails(&["levitate"], 2, "levitate");
}

#[test]
fn other_failures_exit_with_1_and_one_clear_line() {
    let folder = tempfile::tempdir().unwrap();
    let garbage = folder.path().join("garbage");
    std::fs::write(&garbage, b"not a replay at all").unwrap();
    fails(&["replay", "verify", garbage.to_str().unwrap()], 1, "not a Tetrion replay");
    fails(&["replay", "show", "no/such/file"], 1, "can't read no/such/file");
    let file_in_the_way = garbage.to_str().unwrap();
    fails(&["run", "random", "--mode", "sprint", "--replays", file_in_the_way], 1, "can't make the folder");
    fails(&["bench", "--queue", "I", "--runs", "1", "--perft-peer", "no-such-program"], 1, "can't run");
}

#[test]
fn a_run_reports_every_game_and_the_summary() {
    let report = json(&["run", "random", "--mode", "sprint", "--games", "5", "--seed", "3", "--json"]);
    assert_eq!((&report["agent"], &report["mode"]), (&"random".into(), &"sprint".into()));
    assert_eq!(report["seed"], 3);
    let games = report["games"].as_array().unwrap();
    assert_eq!(games.len(), 5);
    for (index, game) in games.iter().enumerate() {
        assert_eq!(game["index"], index);
        assert_eq!(game["outcome"], "top_out");
        assert!(game["pieces"].as_u64() >= Some(10));
        assert!(game["keys"].as_u64() >= game["pieces"].as_u64());
    }
    let pieces: Vec<f64> = games.iter().map(|game| game["pieces"].as_f64().unwrap()).collect();
    let summary = &report["summary"];
    let mean = summary["pieces"]["mean"].as_f64().unwrap();
    assert!((mean - pieces.iter().sum::<f64>() / 5.0).abs() < 1e-9);
    for measure in ["pieces", "lines", "score", "keys"] {
        let [min, median, max] =
            ["min", "median", "max"].map(|name| summary[measure][name].as_f64().unwrap());
        assert!(min <= median && median <= max, "{measure}");
    }
    let [low, high] = [0, 1].map(|side| summary["pieces"]["ci95"][side].as_f64().unwrap());
    assert!(0.0 < low && low < mean && mean < high);
    assert_eq!(summary["outcomes"]["top_out"], 5);
    assert!(summary["decisions_per_second"].as_f64() > Some(0.0));
}

#[test]
fn a_few_games_have_no_interval_and_one_has_no_plural() {
    let three = ["run", "random", "--mode", "classic", "--games", "3"];
    assert!(json(&[&three[..], &["--json"]].concat())["summary"]["pieces"]["ci95"].is_null());
    let shown = |arguments: &[&str]| String::from_utf8(tetrion(arguments).stdout).unwrap();
    assert!(shown(&three).contains("too few games"));
    assert!(shown(&["run", "random", "--mode", "classic"]).contains("seed 0: 1 game\n"));
}

#[test]
fn habits_are_reported_where_they_are_asked_for() {
    let run = ["run", "bcts", "--mode", "classic", "--max-pieces", "40", "--games", "2", "--json"];
    assert_eq!(json(&run).get("habits"), None);
    let report = json(&[&run[..], &["--habits"]].concat());
    let sum = |habit: &str| -> f64 {
        let numbers = report["habits"][habit].as_array().unwrap();
        numbers.iter().map(|number| number.as_f64().unwrap()).sum()
    };
    assert!((sum("keys_before_the_drop") - 1.0).abs() < 1e-9);
    assert!(sum("heights") > 0.0 && sum("wells") <= 1.0);
    assert_eq!(report["habits"].get("points"), None, "classic counts only lines");
    // The option does not change the games.
    assert_eq!(report["games"], json(&run)["games"]);
}

#[test]
fn the_sources_of_the_points_add_up_to_the_score() {
    let run = ["run", "blitz-fast", "--mode", "blitz", "--max-pieces", "60", "--habits", "--json"];
    let report = json(&run);
    let points = report["habits"]["points"].as_object().unwrap();
    let number = |value: &serde_json::Value| value.as_f64().unwrap();
    let clears = points["clears"].as_object().unwrap();
    let of_clears = |what: &str| clears.values().map(|clear| number(&clear[what])).sum::<f64>();
    let bonuses = ["back_to_back", "combo", "perfect_clear", "soft_drop", "hard_drop"];
    let of_bonuses: f64 = bonuses.iter().map(|bonus| number(&points[*bonus])).sum();
    assert!(clears.keys().any(|name| name.starts_with("T-Spin")) && number(&points["back_to_back"]) > 0.0);
    assert_eq!(of_clears("points") + of_bonuses, number(&report["summary"]["score"]["mean"]));
    assert_eq!(of_clears("pieces") + number(&points["pieces_left"]), 60.0);
}

#[test]
fn the_number_of_threads_does_not_change_a_game() {
    for (agent, mode) in
        [("random", "sprint"), ("random", "classic"), ("capstone", "blitz"), ("bcts", "classic")]
    {
        let games = |threads| {
            json(&[
                "run",
                agent,
                "--mode",
                mode,
                "--max-pieces",
                "300",
                "--games",
                "20",
                "--threads",
                threads,
                "--json",
            ])["games"]
                .to_string()
        };
        assert_eq!(games("1"), games("2"), "{agent} {mode}");
    }
}

#[test]
fn the_number_of_threads_does_not_change_a_search_with_a_node_limit() {
    // The second draws samples.
    for (nodes, pieces) in [("3000", "60"), ("200000", "12")] {
        let run = ["run", "blitz", "--mode", "blitz", "--games", "6", "--seed", "3", "--json"];
        let limits = ["--nodes", nodes, "--max-pieces", pieces, "--threads"];
        let games = |threads| json(&[&run[..], &limits, &[threads]].concat())["games"].to_string();
        assert_eq!(games("1"), games("4"), "{nodes} nodes");
    }
}

#[test]
fn a_game_depends_on_the_seed_and_its_index_alone() {
    let games =
        |count| json(&["run", "random", "--mode", "sprint", "--games", count, "--seed", "9", "--json"]);
    assert_eq!(games("3")["games"][2], games("8")["games"][2]);
}

#[test]
fn games_end_at_the_limit_of_pieces() {
    let report = json(&["run", "random", "--mode", "classic", "--max-pieces", "3", "--games", "2", "--json"]);
    for game in report["games"].as_array().unwrap() {
        assert_eq!((&game["outcome"], &game["pieces"]), (&"piece_limit".into(), &3.into()));
    }
}

fn write_replays(folder: &Path, mode: &str) -> Vec<std::path::PathBuf> {
    let folder = folder.join(mode);
    json(&["run", "random", "--mode", mode, "--games", "3", "--json", "--replays", folder.to_str().unwrap()]);
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert_eq!(files.len(), 3);
    files
}

#[test]
fn replays_of_a_run_are_true_and_can_be_shown() {
    let folder = tempfile::tempdir().unwrap();
    for mode in ["sprint", "blitz", "classic"] {
        for file in write_replays(folder.path(), mode) {
            let file = file.to_str().unwrap();
            let report = json(&["replay", "verify", file, "--json"]);
            assert_eq!((&report["verified"], &report["mode"]), (&true.into(), &mode.into()));
            let shown = tetrion(&["replay", "show", file]);
            let shown = String::from_utf8(shown.stdout).unwrap();
            assert!(shown.contains("verified") && shown.contains("+---------------------+"), "{shown}");
        }
    }
}

#[test]
fn a_changed_or_cut_replay_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = write_replays(folder.path(), "sprint").remove(0);
    let path = file.to_str().unwrap();
    let whole = std::fs::read(&file).unwrap();
    let mut changed = whole.clone();
    changed[whole.len() / 2] ^= 1;
    std::fs::write(&file, changed).unwrap();
    fails(&["replay", "verify", path], 1, "checksum does not match");
    std::fs::write(&file, &whole[..whole.len() - 9]).unwrap();
    fails(&["replay", "verify", path], 1, "it was cut off");
    let mut newer = whole;
    newer[7] = 200;
    std::fs::write(&file, newer).unwrap();
    fails(&["replay", "show", path], 1, "version 200");
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tetrion"))
        .args(["run", "random", "--mode", "sprint", "--games", "30"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.is_empty());
}

#[test]
fn many_games_at_once_end_as_one_by_one() {
    // With replays, games are not played in the kernel.
    let folder = tempfile::tempdir().unwrap();
    for agent in ["bcts", "dt10", "eltetris"] {
        let run = |extra: &[&str]| {
            let options = [
                "run",
                agent,
                "--mode",
                "classic",
                "--board",
                "10x8",
                "--games",
                "30",
                "--max-pieces",
                "300",
                "--json",
            ];
            json(&[&options, extra].concat())["games"].to_string()
        };
        assert_eq!(run(&[]), run(&["--replays", folder.path().to_str().unwrap()]), "{agent}");
    }
}

#[test]
fn a_file_of_weights_is_an_agent() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.toml");
    std::fs::write(&file, "version = 1\n[weights]\nholes = -4\naggregate_height = -1\n").unwrap();
    let path = file.to_str().unwrap();
    let report = json(&["run", path, "--mode", "classic", "--max-pieces", "50", "--json"]);
    assert_eq!(report["agent"], "mine");
    std::fs::write(&file, "version = 1\n[weights]\nhoels = -4\n").unwrap();
    fails(&["run", path, "--mode", "classic"], 1, "line 3: there is no feature 'hoels'");
    fails(&["run", "no-such.toml", "--mode", "classic"], 1, "can't read no-such.toml");
}

#[test]
fn the_agents_are_listed_with_their_sources() {
    let listed = tetrion(&["agents"]);
    let listed = String::from_utf8(listed.stdout).unwrap();
    for name in [
        "random",
        "capstone",
        "slide",
        "cs4701",
        "lee",
        "lee1",
        "dellacherie",
        "eltetris",
        "bcts",
        "dt10",
        "dt20",
    ] {
        assert!(listed.lines().any(|line| line.starts_with(name)), "{name}");
    }
    let listed = json(&["agents", "--json"]);
    assert!(
        listed
            .as_array()
            .unwrap()
            .iter()
            .all(|agent| agent["source"].as_str().is_some_and(|source| !source.is_empty()))
    );
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_reports_what_was_played_and_exits_with_130() {
    let folder = tempfile::tempdir().unwrap();
    let replays = folder.path().join("games");
    let arguments = ["run", "capstone", "--mode", "sprint", "--games", "1000000", "--json", "--replays"];
    let child = common::command(&[&arguments[..], &[replays.to_str().unwrap()]].concat())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let is_complete = |entry: std::fs::DirEntry| entry.path().extension().is_some_and(|end| end == "tetrion");
    let some_game =
        || std::fs::read_dir(&replays).is_ok_and(|mut all| all.any(|entry| entry.is_ok_and(is_complete)));
    while !some_game() {
        std::thread::yield_now();
    }
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.unwrap().success());
    let output = child.wait_with_output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{message}");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let played = report["games"].as_array().unwrap().len();
    assert!(
        played > 0 && message.contains(&format!("interrupted after {played} of 1,000,000 games")),
        "{message}"
    );
}

#[test]
fn a_run_says_what_ends_a_game_and_whom_it_was_not_made_for() {
    let output = tetrion(&["run", "sprint-fast", "--mode", "blitz", "--max-pieces", "3"]);
    let [text, note] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    assert!(text.contains("sprint-fast, blitz (3 pieces), seed 0: 1 game"), "{text}");
    assert_eq!(note, "note: sprint-fast was designed for sprint, not for blitz\n");
    let output = tetrion(&["run", "lee", "--mode", "blitz", "--games", "1"]);
    assert!(String::from_utf8(output.stdout).unwrap().contains("lee, blitz (360 pieces)"));
}

#[test]
fn features_are_listed_with_their_meaning() {
    let features = json(&["features", "--json"]);
    let holes = features.as_array().unwrap().iter().find(|feature| feature["name"] == "holes").unwrap();
    assert_eq!(holes["scope"], "board");
    assert!(holes["meaning"].as_str().unwrap().contains("mpty cells"));
}
