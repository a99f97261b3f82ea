//! The leaderboards on disk: replayed games in an SQLite file, each with its replay.
//!
//! One thread writes. Games that arrive while it waits for the disk are written together in the next transaction, so that
//! many can be stored in a second although each is on the disk before it is acknowledged.

use crate::verify::ReplayedGame;
use rusqlite::ffi::SQLITE_IOERR_WRITE;
use rusqlite::{
    Connection, ErrorCode, OpenFlags, OptionalExtension, Row, Transaction, TransactionBehavior, params,
};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, SystemTime};
use tetrion_leaderboard::Leaderboard;
use tokio::sync::{mpsc, oneshot};
use ts_rs::TS;

/// Marks an SQLite file as ours: "TSCO".
const APPLICATION_ID: i32 = 0x5453_434f;
/// The version of the schema.
const SCHEMA_VERSION: i32 = 2;
/// How long to wait for another process that writes.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// Games that can wait for the writer, and the most that it writes in one transaction.
const MAX_BATCH: usize = 256;

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
        replay BLOB NOT NULL
    ) STRICT;
    CREATE INDEX ranking ON score (mode, played_by, unverified IS NULL, first, second, id);
    CREATE INDEX game ON score (digest);
";

/// What to do about a file that can't be written.
const MAKE_WRITABLE: &str = "make it writable, or choose another folder";

/// The best games of a leaderboard, either the verified ones or the others.
const BEST_GAMES: &str = "
    SELECT id, mode, player, played_by, outcome, micros, pieces, lines, score, keys, at, unverified FROM score
    WHERE mode = ?1 AND played_by = ?2 AND (unverified IS NULL) = ?3 ORDER BY first, second, id LIMIT ?4
";

/// Why a file can't hold the leaderboards.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// It is something else.
    #[error("{} is not a leaderboard file: move it away, or choose another folder", .0.display())]
    NotLeaderboards(PathBuf),
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
    /// It can't be opened or created.
    #[error("can't open the leaderboard file {}: {reason}", path.display())]
    Failed {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
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
    /// The disk is full, most often.
    #[error("the score was not saved: {0}; make room on the disk and send it again")]
    Disk(String),
    /// Another process is writing.
    #[error("another program has locked the leaderboards: try again in a moment")]
    Locked,
    /// The file can't be read any more.
    #[error("the leaderboard file is damaged: {0}; move it away, then start afresh or restore a backup")]
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
fn has_no_room(error: &rusqlite::Error) -> bool {
    let full = error.sqlite_error_code() == Some(ErrorCode::DiskFull);
    // Where files are limited in size, writing fails in another way.
    full || error.sqlite_error().is_some_and(|error| error.extended_code == SQLITE_IOERR_WRITE)
}

/// A score that was stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct AcceptedScore {
    /// The score's number.
    pub id: i64,
    /// The place on its leaderboard, from 1, among the verified games or among the others.
    pub rank: i64,
    /// Why the game is ranked apart; null if it is verified.
    pub unverified: Option<String>,
}

/// A score on a leaderboard.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct Score {
    /// The score's number.
    pub id: i64,
    /// The place, from 1, among the verified games or among the others.
    pub rank: i64,
    /// The mode.
    #[ts(type = "Mode")]
    pub mode: String,
    /// The player's name.
    pub player: String,
    /// Who competed.
    #[ts(type = "Competitor")]
    pub by: String,
    /// How the game ended.
    #[ts(type = "Outcome")]
    pub outcome: String,
    /// Microseconds played; null where the game has no time.
    pub micros: Option<i64>,
    /// Pieces placed.
    pub pieces: i64,
    /// Lines cleared.
    pub lines: i64,
    /// Points.
    pub score: i64,
    /// Keys pressed; null for agents.
    pub keys: Option<i64>,
    /// When it was stored, in seconds since 1970.
    pub at: i64,
    /// Why the game is ranked apart; null if it is verified.
    pub unverified: Option<String>,
}

/// A game on its way to the writer.
struct Submission {
    game: ReplayedGame,
    replay: Vec<u8>,
    reply: oneshot::Sender<Result<AcceptedScore, StoreError>>,
}

