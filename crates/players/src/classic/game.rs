//! How Classic games start, stop and end.

use tetrion_engine::board::Board;
use tetrion_engine::record::{GameResult, Outcome, TopOut};

/// The start of a game: a board without full rows, and the seed of the pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClassicStart {
    /// The board.
    pub board: Board,
    /// The seed.
    pub seed: u64,
}

/// When to stop a game before it is lost. Checked after each placement, once full rows are cleared. A game whose starting
/// board already meets a condition still plays at least one piece.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StopWhen {
    /// When the highest column is at least this high.
    pub at_least: Option<u32>,
    /// When the highest column is at most this high.
    pub at_most: Option<u32>,
    /// After this many pieces.
    pub pieces: Option<u64>,
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StopReason {
    /// Every placement of the next piece would lock above the board.
    Lost,
    /// The stack reached [`StopWhen::at_least`].
    High,
    /// The stack fell to [`StopWhen::at_most`].
    Low,
    /// All pieces were placed.
    Pieces,
}

impl StopWhen {
    /// Why a game stops with this stack height, after this many pieces; `None` if it continues. The height is checked first.
    #[inline(always)]
    pub(super) fn reason(&self, height: u32, pieces: u64) -> Option<StopReason> {
        if self.at_least.is_some_and(|limit| height >= limit) {
            Some(StopReason::High)
        } else if self.at_most.is_some_and(|limit| height <= limit) {
            Some(StopReason::Low)
        } else if self.pieces.is_some_and(|limit| pieces >= limit) {
            Some(StopReason::Pieces)
        } else {
            None
        }
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClassicEnd {
    /// Why.
    pub reason: StopReason,
    /// The final board, without the piece that lost the game.
    pub board: Board,
    /// Pieces placed, not counting the one that lost the game.
    pub pieces: u64,
    /// Lines cleared.
    pub lines: u64,
    /// The fewest keys that place the pieces if nothing is in the way.
    pub keys: u64,
}

impl ClassicEnd {
    /// A game in which no piece is placed yet.
    pub(super) fn before(board: Board) -> ClassicEnd {
        ClassicEnd { reason: StopReason::Pieces, board, pieces: 0, lines: 0, keys: 0 }
    }

    /// Whether it was lost.
    pub fn lost(&self) -> bool {
        self.reason == StopReason::Lost
    }

    /// The result in the form that all games share.
    pub fn result(&self) -> GameResult {
        let ClassicEnd { pieces, lines, keys, .. } = *self;
        let outcome = match self.reason {
            StopReason::Lost => Some(Outcome::TopOut(TopOut::Overflow)),
            StopReason::Pieces => Some(Outcome::PieceLimit),
            StopReason::High | StopReason::Low => None,
        };
        GameResult { outcome, pieces, lines, score: lines, keys: Some(keys) }
    }
}
