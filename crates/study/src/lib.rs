//! Statistics and habits of games.
//!
//! - [`statistics`]: means, medians and shares with their 95 % intervals;
//! - [`rating`]: Elo from pairs of games, a sequential test, and ratings of many players;
//! - [`habits`]: how an agent plays, counted placement by placement.
//!
//! Nothing here reads a clock or a file or starts a thread, so it builds for the browser too.

pub mod habits;
pub mod rating;
pub mod statistics;