/// The leaderboards on disk.
#[derive(Debug)]
pub struct ScoreStore {
    reader: Mutex<Connection>,
    /// None once the store is being closed.
    queue: Option<mpsc::Sender<Submission>>,
    writer: Option<JoinHandle<()>>,
}

impl ScoreStore {
    /// Opens the file, or creates it.
    pub fn open(path: &Path) -> Result<ScoreStore, OpenError> {
        let failed = |reason: String| OpenError::Failed { path: path.to_owned(), reason };
        let explain = |error: rusqlite::Error| match error.sqlite_error_code() {
            _ if has_no_room(&error) => failed(format!("{error}; make room on the disk")),
            Some(ErrorCode::NotADatabase) => OpenError::NotLeaderboards(path.to_owned()),
            Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => {
                failed(format!("{error}; {MAKE_WRITABLE}"))
            }
            _ => failed(error.to_string()),
        };
        let mut connection = Connection::open(path).map_err(explain)?;
        connection.busy_timeout(BUSY_TIMEOUT).map_err(explain)?;
        // SQLite opens such a file all the same, to read it.
        if connection.is_readonly("main").map_err(explain)? {
            return Err(failed(format!("it is read-only; {MAKE_WRITABLE}")));
        }
        prepare(&mut connection, path).map_err(explain)??;
        connection.pragma_update(None, "journal_mode", "WAL").map_err(explain)?;
        connection.pragma_update(None, "synchronous", "FULL").map_err(explain)?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let reader = Connection::open_with_flags(path, flags).map_err(explain)?;
        reader.busy_timeout(BUSY_TIMEOUT).map_err(explain)?;
        reader.pragma_update(None, "query_only", true).map_err(explain)?;
        let (queue, submissions) = mpsc::channel(MAX_BATCH);
        let writer = std::thread::Builder::new()
            .name("leaderboards".to_owned())
            .spawn(move || write_all(connection, submissions))
            .map_err(|error| failed(error.to_string()))?;
        Ok(ScoreStore { reader: Mutex::new(reader), queue: Some(queue), writer: Some(writer) })
    }

    /// Stores a game. When this returns, it is on the disk.
    pub async fn add(&self, game: ReplayedGame, replay: Vec<u8>) -> Result<AcceptedScore, StoreError> {
        let gone = || StoreError::Failed("they are closed".to_owned());
        let (reply, answer) = oneshot::channel();
        let queue = self.queue.as_ref().ok_or_else(gone)?;
        queue.send(Submission { game, replay, reply }).await.map_err(|_| gone())?;
        answer.await.map_err(|_| gone())?
    }

    /// The best games of a leaderboard: the verified ones, or those that are ranked apart.
    pub fn best(
        &self,
        leaderboard: Leaderboard,
        verified: bool,
        limit: usize,
    ) -> Result<Vec<Score>, StoreError> {
        let reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
        let mut query = reader.prepare_cached(BEST_GAMES)?;
        let Leaderboard { mode, competitor } = leaderboard;
        let rows =
            query.query_map(params![mode.name(), competitor.name(), verified, limit as i64], listed)?;
        let scores = (1..).zip(rows).map(|(rank, score)| Ok(Score { rank, ..score? }));
        scores.collect()
    }

    /// The replay of a game.
    pub fn replay(&self, id: i64) -> Result<Option<Vec<u8>>, StoreError> {
        let reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
        let mut query = reader.prepare_cached("SELECT replay FROM score WHERE id = ?1")?;
        Ok(query.query_row([id], |row| row.get(0)).optional()?)
    }
}

impl Drop for ScoreStore {
    /// Everything that was sent is written first.
    fn drop(&mut self) {
        self.queue = None;
        if let Some(writer) = self.writer.take() {
            // If the writer panicked, that was reported already.
            let _ = writer.join();
        }
    }
}

