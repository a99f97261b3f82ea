//! How far a long calculation is, and a way to stop it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// Watches over a calculation from other threads: counts what is done, and can ask it to stop.
#[derive(Debug, Default)]
pub struct Monitor {
    stop: AtomicBool,
    boards: AtomicU64,
}

/// A calculation was asked to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("stopped")]
pub struct Stopped;

impl Monitor {
    /// Asks the calculation to stop as soon as it can.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    /// Whether it was asked to.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// How many boards have been gone through, over and over.
    pub fn boards_done(&self) -> u64 {
        self.boards.load(Relaxed)
    }

    pub(crate) fn boards(&self, count: usize) {
        self.boards.fetch_add(count as u64, Relaxed);
    }

    pub(crate) fn check(&self) -> Result<(), Stopped> {
        if self.is_stopped() { Err(Stopped) } else { Ok(()) }
    }
}
