//! Tables: what each kind of row is called, its columns, and the files that hold it.

use crate::column::{Cell, Cells, Column};
use arrow_array::RecordBatch;
use arrow_schema::{Schema, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use std::borrow::Cow;
use std::collections::HashMap;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tetrion_files::{FileError, OfFile, WholeFile};

/// The version of all tables. It changes if a column changes its meaning, its type or its name, or is no longer there; not if
/// one is added.
pub const SCHEMA_VERSION: u8 = 1;

/// The keys of a Parquet file's metadata: the version of the tables, and which of them it is.
pub const SCHEMA_KEY: &str = "tetrion:schema";
/// See [`SCHEMA_KEY`].
pub const TABLE_KEY: &str = "tetrion:table";

/// A kind of row, with its columns.
pub struct Table<R> {
    /// What the rows are, in the plural.
    pub name: &'static str,
    /// The columns, in the order of the file.
    pub columns: Vec<Column<R>>,
}

impl<R> Table<R> {
    /// A table with one column, as every table has it: the schema version.
    pub fn new(name: &'static str) -> Table<R> {
        Table { name, columns: Vec::new() }
            .column("schema", "The version of this table's columns.", |_| SCHEMA_VERSION)
    }

    /// Adds a column in which every row has a value.
    pub fn column<T: Cell>(
        mut self,
        name: impl Into<Cow<'static, str>>,
        meaning: impl Into<Cow<'static, str>>,
        read: impl Fn(&R) -> T + Send + Sync + 'static,
    ) -> Table<R> {
        let cells = T::cells(Box::new(move |row| Some(read(row))));
        self.columns.push(Column { name: name.into(), meaning: meaning.into(), optional: false, cells });
        self
    }

    /// Adds a column in which values can be missing.
    pub fn optional<T: Cell>(
        mut self,
        name: impl Into<Cow<'static, str>>,
        meaning: impl Into<Cow<'static, str>>,
        read: impl Fn(&R) -> Option<T> + Send + Sync + 'static,
    ) -> Table<R> {
        let cells = T::cells(Box::new(read));
        self.columns.push(Column { name: name.into(), meaning: meaning.into(), optional: true, cells });
        self
    }

    /// Adds a column in which every row has a text.
    pub fn text(
        mut self,
        name: &'static str,
        meaning: &'static str,
        read: for<'r> fn(&'r R) -> Cow<'r, str>,
    ) -> Table<R> {
        let cells = Cells::Text(read);
        self.columns.push(Column { name: name.into(), meaning: meaning.into(), optional: false, cells });
        self
    }

    /// Adds a column of texts, which can be missing.
    pub fn optional_text(
        mut self,
        name: &'static str,
        meaning: &'static str,
        read: for<'r> fn(&'r R) -> Option<Cow<'r, str>>,
    ) -> Table<R> {
        let cells = Cells::OptionalText(read);
        self.columns.push(Column { name: name.into(), meaning: meaning.into(), optional: true, cells });
        self
    }

    /// What every file of the table says about itself.
    fn metadata(&self) -> [(&'static str, String); 2] {
        [(SCHEMA_KEY, SCHEMA_VERSION.to_string()), (TABLE_KEY, self.name.to_owned())]
    }

    /// Its Arrow schema. The metadata are those of Parquet files.
    pub fn schema(&self) -> SchemaRef {
        let fields: Vec<_> = self.columns.iter().map(Column::field).collect();
        let metadata = self.metadata().map(|(key, value)| (key.to_owned(), value));
        Arc::new(Schema::new_with_metadata(fields, HashMap::from(metadata)))
    }

    /// Rows in Arrow's format.
    pub fn batch(&self, rows: &[R]) -> RecordBatch {
        let arrays = self.columns.iter().map(|column| column.array(rows)).collect();
        RecordBatch::try_new(self.schema(), arrays).expect("every array comes from its own column")
    }
}

/// A format of tables in files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Apache Parquet: small, typed, with the schema version in its metadata.
    Parquet,
    /// Comma-separated text with a header.
    Csv,
}

