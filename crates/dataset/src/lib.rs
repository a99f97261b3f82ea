//! Games as tables: one row for each placement and one for each game, in Parquet or CSV, for R, pandas, Polars and DuckDB.
//!
//! | file | holds |
//! |---|---|
//! | `column.rs`, `table.rs` | columns and tables, and the files that hold them |
//! | `placements.rs`, `games.rs` | the columns of the two tables of games |
//! | `recorder.rs` | recording games as they are played |
//! | `replays.rs` | replays as the same rows |
//! | `reader.rs` | reading tables back |
//! | `solution.rs` | the values and decisions of a solved game |
//! | `dictionary.rs` | the data dictionary, which is generated from the columns |
//!
//! To add a column, add it to the list of its table: a name, a meaning, and how to read it from a row.

mod column;
pub mod dictionary;
mod games;
mod placements;
mod reader;
mod recorder;
mod replays;
pub mod solution;
mod table;

pub use column::{Cell, Column};
pub use games::{GameRow, games};
pub use placements::{Choice, GameIdentity, MoreColumns, PlacementRow, placements};
pub use reader::{Columns, ReadError, Values};
pub use recorder::{GameLog, Recorded, RecordedFiles, Recorder};
pub use replays::record_replay;
pub use table::{
    Format, SCHEMA_KEY, SCHEMA_VERSION, TABLE_KEY, Table, TableWriter, UnknownFormat, WriteError,
};
