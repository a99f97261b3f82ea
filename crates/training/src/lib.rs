//! Training: finds good weights for agents.
//!
//! An optimiser proposes *candidates*, which are vectors of weights. A *design* is the rest of an agent: its features and its
//! search. Design and weights make an agent, whose games score the candidate. At the end of a run, the *best* candidate becomes an
//! agent file.
//!
//! - [`recipe`]: everything that a run depends on, as a file; [`parameters`]: the hyper-parameters in it, by name;
//! - [`design`] and [`objective`]: what is trained, and for what;
//! - [`optimiser`]: proposes candidates and learns from their scores;
//! - [`evaluation`]: plays the games of candidates, on threads or elsewhere;
//! - [`splitting`]: estimates the length of games that are too long to play;
//! - [`scoring`]: which games a generation plays, and which candidates stop early;
//! - [`run`]: a run in a folder, which can be interrupted and resumed; [`sweep`]: many runs over a grid.

pub mod design;
pub mod evaluation;
pub mod objective;
pub mod optimiser;
pub mod parameters;
pub mod recipe;
pub mod run;
pub mod scoring;
pub mod splitting;
pub mod sweep;
