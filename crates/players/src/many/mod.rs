//! Many Classic games at once, played by a linear controller that looks at one piece.
//!
//! The controller tries every placement of the piece, adds up weighted features of what comes of it, and plays the best.
//! Two programs do so and choose the same, to the last bit of a score: a plain one, which makes every placement on a copy
//! of the board and counts everything, and the kernel, which is some thirty times as fast when games are many:
//!
//! - **Lanes are games.** A vector holds 32 numbers of 16 bits, and each is a column of another board (`lanes`). What is
//!   done to one board is done to 32 for the same price, and no lane depends on another.
//! - **What is shared.** The boards of a batch have the same piece to place, so all lanes try the same shape at the same
//!   column (`kernel`). To make that possible some hundred games are under way, and those with the same piece go together
//!   (`pool`). Boards without holes, most of them, go apart from the others: their wells follow from the heights.
//! - **What is worked out once.** Before the first placement each stack is surveyed (`stack`): its features, and sums of
//!   them from the left, so that what a run of columns adds is one difference.
//! - **What is worked out again.** A placement changes at most four columns, and the wells of one more at each side. Only
//!   those are looked at (`landing`); the rest is the total less a difference of sums.
//! - **What is left for later.** A placement that clears lines changes all columns. There are few of them, 0.7 a decision:
//!   they wait until 32 are there, and are surveyed as whole boards. The chosen placements are then made on all boards at
//!   once (`fall`).
//! - **What does not fit.** Lanes have 16 rows. A stack higher than 12 goes through the same kernel with one board in a
//!   64-bit number instead of a vector, and so do boards that are not ten columns wide, and the last games of a run.
//!
//! ```
//! use tetrion_players::many::{ClassicWeights, play_classic};
//!
//! let weights = ClassicWeights {
//!     landing_height: -1.0,
//!     eroded_piece_cells: 1.0,
//!     row_transitions: -1.0,
//!     column_transitions: -1.0,
//!     holes: -4.0,
//!     board_wells: -1.0,
//!     ..ClassicWeights::default()
//! };
//! let ends = play_classic(10, 10, &weights, &[1, 2, 3], Some(100));
//! assert!(ends.iter().all(|end| end.pieces == 100 && !end.lost));
//! ```

mod eligible;
mod fall;
mod features;
mod field;
mod kernel;
mod keys;
mod landing;
mod lanes;
mod plain;
mod pool;
mod shape;
mod stack;
#[cfg(test)]
mod tests;

use crate::afterstate::Judged;
use crate::evaluator::{Evaluator, Linear};
use crate::features::Feature;
use features::Weights;
use field::Size;
use keys::OpenKeys;
use plain::PlainBoard;
use tetrion_engine::board::Board;
use tetrion_engine::piece::Piece;
use tetrion_engine::randomizer::{Pieces, Randomizer};

/// The weights of the features that the kernel knows; 0 leaves one out.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ClassicWeights {
    /// The row of the piece's middle, before lines are cleared.
    pub landing_height: f64,
    /// Lines cleared, times the cells of the piece that were in them.
    pub eroded_piece_cells: f64,
    /// Changes between filled and empty along the rows; the walls are filled.
    pub row_transitions: f64,
    /// Changes between filled and empty along the columns; the floor is filled, and all above the board is empty.
    pub column_transitions: f64,
    /// Empty cells with a filled one above.
    pub holes: f64,
    /// For each empty cell between filled ones: 1, and 1 for each empty cell directly below.
    pub board_wells: f64,
    /// Runs of empty cells that begin between filled ones, sides open or not further down: 1, 2, 3 … for its cells.
    pub continued_wells: f64,
    /// Filled cells in the run directly above each hole.
    pub hole_depth: f64,
    /// Rows with a hole.
    pub rows_with_holes: f64,
    /// Different values within −2 … 2 among the differences of height between neighbours.
    pub diversity: f64,
    /// Lines cleared.
    pub rows_removed: f64,
    /// The sum of the heights of all columns.
    pub aggregate_height: f64,
    /// The sum of the distances in height between neighbours.
    pub bumpiness: f64,
}

