//! Which games enter the book, and which leave it.

use super::StoreError;
use super::entry::Entry;
use crate::verify::ReplayedGame;
use rusqlite::{OptionalExtension, ToSql, Transaction, params};

/// The most games that a leaderboard keeps. Verified games and those ranked apart are counted separately.
pub const MAX_GAMES: i64 = 10_000;
/// The most games of one player among them.
pub const MAX_GAMES_PER_PLAYER: i64 = 100;

/// Stores a game and returns its entry. If its leaderboard is full, the last game leaves it.
pub(crate) fn insert(
    transaction: &Transaction,
    game: ReplayedGame,
    at: i64,
    replay: Vec<u8>,
) -> rusqlite::Result<Result<Entry, StoreError>> {
    let entry = Entry::new(next_id(transaction)?, game, at, replay);
    if let Some(id) = duplicate(transaction, &entry)? {
        return Ok(Err(StoreError::Duplicate(id)));
    }
    if transaction.prepare_cached("SELECT 1 FROM score WHERE ticket = ?1")?.exists([entry.ticket])? {
        return Ok(Err(StoreError::TicketUsed));
    }
    write(transaction, &entry)?;
    let kept = keep_best(transaction, &entry)?;
    Ok(kept.map(|()| entry))
}

/// An id that no game has or had. The checksum covers it, so it is chosen before the row is written.
fn next_id(transaction: &Transaction) -> rusqlite::Result<i64> {
    transaction
        .prepare_cached(
            "SELECT 1 + max(coalesce((SELECT max(id) FROM score), 0),
                            coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'score'), 0))",
        )?
        .query_row([], |row| row.get(0))
}

/// The game that makes this one a duplicate: one with the same placements. People may improve on a game of their own, such as
/// by placing the same pieces in less time.
pub(super) fn duplicate(transaction: &Transaction, entry: &Entry) -> rusqlite::Result<Option<i64>> {
    let [first, second] = entry.standing;
    transaction
        .prepare_cached(
            "SELECT id FROM score WHERE digest = ?1
             AND NOT (played_by = 'person' AND ?2 = 'person' AND player = ?3 AND (first, second) > (?4, ?5))",
        )?
        .query_row(params![entry.digest, entry.by, entry.player, first, second], |row| row.get(0))
        .optional()
}

/// Writes a row.
pub(super) fn write(transaction: &Transaction, entry: &Entry) -> rusqlite::Result<()> {
    let [first, second] = entry.standing;
    transaction
        .prepare_cached(
            "INSERT INTO score (id, mode, played_by, player, outcome, micros, pieces, lines, score, keys, at,
                                first, second, unverified, ticket, digest, replay, checksum)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)",
        )?
        .execute(params![
            entry.id,
            entry.mode,
            entry.by,
            entry.player,
            entry.outcome,
            entry.micros,
            entry.pieces,
            entry.lines,
            entry.score,
            entry.keys,
            entry.at,
            first,
            second,
            entry.unverified,
            entry.ticket,
            entry.digest,
            entry.replay,
            entry.checksum(),
        ])?;
    Ok(())
}

/// Removes the last game of the player and of the leaderboard if there are too many. That may be the new one.
///
/// One game leaves for each that enters. A book with more games than it would keep today does not lose them all at once.
fn keep_best(transaction: &Transaction, new: &Entry) -> rusqlite::Result<Result<(), StoreError>> {
    let verified = new.unverified.is_none();
    let of_leaderboard = "mode = ?1 AND played_by = ?2 AND (unverified IS NULL) = ?3";
    let of_player = "mode = ?1 AND played_by = ?2 AND (unverified IS NULL) = ?3 AND player = ?4";
    let parameters: [&dyn ToSql; 4] = [&new.mode, &new.by, &verified, &new.player];
    let last_of_player = remove_last_beyond(transaction, of_player, &parameters, MAX_GAMES_PER_PLAYER)?;
    if last_of_player == Some(new.id) {
        return Ok(Err(StoreError::NotAmongOwnBest));
    }
    let last = remove_last_beyond(transaction, of_leaderboard, &parameters[..3], MAX_GAMES)?;
    Ok(if last == Some(new.id) { Err(StoreError::NotAmongBest) } else { Ok(()) })
}

/// Removes the last of these games if there are more than `most`, and returns its id.
fn remove_last_beyond(
    transaction: &Transaction,
    games: &str,
    parameters: &[&dyn ToSql],
    most: i64,
) -> rusqlite::Result<Option<i64>> {
    let count: i64 = transaction
        .prepare_cached(&format!("SELECT count(*) FROM score WHERE {games}"))?
        .query_row(parameters, |row| row.get(0))?;
    if count <= most {
        return Ok(None);
    }
    let last = transaction
        .prepare_cached(&format!(
            "SELECT id FROM score WHERE {games} ORDER BY first DESC, second DESC, id DESC LIMIT 1"
        ))?
        .query_row(parameters, |row| row.get::<_, i64>(0))?;
    transaction.prepare_cached("DELETE FROM score WHERE id = ?1")?.execute([last])?;
    Ok(Some(last))
}

/// The place of a game on its leaderboard, from 1, among the verified games or among the others.
pub(crate) fn rank(transaction: &Transaction, entry: &Entry) -> rusqlite::Result<i64> {
    let [first, second] = entry.standing;
    let verified = entry.unverified.is_none();
    transaction
        .prepare_cached(
            "SELECT count(*) FROM score WHERE mode = ?1 AND played_by = ?2 AND (unverified IS NULL) = ?3
             AND (first, second, id) <= (?4, ?5, ?6)",
        )?
        .query_row(params![entry.mode, entry.by, verified, first, second, entry.id], |row| row.get(0))
}
