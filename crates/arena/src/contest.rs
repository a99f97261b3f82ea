//! One game between two contestants, refereed.

use crate::contestant::Contestant;
use serde::{Deserialize, Serialize};
use std::thread;
use tetrion_engine::game::{Game, Move};
use tetrion_engine::position::Position;
use tetrion_engine::record::{Outcome, PlacementRecord};
use tetrion_engine::replay::Replay;
use tetrion_engine::ruleset::{Micros, Ruleset, RulesetError};
use tetrion_engine::versus::{Hands, Match, MatchReplay};
use tetrion_interop::tbp::Fault;

/// What a contest is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Each clears the lines, with as few pieces as possible.
    Sprint,
    /// Each scores as many points as possible.
    Blitz,
    /// They send garbage to each other until one is lost. Both place a piece every so often.
    Versus {
        /// The time between two pieces.
        interval: Micros,
    },
}

/// The rules of a contest.
#[derive(Clone, Debug, PartialEq)]
pub struct Contest {
    /// What it is about.
    pub kind: Kind,
    /// The rules of the games.
    pub rules: Ruleset,
}

/// How a game between two players ended. Lists have the first player's value first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameReport {
    /// The number of the game in its series, from 0.
    pub index: u64,
    /// The number of the player who won; `None` is a draw.
    pub winner: Option<usize>,
    /// Why, in words.
    pub reason: String,
    /// Pieces placed.
    pub pieces: [u32; 2],
    /// Lines of all attacks. Only versus has any.
    pub attack: [u32; 2],
    /// Points.
    pub score: [u64; 2],
    /// What a player did wrong, if that ended the game.
    #[serde(skip)]
    pub faults: [Option<Fault>; 2],
    /// The replays: one of a match, or one for each player.
    #[serde(skip)]
    pub replays: Vec<Vec<u8>>,
}

/// The contestants of a game, in the order of the players.
type Contestants<'c> = [&'c mut Box<dyn Contestant>; 2];

