//! How a game starts.

use crate::board::Board;
use crate::game::Game;
use crate::picture::Picture;
use crate::piece::Piece;
use crate::position::Position;
use crate::randomizer::Bag;
use crate::scoring::Streak;
use crate::words::counted;
use serde::{Deserialize, Serialize};

/// The start of a game: a [`Position`] with the colours of its stack. The default is an empty board.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Opening {
    /// The rows of the stack as drawn, the top row first: `.`, `_` and `-` are empty cells, a piece's letter is a cell in its
    /// colour, and any other character is a filled cell without colour.
    pub rows: Vec<String>,
    /// The held piece.
    pub hold: Option<Piece>,
    /// Whether hold was already used for the first piece.
    pub hold_used: bool,
    /// The pieces that come before the randomizer's.
    pub queue: Vec<Piece>,
    /// The pieces left in the bag after the queue; `None` starts a new bag.
    pub bag: Option<Bag>,
    /// The current back-to-back and combo.
    pub streak: Streak,
    /// Pieces placed before.
    pub placed: u32,
    /// Lines cleared before.
    pub lines: u32,
    /// The score before.
    pub score: u64,
}

/// Why a game can't start this way.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpeningError {
    /// More rows than the board has.
    #[error("the opening's stack has {rows} rows, but the board has only {height}")]
    Rows {
        /// Rows drawn.
        rows: usize,
        /// Rows of the board.
        height: usize,
    },
    /// A row that is not as wide as the board.
    #[error(
        "row {row} of the opening's stack has {}, but the board has {width}",
        counted(*columns as u64, "column")
    )]
    Columns {
        /// From the top, from 1.
        row: usize,
        /// Columns drawn.
        columns: usize,
        /// Columns of the board.
        width: usize,
    },
    /// A row without a gap.
    #[error("row {0} of the opening's stack is full: it would have been cleared")]
    FullRow(usize),
    /// Too many pieces in the queue.
    #[error("the opening's queue has {0} pieces, but at most {MAX_QUEUE} are allowed")]
    Queue(usize),
    /// Counts so large that they could overflow.
    #[error("the opening's pieces, lines, clears and score must be at most {MAX_COUNT}")]
    Counts,
    /// A bag in a game without a 7-bag.
    #[error("the opening has a bag, but the game's pieces don't come from one")]
    Bag,
    /// A held piece in a game without hold.
    #[error("the opening has a held piece, but the game has no hold")]
    Hold,
}

/// The most pieces in the queue: ten Sprints.
const MAX_QUEUE: usize = 1000;
/// The most pieces, lines, clears in a row or points that a game can start with.
const MAX_COUNT: u32 = 1_000_000_000;

fn is_empty(sign: char) -> bool {
    matches!(sign, '.' | '_' | '-')
}

impl From<&Position> for Opening {
    /// A position has no colours, so neither has its stack.
    fn from(position: &Position) -> Opening {
        let drawn = match position.board.is_empty() {
            true => String::new(),
            false => position.board.to_string(),
        };
        Opening {
            rows: drawn.lines().map(str::to_owned).collect(),
            hold: position.hold,
            hold_used: position.hold_used,
            queue: position.queue.clone(),
            bag: position.bag,
            streak: position.streak,
            placed: position.placed,
            lines: position.lines,
            score: position.score,
        }
    }
}

impl Opening {
    /// Continues another game with all counts at zero. The rest of its bag comes in the same order.
    pub fn of(game: &Game, picture: &Picture) -> Opening {
        let (board, rules) = (game.board(), game.rules());
        let cell = |x: usize, y: usize| match board.is_filled(x as i32, y as i32) {
            true => picture.cell(x, y).map_or('X', Piece::letter),
            false => '.',
        };
        let rows = board.stack_height().min(rules.visible_height.into());
        let row = |y: usize| (0..board.width()).map(|x| cell(x, y)).collect();
        Opening {
            rows: (0..rows).rev().map(row).collect(),
            hold: game.held(),
            queue: game.pieces_to_end_of_bag(),
            ..Opening::default()
        }
    }

    /// The filled cells: column, row from the bottom, and the piece that filled it, if known.
    pub fn filled(&self) -> impl Iterator<Item = (usize, usize, Option<Piece>)> {
        self.rows.iter().rev().enumerate().flat_map(|(y, row)| {
            let cells = row.chars().enumerate().filter(|(_, sign)| !is_empty(*sign));
            cells.map(move |(x, sign)| (x, y, Piece::from_letter(sign)))
        })
    }

    /// Fills the cells of a board.
    pub(crate) fn fill(&self, board: &mut Board) -> Result<(), OpeningError> {
        if self.rows.len() > board.height() {
            return Err(OpeningError::Rows { rows: self.rows.len(), height: board.height() });
        }
        if self.queue.len() > MAX_QUEUE {
            return Err(OpeningError::Queue(self.queue.len()));
        }
        let counts = [self.placed.into(), self.lines.into(), self.streak.clears.into(), self.score];
        if counts.into_iter().any(|count: u64| count > MAX_COUNT.into()) {
            return Err(OpeningError::Counts);
        }
        for (index, text) in self.rows.iter().enumerate() {
            let (row, columns, width) = (index + 1, text.chars().count(), board.width());
            if columns != width {
                return Err(OpeningError::Columns { row, columns, width });
            }
            if !text.contains(is_empty) {
                return Err(OpeningError::FullRow(row));
            }
        }
        for (x, y, _) in self.filled() {
            board.set(x, y, true);
        }
        Ok(())
    }
}
