//! The server's training jobs: each trains a run in a numbered folder, on its own thread.
//!
//! The progress of a job is in a [`watch`] channel, which wakes its followers when there is something new.

use crate::history::{Generation, History};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Seek, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{MAIN_SEPARATOR, Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;
use tetrion_engine::ruleset::Mode;
use tetrion_engine::words::counted;
use tetrion_files::{FileError, OfFile};
use tetrion_players::monitor::Monitor;
use tetrion_training::evaluation::{EvaluateError, Threads};
use tetrion_training::recipe::Recipe;
use tetrion_training::run::{Checkpoint, Judgement, Run, RunError, best_file, holds_run};
use tokio::sync::{OwnedMutexGuard, watch};
use ts_rs::TS;

/// Whether a job is running.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RunState {
    Running,
    Stopped,
    Finished,
    Failed,
}

impl RunState {
    const ALL: [RunState; 4] = [RunState::Running, RunState::Stopped, RunState::Finished, RunState::Failed];

    /// Its name in metrics, as in JSON.
    fn name(self) -> &'static str {
        match self {
            RunState::Running => "running",
            RunState::Stopped => "stopped",
            RunState::Finished => "finished",
            RunState::Failed => "failed",
        }
    }
}

/// The kind of games that a job plays.
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

/// The games after training, which choose the best and judge it.
#[derive(Clone, Debug)]
pub(crate) struct Judging {
    monitor: Arc<Monitor>,
    /// What the monitor had counted before.
    before: u64,
    total: u64,
}

/// How many of these games are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
pub(crate) struct JudgingProgress {
    done: u64,
    total: u64,
}

impl Judging {
    fn begin(run: &Run, monitor: &Arc<Monitor>) -> Judging {
        Judging { monitor: Arc::clone(monitor), before: monitor.done(), total: run.finishing_games() }
    }

    pub(crate) fn progress(&self) -> JudgingProgress {
        JudgingProgress { done: (self.monitor.done() - self.before).min(self.total), total: self.total }
    }
}

/// The progress of a job.
#[derive(Clone, Debug)]
pub(crate) struct JobProgress {
    pub(crate) state: RunState,
    pub(crate) recipe: String,
    /// The objective, in words.
    pub(crate) objective: String,
    /// `None` if the run can't be opened.
    pub(crate) game: Option<GameKind>,
    /// The generation after which it stops, if the recipe says so.
    pub(crate) generations: Option<u64>,
    pub(crate) features: Vec<String>,
    pub(crate) history: History,
    /// From the end of training until there is a judgement.
    pub(crate) judging: Option<Judging>,
    pub(crate) judgement: Option<Judgement>,
    pub(crate) error: Option<String>,
}

impl JobProgress {
    fn of(run: &Run, state: RunState) -> JobProgress {
        let generations = run.rows().into_iter().zip(run.weights());
        JobProgress {
            state,
            recipe: run.recipe().name.clone(),
            objective: run.recipe().objective.to_string(),
            game: GameKind::of(run),
            generations: run.recipe().stop.generations,
            features: run.recipe().design.names(),
            history: generations.map(|(row, weights)| Generation { row, weights }).collect(),
            judging: None,
            judgement: None,
            error: None,
        }
    }

    /// The progress of a run that can't be opened.
    fn unknown(state: RunState) -> JobProgress {
        JobProgress {
            state,
            recipe: String::new(),
            objective: String::new(),
            game: None,
            generations: None,
            features: Vec::new(),
            history: History::from_iter([]),
            judging: None,
            judgement: None,
            error: None,
        }
    }
}

/// A training job.
#[derive(Debug)]
pub(crate) struct Job {
    id: u64,
    folder: PathBuf,
    progress: watch::Sender<JobProgress>,
    /// The monitor of its current or last thread.
    monitor: Mutex<Arc<Monitor>>,
}

impl Job {
    fn new(id: u64, folder: PathBuf, progress: JobProgress) -> Arc<Job> {
        Arc::new(Job { id, folder, progress: watch::Sender::new(progress), monitor: Mutex::default() })
    }

