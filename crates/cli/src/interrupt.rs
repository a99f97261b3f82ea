//! Handling of Ctrl-C, SIGTERM and SIGHUP.

use anyhow::{Context, Result};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The exit status of an interrupted command.
pub const INTERRUPTED: u8 = 130;

/// A command was interrupted before it finished. The message says what was kept.
#[derive(Debug)]
pub struct Interrupted(pub String);

impl std::fmt::Display for Interrupted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Interrupted {}

/// Calls `act` on the first Ctrl-C, SIGTERM or SIGHUP, instead of ending the program. A second one ends it at once.
pub fn on_interrupt(act: impl Fn() + Send + 'static) -> Result<()> {
    let asked = AtomicBool::new(false);
    ctrlc::set_handler(move || {
        if asked.swap(true, Relaxed) {
            tetrion_interop::tbp::kill_all();
            std::process::exit(INTERRUPTED.into());
        }
        act();
    })
    .context("can't listen for Ctrl-C")
}
