//! Fumens, the text in which players share boards. Only the board of the first page is read.
//!
//! After the version and an `@` come digits to the base 64, the lowest first. The cells of the board from the top, and a row of
//! garbage below it, are run-length coded by how their colour changes from the page before; then comes the page's piece.

use crate::UsageError;
use tetrion_engine::piece::{Orientation, Piece};

const COLUMNS: usize = 10;
/// By the number of their colour, from 1.
const PIECES: [Piece; 7] = [Piece::I, Piece::L, Piece::O, Piece::Z, Piece::T, Piece::J, Piece::S];
/// By their number.
const ORIENTATIONS: [Orientation; 4] =
    [Orientation::South, Orientation::East, Orientation::North, Orientation::West];
/// Of a colour that does not change.
const SAME: usize = 8;

/// The rows of the first page's board from the highest that is not empty, drawn, with the page's piece in its place.
pub fn first_page(text: &str) -> Result<String, UsageError> {
    let (before, data) = text.split_once('@').unwrap_or(("", text));
    let rows = match before.get(before.len().saturating_sub(3)..) {
        Some("115") => 23,
        Some("110") => 21,
        _ => return wrong("only versions 115 and 110 are known, such as v115@vhAAgH"),
    };
    let data = data.split('&').next().unwrap_or_default();
    let mut digits = Digits(data.chars().filter(|c| *c != '?' && !c.is_whitespace()));
    // The row of garbage is coded with the others.
    let mut board = field(&mut digits, (rows + 1) * COLUMNS)?;
    place(&mut digits, &mut board, rows)?;
    let rows: Vec<String> = board[..rows * COLUMNS].chunks(COLUMNS).map(String::from_iter).collect();
    let is_empty = |row: &&String| row.chars().all(|cell| cell == '.');
    let top = rows.iter().take_while(is_empty).count().min(rows.len() - 1);
    Ok(rows[top..].join("\n"))
}

fn wrong<T>(reason: &str) -> Result<T, UsageError> {
    Err(UsageError(format!("the fumen can't be read: {reason}")))
}

/// The cells, from the top left.
fn field(digits: &mut Digits<impl Iterator<Item = char>>, cells: usize) -> Result<Vec<char>, UsageError> {
    let mut field = Vec::new();
    let mut changed = false;
    while field.len() < cells {
        let run = digits.number(2)?;
        let (change, length) = (run / cells, run % cells + 1);
        // All is empty before the first page.
        let Some(colour @ 0..=8) = change.checked_sub(SAME) else {
            return wrong("a cell has a colour that there is not");
        };
        changed |= change != SAME;
        field.resize(field.len() + length, if colour == 0 { '.' } else { '#' });
    }
    if field.len() > cells {
        return wrong("its board has too many cells");
    }
    if !changed {
        // How many more pages are the same.
        digits.number(1)?;
    }
    Ok(field)
}

/// Fills the cells of the page's piece, if it has one.
fn place(
    digits: &mut Digits<impl Iterator<Item = char>>,
    board: &mut [char],
    rows: usize,
) -> Result<(), UsageError> {
    use Orientation::{East, North, South, West};
    let number = digits.number(3)?;
    let Some(&piece) = (number % 8).checked_sub(1).and_then(|colour| PIECES.get(colour)) else {
        return Ok(());
    };
    let orientation = ORIENTATIONS[number / 8 % 4];
    let at = number / 32 % ((rows + 1) * COLUMNS);
    // Fumens have centres of their own for some pieces.
    let (right, down) = match (piece, orientation) {
        (Piece::O, West) => (1, 1),
        (Piece::O | Piece::I, South) | (Piece::Z, West) => (1, 0),
        (Piece::O | Piece::S | Piece::Z, North) | (Piece::I, West) => (0, 1),
        (Piece::S, East) => (-1, 0),
        _ => (0, 0),
    };
    let (x, y) = ((at % COLUMNS) as i32 + right, (at / COLUMNS) as i32 + down);
    for (dx, dy) in piece.cells(orientation) {
        let (x, y) = (x + i32::from(dx), y - i32::from(dy));
        if !(0..COLUMNS as i32).contains(&x) || !(0..rows as i32).contains(&y) {
            return wrong("its piece is outside the board");
        }
        board[x as usize + y as usize * COLUMNS] = '#';
    }
    Ok(())
}

struct Digits<I>(I);

impl<I: Iterator<Item = char>> Digits<I> {
    /// The next number of so many digits.
    fn number(&mut self, digits: u32) -> Result<usize, UsageError> {
        let mut number = 0;
        for place in 0..digits {
            let digit = match self.0.next() {
                Some(c @ 'A'..='Z') => c as usize - 'A' as usize,
                Some(c @ 'a'..='z') => c as usize - 'a' as usize + 26,
                Some(c @ '0'..='9') => c as usize - '0' as usize + 52,
                Some('+') => 62,
                Some('/') => 63,
                Some(c) => return wrong(&format!("'{c}' is no digit of a fumen")),
                None => return wrong("it ends too early"),
            };
            number += digit << (6 * place);
        }
        Ok(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tetrion_engine::randomizer::Random;

    #[test]
    fn boards_are_read_as_other_programs_write_them() {
        let read = |text| first_page(text).unwrap();
        // From the tests of solution-finder and tetris-fumen.
        assert_eq!(read("v115@9gB8HeC8FeD8EeF8EeA8JeAgWbBxXHDBQGDSA1d0AC?DYHDBQzuRA"), {
            "##........\n###......#\n###.....##\n####.....#"
        });
        assert_eq!(read("v115@LhC8BeB8BeH8BeD8BeA8JeAgH"), "....###..#\n#..#######\n#..####..#");
        assert_eq!(read("http://fumen.zui.jp/?v115@DhD8FeD8EeE8GeC8JeAgH"), {
            "......####\n......####\n.....#####\n.......###"
        });
        assert_eq!(read("v110@7eAA4G"), "..........");
        // A Z is about to be placed beside the I, the O and the S.
        assert_eq!(read("d115@9gwhIewhIewhRpBeR4CewhRpAeR4NesKJ"), {
            "#.........\n#...#.....\n#######...\n######...."
        });
    }

    #[test]
    fn garbage_is_refused_whatever_it_is() {
        for text in
            ["@", "é@", "v115@", "v115@vh", "v115@AA", "v115@!!", "v999@vhAAgH", "v115@//////////////"]
        {
            assert!(first_page(text).is_err(), "{text}");
        }
        let mut random = Random::new(1);
        for _ in 0..20_000 {
            let letters = ["A", "8", "g", "h", "v", "e", "/", "9", "?", "é", " "];
            let data: String = (0..random.below(40)).map(|_| letters[random.below(11) as usize]).collect();
            let version = ["v115@9g", "v110@", "v115@vhA"][random.below(3) as usize];
            // Whether it can be read or not: it must not panic.
            let _ = first_page(&format!("{version}{data}"));
        }
    }
}
