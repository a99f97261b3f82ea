//! Columns: a name, a meaning, and how to read the value of a row.

use arrow_array::{
    ArrayRef, BooleanArray, Float32Array, Float64Array, Int32Array, StringArray, UInt8Array, UInt32Array,
    UInt64Array,
};
use arrow_schema::{DataType, Field};
use std::borrow::Cow;
use std::sync::Arc;

/// A column of a table with rows of this type.
pub struct Column<R> {
    /// Its name in files.
    pub name: Cow<'static, str>,
    /// What it means, in a sentence or two.
    pub meaning: Cow<'static, str>,
    /// Whether a value can be missing.
    pub optional: bool,
    pub(crate) cells: Cells<R>,
}

/// How a value is read from a row.
pub(crate) type Read<R, T> = Box<dyn Fn(&R) -> Option<T> + Send + Sync>;

/// How to read the values of a column, by their type.
pub(crate) enum Cells<R> {
    Flag(Read<R, bool>),
    U8(Read<R, u8>),
    U32(Read<R, u32>),
    U64(Read<R, u64>),
    I32(Read<R, i32>),
    F32(Read<R, f32>),
    F64(Read<R, f64>),
    /// A text may be borrowed from its row.
    Text(for<'r> fn(&'r R) -> Cow<'r, str>),
    OptionalText(for<'r> fn(&'r R) -> Option<Cow<'r, str>>),
}

/// A type of values other than text.
pub trait Cell: Sized {
    #[doc(hidden)]
    #[allow(private_interfaces)]
    fn cells<R>(read: Read<R, Self>) -> Cells<R>;
}

macro_rules! cell_types {
    ($($type:ty => $cells:ident),+) => {
        $(impl Cell for $type {
            #[allow(private_interfaces)]
            fn cells<R>(read: Read<R, Self>) -> Cells<R> {
                Cells::$cells(read)
            }
        })+
    };
}

cell_types! { bool => Flag, u8 => U8, u32 => U32, u64 => U64, i32 => I32, f32 => F32, f64 => F64 }

impl<R> Column<R> {
    /// The type of its values in Arrow and Parquet.
    pub fn data_type(&self) -> DataType {
        match self.cells {
            Cells::Flag(_) => DataType::Boolean,
            Cells::U8(_) => DataType::UInt8,
            Cells::U32(_) => DataType::UInt32,
            Cells::U64(_) => DataType::UInt64,
            Cells::I32(_) => DataType::Int32,
            Cells::F32(_) => DataType::Float32,
            Cells::F64(_) => DataType::Float64,
            Cells::Text(_) | Cells::OptionalText(_) => DataType::Utf8,
        }
    }

    /// Whether its values are texts.
    pub fn is_text(&self) -> bool {
        self.data_type() == DataType::Utf8
    }

    /// The column in an Arrow schema.
    pub(crate) fn field(&self) -> Field {
        Field::new(self.name.as_ref(), self.data_type(), self.optional)
    }

    /// The values of rows as an Arrow array.
    pub(crate) fn array(&self, rows: &[R]) -> ArrayRef {
        match &self.cells {
            Cells::Flag(read) => Arc::new(rows.iter().map(read).collect::<BooleanArray>()),
            Cells::U8(read) => Arc::new(rows.iter().map(read).collect::<UInt8Array>()),
            Cells::U32(read) => Arc::new(rows.iter().map(read).collect::<UInt32Array>()),
            Cells::U64(read) => Arc::new(rows.iter().map(read).collect::<UInt64Array>()),
            Cells::I32(read) => Arc::new(rows.iter().map(read).collect::<Int32Array>()),
            Cells::F32(read) => Arc::new(rows.iter().map(read).collect::<Float32Array>()),
            Cells::F64(read) => Arc::new(rows.iter().map(read).collect::<Float64Array>()),
            Cells::Text(read) => Arc::new(StringArray::from_iter_values(rows.iter().map(read))),
            Cells::OptionalText(read) => Arc::new(rows.iter().map(read).collect::<StringArray>()),
        }
    }

    /// The value of a row as text, empty if it is missing.
    pub(crate) fn write_text<'r>(&self, row: &'r R) -> Cow<'r, str> {
        fn written<'r>(value: Option<impl ToString>) -> Cow<'r, str> {
            value.map_or(Cow::Borrowed(""), |value| Cow::Owned(value.to_string()))
        }
        match &self.cells {
            Cells::Flag(read) => read(row).map_or("", |flag| if flag { "true" } else { "false" }).into(),
            Cells::U8(read) => written(read(row)),
            Cells::U32(read) => written(read(row)),
            Cells::U64(read) => written(read(row)),
            Cells::I32(read) => written(read(row)),
            Cells::F32(read) => written(read(row)),
            Cells::F64(read) => written(read(row)),
            Cells::Text(read) => read(row),
            Cells::OptionalText(read) => read(row).unwrap_or_default(),
        }
    }
}
