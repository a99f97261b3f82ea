//! Properties that hold for any input.
//!
//! Each function takes whatever bytes there are, panics if its property does not hold, and says whether the input was
//! accepted. The fuzz targets call them with inputs that the fuzzer makes up, and `tests/corpus.rs` with the inputs in `corpus/`.

mod agent;
mod api;
mod choices;
mod clock;
mod fumen;
mod recipe;
mod replay;
mod tbp;
mod ticket;

pub use agent::agent;
pub use api::api;
pub use clock::clock;
pub use fumen::fumen;
pub use recipe::recipe;
pub use replay::replay;
pub use tbp::tbp;
pub use ticket::ticket;

use std::sync::atomic::{AtomicU64, Ordering};

/// What a reader did with an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It was read, and is what it claims to be.
    Accepted,
    /// It was refused.
    Refused,
}

/// Counts what became of inputs, and says so now and then.
pub fn count(verdict: Verdict) {
    static ALL: AtomicU64 = AtomicU64::new(0);
    static ACCEPTED: AtomicU64 = AtomicU64::new(0);
    let new = u64::from(verdict == Verdict::Accepted);
    let accepted = ACCEPTED.fetch_add(new, Ordering::Relaxed) + new;
    let all = ALL.fetch_add(1, Ordering::Relaxed) + 1;
    if all.is_multiple_of(100_000) {
        eprintln!("{accepted} of {all} inputs were accepted");
    }
}
