//! Progress of an evaluation, and a way to stop it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use tetrion_players::monitor::StopSignal;

/// Lets other threads follow an evaluation: counts its games, and can ask it to stop.
#[derive(Debug, Default)]
pub struct Monitor {
    stop: Arc<AtomicBool>,
    games: AtomicU64,
}

impl Monitor {
    /// Asks the evaluation to stop as soon as it can.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    /// Whether it was asked to.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// The same, as the time limit of a search.
    pub(crate) fn stop_signal(&self) -> Arc<dyn StopSignal> {
        let stop = Arc::clone(&self.stop);
        Arc::new(move || stop.load(Relaxed))
    }

    /// How many games have been played.
    pub fn games(&self) -> u64 {
        self.games.load(Relaxed)
    }

    /// Counts games that were played.
    pub fn add_games(&self, count: u64) {
        self.games.fetch_add(count, Relaxed);
    }
}
