//! A training run in a folder, which survives whatever happens to it.
//!
//! | file | holds |
//! |---|---|
//! | `recipe.toml` | what is run: all changes are in it |
//! | `logbook.csv` | a row for each generation; only its seconds differ between runs of the same recipe |
//! | `weights.csv` | what the optimiser would play with after each generation |
//! | `hall.csv` | the best candidates |
//! | `best.toml` | the best of all, as an agent |
//! | `judgement.json` | how good that is, once the run has ended |
//! | `fitness.svg`, `fitness.png`, `weights.svg`, `weights.png` | pictures of the tables |
//! | `checkpoint`, `checkpoint.previous` | where the run stands, and stood a generation before |
//! | `lock` | held by the process that runs it |
//!
//! A generation is measured, told to the optimiser, written into the tables, and then a checkpoint is saved. Whatever is cut off
//! before that is done anew, and comes out the same.

mod checkpoint;
mod hall;
mod judgement;
mod logbook;
pub(crate) mod plots;

pub use hall::{Champion, Hall};
pub use judgement::{Judgement, Verdict};
pub use logbook::Row;

use crate::evaluation::{Evaluate, EvaluateError, Job};
use crate::file::{FileError, OfFile, incomplete, write_whole};
use crate::monitor::Monitor;
use crate::optimiser::{Optimiser, Reason, TellError};
use crate::recipe::{Recipe, RecipeError, Stop};
use crate::scoring::{Purpose, Round, seed_for};
use checkpoint::{NEWEST, PREVIOUS, ReadError, State};
use logbook::Table;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tetrion_engine::words::counted;
use tetrion_players::agent_file::{AgentFile, MAX_WEIGHT};
use tetrion_study::statistics::Summary;

/// A run: its recipe, where it stands, and its folder.
pub struct Run {
    folder: PathBuf,
    recipe: Recipe,
    state: State,
    logbook: Table,
    weights: Table,
    /// When this process began, and how long those before it took.
    began: Instant,
    seconds_before: f64,
    drawn: Option<Instant>,
    /// Held as long as the run is.
    _lock: File,
}

/// Which checkpoint to go on from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// The newest.
    Newest,
    /// The one before it.
    Previous,
}

