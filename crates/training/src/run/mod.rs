//! A training run in a folder. It can be interrupted at any moment and resumed.
//!
//! | file | holds |
//! |---|---|
//! | `recipe.toml` | the recipe with all changes |
//! | `logbook.csv` | a row for each generation; only the seconds differ between runs of the same recipe |
//! | `weights.csv` | the optimiser's favourite after each generation |
//! | `hall.csv` | the hall of fame: the best candidates |
//! | `best.toml` | the best candidate as an agent file |
//! | `judgement.json` | how good the best is, once the run has ended |
//! | `fitness.svg`, `fitness.png`, `weights.svg`, `weights.png` | charts of the tables |
//! | `checkpoint`, `checkpoint.previous` | the state of the run after the last two generations |
//! | `lock` | locked by the process that trains in this folder |
//!
//! In each generation, the run measures the candidates, tells the optimiser their scores, writes the tables, and saves a checkpoint.
//! A generation that was interrupted before its checkpoint is played again, with the same results.

mod checkpoint;
mod hall;
mod judgement;
mod logbook;
pub(crate) mod plots;

pub use checkpoint::Checkpoint;
pub use hall::{HallEntry, HallOfFame};
pub use judgement::{Judgement, Verdict};
pub use logbook::LogRow;

use crate::evaluation::{Evaluate, EvaluateError, GameBatch};
use crate::optimiser::{Candidate, FinishReason, Optimiser, TellError};
use crate::recipe::{Recipe, RecipeError, StopCriteria};
use crate::scoring::{Round, SeedPurpose, seed_for};
use checkpoint::{CheckpointError, SavedRun};
use logbook::CsvTable;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tetrion_engine::words::counted;
use tetrion_files::{FileError, OfFile, incomplete, write_whole};
use tetrion_players::agent_file::{AgentFile, MAX_WEIGHT};
use tetrion_players::monitor::Monitor;
use tetrion_study::statistics::Summary;

/// A training run: its recipe, its state and its folder.
pub struct Run {
    folder: PathBuf,
    recipe: Recipe,
    state: SavedRun,
    logbook: CsvTable,
    weights: CsvTable,
    /// When this process began, and the seconds that earlier processes took.
    began: Instant,
    seconds_before: f64,
    drawn: Option<Instant>,
    /// Held as long as the run is.
    _lock: File,
}