impl ClassicWeights {
    /// The weights of an evaluator, if the kernel knows all its features and the board that it judges, and they are numbers
    /// that it can sum.
    pub fn of(evaluator: &Linear) -> Option<ClassicWeights> {
        if evaluator.judged() != Judged::AfterClearing {
            return None;
        }
        let mut weights = ClassicWeights::default();
        for &(feature, weight) in evaluator.weights() {
            let known = match feature {
                Feature::LandingHeight => &mut weights.landing_height,
                Feature::ErodedPieceCells => &mut weights.eroded_piece_cells,
                Feature::RowTransitions => &mut weights.row_transitions,
                Feature::ColumnTransitions => &mut weights.column_transitions,
                Feature::Holes => &mut weights.holes,
                Feature::BoardWells => &mut weights.board_wells,
                Feature::ContinuedWells => &mut weights.continued_wells,
                Feature::HoleDepth => &mut weights.hole_depth,
                Feature::RowsWithHoles => &mut weights.rows_with_holes,
                Feature::Diversity => &mut weights.diversity,
                Feature::RowsRemoved => &mut weights.rows_removed,
                Feature::AggregateHeight => &mut weights.aggregate_height,
                Feature::Bumpiness => &mut weights.bumpiness,
                _ => return None,
            };
            if !(-MAX_WEIGHT..MAX_WEIGHT).contains(&weight) {
                return None;
            }
            *known = weight;
        }
        Some(weights)
    }
}

/// Weights stay below this.
const MAX_WEIGHT: f64 = 1e300;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClassicEnd {
    /// Pieces placed; one that came to rest above the board was not.
    pub pieces: u64,
    /// Lines cleared.
    pub lines: u64,
    /// The fewest keys that place them on an open board.
    pub keys: u64,
    /// Whether it was lost; if not, all pieces it was given are placed.
    pub lost: bool,
}

impl ClassicEnd {
    /// Nothing placed yet.
    const START: ClassicEnd = ClassicEnd { pieces: 0, lines: 0, keys: 0, lost: false };
}

/// Plays one game per seed to its end, or to `max_pieces`.
///
/// # Panics
/// If the board is not 4 to 16 columns wide and 4 to 40 rows high, or a weight is not a number below 10³⁰⁰.
pub fn play_classic(
    width: usize,
    height: usize,
    weights: &ClassicWeights,
    seeds: &[u64],
    max_pieces: Option<u64>,
) -> Vec<ClassicEnd> {
    play_classic_with(width, height, weights, seeds, max_pieces, || ())
}

/// The same; calls `ended` at the end of each game.
///
/// # Panics
/// If the board is not 4 to 16 columns wide and 4 to 40 rows high, or a weight is not a number below 10³⁰⁰.
pub fn play_classic_with(
    width: usize,
    height: usize,
    weights: &ClassicWeights,
    seeds: &[u64],
    max_pieces: Option<u64>,
    ended: impl FnMut(),
) -> Vec<ClassicEnd> {
    check(width, height, weights);
    pool::play(Size { width, height }, weights, seeds, max_pieces, ended)
}

/// The same, one game and one candidate at a time: what the fast way must equal.
///
/// # Panics
/// If the board is not 4 to 16 columns wide and 4 to 40 rows high, or a weight is not a number below 10³⁰⁰.
pub fn play_classic_plain(
    width: usize,
    height: usize,
    weights: &ClassicWeights,
    seeds: &[u64],
    max_pieces: Option<u64>,
) -> Vec<ClassicEnd> {
    check(width, height, weights);
    let weights = Weights::new(weights);
    let keys = OpenKeys::new(Size { width, height });
    let max_pieces = max_pieces.unwrap_or(u64::MAX);
    seeds
        .iter()
        .map(|seed| {
            let board = PlainBoard::new(width, height);
            plain::play(board, &weights, &keys, uniform_pieces(*seed), max_pieces)
        })
        .collect()
}

/// The placement that the controller chooses, found the plain way: the index of its orientation among the piece's
/// [distinct ones](Piece::distinct_orientations) and its leftmost column. Nothing if every placement loses.
///
/// # Panics
/// If the board is not 4 to 16 columns wide and 4 to 40 rows high, or a weight is not a number below 10³⁰⁰.
pub fn choose_classic_plain(board: &Board, piece: Piece, weights: &ClassicWeights) -> Option<(usize, usize)> {
    check(board.width(), board.height(), weights);
    PlainBoard::of(board).choose(piece, &Weights::new(weights))
}

fn check(width: usize, height: usize, weights: &ClassicWeights) {
    assert!(
        (4..=16).contains(&width) && (4..=40).contains(&height),
        "a board is 4 to 16 columns wide and 4 to 40 rows high, not {width}x{height}"
    );
    for weight in [
        weights.landing_height,
        weights.eroded_piece_cells,
        weights.row_transitions,
        weights.column_transitions,
        weights.holes,
        weights.board_wells,
        weights.continued_wells,
        weights.hole_depth,
        weights.rows_with_holes,
        weights.diversity,
        weights.rows_removed,
        weights.aggregate_height,
        weights.bumpiness,
    ] {
        // The score of a placement that does not lose must be more than minus infinity.
        assert!(weight.abs() < MAX_WEIGHT, "{weight} is not a weight");
    }
}

/// The pieces of a Classic game.
fn uniform_pieces(seed: u64) -> Pieces {
    let pieces = Randomizer::Uniform.pieces(seed);
    pieces.expect("uniform pieces can always be drawn")
}
