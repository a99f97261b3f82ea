//! Runs in folders: whatever happens to them, they end the same.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;
use tetrion_engine::game::Game;
use tetrion_players::agent_file::{AgentFile, AgentKind};
use tetrion_players::monitor::Monitor;
use tetrion_players::play::PlayGameError;
use tetrion_training::design::AgentDesign;
use tetrion_training::evaluation::{Evaluate, EvaluateError, GameBatch, Task, Threads};
use tetrion_training::recipe::{Recipe, named};
use tetrion_training::run::{Checkpoint, Judgement, Run, RunError};

fn recipe(name: &str, changes: &[(&str, &str)]) -> Recipe {
    let changes: Vec<_> =
        changes.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    Recipe::parse(named(name).unwrap(), &changes).unwrap()
}

/// A run of some tenths of a second.
fn small() -> Recipe {
    let changes = [
        ("population", "12"),
        ("tournament", "30%"),
        ("generations", "6"),
        ("games", "4"),
        ("pieces", "100"),
        ("finals", "10"),
        ("judge-games", "20"),
    ];
    recipe("cs4701-first", &changes)
}

/// A run of an agent for Blitz with few nodes and games of a few pieces.
fn small_blitz(changes: &[(&str, &str)]) -> Recipe {
    let few = [
        ("nodes", "100"),
        ("pieces", "8"),
        ("games", "2"),
        ("generations", "4"),
        ("finals", "2"),
        ("judge-games", "2"),
    ];
    recipe("blitz", &[few.as_slice(), changes].concat())
}

fn threads(count: usize) -> Threads {
    Threads::new(Some(count)).unwrap()
}

fn train(run: &mut Run, threads: &Threads) -> Judgement {
    let monitor = Arc::new(Monitor::default());
    while !run.is_trained() {
        run.step(threads, &monitor).unwrap();
    }
    run.finish(threads, &monitor).unwrap()
}

/// All files of a folder, but for the seconds in the logbook.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
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

#[test]
fn a_run_leaves_all_that_it_promises() {
    let folder = tempfile::tempdir().unwrap();
    let mut run = Run::start(folder.path(), small()).unwrap();
    let judgement = train(&mut run, &threads(2));
    let names: Vec<String> = files(folder.path()).into_keys().collect();
    let expected = [
        "best.toml",
        "checkpoint",
        "checkpoint.previous",
        "fitness.png",
        "fitness.svg",
        "hall.csv",
        "judgement.json",
        "lock",
        "logbook.csv",
        "recipe.toml",
        "weights.csv",
        "weights.png",
        "weights.svg",
    ];
    assert_eq!(names, expected);
    let agents: Vec<_> = judgement.verdicts.iter().map(|verdict| verdict.agent.as_str()).collect();
    assert_eq!(agents, ["best", "cs4701"]);
    let text = fs::read_to_string(folder.path().join("logbook.csv")).unwrap();
    assert!(text.starts_with("generation,evaluations,games,best,mean,std,min,seconds"));
    assert_eq!(text.lines().count(), 7);
    let best = fs::read_to_string(folder.path().join("best.toml")).unwrap();
    let agent = AgentFile::parse(&best, "best").unwrap();
    let AgentKind::Features { evaluator, .. } = agent.kind else { panic!("an agent of features") };
    assert_eq!((agent.name.as_str(), evaluator.weights().len()), ("cs4701-first-best", 4));
    // The recipe as it was run is one that can be run again.
    let text = fs::read_to_string(folder.path().join("recipe.toml")).unwrap();
    assert_eq!(Recipe::parse(&text, &[]).unwrap(), small());
}

