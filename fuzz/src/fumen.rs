//! Fumens.

use crate::Verdict;
use tetrion_interop::fumen::{FumenError, decode, encode};

/// The fumen reader refuses text or reads pages, and reads the same pages again from what it writes.
///
/// Text without an `@` is taken as what follows `v115@`, so that the fuzzer gets past the version.
pub fn fumen(data: &[u8]) -> Verdict {
    let Ok(text) = str::from_utf8(data) else { return Verdict::Refused };
    let diagram = if text.contains('@') { text.to_owned() } else { format!("v115@{text}") };
    let Ok(pages) = decode(&diagram) else { return Verdict::Refused };
    match encode(&pages) {
        Ok(written) => assert_eq!(decode(&written), Ok(pages)),
        // A comment can be stored without escapes that are not needed; ours are always written, and are longer.
        Err(error) => assert!(matches!(error, FumenError::CommentLength { .. })),
    }
    Verdict::Accepted
}
