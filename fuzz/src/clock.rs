//! Real-time play.

use crate::Verdict;
use tetrion_engine::clock::{Button, Clock, Handling};
use tetrion_engine::game::{Game, Move};
use tetrion_engine::replay::Replay;
use tetrion_engine::ruleset::{Mode, Ruleset};

/// The clock takes any stream of inputs: cells are conserved, the piece never overlaps, and a replay of the game verifies.
pub fn clock(data: &[u8]) -> Verdict {
    let [seed, mode, delay, interval, factor, stream @ ..] = data else { return Verdict::Refused };
    let mode = [Mode::Sprint, Mode::Blitz, Mode::Practice][usize::from(*mode) % 3];
    let rules = Ruleset { half_turns: seed & 1 == 1, ..Ruleset::new(mode) };
    let handling = Handling {
        repeat_delay: u64::from(*delay) * 1_000,
        repeat_interval: u64::from(*interval) * 500,
        soft_drop_factor: u32::from(*factor),
    };
    let seed = u64::from(*seed);
    let game = Game::new(rules, seed).expect("these rules make a game");
    let mut clock = Clock::new(game, handling);
    let mut time = 0u64;
    for step in stream.chunks_exact(2) {
        // Small waits mostly, and now and then a very long one.
        time =
            time.saturating_add(if step[1] == 255 { u64::MAX / 8 } else { u64::from(step[1]).pow(2) * 100 });
        let button = Button::ALL[usize::from(step[0]) % Button::ALL.len()];
        match step[0] / 10 % 8 {
            0 => clock.pause(time),
            1 => clock.resume(time),
            2 => clock.advance(time),
            3 => {
                let game = clock.game();
                let places = game.placements(game.current());
                if let Some(placement) = places.iter().nth(usize::from(step[1])) {
                    // Refused while the game is paused or over.
                    let _ = clock.place(time, Move { hold: false, placement });
                }
            }
            4..=5 => clock.button_up(time, button),
            _ => clock.button_down(time, button),
        }
        check(&clock);
    }
    check_picture(&clock);
    let replay = Replay::of_clock(&clock, seed, "fuzzer");
    let replay = Replay::from_bytes(&replay.to_bytes()).expect("what was written can be read");
    replay.play(|_| ()).expect("a replay of what happened verifies");
    Verdict::Accepted
}

fn check(clock: &Clock) {
    let game = clock.game();
    assert_eq!(game.board().filled_cells(), 4 * game.placed() - 10 * game.lines());
    assert_eq!(clock.active().is_none(), game.outcome().is_some());
    assert!(clock.active().is_none_or(|location| location.fits(game.board())));
}

fn check_picture(clock: &Clock) {
    for x in 0..10 {
        for y in 0..40 {
            assert_eq!(
                clock.picture().cell(x, y).is_some(),
                clock.game().board().is_filled(x as i32, y as i32)
            );
        }
    }
}
