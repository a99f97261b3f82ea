//! Whether a book is damaged.

use super::entry::Entries;
use rusqlite::Connection;

/// What is damaged in a book of this version; nothing if it is whole.
///
/// SQLite's `integrity_check` finds damage to the structure of the file: pages, indexes, rows out of order. It does not notice a
/// value that has changed, such as a byte in a replay. The checksum of each row does.
pub(crate) fn damage(connection: &Connection, version: i32) -> rusqlite::Result<Vec<String>> {
    let mut damage = structural_damage(connection);
    let mut unreadable = Unreadable::default();
    for stored in Entries::new(connection, version)? {
        match stored {
            Ok(stored) => damage.extend(stored.damage()),
            Err((id, error)) => unreadable.add(id, &error),
        }
    }
    damage.extend(unreadable.into_reports());
    Ok(damage)
}

fn structural_damage(connection: &Connection) -> Vec<String> {
    let reports = || {
        let mut check = connection.prepare("PRAGMA integrity_check")?;
        let reports = check.query_map([], |row| row.get::<_, String>(0))?;
        reports.collect::<rusqlite::Result<Vec<_>>>()
    };
    match reports() {
        Ok(reports) if reports == ["ok"] => Vec::new(),
        Ok(reports) => reports.iter().flat_map(|report| report.lines()).map(str::to_owned).collect(),
        Err(error) => vec![error.to_string()],
    }
}

/// Ids that can't be read, in runs.
#[derive(Default)]
pub(crate) struct Unreadable(Vec<(i64, i64, String)>);

impl Unreadable {
    /// Adds an id that is higher than all before.
    pub(crate) fn add(&mut self, id: i64, error: &rusqlite::Error) {
        let error = error.to_string();
        match self.0.last_mut() {
            Some((_, last, reason)) if *last + 1 == id && *reason == error => *last = id,
            _ => self.0.push((id, id, error)),
        }
    }

    /// A sentence for each run.
    pub(crate) fn into_reports(self) -> impl Iterator<Item = String> {
        self.0.into_iter().map(|(first, last, reason)| match first == last {
            true => format!("score {first} can't be read: {reason}"),
            false => format!("scores {first} to {last} can't be read: {reason}"),
        })
    }
}