#[test]
fn threads_and_pauses_change_nothing() {
    for recipe in [
        small(),
        recipe(
            "capstone",
            &[("population", "8"), ("generations", "5"), ("finals", "5"), ("judge-games", "9")],
        ),
        recipe(
            "cma-es",
            &[
                ("board", "10x6"),
                ("generations", "5"),
                ("max-effort", "4"),
                ("finals", "9"),
                ("judge-games", "9"),
            ],
        ),
        recipe(
            "cross-entropy",
            &[
                ("board", "10x6"),
                ("generations", "4"),
                ("race", "3"),
                ("population", "20"),
                ("judge-games", "9"),
            ],
        ),
        small_blitz(&[("population", "8"), ("games", "4"), ("race", "2")]),
    ] {
        let [plain, paused] = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
        train(&mut Run::start(plain.path(), recipe.clone()).unwrap(), &threads(1));

        let mut run = Run::start(paused.path(), recipe.clone()).unwrap();
        for _ in 0..2 {
            run.step(&threads(2), &Arc::default()).unwrap();
            drop(run);
            run = Run::resume(paused.path(), Checkpoint::Newest, None).unwrap();
        }
        // A generation that was stopped in the middle, and torn rows.
        let monitor = Arc::new(Monitor::default());
        monitor.stop();
        let stopped = run.step(&threads(2), &monitor);
        assert!(matches!(stopped, Err(RunError::Evaluate(EvaluateError::Stopped))));
        drop(run);
        for table in ["logbook.csv", "weights.csv"] {
            let path = paused.path().join(table);
            let text = fs::read_to_string(&path).unwrap();
            fs::write(&path, text + "3,36,1").unwrap();
        }
        fs::write(paused.path().join("checkpoint.new"), "half of").unwrap();
        train(&mut Run::resume(paused.path(), Checkpoint::Newest, Some(recipe)).unwrap(), &threads(2));
        assert_eq!(files(plain.path()), files(paused.path()));
    }
}

#[test]
fn a_blitz_run_starts_at_its_weights_and_ends_with_an_agent_of_whole_points() {
    let AgentDesign::Tables(design) = small_blitz(&[]).design else { panic!("an agent for Blitz") };
    let trained: Vec<String> = design.start.keys().cloned().collect();
    let start: Vec<f64> = design.start.into_values().map(f64::from).collect();
    // With tiny steps, all candidates have the same whole weights, and play once.
    let folder = tempfile::tempdir().unwrap();
    let mut run = Run::start(folder.path(), small_blitz(&[("sigma", "1e-9")])).unwrap();
    run.step(&threads(1), &Arc::default()).unwrap();
    assert_eq!((run.evaluations(), run.games(), run.favourite().as_deref()), (16, 2, Some(&*start)));
    assert_eq!(run.hall().entries()[0].weights, start);

    let folder = tempfile::tempdir().unwrap();
    let mut run = Run::start(folder.path(), small_blitz(&[])).unwrap();
    let judgement = train(&mut run, &threads(1));
    let agents: Vec<_> = judgement.verdicts.iter().map(|verdict| verdict.agent.as_str()).collect();
    assert_eq!(agents, ["best", "blitz-fast"]);
    let best = fs::read_to_string(folder.path().join("best.toml")).unwrap();
    let AgentFile { kind: AgentKind::Tables { weights, nodes, .. }, .. } =
        AgentFile::parse(&best, "").unwrap()
    else {
        panic!("an agent for Blitz")
    };
    let mut named: Vec<_> =
        weights.iter().map(|(aspect, weight)| (aspect.name(), f64::from(weight))).collect();
    named.retain(|(name, _)| trained.iter().any(|trained| trained == name));
    named.sort_unstable_by_key(|(name, _)| *name);
    let best: Vec<f64> = named.into_iter().map(|(_, weight)| weight).collect();
    assert_eq!(nodes, 100);
    assert_ne!(best, start);
    // What plays is what the tables show.
    let hall = run.hall().entries().iter().map(|entry| entry.weights.clone());
    assert!(hall.chain(run.favourite()).any(|weights| weights == best), "{best:?}");
}

#[test]
fn a_damaged_checkpoint_is_refused_and_the_one_before_it_offered() {
    let [plain, damaged] = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    train(&mut Run::start(plain.path(), small()).unwrap(), &threads(1));
    let mut run = Run::start(damaged.path(), small()).unwrap();
    for _ in 0..3 {
        run.step(&threads(1), &Arc::default()).unwrap();
    }
    drop(run);
    let path = damaged.path().join("checkpoint");
    let whole = fs::read(&path).unwrap();
    let cut = whole[..whole.len() / 2].to_vec();
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 1;
    for wrong in [cut, flipped, Vec::new(), b"TETRION-T".to_vec()] {
        fs::write(&path, &wrong).unwrap();
        let error = Run::resume(damaged.path(), Checkpoint::Newest, None).err().unwrap().to_string();
        assert!(
            error.contains("the file is damaged; the previous checkpoint, after generation 2"),
            "{error}"
        );
        assert_eq!(fs::read(&path).unwrap(), wrong);
    }
    train(&mut Run::resume(damaged.path(), Checkpoint::Previous, None).unwrap(), &threads(1));
    assert_eq!(files(plain.path()), files(damaged.path()));
}

