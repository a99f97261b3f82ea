//! The options that say what is played and who plays, for every command that plays.

use crate::UsageError;
use anyhow::{Context, Result};
use clap::ValueEnum;
use std::path::Path;
use std::time::{Duration, Instant};
use tetrion_engine::moves::Movement;
use tetrion_engine::randomizer::Randomizer;
use tetrion_engine::ruleset::{Mode, Ruleset};
use tetrion_players::Agent;
use tetrion_players::agent_file::AgentFile;
use tetrion_players::catalogue::{self, Entry};
use tetrion_players::search::{Budget, TimeLeft};

/// What is played.
#[derive(clap::Args, Clone)]
pub struct GameOptions {
    /// What is played: sprint, blitz, practice or classic
    #[arg(long)]
    pub mode: Mode,
    /// The board's columns and visible rows [default: 10x20]
    #[arg(long, value_name = "WxH", value_parser = board_size)]
    board: Option<(u8, u8)>,
    /// How pieces may move [default: full; classic has its own]
    #[arg(long)]
    movement: Option<MovementOption>,
    /// How pieces are drawn [default: bag; in classic, uniform]
    #[arg(long)]
    pieces: Option<PiecesOption>,
    /// Lines to clear in a sprint [default: 40]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    lines: Option<u32>,
    /// End a game after so many pieces
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    pub max_pieces: Option<u32>,
    /// The seed: game i depends on it and on i alone
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
}

#[derive(Clone, Copy, ValueEnum)]
enum MovementOption {
    /// Hard drops only
    Hard,
    /// Soft drops, slides, kicks and spins
    Full,
}

#[derive(Clone, Copy, ValueEnum)]
enum PiecesOption {
    /// All seven in random order, then all seven again
    Bag,
    /// Each as likely as any other
    Uniform,
}

/// Reads a board's size.
pub fn board_size(text: &str) -> Result<(u8, u8), String> {
    let wrong = || format!("'{text}' is not a board size: give columns and rows, such as 10x20");
    let (width, height) = text.split_once(['x', 'X', '×']).ok_or_else(wrong)?;
    Ok((width.parse().map_err(|_| wrong())?, height.parse().map_err(|_| wrong())?))
}

impl GameOptions {
    /// The rules that the options make.
    pub fn rules(&self) -> Result<Ruleset, UsageError> {
        let mut rules = Ruleset::for_agents(self.mode);
        if let Some((width, height)) = self.board {
            (rules.width, rules.visible_height) = (width, height);
        }
        match (self.movement, self.mode) {
            (None, _) => {}
            (Some(_), Mode::Classic) => {
                let reason = "classic has straight drops only: leave --movement out, or choose another mode";
                return Err(UsageError(reason.to_owned()));
            }
            (Some(MovementOption::Hard), _) => rules.movement = Movement::HardDrop,
            (Some(MovementOption::Full), _) => rules.movement = Movement::Full,
        }
        match self.pieces {
            None => {}
            Some(PiecesOption::Bag) => rules.randomizer = Randomizer::SevenBag,
            Some(PiecesOption::Uniform) => rules.randomizer = Randomizer::Uniform,
        }
        match (self.lines, self.mode) {
            (None, _) => {}
            (Some(lines), Mode::Sprint) => rules.goal.lines = Some(lines),
            (Some(_), mode) => return Err(UsageError(format!("--lines is for sprint, not for {mode}"))),
        }
        if self.max_pieces.is_some() {
            rules.goal.pieces = self.max_pieces;
        }
        rules.start().map_err(|error| UsageError(error.to_string()))?;
        Ok(rules)
    }
}

/// Who plays.
#[derive(clap::Args, Clone)]
pub struct AgentOptions {
    /// Who plays: a name that `tetrion agents` lists, or a .toml file with weights
    pub agent: String,
    /// Placements that a search may look at for a move
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Milliseconds that a search may take for a move; games then depend on the machine
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    pub time: Option<u64>,
}

impl AgentOptions {
    /// The agent that the options name.
    pub fn find(&self) -> Result<Entry> {
        if !self.agent.ends_with(".toml") {
            return Ok(catalogue::find(&self.agent).map_err(|error| UsageError(error.to_string()))?);
        }
        let path = Path::new(&self.agent);
        let text = std::fs::read_to_string(path).with_context(|| format!("can't read {}", path.display()))?;
        let name = path.file_stem().map_or(self.agent.clone(), |stem| stem.to_string_lossy().into_owned());
        let file = AgentFile::parse(&text, &name).with_context(|| format!("can't use {}", path.display()))?;
        Ok(Entry::File(Box::new(file)))
    }

    /// The agent for one game, with its limits.
    pub fn agent(&self, entry: &Entry, seed: u64) -> Box<dyn Agent + Send> {
        let mut agent = entry.agent(seed);
        agent.limit(self.nodes.map(|nodes| Budget { nodes }), None);
        agent
    }

    /// Starts the time for a move, if there is a limit.
    pub fn start_move(&self, agent: &mut (dyn Agent + Send)) {
        if let Some(milliseconds) = self.time {
            let end = Instant::now() + Duration::from_millis(milliseconds);
            let time_left: TimeLeft = Box::new(move || Instant::now() < end);
            agent.limit(None, Some(time_left));
        }
    }
}
