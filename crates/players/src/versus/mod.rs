//! The agent for versus: it sends lines to another player, and survives what comes back.
//!
//! It is built on the search of [`blitz`](crate::blitz), which plays for lines sent instead of points here, and looks at 24 rows. The
//! search knows what garbage waits, what a clear cancels, and when the rest rises. What fields are worth was learned in the same way
//! as for Blitz, from matches (`learn`).
//!
//! | file | holds |
//! |---|---|
//! | `versus/wide.rs` | the cells of 24 rows in one number |
//! | `versus/learn.rs` | the matches that the tables are learned from |
//! | `versus/tables.toml` | the learned tables |

pub mod learn;
mod wide;

use crate::afterstate::Afterstate;
use crate::agent::{Abilities, Agent, Explanation, Limits};
use crate::blitz::goal::{Goal, LineWorth};
use crate::blitz::mind::Mind;
use crate::blitz::{Fallback, Tables, Value, Weights};
use crate::crew::Crew;
use crate::evaluator::Term;
use crate::features::Feature;
use std::sync::{Arc, OnceLock};
use tetrion_engine::game::Move;
use tetrion_engine::position::{Position, View};
use tetrion_engine::ruleset::Mode;
use tetrion_engine::versus::VersusPreset;

pub use wide::Wide;

/// What a line of attack is worth while nothing is known about the other player, in points.
const LINE: LineWorth = LineWorth { cancelled: 300, sent: 300 };
/// A line that is sent is worth this much more for each row of the other player's stack, garbage on its way included, above
/// [`SAFE_HEIGHT`].
const PRESSURE: i32 = 20;
/// A stack of so many rows is in no danger.
const SAFE_HEIGHT: i32 = 8;
/// What a lost game costs, in points.
const LOSS: i32 = 6_000;

/// The tables that the agent plays with.
pub fn tables() -> &'static Tables {
    static LEARNED: OnceLock<Tables> = OnceLock::new();
    LEARNED.get_or_init(|| {
        Tables::parse(include_str!("tables.toml"))
            .unwrap_or_else(|error| panic!("versus/tables.toml: {error}"))
    })
}

/// The agent for versus.
pub struct VersusAgent {
    mind: Mind<Wide>,
    /// The rows of the other player's stack, garbage on its way included, if they are known.
    opponent: Option<i32>,
    /// Plays what this agent can't: other boards, a stack that is too high.
    fallback: Fallback,
}

impl VersusAgent {
    /// An agent that judges this many placements for a move, if it has no other limits.
    pub fn new(weights: &Weights, nodes: u64) -> VersusAgent {
        VersusAgent::with_tables(tables(), weights, nodes)
    }

    /// An agent that plays with these tables.
    pub fn with_tables(tables: &Tables, weights: &Weights, nodes: u64) -> VersusAgent {
        VersusAgent {
            mind: Mind::new(Value::new(tables, weights), nodes),
            opponent: None,
            fallback: Fallback::default(),
        }
    }

    /// Lines sent, by the rules of the game. A game alone is played as if somebody were on the other side.
    fn goal(&self, view: &View) -> Goal {
        let rules = view.rules.versus.clone().unwrap_or_else(|| VersusPreset::Guideline.rules());
        let danger = self.opponent.map_or(0, |rows| (rows - SAFE_HEIGHT).max(0));
        Goal::attack(&rules, LineWorth { sent: LINE.sent + PRESSURE * danger, ..LINE }, LOSS)
    }
}

impl Agent for VersusAgent {
    fn choose(&mut self, view: &View) -> Option<Move> {
        self.rank(view).first().copied()
    }

    fn rank(&mut self, view: &View) -> Vec<Move> {
        let moves = self.mind.rank(view, &self.goal(view));
        if moves.is_empty() { self.fallback.choose(view).into_iter().collect() } else { moves }
    }

    fn explain(&mut self, view: &View) -> Option<Explanation> {
        let attack = |points, after: Option<&Afterstate>| Term {
            brief: "Lines sent or cancelled",
            cells: after.map_or_else(Vec::new, |after| Feature::Points.cells(after)),
            ..Term::new("attack", points, 1.0)
        };
        let goal = self.goal(view);
        Some(self.mind.explain(view, &goal, attack))
    }

    fn see_opponent(&mut self, opponent: &Position) {
        let waiting: u32 = opponent.garbage.iter().sum();
        self.opponent = Some(opponent.board.stack_height() as i32 + waiting as i32);
    }

    fn limit(&mut self, limits: Limits) {
        self.mind.limit(limits);
    }

    fn work_with(&mut self, crew: Arc<dyn Crew>) {
        self.mind.work_with(crew);
    }

    fn nodes(&self) -> Option<u64> {
        Some(self.mind.nodes())
    }

    fn abilities(&self) -> Abilities {
        Abilities { modes: &[Mode::Versus], limits: true, scales: true, threads: true, explains: true }
    }
}