impl Contest {
    /// Plays a game with this seed. The players have these names in replays. If `swapped`, the first player has the second side.
    /// `None` if `is_stopped` says so before the end.
    pub fn play(
        &self,
        contestants: Contestants,
        names: [&str; 2],
        seed: u64,
        swapped: bool,
        is_stopped: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<GameReport>, RulesetError> {
        match self.kind {
            Kind::Versus { interval } => {
                self.play_match(contestants, names, seed, swapped, interval, is_stopped)
            }
            Kind::Sprint | Kind::Blitz => self.play_side_by_side(contestants, names, seed, is_stopped),
        }
    }

    /// Two games on the same pieces, without any contact.
    fn play_side_by_side(
        &self,
        [one, other]: Contestants,
        names: [&str; 2],
        seed: u64,
        is_stopped: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<GameReport>, RulesetError> {
        let game = Game::new(self.rules.clone(), seed)?;
        let start = game.clone();
        let (one, other) = thread::scope(|scope| {
            let one = scope.spawn(move || play_alone(game, one.as_mut(), seed, is_stopped));
            let other = play_alone(start, other.as_mut(), seed, is_stopped);
            (one.join(), other)
        });
        let one = one.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        let (Some(one), Some(other)) = (one, other) else { return Ok(None) };
        let played = [one, other];
        let (winner, reason) = self.compare(&played, names);
        Ok(Some(GameReport {
            index: 0,
            winner,
            reason,
            pieces: [0, 1].map(|player| played[player].game.placed()),
            attack: [0, 0],
            score: [0, 1].map(|player| played[player].game.score()),
            replays: played
                .iter()
                .zip(names)
                .map(|(played, name)| {
                    Replay::of_moves(&played.game, seed, name, played.moves.clone()).to_bytes()
                })
                .collect(),
            faults: played.map(|played| played.fault),
        }))
    }

    /// Who did better in a game of its own.
    fn compare(&self, played: &[PlayedAlone; 2], names: [&str; 2]) -> (Option<usize>, String) {
        if let Some(decided) = decided_by_faults([0, 1].map(|player| played[player].fault.as_ref()), names) {
            return decided;
        }
        let games = [0, 1].map(|player| &played[player].game);
        let lost = games.map(|game| game.outcome().is_none_or(Outcome::is_loss));
        match lost {
            [true, false] => return (Some(1), format!("{} topped out", names[0])),
            [false, true] => return (Some(0), format!("{} topped out", names[1])),
            _ => {}
        }
        let (better, equal) = match self.kind {
            // Whoever topped out later, or needed fewer pieces to clear the lines.
            Kind::Sprint if lost[0] => ("more lines", games[0].lines().cmp(&games[1].lines())),
            Kind::Sprint => ("fewer pieces", games[1].placed().cmp(&games[0].placed())),
            _ => ("more points", games[0].score().cmp(&games[1].score())),
        };
        let winner = match equal {
            std::cmp::Ordering::Greater => Some(0),
            std::cmp::Ordering::Less => Some(1),
            std::cmp::Ordering::Equal => None,
        };
        (winner, if winner.is_some() { better.to_owned() } else { "equal".to_owned() })
    }

    /// A match. Both think at the same time about the positions before their moves, and both moves are made at the same moment.
    fn play_match(
        &self,
        contestants: Contestants,
        names: [&str; 2],
        seed: u64,
        swapped: bool,
        interval: Micros,
        is_stopped: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<GameReport>, RulesetError> {
        let hands = [Hands::Agent, Hands::Agent];
        let mut live = Match::new(&self.rules, seed, hands)?;
        let side_of = |player: usize| if swapped { 1 - player } else { player };
        let [one, other] = contestants;
        let mut players = [one.as_mut(), other.as_mut()];
        let mut faults: [Option<Fault>; 2] = [None, None];
        for (player, contestant) in players.iter_mut().enumerate() {
            if let Some(view) = live.game(side_of(player)).view() {
                faults[player] = contestant.begin(seed, &view).err();
            }
        }
        let mut time = 0;
        while live.result().is_none() && faults.iter().all(Option::is_none) {
            time += interval;
            let [one, other] = &mut players;
            let chosen = thread::scope(|scope| {
                let live = &live;
                let one = scope.spawn(move || {
                    choose(*one, live.game(side_of(0)), Some(live.game(side_of(1)).position()))
                });
                let other = choose(*other, live.game(side_of(1)), Some(live.game(side_of(0)).position()));
                [one.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)), other]
            });
            if is_stopped() {
                return Ok(None);
            }
            for (player, chosen) in chosen.into_iter().enumerate() {
                let Some(chosen) = chosen else { continue };
                let placed = chosen
                    .and_then(|play| live.place(side_of(player), time, play).map_err(|_| no_legal_move()));
                faults[player] = placed.err();
            }
            for (side, record) in live.take_placed() {
                let player = side_of(side);
                if faults[player].is_none() {
                    faults[player] = players[player].placed(&record, live.game(side)).err();
                }
            }
        }
        let (winner, reason) = match decided_by_faults([0, 1].map(|player| faults[player].as_ref()), names) {
            Some(decided) => decided,
            None => {
                let winner = live.result().and_then(|result| result.winner).map(side_of);
                let is_lost =
                    live.result().is_some_and(|result| result.outcomes[0].is_some_and(Outcome::is_loss));
                let reason = match winner {
                    Some(winner) => format!("{} topped out", names[1 - winner]),
                    None if is_lost => "both topped out at the same moment".to_owned(),
                    None => "no winner within the pieces of the game".to_owned(),
                };
                (winner, reason)
            }
        };
        let of_sides = [names[side_of(0)], names[side_of(1)]];
        let games = [0, 1].map(|player| live.game(side_of(player)));
        Ok(Some(GameReport {
            index: 0,
            winner,
            reason,
            pieces: games.map(Game::placed),
            attack: games.map(|game| game.position().attack),
            score: games.map(Game::score),
            replays: vec![MatchReplay::of(&live, &self.rules, of_sides, hands).to_bytes()],
            faults,
        }))
    }
}

fn no_legal_move() -> Fault {
    Fault::NoLegalMove(tetrion_interop::tbp::NoLegalMove(1))
}

/// The winner and the reason, if a fault ended the game.
fn decided_by_faults(faults: [Option<&Fault>; 2], names: [&str; 2]) -> Option<(Option<usize>, String)> {
    let forfeit = |player: usize, fault: &Fault| format!("{} forfeits: {fault}", names[player]);
    match faults {
        [None, None] => None,
        [Some(fault), None] => Some((Some(1), forfeit(0, fault))),
        [None, Some(fault)] => Some((Some(0), forfeit(1, fault))),
        [Some(one), Some(other)] => Some((None, format!("{}; {}", forfeit(0, one), forfeit(1, other)))),
    }
}

/// A contestant's move; `None` if its game is over.
fn choose(
    contestant: &mut dyn Contestant,
    game: &Game,
    opponent: Option<&Position>,
) -> Option<Result<Move, Fault>> {
    game.view().map(|view| contestant.choose(&view, opponent))
}

/// A game that was played without an opponent.
struct PlayedAlone {
    game: Game,
    moves: Vec<Move>,
    fault: Option<Fault>,
}

/// Plays a game to its end, or to the contestant's first fault. `None` if it was stopped.
fn play_alone(
    mut game: Game,
    contestant: &mut dyn Contestant,
    seed: u64,
    is_stopped: &(dyn Fn() -> bool + Sync),
) -> Option<PlayedAlone> {
    let mut moves = Vec::new();
    let begun = game.view().map_or(Ok(()), |view| contestant.begin(seed, &view));
    let mut fault = begun.err();
    while fault.is_none() {
        let Some(chosen) = choose(contestant, &game, None) else { break };
        if is_stopped() {
            return None;
        }
        let placed = chosen.and_then(|play| {
            let record: PlacementRecord = game.play(play).map_err(|_| no_legal_move())?;
            moves.push(play);
            contestant.placed(&record, &game)
        });
        fault = placed.err();
    }
    Some(PlayedAlone { game, moves, fault })
}
