//! Which piece comes next: a Markov chain over the pieces.

use crate::pieces::PieceSet;
use tetrion_engine::words::counted;

/// The probability of each next piece, given the piece before it.
///
/// Pieces with the same probabilities after them form a *class*. The value of a board depends only on the class of the piece
/// just placed. With uniform pieces there is one class, and one value per board.
#[derive(Clone, Debug, PartialEq)]
pub struct Chain {
    /// The class of each piece.
    classes: Vec<usize>,
    /// The probability of each piece after each class.
    rows: Vec<Vec<f64>>,
}

/// Why a transition matrix is invalid.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ChainError {
    /// The number of rows differs from the number of pieces.
    #[error(
        "the matrix has {} for {}: write one row for each, in the order {names}",
        counted(*found as u64, "row"),
        counted(*pieces as u64, "piece")
    )]
    Rows {
        /// The rows found.
        found: usize,
        /// How many there should be.
        pieces: usize,
        /// The names of the pieces, in order.
        names: String,
    },
    /// The length of a row differs from the number of pieces.
    #[error("row {row} has {} for {}", counted(*found as u64, "number"), counted(*pieces as u64, "piece"))]
    Columns {
        /// The row, from 1, and its piece.
        row: String,
        /// The numbers found.
        found: usize,
        /// How many there should be.
        pieces: usize,
    },
    /// Not a number.
    #[error("row {row}: '{text}' is not a number: write probabilities such as 0.25 or 1/4")]
    Number {
        /// The row.
        row: String,
        /// What the matrix has there.
        text: String,
    },
    /// A probability below 0.
    #[error("row {row} has the negative probability {chance}")]
    Negative {
        /// The row.
        row: String,
        /// What the matrix has there.
        chance: f64,
    },
    /// A row that does not sum to 1.
    #[error("row {row} sums to {sum}, not to 1")]
    Sum {
        /// The row.
        row: String,
        /// What it sums to.
        sum: f64,
    },
}

impl Chain {
    /// Every piece is equally likely, whatever came before.
    pub fn uniform(pieces: usize) -> Chain {
        Chain { classes: vec![0; pieces], rows: vec![vec![1.0 / pieces as f64; pieces]] }
    }

    /// The pieces come in order, again and again.
    pub fn cycle(pieces: usize) -> Chain {
        let after =
            |piece| (0..pieces).map(|next| f64::from(u8::from(next == (piece + 1) % pieces))).collect();
        Chain::of_rows((0..pieces).map(after).collect())
    }

    /// Reads a transition matrix in CSV: one row per piece, with the probability of each next piece, as a number or a fraction
    /// such as `1/3`.
    pub fn parse(text: &str, pieces: &PieceSet) -> Result<Chain, ChainError> {
        let mut rows = Vec::new();
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let number = |text: &str| {
                let row = row_name(rows.len(), pieces);
                fraction(text).ok_or_else(|| ChainError::Number { row, text: text.to_owned() })
            };
            rows.push(line.split(',').map(str::trim).map(number).collect::<Result<Vec<f64>, _>>()?);
        }
        Chain::new(rows, pieces)
    }

    /// A chain from its transition matrix: one row per piece, with the probability of each next piece.
    pub fn new(mut rows: Vec<Vec<f64>>, pieces: &PieceSet) -> Result<Chain, ChainError> {
        let count = pieces.count();
        if rows.len() != count {
            let names: Vec<_> = pieces.kinds().iter().map(|kind| kind.name()).collect();
            return Err(ChainError::Rows { found: rows.len(), pieces: count, names: names.join(", ") });
        }
        for (number, chances) in rows.iter_mut().enumerate() {
            let row = row_name(number, pieces);
            if chances.len() != count {
                return Err(ChainError::Columns { row, found: chances.len(), pieces: count });
            }
            if let Some(&chance) = chances.iter().find(|chance| **chance < 0.0) {
                return Err(ChainError::Negative { row, chance });
            }
            let sum: f64 = chances.iter().sum();
            if sum.is_nan() || (sum - 1.0).abs() > 1e-9 {
                return Err(ChainError::Sum { row, sum });
            }
            // The rounding of thirds written as decimals would add up over many placements.
            chances.iter_mut().for_each(|chance| *chance /= sum);
        }
        Ok(Chain::of_rows(rows))
    }

    fn of_rows(all: Vec<Vec<f64>>) -> Chain {
        let mut rows: Vec<Vec<f64>> = Vec::new();
        let mut classes = Vec::new();
        for row in all {
            let class = rows.iter().position(|known| *known == row).unwrap_or(rows.len());
            if class == rows.len() {
                rows.push(row);
            }
            classes.push(class);
        }
        Chain { classes, rows }
    }

    /// The number of pieces.
    pub fn pieces(&self) -> usize {
        self.classes.len()
    }

    /// The number of classes.
    pub fn classes(&self) -> usize {
        self.rows.len()
    }

    /// The class of a piece.
    #[inline]
    pub fn class(&self, piece: usize) -> usize {
        self.classes[piece]
    }

    /// The probability of each piece after a piece of this class.
    #[inline]
    pub fn after(&self, class: usize) -> &[f64] {
        &self.rows[class]
    }

    /// The probability of each piece after this one.
    pub fn row(&self, piece: usize) -> &[f64] {
        self.after(self.class(piece))
    }

    /// What each class becomes when every piece is replaced by its mirror image, if the probabilities are symmetric.
    pub fn mirrored_classes(&self, mirrors: &[usize]) -> Option<Vec<usize>> {
        let same = (0..self.pieces()).all(|before| {
            let (row, mirrored) = (self.row(before), self.row(mirrors[before]));
            (0..self.pieces()).all(|next| row[next] == mirrored[mirrors[next]])
        });
        let mirrored = |class| {
            let piece = self.classes.iter().position(|other| *other == class)?;
            Some(self.class(mirrors[piece]))
        };
        same.then(|| (0..self.classes()).map(mirrored).collect()).flatten()
    }
}

