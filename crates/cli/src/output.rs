//! Standard output: text for people, or one JSON document.

use anyhow::{Context, Result};
use serde::Serialize;
use std::io::{self, ErrorKind, Write};

pub use tetrion_engine::words::{counted, thousands};

/// Prints a line. Unlike `println!`, it does not panic if the pipe is closed.
pub fn line(text: impl std::fmt::Display) -> Result<()> {
    writeln!(io::stdout().lock(), "{text}").context("can't write to standard output")
}

/// Prints a JSON document.
pub fn json(document: &impl Serialize) -> Result<()> {
    line(serde_json::to_string(document)?)
}

/// Whether an error means that the reader closed the pipe.
pub fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
}
