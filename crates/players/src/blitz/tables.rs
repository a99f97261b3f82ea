//! The learned tables of [`value`](super::value), as data.

use super::value::{Aspect, ENTRIES};
use std::fmt::Write;
use std::sync::OnceLock;

/// A table of points for each [`Aspect`].
#[derive(Clone, Debug, PartialEq)]
pub struct Tables(Box<[i32; ENTRIES]>);

/// The largest entry, and the smallest below 0.
const MAX_ENTRY: i32 = 10_000;

impl Tables {
    /// Tables with these entries, one table after the other.
    pub fn new(entries: [i32; ENTRIES]) -> Tables {
        Tables(Box::new(entries.map(|entry| entry.clamp(-MAX_ENTRY, MAX_ENTRY))))
    }

    /// The entries, one table after the other.
    pub fn entries(&self) -> [i32; ENTRIES] {
        *self.0
    }

    /// The tables that the agents play with.
    pub fn learned() -> &'static Tables {
        static LEARNED: OnceLock<Tables> = OnceLock::new();
        LEARNED.get_or_init(|| {
            Tables::parse(include_str!("tables.toml"))
                .unwrap_or_else(|error| panic!("blitz/tables.toml: {error}"))
        })
    }

    /// Reads tables from TOML: a list of whole numbers for each aspect.
    pub fn parse(text: &str) -> Result<Tables, String> {
        let tables: toml::Table = toml::from_str(text).map_err(|error| error.message().to_owned())?;
        let mut entries = Vec::new();
        for aspect in Aspect::ALL {
            let table = tables.get(aspect.name()).and_then(toml::Value::as_array);
            let table = table.ok_or_else(|| format!("{aspect} must be a list of whole numbers"))?;
            if table.len() != aspect.entries() {
                return Err(format!("{aspect} must have {} entries, not {}", aspect.entries(), table.len()));
            }
            for entry in table {
                let entry = entry.as_integer().and_then(|entry| i32::try_from(entry).ok());
                let entry = entry.filter(|entry| entry.abs() <= MAX_ENTRY);
                entries.push(entry.ok_or_else(|| {
                    format!("the entries of {aspect} must be whole numbers from -{MAX_ENTRY} to {MAX_ENTRY}")
                })?);
            }
        }
        let entries: Box<[i32; ENTRIES]> =
            entries.into_boxed_slice().try_into().map_err(|_| "the tables have the wrong size".to_owned())?;
        Ok(Tables(entries))
    }

    /// The tables as TOML.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for aspect in Aspect::ALL {
            let table = &self.0[aspect.start()..][..aspect.entries()];
            // Writing to a string can't fail.
            let _ = writeln!(text, "{aspect} = [");
            for line in table.chunks(32) {
                let line: Vec<String> = line.iter().map(i32::to_string).collect();
                let _ = writeln!(text, "    {},", line.join(", "));
            }
            text.push_str("]\n");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_read_as_they_were_written() {
        let tables = Tables::new(std::array::from_fn(|at| at as i32 - 1_000));
        assert_eq!(Tables::parse(&tables.to_text()), Ok(tables));
    }

    #[test]
    fn wrong_tables_are_refused() {
        let text = Tables::new([7; ENTRIES]).to_text();
        let refused = |from: &str, to: &str| Tables::parse(&text.replacen(from, to, 1)).unwrap_err();
        assert!(refused("holes", "beauty").contains("holes must be a list"));
        assert!(refused("7,", "7, 8,").contains("holes must have 1 entries, not 2"));
        assert!(refused("7,", "99999,").contains("whole numbers from -10000 to 10000"));
        assert!(refused("7,", "0.5,").contains("whole numbers"));
    }
}
