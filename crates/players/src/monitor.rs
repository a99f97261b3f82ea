//! Progress and cancellation of long computations.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// Asks a computation to stop: a [`Monitor`], or a time limit. Once raised, it stays raised.
pub trait StopSignal: Send + Sync {
    /// Whether the computation should stop.
    fn is_raised(&self) -> bool;
}

impl<F: Fn() -> bool + Send + Sync> StopSignal for F {
    fn is_raised(&self) -> bool {
        self()
    }
}

/// Counts progress and can cancel a computation from another thread.
#[derive(Debug, Default)]
pub struct Monitor {
    stopped: AtomicBool,
    done: AtomicU64,
}

/// The computation was cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("stopped")]
pub struct Stopped;

impl Monitor {
    /// Asks the computation to stop as soon as it can.
    pub fn stop(&self) {
        self.stopped.store(true, Relaxed);
    }

    /// Whether it was asked to stop.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Relaxed)
    }

    /// Whether it was asked to stop, as a result for use with `?`.
    pub fn check(&self) -> Result<(), Stopped> {
        if self.is_stopped() { Err(Stopped) } else { Ok(()) }
    }

    /// Adds to the progress: games or boards, for example.
    pub fn add(&self, count: u64) {
        self.done.fetch_add(count, Relaxed);
    }

    /// The progress so far.
    pub fn done(&self) -> u64 {
        self.done.load(Relaxed)
    }
}

impl StopSignal for Monitor {
    fn is_raised(&self) -> bool {
        self.is_stopped()
    }
}
