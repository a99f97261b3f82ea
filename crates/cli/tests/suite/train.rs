//! `tetrion train` as a user types it.

use crate::common;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread;

fn command(arguments: &[&str]) -> Command {
    common::command(&[&["train"], arguments].concat())
}

fn train(arguments: &[&str]) -> Output {
    command(arguments).output().unwrap()
}

fn succeeds(arguments: &[&str]) -> String {
    let output = train(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn fails(arguments: &[&str], status: i32, words: &str) {
    common::fails(&[&["train"], arguments].concat(), status, words);
}

/// All files in a folder, without the seconds in logbooks.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            files.extend(
                self::files(&path).into_iter().map(|(inner, file)| (format!("{name}/{inner}"), file)),
            );
            continue;
        }
        let mut contents = fs::read(&path).unwrap();
        if name == "logbook.csv" {
            let text = String::from_utf8(contents).unwrap();
            let without = |line: &str| {
                let mut fields: Vec<&str> = line.split(',').collect();
                fields.remove(7);
                fields.join(",") + "\n"
            };
            contents = text.lines().map(without).collect::<String>().into_bytes();
        }
        files.insert(name, contents);
    }
    files
}

/// Waits until a run has written a file this many times, or has ended.
fn wait_for_writes(run: &mut Child, file: &Path, writes: u64) {
    let mut known = fs::read(file).ok();
    let mut left = writes;
    while left > 0 && run.try_wait().unwrap().is_none() {
        let now = fs::read(file).ok();
        if now == known {
            thread::yield_now();
        } else {
            known = now;
            left -= 1;
        }
    }
}

/// A run that takes a few seconds, with generations of a few hundredths of a second.
const SMALL: [&str; 9] =
    ["capstone", "--population", "10", "--generations", "120", "--games", "3", "--finals", "3"];

#[test]
fn ten_kills_change_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let [plain, killed] =
        ["plain", "killed"].map(|name| folder.path().join(name).to_str().unwrap().to_owned());
    let with = |more: &[&'static str], out: &str| {
        let mut arguments: Vec<String> = SMALL.iter().chain(more).map(|word| (*word).to_owned()).collect();
        arguments.extend(["--judge-games".to_owned(), "9".to_owned(), "--out".to_owned(), out.to_owned()]);
        arguments
    };
    let strings = |arguments: &[String]| arguments.iter().map(|word| word.to_owned()).collect::<Vec<_>>();
    let run = |arguments: Vec<String>| {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        succeeds(&arguments)
    };
    run(with(&["--threads", "2"], &plain));

    let mut kills = 0;
    let mut generations = Vec::new();
    while kills < 10 {
        let resume: &[&str] =
            if Path::new(&killed).join("checkpoint").exists() { &["--resume"] } else { &[] };
        let arguments = strings(&with(&["--threads", "1"], &killed));
        let mut child = Command::new(env!("CARGO_BIN_EXE_tetrion"))
            .arg("train")
            .args(&arguments)
            .args(resume)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let file = ["logbook.csv", "weights.csv", "checkpoint"][kills % 3];
        let writes = RandomState::new().hash_one(kills) % 10;
        wait_for_writes(&mut child, &Path::new(&killed).join(file), writes);
        child.kill().unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "after {writes} writes of {file}");
        kills += 1;
        let rows = fs::read_to_string(Path::new(&killed).join("logbook.csv")).unwrap_or_default();
        generations.push(rows.lines().count().saturating_sub(1));
    }
    let arguments = [with(&["--threads", "1"], &killed), vec!["--resume".to_owned()]].concat();
    run(arguments);
    assert_eq!(files(Path::new(&plain)), files(Path::new(&killed)), "killed at {generations:?}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_says_how_to_resume_and_exits_with_130() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let shown = out.to_str().unwrap();
    let mut child = command(&["lee", "--population", "4", "--tournament", "50%", "--out", shown])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_for_writes(&mut child, &out.join("checkpoint.previous"), 1);
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    // As in `tetrion train … && deploy`, which must not deploy.
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(message, format!("error: interrupted: resume with tetrion train --resume {shown}\n"));
    // Only the stop criteria may change.
    fails(&["lee", "--out", shown, "--resume"], 1, "another recipe: it has");
    let stop_now = ["--resume", shown, "--max-games", "1", "--json"];
    let report: Value = serde_json::from_str(&succeeds(&stop_now)).unwrap();
    assert_eq!((&report["finished"], &report["recipe"]), (&true.into(), &"lee".into()));
    fails(&["--resume", shown, "--population", "9"], 1, "another recipe: it has population = 4");
    fs::write(out.join("checkpoint"), "torn").unwrap();
    fails(&["--resume", shown], 1, "is intact: add --previous to resume from it");
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_reported_and_keeps_the_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let [plain, full] = ["plain", "full"].map(|name| folder.path().join(name).to_str().unwrap().to_owned());
    let small = [
        "cs4701-first",
        "--population",
        "10",
        "--tournament",
        "30%",
        "--generations",
        "3",
        "--games",
        "2",
        "--pieces",
        "50",
        "--finals",
        "3",
        "--judge-games",
        "9",
    ];
    succeeds(&[&small[..], &["--out", &plain]].concat());
    // No file may grow beyond 16 KiB: the pictures do.
    let script = "trap '' XFSZ; ulimit -f 16; exec \"$0\" train \"$@\"";
    let output = Command::new("bash")
        .args(["-c", script, env!("CARGO_BIN_EXE_tetrion")])
        .args(small)
        .args(["--out", &full])
        .output()
        .unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert_eq!(message.lines().count(), 1, "{message}");
    assert!(
        message.contains(&format!("--resume {full}): can't write")) && message.contains("too large"),
        "{message}"
    );
    succeeds(&["--resume", &full]);
    assert_eq!(files(Path::new(&plain)), files(Path::new(&full)));
}

