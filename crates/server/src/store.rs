//! The score book as the server uses it.
//!
//! One thread writes. Games that arrive while it waits for the disk are written together in the next transaction, so that
//! many can be stored in a second although each is on the disk before it is acknowledged.

use crate::book::{self, BUSY_TIMEOUT, NewGame, OpenError};
use crate::office::wall_time;
use crate::verify::ReplayedGame;
use rusqlite::{Connection, OpenFlags, OptionalExtension, Row, TransactionBehavior, params};
use serde::Serialize;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::thread::JoinHandle;
use tetrion_leaderboard::Leaderboard;
use tokio::sync::{mpsc, oneshot};
use ts_rs::TS;

pub use crate::book::StoreError;

/// Games that can wait for the writer, and the most that it writes in one transaction.
const MAX_BATCH: usize = 256;

/// The best games of a leaderboard, either the verified ones or the others.
const BEST_GAMES: &str = "
    SELECT id, mode, player, played_by, outcome, micros, pieces, lines, score, keys, at, unverified FROM score
    WHERE mode = ?1 AND played_by = ?2 AND (unverified IS NULL) = ?3 ORDER BY first, second, id LIMIT ?4
";

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
    /// The category of its leaderboard.
    #[ts(type = "Category")]
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
    /// Opens the book, or creates it.
    pub fn open(path: &Path) -> Result<ScoreStore, OpenError> {
        let explain = |error: rusqlite::Error| OpenError::new(path, &error);
        let connection = book::open(path)?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let reader = Connection::open_with_flags(path, flags).map_err(explain)?;
        reader.busy_timeout(BUSY_TIMEOUT).map_err(explain)?;
        reader.pragma_update(None, "query_only", true).map_err(explain)?;
        // If the table has other columns, this fails now and not at the first request.
        reader.prepare(BEST_GAMES).map_err(explain)?;
        let (queue, submissions) = mpsc::channel(MAX_BATCH);
        let writer = std::thread::Builder::new()
            .name("leaderboards".to_owned())
            .spawn(move || write_all(connection, submissions))
            .map_err(|error| OpenError::Failed { path: path.to_owned(), reason: error.to_string() })?;
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
        let Leaderboard { category, competitor } = leaderboard;
        let parameters = params![category.to_string(), competitor.name(), verified, limit as i64];
        let rows = query.query_map(parameters, listed)?;
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

/// Writes what arrives until nobody can send any more.
fn write_all(mut connection: Connection, mut submissions: mpsc::Receiver<Submission>) {
    while let Some(submission) = submissions.blocking_recv() {
        let mut batch = vec![submission];
        while batch.len() < MAX_BATCH
            && let Ok(submission) = submissions.try_recv()
        {
            batch.push(submission);
        }
        let at = wall_time() / 1_000_000;
        let (games, replies) = batch
            .into_iter()
            .map(|Submission { game, replay, reply }| (NewGame { game, at: at as i64, replay }, reply))
            .unzip::<_, _, Vec<_>, Vec<_>>();
        let results = write(&mut connection, games);
        for (index, reply) in replies.into_iter().enumerate() {
            let result = match &results {
                Ok(results) => results[index].clone(),
                Err(error) => Err(error.clone()),
            };
            // The client may have gone.
            let _ = reply.send(result);
        }
    }
}

/// Writes games in one transaction: all that are new, or none.
fn write(
    connection: &mut Connection,
    games: Vec<NewGame>,
) -> Result<Vec<Result<AcceptedScore, StoreError>>, StoreError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let mut results = Vec::with_capacity(games.len());
    for entry in book::insert(&transaction, games)? {
        results.push(match entry {
            Ok(entry) => {
                let rank = book::rank(&transaction, &entry)?;
                Ok(AcceptedScore { id: entry.id, rank, unverified: entry.unverified })
            }
            Err(error) => Err(error),
        });
    }
    transaction.commit()?;
    Ok(results)
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
