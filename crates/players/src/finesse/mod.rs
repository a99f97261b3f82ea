//! Forty lines with the fewest keys.
//!
//! A key is a tap, an auto-repeat to the wall, a turn, a hold or a hard drop. The agent searches the pieces that are seen for the
//! line of straight drops whose keys, with those that the board it leaves is [expected](Tables) to take to the end, are fewest.
//! Where a line reaches the goal its keys are known, so the end of a game is planned as it is.
//!
//! The search knows ten columns and six rows (`drops`), far below where pieces enter: nothing is in their way there, and keys can
//! be looked up. On any other board, or where there is no number of lines to reach, another agent takes over.

mod drops;
pub mod learn;
mod plan;
mod value;
mod weights;

use crate::afterstate::Judged;
use crate::agent::{Abilities, Agent, ConsideredMove, Explanation};
use crate::evaluator::{Linear, Term};
use crate::features::Feature;
use crate::field::{self, Fields};
use crate::search::{Reach, SearchPlan, Searcher};
use drops::Drops;
use plan::{KeyLine, KeySearch, KeySearchStart};
use tetrion_engine::game::Move;
use tetrion_engine::moves::Movement;
use tetrion_engine::position::View;
use tetrion_engine::ruleset::Mode;
use weights::LEARNED;

pub use value::Tables;

/// The most pieces that are looked at: what was learned is of that many, and more would take longer.
const PIECES: usize = 6;

/// How many boards go on after each piece.
const WIDTH: usize = 100;

/// The fewest visible rows that leave room to turn and shift above the rows of the search.
const ROWS_TO_ENTER: usize = field::ROWS + 4;

/// The agent that presses the fewest keys.
pub struct FinesseAgent {
    /// By whether half turns are allowed, which save keys.
    drops: [Option<Drops>; 2],
    search: KeySearch,
    otherwise: Searcher<Linear>,
}

impl Default for FinesseAgent {
    fn default() -> FinesseAgent {
        // Keeps a low and even stack, whatever the board: lower than the search's six rows soon, where that can be.
        let weights = [
            (Feature::AggregateHeight, -0.510066),
            (Feature::CompleteLines, 0.760666),
            (Feature::Holes, -0.35663),
            (Feature::Bumpiness, -0.184483),
        ];
        let low = Linear::new(weights, Judged::BeforeClearing);
        let otherwise = Searcher::new(low, SearchPlan::Lookahead { plies: 2 }, Reach::Hard, true);
        FinesseAgent { drops: [None, None], search: KeySearch::new(WIDTH), otherwise }
    }
}

impl FinesseAgent {
    /// The best lines by first move, the best first; none where the search does not know the board or finds no way on.
    fn lines(&mut self, view: &View) -> Vec<KeyLine> {
        let Some(left) = view.rules.goal.lines.and_then(|goal| goal.checked_sub(view.lines)) else {
            return Vec::new();
        };
        let rules = view.rules;
        if rules.movement == Movement::Straight || usize::from(rules.visible_height) < ROWS_TO_ENTER {
            return Vec::new();
        }
        let Some(board) = Fields::of(&view.board) else { return Vec::new() };
        let drops =
            self.drops[usize::from(rules.half_turns)].get_or_insert_with(|| Drops::new(rules.half_turns));
        let pieces = &view.queue[..view.queue.len().min(PIECES)];
        let start = KeySearchStart {
            board,
            hold: view.hold,
            left,
            pieces,
            hold_now: view.can_hold(),
            holds: rules.hold,
        };
        self.search.lines(&LEARNED, drops, &start)
    }
}

impl Agent for FinesseAgent {
    fn choose(&mut self, view: &View) -> Option<Move> {
        let best = self.lines(view).first().and_then(|line| line.moves.first().copied());
        best.or_else(|| self.otherwise.choose(view))
    }

    fn explain(&mut self, view: &View) -> Option<Explanation> {
        let considered = |line: KeyLine| {
            let (play, rest) = line.moves.split_first()?;
            let score = -f64::from(line.value) / f64::from(value::KEY);
            let keys = Term { label: "keys".into(), value: line.first_keys.into(), weight: -1.0 };
            Some(ConsideredMove { play: *play, score, terms: vec![keys], line: rest.to_vec() })
        };
        let moves: Vec<_> = self.lines(view).into_iter().filter_map(considered).collect();
        match moves.is_empty() {
            true => self.otherwise.explain(view),
            false => Some(Explanation { moves }),
        }
    }

    fn abilities(&self) -> Abilities {
        Abilities { modes: &[Mode::Sprint], limits: false, explains: true }
    }
}
