//! Ctrl-C.

use anyhow::{Context, Result};
use std::sync::atomic::{AtomicBool, Ordering};

/// Does something at the first Ctrl-C, instead of dying at once; the second one ends the program. Only one call counts.
pub fn on_first_interrupt(act: impl Fn() + Send + 'static) -> Result<()> {
    let again = AtomicBool::new(false);
    let handler = move || {
        if again.swap(true, Ordering::Relaxed) {
            // The status of a program that Ctrl-C ended.
            std::process::exit(130);
        }
        act();
    };
    ctrlc::set_handler(handler).context("can't watch for Ctrl-C")
}
