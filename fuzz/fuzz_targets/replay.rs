//! The replay reader takes any bytes: it refuses them or plays them, and what it reads it writes back.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tetrion_engine::replay::{Replay, VERSION};

/// Bytes that begin with a zero are read as they are; others are the body of a file that is right about its length and
/// checksum, so that the fuzzer gets past them.
fn file(data: &[u8]) -> Vec<u8> {
    match data {
        [0, rest @ ..] => rest.to_vec(),
        body => {
            let mut bytes = b"TETRION".to_vec();
            bytes.push(VERSION);
            bytes.extend((body.len() as u32).to_le_bytes());
            bytes.extend(body);
            bytes.extend(crc32(&bytes).to_le_bytes());
            bytes
        }
    }
}

/// The checksum, bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0u32, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| crc >> 1 ^ 0xedb8_8320 * (crc & 1))
    })
}

fuzz_target!(|data: &[u8]| {
    if let Ok(replay) = Replay::from_bytes(&file(data)) {
        let read_again = Replay::from_bytes(&replay.to_bytes()).expect("what was written can be read");
        // Not-a-number chances are refused, so equality holds.
        assert_eq!(replay, read_again);
        let mut pieces = 0;
        if let Ok(played) = replay.play(|_| pieces += 1) {
            assert!(played.game.placed() <= pieces);
        }
    }
});