/// A row's name in messages: its number, from 1, and its piece.
fn row_name(number: usize, pieces: &PieceSet) -> String {
    let name = pieces.kinds().get(number).map_or("no piece", |kind| kind.name());
    format!("{} ({name})", number + 1)
}

/// A number, or a fraction.
fn fraction(text: &str) -> Option<f64> {
    let number = |text: &str| text.trim().parse::<f64>().ok();
    let value = match text.split_once('/') {
        Some((above, below)) => number(above)? / number(below)?,
        None => number(text)?,
    };
    value.is_finite().then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_matrix_of_the_document_is_read() {
        let chain = Chain::parse("1/2, 1/2, 0\n1/3,1/3,1/3\n\n1,0,0\n", &PieceSet::tiny()).unwrap();
        assert_eq!(chain.row(0), [0.5, 0.5, 0.0]);
        assert_eq!(chain.row(2), [1.0, 0.0, 0.0]);
        assert_eq!(chain.classes(), 3);
    }

    #[test]
    fn equal_rows_are_one_class() {
        let chain = Chain::parse("1/2,1/2,0\n0,0,1\n1/2,1/2,0", &PieceSet::tiny()).unwrap();
        assert_eq!((chain.classes(), chain.class(0), chain.class(1), chain.class(2)), (2, 0, 1, 0));
        assert_eq!(
            Chain::parse("1/3,1/3,1/3\n1/3,1/3,1/3\n1/3,1/3,1/3", &PieceSet::tiny()),
            Ok(Chain::uniform(3))
        );
    }

    #[test]
    fn rows_are_made_to_sum_to_1() {
        let thirds = ["0.3333333333,0.3333333333,0.3333333333"; 3].join("\n");
        assert_eq!(Chain::parse(&thirds, &PieceSet::tiny()), Ok(Chain::uniform(3)));
    }

    #[test]
    fn a_bad_matrix_is_refused_with_its_row() {
        let error = |text: &str| Chain::parse(text, &PieceSet::tiny()).unwrap_err().to_string();
        assert_eq!(error("1,0,0\n0.5,0.4,0\n1,0,0"), "row 2 (S) sums to 0.9, not to 1");
        assert_eq!(error("1,0,0\n1,0,0\n1.5,-0.5,0"), "row 3 (I) has the negative probability -0.5");
        assert_eq!(error("1,0,0\n1,0\n1,0,0"), "row 2 (S) has 2 numbers for 3 pieces");
        assert!(error("1,0,0\n1,x,0\n1,0,0").starts_with("row 2 (S): 'x' is not a number"));
        assert!(error("1,0,0\n1/0,0,0\n1,0,0").starts_with("row 2 (S): '1/0' is not a number"));
        assert!(error("1,0,0").starts_with("the matrix has 1 row for 3 pieces"));
    }

    #[test]
    fn chains_are_mirrored_where_the_chances_are_the_same() {
        let mirrors = PieceSet::classic().mirrors().unwrap();
        assert_eq!(Chain::uniform(7).mirrored_classes(&mirrors), Some(vec![0]));
        assert_eq!(Chain::cycle(7).mirrored_classes(&mirrors), None);
        // Two pieces that are mirror images of each other, in turn.
        assert_eq!(Chain::cycle(2).mirrored_classes(&[1, 0]), Some(vec![1, 0]));
    }
}
