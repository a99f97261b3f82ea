//! A game in the book: one row of its table.

use super::SCHEMA_VERSION;
use crate::verify::ReplayedGame;
use rusqlite::{Connection, OptionalExtension, Row, Statement};
use serde::Serialize;
use tetrion_leaderboard::Leaderboard;

/// Why games of people from books of version 1 are ranked apart.
pub(crate) const BEFORE_TICKETS: &str = "played before this server gave tickets";

/// How many ids to try that can't be read. It takes seconds.
const MAX_ATTEMPTS: u32 = 1_000_000;

/// A game in the book.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Entry {
    /// The score's number.
    pub id: i64,
    /// The category of its leaderboard: `sprint` is the one of 40 lines.
    pub mode: String,
    /// Who competed.
    pub by: String,
    /// The player's name.
    pub player: String,
    /// How the game ended.
    pub outcome: String,
    /// Microseconds played, by people.
    pub micros: Option<i64>,
    /// Pieces placed.
    pub pieces: i64,
    /// Lines cleared.
    pub lines: i64,
    /// Points.
    pub score: i64,
    /// Keys pressed, by people.
    pub keys: Option<i64>,
    /// When it was stored, in seconds since 1970.
    pub at: i64,
    /// Its [`Leaderboard::standing`].
    pub standing: [i64; 2],
    /// Why the game is ranked apart; `None` if it is verified.
    pub unverified: Option<String>,
    /// The number of its ticket.
    pub ticket: Option<[u8; 16]>,
    /// Identifies the game: see [`ReplayedGame::digest`].
    pub digest: [u8; 32],
    /// The replay file.
    #[serde(with = "serde_bytes")]
    pub replay: Vec<u8>,
}

impl Entry {
    /// The entry of a game.
    pub(crate) fn new(id: i64, game: ReplayedGame, at: i64, replay: Vec<u8>) -> Entry {
        let Leaderboard { category, competitor } = game.leaderboard;
        Entry {
            id,
            mode: category.to_string(),
            by: competitor.name().to_owned(),
            outcome: game.outcome.name().to_owned(),
            micros: game.micros.map(|micros| micros as i64),
            pieces: game.pieces.into(),
            lines: game.lines.into(),
            score: game.score as i64,
            keys: game.keys.map(|keys| keys as i64),
            at,
            standing: game.leaderboard.standing(game.micros, game.pieces, game.score),
            player: game.player,
            unverified: game.unverified,
            ticket: game.ticket,
            digest: game.digest,
            replay,
        }
    }

    /// The CRC-32 of the entry.
    pub(crate) fn checksum(&self) -> u32 {
        crc32fast::hash(&postcard::to_allocvec(self).expect("an entry can be written to memory"))
    }
}

/// An entry as it was read.
pub(crate) struct StoredEntry {
    pub(crate) entry: Entry,
    /// Version 1 has none.
    checksum: Option<u32>,
}

impl StoredEntry {
    /// Why it is not what was written.
    pub(crate) fn damage(&self) -> Option<String> {
        let changed = self.checksum.is_some_and(|checksum| checksum != self.entry.checksum());
        changed.then(|| format!("score {} has changed: its checksum does not match", self.entry.id))
    }
}

/// Reads the entries of a book in the order of their ids, also those of a damaged book.
pub(crate) struct Entries<'c> {
    query: Statement<'c>,
    /// Where to go on; `None` at the end.
    next: Option<i64>,
    /// The highest id, as far as it is known.
    last: i64,
    /// How many more ids to try that may not be readable. In a damaged book, `last` may be any number.
    attempts: u32,
}

impl<'c> Entries<'c> {
    /// All entries of a book of this version.
    pub(crate) fn new(connection: &'c Connection, version: i32) -> rusqlite::Result<Entries<'c>> {
        let query = connection.prepare(&select(version, "id >= ?1 ORDER BY id LIMIT 1"))?;
        let number = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, i64>(0));
        let last = number("SELECT coalesce(max(id), 0) FROM score")
            .or_else(|_| number("SELECT seq FROM sqlite_sequence WHERE name = 'score'"));
        Ok(Entries { query, next: Some(1), last: last.unwrap_or(0), attempts: MAX_ATTEMPTS })
    }
}

impl Iterator for Entries<'_> {
    /// Or the smallest id that can't be read, and why.
    type Item = Result<StoredEntry, (i64, rusqlite::Error)>;

    fn next(&mut self) -> Option<Self::Item> {
        let first = self.next.take()?;
        match self.query.query_row([first], read).optional() {
            Ok(stored) => {
                let stored = stored?;
                self.next = stored.entry.id.max(first).checked_add(1);
                Some(Ok(stored))
            }
            Err(error) => {
                // The next one may be in another part of the file.
                self.next = (first < self.last && self.attempts > 0).then_some(first + 1);
                self.attempts = self.attempts.saturating_sub(1);
                Some(Err((first, error)))
            }
        }
    }
}

/// The entry with this id, in a book of the newest version.
pub(crate) fn find(connection: &Connection, id: i64) -> rusqlite::Result<Option<Entry>> {
    let mut query = connection.prepare_cached(&select(SCHEMA_VERSION, "id = ?1"))?;
    query.query_row([id], |row| Ok(read(row)?.entry)).optional()
}

/// The query for entries of a book of this version.
fn select(version: i32, condition: &str) -> String {
    let added_in_2 = match version {
        1 => format!("CASE played_by WHEN 'person' THEN '{BEFORE_TICKETS}' END, NULL, NULL"),
        _ => "unverified, ticket, checksum".to_owned(),
    };
    format!(
        "SELECT id, mode, played_by, player, outcome, micros, pieces, lines, score, keys, at, first, second, digest, replay,
                {added_in_2}
         FROM score WHERE {condition}"
    )
}

fn read(row: &Row) -> rusqlite::Result<StoredEntry> {
    let entry = Entry {
        id: row.get(0)?,
        mode: row.get(1)?,
        by: row.get(2)?,
        player: row.get(3)?,
        outcome: row.get(4)?,
        micros: row.get(5)?,
        pieces: row.get(6)?,
        lines: row.get(7)?,
        score: row.get(8)?,
        keys: row.get(9)?,
        at: row.get(10)?,
        standing: [row.get(11)?, row.get(12)?],
        digest: row.get(13)?,
        replay: row.get(14)?,
        unverified: row.get(15)?,
        ticket: row.get(16)?,
    };
    Ok(StoredEntry { entry, checksum: row.get(17)? })
}
