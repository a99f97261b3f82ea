//! The rules of a game as a value. Each [`Mode`] is such a value.

use crate::board::{Board, BoardError};
use crate::location::PieceLocation;
use crate::moves::{MoveRules, Movement};
use crate::opening::{Opening, OpeningError};
use crate::piece::Piece;
use crate::randomizer::Randomizer;
use crate::scoring::{PointTable, Scoring};
use crate::versus::{VersusPreset, VersusRules};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Microseconds: the unit of all time in the engine.
pub type Micros = u64;

/// The kinds of game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Clear 40 lines as fast as possible, or with as few pieces or keys.
    Sprint,
    /// Score as much as possible in three minutes, or in 360 pieces.
    Blitz,
    /// Play without a goal, with undo.
    Practice,
    /// The research benchmark: one known piece, straight drops, as many lines as possible.
    Classic,
    /// Play without a goal and without hurry: pieces neither fall nor lock by themselves.
    Zen,
    /// Two players on the same pieces: clears send garbage to the other.
    Versus,
}

impl Mode {
    /// All modes.
    pub const ALL: [Mode; 6] =
        [Mode::Sprint, Mode::Blitz, Mode::Practice, Mode::Classic, Mode::Zen, Mode::Versus];

    /// The mode's name on the command line and in files.
    pub const fn name(self) -> &'static str {
        ["sprint", "blitz", "practice", "classic", "zen", "versus"][self as usize]
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that is not a mode.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a mode: choose sprint, blitz, practice, zen, classic or versus")]
pub struct UnknownMode(String);

impl FromStr for Mode {
    type Err = UnknownMode;

    fn from_str(name: &str) -> Result<Mode, UnknownMode> {
        Mode::ALL.into_iter().find(|mode| mode.name() == name).ok_or_else(|| UnknownMode(name.to_owned()))
    }
}

/// What ends a game without a top-out. The first goal reached counts.
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
/// Replays store rules as JSON, by name. To add a rule, give its field a `#[serde(default)]` that matches all games so far:
/// files without the field then stay readable and keep their meaning.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ruleset {
    /// The kind of game.
    pub mode: Mode,
    /// Columns of the board.
    pub width: u8,
    /// Visible rows of the board. A piece that locks wholly above them (in Classic, with any cell above) ends the game.
    pub visible_height: u8,
    /// How pieces move.
    pub movement: Movement,
    /// Whether half turns (180°) are allowed.
    pub half_turns: bool,
    /// How pieces are drawn.
    pub randomizer: Randomizer,
    /// Whether a piece can be held.
    pub hold: bool,
    /// How many next pieces are visible.
    pub previews: u8,
    /// Whether pieces fall and lock by themselves.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub gravity: bool,
    /// What ends the game.
    pub goal: Goal,
    /// How the game is scored.
    #[serde(default, skip_serializing_if = "is_default")]
    pub scoring: Scoring,
    /// What passes between two players, if there are two.
    #[serde(default, skip_serializing_if = "is_default")]
    pub versus: Option<VersusRules>,
    /// How the game starts.
    #[serde(default, skip_serializing_if = "is_default")]
    pub opening: Opening,
}

fn yes() -> bool {
    true
}

fn is_yes(value: &bool) -> bool {
    *value
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Why rules are invalid.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RulesetError {
    /// The board is invalid.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// The visible rows leave no room above for pieces to spawn.
    #[error(
        "a {0} board can have at most 36 visible rows: pieces need some of the 40 rows to spawn above them"
    )]
    NoRoomToSpawn(Mode),
    /// The randomizer is invalid.
    #[error(transparent)]
    Pieces(#[from] crate::randomizer::RandomizerError),
    /// The opening is invalid.
    #[error(transparent)]
    Opening(#[from] OpeningError),
    /// The position's board has another size than the rules'.
    #[error("the board has {}x{} cells, but these rules need {}x{}", .found.0, .found.1, .expected.0, .expected.1)]
    BoardSize {
        /// Columns and rows of the position's board.
        found: (usize, usize),
        /// Columns and rows of the rules.
        expected: (usize, usize),
    },
    /// Points so large that a score could overflow.
    #[error("a number in the point table is larger than {}", PointTable::MAX_POINTS)]
    Points,
    /// A goal that is already reached at the start.
    #[error("the goal of {0} must be more than 0")]
    EmptyGoal(&'static str),
    /// Rules for two players that can't be played.
    #[error("{0}")]
    Versus(&'static str),
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
            gravity: true,
            goal: Goal::default(),
            scoring: Scoring::default(),
            versus: None,
            opening: Opening::default(),
        };
        match mode {
            Mode::Sprint => Ruleset { goal: Goal { lines: Some(40), ..Goal::default() }, ..guideline },
            Mode::Blitz => Ruleset { goal: Goal { time: Some(180_000_000), ..Goal::default() }, ..guideline },
            Mode::Practice => guideline,
            Mode::Zen => Ruleset { gravity: false, ..guideline },
            Mode::Versus => Ruleset { versus: Some(VersusPreset::Guideline.rules()), ..guideline },
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

    /// The rules of a mode for agents. Blitz is 360 pieces (two a second) instead of three minutes, so that thinking faster does
    /// not score more.
    pub fn for_agents(mode: Mode) -> Ruleset {
        let rules = Ruleset::new(mode);
        match mode {
            Mode::Blitz => Ruleset { goal: Goal { pieces: Some(360), ..Goal::default() }, ..rules },
            _ => rules,
        }
    }

    /// Checks the rules and returns the board at the start of a game.
    ///
    /// A Classic board has only its visible rows; the others have 40 rows.
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
        if let Some(versus) = &self.versus {
            if self.movement == Movement::Straight {
                return Err(RulesetError::Versus("garbage can't rise on a board of straight drops"));
            }
            versus.problem().map_or(Ok(()), |problem| Err(RulesetError::Versus(problem)))?;
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

    /// The rules for move generation. Straight drops have no T-spins.
    #[inline]
    pub fn move_rules(&self) -> MoveRules {
        let spins = self.movement != Movement::Straight;
        MoveRules { movement: self.movement, half_turns: self.half_turns, spins }
    }

    /// Where a piece spawns: just above the visible rows, and at once one row lower if that is free.
    #[inline]
    pub fn spawn(&self, piece: Piece, board: &Board) -> PieceLocation {
        let above = self.spawn_above(piece, board);
        let below = above.moved((0, -1));
        if self.spawn_is_clear(board) || above.fits(board) && below.fits(board) { below } else { above }
    }

    /// Whether a piece has room to spawn.
    #[inline]
    pub fn can_spawn(&self, piece: Piece, board: &Board) -> bool {
        self.movement == Movement::Straight
            || self.spawn_is_clear(board)
            || self.spawn_above(piece, board).fits(board)
    }

    /// Where a piece spawns before it moves one row lower.
    #[inline]
    fn spawn_above(&self, piece: Piece, board: &Board) -> PieceLocation {
        PieceLocation::spawning(piece, board, self.visible_height.into())
    }

    /// Whether the whole stack is below the spawn rows. It nearly always is, and then there is no need to look at cells.
    #[inline]
    fn spawn_is_clear(&self, board: &Board) -> bool {
        // On three columns the I spawns upright and reaches lower.
        board.width() > Board::MIN_WIDTH && board.stack_height() < usize::from(self.visible_height)
    }
}
