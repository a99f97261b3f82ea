//! Books as text: a game in each line, as JSON.

use super::care::{Book, BookError};
use super::check::Unreadable;
use super::entry::{Entries, Entry};
use super::{NewGame, StoreError, insert, open};
use crate::verify::{Rejection, ReplayedGame};
use base64::prelude::{BASE64_STANDARD, Engine};
use rusqlite::TransactionBehavior;
use serde::{Deserialize, Serialize};
use std::io::{self, BufRead, Read, Write};
use std::path::Path;

/// The longest line: more than the largest replay takes.
const MAX_LINE_BYTES: u64 = 1 << 20;

/// A game that is exported. Everything except the last four follows from the replay; it is there for readers.
#[derive(Serialize)]
struct ExportedGame<'e> {
    id: i64,
    mode: &'e str,
    by: &'e str,
    player: &'e str,
    outcome: &'e str,
    micros: Option<i64>,
    pieces: i64,
    lines: i64,
    score: i64,
    keys: Option<i64>,
    at: i64,
    unverified: Option<&'e str>,
    ticket: Option<String>,
    replay: String,
}

impl ExportedGame<'_> {
    fn new(entry: &Entry) -> ExportedGame<'_> {
        ExportedGame {
            id: entry.id,
            mode: &entry.mode,
            by: &entry.by,
            player: &entry.player,
            outcome: &entry.outcome,
            micros: entry.micros,
            pieces: entry.pieces,
            lines: entry.lines,
            score: entry.score,
            keys: entry.keys,
            at: entry.at,
            unverified: entry.unverified.as_deref(),
            ticket: entry.ticket.map(|ticket| BASE64_STANDARD.encode(ticket)),
            replay: BASE64_STANDARD.encode(&entry.replay),
        }
    }
}

/// What is read of a game that is imported.
#[derive(Deserialize)]
struct ImportedGame {
    at: i64,
    unverified: Option<String>,
    ticket: Option<String>,
    replay: String,
}

/// What an import did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Imported {
    /// Games that were added.
    pub added: u64,
    /// Games that the book had already.
    pub known: u64,
    /// Games that were not good enough to be kept.
    pub not_kept: u64,
    /// Why others were refused, each with the number of its line.
    pub refused: Vec<String>,
}

impl Book {
    /// Writes every game that can be read, and returns what is damaged. Calls `done` for each game.
    ///
    /// A game whose checksum does not match is written too. If its replay is damaged, nobody can import it.
    pub fn export(&self, out: &mut dyn Write, mut done: impl FnMut()) -> io::Result<Vec<String>> {
        let mut damage = Vec::new();
        let mut unreadable = Unreadable::default();
        for stored in Entries::new(&self.connection, self.version).map_err(io::Error::other)? {
            match stored {
                Ok(stored) => {
                    damage.extend(stored.damage());
                    serde_json::to_writer(&mut *out, &ExportedGame::new(&stored.entry))?;
                    out.write_all(b"\n")?;
                    done();
                }
                Err((id, error)) => unreadable.add(id, &error),
            }
        }
        damage.extend(unreadable.into_reports());
        Ok(damage)
    }
}

/// Adds games to a book, which is created if there is none: all those that verify, or none if something fails. Calls `done` for
/// each game that was read.
///
/// Every game is replayed. Times, marks and tickets are taken from the lines as they are.
pub fn import(path: &Path, mut lines: impl BufRead, mut done: impl FnMut()) -> Result<Imported, BookError> {
    let mut imported = Imported::default();
    let mut games = Vec::new();
    let mut numbers = Vec::new();
    // Replaying takes long, so the book is not locked meanwhile.
    for number in 1.. {
        let wrong = |reason: String| BookError::Line { number, reason };
        let Some(line) = next_line(&mut lines).map_err(|error| wrong(error.to_string()))? else { break };
        match read(&line).map_err(wrong)? {
            Ok(game) => {
                games.push(game);
                numbers.push(number);
            }
            Err(reason) => imported.refused.push(format!("line {number}: {reason}")),
        }
        done();
    }
    let mut connection = open(path)?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    for (number, entry) in numbers.into_iter().zip(insert(&transaction, games)?) {
        match entry {
            Ok(_) => imported.added += 1,
            Err(StoreError::Duplicate(_)) => imported.known += 1,
            Err(StoreError::NotAmongBest | StoreError::NotAmongOwnBest) => imported.not_kept += 1,
            Err(error) => imported.refused.push(format!("line {number}: {error}")),
        }
    }
    transaction.commit()?;
    Ok(imported)
}

/// A line without its end; `None` after the last one.
fn next_line(lines: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    lines.take(MAX_LINE_BYTES + 1).read_until(b'\n', &mut line)?;
    match line.pop() {
        None => Ok(None),
        Some(b'\n') => Ok(Some(line)),
        Some(_) if line.len() as u64 == MAX_LINE_BYTES => {
            Err(io::Error::other(format!("it is longer than {MAX_LINE_BYTES} bytes")))
        }
        Some(_) => Err(io::Error::other("it is cut off")),
    }
}

/// The game of a line. Fails if the line is no game, and contains the reason if its replay is refused.
fn read(line: &[u8]) -> Result<Result<NewGame, Rejection>, String> {
    let line: ImportedGame = serde_json::from_slice(line).map_err(|error| error.to_string())?;
    let decode = |text: &str| BASE64_STANDARD.decode(text).map_err(|error| error.to_string());
    let replay = decode(&line.replay)?;
    let ticket = line.ticket.as_deref().map(decode).transpose()?;
    let ticket = ticket.map(TryInto::try_into).transpose().map_err(|_| "a ticket has 16 bytes".to_owned())?;
    let game = ReplayedGame::verify(&replay).map(|game| {
        let game = ReplayedGame { unverified: line.unverified, ticket, ..game };
        NewGame { game, at: line.at, replay }
    });
    Ok(game)
}
