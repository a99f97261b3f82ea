//! Matches in files.
//!
//! A match is version 4 of the replay format: the same frame as a single game ([`crate::replay`]), with two sides in it.

use super::{Hands, Match, MatchResult};
use crate::clock::{Handling, Input};
use crate::game::Game;
use crate::picture::Picture;
use crate::record::PlacementRecord;
use crate::replay::{self, Ending, PlayError, ReadError, v2};
use crate::ruleset::{Micros, Ruleset};
use serde::{Deserialize, Serialize};

/// One side of a recorded match.
#[derive(Clone, Debug, PartialEq)]
pub struct Side {
    /// The name of the person or the agent.
    pub player: String,
    /// Who played it.
    pub hands: Hands,
    /// What was done, in order of time.
    pub inputs: Vec<Input>,
    /// How its game ended.
    pub ending: Ending,
}

/// A recorded match.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchReplay {
    /// The rules.
    pub rules: Ruleset,
    /// The seed.
    pub seed: u64,
    /// Both sides.
    pub sides: [Side; 2],
    /// When it ends, in time played.
    pub end: Micros,
}

/// Why a match does not verify.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("side {}: {problem}", side + 1)]
pub struct MatchPlayError {
    /// The side, 0 or 1.
    pub side: usize,
    /// What is wrong.
    pub problem: PlayError,
}

/// A match just after a placement.
#[derive(Clone, Debug)]
pub struct MatchMoment {
    /// The side that placed a piece.
    pub side: usize,
    /// The placement.
    pub record: PlacementRecord,
    /// Both games.
    pub games: [Game; 2],
    /// The colours of their boards.
    pub pictures: [Picture; 2],
}

impl MatchReplay {
    /// The replay of a match so far.
    pub fn of(live: &Match, rules: &Ruleset, players: [&str; 2], hands: [Hands; 2]) -> MatchReplay {
        let side = |side: usize| Side {
            player: players[side].to_owned(),
            hands: hands[side],
            inputs: live.side(side).inputs().to_vec(),
            ending: Ending::of(live.game(side)),
        };
        MatchReplay { rules: rules.clone(), seed: live.seed(), sides: [side(0), side(1)], end: live.time() }
    }

    /// The bytes of the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        replay::seal(replay::MATCH_VERSION, &Body::new(self))
    }

    /// Reads the bytes of a file. This does not verify the match: see [`MatchReplay::play`].
    pub fn from_bytes(bytes: &[u8]) -> Result<MatchReplay, ReadError> {
        match replay::Recorded::from_bytes(bytes)? {
            replay::Recorded::Match(recorded) => Ok(recorded),
            replay::Recorded::Game(_) => Err(ReadError::OnePlayer),
        }
    }

    /// Plays the match again, calls `visit` after every placement, and checks how both games end.
    pub fn play(
        &self,
        mut visit: impl FnMut(usize, &PlacementRecord, &Match),
    ) -> Result<Option<MatchResult>, MatchPlayError> {
        let fail = |side| move |problem| MatchPlayError { side, problem };
        replay::check_length(self.end).map_err(fail(0))?;
        let hands = [0, 1].map(|side: usize| self.sides[side].hands);
        let mut live = Match::new(&self.rules, self.seed, hands).map_err(PlayError::from).map_err(fail(0))?;
        let mut done = [0, 0];
        loop {
            let next = |side: usize| self.sides[side].inputs.get(done[side]).map(|input| (input.at, side));
            let Some((at, side)) = [next(0), next(1)].into_iter().flatten().min() else { break };
            let (input, number) = (self.sides[side].inputs[done[side]], done[side] + 1);
            if at < live.side(side).time() || at > self.end {
                return Err(fail(side)(PlayError::OutOfOrder(number)));
            }
            advance(&mut live, at, &mut visit);
            let illegal = |reason| fail(side)(PlayError::Move { number, reason });
            live.replay(side, input).map_err(illegal)?;
            let inputs = live.side(side).inputs();
            if inputs.len() != number || inputs.last() != Some(&input) {
                return Err(fail(side)(PlayError::Ignored(number)));
            }
            report(&mut live, &mut visit);
            done[side] += 1;
        }
        advance(&mut live, self.end, &mut visit);
        for (side, Side { ending, .. }) in self.sides.iter().enumerate() {
            ending.check(live.game(side)).map_err(fail(side))?;
        }
        Ok(live.result())
    }

    /// Plays the match again and returns its state after each placement.
    pub fn moments(&self) -> Result<Vec<MatchMoment>, MatchPlayError> {
        let mut moments = Vec::new();
        self.play(|side, record, live| {
            let games = [0, 1].map(|side| live.game(side).clone());
            let pictures = [0, 1].map(|side| *live.side(side).picture());
            moments.push(MatchMoment { side, record: *record, games, pictures });
        })?;
        Ok(moments)
    }
}

/// Advances in steps so short that at most one piece can lock in each.
fn advance(live: &mut Match, to: Micros, visit: &mut impl FnMut(usize, &PlacementRecord, &Match)) {
    while live.time() < to && live.result().is_none() {
        live.advance(to.min(live.time() + crate::clock::LOCK_DELAY));
        report(live, visit);
    }
}

fn report(live: &mut Match, visit: &mut impl FnMut(usize, &PlacementRecord, &Match)) {
    for (side, record) in live.take_placed() {
        visit(side, &record, live);
    }
}

/// A match as it is stored.
#[derive(Serialize, Deserialize)]
pub(crate) struct Body {
    rules: String,
    seed: u64,
    sides: [StoredSide; 2],
    end: u64,
}

#[derive(Serialize, Deserialize)]
struct StoredSide {
    player: String,
    /// The handling of a person; an agent has none.
    handling: Option<v2::Handling>,
    inputs: Vec<v2::Input>,
    claim: v2::Claim,
}

impl Body {
    fn new(recorded: &MatchReplay) -> Body {
        let side = |side: &Side| StoredSide {
            player: side.player.clone(),
            handling: match side.hands {
                Hands::Person(handling) => Some(handling.into()),
                Hands::Agent => None,
            },
            inputs: side.inputs.iter().map(|input| (*input).into()).collect(),
            claim: v2::Claim::new(&side.ending.result, side.ending.state_hash),
        };
        Body {
            rules: serde_json::to_string(&recorded.rules).expect("rules can be written as JSON"),
            seed: recorded.seed,
            sides: [side(&recorded.sides[0]), side(&recorded.sides[1])],
            end: recorded.end,
        }
    }

    pub(crate) fn into_match(self) -> Option<MatchReplay> {
        let side = |side: StoredSide| Side {
            player: side.player,
            hands: side.handling.map_or(Hands::Agent, |handling| Hands::Person(Handling::from(handling))),
            inputs: side.inputs.into_iter().map(Input::from).collect(),
            ending: side.claim.into_ending(),
        };
        let [one, other] = self.sides;
        let rules = serde_json::from_str(&self.rules).ok()?;
        Some(MatchReplay { rules, seed: self.seed, sides: [side(one), side(other)], end: self.end })
    }
}