/// What is wrong with a run or its folder.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// There is a run in the folder already.
    #[error("{} holds another run: choose another folder", .0.display())]
    AnotherRun(PathBuf),
    /// There is something else in the folder.
    #[error("{} holds other files: choose another folder", .0.display())]
    OtherFiles(PathBuf),
    /// There is nothing to go on with.
    #[error("{} holds no run", .0.display())]
    Nothing(PathBuf),
    /// Another process runs it.
    #[error("{} is in use: another process trains there", .0.display())]
    InUse(PathBuf),
    /// A checkpoint can't be read.
    #[error("{}: {reason}{}", path.display(), whole(*previous))]
    Checkpoint {
        /// The checkpoint.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
        /// The generation after which the one before it was made, if that is whole.
        previous: Option<u64>,
    },
    /// The folder's run follows another recipe.
    #[error("{} holds a run with another recipe: {difference}", folder.display())]
    Other {
        /// The folder.
        folder: PathBuf,
        /// How they differ.
        difference: String,
    },
    /// The recipe makes no sense.
    #[error(transparent)]
    Recipe(#[from] RecipeError),
    /// A file can't be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The games were not played.
    #[error(transparent)]
    Evaluate(#[from] EvaluateError),
    /// Weights that no agent can have.
    #[error("the weights grew beyond {MAX_WEIGHT:e}: train again with smaller steps")]
    Diverged,
    /// The optimiser did not take the scores.
    #[error(transparent)]
    Tell(#[from] TellError),
}

/// How long pictures and the like stay as they are while the run goes on.
const REFRESH: Duration = Duration::from_secs(3);

const RECIPE: &str = "recipe.toml";
const LOGBOOK: &str = "logbook.csv";
const WEIGHTS: &str = "weights.csv";
const HALL: &str = "hall.csv";
const BEST: &str = "best.toml";
const JUDGEMENT: &str = "judgement.json";
const LOCK: &str = "lock";

/// The files that are written whole.
const FILES: [&str; 12] = [
    NEWEST,
    PREVIOUS,
    RECIPE,
    LOGBOOK,
    WEIGHTS,
    HALL,
    BEST,
    JUDGEMENT,
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
        fs::create_dir_all(folder).of("make the folder", folder)?;
        // Before a file is made, and again when nobody else can make one.
        check_free(folder)?;
        let lock = lock(folder)?;
        check_free(folder)?;
        let state = State {
            recipe: recipe.to_text(),
            optimiser,
            hall: Hall::default(),
            evaluations: 0,
            games: 0,
            saved: 0,
            best_score: f64::NEG_INFINITY,
        };
        state.save(folder)?;
        Run::open(folder, recipe, state, lock)
    }

    /// Goes on with a run. A recipe that is given must be the run's, but for when to stop, which may be changed so.
    pub fn resume(folder: &Path, which: Which, recipe: Option<Recipe>) -> Result<Run, RunError> {
        if !folder.is_dir() {
            return Err(RunError::Nothing(folder.to_owned()));
        }
        let path = folder.join(match which {
            Which::Newest => NEWEST,
            Which::Previous => PREVIOUS,
        });
        if !holds_run(folder) {
            return Err(RunError::Nothing(folder.to_owned()));
        }
        let lock = lock(folder)?;
        let mut state = State::read(&path).map_err(|error| {
            let previous = match (which, &error) {
                (Which::Newest, ReadError::Damaged | ReadError::Missing) => {
                    State::read(&folder.join(PREVIOUS)).ok().map(|state| state.optimiser.generation())
                }
                _ => None,
            };
            RunError::Checkpoint { path: path.clone(), reason: error.to_string(), previous }
        })?;
        let mut known = Recipe::parse(&state.recipe, &[])?;
        let mut changed = which == Which::Previous;
        if let Some(recipe) = recipe {
            if let Some(difference) = difference(&known, &recipe) {
                return Err(RunError::Other { folder: folder.to_owned(), difference });
            }
            let done = state.optimiser.generation();
            if recipe.stop.generations.is_some_and(|most| most < done) {
                let difference =
                    format!("it has {} already: give at least as many", counted(done, "generation"));
                return Err(RunError::Other { folder: folder.to_owned(), difference });
            }
            changed |= recipe.stop != known.stop;
            known = recipe;
            state.recipe = known.to_text();
        }
        let run = Run::open(folder, known, state, lock)?;
        if changed {
            // The end that was judged is not the end any more. What was gone on from stays until there is a newer one.
            remove(&folder.join(JUDGEMENT))?;
            run.state.replace(folder)?;
        }
        Ok(run)
    }

    fn open(folder: &Path, recipe: Recipe, state: State, lock: File) -> Result<Run, RunError> {
        // What was cut off while it was written.
        for name in FILES {
            remove(&incomplete(&folder.join(name)))?;
        }
        write_whole(&folder.join(RECIPE), state.recipe.as_bytes())?;
        let rows = state.optimiser.generation();
        let logbook = Table::open(folder.join(LOGBOOK), Row::HEAD, rows)?;
        let head = format!("generation,{}", recipe.player.features.join(","));
        let weights = Table::open(folder.join(WEIGHTS), &head, rows)?;
        let seconds_before =
            logbook.rows.last().and_then(|row| Row::parse(row)).map_or(0.0, |row| row.seconds);
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

    /// What it follows.
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// Where it is kept.
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
    pub fn hall(&self) -> &Hall {
        &self.state.hall
    }

    /// What happened in each generation.
    pub fn rows(&self) -> Vec<Row> {
        self.logbook.rows.iter().filter_map(|row| Row::parse(row)).collect()
    }

    /// What the optimiser would have played with after each generation: a weight for each feature, or none if it has no
    /// favourite.
    pub fn weights(&self) -> Vec<Vec<f64>> {
        let weights =
            |row: &String| row.split(',').skip(1).filter_map(|weight| weight.parse().ok()).collect();
        self.weights.rows.iter().map(weights).collect()
    }

    /// What the optimiser would play with now.
    pub fn favourite(&self) -> Option<&[f64]> {
        self.state.optimiser.favourite()
    }

    /// The games that the next generation plays, if nobody stops early.
    pub fn next_games(&self) -> u64 {
        u64::from(self.games_each()) * self.state.optimiser.ask().len() as u64
    }

    fn games_each(&self) -> u32 {
        let games = f64::from(self.recipe.objective.games) * self.state.optimiser.effort();
        games.round().clamp(1.0, f64::from(u32::MAX)) as u32
    }

    /// Whether nothing is left to train.
    pub fn is_trained(&self) -> bool {
        let Stop { generations, games, score } = self.recipe.stop;
        self.stopped_by_itself().is_some()
            || generations.is_some_and(|most| self.generation() >= most)
            || games.is_some_and(|most| self.generation() > 0 && self.games() + self.next_games() > most)
            || score.is_some_and(|score| self.state.best_score >= score)
    }

    /// Why the optimiser stopped, if it did.
    pub fn stopped_by_itself(&self) -> Option<Reason> {
        self.state.optimiser.finished()
    }

    /// Runs one generation. If that fails, the folder holds the run as it was before: resume it.
    pub fn step(&mut self, evaluator: &dyn Evaluate, monitor: &Monitor) -> Result<Row, RunError> {
        let candidates = self.state.optimiser.ask();
        let round = Round {
            seed: seed_for(self.recipe.seed, Purpose::Training),
            generation: self.generation(),
            games: self.games_each(),
            racing: self.recipe.racing(candidates.len()),
        };
        let measured = round.measure(candidates, &self.recipe.task(), evaluator, monitor)?;
        let mut state = self.state.clone();
        state.optimiser.tell(&measured.scores)?;
        state.evaluations += candidates.len() as u64;
        state.games += measured.games;
        state.saved += measured.saved;
        let generation = state.optimiser.generation();
        let summary = Summary::of(measured.scores.iter().copied());
        state.best_score = state.best_score.max(summary.max);
        check_weights(&state.optimiser)?;
        for index in measured.first {
            state.hall.enter(Champion {
                score: measured.scores[index],
                games: measured.games_each[index],
                generation,
                point: candidates[index].point.clone(),
            });
        }
        let row = Row {
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
        let favourite = state.optimiser.favourite().unwrap_or_default();
        let weights: Vec<_> = favourite.iter().map(f64::to_string).collect();
        self.logbook.add(row.to_csv())?;
        self.weights.add(format!("{generation},{}", weights.join(",")))?;
        state.save(&self.folder)?;
        self.state = state;
        if self.drawn.is_none_or(|drawn| drawn.elapsed() >= REFRESH) {
            // The generation is done, and can be drawn again: a picture that can't be written is told at the end.
            let _ = self.refresh();
        }
        Ok(row)
    }

    /// How long the run has taken.
    pub fn seconds(&self) -> f64 {
        self.seconds_before + self.began.elapsed().as_secs_f64()
    }

    /// Chooses the best of all and judges it. What was judged before is not judged again.
    pub fn finish(&mut self, evaluator: &dyn Evaluate, monitor: &Monitor) -> Result<Judgement, RunError> {
        if let Some(judgement) = self.judgement() {
            return Ok(judgement);
        }
        let path = self.folder.join(JUDGEMENT);
        self.refresh()?;
        let best = self.choose(evaluator, monitor)?;
        self.write_best(&best, "chosen out of the hall of fame and the optimiser's favourite")?;
        let judgement = judgement::judge(&self.recipe, &best, evaluator, monitor)?;
        let mut text =
            serde_json::to_vec_pretty(&judgement).map_err(std::io::Error::other).of("write", &path)?;
        text.push(b'\n');
        write_whole(&path, &text)?;
        Ok(judgement)
    }

    /// How the best was judged, if the run has ended.
    pub fn judgement(&self) -> Option<Judgement> {
        serde_json::from_slice(&fs::read(self.folder.join(JUDGEMENT)).ok()?).ok()
    }

    /// The best of the hall of fame and the optimiser's favourite, by games that neither training nor the judge has.
    fn choose(&self, evaluator: &dyn Evaluate, monitor: &Monitor) -> Result<Vec<f64>, RunError> {
        let mut finalists: Vec<Vec<f64>> = Vec::new();
        let favourite = self.state.optimiser.favourite().map(<[f64]>::to_vec);
        let champions = self.state.hall.champions().iter().map(|champion| champion.point.clone());
        for point in favourite.into_iter().chain(champions) {
            if !finalists.contains(&point) {
                finalists.push(point);
            }
        }
        let seed = seed_for(self.recipe.seed, Purpose::Finals);
        let job =
            |weights: &Vec<f64>| Job { weights: weights.clone(), seed, games: 0..self.recipe.judge.finals };
        let jobs: Vec<Job> = finalists.iter().map(job).collect();
        let task = self.recipe.task();
        let values = evaluator.evaluate(&task, &jobs, monitor)?;
        let scores = values.iter().map(|values| task.objective.score(values));
        // Of equals the first: the favourite, or whoever was best in training.
        let best = scores.enumerate().reduce(|best, next| if next.1 > best.1 { next } else { best });
        Ok(finalists.swap_remove(best.map_or(0, |(index, _)| index)))
    }

    /// Brings the pictures, the hall of fame and the best so far up to date.
    fn refresh(&mut self) -> Result<(), RunError> {
        self.drawn = Some(Instant::now());
        let features = &self.recipe.player.features;
        let title = |what: &str| format!("{}: {what}, {}", self.recipe.name, self.recipe.objective);
        plots::draw(&self.folder, "fitness", &plots::fitness(title("fitness"), &self.rows()))?;
        let weights = plots::weights(title("weights"), features, &self.weights.rows);
        plots::draw(&self.folder, "weights", &weights)?;
        write_whole(&self.folder.join(HALL), self.state.hall.to_csv(features).as_bytes())?;
        let champion = self.state.hall.champions().first().map(|champion| champion.point.clone());
        if let Some(best) = self.state.optimiser.favourite().map(<[f64]>::to_vec).or(champion)
            && !self.folder.join(JUDGEMENT).exists()
        {
            self.write_best(&best, "the optimiser's favourite so far")?;
        }
        Ok(())
    }

    fn write_best(&self, weights: &[f64], how: &str) -> Result<(), RunError> {
        let template = self.recipe.player.template().map_err(RecipeError::Wrong)?;
        let best = AgentFile {
            name: self.recipe.name.clone() + "-best",
            source: format!("trained by tetrion, recipe {}, seed {}", self.recipe.name, self.recipe.seed),
            about: format!(
                "{}; after generation {} and {}, {how}",
                self.recipe.objective,
                self.generation(),
                counted(self.games(), "game")
            ),
            ..template.with(weights)
        };
        Ok(write_whole(&self.folder.join(BEST), best.to_text().as_bytes())?)
    }
}

/// What is told of a checkpoint before one that can't be read.
fn whole(previous: Option<u64>) -> String {
    previous.map_or(String::new(), |generation| {
        format!("; the one before it, after generation {generation}, is whole")
    })
}

/// Whether there is a run in a folder.
pub fn holds_run(folder: &Path) -> bool {
    folder.join(NEWEST).exists() || folder.join(PREVIOUS).exists()
}

/// Where the best of the run in a folder is, once there is one: an agent's file.
pub fn best_file(folder: &Path) -> PathBuf {
    folder.join(BEST)
}

/// Whether the run in a folder was judged.
pub fn is_judged(folder: &Path) -> bool {
    folder.join(JUDGEMENT).exists()
}

/// Whether agents can have the weights that an optimiser has come to.
fn check_weights(optimiser: &Optimiser) -> Result<(), RunError> {
    let points = optimiser.ask().iter().map(|candidate| candidate.point.as_slice());
    let mut weights = points.chain(optimiser.favourite()).flatten();
    if weights.all(|weight| weight.abs() <= MAX_WEIGHT) { Ok(()) } else { Err(RunError::Diverged) }
}

/// Whether nothing is in a folder that a run could overwrite.
fn check_free(folder: &Path) -> Result<(), RunError> {
    if holds_run(folder) {
        return Err(RunError::AnotherRun(folder.to_owned()));
    }
    for entry in fs::read_dir(folder).of("read", folder)? {
        let name = entry.of("read", folder)?.file_name();
        let own = FILES.iter().any(|own| incomplete(Path::new(own)).as_os_str() == name);
        if name != LOCK && !own {
            return Err(RunError::OtherFiles(folder.to_owned()));
        }
    }
    Ok(())
}

fn lock(folder: &Path) -> Result<File, RunError> {
    let path = folder.join(LOCK);
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

/// How a recipe differs from a run's: the first place where they do, but for when to stop.
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

/// The standard deviation of all scores, as of a whole population.
fn deviation(scores: &[f64], mean: f64) -> f64 {
    let squares: f64 = scores.iter().map(|score| (score - mean) * (score - mean)).sum();
    (squares / scores.len() as f64).sqrt()
}
