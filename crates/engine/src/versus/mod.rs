//! Versus: two players on the same pieces, whose clears send garbage to each other.
//!
//! | file | holds |
//! |---|---|
//! | `versus/attack.rs` | how many lines a clear sends |
//! | `versus/garbage.rs` | how they wait, are cancelled, and rise |
//! | `versus/live.rs` | [`Match`]: two games on one time line |
//! | `versus/recorded.rs` | [`MatchReplay`]: a match in a file |
//!
//! Each placement happens in this order: full rows are cleared, the clear's attack cancels garbage that waits for the attacker,
//! the rest of the attack is sent, garbage that is due rises, and the next piece spawns.

mod attack;

mod garbage;
mod live;
mod recorded;

pub use attack::AttackTable;
pub(crate) use garbage::Garbage;
pub use garbage::{Attack, GarbageRules};
pub use live::{Hands, Match, MatchResult};
pub(crate) use recorded::Body;
pub use recorded::{MatchMoment, MatchPlayError, MatchReplay, Side};

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// What passes between two players.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VersusRules {
    /// The lines that clears send.
    pub attack: AttackTable,
    /// What happens to them on their way.
    pub garbage: GarbageRules,
}

impl VersusRules {
    /// What is wrong with the rules, if anything is.
    pub(crate) fn problem(&self) -> Option<&'static str> {
        let GarbageRules { new_hole_percent, messiness_percent, most_at_once, .. } = self.garbage;
        if !(1..=AttackTable::MAX_COMBOS).contains(&self.attack.combo.len()) {
            return Some("the combo table needs 1 to 32 numbers");
        }
        if new_hole_percent > 100 || messiness_percent > 100 {
            return Some("a chance is at most 100 percent");
        }
        (most_at_once == Some(0)).then_some("at least one row of garbage must be allowed to rise at once")
    }
}

/// Named rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VersusPreset {
    /// The guideline's attack. A clear holds garbage back, and an attack has its holes in one column.
    Guideline,
    /// As in battletris' preset "ppt": garbage is messier, and a clear does not hold it back.
    Ppt,
}

impl VersusPreset {
    /// All presets.
    pub const ALL: [VersusPreset; 2] = [VersusPreset::Guideline, VersusPreset::Ppt];

    /// The preset's name on the command line.
    pub const fn name(self) -> &'static str {
        ["guideline", "ppt"][self as usize]
    }

    /// The rules.
    pub fn rules(self) -> VersusRules {
        let guideline = VersusRules {
            attack: AttackTable {
                lines: [0, 0, 1, 2, 4],
                // A mini clears at most two lines, a T-spin at most three: the values after that are never used.
                mini_t_spin: [0, 1, 2, 2, 2],
                t_spin: [0, 2, 4, 6, 6],
                back_to_back: 1,
                combo: vec![0, 1, 1, 2, 2, 3, 3, 4, 4, 4, 5],
                perfect_clear: 10,
                perfect_clear_adds: true,
            },
            garbage: GarbageRules {
                cancels: true,
                blocks: true,
                delay: 500_000,
                most_at_once: None,
                new_hole_percent: 100,
                messiness_percent: 0,
            },
        };
        match self {
            VersusPreset::Guideline => guideline,
            VersusPreset::Ppt => VersusRules {
                attack: AttackTable {
                    combo: vec![0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4, 5],
                    perfect_clear_adds: false,
                    ..guideline.attack
                },
                garbage: GarbageRules {
                    blocks: false,
                    delay: 480_000,
                    messiness_percent: 30,
                    ..guideline.garbage
                },
            },
        }
    }
}

impl fmt::Display for VersusPreset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that is not a preset.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a preset for versus: choose guideline or ppt")]
pub struct UnknownPreset(String);

impl FromStr for VersusPreset {
    type Err = UnknownPreset;

    fn from_str(name: &str) -> Result<VersusPreset, UnknownPreset> {
        let known = VersusPreset::ALL.into_iter().find(|preset| preset.name() == name);
        known.ok_or_else(|| UnknownPreset(name.to_owned()))
    }
}
