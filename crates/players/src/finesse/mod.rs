//! The agent that clears 40 lines with the fewest keys.
//!
//! A key is a tap, an auto-repeat to the wall, a turn, a hold or a hard drop. The agent searches lines of straight drops over the
//! visible pieces. It chooses the line with the fewest keys, counting those that the final board is [expected](KeyTables) to take
//! to the goal. For a line that reaches the goal all keys are known, so the end of a game is planned exactly.
//!
//! The search works on ten columns and six rows (`drops`), far below where pieces spawn. Nothing is in their way up there, so keys
//! can be looked up. On any other board, or without a number of lines to clear, another agent takes over.

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
use drops::DropTable;
use plan::{KeyLine, KeySearch, KeySearchStart};
use tetrion_engine::game::Move;
use tetrion_engine::moves::Movement;
use tetrion_engine::position::View;
use tetrion_engine::ruleset::Mode;
use weights::LEARNED_TABLES;

pub use value::KeyTables;

/// The most pieces to search. The tables were learned with this many, and more would take longer.
const MAX_SEARCHED_PIECES: usize = 6;

/// How many boards the search keeps after each piece.
const BEAM_WIDTH: usize = 100;

/// The fewest visible rows that leave room to turn and shift above the rows of the search.
const MIN_VISIBLE_ROWS: usize = field::ROWS + 4;

/// The agent that presses the fewest keys.
pub struct FinesseAgent {
    /// Without and with 180° turns, which save keys.
    drops: [Option<DropTable>; 2],
    search: KeySearch,
    fallback: Searcher<Linear>,
}

impl Default for FinesseAgent {
    fn default() -> FinesseAgent {
        // Keeps a low and even stack on any board, so that the stack soon fits in the six rows of the search if it can.
        let weights = [
            (Feature::AggregateHeight, -0.510066),
            (Feature::CompleteLines, 0.760666),
            (Feature::Holes, -0.35663),
            (Feature::Bumpiness, -0.184483),
        ];
        let low = Linear::new(weights, Judged::BeforeClearing);
        let fallback = Searcher::new(low, SearchPlan::Lookahead { plies: 2 }, Reach::Hard, true);
        FinesseAgent { drops: [None, None], search: KeySearch::new(BEAM_WIDTH), fallback }
    }
}

impl FinesseAgent {
    /// The best line of each first move, best first. Empty if the search does not support the board or finds no line.
    fn lines(&mut self, view: &View) -> Vec<KeyLine> {
        let Some(left) = view.rules.goal.lines.and_then(|goal| goal.checked_sub(view.lines)) else {
            return Vec::new();
        };
        let rules = view.rules;
        if rules.movement == Movement::Straight || usize::from(rules.visible_height) < MIN_VISIBLE_ROWS {
            return Vec::new();
        }
        let Some(board) = Fields::of(&view.board) else { return Vec::new() };
        let drops =
            self.drops[usize::from(rules.half_turns)].get_or_insert_with(|| DropTable::new(rules.half_turns));
        let pieces = &view.queue[..view.queue.len().min(MAX_SEARCHED_PIECES)];
        let start = KeySearchStart {
            board,
            hold: view.hold,
            left,
            pieces,
            hold_now: view.can_hold(),
            holds: rules.hold,
        };
        self.search.lines(&LEARNED_TABLES, drops, &start)
    }
}

impl Agent for FinesseAgent {
    fn choose(&mut self, view: &View) -> Option<Move> {
        let best = self.lines(view).first().and_then(|line| line.moves.first().copied());
        best.or_else(|| self.fallback.choose(view))
    }

    fn explain(&mut self, view: &View) -> Option<Explanation> {
        let considered = |line: KeyLine| {
            let (play, rest) = line.moves.split_first()?;
            let score = -f64::from(line.value) / f64::from(value::UNITS_PER_KEY);
            let brief = "Keys pressed for the move";
            let keys = Term { brief, ..Term::new("keys", line.first_keys.into(), -1.0) };
            Some(ConsideredMove { play: *play, score, terms: vec![keys], line: rest.to_vec() })
        };
        let moves: Vec<_> = self.lines(view).into_iter().filter_map(considered).collect();
        match moves.is_empty() {
            true => self.fallback.explain(view),
            false => Some(Explanation { moves }),
        }
    }

    fn abilities(&self) -> Abilities {
        Abilities { modes: &[Mode::Sprint], explains: true, ..Abilities::default() }
    }
}