#[test]
fn wrong_use_is_refused_and_nothing_is_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let out = out.to_str().unwrap();
    fails(&["leo", "--out", out], 2, "no recipe 'leo': choose lee, cs4701-first");
    fails(&["lee"], 2, "--out DIR");
    fails(&["--out", out], 2, "a recipe");
    fails(&["lee", "--out", out, "--population", "1"], 2, "population is 1: give at least 2");
    fails(&["lee", "--out", out, "--mutation-rate", "101%"], 2, "mutation_rate is 1.01");
    fails(&["lee", "--out", out, "--tournament", "150%"], 2, "tournament is 1.5");
    fails(&["lee", "--out", out, "--seed", "1000000"], 2, "final evaluations");
    fails(&["lee", "--out", out, "--elite", "10%"], 2, "unknown field `elite`");
    fails(&["lee", "--out", out, "--plies", "99"], 2, "from 1 to 8");
    fails(&["lee", "--out", out, "--games", "-5"], 2, "games");
    fails(&["lee", "--out", out, "--luck", "1"], 2, "--luck");
    fails(&["lee", "--out", out, "--sweep", "luck=1,2"], 2, "no hyper-parameter 'luck'");
    fails(&["lee", "--out", out, "--sweep", "population=1,100"], 2, "population is 1");
    fails(&["lee", "--out", out, "--repeats", "5"], 2, "--sweep");
    fails(&["lee", "--out", out, "--previous"], 2, "--resume");
    for resume in [&["--out", out, "--resume"][..], &["--resume", out], &["--resume", out, "--target", "9"]] {
        fails(resume, 1, &format!("{out} contains no run: start one with tetrion train RECIPE --out {out}"));
    }
    fails(&["--resume"], 2, "--resume DIR");
    fails(&["--resume", "lee", "--out", out], 2, "omit --out to resume");
    fails(&["no/such.toml", "--out", out], 1, "can't read no/such.toml");
    assert!(!Path::new(out).exists());

    let mine = folder.path().join("mine.toml");
    fs::write(&mine, "name = 'mine'\n[stop]\ngenerations = 'many'\n").unwrap();
    fails(&[mine.to_str().unwrap(), "--out", out], 1, "line 3");
    let folder_of_files = folder.path().to_str().unwrap();
    fails(&["lee", "--out", folder_of_files], 1, "contains other files: choose another folder");
    fails(&["lee", "--out", mine.to_str().unwrap()], 1, "can't create the folder");
}

