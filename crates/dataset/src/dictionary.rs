//! The data dictionary: every column of every table with its type and meaning, as a page for people.

use crate::column::Column;
use crate::games::games;
use crate::placements::{MoreColumns, placements};
use crate::solution::solution;
use crate::table::{SCHEMA_VERSION, Table};
use std::fmt::Write;

/// The dictionary in Markdown.
pub fn dictionary() -> String {
    let mut page = format!(
        "# Data dictionary\n\n\
         Every column of the tables that `tetrion` writes, schema version {SCHEMA_VERSION}. This page is generated from the code. \
         [`DATASETS.md`](DATASETS.md) shows how to make and read the files.\n\n\
         A type with a question mark can be missing: null in Parquet, empty in CSV. Columns, rows and numbers count from 0 unless a \
         column says otherwise. Column 0 is the leftmost one, row 0 the lowest.\n"
    );
    let always = placements(MoreColumns::default());
    let more = placements(MoreColumns { features: true, choices: true });
    add_table(
        &mut page,
        &always,
        "One row for each placement: `tetrion run … --record FILE`, `tetrion replay export --to FILE`.",
    );
    let known = |column: &&Column<_>| always.columns.iter().any(|other| other.name == column.name);
    let asked: Vec<_> = more.columns.iter().filter(|column| !known(column)).collect();
    let (features, choices): (Vec<&Column<_>>, Vec<_>) = asked
        .into_iter()
        .partition(|column| column.name.starts_with("before_") || column.name.starts_with("after_"));
    page += "\nWith `--record-choices`, the table also says how the agent chose:\n\n";
    add_columns(&mut page, choices.into_iter());
    page += "\nWith `--record-features`, it also has the features of each placement and of the boards before and after it. \
             `tetrion features` says what they mean:\n\n";
    add_columns(&mut page, features.into_iter());
    add_table(
        &mut page,
        &games(),
        "One row for each game, in a second file: `NAME-games.parquet` beside `NAME.parquet`.",
    );
    add_table(
        &mut page,
        &solution(),
        "One row for each stage, board and piece of a solved game: `tetrion solve … --table FILE`.",
    );
    page
}

fn add_table<R>(page: &mut String, table: &Table<R>, description: &str) {
    *page += &format!("\n## Table `{}`\n\n{description}\n\n", table.name);
    add_columns(page, table.columns.iter());
}

fn add_columns<'c, R: 'c>(page: &mut String, columns: impl Iterator<Item = &'c Column<R>>) {
    *page += "| column | type | meaning |\n|---|---|---|\n";
    for column in columns {
        let missing = if column.optional { "?" } else { "" };
        writeln!(page, "| `{}` | {}{missing} | {} |", column.name, column.data_type(), column.meaning)
            .expect("a string can be written to");
    }
}
