//! Boards as arguments: drawn rows, a file, or a fumen, which may also have a queue and a held piece.

use crate::UsageError;
use anyhow::{Context, Result, anyhow, bail};
use std::path::Path;
use tetrion_engine::board::Board;
use tetrion_engine::piece::Piece;
use tetrion_interop::fumen::{self, Page, PageSetup};

const ACCEPTED_FORMS: &str = "give rows such as '#.../##..', a fumen, or a file with one of these";

/// Reads a board: `empty`, rows such as `#.../##..` from the top, a fumen, the path of a file with one of these, or `-` for
/// standard input.
pub fn read(text: &str) -> Result<PageSetup> {
    let path = Path::new(text);
    if path.is_dir() {
        return Err(UsageError(format!("{text} is a folder: {ACCEPTED_FORMS}")).into());
    }
    if text == "-" || path.exists() {
        return parse(&tetrion_files::read_text(path)?)
            .map_err(|reason| anyhow!("{text} does not contain a board: {reason}"));
    }
    if let Some(unknown) = unknown_cell(text)
        && !is_fumen(text)
        && text.trim() != EMPTY
    {
        let reason = format!("there is no file {text}, and '{unknown}' is not a cell of a board");
        return Err(UsageError(format!("{reason}: {ACCEPTED_FORMS}")).into());
    }
    parse(text).map_err(|reason| UsageError(reason.to_string()).into())
}

const EMPTY: &str = "empty";

fn parse(text: &str) -> Result<PageSetup> {
    let text = text.trim();
    if is_fumen(text) {
        return Ok(fumen::decode(text)?.first().map(Page::setup).context("the fumen has no pages")??);
    }
    let board = if text == EMPTY { Board::guideline() } else { rows(&text.replace('/', "\n"))? };
    Ok(PageSetup { board, hold: None, queue: Vec::new() })
}

fn rows(rows: &str) -> Result<Board> {
    if rows.trim().is_empty() {
        bail!("the board has no rows: use {EMPTY} for an empty one");
    }
    if let Some(unknown) = unknown_cell(rows) {
        bail!("'{unknown}' is not a cell of a board: use . and #");
    }
    Ok(rows.parse()?)
}

fn is_fumen(text: &str) -> bool {
    text.contains('@')
}

/// The first character that is neither a cell nor a separator of rows.
pub fn unknown_cell(rows: &str) -> Option<char> {
    let is_cell = |c: char| "._-#Xx/".contains(c) || c.is_whitespace() || Piece::from_letter(c).is_some();
    rows.chars().find(|c| !is_cell(*c))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tetrion_engine::piece::parse_queue;

    #[test]
    fn drawn_rows_files_and_fumens_are_the_same_board() {
        let board = |text: &str| read(text).unwrap().board;
        let drawn = board("XX......../###......./IIIIO_____/SSTTZZ----");
        assert_eq!(drawn.to_string(), "##........\n###.......\n#####.....\n######....");
        let fumen = "v115@9gB8HeC8GeE8EeF8NeAgH";
        assert_eq!(board(fumen), drawn);
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in [("rows", drawn.to_string()), ("fumen", format!("{fumen}\n"))] {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            assert_eq!(board(path.to_str().unwrap()), drawn);
        }
        assert!(board("empty").is_empty());
        assert!(board("v115@vhAAgH").is_empty());
    }

    #[test]
    fn a_fumen_brings_its_queue_and_hold() {
        let quiz = read("v115@vhGSSYXAFLDmClcJSAVDEHBEooRBMoAVBUtfBAXsBA?AANrBmnBAAAAAA").unwrap();
        assert_eq!((quiz.hold, quiz.queue), (None, parse_queue("LTSJ").unwrap()));
    }

    #[test]
    fn wrong_boards_are_refused_with_the_reason() {
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
