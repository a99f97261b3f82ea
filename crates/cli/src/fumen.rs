//! `tetrion fumen`: reads and writes fumens, the diagrams that players share.

use crate::draw::{self, Line, Style};
use crate::{UsageError, board_text, output};
use anyhow::{Context, Result, bail, ensure};
use std::path::Path;
use tetrion_engine::piece::Orientation;
use tetrion_engine::replay::Replay;
use tetrion_interop::fumen::{self, Document, Flags, FumenCell, FumenField, Page};

/// The subcommands of `tetrion fumen`.
#[derive(clap::Subcommand)]
pub enum Command {
    /// Draw the pages of a fumen
    Decode(DecodeOptions),
    /// Make a fumen from a replay, a drawn board, pages as JSON, or an older fumen
    Encode(EncodeOptions),
}

/// The options of `tetrion fumen decode`.
#[derive(clap::Args)]
pub struct DecodeOptions {
    /// A fumen or its URL, such as v115@vhARQJ; a file with one; or - for standard input
    fumen: String,
    /// Print one JSON document, which encode can read
    #[arg(long)]
    json: bool,
}

/// The options of `tetrion fumen encode`.
#[derive(clap::Args)]
pub struct EncodeOptions {
    /// A file or - for standard input, with a replay, a drawn board, pages as `decode --json` prints them, or a fumen of any
    /// version. Or a fumen itself. Or the rows of a board from the top, separated by /: `.`, `_` and `-` are empty, IJLOSTZ
    /// are coloured, # and X are grey
    #[arg(allow_hyphen_values = true)]
    source: String,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(command: Command) -> Result<()> {
    match command {
        Command::Decode(options) => decode(&options),
        Command::Encode(options) => encode(&options),
    }
}

fn decode(options: &DecodeOptions) -> Result<()> {
    let pages = match is_file(&options.fumen) {
        true => fumen::decode(&String::from_utf8_lossy(&tetrion_files::read(Path::new(&options.fumen))?))?,
        false if options.fumen.contains('@') => in_argument(&options.fumen)?,
        false => {
            let hint = "give a fumen such as v115@vhARQJ (in quotes, since shells read ? and &), a file with one, or -";
            return Err(UsageError(format!("there is no file {}: {hint}", options.fumen)).into());
        }
    };
    if options.json {
        return output::json(&Document::new(&pages));
    }
    let coloured = draw::colours_wanted();
    for (index, page) in pages.iter().enumerate() {
        let mut lines = vec![title(index + 1, pages.len(), page)];
        lines.extend(board(page));
        for line in lines {
            output::line(line.render(coloured).trim_end())?;
        }
    }
    Ok(())
}

/// Whether an argument names an existing file or standard input.
fn is_file(argument: &str) -> bool {
    argument == "-" || Path::new(argument).exists()
}

/// The pages of a fumen given as the argument itself.
fn in_argument(fumen: &str) -> Result<Vec<Page>, UsageError> {
    fumen::decode(fumen).map_err(|error| UsageError(error.to_string()))
}

/// The page's number, piece, flags and comment.
fn title(number: usize, count: usize, page: &Page) -> Line {
    let mut line = Line::new(Style::Strong, format!("page {number} of {count}"));
    if let Some(operation) = page.operation {
        let facing = match operation.orientation {
            Orientation::North => "spawn",
            Orientation::East => "right",
            Orientation::South => "reverse",
            Orientation::West => "left",
        };
        line.push(Style::Plain, format!("  {} {facing} ({}, {})", operation.piece, operation.x, operation.y));
    }
    let Flags { lock, mirror, rise, colorize: _, quiz: _ } = page.flags;
    for (is_set, word) in [(!lock, "no lock"), (rise, "rises"), (mirror, "mirrors")] {
        if is_set {
            line.push(Style::Plain, format!("  [{word}]"));
        }
    }
    if !page.comment.is_empty() {
        line.push(Style::Plain, format!("  {}", page.comment));
    }
    line
}

/// The field up to its highest block, with its piece, and with the garbage row if it is not empty.
fn board(page: &Page) -> Vec<Line> {
    let piece = page.operation.map(|operation| (operation.piece, operation.cells()));
    let top = piece.map_or(0, |(_, cells)| cells.map(|(_, y)| y + 1).into_iter().fold(0, i32::max) as usize);
    let row = |y: usize| {
        let mut line = Line::new(Style::Plain, "|");
        for x in 0..FumenField::WIDTH {
            match piece {
                Some((piece, cells)) if cells.contains(&(x as i32, y as i32)) => {
                    line.push(Style::Ink(piece), "[]");
                }
                _ => push_cell(&mut line, page.field.cell(x, y)),
            }
        }
        line.push(Style::Plain, " |");
        line
    };
    let rows = page.field.stack_height().max(top).clamp(1, FumenField::HEIGHT);
    let mut lines: Vec<Line> = (0..rows).rev().map(row).collect();
    lines.push(Line::new(Style::Plain, format!("+{}+", "-".repeat(2 * FumenField::WIDTH + 1))));
    let garbage = page.field.garbage();
    if garbage.iter().any(|cell| *cell != FumenCell::Empty) {
        let mut line = Line::new(Style::Plain, " ");
        garbage.into_iter().for_each(|cell| push_cell(&mut line, cell));
        lines.push(line);
    }
    lines
}

/// Adds a cell, two columns wide.
fn push_cell(line: &mut Line, cell: FumenCell) {
    match cell {
        FumenCell::Empty => line.push(Style::Dim, " ."),
        FumenCell::Piece(piece) => line.push(Style::Block(piece), format!(" {piece}")),
        FumenCell::Grey => line.push(Style::Garbage, " X"),
    }
}

fn encode(options: &EncodeOptions) -> Result<()> {
    let pages = pages(&options.source)?;
    let fumen = fumen::encode(&pages)?;
    match options.json {
        true => output::json(&serde_json::json!({ "fumen": fumen, "pages": pages.len() })),
        false => output::line(fumen),
    }
}

/// The pages in an argument or in the file that it names.
fn pages(source: &str) -> Result<Vec<Page>> {
    if !is_file(source) {
        if source.contains('@') {
            return Ok(in_argument(source)?);
        }
        return drawn(source).map_err(|reason| {
            let hint = "give rows of 10 cells from the top, separated by /";
            UsageError(format!("{source} is neither a file nor a board ({reason}): {hint}")).into()
        });
    }
    let bytes = tetrion_files::read(Path::new(source))?;
    let describe = || format!("can't use {source}");
    if bytes.starts_with(b"TETRION") {
        let replay = Replay::from_bytes(&bytes).with_context(describe)?;
        return fumen::pages_of_replay(&replay).with_context(describe);
    }
    let text = String::from_utf8(bytes)
        .ok()
        .with_context(|| format!("{source} is not a replay, a drawn board, a fumen or pages as JSON"))?;
    let text = text.trim_start_matches('\u{feff}').trim_start();
    ensure!(!text.is_empty(), "{source} is empty: draw at least one row, such as ..........");
    if text.starts_with(['{', '[']) {
        let document: Document = serde_json::from_str(text).with_context(describe)?;
        return document.pages().with_context(describe);
    }
    if text.contains('@') {
        return fumen::decode(text).with_context(describe);
    }
    let field: FumenField = text.parse().with_context(describe)?;
    Ok(vec![Page::of_field(field)])
}

/// A board whose rows are the argument itself.
fn drawn(rows: &str) -> Result<Vec<Page>> {
    ensure!(!rows.trim().is_empty(), "it has no rows");
    if let Some(unknown) = board_text::unknown_cell(rows) {
        bail!("'{unknown}' is not a cell");
    }
    let field: FumenField = rows.replace('/', "\n").parse()?;
    Ok(vec![Page::of_field(field)])
}
