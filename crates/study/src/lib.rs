//! Statistics and habits of games.
//!
//! - [`statistics`]: means, medians and shares with their 95 % intervals;
//! - [`habits`]: how an agent plays, counted placement by placement.
//!
//! Nothing here reads a clock or a file or starts a thread, so it builds for the browser too.

pub mod habits;
pub mod statistics;
