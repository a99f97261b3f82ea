//! Replays.

use crate::Verdict;
use tetrion_engine::replay::{Recorded, Replay};
use tetrion_engine::versus::MatchReplay;

/// The replay reader refuses bytes or reads them, and reads the same again from what it writes. A replay plays or is refused.
///
/// If the first byte is zero, the others are a file. Otherwise it is the version of a file, and the others are its body: the
/// header and the checksum are added, so that the fuzzer gets past them.
pub fn replay(data: &[u8]) -> Verdict {
    let Some((&version, rest)) = data.split_first() else { return Verdict::Refused };
    let file = if version == 0 { rest.to_vec() } else { replay_file(version, rest) };
    match Recorded::from_bytes(&file) {
        Ok(Recorded::Game(replay)) => game(&replay),
        Ok(Recorded::Match(replay)) => match_of_two(&replay),
        Err(_) => Verdict::Refused,
    }
}

fn game(replay: &Replay) -> Verdict {
    let read_again = Replay::from_bytes(&replay.to_bytes()).expect("what was written can be read");
    // Not-a-number chances are refused, so equality holds.
    assert_eq!(*replay, read_again);
    let mut placed = 0;
    match replay.play(|_| placed += 1) {
        Ok(played) => {
            assert!(played.game.placed() <= placed);
            Verdict::Accepted
        }
        Err(_) => Verdict::Refused,
    }
}

fn match_of_two(replay: &MatchReplay) -> Verdict {
    let read_again = MatchReplay::from_bytes(&replay.to_bytes()).expect("what was written can be read");
    assert_eq!(*replay, read_again);
    let mut placed = [0, 0];
    match replay.play(|side, _, _| placed[side] += 1) {
        Ok(_) => {
            let pieces = [0, 1].map(|side: usize| replay.sides[side].ending.result.pieces);
            let before = u64::from(replay.rules.opening.placed);
            assert_eq!(pieces.map(|pieces| pieces - before), placed);
            Verdict::Accepted
        }
        Err(_) => Verdict::Refused,
    }
}

/// A replay file with a correct header and checksum.
pub(crate) fn replay_file(version: u8, body: &[u8]) -> Vec<u8> {
    let mut bytes = [b"TETRION", &[version][..], &(body.len() as u32).to_le_bytes(), body].concat();
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}
