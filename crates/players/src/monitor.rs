//! How far a long piece of work is, and a way to stop it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// Something that may ask work to stop: a [`Monitor`], or a clock that has run out. Once raised it stays raised.
pub trait StopSignal: Send + Sync {
    /// Whether to stop.
    fn is_raised(&self) -> bool;
}

impl<F: Fn() -> bool + Send + Sync> StopSignal for F {
    fn is_raised(&self) -> bool {
        self()
    }
}

/// Watches over work from other threads: counts what is done, and can ask it to stop.
#[derive(Debug, Default)]
pub struct Monitor {
    stopped: AtomicBool,
    done: AtomicU64,
}

/// Work was asked to stop before it was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("stopped")]
pub struct Stopped;

impl Monitor {
    /// Asks the work to stop as soon as it can.
    pub fn stop(&self) {
        self.stopped.store(true, Relaxed);
    }

    /// Whether it was asked to stop.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Relaxed)
    }

    /// The same as a result, for work that gives up with `?`.
    pub fn check(&self) -> Result<(), Stopped> {
        if self.is_stopped() { Err(Stopped) } else { Ok(()) }
    }

    /// Counts something that is done: a game, a board.
    pub fn add(&self, count: u64) {
        self.done.fetch_add(count, Relaxed);
    }

    /// How much is done.
    pub fn done(&self) -> u64 {
        self.done.load(Relaxed)
    }
}

impl StopSignal for Monitor {
    fn is_raised(&self) -> bool {
        self.is_stopped()
    }
}
