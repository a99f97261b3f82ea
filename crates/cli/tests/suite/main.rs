//! The tests of this crate that can share a program: it is linked once, and runs them side by side.
#![allow(clippy::unwrap_used)]

mod book;
mod commands;
#[path = "../common/mod.rs"]
mod common;
mod fumen;
mod long_run;
mod r#match;
mod pc;
mod record;
mod serve;
mod solve;
mod study;
mod tbp;
mod train;
mod watch;
