//! Verification of replays: a score counts only if its replay, played again, gives the recorded result.

use sha2::{Digest, Sha256};
use tetrion_engine::clock::Input;
use tetrion_engine::record::Outcome;
use tetrion_engine::replay::{Actions, PlayError, ReadError, Replay};
use tetrion_engine::ruleset::Micros;
use tetrion_leaderboard::{Competitor, Leaderboard, NotRanked};

/// A ranked game that was replayed and gave the recorded result.
#[derive(Clone, Debug, PartialEq)]
pub struct ReplayedGame {
    /// The leaderboard that it belongs on.
    pub leaderboard: Leaderboard,
    /// The player's name.
    pub player: String,
    /// The seed of its pieces.
    pub seed: u64,
    /// How it ended.
    pub outcome: Outcome,
    /// Time played, by people.
    pub micros: Option<Micros>,
    /// Pieces placed.
    pub pieces: u32,
    /// Lines cleared.
    pub lines: u32,
    /// Points.
    pub score: u64,
    /// Keys pressed, by people.
    pub keys: Option<u64>,
    /// What was done and when; empty if the game has no time.
    pub inputs: Vec<Input>,
    /// Identifies the game: a hash of its mode, its seed and where its pieces were placed. The player's name, the times and
    /// the use of hold don't matter.
    pub digest: [u8; 32],
    /// The number of the ticket that it was played with. A ticket is good for one game.
    pub ticket: Option<[u8; 16]>,
    /// Why the game is ranked apart from the verified ones; `None` if it is verified.
    pub unverified: Option<String>,
}

/// Why a score is not accepted.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Rejection {
    /// It is not a replay.
    #[error("{0}: send the unchanged bytes of a replay file")]
    Unreadable(#[from] ReadError),
    /// The game does not count.
    #[error(transparent)]
    NotRanked(#[from] NotRanked),
    /// It is larger than any real game.
    #[error("the replay has {0} bytes: at most {MAX_REPLAY_BYTES} are accepted")]
    TooLarge(usize),
    /// It has more inputs than any real game.
    #[error(
        "the replay has {inputs} inputs: for {pieces} pieces, at most {} are accepted",
        max_inputs(*pieces)
    )]
    TooManyInputs {
        /// Keys pressed or released.
        inputs: u64,
        /// Pieces placed.
        pieces: u64,
    },
    /// It can't be replayed to its end.
    #[error("the replay does not verify: {0}")]
    Unplayable(PlayError),
    /// Replayed, the game ends differently. The refusal does not say how: a forger would only have to copy it.
    #[error("the replay does not verify: the recorded result is not the one that replaying gives")]
    Differs,
    /// A daily that is not verified.
    #[error("a daily counts only if it is verified: {0}")]
    UnverifiedDaily(String),
}

impl From<PlayError> for Rejection {
    fn from(error: PlayError) -> Rejection {
        match error {
            PlayError::Result { .. } => Rejection::Differs,
            error => Rejection::Unplayable(error),
        }
    }
}

/// The largest replay that is accepted. A Sprint that a person plays takes about 4 KB.
pub const MAX_REPLAY_BYTES: usize = 256 << 10;
/// The most inputs per piece, on average: presses and releases are counted separately. People need 5 to 10.
const MAX_INPUTS_PER_PIECE: u64 = 64;
/// Inputs that a game may have on top of that. Somebody may play with the keys before the first piece.
const SPARE_INPUTS: u64 = 256;

/// The most inputs of a game with this many pieces.
fn max_inputs(pieces: u64) -> u64 {
    pieces.saturating_mul(MAX_INPUTS_PER_PIECE).saturating_add(SPARE_INPUTS)
}

impl ReplayedGame {
    /// Reads a replay and plays it again.
    pub fn verify(bytes: &[u8]) -> Result<ReplayedGame, Rejection> {
        if bytes.len() > MAX_REPLAY_BYTES {
            return Err(Rejection::TooLarge(bytes.len()));
        }
        let replay = Replay::from_bytes(bytes)?;
        check_inputs(&replay)?;
        // Before it is played: under other rules a game might take for ever.
        let leaderboard = Leaderboard::of(&replay)?;
        let outcome = replay.result.outcome.ok_or(NotRanked::Unfinished)?;
        let mut placements = Vec::new();
        let played = replay.play(|record| placements.push(record.placement.location()))?;
        let identity = postcard::to_allocvec(&(replay.rules.mode, replay.seed, placements))
            .expect("numbers can be written to memory");
        Ok(ReplayedGame {
            leaderboard,
            outcome,
            micros: played.time,
            pieces: played.game.placed(),
            lines: played.game.lines(),
            score: replay.result.score,
            keys: played.keys.filter(|_| leaderboard.competitor == Competitor::Person),
            digest: Sha256::digest(identity).into(),
            ticket: None,
            unverified: None,
            seed: replay.seed,
            player: replay.player,
            inputs: match replay.actions {
                Actions::Inputs { inputs, .. } => inputs,
                Actions::Moves(_) => Vec::new(),
            },
        })
    }
}

fn check_inputs(replay: &Replay) -> Result<(), Rejection> {
    let Actions::Inputs { inputs, .. } = &replay.actions else { return Ok(()) };
    let (inputs, pieces) = (inputs.len() as u64, replay.result.pieces);
    if inputs <= max_inputs(pieces) { Ok(()) } else { Err(Rejection::TooManyInputs { inputs, pieces }) }
}
