//! Many Classic games at once, played by a linear controller that sees one piece.
//!
//! The controller tries every placement of the piece, sums the weighted features of each afterstate, and plays the best.
//! It may also look ahead (`lookahead`): of the best placements it plays the one after which the next piece scores best on average.
//! There are two implementations, and their choices and scores agree to the last bit. The plain one makes every placement
//! on a copy of the board and counts everything. The kernel is about thirty times as fast when it plays many games:
//!
//! - **Lanes are games.** A vector holds 32 numbers of 16 bits. Each is a column of a different board (`lanes`), so an
//!   operation on one board costs as much as on 32. No lane depends on another.
//! - **Batches share a piece.** All boards of a batch place the same piece, so all lanes try the same shape at the same
//!   column (`kernel`). The pool keeps hundreds of games in progress and groups those with the same piece (`pool`). Most
//!   boards have no holes; they form groups of their own, because their wells follow from the heights.
//! - **Prefix sums.** Before the first placement the kernel surveys each stack (`stack`): its features, and their sums from
//!   the left. What a run of columns contributes is then one difference.
//! - **Incremental features.** A placement changes at most four columns, and the wells of one more on each side. Only those
//!   are recomputed (`landing`); the rest is the total minus a difference of sums.
//! - **Line clears wait.** A placement that clears lines changes all columns. These are rare, 0.7 per decision. They wait
//!   until there are 32 of them, and are then surveyed as whole boards. The chosen placements are made on all boards at
//!   once (`fall`).
//! - **High stacks go by sixteen.** Lanes have 16 rows. Boards with a stack higher than 12 form batches of 16 boards with 32
//!   rows. Even higher stacks go through the same kernel alone, in 64-bit numbers instead of vectors. So do boards that are
//!   not ten columns wide, and the last games of a run.
//! - **Whole weights are integers.** If all weights are whole numbers, scores are summed in 32-bit integers, which takes a
//!   quarter of the instructions. Neither way rounds, so both choose the same.
//! - **Long games run a relay.** Many parts of one game are played at the same time (`relay`), with the result of one game.
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
//! // Continue from there until the stack is five rows high.
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
mod lookahead;
mod plain;
mod pool;
mod relay;
mod shape;
mod stack;
#[cfg(test)]
mod tests;

pub use features::ClassicWeights;
pub use game::{ClassicEnd, ClassicStart, StopReason, StopWhen};
pub use relay::{FinishedLeg, Leg, LongGame, RelayPlan};

use field::Size;
use keys::OpenKeys;
use plain::PlainBoard;
use tetrion_engine::board::Board;
use tetrion_engine::piece::Piece;
use tetrion_engine::randomizer::{PieceSource, Randomizer};

/// Plays one game per seed from the empty board, to the end or to `max_pieces`.
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

/// Like [`play_classic`], and calls `ended` at the end of each game.
///
/// # Panics
/// If the board is not 4 to 16 columns wide and 4 to 40 rows high.
pub fn play_classic_with(
    width: usize,
    height: usize,
    weights: &ClassicWeights,
    seeds: &[u64],
    max_pieces: Option<u64>,
    mut ended: impl FnMut(),
) -> Vec<ClassicEnd> {
    let size = Size::checked(width, height);
    let stop = StopWhen { pieces: max_pieces, ..StopWhen::default() };
    let starts = from_empty(size, seeds);
    let ends = pool::play(size, weights, &mut starts.iter().map(with_pieces), stop, &|| false, &mut ended);
    ends.expect("it is never cancelled")
}

/// Plays a game from each start until it stops or is lost. A game's result depends only on its own start.
///
/// # Panics
/// If the boards are not 4 to 16 columns wide and 4 to 40 rows high, all the same size, and without full rows.
pub fn play_classic_from(
    weights: &ClassicWeights,
    starts: &[ClassicStart],
    stop: StopWhen,
) -> Vec<ClassicEnd> {
    play_classic_unless(weights, starts, stop, || false, || ()).expect("it is never cancelled")
}

/// Like [`play_classic_from`], and calls `ended` at the end of each game. Returns `None` if `cancelled` becomes true before
/// all games have ended; it may also interrupt games. Once true, `cancelled` must stay true.
///
/// # Panics
/// If the boards are not 4 to 16 columns wide and 4 to 40 rows high, all the same size, and without full rows.
pub fn play_classic_unless(
    weights: &ClassicWeights,
    starts: &[ClassicStart],
    stop: StopWhen,
    cancelled: impl Fn() -> bool,
    mut ended: impl FnMut(),
) -> Option<Vec<ClassicEnd>> {
    let Some(size) = size_of(starts) else { return Some(Vec::new()) };
    pool::play(size, weights, &mut starts.iter().map(with_pieces), stop, &cancelled, &mut ended)
}

/// Like [`play_classic_from`], with the plain implementation: one game and one placement at a time. The kernel must match it.
///
/// # Panics
/// If the boards are not 4 to 16 columns wide and 4 to 40 rows high, all the same size, and without full rows.
pub fn play_classic_plain(
    weights: &ClassicWeights,
    starts: &[ClassicStart],
    stop: StopWhen,
) -> Vec<ClassicEnd> {
    let Some(size) = size_of(starts) else { return Vec::new() };
    let keys = OpenKeys::new(size);
    starts.iter().map(|start| plain::play(start, weights, &keys, stop)).collect()
}

/// The placement that the controller chooses, found by the plain implementation: the index of its orientation among the
/// piece's [distinct ones](Piece::distinct_orientations), and its leftmost column. `None` if every placement loses.
///
/// # Panics
/// If the board is not 4 to 16 columns wide and 4 to 40 rows high.
pub fn choose_classic_plain(board: &Board, piece: Piece, weights: &ClassicWeights) -> Option<(usize, usize)> {
    Size::checked(board.width(), board.height());
    PlainBoard::of(board).choose(piece, weights)
}

/// Games from the empty board.
fn from_empty(size: Size, seeds: &[u64]) -> Vec<ClassicStart> {
    let board = Board::new(size.width, size.height).expect("the size was checked");
    seeds.iter().map(|seed| ClassicStart { board, seed: *seed }).collect()
}

/// The board of a start, and its pieces.
fn with_pieces(start: &ClassicStart) -> (Board, PieceSource) {
    (start.board, uniform_pieces(start.seed))
}

/// The size that all boards must share; `None` if there are no boards.
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
