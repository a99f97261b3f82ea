//! Replays: a game in a file, to be played again.
//!
//! A file is the seven letters `TETRION`, a version byte, the length of the body as four bytes (little-endian), the body in
//! [postcard](https://postcard.jamesmunns.com)'s format, and the CRC-32 of all that as four bytes. A replay holds what made
//! the game and what came of it. [`Replay::play`] plays it again and compares.
//!
//! Every version ever written can be read: the reader of each is a file of its own (`v1.rs`, `v2.rs`, `v3.rs`) that does not
//! change any more once another version is written.

mod v1;
mod v2;
mod v3;

use crate::clock::{Action, Clock, Handling, Input, LOCK_DELAY};
use crate::game::{Game, IllegalMove, Move};
use crate::moves::Movement;
use crate::picture::Picture;
use crate::record::{GameResult, PlacementRecord};
use crate::ruleset::{Micros, Ruleset, RulesetError};
use crate::words::counted;
use std::fmt;

/// The version of the files written.
pub const VERSION: u8 = 3;

const MAGIC: &[u8; 7] = b"TETRION";
/// Bytes before and after the body.
const HEADER: usize = MAGIC.len() + 1 + 4;
const CHECKSUM: usize = 4;
/// The longest game that a replay can hold: without an end, a few bytes could keep a machine busy for ever.
const LONGEST: Micros = 24 * 3_600 * 1_000_000;
/// No game of ours comes near this: a Sprint has some kilobytes.
const MAX_BYTES: usize = 16 << 20;

/// A game that was played.
#[derive(Clone, Debug, PartialEq)]
pub struct Replay {
    /// The rules.
    pub rules: Ruleset,
    /// The seed of the pieces.
    pub seed: u64,
    /// Who played: a person's or an agent's name.
    pub player: String,
    /// What they did.
    pub actions: Actions,
    /// What came of it, as the file says. Keys are not stored: [`Replay::play`] counts them.
    pub result: GameResult,
    /// [`Game::state_hash`] at the end, as the file says.
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

/// Why a file is no replay.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// It does not begin as a replay does.
    #[error("this is not a Tetrion replay")]
    NotAReplay,
    /// It was written by a newer version of the program.
    #[error(
        "the replay has version {0}, and this program reads up to version {VERSION}: use a newer program"
    )]
    Version(u8),
    /// It is shorter or longer than it says.
    #[error(
        "the replay should have {expected} bytes but has {found}: it was cut off, or something was added"
    )]
    Length {
        /// Bytes that it should have.
        expected: usize,
        /// Bytes that it has.
        found: usize,
    },
    /// It is larger than any replay.
    #[error("a file of {0} bytes is too large to be a replay")]
    TooLarge(usize),
    /// Its bytes are not those that were written.
    #[error("the replay is damaged: its checksum does not match")]
    Checksum,
    /// Its bytes make no sense.
    #[error("the replay is damaged: its contents make no sense")]
    Contents,
}

/// Why a replay is not the game that it says it is.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PlayError {
    /// There is no such game.
    #[error("the replay's rules make no game: {0}")]
    Rules(#[from] RulesetError),
    /// Straight drops have no real time.
    #[error("the replay has timed inputs for a game without real time")]
    NoRealTime,
    /// A move that can't be made.
    #[error("move {number} can't be made: {reason}")]
    Move {
        /// From 1.
        number: usize,
        /// Why.
        reason: IllegalMove,
    },
    /// It goes on for longer than a replay can.
    #[error("the replay goes on for {} hours, and the longest has 24", .0 / 3_600_000_000)]
    TooLong(Micros),
    /// Inputs that are not in order of time, or after the end.
    #[error("input {0} is out of order")]
    OutOfOrder(usize),
    /// An input that the game takes no notice of, so that no game has recorded it.
    #[error("the game ignores input {0}")]
    Ignored(usize),
    /// It ends otherwise.
    #[error("played again, the game ends with {found}, not with {recorded}")]
    Result {
        /// What came of it.
        found: Ending,
        /// What the replay says.
        recorded: Ending,
    },
}

/// What a replay is compared by: what came of the game, and the state that it ended in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// What came of the game.
    pub result: GameResult,
    /// [`Game::state_hash`].
    pub state_hash: u64,
}

