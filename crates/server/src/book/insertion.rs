//! Which games enter the book, and which leave it.

use super::StoreError;
use super::entry::Entry;
use crate::verify::ReplayedGame;
use rusqlite::{OptionalExtension, ToSql, Transaction, params};
use std::collections::HashMap;
use tetrion_leaderboard::{Category, Day};

/// The most games that a leaderboard keeps. Verified games and those ranked apart are counted separately.
pub const MAX_GAMES: i64 = 10_000;
/// The most games of one player among them.
pub const MAX_GAMES_PER_PLAYER: i64 = 100;

/// How many days the leaderboard of a daily is kept.
pub const DAILY_DAYS: u16 = 30;

/// A game to store: when it arrived, in seconds since 1970, and its replay.
pub(crate) struct NewGame {
    pub(crate) game: ReplayedGame,
    pub(crate) at: i64,
    pub(crate) replay: Vec<u8>,
}

/// Stores games, and returns the entry of each. Games that are not among the best any more leave the book.
pub(crate) fn insert(
    transaction: &Transaction,
    games: Vec<NewGame>,
) -> rusqlite::Result<Vec<Result<Entry, StoreError>>> {
    let mut entries = Vec::with_capacity(games.len());
    let mut removed = HashMap::new();
    for NewGame { game, at, replay } in games {
        if let Category::Daily(day) = game.leaderboard.category {
            remove_dailies_until(transaction, day.before(DAILY_DAYS))?;
        }
        let entry = Entry::new(next_id(transaction)?, game, at, replay);
        if let Some(refusal) = refusal(transaction, &entry)? {
            entries.push(Err(refusal));
            continue;
        }
        write(transaction, &entry)?;
        let beyond = remove_beyond(transaction, Among::Player, &entry, MAX_GAMES_PER_PLAYER)?;
        removed.extend(beyond.into_iter().map(|id| (id, StoreError::NotAmongOwnBest)));
        entries.push(Ok(entry));
    }
    // Counting the games of a leaderboard takes a while, so each is counted once.
    let leaderboard = |entry: &Entry| (entry.mode.clone(), entry.by.clone(), entry.unverified.is_none());
    let leaderboards: HashMap<_, &Entry> =
        entries.iter().flatten().map(|entry| (leaderboard(entry), entry)).collect();
    for entry in leaderboards.into_values() {
        let beyond = remove_beyond(transaction, Among::Leaderboard, entry, MAX_GAMES)?;
        removed.extend(beyond.into_iter().map(|id| (id, StoreError::NotAmongBest)));
    }
    let kept = |entry: Entry| removed.get(&entry.id).cloned().map_or(Ok(entry), Err);
    Ok(entries.into_iter().map(|entry| entry.and_then(kept)).collect())
}

/// Removes the games of old dailies. Their names are in the order of the days.
fn remove_dailies_until(transaction: &Transaction, day: Day) -> rusqlite::Result<usize> {
    transaction
        .prepare_cached("DELETE FROM score WHERE mode BETWEEN 'daily-' AND ?1")?
        .execute([Category::Daily(day).to_string()])
}

/// Why the book can't have a game.
fn refusal(transaction: &Transaction, entry: &Entry) -> rusqlite::Result<Option<StoreError>> {
    if let Some(id) = duplicate(transaction, entry)? {
        return Ok(Some(StoreError::Duplicate(id)));
    }
    let used = transaction.prepare_cached("SELECT 1 FROM score WHERE ticket = ?1")?.exists([entry.ticket])?;
    Ok(used.then_some(StoreError::TicketUsed))
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

/// Games that a game is compared with.
enum Among {
    /// All on its leaderboard, with the same kind of verification.
    Leaderboard,
    /// Those of its player.
    Player,
}

/// Removes the games beyond the best `most`, and returns their ids.
fn remove_beyond(
    transaction: &Transaction,
    among: Among,
    entry: &Entry,
    most: i64,
) -> rusqlite::Result<Vec<i64>> {
    let verified = entry.unverified.is_none();
    let parameters: [&dyn ToSql; 5] = [&entry.mode, &entry.by, &verified, &most, &entry.player];
    let (of_player, parameters) = match among {
        Among::Leaderboard => ("", &parameters[..4]),
        Among::Player => ("AND player = ?5", &parameters[..]),
    };
    transaction
        .prepare_cached(&format!(
            "DELETE FROM score WHERE id IN (
                SELECT id FROM score WHERE mode = ?1 AND played_by = ?2 AND (unverified IS NULL) = ?3 {of_player}
                ORDER BY first, second, id LIMIT -1 OFFSET ?4
             ) RETURNING id"
        ))?
        .query_map(parameters, |row| row.get(0))?
        .collect()
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
