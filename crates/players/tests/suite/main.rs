//! The tests of this crate that can share a program: it is linked once, and runs them side by side.
#![allow(clippy::unwrap_used)]

mod agents;
mod blitz;
mod features;
mod finesse;
mod perfect;
mod sprint;
mod versus;
