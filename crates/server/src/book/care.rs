//! Looking after a book: checking it, verifying its games, removing some, backing it up.

use super::check::{self, Unreadable};
use super::entry::{self, Entries, Entry};
use super::migration::NO_LONGER_VERIFIES;
use super::{BUSY_TIMEOUT, OpenError, StoreError, open, version};
use crate::verify::ReplayedGame;
use rusqlite::{Connection, OpenFlags, TransactionBehavior};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use tetrion_files::{FileError, OfFile};

/// Why an operation on a book failed.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// There is none.
    #[error("there is no score book at {}: choose its folder with --data", .0.display())]
    Missing(PathBuf),
    /// It can't be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// It can't be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Another file can't be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A backup of a damaged book might replace a good one.
    #[error("the score book is damaged, so it was not backed up: {0}")]
    Damaged(String),
    /// There is no such score.
    #[error("there is no score {0}: nothing was removed")]
    NoScore(i64),
    /// There is no score by this player.
    #[error("there is no score by '{0}': nothing was removed")]
    NoPlayer(String),
    /// A line can't be read as a game.
    #[error("line {number} is not a game of a score book: {reason}; nothing was imported")]
    Line {
        /// The number of the line, from 1.
        number: usize,
        /// What is wrong.
        reason: String,
    },
}

impl From<rusqlite::Error> for BookError {
    fn from(error: rusqlite::Error) -> BookError {
        BookError::Store(error.into())
    }
}

/// A book to read, of any version, even a damaged one, and while a server uses it.
pub struct Book {
    pub(super) connection: Connection,
    pub(super) version: i32,
    path: PathBuf,
}

/// What verifying a book found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Verified {
    /// Games whose replay gives the entry.
    pub games: u64,
    /// Games that were ranked apart before because their replays don't verify.
    pub known: u64,
    /// What is wrong with the others.
    pub wrong: Vec<String>,
}

/// Scores to remove.
pub enum Selection<'s> {
    /// By their numbers.
    Ids(&'s [i64]),
    /// All by this player.
    Player(&'s str),
}

impl Book {
    /// Opens a book.
    pub fn read(path: &Path) -> Result<Book, BookError> {
        let missing = || BookError::Missing(path.to_owned());
        if !path.exists() {
            return Err(missing());
        }
        let explain = |error: rusqlite::Error| OpenError::new(path, &error);
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags).map_err(explain)?;
        connection.busy_timeout(BUSY_TIMEOUT).map_err(explain)?;
        connection.pragma_update(None, "query_only", true).map_err(explain)?;
        let version = version(&connection, path)?.ok_or_else(missing)?;
        Ok(Book { connection, version, path: path.to_owned() })
    }

    /// How many games it has.
    pub fn games(&self) -> Result<u64, BookError> {
        let games =
            self.connection.query_row("SELECT count(*) FROM score", [], |row| row.get::<_, u32>(0))?;
        Ok(games.into())
    }

    /// What is damaged; nothing if the book is whole.
    pub fn damage(&self) -> Result<Vec<String>, BookError> {
        Ok(check::damage(&self.connection, self.version)?)
    }

    /// Replays every game, and compares the entry with what the replay gives. Calls `done` for each.
    pub fn verify(&self, mut done: impl FnMut()) -> Result<Verified, BookError> {
        let mut verified = Verified::default();
        let mut unreadable = Unreadable::default();
        for stored in Entries::new(&self.connection, self.version)? {
            match stored.map(|stored| (difference(&stored.entry), stored.entry)) {
                Ok((None, _)) => verified.games += 1,
                Ok((_, entry)) if entry.unverified.as_deref() == Some(NO_LONGER_VERIFIES) => {
                    verified.known += 1;
                }
                Ok((Some(reason), entry)) => {
                    verified.wrong.push(format!("score {} by {:?}: {reason}", entry.id, entry.player));
                }
                Err((id, error)) => unreadable.add(id, &error),
            }
            done();
        }
        verified.wrong.extend(unreadable.into_reports());
        Ok(verified)
    }

    /// Writes a copy of the book to another file: completely, or not at all.
    pub fn back_up(&self, to: &Path) -> Result<(), BookError> {
        if let Some(damage) = self.damage()?.into_iter().next() {
            return Err(BookError::Damaged(damage));
        }
        copy(&self.path, to)
    }
}

/// How an entry differs from what its replay gives.
fn difference(entry: &Entry) -> Option<String> {
    let game = match ReplayedGame::verify(&entry.replay) {
        Ok(game) => ReplayedGame { unverified: entry.unverified.clone(), ticket: entry.ticket, ..game },
        Err(rejection) => return Some(rejection.to_string()),
    };
    let replayed = Entry::new(entry.id, game, entry.at, entry.replay.clone());
    (replayed != *entry).then(|| "its entry does not match its replay".to_owned())
}

/// Copies a book that others may be writing to.
pub(super) fn copy(from: &Path, to: &Path) -> Result<(), BookError> {
    let folder = to.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let copy = tempfile::NamedTempFile::new_in(folder).of("write", to)?;
    let name = copy.path().to_str().ok_or_else(|| io::Error::other("its name is not UTF-8 text"));
    let connection = Connection::open(from)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    let name = name.of("write", to)?;
    connection.execute("VACUUM INTO ?1", [name]).map_err(io::Error::other).of("write", to)?;
    let mut copied = File::open(copy.path()).of("read", copy.path())?;
    tetrion_files::write_whole_with(to, |out| io::copy(&mut copied, out).map(|_| ()))?;
    Ok(())
}

/// Removes scores from the book, and returns them: all of the selection, or none if one of them is not there.
pub fn remove(path: &Path, selection: &Selection) -> Result<Vec<Entry>, BookError> {
    if !path.exists() {
        return Err(BookError::Missing(path.to_owned()));
    }
    let mut connection = open(path)?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let ids = match *selection {
        Selection::Ids(ids) => ids.to_vec(),
        Selection::Player(player) => ids_of(&transaction, player)?,
    };
    let mut removed = Vec::with_capacity(ids.len());
    for id in ids {
        removed.push(entry::find(&transaction, id)?.ok_or(BookError::NoScore(id))?);
        transaction.execute("DELETE FROM score WHERE id = ?1", [id])?;
    }
    transaction.commit()?;
    Ok(removed)
}

fn ids_of(connection: &Connection, player: &str) -> Result<Vec<i64>, BookError> {
    let mut query = connection.prepare("SELECT id FROM score WHERE player = ?1 ORDER BY id")?;
    let ids = query.query_map([player], |row| row.get(0))?.collect::<rusqlite::Result<Vec<_>>>()?;
    if ids.is_empty() { Err(BookError::NoPlayer(player.to_owned())) } else { Ok(ids) }
}
