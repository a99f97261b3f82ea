//! Properties that hold for any input.
//!
//! Each function takes whatever bytes there are, panics if its property does not hold, and says whether the input was
//! accepted. The fuzz targets call them with inputs that the fuzzer makes up, and `tests/corpus.rs` with the inputs in `corpus/`.

use tetrion_engine::clock::{Button, Clock, Handling};
use tetrion_engine::game::{Game, Move};
use tetrion_engine::replay::Replay;
use tetrion_engine::ruleset::{Mode, Ruleset};
use tetrion_interop::fumen::FumenError;

/// What a reader did with an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It was read, and is what it claims to be.
    Accepted,
    /// It was refused.
    Refused,
}

/// The replay reader refuses bytes or reads them, and reads the same again from what it writes. A replay plays or is refused.
///
/// If the first byte is zero, the others are a file. Otherwise it is the version of a file, and the others are its body: the
/// header and the checksum are added, so that the fuzzer gets past them.
pub fn replay(data: &[u8]) -> Verdict {
    let Some((&version, rest)) = data.split_first() else { return Verdict::Refused };
    let file = if version == 0 { rest.to_vec() } else { replay_file(version, rest) };
    let Ok(replay) = Replay::from_bytes(&file) else { return Verdict::Refused };
    let read_again = Replay::from_bytes(&replay.to_bytes()).expect("what was written can be read");
    // Not-a-number chances are refused, so equality holds.
    assert_eq!(replay, read_again);
    let mut placed = 0;
    match replay.play(|_| placed += 1) {
        Ok(played) => {
            assert!(played.game.placed() <= placed);
            Verdict::Accepted
        }
        Err(_) => Verdict::Refused,
    }
}

fn replay_file(version: u8, body: &[u8]) -> Vec<u8> {
    let mut bytes = [b"TETRION", &[version][..], &(body.len() as u32).to_le_bytes(), body].concat();
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

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
    for x in 0..10 {
        for y in 0..40 {
            assert_eq!(clock.picture().cell(x, y).is_some(), game.board().is_filled(x as i32, y as i32));
        }
    }
}

/// The fumen reader refuses text or reads pages, and reads the same pages again from what it writes.
///
/// Text without an `@` is taken as what follows `v115@`, so that the fuzzer gets past the version.
pub fn fumen(data: &[u8]) -> Verdict {
    let Ok(text) = str::from_utf8(data) else { return Verdict::Refused };
    let diagram = if text.contains('@') { text.to_owned() } else { format!("v115@{text}") };
    let Ok(pages) = tetrion_interop::fumen::decode(&diagram) else { return Verdict::Refused };
    match tetrion_interop::fumen::encode(&pages) {
        Ok(written) => assert_eq!(tetrion_interop::fumen::decode(&written), Ok(pages)),
        // A comment can be stored without escapes that are not needed; ours are always written, and are longer.
        Err(error) => assert!(matches!(error, FumenError::CommentLength { .. })),
    }
    Verdict::Accepted
}
