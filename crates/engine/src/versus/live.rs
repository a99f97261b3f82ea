//! A match: two games on one time line.

use super::Attack;
use crate::clock::{Button, Clock, Handling, Input};
use crate::game::{Game, IllegalMove, Move};
use crate::record::{Outcome, PlacementRecord};
use crate::ruleset::{Micros, Ruleset, RulesetError};
use serde::{Deserialize, Serialize};

/// Who plays a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Hands {
    /// A person, in real time.
    Person(Handling),
    /// An agent, whose pieces wait until it places them.
    Agent,
}

/// How a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchResult {
    /// The number of the side that won; `None` is a draw.
    pub winner: Option<usize>,
    /// How the games ended. The winner's may not have.
    pub outcomes: [Option<Outcome>; 2],
}

/// Two games on the same pieces and on one time line. What one side sends reaches the other only after the moment when it is
/// sent. So it does not matter which side is asked first: two placements at the same moment do not see each other.
#[derive(Clone, Debug)]
pub struct Match {
    sides: [Clock; 2],
    seed: u64,
    placed: Vec<(usize, PlacementRecord)>,
}

impl Match {
    /// A new match. The rules and the seed decide the pieces, which are the same for both sides, and the holes in the garbage of
    /// each side.
    pub fn new(rules: &Ruleset, seed: u64, hands: [Hands; 2]) -> Result<Match, RulesetError> {
        rules
            .versus
            .as_ref()
            .ok_or(RulesetError::Versus("rules for two players need attacks and garbage"))?;
        let side = |side: usize| {
            let (gravity, handling) = match hands[side] {
                Hands::Person(handling) => (rules.gravity, handling),
                Hands::Agent => (false, Handling::default()),
            };
            let mut game = Game::new(Ruleset { gravity, ..rules.clone() }, seed)?;
            game.play_side(seed, side as u64);
            Ok::<Clock, RulesetError>(Clock::new(game, handling))
        };
        Ok(Match { sides: [side(0)?, side(1)?], seed, placed: Vec::new() })
    }

    /// A side, 0 or 1.
    pub fn side(&self, side: usize) -> &Clock {
        &self.sides[side]
    }

    /// The game of a side.
    pub fn game(&self, side: usize) -> &Game {
        self.sides[side].game()
    }

    /// The seed.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The time played.
    pub fn time(&self) -> Micros {
        self.sides[0].time().max(self.sides[1].time())
    }

    /// Takes the placements made since the last call, each with its side, in order of time.
    pub fn take_placed(&mut self) -> Vec<(usize, PlacementRecord)> {
        std::mem::take(&mut self.placed)
    }

    /// Advances both games to a time, or to the moment at which one is lost.
    pub fn advance(&mut self, time: Micros) {
        loop {
            let end = time.min(self.lost_at().unwrap_or(Micros::MAX));
            let due = self.sides.iter().filter_map(Clock::next_event).min();
            let next = due.unwrap_or(end).min(end);
            self.sides.iter_mut().for_each(|side| side.advance(next));
            self.exchange();
            if next == end {
                break;
            }
        }
    }

    /// A button of a person goes down.
    pub fn button_down(&mut self, side: usize, time: Micros, button: Button) {
        self.act(side, time, |clock, time| clock.button_down(time, button));
    }

    /// A button of a person goes up.
    pub fn button_up(&mut self, side: usize, time: Micros, button: Button) {
        self.act(side, time, |clock, time| clock.button_up(time, button));
    }

    /// All buttons of both sides go up, for a pause.
    pub fn release_all(&mut self, time: Micros) {
        (0..2).for_each(|side| self.act(side, time, Clock::release_all));
    }

    /// An agent places its piece.
    pub fn place(&mut self, side: usize, time: Micros, play: Move) -> Result<(), IllegalMove> {
        self.act(side, time, |clock, time| clock.place(time, play))
    }

    /// Repeats a recorded input.
    pub fn replay(&mut self, side: usize, input: Input) -> Result<(), IllegalMove> {
        self.act(side, input.at, |clock, at| clock.replay(Input { at, ..input }))
    }

    /// Advances both games and lets one side do something.
    fn act<T>(&mut self, side: usize, time: Micros, action: impl FnOnce(&mut Clock, Micros) -> T) -> T {
        self.advance(time);
        let time = time.min(self.lost_at().unwrap_or(Micros::MAX));
        let done = action(&mut self.sides[side], time);
        self.exchange();
        done
    }

    /// Sends the attacks of new placements to the other side.
    fn exchange(&mut self) {
        let before = self.placed.len();
        for side in 0..2 {
            for record in self.sides[side].take_placed() {
                let at = record.at.unwrap_or(0);
                self.sides[1 - side].receive(Attack { rows: record.sent, at });
                self.placed.push((side, record));
            }
        }
        self.placed[before..].sort_by_key(|(side, record)| (record.at, *side));
    }

    /// When the first game was lost.
    fn lost_at(&self) -> Option<Micros> {
        let lost = self.sides.iter().filter(|side| side.game().outcome().is_some_and(Outcome::is_loss));
        lost.map(Clock::time).min()
    }

    /// The result, if the match is over: as soon as one side is lost, or when both have reached a goal.
    pub fn result(&self) -> Option<MatchResult> {
        let outcomes = [0, 1].map(|side| self.game(side).outcome());
        let winner = match outcomes.map(|outcome| outcome.is_some_and(Outcome::is_loss)) {
            // Both lose only if they do at the same moment: the match ends with the first loss.
            [true, true] => None,
            [true, false] => Some(1),
            [false, true] => Some(0),
            [false, false] if outcomes.iter().all(Option::is_some) => None,
            [false, false] => return None,
        };
        Some(MatchResult { winner, outcomes })
    }
}
