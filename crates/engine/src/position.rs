//! A position: everything that a player can see of a game, except its rules.

use crate::board::Board;
use crate::moves::{self, MoveSet};
use crate::piece::Piece;
use crate::randomizer::Bag;
use crate::ruleset::Ruleset;
use crate::scoring::Streak;
use serde::{Deserialize, Serialize};
use std::ops::Deref;

/// Everything that a player can see, as a value that you can store, send and start a game from
/// ([`Game::from_position`](crate::game::Game::from_position)).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// The board.
    pub board: Board,
    /// The current piece, then the previews. Never empty.
    pub queue: Vec<Piece>,
    /// The held piece.
    #[serde(default)]
    pub hold: Option<Piece>,
    /// Whether hold was already used for the current piece.
    #[serde(default)]
    pub hold_used: bool,
    /// The pieces left in the bag after the queue, if pieces come from a bag. Empty just before a new bag.
    #[serde(default)]
    pub bag: Option<Bag>,
    /// The current back-to-back and combo.
    #[serde(default)]
    pub streak: Streak,
    /// Pieces placed.
    #[serde(default)]
    pub placed: u32,
    /// Lines cleared.
    #[serde(default)]
    pub lines: u32,
    /// The score.
    #[serde(default)]
    pub score: u64,
    /// The lines of all attacks so far, in versus.
    #[serde(default)]
    pub attack: u32,
    /// Waiting garbage, in versus: the rows of each attack, the next to rise first.
    #[serde(default)]
    pub garbage: Vec<u32>,
}

impl Position {
    /// A board and the pieces to place on it, with nothing held and all counts at zero.
    ///
    /// # Panics
    /// If there is no piece.
    pub fn new(board: Board, queue: Vec<Piece>) -> Position {
        assert!(!queue.is_empty(), "a position has a piece to place");
        Position {
            board,
            queue,
            hold: None,
            hold_used: false,
            bag: None,
            streak: Streak::default(),
            placed: 0,
            lines: 0,
            score: 0,
            attack: 0,
            garbage: Vec::new(),
        }
    }

    /// The piece to place.
    #[inline]
    pub fn current(&self) -> Piece {
        self.queue[0]
    }

    /// The visible next pieces.
    #[inline]
    pub fn previews(&self) -> &[Piece] {
        &self.queue[1..]
    }
}

/// A position and its rules: everything that an agent gets to see. It dereferences to the position.
#[derive(Clone, Copy, Debug)]
pub struct View<'p> {
    /// The rules.
    pub rules: &'p Ruleset,
    /// The position.
    pub position: &'p Position,
}

impl Deref for View<'_> {
    type Target = Position;

    #[inline]
    fn deref(&self) -> &Position {
        self.position
    }
}

impl View<'_> {
    /// Every placement of a piece.
    #[inline]
    pub fn placements(&self, piece: Piece) -> MoveSet {
        moves::generate(&self.board, self.rules.spawn(piece, &self.board), self.rules.move_rules())
    }

    /// Whether hold is available for the current piece.
    #[inline]
    pub fn can_hold(&self) -> bool {
        self.rules.hold && !self.hold_used
    }

    /// The piece that a hold would bring: the held one, or the next. `None` if hold is not available or the next piece is not
    /// visible.
    pub fn piece_after_hold(&self) -> Option<Piece> {
        self.hold.or(self.previews().first().copied()).filter(|_| self.can_hold())
    }

    /// How many pieces are left to place, in games with a piece limit.
    #[inline]
    pub fn pieces_left(&self) -> Option<u32> {
        self.rules.goal.pieces.map(|pieces| pieces.saturating_sub(self.placed))
    }

    /// How many lines are left to clear, in games with a line goal.
    #[inline]
    pub fn lines_left(&self) -> Option<u32> {
        self.rules.goal.lines.map(|lines| lines.saturating_sub(self.lines))
    }
}
