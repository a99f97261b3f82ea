//! Replays: a game in a file, to be played again.
//!
//! A file is the seven letters `TETRION`, a version byte, the length of the body as four bytes (little-endian), the body in
//! [postcard](https://postcard.jamesmunns.com)'s format, and the CRC-32 of all that as four bytes. A replay holds what made
//! the game, and what came of it; [`Replay::play`] plays it again and compares.

use crate::clock::{Clock, Handling, Input, LOCK_DELAY};
use crate::game::{Event, Game, IllegalMove, Move, Outcome};
use crate::moves::Movement;
use crate::picture::Picture;
use crate::ruleset::{Micros, Ruleset, RulesetError};
use crate::words::counted;
use serde::{Deserialize, Serialize};

/// The version of the files written.
pub const VERSION: u8 = 2;

const MAGIC: &[u8; 7] = b"TETRION";
/// Bytes before and after the body.
const HEADER: usize = MAGIC.len() + 1 + 4;
const CHECKSUM: usize = 4;
/// The longest game that a replay can hold: without an end, a few bytes could keep a machine busy for ever.
const LONGEST: Micros = 24 * 3_600 * 1_000_000;
/// No game of ours comes near this: a Sprint has some kilobytes.
const MAX_BYTES: usize = 16 << 20;

/// A game that was played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Replay {
    /// The rules.
    pub rules: Ruleset,
    /// The seed that the pieces came from.
    pub seed: u64,
    /// Who played: a person's or an agent's name.
    pub player: String,
    /// What they did.
    pub play: Play,
    /// What came of it.
    pub result: GameResult,
}

/// What a player did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Play {
    /// A person pressed buttons.
    Inputs {
        /// In these hands.
        handling: Handling,
        /// In order of time.
        inputs: Vec<Input>,
        /// When the replay ends, in time played.
        end: Micros,
    },
    /// An agent made moves.
    Moves(Vec<Move>),
}

/// What came of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameResult {
    /// How it ended, if it did.
    pub outcome: Option<Outcome>,
    /// Pieces placed.
    pub pieces: u32,
    /// Lines cleared.
    pub lines: u32,
    /// Points.
    pub score: u64,
    /// [`Game::state_hash`] at the end.
    pub state_hash: u64,
}

impl GameResult {
    /// What has come of a game so far.
    pub fn of(game: &Game) -> GameResult {
        GameResult {
            outcome: game.outcome(),
            pieces: game.placed(),
            lines: game.lines(),
            score: game.score(),
            state_hash: game.state_hash(),
        }
    }
}

/// Why a file is no replay.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// It does not begin as a replay does.
    #[error("this is not a Tetrion replay")]
    NotAReplay,
    /// It was written by another version of the program.
    #[error(
        "the replay has version {0}, and this program reads version {VERSION}: use the program that wrote it"
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
    /// It ends otherwise.
    #[error("played again, the game ends with {}, not with {}", .found.describe(), .recorded.describe())]
    Result {
        /// What came of it.
        found: Box<GameResult>,
        /// What the replay says.
        recorded: Box<GameResult>,
    },
}

impl GameResult {
    fn describe(&self) -> String {
        let GameResult { outcome, pieces, lines, score, state_hash } = self;
        let outcome = outcome.map_or("unfinished", Outcome::name);
        let (pieces, lines) = (counted((*pieces).into(), "piece"), counted((*lines).into(), "line"));
        format!("{outcome}, {pieces}, {lines}, score {score}, state {state_hash:016x}")
    }
}

impl Replay {
    /// The replay of a person's game as it stands.
    pub fn of_clock(clock: &Clock, seed: u64, player: &str) -> Replay {
        let game = clock.game();
        Replay {
            rules: game.rules().clone(),
            seed,
            player: player.to_owned(),
            play: Play::Inputs {
                handling: clock.handling(),
                inputs: clock.inputs().to_vec(),
                end: clock.time(),
            },
            result: GameResult::of(game),
        }
    }

    /// The replay of an agent's game as it stands.
    pub fn of_moves(game: &Game, seed: u64, player: &str, moves: Vec<Move>) -> Replay {
        Replay {
            rules: game.rules().clone(),
            seed,
            player: player.to_owned(),
            play: Play::Moves(moves),
            result: GameResult::of(game),
        }
    }

