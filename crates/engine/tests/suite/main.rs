//! The tests of this crate that can share a program: it is linked once, and runs them side by side.
#![allow(clippy::unwrap_used)]

mod clock;
mod clock_streams;
mod generator;
mod perft;
mod position;
mod replay;
mod replay_versions;
mod spins;
mod versus;
