//! What hands can do. A game beyond these limits is kept, but is not ranked with the others.
//!
//! The limits leave a wide margin above the fastest people, so that they catch only games that no hand has played. They can't catch a
//! program that plays within them.

use std::collections::HashMap;
use tetrion_engine::clock::{Action, Button, Input};
use tetrion_engine::ruleset::Micros;

/// About twice as many as in the first Sprint under 20 seconds, which had 5.1 (19.68 s, Guinness World Records, 2013).
pub const MAX_PIECES_PER_SECOND: f64 = 10.0;
/// As many pieces, with four keys each.
pub const MAX_KEYS_PER_SECOND: f64 = 40.0;
/// An estimate of ours: fingers that press two keys together rarely hit the same millisecond.
pub const ONE_INSTANT: Micros = 1_000;
/// An estimate of ours: a finger holds a key for tens of milliseconds.
pub const MIN_MEDIAN_HOLD: Micros = 5_000;
/// The standard deviation relative to the mean. An estimate of ours: the rhythm of people varies several times as much.
pub const MIN_VARIATION: f64 = 0.05;
/// With fewer keys than this, rhythm says nothing.
const MIN_SAMPLES: usize = 20;

/// Why no hand can have played a game.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum Superhuman {
    /// Too many pieces.
    #[error("{0:.1} pieces per second is faster than any person plays (limit: {MAX_PIECES_PER_SECOND})")]
    Pieces(f64),
    /// Too many keys.
    #[error("{0:.1} keys per second is faster than any person plays (limit: {MAX_KEYS_PER_SECOND})")]
    Keys(f64),
    /// Most keys were pressed together.
    #[error("most keys were pressed within a millisecond of the one before")]
    OneInstant,
    /// Keys were hardly held.
    #[error("most keys were released within {} ms of being pressed", MIN_MEDIAN_HOLD / 1_000)]
    NoHold,
    /// The same rhythm from beginning to end.
    #[error("the keys were pressed as regularly as by a machine")]
    Regular,
}

impl Superhuman {
    /// The limit that a person's game is beyond, if any.
    pub fn find(inputs: &[Input], time: Micros, pieces: u32) -> Option<Superhuman> {
        let downs = || inputs.iter().filter_map(|input| Some((input.at, pressed(input.action)?)));
        let presses: Vec<Micros> = downs().map(|(at, _)| at).collect();
        let drops: Vec<Micros> =
            downs().filter(|(_, button)| *button == Button::HardDrop).map(|(at, _)| at).collect();
        let seconds = time.max(1) as f64 / 1e6;
        let (pieces_per_second, keys_per_second) =
            (f64::from(pieces) / seconds, presses.len() as f64 / seconds);
        let gaps = gaps(&presses);
        let together = gaps.iter().filter(|gap| **gap <= ONE_INSTANT).count();
        let mut holds = holds(inputs);
        let enough = |samples: &[Micros]| samples.len() >= MIN_SAMPLES;
        if pieces_per_second > MAX_PIECES_PER_SECOND {
            Some(Superhuman::Pieces(pieces_per_second))
        } else if keys_per_second > MAX_KEYS_PER_SECOND {
            Some(Superhuman::Keys(keys_per_second))
        } else if enough(&gaps) && 2 * together > gaps.len() {
            Some(Superhuman::OneInstant)
        } else if enough(&holds) && median(&mut holds) < MIN_MEDIAN_HOLD {
            Some(Superhuman::NoHold)
        } else if [gaps, self::gaps(&drops)]
            .iter()
            .any(|gaps| enough(gaps) && variation(gaps) < MIN_VARIATION)
        {
            Some(Superhuman::Regular)
        } else {
            None
        }
    }
}

fn pressed(action: Action) -> Option<Button> {
    match action {
        Action::Down(button) => Some(button),
        Action::Up(_) | Action::Place(_) => None,
    }
}

fn gaps(times: &[Micros]) -> Vec<Micros> {
    times.windows(2).map(|pair| pair[1].saturating_sub(pair[0])).collect()
}

/// How long each key was down.
fn holds(inputs: &[Input]) -> Vec<Micros> {
    let mut down = HashMap::new();
    let mut holds = Vec::new();
    for input in inputs {
        match input.action {
            Action::Down(button) => {
                down.insert(button, input.at);
            }
            Action::Up(button) => {
                holds.extend(down.remove(&button).map(|since| input.at.saturating_sub(since)));
            }
            Action::Place(_) => {}
        }
    }
    holds
}

fn median(samples: &mut [Micros]) -> Micros {
    let middle = samples.len() / 2;
    *samples.select_nth_unstable(middle).1
}

/// The standard deviation relative to the mean.
fn variation(samples: &[Micros]) -> f64 {
    let count = samples.len() as f64;
    let mean = samples.iter().map(|sample| *sample as f64).sum::<f64>() / count;
    let variance = samples.iter().map(|sample| (*sample as f64 - mean).powi(2)).sum::<f64>() / count;
    variance.sqrt() / mean.max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hard drops: after each gap, a key is held for so long.
    fn drops(pieces: u32, gap: impl Fn(u64) -> Micros, hold: Micros) -> Option<Superhuman> {
        let mut inputs = Vec::new();
        let mut at = 0;
        for piece in 0..u64::from(pieces) {
            at += gap(piece);
            inputs.push(Input { at, action: Action::Down(Button::HardDrop) });
            inputs.push(Input { at: at + hold, action: Action::Up(Button::HardDrop) });
        }
        Superhuman::find(&inputs, at + hold, pieces)
    }

    /// Between 150 and 450 ms, in no order.
    fn human(piece: u64) -> Micros {
        150_000 + piece * 7_919 % 301 * 1_000
    }

    #[test]
    fn games_of_people_pass() {
        assert_eq!(drops(100, human, 60_000), None);
        // Nearly nine pieces a second, as nobody plays yet.
        assert_eq!(drops(100, |piece| human(piece) * 3 / 8, 15_000), None);
        assert_eq!(Superhuman::find(&[], 180_000_000, 0), None);
    }

    #[test]
    fn games_of_no_hand_are_found() {
        assert_eq!(drops(100, |_| 0, 0), Some(Superhuman::Pieces(1e8)));
        assert!(matches!(drops(20_000, |_| 9_000, 1_000), Some(Superhuman::Pieces(_))));
        assert_eq!(drops(100, |_| 300_000, 60_000), Some(Superhuman::Regular));
        assert_eq!(drops(100, |piece| 300_000 + piece % 20 * 1_000, 60_000), Some(Superhuman::Regular));
        assert_eq!(drops(100, human, 1_000), Some(Superhuman::NoHold));
        let bursts = |piece: u64| if piece.is_multiple_of(3) { 1_000_000 } else { 500 };
        assert_eq!(drops(99, bursts, 200), Some(Superhuman::OneInstant));
        let taps = |key: u64| Input {
            at: key * 20_000,
            action: if key.is_multiple_of(2) { Action::Down(Button::Left) } else { Action::Up(Button::Left) },
        };
        let inputs: Vec<Input> = (0..4_000).map(taps).collect();
        assert_eq!(Superhuman::find(&inputs, 40_000_000, 100), Some(Superhuman::Keys(50.0)));
    }

    #[test]
    fn a_short_game_has_no_rhythm() {
        assert_eq!(drops(10, |_| 300_000, 1_000), None);
    }
}
