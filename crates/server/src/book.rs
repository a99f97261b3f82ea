//! The score book: ranked games in an SQLite file, each with its replay.
//!
//! One thread writes. Games that come in while it waits for the disk are written together with the next ones, so that many
//! can be kept in a second although each is on the disk before it is acknowledged.

use crate::ranked::{By, Ranked};
use rusqlite::ffi::SQLITE_IOERR_WRITE;
use rusqlite::{
    Connection, ErrorCode, OpenFlags, OptionalExtension, Row, Transaction, TransactionBehavior, params,
};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, SystemTime};
use tetrion_engine::ruleset::Mode;
use tokio::sync::{mpsc, oneshot};

/// What an SQLite file says that is a score book: "TSCO".
const APPLICATION: i32 = 0x5453_434f;
/// The version of the schema.
const VERSION: i32 = 1;
/// How long to wait for another process that writes.
const PATIENCE: Duration = Duration::from_secs(5);
/// Games that wait for the writer, and the most that it writes together.
const QUEUE: usize = 256;

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
        -- What a ranking is ordered by, whatever the mode: less is better.
        first INTEGER NOT NULL,
        second INTEGER NOT NULL,
        -- The same game is here once, whoever sends it.
        digest BLOB NOT NULL UNIQUE,
        replay BLOB NOT NULL
    ) STRICT;
    CREATE INDEX ranking ON score (mode, played_by, first, second, id);
";

/// What to do about a file that can't be written.
const UNWRITABLE: &str = "see that it can be written, or choose another folder";

/// The best games of a mode.
const BEST: &str = "
    SELECT id, mode, player, played_by, outcome, micros, pieces, lines, score, keys, at FROM score
    WHERE mode = ?1 AND played_by = ?2 ORDER BY first, second, id LIMIT ?3
";

/// Why a file can't be used as the score book.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// It is something else.
    #[error("{} is not a score book: move it away, or choose another folder", .0.display())]
    NotABook(PathBuf),
    /// It is of a later version of this program.
    #[error(
        "{} has version {version}, and this program knows up to {VERSION}: use the newer program, or choose another folder",
        path.display()
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: i32,
    },
    /// It can't be opened, or made.
    #[error("can't open the score book {}: {reason}", path.display())]
    Failed {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
}

/// Why a score was not kept or found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BookError {
    /// It is there already.
    #[error("this game is in the score book already, as score {0}: a game counts once")]
    Again(i64),
    /// The disk did not take it: most often it is full.
    #[error("the score was not kept: {0}; make room on the disk and send it again")]
    Disk(String),
    /// Another process has it.
    #[error("another program holds the score book: try again in a moment")]
    Held,
    /// What it says can't be read any more.
    #[error("the score book is damaged: {0}; move it away, and begin another or bring back a copy")]
    Damaged(String),
    /// Something else went wrong.
    #[error("the score book failed: {0}")]
    Failed(String),
}

impl From<rusqlite::Error> for BookError {
    fn from(error: rusqlite::Error) -> BookError {
        match error.sqlite_error_code() {
            _ if has_no_room(&error) => BookError::Disk(error.to_string()),
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => BookError::Held,
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
                BookError::Damaged(error.to_string())
            }
            _ => BookError::Failed(error.to_string()),
        }
    }
}

/// Whether the disk did not take what was written.
fn has_no_room(error: &rusqlite::Error) -> bool {
    let full = error.sqlite_error_code() == Some(ErrorCode::DiskFull);
    // Where files are limited in size, writing fails in another way.
    full || error.sqlite_error().is_some_and(|error| error.extended_code == SQLITE_IOERR_WRITE)
}

/// A score that was kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Kept {
    /// Its number.
    pub id: i64,
    /// Its place in its ranking, from 1.
    pub rank: i64,
}