    /// The bytes of the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let body = postcard::to_allocvec(self).expect("a replay in memory can be written to memory");
        let mut bytes = MAGIC.to_vec();
        bytes.push(VERSION);
        bytes.extend((body.len() as u32).to_le_bytes());
        bytes.extend(body);
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Reads the bytes of a file. That they make a replay does not mean that it is true: see [`Replay::play`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Replay, ReadError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(ReadError::NotAReplay)?;
        match rest.first() {
            Some(&VERSION) => {}
            Some(&other) => return Err(ReadError::Version(other)),
            None => {
                return Err(ReadError::Length { expected: HEADER + CHECKSUM, found: bytes.len() });
            }
        }
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
        match postcard::take_from_bytes(&covered[HEADER..]) {
            Ok((replay, [])) => Ok(replay),
            _ => Err(ReadError::Contents),
        }
    }

    /// Plays the game again, calls `placed` with every event, and checks that it comes to the same result.
    pub fn play(&self, mut placed: impl FnMut(&Event)) -> Result<Played, PlayError> {
        self.play_each(&mut |moment| placed(&moment.event))
    }

    /// Plays the game again, and gives it as it stood after each placement that was not taken back.
    pub fn moments(&self) -> Result<Vec<Moment>, PlayError> {
        let mut moments = Vec::new();
        let played = self.play_each(&mut |moment: MomentRef| {
            moments.truncate(moment.event.number as usize - 1);
            moments.push(Moment {
                event: moment.event,
                at: moment.at,
                game: moment.game.clone(),
                picture: *moment.picture,
            });
        })?;
        // A piece that loses a Classic game by where it comes to rest is not placed, but seen.
        let kept = played.game.placed() as usize + usize::from(played.game.has_overflowed());
        moments.truncate(kept);
        Ok(moments)
    }

    fn play_each(&self, placed: &mut impl FnMut(MomentRef)) -> Result<Played, PlayError> {
        let game = Game::new(self.rules.clone(), self.seed)?;
        let played = match &self.play {
            Play::Moves(moves) => play_moves(game, moves, placed)?,
            Play::Inputs { handling, inputs, end } => play_inputs(game, *handling, inputs, *end, placed)?,
        };
        let found = GameResult::of(&played.game);
        if found == self.result {
            Ok(played)
        } else {
            Err(PlayError::Result { found: Box::new(found), recorded: Box::new(self.result) })
        }
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
}

/// A game just after a placement.
#[derive(Clone, Debug)]
pub struct Moment {
    /// The placement.
    pub event: Event,
    /// When it was, where there is time.
    pub at: Option<Micros>,
    /// The game.
    pub game: Game,
    /// What its board looks like.
    pub picture: Picture,
}

/// The same, while it is played.
struct MomentRef<'g> {
    event: Event,
    at: Option<Micros>,
    game: &'g Game,
    picture: &'g Picture,
}

fn play_moves(
    mut game: Game,
    moves: &[Move],
    placed: &mut impl FnMut(MomentRef),
) -> Result<Played, PlayError> {
    let mut picture = Picture::of_opening(&game.rules().opening);
    for (index, play) in moves.iter().enumerate() {
        let event = game.play(*play).map_err(|reason| PlayError::Move { number: index + 1, reason })?;
        picture.apply(&event);
        placed(MomentRef { event, at: None, game: &game, picture: &picture });
    }
    Ok(Played { game, picture, time: None })
}

fn play_inputs(
    game: Game,
    handling: Handling,
    inputs: &[Input],
    end: Micros,
    placed: &mut impl FnMut(MomentRef),
) -> Result<Played, PlayError> {
    if game.rules().movement == Movement::Straight {
        return Err(PlayError::NoRealTime);
    }
    if end > LONGEST {
        return Err(PlayError::TooLong(end));
    }
    let mut clock = Clock::new(game, handling);
    for (index, input) in inputs.iter().enumerate() {
        if input.at < clock.time() || input.at > end {
            return Err(PlayError::OutOfOrder(index + 1));
        }
        advance(&mut clock, input.at, placed);
        clock.replay(*input).map_err(|reason| PlayError::Move { number: index + 1, reason })?;
        report(&mut clock, placed);
    }
    advance(&mut clock, end, placed);
    Ok(Played { game: clock.game().clone(), picture: *clock.picture(), time: Some(clock.time()) })
}

/// Lets the time pass in steps in which no more than one piece can lock, so that the game is seen after each.
fn advance(clock: &mut Clock, to: Micros, placed: &mut impl FnMut(MomentRef)) {
    let mut time = clock.time();
    while time < to && clock.game().outcome().is_none() {
        time = to.min(time + LOCK_DELAY);
        clock.advance(time);
        report(clock, placed);
    }
}

fn report(clock: &mut Clock, placed: &mut impl FnMut(MomentRef)) {
    for locked in clock.take_locked() {
        let (game, picture) = (clock.game(), clock.picture());
        placed(MomentRef { event: locked.event, at: Some(locked.at), game, picture });
    }
}
