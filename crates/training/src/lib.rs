//! How agents are trained.
//!
//! - [`optimiser`]: what proposes weights and learns from their scores.

pub mod optimiser;
