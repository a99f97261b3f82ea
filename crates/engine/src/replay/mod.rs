//! Replays: games in files.
//!
//! A file has the seven letters `TETRION`, a version byte, the length of the body as four bytes (little-endian), the body in
//! [postcard](https://postcard.jamesmunns.com)'s format, and the CRC-32 of all that as four bytes. A replay holds the rules, the
//! seed, every input and the result. [`Replay::play`] replays the game and compares the result.
//!
//! Files of every version can be read. Each version has a reader of its own (`v1.rs`, `v2.rs`, `v3.rs`), which is frozen as soon
//! as there is a newer one. Version 4 holds a match of two players ([`MatchReplay`]).

mod v1;
pub(crate) mod v2;
mod v3;

use crate::clock::{Action, Clock, Handling, Input, LOCK_DELAY};
use crate::game::{Game, IllegalMove, Move};
use crate::moves::Movement;
use crate::picture::Picture;
use crate::record::{GameResult, PlacementRecord};
use crate::ruleset::{Micros, Ruleset, RulesetError};
use crate::versus::{self, MatchReplay};
use crate::words::counted;
use std::fmt;

/// The version of new files with one player.
pub const VERSION: u8 = 3;
/// The version of files with two players.
pub const MATCH_VERSION: u8 = 4;

const MAGIC: &[u8; 7] = b"TETRION";
/// Bytes before and after the body.
const HEADER: usize = MAGIC.len() + 1 + 4;
const CHECKSUM: usize = 4;
/// The longest game that a replay can hold. Without a limit, a few bytes could keep a machine busy for ever.
const MAX_TIME: Micros = 24 * 3_600 * 1_000_000;
/// The largest file. Real games come nowhere near: a Sprint takes a few kilobytes.
const MAX_BYTES: usize = 16 << 20;

/// A recorded game.
#[derive(Clone, Debug, PartialEq)]
pub struct Replay {
    /// The rules.
    pub rules: Ruleset,
    /// The seed.
    pub seed: u64,
    /// The name of the person or the agent who played.
    pub player: String,
    /// What the player did.
    pub actions: Actions,
    /// The recorded result. It has no key count: [`Replay::play`] counts them.
    pub result: GameResult,
    /// The recorded [`Game::state_hash`] at the end.
    pub state_hash: u64,
}

/// What a player did.
#[derive(Clone, Debug, PartialEq)]
pub enum Actions {
    /// A person pressed buttons.
    Inputs {
        /// The player's handling.
        handling: Handling,
        /// In order of time.
        inputs: Vec<Input>,
        /// When the replay ends, in time played.
        end: Micros,
    },
    /// An agent made moves.
    Moves(Vec<Move>),
}

/// Why a file can't be read as a replay.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// It does not start like a replay.
    #[error("this is not a Tetrion replay")]
    NotAReplay,
    /// It comes from a newer version of the program.
    #[error(
        "the replay has version {0}, but this program reads only up to version {MATCH_VERSION}: use a newer program"
    )]
    Version(u8),
    /// It has two players where one is expected.
    #[error("this is a match of two players, not the game of one")]
    TwoPlayers,
    /// It has one player where two are expected.
    #[error("this is the game of one player, not a match of two")]
    OnePlayer,
    /// It is shorter or longer than its header says.
    #[error(
        "the replay should have {expected} bytes but has {found}: it was cut off, or something was added"
    )]
    Length {
        /// Bytes that it should have.
        expected: usize,
        /// Bytes that it has.
        found: usize,
    },
    /// It is too large.
    #[error("a file of {0} bytes is too large for a replay")]
    TooLarge(usize),
    /// Its checksum does not match.
    #[error("the replay is damaged: its checksum does not match")]
    Checksum,
    /// Its body can't be decoded.
    #[error("the replay is damaged: its contents can't be decoded")]
    Contents,
}

/// Why a replay does not verify.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PlayError {
    /// Its rules are invalid.
    #[error("the replay's rules are invalid: {0}")]
    Rules(#[from] RulesetError),
    /// It has timed inputs, but straight drops have no real time.
    #[error("the replay has timed inputs for a game without real time")]
    NoRealTime,
    /// A move is illegal.
    #[error("move {number} is illegal: {reason}")]
    Move {
        /// The number of the move, from 1.
        number: usize,
        /// Why it is illegal.
        reason: IllegalMove,
    },
    /// It is too long.
    #[error("the replay takes {} hours, but at most 24 are allowed", .0 / 3_600_000_000)]
    TooLong(Micros),
    /// An input is not in order of time, or comes after the end.
    #[error("input {0} is out of order")]
    OutOfOrder(usize),
    /// The game ignores an input, so no real game can have recorded it.
    #[error("the game ignores input {0}")]
    Ignored(usize),
    /// The game ends differently.
    #[error("the replayed game ends with {found}, not with {recorded}")]
    Result {
        /// The ending of the replayed game.
        found: Ending,
        /// The ending in the replay.
        recorded: Ending,
    },
}