impl Ending {
    /// How a game stands.
    pub fn of(game: &Game) -> Ending {
        Ending { result: game.result(), state_hash: game.state_hash() }
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
    /// The replay of a person's game as it stands.
    pub fn of_clock(clock: &Clock, seed: u64, player: &str) -> Replay {
        let (handling, inputs) = (clock.handling(), clock.inputs().to_vec());
        let actions = Actions::Inputs { handling, inputs, end: clock.time() };
        Replay::of(clock.game(), seed, player, actions)
    }

    /// The replay of an agent's game as it stands.
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
        let body = postcard::to_allocvec(&v3::Body::new(self)).expect("a replay can be written to memory");
        let mut bytes = MAGIC.to_vec();
        bytes.push(VERSION);
        bytes.extend((body.len() as u32).to_le_bytes());
        bytes.extend(body);
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Reads the bytes of a file of any version. That they make a replay does not mean that it verifies: see
    /// [`Replay::play`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Replay, ReadError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(ReadError::NotAReplay)?;
        let version = match rest.first() {
            Some(&version @ 1..=VERSION) => version,
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
        let replay = match version {
            1 => read_body(body).and_then(v1::Body::into_replay),
            2 => read_body(body).and_then(v2::Body::into_replay),
            _ => read_body(body).and_then(v3::Body::into_replay),
        };
        replay.ok_or(ReadError::Contents)
    }

    /// Plays the game again, calls `placed` with every placement, and checks that it comes to the same result.
    pub fn play(&self, mut placed: impl FnMut(&PlacementRecord)) -> Result<Played, PlayError> {
        self.play_each(&mut |record, _, _| placed(record))
    }

    /// Plays the game again, and gives it as it was after each placement that was not taken back.
    pub fn moments(&self) -> Result<Vec<Moment>, PlayError> {
        let first = self.rules.opening.placed + 1;
        let mut moments = Vec::new();
        let played = self.play_each(&mut |record, game, picture| {
            moments.truncate((record.number - first) as usize);
            moments.push(Moment { record: *record, game: game.clone(), picture: *picture });
        })?;
        // A piece that loses a Classic game by where it comes to rest is not placed, but seen.
        let kept = (played.game.placed() + 1 - first) as usize + usize::from(played.game.has_overflowed());
        moments.truncate(kept);
        Ok(moments)
    }

    /// Whether a game that was played again ended as the replay says.
    pub fn check_ending(&self, game: &Game) -> Result<(), PlayError> {
        let found = Ending::of(game);
        let recorded = Ending { result: self.result, state_hash: self.state_hash };
        if found == recorded { Ok(()) } else { Err(PlayError::Result { found, recorded }) }
    }

    fn play_each(&self, placed: &mut impl Observer) -> Result<Played, PlayError> {
        let game = Game::new(self.rules.clone(), self.seed)?;
        let played = match &self.actions {
            Actions::Moves(moves) => play_moves(game, moves, placed)?,
            Actions::Inputs { handling, inputs, end } => play_inputs(game, *handling, inputs, *end, placed)?,
        };
        self.check_ending(&played.game)?;
        Ok(played)
    }
}

fn read_body<B: serde::de::DeserializeOwned>(bytes: &[u8]) -> Option<B> {
    match postcard::take_from_bytes(bytes) {
        Ok((body, [])) => Some(body),
        _ => None,
    }
}

/// A game played again, as it ended.
#[derive(Clone, Debug)]
pub struct Played {
    /// The game.
    pub game: Game,
    /// What its board looks like.
    pub picture: Picture,
    /// Time played, where there is time.
    pub time: Option<Micros>,
    /// Keys pressed, where there are keys.
    pub keys: Option<u64>,
}

/// A game just after a placement.
#[derive(Clone, Debug)]
pub struct Moment {
    /// The placement.
    pub record: PlacementRecord,
    /// The game.
    pub game: Game,
    /// What its board looks like.
    pub picture: Picture,
}

/// Sees a game after each placement.
trait Observer: FnMut(&PlacementRecord, &Game, &Picture) {}

impl<F: FnMut(&PlacementRecord, &Game, &Picture)> Observer for F {}

fn play_moves(mut game: Game, moves: &[Move], placed: &mut impl Observer) -> Result<Played, PlayError> {
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
    placed: &mut impl Observer,
) -> Result<Played, PlayError> {
    if game.rules().movement == Movement::Straight {
        return Err(PlayError::NoRealTime);
    }
    if end > LONGEST {
        return Err(PlayError::TooLong(end));
    }
    let mut clock = Clock::new(game, handling);
    for (index, input) in inputs.iter().enumerate() {
        let number = index + 1;
        if input.at < clock.time() || input.at > end {
            return Err(PlayError::OutOfOrder(number));
        }
        advance(&mut clock, input.at, placed);
        clock.replay(*input).map_err(|reason| PlayError::Move { number, reason })?;
        if clock.inputs().last() != Some(input) || clock.inputs().len() != number {
            return Err(PlayError::Ignored(number));
        }
        report(&mut clock, placed);
    }
    advance(&mut clock, end, placed);
    let keys = inputs.iter().filter(|input| matches!(input.action, Action::Down(_))).count() as u64;
    let (game, picture, time) = (clock.game().clone(), *clock.picture(), Some(clock.time()));
    Ok(Played { game, picture, time, keys: Some(keys) })
}

/// Lets the time pass in steps in which no more than one piece can lock, so that the game is seen after each.
fn advance(clock: &mut Clock, to: Micros, placed: &mut impl Observer) {
    let mut time = clock.time();
    while time < to && clock.game().outcome().is_none() {
        time = to.min(time + LOCK_DELAY);
        clock.advance(time);
        report(clock, placed);
    }
}

fn report(clock: &mut Clock, placed: &mut impl Observer) {
    for record in clock.take_placed() {
        placed(&record, clock.game(), clock.picture());
    }
}