/// A score as it is listed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Score {
    /// Its number.
    pub id: i64,
    /// Its place, from 1.
    pub rank: usize,
    /// The mode's name.
    pub mode: String,
    /// Who played.
    pub player: String,
    /// "person" or "agent".
    pub by: String,
    /// How the game ended.
    pub outcome: String,
    /// Time played, by people.
    pub micros: Option<i64>,
    /// Pieces placed.
    pub pieces: i64,
    /// Lines cleared.
    pub lines: i64,
    /// Points.
    pub score: i64,
    /// Keys pressed, by people.
    pub keys: Option<i64>,
    /// When it came in, in seconds since 1970.
    pub at: i64,
}

/// A game on its way to the writer.
struct Entry {
    game: Ranked,
    replay: Vec<u8>,
    reply: oneshot::Sender<Result<Kept, BookError>>,
}

/// The score book.
#[derive(Debug)]
pub struct Book {
    reader: Mutex<Connection>,
    /// None once the book is being closed.
    queue: Option<mpsc::Sender<Entry>>,
    writer: Option<JoinHandle<()>>,
}

impl Book {
    /// Opens a score book, or makes a new one if there is no file.
    pub fn open(path: &Path) -> Result<Book, OpenError> {
        let failed = |reason: String| OpenError::Failed { path: path.to_owned(), reason };
        let explain = |error: rusqlite::Error| match error.sqlite_error_code() {
            _ if has_no_room(&error) => failed(format!("{error}; make room on the disk")),
            Some(ErrorCode::NotADatabase) => OpenError::NotABook(path.to_owned()),
            Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => {
                failed(format!("{error}; {UNWRITABLE}"))
            }
            _ => failed(error.to_string()),
        };
        let mut connection = Connection::open(path).map_err(explain)?;
        connection.busy_timeout(PATIENCE).map_err(explain)?;
        // Such a file is opened all the same, to be read.
        if connection.is_readonly("main").map_err(explain)? {
            return Err(failed(format!("it can only be read; {UNWRITABLE}")));
        }
        prepare(&mut connection, path).map_err(explain)??;
        connection.pragma_update(None, "journal_mode", "WAL").map_err(explain)?;
        connection.pragma_update(None, "synchronous", "FULL").map_err(explain)?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let reader = Connection::open_with_flags(path, flags).map_err(explain)?;
        reader.busy_timeout(PATIENCE).map_err(explain)?;
        reader.pragma_update(None, "query_only", true).map_err(explain)?;
        let (queue, entries) = mpsc::channel(QUEUE);
        let writer = std::thread::Builder::new()
            .name("score book".to_owned())
            .spawn(move || write_all(connection, entries))
            .map_err(|error| failed(error.to_string()))?;
        Ok(Book { reader: Mutex::new(reader), queue: Some(queue), writer: Some(writer) })
    }

    /// Keeps a game. When this says so, it is on the disk.
    pub async fn add(&self, game: Ranked, replay: Vec<u8>) -> Result<Kept, BookError> {
        let gone = || BookError::Failed("it is closed".to_owned());
        let (reply, answer) = oneshot::channel();
        let queue = self.queue.as_ref().ok_or_else(gone)?;
        queue.send(Entry { game, replay, reply }).await.map_err(|_| gone())?;
        answer.await.map_err(|_| gone())?
    }

    /// The best games of a mode.
    pub fn best(&self, mode: Mode, by: By, most: usize) -> Result<Vec<Score>, BookError> {
        let reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
        let mut query = reader.prepare_cached(BEST)?;
        let rows = query.query_map(params![mode.name(), by.name(), most as i64], listed)?;
        let scores = (1..).zip(rows).map(|(rank, score)| Ok(Score { rank, ..score? }));
        scores.collect()
    }

    /// The replay of a game.
    pub fn replay(&self, id: i64) -> Result<Option<Vec<u8>>, BookError> {
        let reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
        let mut query = reader.prepare_cached("SELECT replay FROM score WHERE id = ?1")?;
        Ok(query.query_row([id], |row| row.get(0)).optional()?)
    }
}

impl Drop for Book {
    /// What was sent is written first.
    fn drop(&mut self) {
        self.queue = None;
        if let Some(writer) = self.writer.take() {
            // If the writer panicked, that was told already.
            let _ = writer.join();
        }
    }
}

