//! What a player sees of a game.

use crate::board::Board;
use crate::moves::{self, MoveSet};
use crate::piece::Piece;
use crate::randomizer::Bag;
use crate::ruleset::Ruleset;
use crate::scoring::Streak;

/// A game that is not over, as a player sees it: all that an agent may know. Others than a [`Game`](crate::game::Game) can make
/// one too, for a position that came from elsewhere.
#[derive(Clone, Copy, Debug)]
pub struct View<'g> {
    /// The rules.
    pub rules: &'g Ruleset,
    /// The board.
    pub board: &'g Board,
    /// The piece to place.
    pub current: Piece,
    /// The next pieces, as far as they are seen.
    pub previews: &'g [Piece],
    /// The held piece.
    pub hold: Option<Piece>,
    /// Whether the hold can be used for the current piece.
    pub can_hold: bool,
    /// The pieces that can come after those that are seen, if they are drawn from a bag: empty just before a new one.
    pub bag: Option<Bag>,
    /// The back-to-back and combo under way.
    pub streak: Streak,
    /// Pieces placed.
    pub placed: u32,
    /// Lines cleared.
    pub lines: u32,
}

impl View<'_> {
    /// Every placement of a piece.
    #[inline]
    pub fn placements(&self, piece: Piece) -> MoveSet {
        moves::generate(self.board, self.rules.entry(piece, self.board), self.rules.move_rules())
    }

    /// The piece that a hold would bring: the held one, or the next. Nothing if the hold can't be used, or if the next
    /// piece is not seen.
    pub fn piece_after_hold(&self) -> Option<Piece> {
        self.hold.or(self.previews.first().copied()).filter(|_| self.can_hold)
    }
}
