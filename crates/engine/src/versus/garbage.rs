//! Garbage: how an attack waits, is cancelled, and rises under the stack.

use crate::board::Board;
use crate::randomizer::{Random, game_seed};
use crate::ruleset::Micros;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// What happens to an attack on its way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GarbageRules {
    /// Whether an attack first cancels what waits for the attacker.
    pub cancels: bool,
    /// Whether a clear holds back the garbage that would rise with it.
    pub blocks: bool,
    /// How long garbage waits before it may rise.
    pub delay: Micros,
    /// The most rows that rise with one piece, if there is a limit.
    pub most_at_once: Option<u8>,
    /// The chance that the hole changes its column from one attack to the next, in percent.
    pub new_hole_percent: u8,
    /// The chance that it changes from one row of an attack to the next, in percent.
    pub messiness_percent: u8,
}

impl GarbageRules {
    /// Whether an attack may rise now. One that is sent at this very moment is not there yet.
    pub fn is_due(&self, attack: &Attack, now: Micros) -> bool {
        attack.at < now && attack.at.saturating_add(self.delay) <= now
    }
}

/// An attack that waits for a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attack {
    /// Its rows.
    pub rows: u32,
    /// When it was sent.
    pub at: Micros,
}

/// The attacks that wait for a player, and the holes of the rows to come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Garbage {
    waiting: VecDeque<Attack>,
    hole: usize,
    random: Random,
}

/// The stream of random numbers for the holes of side 0, in the seed of a game; the one before it is for side 1. Pieces use the
/// seed itself.
const HOLES: u64 = u64::MAX;

impl Garbage {
    /// Nothing waits. Each side has holes of its own.
    pub fn new(seed: u64, side: u64, width: usize) -> Garbage {
        let mut random = Random::new(game_seed(seed, HOLES - side));
        let hole = random.below(width as u64) as usize;
        Garbage { waiting: VecDeque::new(), hole, random }
    }

    /// An attack comes in.
    pub fn receive(&mut self, attack: Attack) {
        if attack.rows > 0 {
            self.waiting.push_back(attack);
        }
    }

    /// The attacks that wait, the next to rise first.
    pub fn waiting(&self) -> impl Iterator<Item = &Attack> {
        self.waiting.iter()
    }

    /// Cancels waiting rows with an attack made now, and returns what is left of it. An attack that is sent at this very moment
    /// is not there yet.
    pub fn cancel(&mut self, mut attack: u32, now: Micros) -> u32 {
        while let Some(first) = self.waiting.front_mut().filter(|first| first.at < now) {
            let cancelled = first.rows.min(attack);
            first.rows -= cancelled;
            attack -= cancelled;
            if first.rows > 0 {
                break;
            }
            self.waiting.pop_front();
        }
        attack
    }

    /// Lets the rows rise that are due. Returns how many did, or `None` if the stack was pushed out of the board.
    pub fn rise(&mut self, board: &mut Board, rules: &GarbageRules, now: Micros) -> Option<u32> {
        let mut risen = 0;
        let most = rules.most_at_once.map_or(u32::MAX, u32::from);
        while let Some(first) = self.waiting.front_mut().filter(|first| rules.is_due(first, now)) {
            let rows = first.rows.min(most - risen);
            if rows == 0 {
                break;
            }
            first.rows -= rows;
            if first.rows == 0 {
                self.waiting.pop_front();
            }
            for row in 0..rows {
                let percent = if row == 0 { rules.new_hole_percent } else { rules.messiness_percent };
                self.move_hole(percent, board.width());
                if board.stack_height() == board.height() {
                    return None;
                }
                board.rise(self.hole);
                risen += 1;
            }
        }
        Some(risen)
    }

    /// Moves the hole to another column, with this chance.
    fn move_hole(&mut self, percent: u8, width: usize) {
        if self.random.below(100) < percent.into() {
            let other = self.random.below(width as u64 - 1) as usize;
            self.hole = if other < self.hole { other } else { other + 1 };
        }
    }
}
