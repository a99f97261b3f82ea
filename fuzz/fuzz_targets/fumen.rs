//! The reader of diagrams takes any text: it refuses it or reads pages, and what it reads it writes so that it reads the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tetrion_interop::fumen::{self, FumenError};

fuzz_target!(|text: &str| {
    // Most text is tried as data, so that the fuzzer gets past the version.
    let diagram = if text.contains('@') { text.to_owned() } else { format!("v115@{text}") };
    if let Ok(pages) = fumen::decode(&diagram) {
        match fumen::encode(&pages) {
            Ok(written) => assert_eq!(fumen::decode(&written), Ok(pages)),
            // Text that need not be escaped, but was not, is longer when written.
            Err(error) => assert!(matches!(error, FumenError::CommentLength { .. })),
        }
    }
});
