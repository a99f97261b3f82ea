//! The options that say what is played and who plays, for every command that plays.

use crate::UsageError;
use anyhow::Result;
use clap::ValueEnum;
use std::fs::File;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tetrion::{Player, PlayerError};
use tetrion_engine::moves::Movement;
use tetrion_engine::randomizer::{MarkovChain, Randomizer};
use tetrion_engine::ruleset::{Mode, Ruleset};
use tetrion_exact::agents::classic_rules;
use tetrion_exact::{Chain, Policy};
use tetrion_players::agent::{Agent, Limits};
use tetrion_players::monitor::StopSignal;
use tetrion_training::objective::BoardSize;

/// What is played.
#[derive(clap::Args, Clone)]
pub struct GameOptions {
    /// What is played: sprint, blitz, practice or classic; an exact policy knows its own game
    #[arg(long)]
    mode: Option<Mode>,
    /// The board's columns and visible rows [default: 10x20]
    #[arg(long, value_name = "WxH", value_parser = board_size)]
    board: Option<(u8, u8)>,
    /// How pieces may move [default: full; hard for sprint and sprint-fast in a sprint; classic has its own]
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

/// How pieces may move.
#[derive(Clone, Copy, ValueEnum)]
pub enum MovementOption {
    /// Hard drops only
    Hard,
    /// Soft drops, slides, kicks and spins
    Full,
}

impl From<MovementOption> for Movement {
    fn from(option: MovementOption) -> Movement {
        match option {
            MovementOption::Hard => Movement::HardDrop,
            MovementOption::Full => Movement::Full,
        }
    }
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
    let BoardSize { width, height } = text.to_owned().try_into()?;
    Ok((width, height))
}

impl GameOptions {
    /// The rules that the options make.
    pub fn rules(&self, player: &Player) -> Result<Ruleset, UsageError> {
        let rules = match player {
            Player::Agent(_) => self.rules_of_mode(player)?,
            Player::Exact(policy) => self.rules_of_policy(policy)?,
        };
        rules.start().map_err(|error| UsageError(error.to_string()))?;
        Ok(rules)
    }

    fn rules_of_mode(&self, player: &Player) -> Result<Ruleset, UsageError> {
        let missing = "say what is played with --mode: sprint, blitz, practice or classic";
        let mode = self.mode.ok_or(UsageError(missing.to_owned()))?;
        let mut rules = Ruleset::for_agents(mode);
        if let Some((width, height)) = self.board {
            (rules.width, rules.visible_height) = (width, height);
        }
        match (self.movement, mode) {
            (None, _) => rules.movement = player.usual_movement(mode).unwrap_or(rules.movement),
            (Some(_), Mode::Classic) => {
                let reason = "classic has straight drops only: leave --movement out, or choose another mode";
                return Err(UsageError(reason.to_owned()));
            }
            (Some(movement), _) => rules.movement = movement.into(),
        }
        match self.pieces {
            None => {}
            Some(PiecesOption::Bag) => rules.randomizer = Randomizer::SevenBag,
            Some(PiecesOption::Uniform) => rules.randomizer = Randomizer::Uniform,
        }
        match (self.lines, mode) {
            (None, _) => {}
            (Some(lines), Mode::Sprint) => rules.goal.lines = Some(lines),
            (Some(_), mode) => return Err(UsageError(format!("--lines is for sprint, not for {mode}"))),
        }
        if self.max_pieces.is_some() {
            rules.goal.pieces = self.max_pieces;
        }
        Ok(rules)
    }

    /// The rules of the game that a policy was solved for: the engine's, if it has such pieces.
    fn rules_of_policy(&self, policy: &Policy) -> Result<Ruleset, UsageError> {
        self.check_policy(policy)?;
        let mut rules = classic_rules(policy.game());
        rules.goal.pieces = self.stages(policy).map(|stages| stages.try_into().unwrap_or(u32::MAX));
        if *policy.chain() != Chain::uniform(policy.chain().pieces()) {
            let chances =
                std::array::from_fn(|piece| std::array::from_fn(|next| policy.chain().row(piece)[next]));
            let chain = MarkovChain::new(chances).map_err(|error| UsageError(error.to_string()))?;
            rules.randomizer = Randomizer::Markov(chain);
        }
        Ok(rules)
    }

    /// For how many placements a policy plays.
    pub fn stages(&self, policy: &Policy) -> Option<u64> {
        policy.stages().into_iter().chain(self.max_pieces.map(u64::from)).min()
    }

    /// Refuses options that a policy's own game contradicts.
    pub fn check_policy(&self, policy: &Policy) -> Result<(), UsageError> {
        let game = policy.game();
        let other = |name: &str| Err(UsageError(format!("a policy knows its own game: leave {name} out")));
        match self {
            GameOptions { mode: Some(mode), .. } if *mode != Mode::Classic => {
                Err(UsageError(format!("a policy plays straight drops, not {mode}: leave --mode out")))
            }
            GameOptions { board: Some((width, height)), .. }
                if (usize::from(*width), usize::from(*height)) != (game.width(), game.height()) =>
            {
                let (width, height) = (game.width(), game.height());
                Err(UsageError(format!("the policy is for a {width}x{height} board: leave --board out")))
            }
            GameOptions { movement: Some(_), .. } => other("--movement"),
            GameOptions { pieces: Some(_), .. } => other("--pieces"),
            GameOptions { lines: Some(_), .. } => other("--lines"),
            _ => Ok(()),
        }
    }
}

/// Who plays.
#[derive(clap::Args, Clone)]
pub struct AgentOptions {
    /// Who plays: a name that `tetrion agents` lists, a .toml file with weights, or exact:FILE with a policy of `tetrion
    /// solve`
    pub agent: String,
    /// Placements that a search may look at for a move
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Milliseconds that a search may take for a move; games then depend on the machine
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    pub time: Option<u64>,
}

impl AgentOptions {
    /// The player that the options name.
    pub fn find(&self) -> Result<Player> {
        let player = find_player(&self.agent)?;
        if (self.nodes.is_some() || self.time.is_some()) && !player.abilities().limits {
            let reason = format!("{} can't be limited: leave --nodes and --time out", self.agent);
            return Err(UsageError(reason).into());
        }
        Ok(player)
    }

    /// The agent for one game, limited to its nodes.
    pub fn agent(&self, player: &Player, seed: u64) -> Box<dyn Agent + Send> {
        let mut agent = player.agent(seed);
        agent.limit(Limits { nodes: self.nodes, stop: None });
        agent
    }

    /// What the agent may spend on a move that begins now.
    pub fn limits_of_move(&self) -> Limits {
        let stop = self.time.map(|milliseconds| -> Arc<dyn StopSignal> {
            let end = Instant::now() + Duration::from_millis(milliseconds);
            Arc::new(move || Instant::now() >= end)
        });
        Limits { nodes: self.nodes, stop }
    }
}

/// The player of a name or in a file.
pub fn find_player(name: &str) -> Result<Player> {
    Player::find(name, |path| File::open(path)).map_err(|error| match error {
        PlayerError::Unknown(unknown) => UsageError(unknown.to_string()).into(),
        error => error.into(),
    })
}
