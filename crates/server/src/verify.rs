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
    /// Replayed, the game is another one.
    #[error("the replay does not verify: {0}")]
    Differs(#[from] PlayError),
}

impl ReplayedGame {
    /// Reads a replay and plays it again.
    pub fn verify(bytes: &[u8]) -> Result<ReplayedGame, Rejection> {
        let replay = Replay::from_bytes(bytes)?;
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
