//! Matches between players: our agents, and other programs' bots.
//!
//! | file | holds |
//! |---|---|
//! | `contestant.rs` | [`Entrant`] and [`Contestant`]: who plays, and one of its games |
//! | `contest.rs` | [`Contest`]: one game between two contestants, refereed |
//! | `league.rs` | [`Standings`]: ratings of many players |
//! | `series.rs` | [`Series`]: many games, in pairs with sides swapped, until a number or a verdict is reached |
//!
//! A referee trusts nobody. It checks that every move can be reached, and works out spins, clears and attacks with the engine. A
//! contestant that dies, hangs or has no legal move loses the game that it plays, and starts anew with the next.

mod contest;
mod contestant;
mod league;
mod series;

pub use contest::{Contest, GameReport, Kind};
pub use contestant::{Budget, Contestant, Entrant};
pub use league::{Balance, LeagueGame, Standing, Standings};
pub use series::{Difference, FaultReport, PlayerReport, Series, SeriesError, SeriesReport, Summary};
