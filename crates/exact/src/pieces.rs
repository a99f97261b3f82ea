//! The pieces of a small game: the seven tetrominoes, or shapes drawn in a text file.

use std::collections::BTreeSet;
use std::fmt;
use tetrion_engine::piece::Piece;

/// When a piece that reaches above the board loses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overflow {
    /// If any of its cells comes to rest there, as in Classic.
    BeforeClearing,
    /// If any cell is left there after full rows are cleared, as in the 3×3 game.
    AfterClearing,
}

impl Overflow {
    /// Its name in a drawing.
    pub const fn name(self) -> &'static str {
        match self {
            Overflow::BeforeClearing => "before",
            Overflow::AfterClearing => "after",
        }
    }
}

/// A piece in one orientation: its rows from the bottom up, with bit `x` set for the cell in column `x`. It touches row 0 and column 0.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Oriented(Vec<u16>);

impl Oriented {
    /// The shape of these cells (column, row), moved down and left until it touches row 0 and column 0.
    fn new(cells: &[(i32, i32)]) -> Oriented {
        let left = cells.iter().map(|cell| cell.0).min().unwrap_or(0);
        let low = cells.iter().map(|cell| cell.1).min().unwrap_or(0);
        let mut rows = Vec::new();
        for (x, y) in cells {
            let (x, y) = (x - left, (y - low) as usize);
            rows.resize(rows.len().max(y + 1), 0);
            rows[y] |= 1 << x;
        }
        Oriented(rows)
    }

    /// The cells it covers, as (column, row).
    pub fn cells(&self) -> impl Iterator<Item = (usize, usize)> {
        let row = |(y, row): (usize, &u16)| {
            let row = *row;
            (0..16).filter(move |x| row >> x & 1 == 1).map(move |x| (x, y))
        };
        self.0.iter().enumerate().flat_map(row)
    }

    /// Its width in columns.
    pub fn width(&self) -> usize {
        self.cells().map(|(x, _)| x + 1).max().unwrap_or(0)
    }

    /// Its height in rows.
    pub fn height(&self) -> usize {
        self.0.len()
    }

    /// The shape after this many clockwise quarter turns.
    fn turned(&self, quarters: usize) -> Oriented {
        let mut cells: Vec<_> = self.cells().map(|(x, y)| (x as i32, y as i32)).collect();
        for _ in 0..quarters {
            cells = cells.iter().map(|(x, y)| (*y, -x)).collect();
        }
        Oriented::new(&cells)
    }

    fn mirrored(&self) -> Oriented {
        Oriented::new(&self.cells().map(|(x, y)| (-(x as i32), y as i32)).collect::<Vec<_>>())
    }
}

/// A piece: its name and its distinct orientations, in clockwise order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kind {
    name: String,
    orientations: Vec<Oriented>,
}

impl Kind {
    fn new(name: String, drawn: &Oriented) -> Kind {
        let mut orientations = Vec::new();
        for turned in (0..4).map(|quarters| drawn.turned(quarters)) {
            if !orientations.contains(&turned) {
                orientations.push(turned);
            }
        }
        Kind { name, orientations }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its distinct orientations.
    pub fn orientations(&self) -> &[Oriented] {
        &self.orientations
    }

    /// Its number of cells.
    pub fn size(&self) -> usize {
        self.orientations[0].cells().count()
    }
}

/// The pieces of a game, and the rule for losing it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PieceSet {
    kinds: Vec<Kind>,
    overflow: Overflow,
}

