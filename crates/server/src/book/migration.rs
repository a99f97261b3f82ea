//! Brings books of earlier versions to the newest one.
//!
//! | version | programs | differences |
//! |---|---|---|
//! | 1 | 0.1.0 | no tickets and no marks; the digest covers the use of hold, and is unique |
//! | 2 | later ones | |

use super::care::copy;
use super::entry::{Entries, Entry};
use super::{OpenError, create, insertion};
use crate::verify::ReplayedGame;
use rusqlite::{Connection, Transaction};
use std::path::{Path, PathBuf};

/// Why a game whose replay does not verify any more is ranked apart.
pub(super) const NO_LONGER_VERIFIES: &str = "its replay no longer verifies";

/// Where the book of an earlier version is kept.
fn copy_path(path: &Path, version: i32) -> PathBuf {
    path.with_file_name(format!("scores-version-{version}.sqlite"))
}

/// Replaces the tables of an earlier version. A copy of the old book stays beside the new one.
pub(super) fn migrate(transaction: &Transaction, path: &Path, version: i32) -> Result<(), OpenError> {
    let explain = |error: rusqlite::Error| OpenError::new(path, &error);
    let old_path = copy_path(path, version);
    eprintln!("updating {}: the old file is kept as {}", path.display(), old_path.display());
    copy(path, &old_path)
        .map_err(|error| OpenError::Failed { path: path.to_owned(), reason: error.to_string() })?;
    let old = Connection::open(&old_path).map_err(explain)?;
    transaction.execute_batch("DROP TABLE score").map_err(explain)?;
    create(transaction).map_err(explain)?;
    for stored in Entries::new(&old, version).map_err(explain)? {
        let stored = stored.map_err(|(_, error)| explain(error))?;
        let entry = migrated(transaction, stored.entry).map_err(explain)?;
        insertion::write(transaction, &entry).map_err(explain)?;
    }
    Ok(())
}

/// The entry as the newest version has it. No game is lost: one that does not verify any more is ranked apart.
fn migrated(transaction: &Transaction, old: Entry) -> rusqlite::Result<Entry> {
    let Ok(game) = ReplayedGame::verify(&old.replay) else {
        return Ok(Entry { unverified: Some(NO_LONGER_VERIFIES.to_owned()), ..old });
    };
    let game = ReplayedGame { unverified: old.unverified, ticket: old.ticket, ..game };
    let entry = Entry::new(old.id, game, old.at, old.replay);
    Ok(match insertion::duplicate(transaction, &entry)? {
        Some(id) if entry.unverified.is_none() => {
            Entry { unverified: Some(format!("the same placements as score {id}")), ..entry }
        }
        _ => entry,
    })
}
