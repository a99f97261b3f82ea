//! Reading tables back: only files that this program wrote, and only the columns that are wanted.

use crate::table::{SCHEMA_KEY, SCHEMA_VERSION, TABLE_KEY};
use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Float64Type, Int32Type, UInt8Type, UInt32Type, UInt64Type};
use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use tetrion_files::{FileError, OfFile};

/// Why a file is not the table that is wanted.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// It can't be opened.
    #[error(transparent)]
    File(#[from] FileError),
    /// It is no Parquet file, or not all of one.
    #[error("can't use {}: it is not a Parquet file, or it was cut off ({reason})", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What the reader says.
        reason: String,
    },
    /// It is a Parquet file of somebody else.
    #[error("can't use {}: it is not a table that tetrion wrote", .0.display())]
    Foreign(PathBuf),
    /// It is another table.
    #[error("can't use {}: it is a table of {found}, not of {wanted}", path.display())]
    OtherTable {
        /// The file.
        path: PathBuf,
        /// What it is.
        found: String,
        /// What it should be.
        wanted: String,
    },
    /// It has another version.
    #[error("can't use {}: it has schema version {found}, but this program reads version {SCHEMA_VERSION}", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: String,
    },
    /// It does not have a column.
    #[error("can't use {}: it has no column '{column}'", path.display())]
    NoColumn {
        /// The file.
        path: PathBuf,
        /// The column.
        column: String,
    },
}

/// The values of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Numbers; flags are 0 and 1.
    Numbers(Vec<Option<f64>>),
    /// Texts.
    Texts(Vec<Option<String>>),
}

/// Columns of a table, by name.
#[derive(Clone, Debug, PartialEq)]
pub struct Columns {
    /// How many rows they have.
    pub rows: usize,
    columns: BTreeMap<String, Values>,
}

impl Columns {
    /// Reads columns of a table from a Parquet file.
    pub fn read(path: &Path, table: &str, names: &[&str]) -> Result<Columns, ReadError> {
        let file = File::open(path).of("read", path)?;
        let damaged = |error: &dyn std::fmt::Display| ReadError::Damaged {
            path: path.to_owned(),
            reason: error.to_string(),
        };
        let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(|error| damaged(&error))?;
        let metadata = builder.schema().metadata();
        let (Some(found), Some(version)) = (metadata.get(TABLE_KEY), metadata.get(SCHEMA_KEY)) else {
            return Err(ReadError::Foreign(path.to_owned()));
        };
        if found != table {
            let (found, wanted) = (found.clone(), table.to_owned());
            return Err(ReadError::OtherTable { path: path.to_owned(), found, wanted });
        }
        if *version != SCHEMA_VERSION.to_string() {
            return Err(ReadError::Version { path: path.to_owned(), found: version.clone() });
        }
        for name in names {
            if builder.schema().column_with_name(name).is_none() {
                return Err(ReadError::NoColumn { path: path.to_owned(), column: (*name).to_owned() });
            }
        }
        let mask = ProjectionMask::columns(builder.parquet_schema(), names.iter().copied());
        let mut columns = Columns { rows: 0, columns: BTreeMap::new() };
        for batch in builder.with_projection(mask).build().map_err(|error| damaged(&error))? {
            let batch = batch.map_err(|error| damaged(&error))?;
            columns.rows += batch.num_rows();
            for name in names {
                let values = values(&batch[*name]);
                match (columns.columns.get_mut(*name), values) {
                    (Some(Values::Numbers(all)), Values::Numbers(more)) => all.extend(more),
                    (Some(Values::Texts(all)), Values::Texts(more)) => all.extend(more),
                    (_, values) => {
                        columns.columns.insert((*name).to_owned(), values);
                    }
                }
            }
        }
        Ok(columns)
    }

    /// The numbers of a column that was read; `None` if it holds texts.
    pub fn numbers(&self, name: &str) -> Option<&[Option<f64>]> {
        match self.columns.get(name) {
            Some(Values::Numbers(numbers)) => Some(numbers),
            _ => None,
        }
    }

    /// The texts of a column that was read; `None` if it holds numbers.
    pub fn texts(&self, name: &str) -> Option<&[Option<String>]> {
        match self.columns.get(name) {
            Some(Values::Texts(texts)) => Some(texts),
            _ => None,
        }
    }
}

fn values(array: &ArrayRef) -> Values {
    macro_rules! numbers {
        ($type:ty) => {
            Values::Numbers(
                array
                    .as_primitive::<$type>()
                    .iter()
                    .map(|number| number.map(|number| number as f64))
                    .collect(),
            )
        };
    }
    match array.data_type() {
        DataType::UInt8 => numbers!(UInt8Type),
        DataType::UInt32 => numbers!(UInt32Type),
        DataType::UInt64 => numbers!(UInt64Type),
        DataType::Int32 => numbers!(Int32Type),
        DataType::Float32 => numbers!(Float32Type),
        DataType::Float64 => numbers!(Float64Type),
        DataType::Boolean => {
            let number = |flag: Option<bool>| flag.map(|flag| f64::from(u8::from(flag)));
            Values::Numbers(array.as_boolean().iter().map(number).collect())
        }
        DataType::Utf8 => {
            Values::Texts(array.as_string::<i32>().iter().map(|text| text.map(str::to_owned)).collect())
        }
        other => unreachable!("tables have no columns of {other}"),
    }
}
