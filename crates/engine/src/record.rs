//! Records of placements, and the results of games.

use crate::location::Placement;
use crate::ruleset::Micros;
use crate::scoring::Points;
use serde::{Deserialize, Serialize};
use std::fmt;

/// One placement and everything that it caused. All statistics, displays and files of games come from these records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlacementRecord {
    /// The number of the piece, from 1.
    pub number: u32,
    /// The time played, in games with time.
    pub at: Option<Micros>,
    /// Whether hold was used for it.
    pub held: bool,
    /// Where the piece locked, and whether it spun in.
    pub placement: Placement,
    /// The full rows as a bit set, before clearing.
    pub cleared_rows: u64,
    /// Lines cleared.
    pub lines: u32,
    /// Whether the clear got the back-to-back bonus.
    pub back_to_back: bool,
    /// The combo as players count it: the number of clears in a row before this one. 0 if it cleared nothing.
    pub combo: u32,
    /// Whether the clear left the board empty (all clear).
    pub perfect_clear: bool,
    /// Rows fallen by soft drop.
    pub soft_drop: u32,
    /// Rows fallen by hard drop.
    pub hard_drop: u32,
    /// What it scored.
    pub points: Points,
    /// The lines of its attack, in versus.
    pub attack: u32,
    /// The lines that went to the other player: the attack without what it cancelled.
    pub sent: u32,
    /// Rows of garbage that rose with it.
    pub garbage: u32,
    /// The keys pressed for it, if counted.
    pub keys: Option<Keys>,
    /// The game's totals after it.
    pub totals: Totals,
    /// How the game ended, if this ended it.
    pub outcome: Option<Outcome>,
}

/// The keys of one placement, including the hold and the hard drop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Keys {
    /// Keys pressed.
    pub pressed: u32,
    /// The fewest keys for this placement.
    pub fewest: u32,
}

impl Keys {
    /// The keys of a player without finesse faults.
    pub fn perfect(fewest: u32) -> Keys {
        Keys { pressed: fewest, fewest }
    }

    /// Whether this is a finesse fault: more keys than needed.
    pub fn is_fault(self) -> bool {
        self.pressed > self.fewest
    }
}

/// A game's totals after a placement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// Lines cleared.
    pub lines: u32,
    /// The score.
    pub score: u64,
    /// The height of the stack.
    pub height: u8,
}

impl PlacementRecord {
    /// The name that players use: "Double", "T-Spin Triple", "Mini T-Spin". `None` without a clear or a spin.
    pub fn clear_name(&self) -> Option<&'static str> {
        const NAMES: [[&str; 5]; 3] = [
            ["", "Single", "Double", "Triple", "Tetris"],
            ["Mini T-Spin", "Mini T-Spin Single", "Mini T-Spin Double", "", ""],
            ["T-Spin", "T-Spin Single", "T-Spin Double", "T-Spin Triple", ""],
        ];
        let name = NAMES[self.placement.spin() as usize][self.lines as usize];
        (!name.is_empty()).then_some(name)
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The player reached the line goal.
    Clear,
    /// The player topped out.
    TopOut(TopOut),
    /// Time ran out.
    TimeUp,
    /// The player placed all pieces.
    PieceLimit,
}

/// How a game was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TopOut {
    /// A piece had no room to spawn, or garbage pushed the stack out of the board.
    BlockOut,
    /// A piece locked wholly above the visible rows.
    LockOut,
    /// In Classic, a piece came to rest with a cell above the board.
    Overflow,
}

impl Outcome {
    /// The outcome's name in results.
    pub const fn name(self) -> &'static str {
        match self {
            Outcome::Clear => "clear",
            Outcome::TopOut(_) => "top_out",
            Outcome::TimeUp => "time_up",
            Outcome::PieceLimit => "piece_limit",
        }
    }

    /// Whether the game was lost.
    pub const fn is_loss(self) -> bool {
        matches!(self, Outcome::TopOut(_))
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Clear => f.write_str("Clear!"),
            Outcome::TopOut(how) => write!(f, "Top Out! ({how})"),
            Outcome::TimeUp => f.write_str("Time's Up!"),
            Outcome::PieceLimit => f.write_str("All pieces placed"),
        }
    }
}

impl fmt::Display for TopOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TopOut::BlockOut => "Block out",
            TopOut::LockOut => "Lock out",
            TopOut::Overflow => "above the board",
        })
    }
}

/// The result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameResult {
    /// How it ended, if it did.
    pub outcome: Option<Outcome>,
    /// Pieces placed.
    pub pieces: u64,
    /// Lines cleared.
    pub lines: u64,
    /// The score; in Classic, lines.
    pub score: u64,
    /// Keys pressed, if counted.
    pub keys: Option<u64>,
}

impl GameResult {
    /// The outcome's name, or "unfinished".
    pub fn outcome_name(&self) -> &'static str {
        self.outcome.map_or("unfinished", Outcome::name)
    }

    /// Whether the game was lost.
    pub fn is_lost(&self) -> bool {
        self.outcome.is_some_and(Outcome::is_loss)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::location::{PieceLocation, Spin};
    use crate::piece::{Orientation, Piece};

    #[test]
    fn clears_have_the_names_that_players_use() {
        let record = |spin, lines| {
            let location = PieceLocation { piece: Piece::T, orientation: Orientation::North, x: 1, y: 0 };
            PlacementRecord {
                number: 1,
                at: None,
                held: false,
                placement: Placement::new(location, spin),
                cleared_rows: 0,
                lines,
                back_to_back: false,
                combo: 0,
                perfect_clear: false,
                soft_drop: 0,
                hard_drop: 0,
                points: Points::default(),
                attack: 0,
                sent: 0,
                garbage: 0,
                keys: None,
                totals: Totals::default(),
                outcome: None,
            }
        };
        assert_eq!(record(Spin::None, 0).clear_name(), None);
        assert_eq!(record(Spin::None, 4).clear_name(), Some("Tetris"));
        assert_eq!(record(Spin::Mini, 0).clear_name(), Some("Mini T-Spin"));
        assert_eq!(record(Spin::Full, 3).clear_name(), Some("T-Spin Triple"));
    }
}
