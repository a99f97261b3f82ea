//! Ctrl-C.

use anyhow::{Context, Result};

/// Does something when the user presses Ctrl-C or ends the program, instead of dying at once. Only the first call counts.
pub fn on_interrupt(act: impl Fn() + Send + 'static) -> Result<()> {
    ctrlc::set_handler(act).context("can't watch for Ctrl-C")
}
