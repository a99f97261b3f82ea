//! Verification of replays: a score counts only if its replay, played again, gives the recorded result.

use sha2::{Digest, Sha256};
use tetrion_engine::record::Outcome;
use tetrion_engine::replay::{PlayError, ReadError, Replay};
use tetrion_engine::ruleset::Micros;
use tetrion_leaderboard::{Competitor, Leaderboard, NotRanked};

/// A game that counts, and whose replay verifies.
#[derive(Clone, Debug, PartialEq)]
pub struct VerifiedGame {
    /// The leaderboard that it belongs on.
    pub leaderboard: Leaderboard,
    /// The player's name.
    pub player: String,
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
    /// Identifies the game: a hash of its mode, its seed and its placements. The player's name and the times don't matter.
    pub digest: [u8; 32],
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
    /// Replayed, the game is another one.
    #[error("the replay does not verify: {0}")]
    Unverified(#[from] PlayError),
}

impl VerifiedGame {
    /// Reads a replay and plays it again.
    pub fn verify(bytes: &[u8]) -> Result<VerifiedGame, Rejection> {
        let replay = Replay::from_bytes(bytes)?;
        // Before it is played: under other rules a game might take for ever.
        let leaderboard = Leaderboard::of(&replay)?;
        let outcome = replay.result.outcome.ok_or(NotRanked::Unfinished)?;
        let mut placements = Vec::new();
        let played = replay.play(|record| placements.push((record.held, record.placement)))?;
        let identity = postcard::to_allocvec(&(replay.rules.mode, replay.seed, placements))
            .expect("numbers can be written to memory");
        Ok(VerifiedGame {
            leaderboard,
            outcome,
            micros: played.time,
            pieces: played.game.placed(),
            lines: played.game.lines(),
            score: replay.result.score,
            keys: played.keys.filter(|_| leaderboard.competitor == Competitor::Person),
            digest: Sha256::digest(identity).into(),
            player: replay.player,
        })
    }
}
