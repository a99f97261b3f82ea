//! Training runs that the server looks after: each in a numbered folder, with a thread while it is running.
//!
//! How far a run is stands in a [`watch`] channel: whoever follows it is woken, and reads what is new.

use serde::Serialize;
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, ErrorKind};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{MAIN_SEPARATOR, Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;
use tetrion_engine::ruleset::Mode;
use tetrion_training::evaluation::{EvaluateError, Threads};
use tetrion_training::file::{FileError, OfFile};
use tetrion_training::monitor::Monitor;
use tetrion_training::recipe::Recipe;
use tetrion_training::run::{Judgement, Row, Run, RunError, Which, best_file, holds_run};
use tokio::sync::{OwnedMutexGuard, watch};
use ts_rs::TS;

/// How a job is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RunState {
    Running,
    Stopped,
    Finished,
    Failed,
}

/// What is played in a job.
#[derive(Clone, Copy, Debug, Serialize, TS)]
pub(crate) struct GameKind {
    #[ts(type = "Mode")]
    mode: Mode,
    width: u8,
    height: u8,
}

impl GameKind {
    fn of(run: &Run) -> Option<GameKind> {
        let rules = run.recipe().objective.rules().ok()?;
        Some(GameKind { mode: rules.mode, width: rules.width, height: rules.visible_height })
    }
}

/// How far a job is.
#[derive(Clone, Debug)]
pub(crate) struct Progress {
    pub(crate) state: RunState,
    pub(crate) recipe: String,
    /// Nothing if that can't be looked into.
    pub(crate) game: Option<GameKind>,
    /// Generations after which it ends, if it is told so.
    pub(crate) generations: Option<u64>,
    pub(crate) features: Vec<String>,
    pub(crate) rows: Vec<Row>,
    /// A weight for each feature after each generation.
    pub(crate) weights: Vec<Vec<f64>>,
    pub(crate) judgement: Option<Judgement>,
    pub(crate) error: Option<String>,
}

impl Progress {
    fn of(run: &Run, state: RunState) -> Progress {
        Progress {
            state,
            recipe: run.recipe().name.clone(),
            game: GameKind::of(run),
            generations: run.recipe().stop.generations,
            features: run.recipe().player.features.clone(),
            rows: run.rows(),
            weights: run.weights(),
            judgement: None,
            error: None,
        }
    }

    /// Of a run that can't be looked into.
    fn unknown(state: RunState) -> Progress {
        Progress {
            state,
            recipe: String::new(),
            game: None,
            generations: None,
            features: Vec::new(),
            rows: Vec::new(),
            weights: Vec::new(),
            judgement: None,
            error: None,
        }
    }
}

/// A training run.
#[derive(Debug)]
pub(crate) struct Job {
    id: u64,
    folder: PathBuf,
    progress: watch::Sender<Progress>,
    /// Of the thread that runs it, or ran it last.
    monitor: Mutex<Arc<Monitor>>,
}

impl Job {
    fn new(id: u64, folder: PathBuf, progress: Progress) -> Arc<Job> {
        Arc::new(Job { id, folder, progress: watch::Sender::new(progress), monitor: Mutex::default() })
    }

    /// The job of a run in a folder, as it was left.
    fn found(id: u64, folder: PathBuf) -> Arc<Job> {
        let (progress, error) = match reopen(&folder) {
            Ok((run, error)) => {
                let judgement = run.judgement();
                let state = if judgement.is_some() { RunState::Finished } else { RunState::Stopped };
                (Progress { judgement, ..Progress::of(&run, state) }, error)
            }
            // Another server may train there.
            Err(error @ RunError::InUse(_)) => (Progress::unknown(RunState::Stopped), Some(error)),
            Err(error) => (Progress::unknown(RunState::Failed), Some(error)),
        };
        let job = Job::new(id, folder, progress);
        job.progress.send_modify(|progress| progress.error = error.map(|error| job.tell(&error)));
        job
    }

    pub(crate) fn id(&self) -> u64 {
        self.id
    }

    pub(crate) fn follow(&self) -> watch::Receiver<Progress> {
        self.progress.subscribe()
    }

    fn state(&self) -> RunState {
        self.progress.borrow().state
    }

    fn tell(&self, error: &RunError) -> String {
        without_path(&error.to_string(), self.folder.parent().unwrap_or(&self.folder))
    }

