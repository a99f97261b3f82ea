//! Attack as data: how many lines a clear sends to the other player.

use crate::location::Spin;
use crate::scoring::{Clear, Streak};
use serde::{Deserialize, Serialize};

/// The lines that clears send.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AttackTable {
    /// A clear without a spin, by lines.
    pub lines: [u8; 5],
    /// A mini T-spin, by lines.
    pub mini_t_spin: [u8; 5],
    /// A full T-spin, by lines.
    pub t_spin: [u8; 5],
    /// Added for a back-to-back.
    pub back_to_back: u8,
    /// Added for a combo, by the number of clears in a row before this one. The last number holds for all longer combos.
    pub combo: Vec<u8>,
    /// A perfect clear.
    pub perfect_clear: u8,
    /// Whether a perfect clear adds to what the clear itself sends. If not, it sends `perfect_clear` alone.
    pub perfect_clear_adds: bool,
}

impl AttackTable {
    /// The most numbers in the combo table.
    pub const MAX_COMBOS: usize = 32;

    /// The lines that a placement sends, after this streak.
    pub fn attack(&self, before: Streak, clear: Clear) -> u32 {
        if clear.lines == 0 {
            return 0;
        }
        let perfect = if clear.perfect { u32::from(self.perfect_clear) } else { 0 };
        if clear.perfect && !self.perfect_clear_adds {
            return perfect;
        }
        let by_lines = match clear.spin {
            Spin::None => &self.lines,
            Spin::Mini => &self.mini_t_spin,
            Spin::Full => &self.t_spin,
        };
        let bonus = if before.back_to_back && clear.is_difficult() { self.back_to_back } else { 0 };
        let combo = self.combo.get(before.clears as usize).or(self.combo.last()).copied().unwrap_or(0);
        [by_lines[clear.lines as usize], bonus, combo].into_iter().map(u32::from).sum::<u32>() + perfect
    }
}
