//! Scoring as data: point tables, back-to-back and combos.

use crate::location::Spin;
use serde::{Deserialize, Serialize};

/// How a game is scored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scoring {
    /// One point per line and nothing else, as in Classic.
    Lines,
    /// Points from a table.
    Points(PointTable),
}

impl Default for Scoring {
    /// The guideline's points at level 1. Files without a scoring rule mean this table, so it never changes.
    fn default() -> Scoring {
        Scoring::Points(PointTable::GUIDELINE)
    }
}

/// The points for clears, back-to-backs, combos and drops.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PointTable {
    /// A placement without a spin, by the lines that it clears.
    pub lines: [u32; 5],
    /// A mini T-spin, by lines.
    pub mini_t_spin: [u32; 5],
    /// A full T-spin, by lines.
    pub t_spin: [u32; 5],
    /// The points of a back-to-back clear, in percent of the same clear without it.
    pub back_to_back_percent: u32,
    /// The bonus for each clear in a row, multiplied by the number of clears before it.
    pub combo: u32,
    /// The bonus for a perfect clear (all clear), by lines.
    pub perfect_clear: [u32; 5],
    /// The bonus for a perfect clear by a back-to-back tetris.
    pub back_to_back_perfect_clear: u32,
    /// The points for each row of a soft drop.
    pub soft_drop: u32,
    /// The points for each row of a hard drop.
    pub hard_drop: u32,
}

impl PointTable {
    /// The guideline's table at level 1, where Sprint and Blitz stay.
    pub const GUIDELINE: PointTable = PointTable {
        lines: [0, 100, 300, 500, 800],
        // A mini clears at most two lines, a T-spin at most three: the values after that are never used.
        mini_t_spin: [100, 200, 400, 400, 400],
        t_spin: [400, 800, 1200, 1600, 1600],
        back_to_back_percent: 150,
        combo: 50,
        perfect_clear: [0, 800, 1200, 1800, 2000],
        back_to_back_perfect_clear: 3200,
        soft_drop: 1,
        hard_drop: 2,
    };

    /// The largest number allowed in a table.
    pub const MAX_POINTS: u32 = 1_000_000;

    /// Whether every number is small enough for sums not to overflow.
    pub(crate) fn is_countable(&self) -> bool {
        let by_lines = [self.lines, self.mini_t_spin, self.t_spin, self.perfect_clear];
        let others = [
            self.back_to_back_percent,
            self.combo,
            self.back_to_back_perfect_clear,
            self.soft_drop,
            self.hard_drop,
        ];
        by_lines.as_flattened().iter().chain(&others).all(|points| *points <= PointTable::MAX_POINTS)
    }

    /// The points for the lines and the spin alone.
    fn base(&self, clear: Clear) -> u32 {
        let by_lines = match clear.spin {
            Spin::None => &self.lines,
            Spin::Mini => &self.mini_t_spin,
            Spin::Full => &self.t_spin,
        };
        by_lines[clear.lines as usize]
    }
}

/// The points of one placement, by source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Points {
    /// The lines and the spin, with the back-to-back bonus.
    pub clear: u32,
    /// The combo.
    pub combo: u32,
    /// The perfect clear.
    pub perfect_clear: u32,
    /// Soft and hard drops.
    pub drop: u32,
}

impl Points {
    /// The sum.
    pub fn total(self) -> u32 {
        self.clear.saturating_add(self.combo).saturating_add(self.perfect_clear).saturating_add(self.drop)
    }
}

/// The back-to-back and the combo, which carry over from one placement to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Streak {
    /// The last clear was a tetris or a T-spin, so another such clear is back-to-back.
    pub back_to_back: bool,
    /// How many placements in a row cleared lines.
    pub clears: u32,
}

/// What a placement cleared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clear {
    /// Lines cleared.
    pub lines: u32,
    /// Whether a T spun in.
    pub spin: Spin,
    /// Whether it left the board empty.
    pub perfect: bool,
}

/// What a clear scored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClearScore {
    /// The points, without drops.
    pub points: Points,
    /// Whether the clear was back-to-back.
    pub back_to_back: bool,
}

impl Clear {
    /// Whether the clear keeps a back-to-back streak going: a tetris, or a T-spin that clears lines.
    pub fn is_difficult(self) -> bool {
        self.lines == 4 || self.lines > 0 && self.spin != Spin::None
    }
}

impl Scoring {
    /// Scores a placement, with or without a clear, and updates the streak.
    #[inline]
    pub fn score(&self, streak: &mut Streak, clear: Clear) -> ClearScore {
        let Scoring::Points(table) = self else {
            // Without a point table there are no streaks.
            let points = Points { clear: clear.lines, ..Points::default() };
            return ClearScore { points, back_to_back: false };
        };
        let mut points = Points { clear: table.base(clear), ..Points::default() };
        if clear.lines == 0 {
            streak.clears = 0;
            return ClearScore { points, back_to_back: false };
        }
        let back_to_back = streak.back_to_back && clear.is_difficult();
        if back_to_back {
            let percent = u64::from(points.clear) * u64::from(table.back_to_back_percent);
            points.clear = u32::try_from(percent / 100).unwrap_or(u32::MAX);
        }
        points.combo = table.combo.saturating_mul(streak.clears);
        if clear.perfect {
            points.perfect_clear = match clear.lines {
                4 if back_to_back => table.back_to_back_perfect_clear,
                lines => table.perfect_clear[lines as usize],
            };
        }
        *streak = Streak { back_to_back: clear.is_difficult(), clears: streak.clears + 1 };
        ClearScore { points, back_to_back }
    }