/// Checks that the file holds our tables, and creates them in an empty file.
fn prepare(connection: &mut Connection, path: &Path) -> rusqlite::Result<Result<(), OpenError>> {
    // Before anything is written: locking alone would fail on a file that is something else, and say less.
    connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
    // Nobody else creates them at the same time.
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let number = |pragma: &str| transaction.pragma_query_value(None, pragma, |row| row.get::<_, i32>(0));
    let tables: i64 = transaction.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    match (number("application_id")?, number("user_version")?) {
        (APPLICATION_ID, SCHEMA_VERSION) => {}
        (APPLICATION_ID, version) if version > SCHEMA_VERSION => {
            return Ok(Err(OpenError::Newer { path: path.to_owned(), version }));
        }
        (0, 0) if tables == 0 => {
            transaction.execute_batch(SCHEMA)?;
            transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
            transaction.pragma_update(None, "user_version", SCHEMA_VERSION)?;
        }
        _ => return Ok(Err(OpenError::NotLeaderboards(path.to_owned()))),
    }
    // If the table has other columns, this fails now and not at the first request.
    transaction.prepare(BEST_GAMES)?;
    transaction.commit()?;
    Ok(Ok(()))
}

/// Writes what arrives until nobody can send any more.
fn write_all(mut connection: Connection, mut submissions: mpsc::Receiver<Submission>) {
    while let Some(submission) = submissions.blocking_recv() {
        let mut batch = vec![submission];
        while batch.len() < MAX_BATCH
            && let Ok(submission) = submissions.try_recv()
        {
            batch.push(submission);
        }
        let results = write(&mut connection, &batch);
        for (index, submission) in batch.into_iter().enumerate() {
            let result = match &results {
                Ok(results) => results[index].clone(),
                Err(error) => Err(error.clone()),
            };
            // The client may have gone.
            let _ = submission.reply.send(result);
        }
    }
}

/// Writes games in one transaction: all that are new, or none.
fn write(
    connection: &mut Connection,
    batch: &[Submission],
) -> Result<Vec<Result<AcceptedScore, StoreError>>, StoreError> {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let mut results = Vec::with_capacity(batch.len());
    for Submission { game, replay, .. } in batch {
        results.push(insert(&transaction, game, replay, now)?);
    }
    transaction.commit()?;
    Ok(results)
}

fn insert(
    transaction: &Transaction,
    game: &ReplayedGame,
    replay: &[u8],
    now: u64,
) -> rusqlite::Result<Result<AcceptedScore, StoreError>> {
    let Leaderboard { mode, competitor } = game.leaderboard;
    let [first, second] = game.leaderboard.standing(game.micros, game.pieces, game.score);
    // People may improve on a game of their own, such as by placing the same pieces in less time.
    let known = transaction
        .prepare_cached(
            "SELECT id FROM score WHERE digest = ?1
             AND NOT (played_by = 'person' AND ?2 = 'person' AND player = ?3 AND (first, second) > (?4, ?5))",
        )?
        .query_row(params![game.digest, competitor.name(), game.player, first, second], |row| row.get(0))
        .optional()?;
    if let Some(id) = known {
        return Ok(Err(StoreError::Duplicate(id)));
    }
    let ticket_used =
        transaction.prepare_cached("SELECT 1 FROM score WHERE ticket = ?1")?.exists([game.ticket])?;
    if ticket_used {
        return Ok(Err(StoreError::TicketUsed));
    }
    transaction
        .prepare_cached(
            "INSERT INTO score (mode, played_by, player, outcome, micros, pieces, lines, score, keys, at,
                                first, second, unverified, ticket, digest, replay)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)",
        )?
        .execute(params![
            mode.name(),
            competitor.name(),
            game.player,
            game.outcome.name(),
            game.micros.map(|micros| micros as i64),
            game.pieces,
            game.lines,
            game.score as i64,
            game.keys.map(|keys| keys as i64),
            now as i64,
            first,
            second,
            game.unverified,
            game.ticket,
            game.digest,
            replay,
        ])?;
    let id = transaction.last_insert_rowid();
    let verified = game.unverified.is_none();
    let rank = transaction
        .prepare_cached(
            "SELECT count(*) FROM score WHERE mode = ?1 AND played_by = ?2 AND (unverified IS NULL) = ?3
             AND (first, second, id) <= (?4, ?5, ?6)",
        )?
        .query_row(params![mode.name(), competitor.name(), verified, first, second, id], |row| row.get(0))?;
    Ok(Ok(AcceptedScore { id, rank, unverified: game.unverified.clone() }))
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
        unverified: row.get(11)?,
    })
}
