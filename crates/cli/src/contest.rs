//! What `tetrion match` and `tetrion league` share: the rules of a contest, and who takes part.

use crate::UsageError;
use crate::setup::find_player;
use anyhow::Result;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;
use tetrion_arena::{Budget, Contest, Entrant, Kind};
use tetrion_engine::ruleset::{Goal, Mode, Ruleset};
use tetrion_engine::versus::VersusPreset;

/// The options for the games, which a league has in its file.
#[derive(clap::Args, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContestOptions {
    /// What they play: sprint (fewer pieces win), blitz (more points win) or versus (garbage until one tops out)
    #[arg(long, value_enum)]
    mode: ContestMode,
    /// Time for each move in milliseconds; results then depend on the machine
    #[arg(long, value_name = "MS")]
    pub time: Option<u64>,
    /// Let agents search at most this many placements for each move
    #[arg(long)]
    pub nodes: Option<u64>,
    /// How many milliseconds later than that a bot may answer before it forfeits the game
    #[arg(long, value_name = "MS", default_value_t = default_patience())]
    #[serde(default = "default_patience")]
    patience: u64,
    /// Rules of versus: guideline, or ppt as in battletris
    #[arg(long, default_value_t = VersusPreset::Guideline)]
    #[serde(default = "default_rules")]
    rules: VersusPreset,
    /// Pieces a second that both sides place in versus; garbage waits for a time, not for pieces
    #[arg(long, default_value_t = default_pace())]
    #[serde(default = "default_pace")]
    pub pace: f64,
    /// End games of versus without a winner after this many pieces on each side
    #[arg(long, default_value_t = default_max_pieces())]
    #[serde(default = "default_max_pieces")]
    max_pieces: u32,
}

fn default_patience() -> u64 {
    1_000
}

fn default_rules() -> VersusPreset {
    VersusPreset::Guideline
}

fn default_pace() -> f64 {
    2.0
}

fn default_max_pieces() -> u32 {
    2_000
}

/// What is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum ContestMode {
    Sprint,
    Blitz,
    Versus,
}

/// The longest time for a move, and the longest patience: ten minutes.
const MAX_MILLIS: u64 = 600_000;

impl ContestOptions {
    /// The rules, and what players may spend on a move.
    pub fn contest(&self) -> Result<(Contest, Budget), UsageError> {
        let refuse = |reason: &str| Err(UsageError(reason.to_owned()));
        if !(0.1..=60.0).contains(&self.pace) {
            return refuse("the pace must be from 0.1 to 60 pieces a second");
        }
        if self.time.is_some_and(|time| !(1..=MAX_MILLIS).contains(&time))
            || !(1..=MAX_MILLIS).contains(&self.patience)
        {
            return refuse("time and patience must be from 1 to 600000 milliseconds");
        }
        if self.nodes == Some(0) || self.max_pieces == 0 {
            return refuse("nodes and pieces must be more than 0");
        }
        let contest = match self.mode {
            ContestMode::Sprint => Contest { kind: Kind::Sprint, rules: Ruleset::for_agents(Mode::Sprint) },
            ContestMode::Blitz => Contest { kind: Kind::Blitz, rules: Ruleset::for_agents(Mode::Blitz) },
            ContestMode::Versus => Contest {
                kind: Kind::Versus { interval: (1e6 / self.pace) as u64 },
                rules: Ruleset {
                    versus: Some(self.rules.rules()),
                    goal: Goal { pieces: Some(self.max_pieces), ..Goal::default() },
                    ..Ruleset::for_agents(Mode::Versus)
                },
            },
        };
        let budget = Budget {
            time: self.time.map(Duration::from_millis),
            nodes: self.nodes,
            patience: Duration::from_millis(self.patience),
        };
        Ok((contest, budget))
    }
}

/// The player that a name stands for.
pub fn entrant(name: &str) -> Result<Entrant> {
    let Some(typed) = name.strip_prefix("tbp:") else {
        let player = find_player(name)?;
        if player.small_policy().is_some() {
            return Err(UsageError(format!("{name} plays only its own small game")).into());
        }
        return Ok(Entrant::Agent {
            name: player.name().to_owned(),
            make: Arc::new(move |seed| player.agent(seed)),
        });
    };
    let command = shell_words::split(typed)
        .map_err(|error| UsageError(format!("can't read the command '{typed}': {error}")))?;
    if command.is_empty() {
        return Err(UsageError("tbp: needs a command, such as tbp:./my-bot".to_owned()).into());
    }
    Ok(Entrant::Bot { name: name.to_owned(), command })
}