    /// The job of an existing run in a folder.
    fn found(id: u64, folder: PathBuf) -> Arc<Job> {
        let (progress, error) = match reopen(&folder) {
            Ok((run, error)) => {
                let judgement = run.judgement();
                let state = if judgement.is_some() { RunState::Finished } else { RunState::Stopped };
                (JobProgress { judgement, ..JobProgress::of(&run, state) }, error)
            }
            // Another server may be training there.
            Err(error @ RunError::InUse(_)) => (JobProgress::unknown(RunState::Stopped), Some(error)),
            Err(error) => (JobProgress::unknown(RunState::Failed), Some(error)),
        };
        let job = Job::new(id, folder, progress);
        job.progress.send_modify(|progress| progress.error = error.map(|error| job.tell(&error)));
        job
    }

    pub(crate) fn id(&self) -> u64 {
        self.id
    }

    pub(crate) fn follow(&self) -> watch::Receiver<JobProgress> {
        self.progress.subscribe()
    }

    fn state(&self) -> RunState {
        self.progress.borrow().state
    }

    fn tell(&self, error: &RunError) -> String {
        without_path(&error.to_string(), self.folder.parent().unwrap_or(&self.folder))
    }

    /// The best so far, as an agent file.
    pub(crate) fn best(&self) -> io::Result<Option<String>> {
        match fs::read_to_string(best_file(&self.folder)) {
            Ok(text) => Ok(Some(text)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Continues the run on a new thread.
    fn launch(self: &Arc<Job>, run: Run) -> Result<(), JobError> {
        // Leave a core free for everything else. Jobs don't share threads: one with long games would take them all.
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let threads = Threads::new(Some(cores.saturating_sub(1).max(1))).map_err(RunError::from)?;
        let monitor = Arc::new(Monitor::default());
        *lock(&self.monitor) = Arc::clone(&monitor);
        self.progress.send_replace(JobProgress::of(&run, RunState::Running));
        let job = Arc::clone(self);
        let spawned = thread::Builder::new().name(format!("training {}", self.id)).spawn(move || {
            // Drops the run, which unlocks its folder, before followers hear that it has ended.
            let ended = catch_unwind(AssertUnwindSafe(|| job.train(run, &threads, &monitor)));
            job.progress.send_modify(|progress| {
                progress.judging = None;
                match ended {
                    Ok(Ok(judgement)) => {
                        (progress.state, progress.judgement) = (RunState::Finished, Some(judgement));
                    }
                    Ok(Err(RunError::Evaluate(EvaluateError::Stopped))) => progress.state = RunState::Stopped,
                    Ok(Err(error)) => {
                        (progress.state, progress.error) = (RunState::Failed, Some(job.tell(&error)));
                    }
                    Err(_) => {
                        let fault = "training stopped because of a bug: resume it from its last generation";
                        (progress.state, progress.error) = (RunState::Failed, Some(fault.to_owned()));
                    }
                }
            });
        });
        spawned.map(|_| ()).map_err(|error| {
            self.progress.send_modify(|progress| progress.state = RunState::Stopped);
            JobError::Thread(error)
        })
    }

    fn train(&self, mut run: Run, threads: &Threads, monitor: &Arc<Monitor>) -> Result<Judgement, RunError> {
        while !run.is_trained() {
            let row = run.step(threads, monitor)?;
            let weights = run.favourite().unwrap_or_default();
            self.progress.send_modify(|progress| progress.history.push(Generation { row, weights }));
        }
        let judging = Judging::begin(&run, monitor);
        self.progress.send_modify(|progress| progress.judging = Some(judging));
        run.finish(threads, monitor)
    }
}

/// Why a job can't be started, changed or found.
#[derive(Debug, thiserror::Error)]
pub(crate) enum JobError {
    #[error("there is no training run {0}: GET /api/training lists them")]
    Unknown(u64),
    #[error("at most {} can run at a time: stop one first", counted(*.0 as u64, "training run"))]
    Busy(usize),
    #[error("at most {} can be stored: delete one first", counted(*.0 as u64, "training run"))]
    Full(usize),
    #[error("the run is running: stop it first")]
    Running,
    #[error("the run is not running")]
    NotRunning,
    #[error("the run has finished: start a new one")]
    Finished,
    #[error(transparent)]
    Run(#[from] RunError),
    #[error(transparent)]
    File(#[from] FileError),
    #[error("can't start a thread: {0}")]
    Thread(io::Error),
}

/// All jobs.
#[derive(Debug)]
pub(crate) struct Jobs {
    folder: PathBuf,
    most_running: usize,
    most_kept: usize,
    turn: Arc<tokio::sync::Mutex<JobsTurn>>,
    /// Only ever locked briefly. Whoever reads or writes files holds the turn instead.
    jobs: Mutex<BTreeMap<u64, Arc<Job>>>,
}

/// The right to start, resume or delete a job. Only one request has it at a time.
#[derive(Debug)]
pub(crate) struct JobsTurn;

/// The largest job number. JavaScript would round larger ones.
const LARGEST_ID: u64 = (1 << 53) - 1;
/// The digits of the largest job number.
const ID_DIGITS: usize = 16;
/// The file with the last number that a job got, also if that job was deleted.
const LAST_NUMBER_FILE: &str = "last-number";

impl Jobs {
    /// Finds the runs in a folder. They don't run until they are resumed.
    pub(crate) fn open(folder: PathBuf, most_running: usize, most_kept: usize) -> Result<Jobs, FileError> {
        fs::create_dir_all(&folder).of("create the folder", &folder)?;
        let mut jobs = BTreeMap::new();
        for entry in fs::read_dir(&folder).of("read", &folder)? {
            let path = entry.of("read", &folder)?.path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let id = name.parse().ok().filter(|id: &u64| *id <= LARGEST_ID && id.to_string() == name);
            if let Some(id) = id.filter(|_| holds_run(&path)) {
                jobs.insert(id, Job::found(id, path));
            }
        }
        let turn = Arc::new(tokio::sync::Mutex::new(JobsTurn));
        Ok(Jobs { folder, most_running, most_kept, turn, jobs: Mutex::new(jobs) })
    }

    /// Waits for the turn.
    pub(crate) async fn turn(&self) -> OwnedMutexGuard<JobsTurn> {
        Arc::clone(&self.turn).lock_owned().await
    }

    /// All jobs, oldest first, without those whose folder is gone.
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
    pub(crate) fn start(&self, _: &mut JobsTurn, recipe: Recipe) -> Result<u64, JobError> {
        self.check_busy()?;
        if lock(&self.jobs).len() >= self.most_kept {
            return Err(JobError::Full(self.most_kept));
        }
        let (id, folder) = self.new_folder()?;
        let started = Run::start(&folder, recipe).map_err(JobError::from).and_then(|run| {
            let job = Job::new(id, folder.clone(), JobProgress::of(&run, RunState::Stopped));
            job.launch(run)?;
            Ok(job)
        });
        let job = started.inspect_err(|_| {
            // The error that matters is why it did not start.
            let _ = fs::remove_dir_all(&folder);
        })?;
        lock(&self.jobs).insert(id, job);
        Ok(id)
    }

    /// Resumes a run that was stopped or failed.
    pub(crate) fn resume(&self, _: &mut JobsTurn, id: u64) -> Result<(), JobError> {
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

    /// Asks a run to stop as soon as it can.
    pub(crate) fn stop(&self, id: u64) -> Result<(), JobError> {
        let job = self.find(id)?;
        if job.state() != RunState::Running {
            return Err(JobError::NotRunning);
        }
        lock(&job.monitor).stop();
        Ok(())
    }

    /// Deletes a run with all its files.
    pub(crate) fn delete(&self, _: &mut JobsTurn, id: u64) -> Result<(), JobError> {
        let job = self.find(id)?;
        if job.state() == RunState::Running {
            return Err(JobError::Running);
        }
        if let Err(error @ RunError::InUse(_)) = Run::resume(&job.folder, Checkpoint::Newest, None) {
            return Err(error.into());
        }
        match fs::remove_dir_all(&job.folder) {
            // Already deleted.
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            removed => removed.of("delete", &job.folder)?,
        }
        lock(&self.jobs).remove(&id);
        Ok(())
    }

    /// An error message for clients, without the path of the data folder.
    pub(crate) fn tell(&self, reason: &str) -> String {
        without_path(reason, &self.folder)
    }

    /// Stops all runs and waits a while for them. Work that is not finished by then is repeated when they are resumed.
    pub(crate) async fn stop_all(&self) {
        const STOP_TIMEOUT: Duration = Duration::from_secs(10);
        let jobs = self.list();
        jobs.iter().for_each(|job| lock(&job.monitor).stop());
        let stopped = async {
            for job in jobs {
                // This can't fail, because the job holds the sender.
                let _ = job.follow().wait_for(|progress| progress.state != RunState::Running).await;
            }
        };
        let _ = tokio::time::timeout(STOP_TIMEOUT, stopped).await;
    }

    /// How many runs there are in each state.
    pub(crate) fn count(&self) -> BTreeMap<&'static str, u64> {
        let mut counts = BTreeMap::from(RunState::ALL.map(|state| (state.name(), 0)));
        for job in lock(&self.jobs).values() {
            *counts.entry(job.state().name()).or_default() += 1;
        }
        counts
    }

    fn check_busy(&self) -> Result<(), JobError> {
        let running = lock(&self.jobs).values().filter(|job| job.state() == RunState::Running).count();
        if running < self.most_running { Ok(()) } else { Err(JobError::Busy(self.most_running)) }
    }

    /// A new folder with a number that no job had before, even if another server shares the data folder.
    fn new_folder(&self) -> Result<(u64, PathBuf), FileError> {
        let known = lock(&self.jobs).last_key_value().map_or(0, |(last, _)| *last);
        let path = self.folder.join(LAST_NUMBER_FILE);
        let mut options = File::options();
        let mut file =
            options.read(true).write(true).create(true).truncate(false).open(&path).of("open", &path)?;
        // Until this returns.
        file.lock().of("lock", &path)?;
        let mut id = last_number(&mut file).of("read", &path)?.max(known);
        loop {
            id += 1;
            write_last_number(&mut file, id).of("write", &path)?;
            let folder = self.folder.join(id.to_string());
            match fs::create_dir(&folder) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                made => return made.of("create the folder", &folder).map(|()| (id, folder)),
            }
        }
    }
}

/// The number in the file; 0 if there is none yet.
fn last_number(file: &mut File) -> io::Result<u64> {
    let mut bytes = Vec::new();
    file.take(ID_DIGITS as u64).read_to_end(&mut bytes)?;
    let number = str::from_utf8(&bytes).ok().and_then(|text| text.parse().ok());
    Ok(number.filter(|number| *number < LARGEST_ID).unwrap_or(0))
}

/// Always the same few bytes are overwritten at once: after a crash, the file holds either the old number or the new one.
fn write_last_number(file: &mut File, number: u64) -> io::Result<()> {
    file.rewind()?;
    file.write_all(format!("{number:0ID_DIGITS$}\n").as_bytes())?;
    file.sync_data()
}

/// Opens the run in a folder. If its newest checkpoint is damaged, opens the previous one and also returns the error.
fn reopen(folder: &Path) -> Result<(Run, Option<RunError>), RunError> {
    match Run::resume(folder, Checkpoint::Newest, None) {
        Err(damaged @ RunError::Checkpoint { previous: Some(_), .. }) => {
            Ok((Run::resume(folder, Checkpoint::Previous, None)?, Some(damaged)))
        }
        run => Ok((run?, None)),
    }
}

/// A text without the path of a folder.
fn without_path(text: &str, folder: &Path) -> String {
    text.replace(&format!("{}{MAIN_SEPARATOR}", folder.display()), "")
}

/// Locks a mutex. A panic never leaves these values half changed.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