#[test]
fn a_sweep_makes_a_run_for_every_combination() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("sweep");
    let shown = out.to_str().unwrap();
    let sweep = [
        "cs4701-first",
        "--out",
        shown,
        "--generations",
        "2",
        "--games",
        "2",
        "--pieces",
        "60",
        "--finals",
        "3",
        "--judge-games",
        "9",
        "--sweep",
        "population=10,20",
        "--sweep",
        "tournament=20%,50%",
        "--repeats",
        "2",
    ];
    let text = succeeds(&sweep);
    assert_eq!(text.lines().filter(|line| line.starts_with("population=")).count(), 4, "{text}");
    let table = fs::read_to_string(out.join("sweep.csv")).unwrap();
    let head = "population,tournament,repeat,seed,generations,evaluations,games,mean,low,high";
    assert_eq!((table.lines().next(), table.lines().count()), (Some(head), 9));
    assert!(table.lines().nth(4).unwrap().starts_with("10,50%,2,2,2,13,"), "{table}");
    for file in ["sweep.svg", "sweep.png", "population=20,tournament=50%/repeat-2/best.toml"] {
        assert!(out.join(file).exists(), "{file}");
    }
    // Again: nothing is overwritten, and resuming only repeats what is missing.
    fails(&sweep, 1, "already contains a sweep");
    let before = files(&out);
    fs::remove_dir_all(out.join("population=10,tournament=50%")).unwrap();
    let report: Value =
        serde_json::from_str(&succeeds(&[&sweep[..], &["--resume", "--json"]].concat())).unwrap();
    assert_eq!(report["cells"].as_array().unwrap().len(), 4);
    assert_eq!(files(&out), before);
}

#[test]
fn the_best_is_an_agent_and_the_judge_can_be_checked() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let shown = out.to_str().unwrap();
    let text = succeeds(&[
        "capstone",
        "--population",
        "20",
        "--generations",
        "10",
        "--finals",
        "9",
        "--judge-games",
        "30",
        "--race",
        "2",
        "--games",
        "6",
        "--out",
        shown,
        "--json",
    ]);
    let report: Value = serde_json::from_str(&text).unwrap();
    assert!(report["saved"].as_u64().unwrap() > 0);
    let best = out.join("best.toml");
    let run = Command::new(env!("CARGO_BIN_EXE_tetrion"))
        .args([
            "run",
            best.to_str().unwrap(),
            "--mode",
            "sprint",
            "--games",
            "30",
            "--seed",
            "999999",
            "--json",
        ])
        .output()
        .unwrap();
    let run: Value = serde_json::from_slice(&run.stdout).unwrap();
    if run["summary"]["outcomes"]["clear"] == 30 {
        let judged = report["judgement"]["verdicts"][0]["mean"].as_f64().unwrap();
        assert_eq!(-judged, run["summary"]["pieces"]["mean"].as_f64().unwrap());
    }
}

#[test]
fn recipes_are_listed() {
    let text = succeeds(&["--list"]);
    for name in
        ["lee", "cs4701-first", "cs4701", "capstone", "cross-entropy", "cma-es", "blitz", "versus", "record"]
    {
        assert!(text.lines().any(|line| line.starts_with(&format!("{name} "))), "{name}");
    }
    let listed: Value = serde_json::from_str(&succeeds(&["--list", "--json"])).unwrap();
    assert_eq!(listed.as_array().unwrap().len(), 10);
}
