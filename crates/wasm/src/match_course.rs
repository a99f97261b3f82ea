//! What matches under way and recorded ones share: two games on one time line, and what was placed in them.

use crate::view::{GameView, PlacementView};
use serde::Serialize;
use tetrion_engine::ruleset::{Ruleset, RulesetError};
use tetrion_engine::versus::{Hands, Match};
use tsify::Tsify;

/// A match and its placements.
#[derive(Clone)]
pub struct MatchCourse {
    live: Match,
    placed: [Vec<PlacementView>; 2],
}

/// A match as it is seen.
#[derive(Serialize, Tsify)]
#[tsify(missing_as_null)]
#[serde(rename_all = "camelCase")]
pub struct MatchView {
    #[tsify(type = "[SideView, SideView]")]
    pub sides: [SideView; 2],
    /// Microseconds played.
    pub time: f64,
    pub is_over: bool,
    /// The side that won; null while it goes on, and for a draw.
    #[tsify(type = "Side | null")]
    pub winner: Option<usize>,
}

/// One side of a match as it is seen.
#[derive(Serialize, Tsify)]
#[tsify(missing_as_null)]
#[serde(rename_all = "camelCase")]
pub struct SideView {
    pub game: GameView,
    /// The attacks that wait for it, the next to rise first.
    pub waiting: Vec<WaitingAttack>,
    /// The lines of all its attacks.
    pub attack: u32,
    /// What is left of them after cancelling: the lines that went to the other side.
    pub sent: u32,
    /// Whether another tetris or T-spin would be back-to-back.
    pub back_to_back: bool,
    /// The number of clears in a row before the last one; 0 without a combo.
    pub combo: u32,
}

/// An attack that waits.
#[derive(Serialize, Tsify)]
pub struct WaitingAttack {
    pub rows: u32,
    /// Whether it rises with the next piece.
    pub due: bool,
}

/// The placements of a match.
#[derive(Serialize, Tsify)]
#[tsify(missing_as_null)]
pub struct MatchPlacements {
    #[tsify(type = "[PlacementView[], PlacementView[]]")]
    pub placed: [Vec<PlacementView>; 2],
}

impl MatchCourse {
    /// A new match.
    pub fn new(rules: &Ruleset, seed: u64, hands: [Hands; 2]) -> Result<MatchCourse, RulesetError> {
        Ok(MatchCourse { live: Match::new(rules, seed, hands)?, placed: [Vec::new(), Vec::new()] })
    }

    /// The match.
    pub fn live(&self) -> &Match {
        &self.live
    }

    /// Lets something happen in the match.
    pub fn act<R>(&mut self, action: impl FnOnce(&mut Match) -> R) -> R {
        let result = action(&mut self.live);
        for (side, record) in self.live.take_placed() {
            let placed = PlacementView::new(&record, self.placed[side].last());
            self.placed[side].push(placed);
        }
        result
    }

    /// What the page draws.
    pub fn view(&self) -> MatchView {
        let result = self.live.result();
        MatchView {
            sides: [self.side(0), self.side(1)],
            time: self.live.time() as f64,
            is_over: result.is_some(),
            winner: result.and_then(|result| result.winner),
        }
    }

    fn side(&self, side: usize) -> SideView {
        let (clock, last) = (self.live.side(side), self.placed[side].last());
        let (game, streak) = (clock.game(), clock.game().streak());
        let garbage = game.rules().versus.as_ref().map(|versus| &versus.garbage);
        let waiting = game.waiting().map(|attack| WaitingAttack {
            rows: attack.rows,
            due: garbage.is_some_and(|garbage| garbage.is_due(attack, clock.time())),
        });
        SideView {
            waiting: waiting.collect(),
            attack: game.attack(),
            sent: last.map_or(0, |last| last.all_sent),
            back_to_back: streak.back_to_back,
            combo: streak.clears.saturating_sub(1),
            game: GameView::of_clock(clock, last),
        }
    }

    /// The placements of both sides, from these indices on.
    pub fn placed_from(&self, first: [usize; 2]) -> MatchPlacements {
        let placed = |side: usize| self.placed[side].get(first[side]..).unwrap_or_default().to_vec();
        MatchPlacements { placed: [placed(0), placed(1)] }
    }
}
