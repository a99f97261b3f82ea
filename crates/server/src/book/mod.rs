//! The score book: the file with the leaderboards, an SQLite database of replayed games.
//!
//! `open` creates the file, refuses a damaged one, and migrates one of an earlier version. [`Book`] looks after a book, whether
//! a server uses it or not.

mod care;
mod check;
mod entry;
mod insertion;
mod migration;
mod transfer;

pub use care::{Book, BookError, Selection, Verified, remove};
pub use entry::Entry;
pub use insertion::{DAILY_DAYS, MAX_GAMES, MAX_GAMES_PER_PLAYER};
pub use transfer::{Imported, import};

pub(crate) use insertion::{NewGame, insert, rank};

use rusqlite::ffi::SQLITE_IOERR_WRITE;
use rusqlite::{Connection, ErrorCode, Transaction, TransactionBehavior};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The name of the book in the data folder.
pub const FILE_NAME: &str = "scores.sqlite";

/// Marks an SQLite file as ours: "TSCO".
const APPLICATION_ID: i32 = 0x5453_434f;
/// The version of the schema.
const SCHEMA_VERSION: i32 = 2;
/// How long to wait for another process that writes.
pub(crate) const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

const SCHEMA: &str = "
    CREATE TABLE score (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        mode TEXT NOT NULL,
        played_by TEXT NOT NULL,
        player TEXT NOT NULL,
        outcome TEXT NOT NULL,
        micros INTEGER,
        pieces INTEGER NOT NULL,
        lines INTEGER NOT NULL,
        score INTEGER NOT NULL,
        keys INTEGER,
        at INTEGER NOT NULL,
        -- What a leaderboard is ordered by, whatever the mode: less is better.
        first INTEGER NOT NULL,
        second INTEGER NOT NULL,
        -- Why the game is ranked apart; null if it is verified.
        unverified TEXT,
        -- A ticket is good for one game.
        ticket BLOB UNIQUE,
        -- Finds the same game, whoever sends it.
        digest BLOB NOT NULL,
        replay BLOB NOT NULL,
        -- The CRC-32 of everything else in the row: SQLite does not notice a changed value.
        checksum INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX ranking ON score (mode, played_by, unverified IS NULL, first, second, id);
    CREATE INDEX ranking_of_player ON score (player, mode, played_by, unverified IS NULL, first, second, id);
    CREATE INDEX game ON score (digest);
";

/// What to do about a file that can't be written.
const MAKE_WRITABLE: &str = "make it writable, or choose another folder";

/// Why a file can't be used as the score book.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// It is something else.
    #[error("{} is not a score book: move it away, restore a backup, or choose another folder", .0.display())]
    NotABook(PathBuf),
    /// A later version of this program wrote it.
    #[error(
        "{} has version {version}, but this program reads only up to {SCHEMA_VERSION}: use the newer program, or choose another folder",
        path.display()
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: i32,
    },
    /// Its contents are damaged.
    #[error(
        "the score book {} is damaged: {reason}; restore a backup, or save what can be read with 'tetrion book export', move the \
         damaged file away and use 'tetrion book import' (see docs/SERVER.md)",
        path.display()
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The first thing that is wrong.
        reason: String,
    },
    /// It can't be opened or created.
    #[error("can't open the score book {}: {reason}", path.display())]
    Failed {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
}

impl OpenError {
    /// Says what an error of SQLite means for a file that is being opened.
    pub(crate) fn new(path: &Path, error: &rusqlite::Error) -> OpenError {
        let (path, reason) = (path.to_owned(), error.to_string());
        match error.sqlite_error_code() {
            _ if has_no_room(error) => {
                OpenError::Failed { path, reason: format!("{reason}; make room on the disk") }
            }
            Some(ErrorCode::NotADatabase) => OpenError::NotABook(path),
            Some(ErrorCode::DatabaseCorrupt) => OpenError::Damaged { path, reason },
            Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => {
                OpenError::Failed { path, reason: format!("{reason}; {MAKE_WRITABLE}") }
            }
            _ => OpenError::Failed { path, reason },
        }
    }
}

