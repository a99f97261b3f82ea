//! `tetrion solve` and its policies, as a user types them.

use crate::common::{command, fails, json, tetrion};
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

const TINY: [&str; 5] = ["solve", "--game", "tiny", "--board", "3x3"];

fn with<'a>(start: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    [start, more].concat()
}

#[test]
fn the_published_figures_are_printed() {
    let report = json(&with(&TINY, &["--stages", "99", "--chain", "uniform", "--json"]));
    assert_eq!((&report["game"], &report["board"]), (&"tiny".into(), &"3x3".into()));
    assert_eq!((&report["stages"], &report["chain"]), (&99.into(), &"uniform".into()));
    assert_eq!((&report["boards"], &report["states"]), (&170.into(), &510.into()));
    let mean = report["expected"]["mean"].as_f64().unwrap();
    assert!((mean - 13.145673312755733).abs() < 1e-11, "{mean}");
    assert!(report["error_bound"].as_f64().unwrap() < 1e-10);
    assert!(report["seconds"].as_f64().unwrap() > 0.0);

    let report = json(&with(&TINY, &["--stages", "99", "--chain", "cycle", "--first", "i", "--json"]));
    assert_eq!(report["expected"]["by_first_piece"], serde_json::json!([99.0, 99.0, 98.0]));
    assert_eq!(report["expected"]["mean"], 98.0);
}

#[test]
fn several_boards_and_agents_make_a_table() {
    let boards = ["solve", "--game", "classic", "--board", "4x3,4x4", "--against", "dt10,lee"];
    let reports = json(&with(&boards, &["--json"]));
    let second = &reports[1];
    assert!((second["expected"]["mean"].as_f64().unwrap() - 7.066942).abs() < 2e-6);
    let (agent, ratio) = (&second["against"][0]["agent"], second["against"][0]["ratio"].as_f64().unwrap());
    assert_eq!(agent, "dt10");
    assert!((0.82..0.83).contains(&ratio), "{ratio}");
    let table = String::from_utf8(tetrion(&boards).stdout).unwrap();
    assert_eq!(table.lines().count(), 3, "{table}");
    assert!(table.contains("dt10") && table.contains("82.6 %"), "{table}");
}

#[test]
fn boards_can_be_asked_about_and_survival_told() {
    let text =
        String::from_utf8(tetrion(&with(&TINY, &["--at", "#../##.", "--survive", "7"])).stdout).unwrap();
    assert!(text.contains("clears 2 rows\n  ...\n  #oo\n  ##o\n"), "{text}");
    for placements in [1, 2, 5, 7] {
        assert!(text.contains(&format!("\n{placements:>10}   ")), "{text}");
    }
}

#[test]
fn policies_are_played() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (tiny, classic, plots) = (path("tiny"), path("classic"), path("plots"));
    let report = json(&with(
        &TINY,
        &["--stages", "30", "--policy", &tiny, "--plots", &plots, "--games", "200", "--json"],
    ));
    let mut files = vec![tiny.clone()];
    for name in ["values", "boards", "expected", "games"] {
        files.extend(["svg", "png"].map(|kind| format!("{plots}/{name}.{kind}")));
    }
    assert_eq!(report["written"], serde_json::json!(files));
    for file in &files[1..] {
        assert!(Path::new(file).metadata().unwrap().len() > 1_000, "{file}");
    }
    json(&["solve", "--game", "classic", "--board", "4x4", "--policy", &classic, "--json"]);
    for file in [tiny, classic] {
        let agent = format!("exact:{file}");
        let report = json(&["run", &agent, "--games", "20000", "--seed", "3", "--json"]);
        let expected = report["expected_lines"].as_f64().unwrap();
        let lines = &report["summary"]["lines"];
        let (mean, low) = (lines["mean"].as_f64().unwrap(), lines["ci95"][0].as_f64().unwrap());
        // The 99 % interval is 2.576 / 1.96 times as wide.
        assert!((mean - expected).abs() < (mean - low) * 1.315, "{mean} {expected}");
        let shown = String::from_utf8(tetrion(&["watch", &agent, "--seed", "3"]).stdout).unwrap();
        assert!(shown.lines().count() > 4, "{shown}");
        fails(&["run", &agent, "--mode", "sprint"], 2, "leave out --mode");
        fails(&["run", &agent, "--board", "9x9"], 2, "leave out --board");

        let mut bytes = std::fs::read(&file).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        std::fs::write(&file, bytes).unwrap();
        fails(&["run", &agent], 1, "damaged");
    }
    fails(&["run", "exact:nowhere"], 1, "can't read nowhere");
    fails(&["run", "dt10"], 2, "--mode");
}

#[test]
fn mirror_images_share_their_curves() {
    let folder = tempfile::tempdir().unwrap();
    let plots = folder.path().to_str().unwrap();
    let solve = ["solve", "--game", "classic", "--board", "4x4", "--plots", plots, "--games", "20"];
    let text = String::from_utf8(tetrion(&solve).stdout).unwrap();
    assert!(text.contains(&format!("\nwrote {plots}/values.svg\n")), "{text}");
    for (name, label) in [("values", "with"), ("expected", "first")] {
        let drawn = std::fs::read_to_string(folder.path().join(format!("{name}.svg"))).unwrap();
        for pieces in ["I", "J, L", "O", "S, Z", "T"] {
            assert!(drawn.contains(&format!(">{label} {pieces}<")), "no {label} {pieces} in {name}.svg");
        }
    }
}

