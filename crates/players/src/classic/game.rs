//! Where games start, and when and how they end.

use tetrion_engine::board::Board;
use tetrion_engine::record::{GameResult, Outcome, TopOut};

/// Where a game starts: on a board, without full rows, and the seed of the pieces that come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClassicStart {
    /// The board.
    pub board: Board,
    /// The seed.
    pub seed: u64,
}

/// When a game stops, besides when it is lost. It is looked at after each placement, when full rows are cleared: a game
/// whose first board would stop it begins all the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StopWhen {
    /// When the highest column is at least so high.
    pub at_least: Option<u32>,
    /// When the highest column is at most so high.
    pub at_most: Option<u32>,
    /// When so many pieces are placed.
    pub pieces: Option<u64>,
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StopReason {
    /// Every placement of the next piece would have come to rest above the board.
    Lost,
    /// The stack was as high as [`StopWhen::at_least`].
    High,
    /// The stack was as low as [`StopWhen::at_most`].
    Low,
    /// All pieces were placed.
    Pieces,
}

impl StopWhen {
    /// Why a game stops whose stack is so high, after so many pieces; nothing if it goes on. The height is looked at first.
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
    /// The board that was left, without the piece that lost the game.
    pub board: Board,
    /// Pieces placed; one that came to rest above the board was not.
    pub pieces: u64,
    /// Lines cleared.
    pub lines: u64,
    /// The fewest keys that place the pieces on an open board.
    pub keys: u64,
}

impl ClassicEnd {
    /// Nothing placed yet.
    pub(super) fn before(start: &ClassicStart) -> ClassicEnd {
        ClassicEnd { reason: StopReason::Pieces, board: start.board, pieces: 0, lines: 0, keys: 0 }
    }

    /// Whether it was lost.
    pub fn lost(&self) -> bool {
        self.reason == StopReason::Lost
    }

    /// What came of it, as of any other game.
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
