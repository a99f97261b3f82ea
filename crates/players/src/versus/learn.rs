//! The matches that the tables are learned from: the tables against themselves, under both presets in turn.

use super::{LINE, LOSS, Wide};
use crate::blitz::goal::Goal;
use crate::blitz::learn::{Lesson, Pupil, School};
use crate::blitz::{Aspect, Judge, Tables};
use tetrion_engine::ruleset::{Mode, Ruleset};
use tetrion_engine::versus::{Hands, Match, VersusPreset};

/// Matches.
pub struct Versus;

/// The time between the pieces of a side, in microseconds.
const INTERVAL: u64 = 500_000;
/// The pieces after which a match ends in any case.
const MOST_PIECES: u32 = 120;

impl School for Versus {
    type Cells = Wide;
    const FIRST_SEED: u64 = 9_000;

    /// What is learned for Blitz is a good start. In versus, a stack can be much higher, and garbage costs.
    fn first_tables() -> Tables {
        let mut entries = Tables::learned().entries();
        let mut set = |aspect: Aspect, at: usize, points: i32| entries[aspect.start() + at] = points;
        for height in 13..Aspect::Height.entries() {
            set(Aspect::Height, height, -1_942 - 200 * (height as i32 - 12));
        }
        for rows in 0..Aspect::Waiting.entries() {
            set(Aspect::Waiting, rows, -120 * rows as i32);
            set(Aspect::Unseen, rows, -120 * rows as i32);
        }
        Tables::new(entries)
    }

    /// The score is the lines sent, by both sides.
    fn play(judge: &dyn Judge<Wide>, seed: u64, pieces: u32) -> (Vec<Lesson<Wide>>, u64) {
        let preset = VersusPreset::ALL[(seed % 2) as usize];
        let rules = Ruleset { versus: Some(preset.rules()), ..Ruleset::for_agents(Mode::Versus) };
        let mut live = Match::new(&rules, seed, [Hands::Agent; 2]).expect("the rules of a preset are valid");
        let mut pupils =
            [0, 1].map(|side| Pupil::new(judge, Goal::attack(&preset.rules(), LINE, LOSS), seed ^ side));
        let mut lessons = Vec::new();
        for turn in 1..=pieces.min(MOST_PIECES) {
            for (side, pupil) in pupils.iter_mut().enumerate() {
                let Some(view) = live.game(side).view() else { break };
                if view.placed % 2 == 0 {
                    lessons.extend(pupil.lesson(&view));
                }
                let Some(play) = pupil.choose(&view) else { break };
                let at = u64::from(turn) * INTERVAL;
                live.place(side, at, play).expect("a search finds legal moves");
            }
            if live.result().is_some() || live.game(0).placed() < turn || live.game(1).placed() < turn {
                break;
            }
        }
        let attack = |side: usize| u64::from(live.game(side).position().attack);
        let placed = u64::from(live.game(0).placed() + live.game(1).placed());
        (lessons, 1_000 * (attack(0) + attack(1)) / placed.max(1))
    }
}