/// Checks that the file is a score book of ours, and makes one of an empty file.
fn prepare(connection: &mut Connection, path: &Path) -> rusqlite::Result<Result<(), OpenError>> {
    // Before anything is written: locking alone would fail on a file that is something else, and say less.
    connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
    // Nobody else makes one at the same time.
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let number = |pragma: &str| transaction.pragma_query_value(None, pragma, |row| row.get::<_, i32>(0));
    let tables: i64 = transaction.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    match (number("application_id")?, number("user_version")?) {
        (APPLICATION, VERSION) => {}
        (APPLICATION, version) if version > VERSION => {
            return Ok(Err(OpenError::Newer { path: path.to_owned(), version }));
        }
        (0, 0) if tables == 0 => {
            transaction.execute_batch(SCHEMA)?;
            transaction.pragma_update(None, "application_id", APPLICATION)?;
            transaction.pragma_update(None, "user_version", VERSION)?;
        }
        _ => return Ok(Err(OpenError::NotABook(path.to_owned()))),
    }
    // A book whose table is another shows it now, and not to the first who asks.
    transaction.prepare(BEST)?;
    transaction.commit()?;
    Ok(Ok(()))
}

/// Writes what comes in until nobody can send any more.
fn write_all(mut connection: Connection, mut entries: mpsc::Receiver<Entry>) {
    while let Some(entry) = entries.blocking_recv() {
        let mut batch = vec![entry];
        while batch.len() < QUEUE
            && let Ok(entry) = entries.try_recv()
        {
            batch.push(entry);
        }
        let results = write(&mut connection, &batch);
        for (index, entry) in batch.into_iter().enumerate() {
            let result = match &results {
                Ok(results) => results[index].clone(),
                Err(error) => Err(error.clone()),
            };
            // Whoever asked may have gone.
            let _ = entry.reply.send(result);
        }
    }
}

/// Writes games together: all that are new, or none.
fn write(connection: &mut Connection, batch: &[Entry]) -> Result<Vec<Result<Kept, BookError>>, BookError> {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let mut results = Vec::with_capacity(batch.len());
    for Entry { game, replay, .. } in batch {
        results.push(insert(&transaction, game, replay, now)?);
    }
    transaction.commit()?;
    Ok(results)
}

fn insert(
    transaction: &Transaction,
    game: &Ranked,
    replay: &[u8],
    now: u64,
) -> rusqlite::Result<Result<Kept, BookError>> {
    let known = transaction
        .prepare_cached("SELECT id FROM score WHERE digest = ?1")?
        .query_row([game.digest], |row| row.get(0))
        .optional()?;
    if let Some(id) = known {
        return Ok(Err(BookError::Again(id)));
    }
    let [first, second] = game.standing();
    transaction
        .prepare_cached(
            "INSERT INTO score (mode, played_by, player, outcome, micros, pieces, lines, score, keys, at,
                                first, second, digest, replay)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
        )?
        .execute(params![
            game.mode.name(),
            game.by.name(),
            game.player,
            game.outcome.name(),
            game.micros.map(|micros| micros as i64),
            game.pieces,
            game.lines,
            game.score as i64,
            game.keys,
            now as i64,
            first,
            second,
            game.digest,
            replay,
        ])?;
    let id = transaction.last_insert_rowid();
    let rank = transaction
        .prepare_cached(
            "SELECT count(*) FROM score
             WHERE mode = ?1 AND played_by = ?2 AND (first, second, id) <= (?3, ?4, ?5)",
        )?
        .query_row(params![game.mode.name(), game.by.name(), first, second, id], |row| row.get(0))?;
    Ok(Ok(Kept { id, rank }))
}

fn listed(row: &Row) -> rusqlite::Result<Score> {
    Ok(Score {
        id: row.get(0)?,
        rank: 0,
        mode: row.get(1)?,
        player: row.get(2)?,
        by: row.get(3)?,
        outcome: row.get(4)?,
        micros: row.get(5)?,
        pieces: row.get(6)?,
        lines: row.get(7)?,
        score: row.get(8)?,
        keys: row.get(9)?,
        at: row.get(10)?,
    })
}
