//! Standard output: text for people, or one JSON document.

use anyhow::{Context, Result};
use serde::Serialize;
use std::io::{self, ErrorKind, Write};

/// Prints a line. Unlike `println!` it does not panic when nobody reads it.
pub fn line(text: impl std::fmt::Display) -> Result<()> {
    writeln!(io::stdout().lock(), "{text}").context("can't write to standard output")
}

/// Prints a JSON document.
pub fn json(document: &impl Serialize) -> Result<()> {
    line(serde_json::to_string(document)?)
}

/// Whether the reader of our output has gone.
pub fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
}

/// A number with its thousands set apart.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// So many things, in words.
pub fn many(count: u64, noun: &str) -> String {
    format!("{} {noun}{}", thousands(count), if count == 1 { "" } else { "s" })
}

/// So many games, in words.
pub fn games(count: usize) -> String {
    many(count as u64, "game")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!([0, 999, 1_000, 1_234_567].map(thousands), ["0", "999", "1,000", "1,234,567"]);
    }
}
