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
//! use tetrion_players::features::Feature;
//! use tetrion_players::classic::{ClassicWeights, ClassicStart, StopWhen, play_classic, play_classic_from};
//!
//! let weights = ClassicWeights::new([
//!     (Feature::LandingHeight, -1.0),
//!     (Feature::ErodedPieceCells, 1.0),
//!     (Feature::RowTransitions, -1.0),
//!     (Feature::ColumnTransitions, -1.0),
//!     (Feature::Holes, -4.0),
//!     (Feature::BoardWells, -1.0),
//! ])
//! .expect("the kernel knows these features");
//! let ends = play_classic(10, 10, &weights, &[1, 2, 3], Some(100));
//! assert!(ends.iter().all(|end| end.pieces == 100 && !end.lost()));
//!
//! // And on from there, until the stack is five rows high.
//! let starts: Vec<_> = ends.iter().map(|end| ClassicStart { board: end.board, seed: 4 }).collect();
//! let ends = play_classic_from(&weights, &starts, StopWhen { at_least: Some(5), ..StopWhen::default() });
//! assert!(ends.iter().all(|end| end.board.stack_height() >= 5));
//! ```

mod eligible;
mod fall;
mod features;
mod field;
mod game;
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

pub use features::ClassicWeights;
pub use game::{ClassicEnd, ClassicStart, StopReason, StopWhen};

use features::Weights;
use field::Size;
use keys::OpenKeys;
use plain::PlainBoard;
use tetrion_engine::board::Board;
use tetrion_engine::piece::Piece;
use tetrion_engine::randomizer::{PieceSource, Randomizer};

/// Plays one game per seed from the empty board to its end, or to `max_pieces`.
///
/// # Panics
/// If the board is not 4 to 16 columns wide and 4 to 40 rows high.
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
/// If the board is not 4 to 16 columns wide and 4 to 40 rows high.
pub fn play_classic_with(
    width: usize,
    height: usize,
    weights: &ClassicWeights,
    seeds: &[u64],
    max_pieces: Option<u64>,
    ended: impl FnMut(),
) -> Vec<ClassicEnd> {
    let size = Size::checked(width, height);
    let stop = StopWhen { pieces: max_pieces, ..StopWhen::default() };
    let ends = pool::play(size, weights, from_empty(size, seeds), stop, || false, ended);
    ends.expect("nobody cancels it")
}

/// Plays a game from each start to where it stops or is lost. How a game ends depends on its start alone, not on the games
/// beside it.
///
/// # Panics
/// If the boards are not 4 to 16 columns wide and 4 to 40 rows high, all the same size, and without full rows.
pub fn play_classic_from(
    weights: &ClassicWeights,
    starts: &[ClassicStart],
    stop: StopWhen,
) -> Vec<ClassicEnd> {
    play_classic_unless(weights, starts, stop, || false, || ()).expect("nobody cancels it")
}

/// The same; nothing if it is cancelled before all games have ended, in the middle of them too. Calls `ended` at the end of
/// each game. What is cancelled must stay so.
///
/// # Panics
/// If the boards are not 4 to 16 columns wide and 4 to 40 rows high, all the same size, and without full rows.
pub fn play_classic_unless(
    weights: &ClassicWeights,
    starts: &[ClassicStart],
    stop: StopWhen,
    cancelled: impl Fn() -> bool,
    ended: impl FnMut(),
) -> Option<Vec<ClassicEnd>> {
    let Some(size) = size_of(starts) else { return Some(Vec::new()) };
    pool::play(size, weights, starts.iter().copied(), stop, cancelled, ended)
}

/// The same, one game and one candidate at a time: what the fast way must equal.
///
/// # Panics
/// If the boards are not 4 to 16 columns wide and 4 to 40 rows high, all the same size, and without full rows.
pub fn play_classic_plain(
    weights: &ClassicWeights,
    starts: &[ClassicStart],
    stop: StopWhen,
) -> Vec<ClassicEnd> {
    let Some(size) = size_of(starts) else { return Vec::new() };
    let weights = Weights::new(weights);
    let keys = OpenKeys::new(size);
    starts.iter().map(|start| plain::play(start, &weights, &keys, stop)).collect()
}

/// The placement that the controller chooses, found the plain way: the index of its orientation among the piece's
/// [distinct ones](Piece::distinct_orientations) and its leftmost column. Nothing if every placement loses.
///
/// # Panics
/// If the board is not 4 to 16 columns wide and 4 to 40 rows high.
pub fn choose_classic_plain(board: &Board, piece: Piece, weights: &ClassicWeights) -> Option<(usize, usize)> {
    Size::checked(board.width(), board.height());
    PlainBoard::of(board).choose(piece, &Weights::new(weights))
}

/// Games from the empty board.
fn from_empty(size: Size, seeds: &[u64]) -> impl ExactSizeIterator<Item = ClassicStart> + Clone {
    let board = Board::new(size.width, size.height).expect("the size was checked");
    seeds.iter().map(move |seed| ClassicStart { board, seed: *seed })
}

/// The size of the boards, which must be the same for all; nothing if there are none.
fn size_of(starts: &[ClassicStart]) -> Option<Size> {
    let first = starts.first()?.board;
    for ClassicStart { board, .. } in starts {
        let same = (board.width(), board.height()) == (first.width(), first.height());
        assert!(same, "all boards must have the same size");
        assert!(board.stack_height() <= board.height(), "a board must not be filled above its top");
        assert!(board.full_rows() == 0, "full rows must be cleared");
    }
    Some(Size::checked(first.width(), first.height()))
}

/// The pieces of a Classic game.
fn uniform_pieces(seed: u64) -> PieceSource {
    let pieces = Randomizer::Uniform.pieces(seed);
    pieces.expect("uniform pieces can always be drawn")
}