/// What verification compares: the result of the game and its final state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The result.
    pub result: GameResult,
    /// [`Game::state_hash`].
    pub state_hash: u64,
}

impl Ending {
    /// The ending of a game in its current state.
    pub fn of(game: &Game) -> Ending {
        Ending { result: game.result(), state_hash: game.state_hash() }
    }

    /// Checks that a game ended like this.
    pub fn check(self, game: &Game) -> Result<(), PlayError> {
        let (found, recorded) = (Ending::of(game), self);
        if found == recorded { Ok(()) } else { Err(PlayError::Result { found, recorded }) }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let GameResult { pieces, lines, score, .. } = self.result;
        let (outcome, state) = (self.result.outcome_name(), self.state_hash);
        let (pieces, lines) = (counted(pieces, "piece"), counted(lines, "line"));
        write!(f, "{outcome}, {pieces}, {lines}, score {score}, state {state:016x}")
    }
}

impl Replay {
    /// The replay of a person's game so far.
    pub fn of_clock(clock: &Clock, seed: u64, player: &str) -> Replay {
        let (handling, inputs) = (clock.handling(), clock.inputs().to_vec());
        let actions = Actions::Inputs { handling, inputs, end: clock.time() };
        Replay::of(clock.game(), seed, player, actions)
    }

    /// The replay of an agent's game so far.
    pub fn of_moves(game: &Game, seed: u64, player: &str, moves: Vec<Move>) -> Replay {
        Replay::of(game, seed, player, Actions::Moves(moves))
    }

    fn of(game: &Game, seed: u64, player: &str, actions: Actions) -> Replay {
        Replay {
            rules: game.rules().clone(),
            seed,
            player: player.to_owned(),
            actions,
            result: game.result(),
            state_hash: game.state_hash(),
        }
    }

    /// The bytes of the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        seal(VERSION, &v3::Body::new(self))
    }

    /// Reads the bytes of a file of any version. This does not verify the game: see [`Replay::play`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Replay, ReadError> {
        match Recorded::from_bytes(bytes)? {
            Recorded::Game(replay) => Ok(replay),
            Recorded::Match(_) => Err(ReadError::TwoPlayers),
        }
    }

    /// Replays the game, calls `placed` for every placement, and checks the result.
    pub fn play(&self, mut placed: impl FnMut(&PlacementRecord)) -> Result<Played, PlayError> {
        self.play_each(&mut |record, _, _| placed(record))
    }

    /// Replays the game and returns its state after each placement, without those that were undone.
    pub fn moments(&self) -> Result<Vec<Moment>, PlayError> {
        let first = self.rules.opening.placed + 1;
        let mut moments = Vec::new();
        let played = self.play_each(&mut |record, game, picture| {
            moments.truncate((record.number - first) as usize);
            moments.push(Moment { record: *record, game: game.clone(), picture: *picture });
        })?;
        // The piece that overflows a Classic board is not placed, but it is shown.
        let kept = (played.game.placed() + 1 - first) as usize + usize::from(played.game.has_overflowed());
        moments.truncate(kept);
        Ok(moments)
    }

    /// Checks that a replayed game ended as recorded.
    pub fn check_ending(&self, game: &Game) -> Result<(), PlayError> {
        Ending { result: self.result, state_hash: self.state_hash }.check(game)
    }

    /// Whether a replay with timed inputs is of a game with real time, and not too long.
    pub fn check_time(&self) -> Result<(), PlayError> {
        match &self.actions {
            Actions::Inputs { .. } if self.rules.movement == Movement::Straight => Err(PlayError::NoRealTime),
            Actions::Inputs { end, .. } => check_length(*end),
            Actions::Moves(_) => Ok(()),
        }
    }

    fn play_each(&self, placed: &mut impl PlacementVisitor) -> Result<Played, PlayError> {
        self.check_time()?;
        let game = Game::new(self.rules.clone(), self.seed)?;
        let played = match &self.actions {
            Actions::Moves(moves) => play_moves(game, moves, placed)?,
            Actions::Inputs { handling, inputs, end } => play_inputs(game, *handling, inputs, *end, placed)?,
        };
        self.check_ending(&played.game)?;
        Ok(played)
    }
}

/// What a file holds.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::large_enum_variant)]
pub enum Recorded {
    /// The game of one player.
    Game(Replay),
    /// A match of two.
    Match(MatchReplay),
}

