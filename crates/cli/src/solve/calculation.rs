//! A long calculation: its progress, Ctrl-C, its memory and its checkpoint.

use crate::{UsageError, interrupt, progress};
use anyhow::{Context, Result, bail};
use indicatif::ProgressBar;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tetrion_exact::boards::{self, BoardsError};
use tetrion_exact::game::PlacementIndex;
use tetrion_exact::{Chain, Model, Monitor, SmallGame};

/// A calculation that shows its progress and can be stopped.
pub struct LongCalculation {
    monitor: Arc<Monitor>,
    bar: ProgressBar,
}

impl LongCalculation {
    /// Shows progress, and stops on Ctrl-C.
    pub fn start() -> Result<LongCalculation> {
        let monitor = Arc::new(Monitor::default());
        let stopped = monitor.clone();
        interrupt::on_interrupt(move || stopped.stop())?;
        let counted = monitor.clone();
        let bar = progress::spinner("{spinner} {msg} ({boards} boards searched)", move || counted.done());
        Ok(LongCalculation { monitor, bar })
    }

    /// Counts the work, and tells it when to stop.
    pub fn monitor(&self) -> &Monitor {
        &self.monitor
    }

    /// Shows a message beside the progress.
    pub fn tell(&self, message: String) {
        self.bar.set_message(message);
    }

    /// Finds the boards of a game.
    pub fn model(&self, game: SmallGame, chain: Chain) -> Result<Model> {
        enough(boards::bytes_to_find(game.cells()), game.width(), game.height())?;
        self.tell(format!("finding the boards of {}x{}", game.width(), game.height()));
        Model::new(game, chain, &self.monitor).map_err(|error| match error {
            BoardsError::TooLarge(_) => UsageError(error.to_string()).into(),
            BoardsError::Stopped(_) => anyhow::anyhow!("stopped before all boards were found"),
        })
    }

    /// Fails if a table of this size would not fit in memory.
    pub fn room_for(&self, bytes: usize) -> Result<()> {
        // Leave some memory to others.
        const SPARE_BYTES: usize = 64 << 20;
        match available_memory() {
            Some(available) if bytes + SPARE_BYTES > available => bail!("{} MB are free", available >> 20),
            _ => Ok(()),
        }
    }

    /// Fails if the calculation would not fit in memory.
    pub fn check_memory(&self, model: &Model, until_loss: bool) -> Result<()> {
        let more = bytes(model, until_loss, &[]) - model.boards().bytes();
        enough(more, model.game().width(), model.game().height())
    }
}

impl Drop for LongCalculation {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// The size of a calculation's tables in bytes.
pub fn bytes(model: &Model, until_loss: bool, tables: &[Vec<PlacementIndex>]) -> usize {
    // The values before and after a sweep; until loss, also those to extrapolate from and the decisions.
    let values = model.values() * size_of::<f64>();
    let tables: usize = tables.iter().map(Vec::len).sum();
    let calculation = if until_loss { 3 * values + model.decisions() } else { 2 * values + tables };
    model.boards().bytes() + calculation
}

fn enough(bytes: usize, width: usize, height: usize) -> Result<()> {
    match available_memory() {
        Some(available) if bytes > available => {
            let gigabytes = |bytes: usize| bytes as f64 / 1e9;
            let (needed, free) = (gigabytes(bytes), gigabytes(available));
            let reason = format!("a {width}x{height} board takes {needed:.1} GB, but {free:.1} GB are free");
            Err(UsageError(format!("{reason}: choose a smaller board")).into())
        }
        _ => Ok(()),
    }
}

/// The available memory in bytes, if the system reports it.
fn available_memory() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: usize = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

/// Reads the values of a checkpoint.
pub fn read_checkpoint(model: &Model, path: &Path) -> Result<Vec<f64>> {
    let file = File::open(path).with_context(|| format!("can't read {}", path.display()))?;
    tetrion_exact::file::read_values(model, BufReader::new(file)).with_context(|| {
        format!("can't resume from {}: give another file, or delete this one to start again", path.display())
    })
}

/// A checkpoint file, if one is wanted.
pub struct Checkpoint<'p> {
    path: Option<&'p Path>,
    last: Instant,
}

impl<'p> Checkpoint<'p> {
    pub fn new(path: Option<&'p Path>) -> Checkpoint<'p> {
        Checkpoint { path, last: Instant::now() }
    }

    /// Writes the values if a minute has passed. If that fails, it warns and the calculation continues.
    pub fn now_and_then(&mut self, model: &Model, values: &[f64]) {
        if self.last.elapsed() > Duration::from_secs(60)
            && let Err(error) = self.save(model, values)
        {
            eprintln!("warning: {error:#}");
        }
    }

    /// Writes the values.
    pub fn save(&mut self, model: &Model, values: &[f64]) -> Result<()> {
        self.last = Instant::now();
        if let Some(path) = self.path {
            tetrion_files::write_whole_with(path, |to| tetrion_exact::file::write_values(model, values, to))?;
        }
        Ok(())
    }
}
