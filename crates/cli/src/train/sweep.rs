//! `tetrion train --sweep`.

use super::Options;
use anyhow::{Result, bail};
use std::path::Path;
use tetrion_training::evaluation::Threads;
use tetrion_training::monitor::Monitor;

/// Runs the grid.
pub fn run(_: &Options, _: &Path, _: &Threads, _: &Monitor) -> Result<()> {
    bail!("not yet")
}