#[test]
fn folders_are_not_mixed_up() {
    let folder = tempfile::tempdir().unwrap();
    let error = |result: Result<Run, RunError>| result.err().unwrap().to_string();
    let path = folder.path().join("run");
    assert!(error(Run::resume(&path, Checkpoint::Newest, None)).contains("contains no run"));
    assert!(!path.exists());
    let mut run = Run::start(&path, small()).unwrap();
    assert!(error(Run::start(&path, small())).contains("already contains a run"));
    assert!(error(Run::resume(&path, Checkpoint::Newest, None)).contains("is in use"));
    run.step(&threads(1), &Arc::default()).unwrap();
    drop(run);
    let before = files(&path);
    assert!(error(Run::start(&path, small())).contains("already contains a run"));
    let other = recipe("lee", &[]);
    assert!(
        error(Run::resume(&path, Checkpoint::Newest, Some(other))).contains("it has name = \"cs4701-first\"")
    );
    assert_eq!(files(&path), before);
    fs::write(folder.path().join("thesis.txt"), "dear").unwrap();
    assert!(error(Run::start(folder.path(), small())).contains("contains other files"));
}

#[test]
fn a_run_that_has_ended_can_be_made_longer() {
    let [plain, longer] = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    train(&mut Run::start(plain.path(), small()).unwrap(), &threads(1));
    let mut short = small();
    short.stop.generations = Some(3);
    train(&mut Run::start(longer.path(), short).unwrap(), &threads(1));
    train(&mut Run::resume(longer.path(), Checkpoint::Newest, Some(small())).unwrap(), &threads(1));
    let (plain, longer) = (files(plain.path()), files(longer.path()));
    for file in ["best.toml", "judgement.json", "logbook.csv", "weights.csv", "recipe.toml", "fitness.svg"] {
        assert_eq!(plain[file], longer[file], "{file}");
    }
}

#[test]
fn a_run_stops_when_it_is_told_to() {
    let stops = |changes: &[(&str, &str)]| {
        let folder = tempfile::tempdir().unwrap();
        let mut recipe = small();
        recipe.stop = tetrion_training::recipe::StopCriteria::default();
        let changes: Vec<_> =
            changes.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let mut text = recipe.to_text();
        text = text.replace("[stop]\n", "[stop]\ngenerations = 50\n");
        let mut run = Run::start(folder.path(), Recipe::parse(&text, &changes).unwrap()).unwrap();
        let monitor = Arc::new(Monitor::default());
        while !run.is_trained() {
            run.step(&threads(2), &monitor).unwrap();
        }
        (run.generation(), run.games(), run.rows())
    };
    let (generations, games, _) = stops(&[("max-games", "100")]);
    assert!(generations > 1 && games <= 100, "{generations} {games}");
    let (generations, _, rows) = stops(&[("target", "20")]);
    assert!(generations < 50 && rows.last().unwrap().best >= 20.0, "{rows:?}");
    assert!(rows[..rows.len() - 1].iter().all(|row| row.best < 20.0));
}

fn add_feature(task: &mut Task, name: &str) {
    let AgentDesign::Features(design) = &mut task.design else { panic!("an agent of features") };
    design.features.push(name.to_owned());
}

/// The values of 150 games. With an extra feature that the kernel doesn't support, the searches play them.
fn values(changes: &[(&str, &str)], extra: Option<&str>, weights: &[f64]) -> Vec<f64> {
    let recipe = recipe("cma-es", changes);
    let mut task: Task = recipe.task();
    let mut weights = weights.to_vec();
    if let Some(extra) = extra {
        add_feature(&mut task, extra);
        weights.push(0.0);
    }
    let batches = [GameBatch { weights, seed: 1, games: 0..150 }];
    threads(2).evaluate(&task, &batches, &Arc::default()).unwrap().concat()
}