/// Why a score was not stored or found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The same game was stored before.
    #[error("this game is already on the leaderboard, as score {0}: a game counts once")]
    Duplicate(i64),
    /// Another game was stored with the same ticket.
    #[error("another game was played with this game's ticket: a ticket is good for one game")]
    TicketUsed,
    /// Its leaderboard is full of better games.
    #[error(
        "the game was not kept: a leaderboard keeps its best {MAX_GAMES} games, and all of them are better"
    )]
    NotAmongBest,
    /// The player has better ones.
    #[error(
        "the game was not kept: a leaderboard keeps the best {MAX_GAMES_PER_PLAYER} games of a player, and all of them are better"
    )]
    NotAmongOwnBest,
    /// The disk is full, most often.
    #[error("the score was not saved: {0}; make room on the disk and send it again")]
    Disk(String),
    /// Another process is writing.
    #[error("another program has locked the leaderboards: try again in a moment")]
    Locked,
    /// The file can't be read any more.
    #[error("the score book is damaged: {0}; stop the server and see 'tetrion book check'")]
    Damaged(String),
    /// Something else went wrong.
    #[error("the leaderboards failed: {0}")]
    Failed(String),
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> StoreError {
        match error.sqlite_error_code() {
            _ if has_no_room(&error) => StoreError::Disk(error.to_string()),
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Locked,
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
                StoreError::Damaged(error.to_string())
            }
            _ => StoreError::Failed(error.to_string()),
        }
    }
}

/// Whether the disk did not take what was written.
pub(crate) fn has_no_room(error: &rusqlite::Error) -> bool {
    let full = error.sqlite_error_code() == Some(ErrorCode::DiskFull);
    // Where files are limited in size, writing fails in another way.
    full || error.sqlite_error().is_some_and(|error| error.extended_code == SQLITE_IOERR_WRITE)
}

/// Opens the book to write to it, or creates it. A book of an earlier version is migrated.
pub(crate) fn open(path: &Path) -> Result<Connection, OpenError> {
    let explain = |error: rusqlite::Error| OpenError::new(path, &error);
    let mut connection = Connection::open(path).map_err(explain)?;
    connection.busy_timeout(BUSY_TIMEOUT).map_err(explain)?;
    // SQLite opens such a file all the same, to read it.
    if connection.is_readonly("main").map_err(explain)? {
        let reason = format!("it is read-only; {MAKE_WRITABLE}");
        return Err(OpenError::Failed { path: path.to_owned(), reason });
    }
    let version = version(&connection, path)?;
    if let Some(version) = version
        && let Some(reason) = check::damage(&connection, version).map_err(explain)?.into_iter().next()
    {
        return Err(OpenError::Damaged { path: path.to_owned(), reason });
    }
    connection.pragma_update(None, "journal_mode", "WAL").map_err(explain)?;
    connection.pragma_update(None, "synchronous", "FULL").map_err(explain)?;
    if version != Some(SCHEMA_VERSION) {
        update(&mut connection, path)?;
    }
    Ok(connection)
}

/// Creates the tables, or migrates those of an earlier version.
fn update(connection: &mut Connection, path: &Path) -> Result<(), OpenError> {
    let explain = |error: rusqlite::Error| OpenError::new(path, &error);
    // Nobody else does so at the same time. If somebody has done so in the meantime, the version says it.
    let transaction =
        connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(explain)?;
    match version(&transaction, path)? {
        None => create(&transaction).map_err(explain)?,
        Some(SCHEMA_VERSION) => {}
        Some(version) => migration::migrate(&transaction, path, version)?,
    }
    transaction.commit().map_err(explain)
}

/// Creates the tables of the newest version.
fn create(transaction: &Transaction) -> rusqlite::Result<()> {
    transaction.execute_batch(SCHEMA)?;
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", SCHEMA_VERSION)
}

/// The version of a book, from 1; `None` for an empty file.
fn version(connection: &Connection, path: &Path) -> Result<Option<i32>, OpenError> {
    let explain = |error: rusqlite::Error| OpenError::new(path, &error);
    let number = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, i32>(0)).map_err(explain);
    let tables = number("SELECT count(*) FROM sqlite_schema")?;
    match (number("PRAGMA application_id")?, number("PRAGMA user_version")?) {
        (APPLICATION_ID, version @ 1..=SCHEMA_VERSION) => Ok(Some(version)),
        (APPLICATION_ID, version) if version > SCHEMA_VERSION => {
            Err(OpenError::Newer { path: path.to_owned(), version })
        }
        (0, 0) if tables == 0 => Ok(None),
        _ => Err(OpenError::NotABook(path.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commit_waits_for_the_disk() {
        let folder = tempfile::tempdir().unwrap();
        let connection = open(&folder.path().join(FILE_NAME)).unwrap();
        let journal: String = connection.pragma_query_value(None, "journal_mode", |row| row.get(0)).unwrap();
        let synchronous: i32 = connection.pragma_query_value(None, "synchronous", |row| row.get(0)).unwrap();
        // 2 is FULL.
        assert_eq!((journal.as_str(), synchronous), ("wal", 2));
    }
}
