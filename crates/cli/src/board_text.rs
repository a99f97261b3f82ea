//! Boards as a user gives them: drawn rows, a file, or a fumen.

use crate::{UsageError, fumen};
use anyhow::{Context, Result};
use std::path::Path;
use tetrion_engine::board::Board;
use tetrion_engine::piece::Piece;

/// Reads a board: `empty`, rows such as `#.../##..` from the top, a fumen, or the path of a file with one of these.
pub fn read(text: &str) -> Result<Board> {
    let path = Path::new(text);
    if path.is_file() {
        let text = std::fs::read_to_string(path).with_context(|| format!("can't read {text}"))?;
        return parse(&text).map_err(|error| UsageError(format!("{}: {error}", path.display())).into());
    }
    Ok(parse(text)?)
}

fn parse(text: &str) -> Result<Board, UsageError> {
    let text = text.trim();
    if text == "empty" {
        return Ok(Board::guideline());
    }
    let rows = if text.contains('@') { fumen::first_page(text)? } else { text.replace('/', "\n") };
    if rows.trim().is_empty() {
        return Err(UsageError("the board has no rows: say empty for an empty one".to_owned()));
    }
    if let Some(unknown) = rows.chars().find(|c| !c.is_whitespace() && !is_cell(*c)) {
        let forms = "give rows such as '#.../##..', a fumen, or a file with one of these";
        return Err(UsageError(format!("'{unknown}' is not a cell of a board: {forms}")));
    }
    rows.parse().map_err(|error: tetrion_engine::board::BoardError| UsageError(error.to_string()))
}

/// Empty, filled, or filled by a piece.
fn is_cell(c: char) -> bool {
    "._-#Xx".contains(c) || Piece::from_letter(c).is_some()
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
            ("nowhere.txt", "'n' is not a cell"),
            ("#.../#..", "row 2 of the board has 3 columns"),
            ("####/....", "row 1 of the board is full"),
            ("v115@", "ends too early"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }
}