impl Format {
    /// The format of a file, by the end of its name.
    pub fn of(path: &Path) -> Result<Format, UnknownFormat> {
        let is =
            |format: &str| path.extension().is_some_and(|end| end.eq_ignore_ascii_case(OsStr::new(format)));
        match (is("parquet"), is("csv")) {
            (true, _) => Ok(Format::Parquet),
            (_, true) => Ok(Format::Csv),
            _ => Err(UnknownFormat(path.to_owned())),
        }
    }
}

/// A file whose name does not say which format it should have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown format {}: use a name that ends in .parquet or .csv", .0.display())]
pub struct UnknownFormat(pub PathBuf);

/// Why a table could not be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The name does not say in which format.
    #[error(transparent)]
    Format(#[from] UnknownFormat),
    /// The file could not be written.
    #[error(transparent)]
    File(#[from] FileError),
}

/// Rows are encoded in batches of this many.
const BATCH_ROWS: usize = 8_192;
/// A row group of a Parquet file is written when it has this many rows: what a reader needs at a time, and what is in memory
/// until then.
const ROW_GROUP_ROWS: usize = 1 << 17;

/// A table that is being written. The file gets its name when it is [finished](TableWriter::finish).
pub struct TableWriter<R> {
    table: Table<R>,
    path: PathBuf,
    encoder: Encoder,
    batch: Vec<R>,
    rows: u64,
}

enum Encoder {
    Parquet(Box<ArrowWriter<WholeFile>>),
    Csv(Box<csv::Writer<WholeFile>>),
}

impl<R> TableWriter<R> {
    /// Starts a file, in the format that its name says.
    pub fn create(path: &Path, table: Table<R>) -> Result<TableWriter<R>, WriteError> {
        let format = Format::of(path)?;
        let file = WholeFile::create(path)?;
        let encoder = match format {
            Format::Parquet => {
                let metadata = table.metadata().into_iter();
                let metadata = metadata.map(|(key, value)| KeyValue::new(key.to_owned(), value));
                let properties = WriterProperties::builder()
                    .set_compression(Compression::SNAPPY)
                    .set_key_value_metadata(Some(metadata.collect()))
                    .set_max_row_group_row_count(Some(ROW_GROUP_ROWS))
                    .build();
                let writer = ArrowWriter::try_new(file, table.schema(), Some(properties));
                Encoder::Parquet(Box::new(writer.map_err(of_parquet).of("write", path)?))
            }
            Format::Csv => {
                let mut writer = csv::Writer::from_writer(file);
                let header = table.columns.iter().map(|column| column.name.as_ref());
                writer.write_record(header).map_err(io::Error::from).of("write", path)?;
                Encoder::Csv(Box::new(writer))
            }
        };
        Ok(TableWriter { table, path: path.to_owned(), encoder, batch: Vec::new(), rows: 0 })
    }

    /// Adds a row.
    pub fn write(&mut self, row: R) -> Result<(), WriteError> {
        self.batch.push(row);
        self.rows += 1;
        if self.batch.len() == BATCH_ROWS { self.encode() } else { Ok(()) }
    }

    /// The rows written so far.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    fn encode(&mut self) -> Result<(), WriteError> {
        let rows = std::mem::take(&mut self.batch);
        let encoded = match &mut self.encoder {
            Encoder::Parquet(writer) => writer.write(&self.table.batch(&rows)).map_err(of_parquet),
            Encoder::Csv(writer) => rows.iter().try_for_each(|row| {
                let cells = self.table.columns.iter().map(|column| column.write_text(row).into_owned());
                writer.write_record(cells).map_err(io::Error::from)
            }),
        };
        Ok(encoded.of("write", &self.path)?)
    }

    /// Completes the file.
    pub fn finish(mut self) -> Result<(), WriteError> {
        self.encode()?;
        let file = match self.encoder {
            Encoder::Parquet(writer) => writer.into_inner().map_err(of_parquet),
            Encoder::Csv(writer) => writer.into_inner().map_err(|error| io::Error::other(error.to_string())),
        };
        Ok(file.of("write", &self.path)?.finish()?)
    }
}

/// The reason behind an error of the Parquet writer, which is that of the file in all but impossible cases.
fn of_parquet(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(error) => match error.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(error) => io::Error::other(error),
        },
        error => io::Error::other(error),
    }
}