/// Why a drawing of pieces is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DrawingError {
    /// A line with no meaning.
    #[error("line {0}: '{1}' is neither a row of # and . nor a line such as 'piece L' or 'overflow after'")]
    Line(usize, String),
    /// A name with other characters than letters, digits, `-` and `_`.
    #[error("line {0}: a piece's name may only have letters, digits, - and _")]
    Name(usize),
    /// A row of cells before any `piece`.
    #[error("line {0}: a row of cells belongs below a line such as 'piece L'")]
    NoName(usize),
    /// A piece without cells.
    #[error("the piece {0} has no cells: draw it with # below its name")]
    Empty(String),
    /// A piece that is too large.
    #[error("the piece {0} is more than {MAX_PIECE_SIDE} cells wide or high")]
    TooLarge(String),
    /// Two pieces with the same name.
    #[error("two pieces are named {0}")]
    Twice(String),
    /// Two pieces that differ only by a rotation.
    #[error("the pieces {0} and {1} differ only by a rotation")]
    Same(String, String),
    /// No pieces, or too many.
    #[error("a game needs 1 to {MAX_PIECES} pieces, but the drawing has {0}")]
    Count(usize),
}

/// The greatest width and height of a drawn piece.
const MAX_PIECE_SIDE: usize = 8;

/// The greatest number of pieces in a game.
pub const MAX_PIECES: usize = 16;

impl PieceSet {
    /// The pieces of the 3×3 game: L-tromino, S-tetromino, domino.
    pub fn tiny() -> PieceSet {
        include_str!("../games/tiny.txt").parse().expect("a test parses this drawing")
    }

    /// The seven tetrominoes under the Classic rules, in the engine's order.
    pub fn classic() -> PieceSet {
        let kind = |piece: Piece| Kind {
            name: piece.to_string(),
            orientations: piece
                .distinct_orientations()
                .iter()
                .map(|orientation| {
                    Oriented::new(&piece.cells(*orientation).map(|(x, y)| (i32::from(x), i32::from(y))))
                })
                .collect(),
        };
        PieceSet { kinds: Piece::ALL.map(kind).to_vec(), overflow: Overflow::BeforeClearing }
    }

    /// The pieces, in order.
    pub fn kinds(&self) -> &[Kind] {
        &self.kinds
    }

    /// The number of pieces.
    pub fn count(&self) -> usize {
        self.kinds.len()
    }

    /// When a piece loses the game.
    pub fn overflow(&self) -> Overflow {
        self.overflow
    }

    /// The index of the piece with this name, in upper or lower case.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.kinds.iter().position(|kind| kind.name.eq_ignore_ascii_case(name))
    }

    /// The index of each piece's mirror image, if the game has all of them.
    pub fn mirrors(&self) -> Option<Vec<usize>> {
        let shapes = |kind: &Kind| kind.orientations.iter().cloned().collect::<BTreeSet<_>>();
        let mirror = |kind: &Kind| {
            let mirrored: BTreeSet<_> = kind.orientations.iter().map(Oriented::mirrored).collect();
            self.kinds.iter().position(|other| shapes(other) == mirrored)
        };
        self.kinds.iter().map(mirror).collect()
    }
}

/// Writes a drawing that `parse` reads.
impl fmt::Display for PieceSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "overflow {}", self.overflow.name())?;
        for kind in &self.kinds {
            writeln!(f, "\npiece {}", kind.name)?;
            let shape = &kind.orientations[0];
            for row in shape.0.iter().rev() {
                let cell = |x| if row >> x & 1 == 1 { '#' } else { '.' };
                writeln!(f, "{}", (0..shape.width()).map(cell).collect::<String>())?;
            }
        }
        Ok(())
    }
}

fn is_plain(name: &str) -> bool {
    name.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '-' | '_'))
}

/// A piece while its drawing is read. Rows count down from the first.
#[derive(Default)]
struct DrawnPiece {
    name: String,
    cells: Vec<(i32, i32)>,
    rows: i32,
}

/// Reads a drawing:
///
/// ```text
/// // A comment
/// overflow after      <- or "before", the default
///
/// piece L
/// #.
/// ##
/// ```
impl std::str::FromStr for PieceSet {
    type Err = DrawingError;

