//! What Ctrl-C does, and a system that ends the program.

use anyhow::{Context, Result};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Lets Ctrl-C, and SIGTERM, do something else than end the program at once, which a second one does.
pub fn on_interrupt(act: impl Fn() + Send + 'static) -> Result<()> {
    let asked = AtomicBool::new(false);
    ctrlc::set_handler(move || {
        if asked.swap(true, Relaxed) {
            std::process::exit(130);
        }
        act();
    })
    .context("can't listen for Ctrl-C")
}
