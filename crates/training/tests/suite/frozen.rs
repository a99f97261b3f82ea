//! Runs of earlier versions stay readable: recipes and checkpoints of every format that a version has written.
//!
//! Each folder in `tests/frozen` is a run of two generations, with the `judgement.json` and `hall.csv` that the same program wrote
//! after four.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use tetrion_players::monitor::Monitor;
use tetrion_training::evaluation::Threads;
use tetrion_training::recipe::Recipe;
use tetrion_training::run::{Checkpoint, Judgement, Run};

/// Resumes a frozen run, and compares its end with the one on record.
fn resumes(name: &str) {
    let frozen = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/frozen").join(name);
    let read = |file: &str| fs::read_to_string(frozen.join(file)).unwrap();
    let folder = tempfile::tempdir().unwrap();
    for file in ["checkpoint", "logbook.csv", "weights.csv"] {
        fs::copy(frozen.join(file), folder.path().join(file)).unwrap();
    }
    let longer = [("generations".to_owned(), "4".to_owned())];
    let recipe = Recipe::parse(&read("recipe.toml"), &longer).unwrap();
    let mut run = Run::resume(folder.path(), Checkpoint::Newest, Some(recipe)).unwrap();
    assert_eq!((run.generation(), run.rows().len()), (2, 2));
    let (threads, monitor) = (Threads::new(Some(1)).unwrap(), Arc::new(Monitor::default()));
    while !run.is_trained() {
        run.step(&threads, &monitor).unwrap();
    }
    let judgement = run.finish(&threads, &monitor).unwrap();
    let recorded: Judgement = serde_json::from_str(&read("judgement.json")).unwrap();
    let means = |judgement: &Judgement| -> Vec<(String, f64)> {
        judgement.verdicts.iter().map(|verdict| (verdict.agent.clone(), verdict.mean)).collect()
    };
    assert_eq!(means(&judgement), means(&recorded));
    assert_eq!(fs::read_to_string(folder.path().join("hall.csv")).unwrap(), read("hall.csv"));
}

#[test]
fn a_genetic_run_resumes() {
    resumes("genetic");
}

#[test]
fn an_snes_run_resumes() {
    resumes("snes");
}

#[test]
fn a_cross_entropy_run_with_racing_resumes() {
    resumes("cross-entropy");
}

#[test]
fn a_cma_es_run_with_noise_handling_resumes() {
    resumes("cma-es");
}
