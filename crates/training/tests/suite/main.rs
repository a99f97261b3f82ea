//! The tests of this crate that can share a program: it is linked once, and runs them side by side.
#![allow(clippy::unwrap_used)]

mod cma_es;
mod frozen;
mod optimisers;
mod runs;
mod splitting;