/// Why a run can't start or continue.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The folder already contains a run.
    #[error("{} already contains a run: choose another folder", .0.display())]
    AnotherRun(PathBuf),
    /// The folder contains other files.
    #[error("{} contains other files: choose another folder", .0.display())]
    OtherFiles(PathBuf),
    /// The folder contains no run to resume.
    #[error("{} contains no run", .0.display())]
    NoRun(PathBuf),
    /// Another process trains in the folder.
    #[error("{} is in use: another process is training there", .0.display())]
    InUse(PathBuf),
    /// A checkpoint can't be read.
    #[error("can't resume from {}: {reason}{}", path.display(), intact(*previous))]
    Checkpoint {
        /// The checkpoint.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
        /// The generation of the checkpoint before it, if that one is intact.
        previous: Option<u64>,
    },
    /// The run in the folder has another recipe.
    #[error("the run in {} has another recipe: {difference}", folder.display())]
    OtherRecipe {
        /// The folder.
        folder: PathBuf,
        /// How they differ.
        difference: String,
    },
    /// The recipe is invalid.
    #[error(transparent)]
    Recipe(#[from] RecipeError),
    /// A file can't be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The games could not be played.
    #[error(transparent)]
    Evaluate(#[from] EvaluateError),
    /// The weights are larger than an agent file allows.
    #[error("the weights grew beyond {MAX_WEIGHT:e}: train again with smaller steps")]
    Diverged,
    /// The optimiser refused the scores.
    #[error(transparent)]
    Tell(#[from] TellError),
}

/// The time between updates of the charts, the hall of fame and the best so far.
const REFRESH_INTERVAL: Duration = Duration::from_secs(3);

const RECIPE_FILE: &str = "recipe.toml";
const LOGBOOK_FILE: &str = "logbook.csv";
const WEIGHTS_FILE: &str = "weights.csv";
const HALL_FILE: &str = "hall.csv";
const BEST_FILE: &str = "best.toml";
const JUDGEMENT_FILE: &str = "judgement.json";
const LOCK_FILE: &str = "lock";

/// The files that are written whole or not at all.
const WHOLE_FILES: [&str; 12] = [
    Checkpoint::Newest.file_name(),
    Checkpoint::Previous.file_name(),
    RECIPE_FILE,
    LOGBOOK_FILE,
    WEIGHTS_FILE,
    HALL_FILE,
    BEST_FILE,
    JUDGEMENT_FILE,
    "fitness.svg",
    "fitness.png",
    "weights.svg",
    "weights.png",
];

impl Run {
    /// Starts a run in a new or empty folder.
    pub fn start(folder: &Path, recipe: Recipe) -> Result<Run, RunError> {
        let optimiser = recipe.optimiser()?;
        check_weights(&optimiser)?;
        fs::create_dir_all(folder).of("create the folder", folder)?;
        // Check before creating a file, and again once the lock keeps others out.
        check_free(folder)?;
        let lock = lock(folder)?;
        check_free(folder)?;
        let state = SavedRun {
            recipe: recipe.to_text(),
            optimiser,
            hall: HallOfFame::default(),
            evaluations: 0,
            games: 0,
            saved: 0,
            best_score: f64::NEG_INFINITY,
        };
        state.save(folder)?;
        Run::open(folder, recipe, state, lock)
    }

    /// Resumes a run from a checkpoint. A recipe that is given must be the run's own, except for its stop criteria, which replace the
    /// old ones.
    pub fn resume(folder: &Path, checkpoint: Checkpoint, recipe: Option<Recipe>) -> Result<Run, RunError> {
        let path = checkpoint.path(folder);
        if !holds_run(folder) {
            return Err(RunError::NoRun(folder.to_owned()));
        }
        let lock = lock(folder)?;
        let mut state = SavedRun::read(&path).map_err(|error| {
            let previous = match (checkpoint, &error) {
                (Checkpoint::Newest, CheckpointError::Damaged | CheckpointError::Missing) => {
                    SavedRun::read(&Checkpoint::Previous.path(folder))
                        .ok()
                        .map(|state| state.optimiser.generation())
                }
                _ => None,
            };
            RunError::Checkpoint { path: path.clone(), reason: error.to_string(), previous }
        })?;
        let mut known = Recipe::parse(&state.recipe, &[])?;
        state.optimiser.restore(&known.optimiser);
        let mut changed = checkpoint == Checkpoint::Previous;
        if let Some(recipe) = recipe {
            if let Some(difference) = difference(&known, &recipe) {
                return Err(RunError::OtherRecipe { folder: folder.to_owned(), difference });
            }
            let done = state.optimiser.generation();
            if recipe.stop.generations.is_some_and(|most| most < done) {
                let difference =
                    format!("it has {} already: give at least as many", counted(done, "generation"));
                return Err(RunError::OtherRecipe { folder: folder.to_owned(), difference });
            }
            changed |= recipe.stop != known.stop;
            known = recipe;
            state.recipe = known.to_text();
        }
        let run = Run::open(folder, known, state, lock)?;
        if changed {
            // The judgement was of another end. The checkpoint resumed from stays until there is a newer one.
            remove(&folder.join(JUDGEMENT_FILE))?;
            run.state.replace(folder)?;
        }
        Ok(run)
    }

    fn open(folder: &Path, recipe: Recipe, state: SavedRun, lock: File) -> Result<Run, RunError> {
        // Files whose writing was interrupted.
        for name in WHOLE_FILES {
            remove(&incomplete(&folder.join(name)))?;
        }
        write_whole(&folder.join(RECIPE_FILE), state.recipe.as_bytes())?;
        let rows = state.optimiser.generation();
        let logbook = CsvTable::open(folder.join(LOGBOOK_FILE), LogRow::HEADER, rows)?;
        let head = format!("generation,{}", recipe.design.names().join(","));
        let weights = CsvTable::open(folder.join(WEIGHTS_FILE), &head, rows)?;
        let seconds_before =
            logbook.rows.last().and_then(|row| LogRow::parse(row)).map_or(0.0, |row| row.seconds);
        Ok(Run {
            folder: folder.to_owned(),
            recipe,
            state,
            logbook,
            weights,
            began: Instant::now(),
            seconds_before,
            drawn: None,
            _lock: lock,
        })
    }

    /// Its recipe.
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// Its folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Generations finished.
    pub fn generation(&self) -> u64 {
        self.state.optimiser.generation()
    }

    /// Candidates measured.
    pub fn evaluations(&self) -> u64 {
        self.state.evaluations
    }

    /// Games played.
    pub fn games(&self) -> u64 {
        self.state.games
    }

    /// Games that racing saved.
    pub fn saved(&self) -> u64 {
        self.state.saved
    }

    /// The best candidates.
    pub fn hall(&self) -> &HallOfFame {
        &self.state.hall
    }

    /// The logbook: a row for each generation.
    pub fn rows(&self) -> Vec<LogRow> {
        self.logbook.rows.iter().filter_map(|row| LogRow::parse(row)).collect()
    }

    /// The optimiser's favourite after each generation: a weight for each feature, or nothing if it had no favourite.
    pub fn weights(&self) -> Vec<Vec<f64>> {
        let weights =
            |row: &String| row.split(',').skip(1).filter_map(|weight| weight.parse().ok()).collect();
        self.weights.rows.iter().map(weights).collect()
    }

    /// The weights that the optimiser thinks are best.
    pub fn favourite(&self) -> Option<Vec<f64>> {
        self.favourite_of(&self.state.optimiser)
    }

    fn favourite_of(&self, optimiser: &Optimiser) -> Option<Vec<f64>> {
        optimiser.favourite().map(|point| self.recipe.design.weights(point))
    }

    /// The candidates of the next generation. Their points are weights.
    fn candidates(&self) -> Vec<Candidate> {
        let weights = |Candidate { point, replicate }: &Candidate| Candidate {
            point: self.recipe.design.weights(point),
            replicate: *replicate,
        };
        self.state.optimiser.ask().iter().map(weights).collect()
    }

    /// The games of the next generation if racing stops no candidate.
    pub fn next_games(&self) -> u64 {
        u64::from(self.games_each()) * self.state.optimiser.ask().len() as u64
    }

    fn games_each(&self) -> u32 {
        let games = f64::from(self.recipe.objective.games) * self.state.optimiser.effort();
        games.round().clamp(1.0, f64::from(u32::MAX)) as u32
    }

    /// Whether training has reached one of its stop criteria.
    pub fn is_trained(&self) -> bool {
        let StopCriteria { generations, games, score } = self.recipe.stop;
        self.stopped_by_itself().is_some()
            || generations.is_some_and(|most| self.generation() >= most)
            || games.is_some_and(|most| self.generation() > 0 && self.games() + self.next_games() > most)
            || score.is_some_and(|score| self.state.best_score >= score)
    }

    /// Why the optimiser stopped by itself, if it did.
    pub fn stopped_by_itself(&self) -> Option<FinishReason> {
        self.state.optimiser.finished()
    }

    /// Runs one generation. After an error, the folder contains the run as it was before: resume it.
    pub fn step(&mut self, evaluator: &dyn Evaluate, monitor: &Arc<Monitor>) -> Result<LogRow, RunError> {
        let candidates = self.candidates();
        let round = Round {
            seed: seed_for(self.recipe.seed, SeedPurpose::Training),
            generation: self.generation(),
            games: self.games_each(),
            racing: self.recipe.racing(candidates.len()),
        };
        let measured = round.measure(&candidates, &self.recipe.task(), evaluator, monitor)?;
        let mut state = self.state.clone();
        state.optimiser.tell(&measured.scores)?;
        state.evaluations += candidates.len() as u64;
        state.games += measured.games;
        state.saved += measured.saved;
        let generation = state.optimiser.generation();
        let summary = Summary::of(measured.scores.iter().copied());
        state.best_score = state.best_score.max(summary.max);
        check_weights(&state.optimiser)?;
        for index in measured.distinct {
            state.hall.add(HallEntry {
                score: measured.scores[index],
                games: measured.games_each[index],
                generation,
                weights: candidates[index].point.clone(),
            });
        }
        let row = LogRow {
            generation,
            evaluations: state.evaluations,
            games: state.games,
            best: summary.max,
            mean: summary.mean,
            std: deviation(&measured.scores, summary.mean),
            min: summary.min,
            seconds: self.seconds(),
            saved: state.saved,
        };
        let favourite = self.favourite_of(&state.optimiser).unwrap_or_default();
        let weights: Vec<_> = favourite.iter().map(f64::to_string).collect();
        self.logbook.add(row.to_csv())?;
        self.weights.add(format!("{generation},{}", weights.join(",")))?;
        state.save(&self.folder)?;
        self.state = state;
        if self.drawn.is_none_or(|drawn| drawn.elapsed() >= REFRESH_INTERVAL) {
            // The generation is saved. If a chart can't be written, the end of the run reports it.
            let _ = self.refresh();
        }
        Ok(row)
    }

    /// The duration of the run so far, in seconds.
    pub fn seconds(&self) -> f64 {
        self.seconds_before + self.began.elapsed().as_secs_f64()
    }

    /// Chooses the best candidate and judges it. A run that was judged before keeps its judgement.
    pub fn finish(
        &mut self,
        evaluator: &dyn Evaluate,
        monitor: &Arc<Monitor>,
    ) -> Result<Judgement, RunError> {
        if let Some(judgement) = self.judgement() {
            return Ok(judgement);
        }
        let path = self.folder.join(JUDGEMENT_FILE);
        self.refresh()?;
        let best = self.choose(evaluator, monitor)?;
        self.write_best(&best, "chosen from the hall of fame and the optimiser's favourite")?;
        let judgement = judgement::judge(&self.recipe, &best, evaluator, monitor)?;
        let mut text =
            serde_json::to_vec_pretty(&judgement).map_err(std::io::Error::other).of("write", &path)?;
        text.push(b'\n');
        write_whole(&path, &text)?;
        Ok(judgement)
    }

    /// How good the best is, if the run has ended.
    pub fn judgement(&self) -> Option<Judgement> {
        serde_json::from_slice(&fs::read(self.folder.join(JUDGEMENT_FILE)).ok()?).ok()
    }

    /// How many games [`finish`](Run::finish) plays: to choose the best, then to judge it beside other agents.
    pub fn finishing_games(&self) -> u64 {
        let judge = &self.recipe.judge;
        let finals = self.finalists().len() as u64 * u64::from(judge.finals);
        finals + (1 + judge.against.len() as u64) * u64::from(judge.games)
    }

    /// The optimiser's favourite and the hall of fame, each once.
    fn finalists(&self) -> Vec<Vec<f64>> {
        let mut finalists: Vec<Vec<f64>> = Vec::new();
        let hall = self.state.hall.entries().iter().map(|entry| entry.weights.clone());
        for weights in self.favourite().into_iter().chain(hall) {
            if !finalists.contains(&weights) {
                finalists.push(weights);
            }
        }
        finalists
    }

    /// The best finalist, by games that neither training nor the judge uses.
    fn choose(&self, evaluator: &dyn Evaluate, monitor: &Arc<Monitor>) -> Result<Vec<f64>, RunError> {
        let mut finalists = self.finalists();
        let seed = seed_for(self.recipe.seed, SeedPurpose::Finals);
        let games = 0..self.recipe.judge.finals;
        let batch = |weights: &Vec<f64>| GameBatch { weights: weights.clone(), seed, games: games.clone() };
        let batches: Vec<GameBatch> = finalists.iter().map(batch).collect();
        let task = self.recipe.task();
        let values = evaluator.evaluate(&task, &batches, monitor)?;
        let scores = values.iter().map(|values| task.objective.score(values));
        // Of equal scores the first wins: the favourite, or the best in training.
        let best = scores.enumerate().reduce(|best, next| if next.1 > best.1 { next } else { best });
        Ok(finalists.swap_remove(best.map_or(0, |(index, _)| index)))
    }

    /// Updates the charts, the hall of fame and the best so far.
    fn refresh(&mut self) -> Result<(), RunError> {
        self.drawn = Some(Instant::now());
        let names = self.recipe.design.names();
        let title = |what: &str| format!("{}: {what}, {}", self.recipe.name, self.recipe.objective);
        plots::draw(&self.folder, "fitness", &plots::fitness(title("fitness"), &self.rows()))?;
        let weights = plots::weights(title("weights"), &names, &self.weights.rows);
        plots::draw(&self.folder, "weights", &weights)?;
        write_whole(&self.folder.join(HALL_FILE), self.state.hall.to_csv(&names).as_bytes())?;
        let first_in_hall = || self.state.hall.entries().first().map(|entry| entry.weights.clone());
        if let Some(best) = self.favourite().or_else(first_in_hall)
            && !self.folder.join(JUDGEMENT_FILE).exists()
        {
            self.write_best(&best, "the optimiser's favourite so far")?;
        }
        Ok(())
    }

    fn write_best(&self, weights: &[f64], how: &str) -> Result<(), RunError> {
        let design = self.recipe.design.check().map_err(RecipeError::Wrong)?;
        let best = AgentFile {
            name: self.recipe.name.clone() + "-best",
            source: format!("trained by tetrion, recipe {}, seed {}", self.recipe.name, self.recipe.seed),
            about: format!(
                "{}; after generation {} and {}, {how}",
                self.recipe.objective,
                self.generation(),
                counted(self.games(), "game")
            ),
            ..design.with_weights(weights)
        };
        Ok(write_whole(&self.folder.join(BEST_FILE), best.to_text().as_bytes())?)
    }
}

/// What an error message says about the checkpoint before a damaged one.
fn intact(previous: Option<u64>) -> String {
    previous.map_or(String::new(), |generation| {
        format!("; the previous checkpoint, after generation {generation}, is intact")
    })
}

/// Whether a folder contains a run.
pub fn holds_run(folder: &Path) -> bool {
    Checkpoint::Newest.path(folder).exists() || Checkpoint::Previous.path(folder).exists()
}

/// The path of the recipe in a run's folder.
pub fn recipe_file(folder: &Path) -> PathBuf {
    folder.join(RECIPE_FILE)
}

/// The path of the best so far in a run's folder: an agent file, once there is one.
pub fn best_file(folder: &Path) -> PathBuf {
    folder.join(BEST_FILE)
}

/// Whether the run in a folder has ended and was judged.
pub fn is_judged(folder: &Path) -> bool {
    folder.join(JUDGEMENT_FILE).exists()
}

/// Checks that an agent file allows the weights of an optimiser.
fn check_weights(optimiser: &Optimiser) -> Result<(), RunError> {
    let points = optimiser.ask().iter().map(|candidate| candidate.point.as_slice());
    let mut weights = points.chain(optimiser.favourite()).flatten();
    if weights.all(|weight| weight.abs() <= MAX_WEIGHT) { Ok(()) } else { Err(RunError::Diverged) }
}

/// Checks that a folder contains nothing that a run could overwrite.
fn check_free(folder: &Path) -> Result<(), RunError> {
    if holds_run(folder) {
        return Err(RunError::AnotherRun(folder.to_owned()));
    }
    for entry in fs::read_dir(folder).of("read", folder)? {
        let name = entry.of("read", folder)?.file_name();
        let own = WHOLE_FILES.iter().any(|own| incomplete(Path::new(own)).as_os_str() == name);
        if name != LOCK_FILE && !own {
            return Err(RunError::OtherFiles(folder.to_owned()));
        }
    }
    Ok(())
}

fn lock(folder: &Path) -> Result<File, RunError> {
    let path = folder.join(LOCK_FILE);
    let file = File::create(&path).of("write", &path)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(RunError::InUse(folder.to_owned())),
        Err(TryLockError::Error(error)) => Err(error).of("lock", &path)?,
    }
}

fn remove(path: &Path) -> Result<(), FileError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error).of("remove", path),
        _ => Ok(()),
    }
}

/// The first difference between a run's recipe and the one given, apart from the stop criteria.
fn difference(known: &Recipe, given: &Recipe) -> Option<String> {
    let given = Recipe { stop: known.stop.clone(), ..given.clone() };
    if *known == given {
        return None;
    }
    let (known, given) = (known.to_text(), given.to_text());
    let mut lines = known.lines().zip(given.lines()).filter(|(known, given)| known != given);
    let (known, given) = lines.next().unwrap_or(("less", "more"));
    Some(format!("it has {known}, not {given}"))
}

/// The standard deviation of the scores as a whole population.
fn deviation(scores: &[f64], mean: f64) -> f64 {
    let squares: f64 = scores.iter().map(|score| (score - mean) * (score - mean)).sum();
    (squares / scores.len() as f64).sqrt()
}
