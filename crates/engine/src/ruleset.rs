//! The rules of a game as a value: Sprint, Blitz, Practice and Classic are four of them.

use crate::board::{Board, BoardError};
use crate::location::PieceLocation;
use crate::moves::{MoveRules, Movement};
use crate::opening::{Opening, OpeningError};
use crate::piece::Piece;
use crate::randomizer::Randomizer;
use crate::scoring::{PointTable, Scoring};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Microseconds: the unit of all time in the engine.
pub type Micros = u64;

/// The kinds of game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Forty lines, as fast or in as few pieces as can be.
    Sprint,
    /// As many points as can be in three minutes, or in 360 pieces.
    Blitz,
    /// No end but a top-out, and moves can be taken back.
    Practice,
    /// The research benchmark: one piece at a time, straight drops, as many lines as can be.
    Classic,
}

impl Mode {
    /// All modes.
    pub const ALL: [Mode; 4] = [Mode::Sprint, Mode::Blitz, Mode::Practice, Mode::Classic];

    /// The mode's name on the command line and in files.
    pub const fn name(self) -> &'static str {
        ["sprint", "blitz", "practice", "classic"][self as usize]
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that is no mode's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a mode: choose sprint, blitz, practice or classic")]
pub struct UnknownMode(String);

impl FromStr for Mode {
    type Err = UnknownMode;

    fn from_str(name: &str) -> Result<Mode, UnknownMode> {
        Mode::ALL.into_iter().find(|mode| mode.name() == name).ok_or_else(|| UnknownMode(name.to_owned()))
    }
}

/// What ends a game that is not lost: whatever comes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Goal {
    /// Lines cleared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<u32>,
    /// Pieces placed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pieces: Option<u32>,
    /// Time played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<Micros>,
}

