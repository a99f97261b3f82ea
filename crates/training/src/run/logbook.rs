//! Tables with a row for each generation. When a run resumes, rows after its checkpoint are removed.

use serde::Serialize;
use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use tetrion_engine::words::counted;
use tetrion_files::{FileError, OfFile};
use ts_rs::TS;

/// A generation in the logbook. The scores are those of its candidates.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, TS)]
#[ts(rename = "Row")]
pub struct LogRow {
    /// The generation, from 1.
    pub generation: u64,
    /// Candidates measured so far.
    pub evaluations: u64,
    /// Games played so far.
    pub games: u64,
    /// The best score.
    pub best: f64,
    /// The mean score.
    pub mean: f64,
    /// The standard deviation of the scores.
    pub std: f64,
    /// The worst score.
    pub min: f64,
    /// Seconds so far. Everything else is the same in every run of the same recipe.
    pub seconds: f64,
    /// Games saved by racing so far.
    pub saved: u64,
}

impl LogRow {
    /// The header of the table.
    pub(super) const HEADER: &str = "generation,evaluations,games,best,mean,std,min,seconds,saved";

    pub(super) fn to_csv(self) -> String {
        let LogRow { generation, evaluations, games, best, mean, std, min, seconds, saved } = self;
        format!("{generation},{evaluations},{games},{best},{mean},{std},{min},{seconds:.3},{saved}")
    }

    pub(super) fn parse(line: &str) -> Option<LogRow> {
        let fields: Vec<&str> = line.split(',').collect();
        let &[generation, evaluations, games, best, mean, std, min, seconds, saved] = fields.as_slice()
        else {
            return None;
        };
        Some(LogRow {
            generation: generation.parse().ok()?,
            evaluations: evaluations.parse().ok()?,
            games: games.parse().ok()?,
            best: best.parse().ok()?,
            mean: mean.parse().ok()?,
            std: std.parse().ok()?,
            min: min.parse().ok()?,
            seconds: seconds.parse().ok()?,
            saved: saved.parse().ok()?,
        })
    }
}

/// A CSV file with a header and a row for each generation.
#[derive(Debug)]
pub(super) struct CsvTable {
    path: PathBuf,
    pub(super) rows: Vec<String>,
}

impl CsvTable {
    /// Opens a table and keeps this many rows. Later rows belong to a generation that was interrupted.
    pub(super) fn open(path: PathBuf, header: &str, rows: u64) -> Result<CsvTable, FileError> {
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            Err(error) => return Err(error).of("read", &path),
        };
        let mut kept = text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
        if (kept.len() as u64) < rows {
            let reason = format!("it has {}, and the checkpoint {rows}", counted(kept.len() as u64, "row"));
            return Err(io::Error::other(reason)).of("resume with", &path);
        }
        kept.truncate(rows as usize);
        let table = CsvTable { path, rows: kept };
        let contents = table.contents(header);
        if contents != text {
            tetrion_files::write_whole(&table.path, contents.as_bytes())?;
        }
        Ok(table)
    }

    fn contents(&self, header: &str) -> String {
        [header]
            .into_iter()
            .chain(self.rows.iter().map(String::as_str))
            .map(|line| format!("{line}\n"))
            .collect()
    }

    /// Adds a row. After an error, part of it may be in the file; opening the table again removes it.
    pub(super) fn add(&mut self, row: String) -> Result<(), FileError> {
        append(&self.path, &row).of("write", &self.path)?;
        self.rows.push(row);
        Ok(())
    }
}

fn append(path: &Path, row: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().append(true).open(path)?;
    file.write_all(format!("{row}\n").as_bytes())?;
    file.sync_data()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_survives_writing_and_reading() {
        let row = LogRow {
            generation: 3,
            evaluations: 300,
            games: 2_950,
            best: 0.1 + 0.2,
            mean: -1e300,
            std: 1e-300,
            min: 0.0,
            seconds: 1.5,
            saved: 50,
        };
        assert_eq!(LogRow::parse(&row.to_csv()), Some(row));
        assert_eq!(LogRow::HEADER.split(',').count(), row.to_csv().split(',').count());
    }

    #[test]
    fn rows_of_interrupted_generations_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table.csv");
        let mut table = CsvTable::open(path.clone(), "header", 0).unwrap();
        for row in ["1", "2", "3"] {
            table.add(row.to_owned()).unwrap();
        }
        OpenOptions::new().append(true).open(&path).unwrap().write_all(b"4,torn of").unwrap();
        let table = CsvTable::open(path.clone(), "header", 2).unwrap();
        assert_eq!(table.rows, ["1", "2"]);
        assert_eq!(fs::read_to_string(&path).unwrap(), "header\n1\n2\n");
        let error = CsvTable::open(path, "header", 5).unwrap_err().to_string();
        assert!(error.contains("it has 2 rows, and the checkpoint 5"), "{error}");
    }
}