#[test]
fn the_kernel_plays_the_same_games_as_the_searches() {
    let dt10 = [-2.18, 2.42, -2.17, -3.31, 0.95, -2.22, -0.81, -9.65, 1.27];
    let changes = [("board", "10x8"), ("pieces", "300")];
    // The mean height is none of the kernel's features.
    let through_searches = values(&changes, Some("mean_height"), &dt10);
    assert_eq!(values(&changes, None, &dt10), through_searches);
    assert!(through_searches.iter().any(|lines| *lines > 50.0));
}

#[test]
fn endless_games_can_be_stopped() {
    let dt10 = [-2.18, 2.42, -2.17, -3.31, 0.95, -2.22, -0.81, -9.65, 1.27];
    let through_kernel = recipe("cma-es", &[("board", "10x20")]).task();
    let mut through_searches = through_kernel.clone();
    add_feature(&mut through_searches, "mean_height");
    for task in [through_kernel, through_searches] {
        let mut weights = dt10.to_vec();
        weights.resize(task.design.names().len(), 0.0);
        // A careless candidate first: its end shows that the good one has started.
        let careless = GameBatch { weights: vec![0.0; weights.len()], seed: 1, games: 0..1 };
        let batches = [careless, GameBatch { weights, seed: 1, games: 0..1 }];
        let monitor = Arc::new(Monitor::default());
        let (tell, told) = mpsc::channel();
        thread::scope(|scope| {
            scope.spawn(|| tell.send(threads(1).evaluate(&task, &batches, &monitor)));
            while monitor.done() == 0 {
                thread::yield_now();
            }
            monitor.stop();
            assert_eq!(told.recv_timeout(Duration::from_secs(60)), Ok(Err(EvaluateError::Stopped)));
        });
    }
}

#[test]
fn a_move_that_takes_minutes_can_be_stopped() {
    let recipe = recipe("capstone", &[("plies", "6")]);
    let agent = recipe.design.check().unwrap().with_weights(&vec![-1.0; recipe.design.names().len()]);
    let monitor = Arc::new(Monitor::default());
    monitor.stop();
    let objective = &recipe.objective;
    let mut game = Game::new(objective.rules().unwrap(), 1).unwrap();
    assert_eq!(objective.measure.play(&agent, &mut game, &monitor), Err(PlayGameError::Stopped));
}

/// Hands out the work in another order and in pieces, as a cluster might.
struct Elsewhere(Threads);

impl Evaluate for Elsewhere {
    fn evaluate(
        &self,
        task: &Task,
        batches: &[GameBatch],
        monitor: &Arc<Monitor>,
    ) -> Result<Vec<Vec<f64>>, EvaluateError> {
        let task: Task = serde_json::from_str(&serde_json::to_string(task).unwrap()).unwrap();
        let mut values: Vec<Vec<f64>> = Vec::new();
        for batch in batches.iter().rev() {
            let batch: GameBatch = serde_json::from_str(&serde_json::to_string(batch).unwrap()).unwrap();
            values.extend(self.0.evaluate(&task, &[batch], monitor)?);
        }
        values.reverse();
        Ok(values)
    }
}

#[test]
fn something_else_can_stand_in_for_the_threads() {
    let [here, elsewhere] = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    train(&mut Run::start(here.path(), small()).unwrap(), &threads(2));
    let mut run = Run::start(elsewhere.path(), small()).unwrap();
    let evaluator = Elsewhere(threads(1));
    while !run.is_trained() {
        run.step(&evaluator, &Arc::default()).unwrap();
    }
    run.finish(&evaluator, &Arc::default()).unwrap();
    assert_eq!(files(here.path()), files(elsewhere.path()));
}

#[test]
fn splitting_gives_the_score_of_whole_games() {
    let dt10 = [-2.18, 2.42, -2.17, -3.31, 0.95, -2.22, -0.81, -9.65, 1.27];
    let score = |changes: &[(&str, &str)], games: u32| {
        let task = recipe("cma-es", changes).task();
        let batches = [GameBatch { weights: dt10.to_vec(), seed: 1, games: 0..games }];
        let values = threads(2).evaluate(&task, &batches, &Arc::default()).unwrap().concat();
        task.objective.score(&values)
    };
    // About 5,000 lines; a thousand games are right to 3 %, and so are eight estimates.
    let games = score(&[], 1_000);
    let splitting = score(&[("method", "splitting"), ("trials", "8192")], 8);
    assert!((splitting / games - 1.0).abs() < 0.15, "{games} {splitting}");
}
