//! Whole studies: played, resumed, analysed and written.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use tetrion_players::monitor::Monitor;
use tetrion_report::analysis::Verdict;
use tetrion_report::play::PlayStudyError;
use tetrion_report::study_file::StudyFile;
use tetrion_report::{ReportError, write_report};

/// A study of short games: the hold saves pieces, and a claim that is the wrong way round.
const STUDY: &str = r#"
version = 1
name = "small"
title = "Is a <hold> worth it?"
question = "Does the hold save pieces?"
games = 40
seed = 3

[[run]]
name = "with hold"
mode = "sprint"
agent = "capstone"

[[run]]
name = "without hold"
mode = "sprint"
agent = "capstone"
hold = false

[[claim]]
text = "The hold saves pieces."
measure = "pieces"
less = "with hold"
than = "without hold"

[[claim]]
text = "The hold costs pieces."
measure = "pieces"
less = "without hold"
than = "with hold"

[[chart]]
title = "Pieces"
measure = "pieces"
label = "pieces per Sprint"
runs = ["with hold", "without hold"]
"#;

#[test]
fn a_study_is_played_once_and_its_report_says_what_holds() {
    let folder = tempfile::tempdir().unwrap();
    let study = StudyFile::parse(STUDY).unwrap();
    let ended = AtomicU64::new(0);
    let write = || {
        write_report(&study, folder.path(), &Monitor::default(), |_| {
            ended.fetch_add(1, Relaxed);
        })
        .unwrap()
    };
    let (analysis, page) = write();
    assert_eq!(ended.load(Relaxed), 80);
    let verdicts: Vec<Verdict> = analysis.claims.iter().map(|claim| claim.verdict).collect();
    assert_eq!(verdicts, [Verdict::Holds, Verdict::Refuted]);
    let [holds, refuted] = [0, 1].map(|claim| analysis.claims[claim].comparison.difference);
    assert_eq!(holds, -refuted);
    let page = fs::read_to_string(page).unwrap();
    assert!(page.contains("Is a &lt;hold&gt; worth it?") && !page.contains("<hold>"));
    assert!(page.contains("Holds") && page.contains("Refuted") && page.contains("<svg"));
    for file in [
        "study.toml",
        "results.json",
        "charts/1.png",
        "data/with-hold.parquet",
        "data/without-hold-games.parquet",
    ] {
        assert!(folder.path().join(file).exists(), "{file}");
    }

    // A second time, nothing is played and nothing changes.
    let table = folder.path().join("data/with-hold.parquet");
    let before = fs::metadata(&table).unwrap().modified().unwrap();
    assert_eq!(write().0, analysis);
    assert_eq!(fs::metadata(&table).unwrap().modified().unwrap(), before);

    // The file beside the report is the study.
    let copied = fs::read_to_string(folder.path().join("study.toml")).unwrap();
    assert_eq!(StudyFile::parse(&copied).unwrap(), study);
}

#[test]
fn a_stopped_study_keeps_the_runs_that_are_complete() {
    let folder = tempfile::tempdir().unwrap();
    let study = StudyFile::parse(STUDY).unwrap();
    let monitor = Monitor::default();
    let stopped = write_report(&study, folder.path(), &monitor, |run| {
        if run == 1 {
            monitor.stop()
        }
    });
    assert!(matches!(stopped, Err(ReportError::Play(PlayStudyError::Stopped))));
    let table = |name: &str| folder.path().join("data").join(name);
    assert!(table("with-hold.parquet").exists() && !table("without-hold.parquet").exists());
    let before = fs::metadata(table("with-hold.parquet")).unwrap().modified().unwrap();
    write_report(&study, folder.path(), &Monitor::default(), |_| ()).unwrap();
    assert_eq!(fs::metadata(table("with-hold.parquet")).unwrap().modified().unwrap(), before);
}