    /// The best so far, as an agent's file.
    pub(crate) fn best(&self) -> io::Result<Option<String>> {
        match fs::read_to_string(best_file(&self.folder)) {
            Ok(text) => Ok(Some(text)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Runs in a thread of its own from where the run stands.
    fn launch(self: &Arc<Job>, run: Run) -> Result<(), JobError> {
        // A core stays free for everything else. Each job has its own: shared ones would all go to the one with long games.
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let threads = Threads::new(Some(cores.saturating_sub(1).max(1))).map_err(RunError::from)?;
        let monitor = Arc::new(Monitor::default());
        *lock(&self.monitor) = Arc::clone(&monitor);
        self.progress.send_replace(Progress::of(&run, RunState::Running));
        let job = Arc::clone(self);
        let spawned = thread::Builder::new().name(format!("training {}", self.id)).spawn(move || {
            // The run is dropped, and its folder free again, before anybody hears that it has ended.
            let ended = catch_unwind(AssertUnwindSafe(|| job.train(run, &threads, &monitor)));
            job.progress.send_modify(|progress| match ended {
                Ok(Ok(judgement)) => {
                    (progress.state, progress.judgement) = (RunState::Finished, Some(judgement));
                }
                Ok(Err(RunError::Evaluate(EvaluateError::Stopped))) => progress.state = RunState::Stopped,
                Ok(Err(error)) => {
                    (progress.state, progress.error) = (RunState::Failed, Some(job.tell(&error)));
                }
                Err(_) => {
                    let fault = "a fault in the program ended it: resume it from its last generation";
                    (progress.state, progress.error) = (RunState::Failed, Some(fault.to_owned()));
                }
            });
        });
        spawned.map(|_| ()).map_err(|error| {
            self.progress.send_modify(|progress| progress.state = RunState::Stopped);
            JobError::Thread(error)
        })
    }

    fn train(&self, mut run: Run, threads: &Threads, monitor: &Monitor) -> Result<Judgement, RunError> {
        while !run.is_trained() {
            let row = run.step(threads, monitor)?;
            let weights = run.favourite().unwrap_or_default().to_vec();
            self.progress.send_modify(|progress| {
                progress.rows.push(row);
                progress.weights.push(weights);
            });
        }
        run.finish(threads, monitor)
    }
}

/// Why something can't be done with a job.
#[derive(Debug, thiserror::Error)]
pub(crate) enum JobError {
    #[error("there is no training run {0}: GET /api/training lists them")]
    Unknown(u64),
    #[error("as many runs as can be are running: stop one of the {0} first")]
    Busy(usize),
    #[error("as many runs as can be are kept: delete one of the {0} first")]
    Full(usize),
    #[error("the run is running: stop it first")]
    Running,
    #[error("the run is not running: there is nothing to stop")]
    NotRunning,
    #[error("the run has finished: start another one")]
    Finished,
    #[error(transparent)]
    Run(#[from] RunError),
    #[error(transparent)]
    File(#[from] FileError),
    #[error("can't start a thread: {0}")]
    Thread(io::Error),
}

/// All of them.
#[derive(Debug)]
pub(crate) struct Jobs {
    folder: PathBuf,
    most_running: usize,
    most_kept: usize,
    turn: Arc<tokio::sync::Mutex<Turn>>,
    /// Locked for moments only: whoever reads or writes files has the turn for that.
    jobs: Mutex<BTreeMap<u64, Arc<Job>>>,
}

/// What is held to start, resume or delete a job: only one is at a time.
#[derive(Debug)]
pub(crate) struct Turn {
    /// The number of the next job: those of jobs that were deleted are not given again.
    next_id: u64,
}

/// Numbers above this are not ours: JavaScript would round them.
const LARGEST_ID: u64 = (1 << 53) - 1;

impl Jobs {
    /// Finds the runs in a folder. None of them runs: whoever wants that resumes them.
    pub(crate) fn open(folder: PathBuf, most_running: usize, most_kept: usize) -> Result<Jobs, FileError> {
        fs::create_dir_all(&folder).of("make the folder", &folder)?;
        let mut jobs = BTreeMap::new();
        for entry in fs::read_dir(&folder).of("read", &folder)? {
            let path = entry.of("read", &folder)?.path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let id = name.parse().ok().filter(|id: &u64| *id <= LARGEST_ID && id.to_string() == name);
            if let Some(id) = id.filter(|_| holds_run(&path)) {
                jobs.insert(id, Job::found(id, path));
            }
        }
        let turn = Turn { next_id: jobs.last_key_value().map_or(1, |(last, _)| last + 1) };
        let turn = Arc::new(tokio::sync::Mutex::new(turn));
        Ok(Jobs { folder, most_running, most_kept, turn, jobs: Mutex::new(jobs) })
    }

    /// Waits for the turn to change something.
    pub(crate) async fn turn(&self) -> OwnedMutexGuard<Turn> {
        Arc::clone(&self.turn).lock_owned().await
    }

    /// All jobs, the oldest first. Those whose folder is gone are no more.
    pub(crate) fn list(&self) -> Vec<Arc<Job>> {
        let mut jobs: Vec<Arc<Job>> = lock(&self.jobs).values().cloned().collect();
        let gone = |job: &mut Arc<Job>| job.state() != RunState::Running && !job.folder.exists();
        for job in jobs.extract_if(.., gone) {
            lock(&self.jobs).remove(&job.id);
        }
        jobs
    }

    pub(crate) fn find(&self, id: u64) -> Result<Arc<Job>, JobError> {
        lock(&self.jobs).get(&id).cloned().ok_or(JobError::Unknown(id))
    }

    /// Starts a run.
    pub(crate) fn start(&self, turn: &mut Turn, recipe: Recipe) -> Result<u64, JobError> {
        self.check_busy()?;
        if lock(&self.jobs).len() >= self.most_kept {
            return Err(JobError::Full(self.most_kept));
        }
        let (id, folder) = self.new_folder(turn)?;
        let started = Run::start(&folder, recipe).map_err(JobError::from).and_then(|run| {
            let job = Job::new(id, folder.clone(), Progress::of(&run, RunState::Stopped));
            job.launch(run)?;
            Ok(job)
        });
        let job = started.inspect_err(|_| {
            // Why it did not start is told in any case.
            let _ = fs::remove_dir_all(&folder);
        })?;
        lock(&self.jobs).insert(id, job);
        Ok(id)
    }

    /// Goes on with a run that was stopped, or failed.
    pub(crate) fn resume(&self, _: &mut Turn, id: u64) -> Result<(), JobError> {
        let job = self.find(id)?;
        match job.state() {
            RunState::Running => return Err(JobError::Running),
            RunState::Finished => return Err(JobError::Finished),
            RunState::Stopped | RunState::Failed => {}
        }
        self.check_busy()?;
        let (run, _) = reopen(&job.folder)?;
        job.launch(run)
    }

    /// Asks a run to stop; it does as soon as it can.
    pub(crate) fn stop(&self, id: u64) -> Result<(), JobError> {
        let job = self.find(id)?;
        if job.state() != RunState::Running {
            return Err(JobError::NotRunning);
        }
        lock(&job.monitor).stop();
        Ok(())
    }

    /// Deletes a run with all its files.
    pub(crate) fn delete(&self, _: &mut Turn, id: u64) -> Result<(), JobError> {
        let job = self.find(id)?;
        if job.state() == RunState::Running {
            return Err(JobError::Running);
        }
        if let Err(error @ RunError::InUse(_)) = Run::resume(&job.folder, Which::Newest, None) {
            return Err(error.into());
        }
        match fs::remove_dir_all(&job.folder) {
            // Somebody else was faster.
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            removed => removed.of("delete", &job.folder)?,
        }
        lock(&self.jobs).remove(&id);
        Ok(())
    }

    /// What is told to clients of what went wrong: where the data is, is not their concern.
    pub(crate) fn tell(&self, reason: &str) -> String {
        without_path(reason, &self.folder)
    }

    /// Stops all runs, and waits a while until they have. Whatever is not done by then is done anew when they are resumed.
    pub(crate) async fn stop_all(&self) {
        const STOP_TIMEOUT: Duration = Duration::from_secs(10);
        let jobs = self.list();
        jobs.iter().for_each(|job| lock(&job.monitor).stop());
        let stopped = async {
            for job in jobs {
                // It can't fail: the job holds the sender.
                let _ = job.follow().wait_for(|progress| progress.state != RunState::Running).await;
            }
        };
        let _ = tokio::time::timeout(STOP_TIMEOUT, stopped).await;
    }

    fn check_busy(&self) -> Result<(), JobError> {
        let running = lock(&self.jobs).values().filter(|job| job.state() == RunState::Running).count();
        if running < self.most_running { Ok(()) } else { Err(JobError::Busy(self.most_running)) }
    }

    /// A folder of its own, also if another server shares the data.
    fn new_folder(&self, turn: &mut Turn) -> Result<(u64, PathBuf), FileError> {
        loop {
            let id = turn.next_id;
            turn.next_id += 1;
            let folder = self.folder.join(id.to_string());
            match fs::create_dir(&folder) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                made => return made.of("make the folder", &folder).map(|()| (id, folder)),
            }
        }
    }
}

/// Opens the run in a folder where it was left. If its newest checkpoint is damaged, that is the one before it, and the reason.
fn reopen(folder: &Path) -> Result<(Run, Option<RunError>), RunError> {
    match Run::resume(folder, Which::Newest, None) {
        Err(damaged @ RunError::Checkpoint { previous: Some(_), .. }) => {
            Ok((Run::resume(folder, Which::Previous, None)?, Some(damaged)))
        }
        run => Ok((run?, None)),
    }
}

/// A text without the way to a folder.
fn without_path(text: &str, folder: &Path) -> String {
    text.replace(&format!("{}{MAIN_SEPARATOR}", folder.display()), "")
}

/// What these locks guard is never half changed by a panic.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
