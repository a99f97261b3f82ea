//! How agents are trained.
//!
//! - [`recipe`]: all that a run depends on, as a file; [`parameters`]: what can be changed in it, by name;
//! - [`player`] and [`objective`]: who is trained, and what for;
//! - [`optimiser`]: what proposes weights and learns from their scores;
//! - [`evaluation`]: games played for candidates, by threads or by whatever else stands behind the interface;
//! - [`splitting`]: how long games are that are too long to be played;
//! - [`scoring`]: which games those are, and who may stop early;
//! - [`run`]: a run in a folder, which survives whatever happens to it; [`sweep`]: many of them over a grid.

pub mod evaluation;
pub mod file;
pub mod monitor;
pub mod objective;
pub mod optimiser;
pub mod parameters;
pub mod player;
pub mod recipe;
pub mod run;
pub mod scoring;
pub mod splitting;
pub mod sweep;
