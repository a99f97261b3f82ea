//! What Ctrl-C, SIGTERM and SIGHUP do.

use anyhow::{Context, Result};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The exit status of an interrupted command.
pub const INTERRUPTED: u8 = 130;

/// Calls `act` on the first Ctrl-C, SIGTERM or SIGHUP, instead of ending the program. A second one ends it at once.
pub fn on_interrupt(act: impl Fn() + Send + 'static) -> Result<()> {
    let asked = AtomicBool::new(false);
    ctrlc::set_handler(move || {
        if asked.swap(true, Relaxed) {
            std::process::exit(INTERRUPTED.into());
        }
        act();
    })
    .context("can't listen for Ctrl-C")
}
