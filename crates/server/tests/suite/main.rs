//! The tests of this crate that can share a program: it is linked once, and runs them side by side.
#![allow(clippy::unwrap_used)]

mod bounds;
#[path = "../common/mod.rs"]
mod common;
mod damage;
mod migration;
mod operation;
mod power_loss;
mod safety;
mod scores;
mod store;
mod tickets;
mod training;