#[test]
fn drawn_pieces_and_chains_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let game = path("game", "overflow after\npiece L\n#.\n##\npiece S\n.##\n##.\npiece I\n##\n");
    let chain = path("chain", "1/3,1/3,1/3\n1/3,1/3,1/3\n1/3,1/3,1/3\n");
    let report =
        json(&["solve", "--game", &game, "--board", "3x3", "--chain", &chain, "--stages", "9", "--json"]);
    let tiny = json(&with(&TINY, &["--stages", "9", "--json"]));
    assert_eq!(report["expected"], tiny["expected"]);

    let wrong = path("wrong", "piece L\n#x\n");
    fails(&["solve", "--game", &wrong, "--board", "3x3"], 1, "line 2");
    let wrong = path("wrong", "1,0,0\n0.5,0,0\n0,0,1\n");
    fails(&with(&TINY, &["--chain", &wrong]), 1, "row 2 (S) sums to 0.5, not to 1");
    let wrong = path("wrong", "1,0,0\n1,0,0\n0,-1,2\n");
    fails(&with(&TINY, &["--chain", &wrong]), 1, "row 3 (I) has the negative probability -1");
}

#[cfg(unix)]
#[test]
fn files_without_end_are_refused() {
    fails(
        &["solve", "--game", "/dev/zero", "--board", "3x3"],
        1,
        "can't read /dev/zero: it is larger than 32 MB",
    );
    fails(&with(&TINY, &["--chain", "/dev/zero"]), 1, "larger than 32 MB");
    fails(&["run", "exact:/dev/zero"], 1, "not a policy");
    let folder = tempfile::tempdir().unwrap();
    let endless = folder.path().join("endless.toml");
    std::os::unix::fs::symlink("/dev/zero", &endless).unwrap();
    let endless = endless.to_str().unwrap();
    fails(&["run", endless, "--mode", "classic"], 1, "larger than 1 MB");
    fails(&with(&TINY, &["--checkpoint", endless]), 1, "not a checkpoint");
}

#[test]
fn what_can_t_be_solved_is_told() {
    fails(&["solve", "--game", "nothing", "--board", "3x3"], 2, "tiny, classic, or a file");
    fails(&["solve", "--game", "classic", "--board", "33x1"], 2, "1 to 32 columns");
    fails(&["solve", "--game", "classic", "--board", "7x6"], 2, "the limit is 34 cells");
    fails(&["solve", "--game", "classic", "--board", "10x10"], 2, "too many cells");
    fails(&with(&TINY, &["--chain", "cycle"]), 2, "last forever");
    fails(&with(&TINY, &["--against", "dt10"]), 2, "--game classic");
    fails(
        &["solve", "--game", "classic", "--board", "4x4", "--against", "random"],
        2,
        "always decide the same way",
    );
    fails(&with(&TINY, &["--first", "Q"]), 2, "choose L, S, I");
    fails(&with(&TINY, &["--at", "####"]), 2, "has 4 columns");
    fails(&with(&TINY, &["--at", "#..", "--stages", "3", "--survive", "2"]), 2, "--survive");
    fails(&with(&TINY, &["--policy", "no/such/folder/file"]), 2, "can't write no/such/folder/file");
    fails(&with(&TINY, &["--checkpoint", "."]), 2, "can't write .");
    fails(&["solve", "--game", "classic", "--board", "2x4", "--against", "dt10"], 2, "3 to 16 columns");
}

/// Ctrl-C, then resuming from the checkpoint.
#[cfg(unix)]
#[test]
fn a_long_calculation_can_be_stopped_and_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (rough, checkpoint) = (path("rough"), path("checkpoint"));
    let solve = ["solve", "--game", "classic", "--board", "6x4"];
    let roughly = ["--tolerance", "1000", "--json"];
    let report = json(&[&solve[..], &roughly, &["--checkpoint", &rough]].concat());
    assert!(report["sweeps"].as_u64().unwrap() > 1, "{report}");

    // The checkpoint is a pipe here. Opening it waits for the command to read it, after all boards are found.
    assert!(Command::new("mkfifo").arg(&checkpoint).status().unwrap().success());
    let solve = with(&solve, &["--checkpoint", &checkpoint]);
    let child = command(&solve).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut pipe = File::create(&checkpoint).unwrap();
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    pipe.write_all(&std::fs::read(&rough).unwrap()).unwrap();
    drop(pipe);
    let output = child.wait_with_output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{message}");
    assert!(message.contains("run the same command to resume"), "{message}");

    let other = ["solve", "--game", "classic", "--board", "4x4", "--checkpoint", &checkpoint];
    fails(&other, 1, "belongs to another game");
    // The saved solution is close enough already: one sweep shows it.
    let report = json(&with(&solve, &roughly));
    assert_eq!(report["sweeps"], 1, "{report}");
    std::fs::write(&checkpoint, b"TETRION-V, but no more").unwrap();
    fails(&with(&solve, &["--tolerance", "1000"]), 1, "can't resume from");
}
