//! The tests of this crate that can share a program: it is linked once, and runs them side by side.
#![allow(clippy::unwrap_used)]

mod fumen;
mod images;
mod tbp;