    fn from_str(text: &str) -> Result<PieceSet, DrawingError> {
        let mut overflow = Overflow::BeforeClearing;
        let mut drawn: Vec<DrawnPiece> = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let line = line.trim_end();
            let words: Vec<_> = line.split_whitespace().collect();
            match words[..] {
                [] => {}
                [first, ..] if first.starts_with("//") => {}
                ["overflow", "before"] => overflow = Overflow::BeforeClearing,
                ["overflow", "after"] => overflow = Overflow::AfterClearing,
                ["piece", name] if !is_plain(name) => return Err(DrawingError::Name(number + 1)),
                ["piece", name] => drawn.push(DrawnPiece { name: name.to_owned(), ..DrawnPiece::default() }),
                _ if line.chars().all(|cell| matches!(cell, '#' | '.' | ' ')) => {
                    let DrawnPiece { cells, rows, .. } =
                        drawn.last_mut().ok_or(DrawingError::NoName(number + 1))?;
                    let filled = line.chars().enumerate().filter(|(_, cell)| *cell == '#');
                    cells.extend(filled.map(|(x, _)| (x as i32, -*rows)));
                    *rows += 1;
                }
                _ => return Err(DrawingError::Line(number + 1, line.to_owned())),
            }
        }
        if drawn.is_empty() || drawn.len() > MAX_PIECES {
            return Err(DrawingError::Count(drawn.len()));
        }
        let mut kinds: Vec<Kind> = Vec::new();
        for DrawnPiece { name, cells, .. } in drawn {
            if cells.is_empty() {
                return Err(DrawingError::Empty(name));
            }
            let spans = |of: fn(&(i32, i32)) -> i32| {
                let numbers = || cells.iter().map(of);
                numbers().max().unwrap_or(0) - numbers().min().unwrap_or(0)
            };
            if spans(|cell| cell.0).max(spans(|cell| cell.1)) >= MAX_PIECE_SIDE as i32 {
                return Err(DrawingError::TooLarge(name));
            }
            let kind = Kind::new(name, &Oriented::new(&cells));
            for other in &kinds {
                if other.name.eq_ignore_ascii_case(&kind.name) {
                    return Err(DrawingError::Twice(kind.name));
                }
                if other.orientations.contains(&kind.orientations[0]) {
                    return Err(DrawingError::Same(other.name.clone(), kind.name));
                }
            }
            kinds.push(kind);
        }
        Ok(PieceSet { kinds, overflow })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tiny_pieces_are_those_of_the_3x3_project() {
        let tiny = PieceSet::tiny();
        let sizes: Vec<_> =
            tiny.kinds().iter().map(|kind| (kind.name(), kind.size(), kind.orientations().len())).collect();
        assert_eq!(sizes, [("L", 3, 4), ("S", 4, 2), ("I", 2, 2)]);
        assert_eq!(tiny.overflow(), Overflow::AfterClearing);
        assert_eq!(tiny.mirrors(), None, "there is no Z");
    }

    #[test]
    fn the_classic_pieces_mirror_each_other() {
        let classic = PieceSet::classic();
        // I, O and T are their own mirror images; J and L, S and Z each other's.
        assert_eq!(classic.mirrors(), Some(vec![0, 2, 1, 3, 6, 5, 4]));
        assert_eq!(classic.to_string().parse(), Ok(classic));
    }

    #[test]
    fn drawings_survive_a_round_trip() {
        let tiny = PieceSet::tiny();
        assert_eq!(tiny.to_string().parse(), Ok(tiny));
    }

    #[test]
    fn a_drawing_error_names_the_problem() {
        let error = |text: &str| text.parse::<PieceSet>().unwrap_err().to_string();
        assert!(error("piece L\n#?").starts_with("line 2: '#?'"));
        assert!(error("##").starts_with("line 1: a row of cells belongs below"));
        assert!(error("piece \x1b[1m").starts_with("line 1: a piece's name"));
        assert_eq!(error("piece L"), "the piece L has no cells: draw it with # below its name");
        assert_eq!(error(""), "a game needs 1 to 16 pieces, but the drawing has 0");
        assert_eq!(error("piece a\n##\npiece A\n#"), "two pieces are named A");
        assert_eq!(error("piece a\n##\npiece b\n#\n#"), "the pieces a and b differ only by a rotation");
        assert_eq!(error("piece a\n#########"), "the piece a is more than 8 cells wide or high");
    }
}
