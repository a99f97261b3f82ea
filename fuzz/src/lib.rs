//! Properties that hold for any input.
//!
//! Each function takes whatever bytes there are, panics if its property does not hold, and says whether the input was
//! accepted. The fuzz targets call them with inputs that the fuzzer makes up, and `tests/corpus.rs` with the inputs in `corpus/`.

mod agent;
mod api;
mod clock;
mod fumen;
mod recipe;
mod replay;
mod ticket;

pub use agent::agent;
pub use api::api;
pub use clock::clock;
pub use fumen::fumen;
pub use recipe::recipe;
pub use replay::replay;
pub use ticket::ticket;

/// What a reader did with an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It was read, and is what it claims to be.
    Accepted,
    /// It was refused.
    Refused,
}
