//! Boards as a user gives them: drawn rows, a file, or a fumen.

use crate::{UsageError, file};
use anyhow::{Result, anyhow, bail};
use std::path::Path;
use tetrion_engine::board::Board;
use tetrion_engine::piece::Piece;
use tetrion_interop::fumen;

const FORMS: &str = "give rows such as '#.../##..', a fumen, or a file with one of these";

/// Reads a board: `empty`, rows such as `#.../##..` from the top, a fumen, or the path of a file with one of these.
pub fn read(text: &str) -> Result<Board> {
    let path = Path::new(text);
    if path.is_dir() {
        return Err(UsageError(format!("{text} is a folder: {FORMS}")).into());
    }
    if path.is_file() {
        let inside = String::from_utf8(file::read(path)?)
            .map_err(|_| anyhow!("can't read {text}: it is no text; {FORMS}"))?;
        return parse(&inside).map_err(|reason| anyhow!("{text} holds no board: {reason}"));
    }
    if let Some(unknown) = unknown_cell(text)
        && !is_fumen(text)
        && text.trim() != EMPTY
    {
        let reason = format!("there is no file {text}, and '{unknown}' is not a cell of a board");
        return Err(UsageError(format!("{reason}: {FORMS}")).into());
    }
    parse(text).map_err(|reason| UsageError(reason.to_string()).into())
}

const EMPTY: &str = "empty";

fn parse(text: &str) -> Result<Board> {
    let text = text.trim();
    if text == EMPTY {
        return Ok(Board::guideline());
    }
    let rows = if is_fumen(text) { fumen_rows(text)? } else { text.replace('/', "\n") };
    if rows.trim().is_empty() {
        bail!("the board has no rows: say {EMPTY} for an empty one");
    }
    if let Some(unknown) = unknown_cell(&rows) {
        bail!("'{unknown}' is not a cell of a board: use . and #");
    }
    Ok(rows.parse()?)
}

fn is_fumen(text: &str) -> bool {
    text.contains('@')
}

/// The rows of the first page of a fumen.
fn fumen_rows(text: &str) -> Result<String> {
    let pages = fumen::decode(text)?;
    Ok(pages.first().map(|page| page.field.to_string()).unwrap_or_default())
}

/// What is neither empty, nor filled, nor filled by a piece, nor between rows.
fn unknown_cell(rows: &str) -> Option<char> {
    let is_cell = |c: char| "._-#Xx/".contains(c) || c.is_whitespace() || Piece::from_letter(c).is_some();
    rows.chars().find(|c| !is_cell(*c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawn_rows_files_and_fumens_are_the_same_board() {
        let drawn = read("XX......../###......./IIIIO_____/SSTTZZ----").unwrap();
        assert_eq!(drawn.to_string(), "##........\n###.......\n#####.....\n######....");
        let fumen = "v115@9gB8HeC8GeE8EeF8NeAgH";
        assert_eq!(read(fumen).unwrap(), drawn);
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in [("rows", drawn.to_string()), ("fumen", format!("{fumen}\n"))] {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            assert_eq!(read(path.to_str().unwrap()).unwrap(), drawn);
        }
        assert!(read("empty").unwrap().is_empty());
        assert!(read("v115@vhAAgH").unwrap().is_empty());
    }

    #[test]
    fn what_is_no_board_is_refused_with_the_reason() {
        for (text, reason) in [
            ("", "no rows"),
            ("nowhere.txt", "there is no file nowhere.txt, and 'n' is not a cell"),
            ("src", "src is a folder"),
            ("#.../#..", "row 2 of the board has 3 columns"),
            ("####/....", "row 1 of the board is full"),
            ("v115@", "has no pages"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }
}