/// The rules of a game.
///
/// Replays store rules as JSON, by name. To add a rule, give its field `#[serde(default)]` with the value that every game
/// played so far had: files without it then stay readable and mean what they meant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ruleset {
    /// The kind of game.
    pub mode: Mode,
    /// Columns of the board.
    pub width: u8,
    /// Rows of the board that count as inside: a piece that rests wholly above them (in Classic, with any cell) loses.
    pub visible_height: u8,
    /// How pieces move.
    pub movement: Movement,
    /// Whether turns by 180° are allowed.
    pub half_turns: bool,
    /// How pieces are drawn.
    pub randomizer: Randomizer,
    /// Whether a piece can be held.
    pub hold: bool,
    /// How many of the next pieces are seen.
    pub previews: u8,
    /// What ends the game.
    pub goal: Goal,
    /// How it is scored.
    #[serde(default, skip_serializing_if = "is_default")]
    pub scoring: Scoring,
    /// What it begins with.
    #[serde(default, skip_serializing_if = "is_default")]
    pub opening: Opening,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Why rules make no game.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RulesetError {
    /// The board.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// There must be rows for pieces to enter above the visible ones.
    #[error("a {0} board has at most 36 rows: pieces enter above them, and 40 are all there is")]
    NoRoomToSpawn(Mode),
    /// The pieces.
    #[error(transparent)]
    Pieces(#[from] crate::randomizer::RandomizerError),
    /// What it begins with.
    #[error(transparent)]
    Opening(#[from] OpeningError),
    /// A position on a board of another size.
    #[error("the board is {}x{} cells, and these rules have {}x{}", .found.0, .found.1, .expected.0, .expected.1)]
    BoardSize {
        /// Columns and rows of the position's board.
        found: (usize, usize),
        /// Columns and rows of the rules.
        expected: (usize, usize),
    },
    /// Points too large to count with.
    #[error("a number of points is larger than {}", PointTable::MAX_POINTS)]
    Points,
    /// A goal that is reached before the game starts.
    #[error("the goal of {0} must be more than 0")]
    EmptyGoal(&'static str),
}

impl Ruleset {
    /// The rules of a mode on its usual board.
    pub fn new(mode: Mode) -> Ruleset {
        let guideline = Ruleset {
            mode,
            width: 10,
            visible_height: 20,
            movement: Movement::Full,
            half_turns: false,
            randomizer: Randomizer::SevenBag,
            hold: true,
            previews: 5,
            goal: Goal::default(),
            scoring: Scoring::default(),
            opening: Opening::default(),
        };
        match mode {
            Mode::Sprint => Ruleset { goal: Goal { lines: Some(40), ..Goal::default() }, ..guideline },
            Mode::Blitz => Ruleset { goal: Goal { time: Some(180_000_000), ..Goal::default() }, ..guideline },
            Mode::Practice => guideline,
            Mode::Classic => Ruleset {
                movement: Movement::Straight,
                randomizer: Randomizer::Uniform,
                hold: false,
                previews: 0,
                scoring: Scoring::Lines,
                ..guideline
            },
        }
    }

    /// The rules of a mode as agents play it: Blitz is 360 pieces, two a second, so that thinking faster scores no more.
    pub fn for_agents(mode: Mode) -> Ruleset {
        let rules = Ruleset::new(mode);
        match mode {
            Mode::Blitz => Ruleset { goal: Goal { pieces: Some(360), ..Goal::default() }, ..rules },
            _ => rules,
        }
    }

    /// The board that a game starts with, if the rules make a game at all.
    ///
    /// Classic boards are as high as they are seen; the others have rows above, up to 40.
    pub fn start(&self) -> Result<Board, RulesetError> {
        let height = match self.movement {
            Movement::Straight => self.visible_height as usize,
            _ => Board::MAX_HEIGHT,
        };
        let mut board = Board::new(self.width.into(), height)?;
        Board::new(self.width.into(), self.visible_height.into())?;
        if self.movement != Movement::Straight && self.visible_height > 36 {
            return Err(RulesetError::NoRoomToSpawn(self.mode));
        }
        for (goal, name) in [(self.goal.lines, "lines"), (self.goal.pieces, "pieces")] {
            if goal == Some(0) {
                return Err(RulesetError::EmptyGoal(name));
            }
        }
        if self.goal.time == Some(0) {
            return Err(RulesetError::EmptyGoal("time"));
        }
        if matches!(&self.scoring, Scoring::Points(table) if !table.is_countable()) {
            return Err(RulesetError::Points);
        }
        self.opening.fill(&mut board)?;
        if self.opening.hold.is_some() && !self.hold {
            return Err(OpeningError::Hold.into());
        }
        if self.opening.bag.is_some() && self.randomizer != Randomizer::SevenBag {
            return Err(OpeningError::Bag.into());
        }
        Ok(board)
    }

    /// What move generation needs to know. T-spins are told apart where they score.
    pub fn move_rules(&self) -> MoveRules {
        let spins = self.movement != Movement::Straight;
        MoveRules { movement: self.movement, half_turns: self.half_turns, spins }
    }

    /// Where a piece starts to move: just above the visible rows, and one row lower at once if that is free.
    #[inline]
    pub fn spawn(&self, piece: Piece, board: &Board) -> PieceLocation {
        let above = PieceLocation::spawning(piece, board, self.visible_height.into());
        let below = above.moved((0, -1));
        if self.spawn_is_clear(board) || above.fits(board) && below.fits(board) { below } else { above }
    }

    /// Whether a piece has room to enter.
    #[inline]
    pub fn can_spawn(&self, piece: Piece, board: &Board) -> bool {
        self.movement == Movement::Straight
            || self.spawn_is_clear(board)
            || self.spawn(piece, board).fits(board)
    }

    /// Whether the stack is lower than any piece that enters, as it nearly always is, so that no cell need be looked at.
    #[inline]
    fn spawn_is_clear(&self, board: &Board) -> bool {
        // On three columns the I enters upright, and reaches lower.
        board.width() > Board::MIN_WIDTH && board.stack_height() < usize::from(self.visible_height)
    }
}
