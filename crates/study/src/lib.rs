//! Statistics and habits of games.
//!
//! - [`statistics`]: means, medians and shares with their 95 % intervals;
//! - [`interval`]: exact intervals and the bootstrap;
//! - [`comparison`]: paired comparisons, permutation and rank tests, and the correction for many of them;
//! - [`distribution`]: the distributions behind them;
//! - [`rating`]: Elo from pairs of games, a sequential test, and ratings of many players;
//! - [`habits`]: how an agent plays, counted placement by placement;
//! - [`stack`]: what a stack looks like: its well, the pattern that players name after it, and its holes;
//! - [`opportunity`]: what a board offers, and moves that people would call mistakes.
//!
//! Nothing here reads a clock or a file or starts a thread, so it builds for the browser too.

pub mod comparison;
pub mod distribution;
#[cfg(test)]
mod drawn;
pub mod habits;
pub mod interval;
pub mod opportunity;
pub mod rating;
pub mod stack;
pub mod statistics;
