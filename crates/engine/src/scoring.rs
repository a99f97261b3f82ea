//! What a placement is worth. Level 1 throughout: Sprint and Blitz stay there.

use crate::location::Spin;
use serde::{Deserialize, Serialize};

/// The points of one placement, by what they are for.
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
    /// All of them.
    pub fn total(self) -> u32 {
        self.clear + self.combo + self.perfect_clear + self.drop
    }
}

/// What carries over from one placement to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Streak {
    /// The last clear was a tetris or a T-spin, so that another scores half as much again.
    pub back_to_back: bool,
    /// How many placements in a row have cleared lines.
    pub clears: u32,
}

/// What was cleared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clear {
    /// Full rows.
    pub lines: u32,
    /// Whether a T spun in.
    pub spin: Spin,
    /// Whether the board is empty after it.
    pub perfect: bool,
}

impl Clear {
    /// Whether the clear keeps a back-to-back streak going: a tetris, or a T-spin that clears lines.
    pub fn is_difficult(self) -> bool {
        self.lines == 4 || self.lines > 0 && self.spin != Spin::None
    }

    /// The points of the lines and the spin alone.
    fn base(self) -> u32 {
        let by_lines = match self.spin {
            Spin::None => [0, 100, 300, 500, 800],
            // No T-spin clears four lines, and no mini more than two.
            Spin::Mini => [100, 200, 400, 400, 400],
            Spin::Full => [400, 800, 1200, 1600, 1600],
        };
        by_lines[self.lines as usize]
    }
}

impl Streak {
    /// Scores a clear (or a placement that clears nothing), and goes on. Says whether it was back-to-back.
    pub fn score(&mut self, clear: Clear) -> (Points, bool) {
        let mut points = Points { clear: clear.base(), ..Points::default() };
        if clear.lines == 0 {
            self.clears = 0;
            return (points, false);
        }
        let back_to_back = self.back_to_back && clear.is_difficult();
        if back_to_back {
            points.clear += points.clear / 2;
        }
        points.combo = 50 * self.clears;
        if clear.perfect {
            points.perfect_clear = match clear.lines {
                1 => 800,
                2 => 1200,
                3 => 1800,
                _ if back_to_back => 3200,
                _ => 2000,
            };
        }
        self.back_to_back = clear.is_difficult();
        self.clears += 1;
        (points, back_to_back)
    }
}

/// Points for each row of a soft drop.
pub const SOFT_DROP: u32 = 1;
/// Points for each row of a hard drop.
pub const HARD_DROP: u32 = 2;

#[cfg(test)]
mod tests {
    use super::*;

    fn points(lines: u32, spin: Spin) -> u32 {
        Streak::default().score(Clear { lines, spin, perfect: false }).0.total()
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
        assert_eq!(streak.score(clear(4)).0.clear, 800);
        streak.score(clear(0));
        assert_eq!(streak.score(clear(4)), (Points { clear: 1200, ..Points::default() }, true));
    }

    #[test]
    fn a_mini_with_a_line_keeps_back_to_back() {
        let mut streak = Streak { back_to_back: true, clears: 0 };
        let (points, back_to_back) = streak.score(Clear { spin: Spin::Mini, ..clear(1) });
        assert_eq!((points.clear, back_to_back, streak.back_to_back), (300, true, true));
    }

    #[test]
    fn plain_lines_break_back_to_back() {
        for lines in 1..=3 {
            let mut streak = Streak { back_to_back: true, clears: 0 };
            assert!(!streak.score(clear(lines)).1);
            assert!(!streak.back_to_back);
        }
    }

    #[test]
    fn a_spin_without_lines_neither_breaks_nor_starts_back_to_back_and_is_not_multiplied() {
        for back_to_back in [false, true] {
            let mut streak = Streak { back_to_back, clears: 0 };
            let (points, bonus) = streak.score(Clear { spin: Spin::Full, ..clear(0) });
            assert_eq!((points.clear, bonus), (400, false));
            assert_eq!(streak.back_to_back, back_to_back);
        }
    }

    #[test]
    fn each_clear_in_a_row_after_the_first_adds_fifty_more() {
        let mut streak = Streak::default();
        let combos = [1, 1, 2, 1].map(|lines| streak.score(clear(lines)).0.combo);
        assert_eq!(combos, [0, 50, 100, 150]);
        streak.score(clear(0));
        assert_eq!(streak.score(clear(1)).0.combo, 0);
    }

    #[test]
    fn a_perfect_clear_adds_to_the_clear() {
        let total = |lines| Streak::default().score(Clear { perfect: true, ..clear(lines) }).0.total();
        assert_eq!([1, 2, 3, 4].map(total), [900, 1500, 2300, 2800]);
    }

    #[test]
    fn a_back_to_back_tetris_perfect_clear_adds_3200() {
        let mut streak = Streak { back_to_back: true, clears: 2 };
        let (points, _) = streak.score(Clear { perfect: true, ..clear(4) });
        assert_eq!(points, Points { clear: 1200, combo: 100, perfect_clear: 3200, drop: 0 });
    }

    #[test]
    fn a_back_to_back_spin_perfect_clear_is_not_multiplied() {
        let mut streak = Streak { back_to_back: true, clears: 0 };
        let (points, _) = streak.score(Clear { lines: 2, spin: Spin::Full, perfect: true });
        assert_eq!(points, Points { clear: 1800, combo: 0, perfect_clear: 1200, drop: 0 });
    }
}