    /// The points for rows of soft and hard drop.
    #[inline]
    pub fn drop(&self, soft: u32, hard: u32) -> u32 {
        match self {
            Scoring::Lines => 0,
            Scoring::Points(table) => {
                table.soft_drop.saturating_mul(soft).saturating_add(table.hard_drop.saturating_mul(hard))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(streak: &mut Streak, clear: Clear) -> (Points, bool) {
        let ClearScore { points, back_to_back } = Scoring::default().score(streak, clear);
        (points, back_to_back)
    }

    fn points(lines: u32, spin: Spin) -> u32 {
        score(&mut Streak::default(), Clear { lines, spin, perfect: false }).0.total()
    }

    fn clear(lines: u32) -> Clear {
        Clear { lines, spin: Spin::None, perfect: false }
    }

    #[test]
    fn lines_score_by_their_number() {
        assert_eq!([0, 1, 2, 3, 4].map(|lines| points(lines, Spin::None)), [0, 100, 300, 500, 800]);
    }

    #[test]
    fn t_spins_score_by_their_lines() {
        assert_eq!([0, 1, 2, 3].map(|lines| points(lines, Spin::Full)), [400, 800, 1200, 1600]);
    }

    #[test]
    fn mini_t_spins_score_by_their_lines() {
        assert_eq!([0, 1, 2].map(|lines| points(lines, Spin::Mini)), [100, 200, 400]);
    }

    #[test]
    fn a_tetris_after_a_tetris_scores_half_as_much_again() {
        let mut streak = Streak::default();
        assert_eq!(score(&mut streak, clear(4)).0.clear, 800);
        score(&mut streak, clear(0));
        assert_eq!(score(&mut streak, clear(4)), (Points { clear: 1200, ..Points::default() }, true));
    }

    #[test]
    fn a_mini_with_a_line_keeps_back_to_back() {
        let mut streak = Streak { back_to_back: true, clears: 0 };
        let (points, back_to_back) = score(&mut streak, Clear { spin: Spin::Mini, ..clear(1) });
        assert_eq!((points.clear, back_to_back, streak.back_to_back), (300, true, true));
    }

    #[test]
    fn plain_lines_break_back_to_back() {
        for lines in 1..=3 {
            let mut streak = Streak { back_to_back: true, clears: 0 };
            assert!(!score(&mut streak, clear(lines)).1);
            assert!(!streak.back_to_back);
        }
    }

    #[test]
    fn a_spin_without_lines_neither_breaks_nor_starts_back_to_back_and_is_not_multiplied() {
        for back_to_back in [false, true] {
            let mut streak = Streak { back_to_back, clears: 0 };
            let (points, bonus) = score(&mut streak, Clear { spin: Spin::Full, ..clear(0) });
            assert_eq!((points.clear, bonus), (400, false));
            assert_eq!(streak.back_to_back, back_to_back);
        }
    }

    #[test]
    fn each_clear_in_a_row_after_the_first_adds_fifty_more() {
        let mut streak = Streak::default();
        let combos = [1, 1, 2, 1].map(|lines| score(&mut streak, clear(lines)).0.combo);
        assert_eq!(combos, [0, 50, 100, 150]);
        score(&mut streak, clear(0));
        assert_eq!(score(&mut streak, clear(1)).0.combo, 0);
    }

    #[test]
    fn a_perfect_clear_adds_to_the_clear() {
        let total = |lines| score(&mut Streak::default(), Clear { perfect: true, ..clear(lines) }).0.total();
        assert_eq!([1, 2, 3, 4].map(total), [900, 1500, 2300, 2800]);
    }

    #[test]
    fn a_back_to_back_tetris_perfect_clear_adds_3200() {
        let mut streak = Streak { back_to_back: true, clears: 2 };
        let (points, _) = score(&mut streak, Clear { perfect: true, ..clear(4) });
        assert_eq!(points, Points { clear: 1200, combo: 100, perfect_clear: 3200, drop: 0 });
    }

    #[test]
    fn a_back_to_back_spin_perfect_clear_is_not_multiplied() {
        let mut streak = Streak { back_to_back: true, clears: 0 };
        let (points, _) = score(&mut streak, Clear { lines: 2, spin: Spin::Full, perfect: true });
        assert_eq!(points, Points { clear: 1800, combo: 0, perfect_clear: 1200, drop: 0 });
    }

    #[test]
    fn lines_alone_score_one_each_and_keep_no_streak() {
        let mut streak = Streak::default();
        let scored = Scoring::Lines.score(&mut streak, clear(4));
        assert_eq!((scored.points.total(), scored.back_to_back, streak), (4, false, Streak::default()));
        assert_eq!(Scoring::Lines.drop(3, 20), 0);
    }

    #[test]
    fn a_table_of_ones_own_counts_as_it_says() {
        let table = PointTable { combo: 7, back_to_back_percent: 300, ..PointTable::GUIDELINE };
        let mut streak = Streak { back_to_back: true, clears: 2 };
        let points = Scoring::Points(table).score(&mut streak, clear(4)).points;
        assert_eq!((points.clear, points.combo), (2400, 14));
    }
}
