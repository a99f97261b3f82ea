//! What a search plays for: points, or lines sent to another player.

use super::field::{Cells, height, raised};
use super::layer::{Incoming, MAX_COMBO};
use tetrion_engine::location::Spin;
use tetrion_engine::ruleset::Ruleset;
use tetrion_engine::scoring::{Clear, Streak};
use tetrion_engine::versus::{GarbageRules, VersusRules};

/// What placements are worth, in points.
pub struct Goal {
    clears: ClearTable,
    /// Whether falling scores.
    drops: bool,
    /// What a lost game costs.
    pub loss: i32,
    /// What passes between two players, if there are two.
    exchange: Option<Exchange>,
}

/// What a clear earns, by spin, lines, back-to-back, perfect clear, and clears in a row before it.
type ClearTable = Box<[[[[[i32; MAX_COMBO as usize + 1]; 2]; 2]; 5]; 3]>;

/// How lines are sent and rise.
struct Exchange {
    garbage: GarbageRules,
    worth: LineWorth,
}

/// What a line of attack is worth, in points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineWorth {
    /// If it cancels garbage.
    pub cancelled: i32,
    /// If it reaches the other player.
    pub sent: i32,
}

fn clear_table(earned: impl Fn(Streak, Clear) -> i32) -> ClearTable {
    Box::new([Spin::None, Spin::Mini, Spin::Full].map(|spin| {
        std::array::from_fn(|lines| {
            [false, true].map(|back_to_back| {
                [false, true].map(|perfect| {
                    std::array::from_fn(|clears| {
                        let clear = Clear { lines: lines as u32, spin, perfect };
                        earned(Streak { back_to_back, clears: clears as u32 }, clear)
                    })
                })
            })
        })
    }))
}

/// Garbage that arrives before a placement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arriving {
    /// Its rows.
    pub rows: u32,
    /// The column of the hole in all rows that rise with the placement.
    pub hole: usize,
}

impl Goal {
    /// The points of a game.
    pub fn points(rules: &Ruleset) -> Goal {
        let earned = |mut streak, clear| rules.scoring.score(&mut streak, clear).points.total() as i32;
        Goal { clears: clear_table(earned), drops: true, loss: 3_000, exchange: None }
    }

    /// Lines sent to another player.
    pub fn attack(rules: &VersusRules, worth: LineWorth, loss: i32) -> Goal {
        let earned = |streak, clear| rules.attack.attack(streak, clear) as i32;
        let exchange = Some(Exchange { garbage: rules.garbage.clone(), worth });
        Goal { clears: clear_table(earned), drops: false, loss, exchange }
    }

    /// What the fall of a piece scores.
    #[inline]
    pub fn drop(&self, rows: i32, is_hard: bool) -> i32 {
        match self.drops {
            true if is_hard => 2 * rows,
            true => rows,
            false => 0,
        }
    }

    /// What a clear earns, in points or lines.
    #[inline]
    pub fn earned(&self, before: Streak, clear: Clear) -> i32 {
        let by_back_to_back = &self.clears[clear.spin as usize][clear.lines as usize];
        by_back_to_back[usize::from(before.back_to_back)][usize::from(clear.perfect)]
            [before.clears.min(MAX_COMBO) as usize]
    }

    /// Attacks with what a clear of some lines earned, and lets garbage rise under the field. Returns the points, the field and the
    /// garbage that is still on its way; `None` if the stack is too high then.
    #[inline]
    pub fn exchange<C: Cells>(
        &self,
        earned: i32,
        lines: u32,
        field: C,
        garbage: Incoming,
        arriving: Option<Arriving>,
    ) -> Option<(i32, C, Incoming)> {
        let Some(Exchange { garbage: rules, worth }) = &self.exchange else {
            return Some((earned, field, garbage));
        };
        let Incoming { mut waiting, floor } = garbage;
        waiting += arriving.map_or(0, |arriving| arriving.rows);
        let cancelled = if rules.cancels { waiting.min(earned as u32) } else { 0 };
        waiting -= cancelled;
        let points = cancelled as i32 * worth.cancelled + (earned - cancelled as i32) * worth.sent;
        let most = rules.most_at_once.map_or(u32::MAX, u32::from);
        let rising = if rules.blocks && lines > 0 { 0 } else { waiting.min(most) };
        waiting -= rising;
        if rising == 0 {
            return Some((points, field, Incoming { waiting, floor }));
        }
        if height(field) + (floor + rising) as usize > C::ROWS {
            return None;
        }
        Some(match arriving {
            None => (points, field, Incoming { waiting, floor: floor + rising }),
            Some(Arriving { hole, .. }) => (points, raised(field, rising, hole), Incoming { waiting, floor }),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::Agent;
    use crate::blitz::Weights;
    use crate::blitz::field::of_board;
    use crate::versus::{VersusAgent, Wide};
    use tetrion_engine::ruleset::Mode;
    use tetrion_engine::versus::{Hands, Match, VersusPreset};

    const WORTH: LineWorth = LineWorth { cancelled: 1, sent: 100 };

    /// Two players send garbage to each other, which the engine lets rise; what a goal expects has to be the same.
    #[test]
    fn what_is_sent_cancelled_and_risen_is_what_the_engine_says() {
        let mut agents = [100, 1_000].map(|nodes| VersusAgent::new(&Weights::learned(), nodes));
        let (mut risen, mut cancelled) = (0, 0);
        for (seed, preset) in (0..2).flat_map(|seed| VersusPreset::ALL.map(|preset| (seed, preset))) {
            let rules = Ruleset { versus: Some(preset.rules()), ..Ruleset::for_agents(Mode::Versus) };
            let goal = Goal::attack(&preset.rules(), WORTH, 0);
            let mut live = Match::new(&rules, seed, [Hands::Agent; 2]).unwrap();
            for turn in 1..100 {
                for side in 0..2 {
                    let Some(view) = live.game(side).view() else { continue };
                    let (before, streak) = (view.board, view.streak);
                    let garbage = Incoming { waiting: view.garbage.iter().sum(), floor: 0 };
                    let Some(play) = agents[side].choose(&view) else { continue };
                    let placement = play.placement;
                    live.place(side, (2 * turn + side as u64) * 1_000_000, play).unwrap();
                    let placed = live.take_placed();
                    let (_, record) = placed.iter().find(|(of, _)| *of == side).unwrap();
                    let (after, full) = before.after(placement);
                    let Some(field) = of_board::<Wide>(&after) else { continue };
                    let clear =
                        Clear { lines: full.count_ones(), spin: placement.spin(), perfect: after.is_empty() };
                    let earned = goal.earned(streak, clear);
                    assert_eq!(earned as u32, record.attack);
                    let Some((points, _, left)) = goal.exchange(earned, clear.lines, field, garbage, None)
                    else {
                        continue;
                    };
                    assert_eq!(points as u32, 100 * record.sent + record.attack - record.sent);
                    let waiting: u32 = live.game(side).position().garbage.iter().sum();
                    assert_eq!((left.floor, left.waiting), (record.garbage, waiting), "{preset} {record:?}");
                    risen += record.garbage;
                    cancelled += record.attack - record.sent;
                }
            }
        }
        assert!(risen > 100 && cancelled > 0, "{risen} {cancelled}");
    }
}