impl Recorded {
    /// Reads the bytes of a file of any version. This does not verify what was played.
    pub fn from_bytes(bytes: &[u8]) -> Result<Recorded, ReadError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(ReadError::NotAReplay)?;
        let version = match rest.first() {
            Some(&version @ 1..=MATCH_VERSION) => version,
            Some(&other) => return Err(ReadError::Version(other)),
            None => {
                return Err(ReadError::Length { expected: HEADER + CHECKSUM, found: bytes.len() });
            }
        };
        if bytes.len() > MAX_BYTES {
            return Err(ReadError::TooLarge(bytes.len()));
        }
        let Some(length) = rest.get(1..5).and_then(|length| length.try_into().ok()) else {
            return Err(ReadError::Length { expected: HEADER + CHECKSUM, found: bytes.len() });
        };
        let expected = (u32::from_le_bytes(length) as usize).saturating_add(HEADER + CHECKSUM);
        if bytes.len() != expected {
            return Err(ReadError::Length { expected, found: bytes.len() });
        }
        let (covered, checksum) = bytes.split_at(bytes.len() - CHECKSUM);
        if crc32fast::hash(covered).to_le_bytes() != checksum {
            return Err(ReadError::Checksum);
        }
        let body = &covered[HEADER..];
        let recorded = match version {
            1 => read_body(body).and_then(v1::Body::into_replay).map(Recorded::Game),
            2 => read_body(body).and_then(v2::Body::into_replay).map(Recorded::Game),
            3 => read_body(body).and_then(v3::Body::into_replay).map(Recorded::Game),
            _ => read_body(body).and_then(versus::Body::into_match).map(Recorded::Match),
        };
        recorded.ok_or(ReadError::Contents)
    }
}

/// The bytes of a file with this body.
pub(crate) fn seal(version: u8, body: &impl serde::Serialize) -> Vec<u8> {
    let body = postcard::to_allocvec(body).expect("a replay can be written to memory");
    let mut bytes = MAGIC.to_vec();
    bytes.push(version);
    bytes.extend((body.len() as u32).to_le_bytes());
    bytes.extend(body);
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

/// Checks that a replay is not too long.
pub(crate) fn check_length(end: Micros) -> Result<(), PlayError> {
    if end > MAX_TIME { Err(PlayError::TooLong(end)) } else { Ok(()) }
}

fn read_body<B: serde::de::DeserializeOwned>(bytes: &[u8]) -> Option<B> {
    match postcard::take_from_bytes(bytes) {
        Ok((body, [])) => Some(body),
        _ => None,
    }
}

/// A replayed game at its end.
#[derive(Clone, Debug)]
pub struct Played {
    /// The game.
    pub game: Game,
    /// The colours of its board.
    pub picture: Picture,
    /// Time played, in games with real time.
    pub time: Option<Micros>,
    /// Keys pressed, in games with keys.
    pub keys: Option<u64>,
}

/// A game just after a placement.
#[derive(Clone, Debug)]
pub struct Moment {
    /// The placement.
    pub record: PlacementRecord,
    /// The game.
    pub game: Game,
    /// The colours of its board.
    pub picture: Picture,
}

/// Called after each placement.
trait PlacementVisitor: FnMut(&PlacementRecord, &Game, &Picture) {}

impl<F: FnMut(&PlacementRecord, &Game, &Picture)> PlacementVisitor for F {}

fn play_moves(
    mut game: Game,
    moves: &[Move],
    placed: &mut impl PlacementVisitor,
) -> Result<Played, PlayError> {
    let mut picture = Picture::of_opening(&game.rules().opening);
    for (index, play) in moves.iter().enumerate() {
        let record = game.play(*play).map_err(|reason| PlayError::Move { number: index + 1, reason })?;
        picture.apply(&record);
        placed(&record, &game, &picture);
    }
    Ok(Played { game, picture, time: None, keys: None })
}

fn play_inputs(
    game: Game,
    handling: Handling,
    inputs: &[Input],
    end: Micros,
    placed: &mut impl PlacementVisitor,
) -> Result<Played, PlayError> {
    let mut clock = Clock::new(game, handling);
    for (index, input) in inputs.iter().enumerate() {
        advance(&mut clock, input.at.min(end), placed);
        repeat(&mut clock, *input, index + 1, end)?;
        report(&mut clock, placed);
    }
    advance(&mut clock, end, placed);
    let keys = inputs.iter().filter(|input| matches!(input.action, Action::Down(_))).count() as u64;
    let (game, picture, time) = (clock.game().clone(), *clock.picture(), Some(clock.time()));
    Ok(Played { game, picture, time, keys: Some(keys) })
}

/// Gives a clock the input with this number, from 1, of a replay with this end. It must be one that the game records.
pub fn repeat(clock: &mut Clock, input: Input, number: usize, end: Micros) -> Result<(), PlayError> {
    if input.at < clock.time() || input.at > end {
        return Err(PlayError::OutOfOrder(number));
    }
    clock.replay(input).map_err(|reason| PlayError::Move { number, reason })?;
    let is_recorded = clock.inputs().len() == number && clock.inputs().last() == Some(&input);
    if is_recorded { Ok(()) } else { Err(PlayError::Ignored(number)) }
}

/// Advances in steps so short that at most one piece can lock in each, so that every placement is observed.
fn advance(clock: &mut Clock, to: Micros, placed: &mut impl PlacementVisitor) {
    let mut time = clock.time();
    while time < to && clock.game().outcome().is_none() {
        time = to.min(time + LOCK_DELAY);
        clock.advance(time);
        report(clock, placed);
    }
}

fn report(clock: &mut Clock, placed: &mut impl PlacementVisitor) {
    for record in clock.take_placed() {
        placed(&record, clock.game(), clock.picture());
    }
}
