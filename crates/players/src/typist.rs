//! Games as a person's hands play them: an agent chooses, and keys are pressed and held like a person's.
//!
//! They are what tests and benchmarks of replays with times need.

use crate::catalogue;
use tetrion_engine::clock::{Button, Clock, Handling};
use tetrion_engine::game::Game;
use tetrion_engine::moves::path::{Key, keys_to};
use tetrion_engine::replay::Replay;
use tetrion_engine::ruleset::{Micros, Ruleset};

/// The shortest mean time for a piece in which all its keys have room.
pub const MIN_MEAN: Micros = 450_000;

/// Fingers hold a key for a while.
const HOLD: Micros = 15_000;
/// The time from one key to the next.
const BETWEEN_KEYS: Micros = 22_000;

/// Presses a key, and releases it a little later.
pub fn tap(clock: &mut Clock, at: Micros, button: Button) {
    clock.button_down(at, button);
    clock.button_up(at + HOLD, button);
}

/// The time for a piece, by its number: up to a third more or less than the mean, in no order.
pub fn time_for(piece: u64, mean: Micros) -> Micros {
    mean * 2 / 3 + mean * 2 / 3 * (piece * 7_919 % 101) / 100
}

/// Plays a game as `capstone` would, with this mean time for a piece whatever its keys.
///
/// # Panics
///
/// If the mean is less than [`MIN_MEAN`], or the rules are invalid.
pub fn play(rules: Ruleset, seed: u64, player: &str, mean: Micros) -> Replay {
    assert!(mean >= MIN_MEAN, "a piece takes {MIN_MEAN} µs or more, not {mean}");
    let mut agent = catalogue::find("capstone").expect("it is built in").agent(seed);
    let game = Game::new(rules.clone(), seed).expect("the rules are valid");
    let mut clock = Clock::new(game, Handling::default());
    let (mut drop, mut piece) = (0, 0);
    while clock.game().outcome().is_none() {
        let mut time = drop + BETWEEN_KEYS;
        drop += time_for(piece, mean);
        piece += 1;
        clock.advance(time);
        let Some(play) = agent.next_move(clock.game()) else { break };
        if play.hold {
            tap(&mut clock, time, Button::Hold);
            time += BETWEEN_KEYS;
        }
        let start = clock.active().expect("the game is not over");
        let keys = keys_to(clock.game().board(), start, play.placement, rules.move_rules());
        for key in keys.expect("agents choose placements that can be reached") {
            let (button, most) = match key {
                Key::Left => (Button::Left, 1),
                Key::Right => (Button::Right, 1),
                Key::FarLeft => (Button::Left, 8),
                Key::FarRight => (Button::Right, 8),
                Key::Clockwise => (Button::Clockwise, 1),
                Key::CounterClockwise => (Button::CounterClockwise, 1),
                Key::HardDrop => break,
                Key::Half | Key::SoftDrop(_) => {
                    unreachable!("capstone only drops pieces, without half turns")
                }
            };
            for _ in 0..most {
                let before = clock.active();
                tap(&mut clock, time, button);
                time += BETWEEN_KEYS;
                // It is at the wall.
                if clock.active() == before {
                    break;
                }
            }
        }
        debug_assert!(time < drop, "MIN_MEAN leaves room for all keys");
        tap(&mut clock, drop, Button::HardDrop);
    }
    Replay::of_clock(&clock, seed, player)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tetrion_engine::record::Outcome;
    use tetrion_engine::ruleset::Mode;

    #[test]
    fn a_typed_game_is_the_agents_game_and_verifies() {
        for mean in [MIN_MEAN, 700_000] {
            let replay = play(Ruleset::new(Mode::Sprint), 1, "Ada", mean);
            assert_eq!(replay.result.outcome, Some(Outcome::Clear));
            let played = replay.play(|_| ()).expect("it verifies");
            let pieces = Micros::from(played.game.placed());
            let time = played.time.expect("it has a time");
            assert!(time.abs_diff(pieces * mean) < pieces * mean / 20, "{pieces} pieces took {time} µs");
        }
    }
}
