//! The options for the game and the agent, which all commands that play share.

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

/// The options for the game.
#[derive(clap::Args, Clone)]
pub struct GameOptions {
    /// Mode: sprint, blitz, practice, zen or classic; not needed for an exact policy, which has its own game
    #[arg(long)]
    mode: Option<Mode>,
    /// Columns and visible rows of the board [default: 10x20]
    #[arg(long, value_name = "WxH", value_parser = board_size)]
    board: Option<(u8, u8)>,
    /// How pieces can move [default: full, or hard for the agents sprint and sprint-fast in sprint; classic has its own]
    #[arg(long)]
    movement: Option<MovementOption>,
    /// How pieces are drawn [default: bag, or uniform in classic]
    #[arg(long)]
    pieces: Option<PiecesOption>,
    /// Lines to clear in a sprint [default: 40]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    lines: Option<u32>,
    /// End each game after this many pieces
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    pub max_pieces: Option<u32>,
    /// Random seed; game i depends only on the seed and i
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
}

/// How pieces can move.
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
    /// 7-bag: all seven pieces in random order, then all seven again
    Bag,
    /// Every piece equally likely
    Uniform,
}

/// Reads a board's size.
pub fn board_size(text: &str) -> Result<(u8, u8), String> {
    let BoardSize { width, height } = text.to_owned().try_into()?;
    Ok((width, height))
}

impl GameOptions {
    /// The rules for these options.
    pub fn rules(&self, player: &Player) -> Result<Ruleset, UsageError> {
        let rules = match player {
            Player::Agent(_) => self.rules_of_mode(player)?,
            Player::Exact(policy) => self.rules_of_policy(policy)?,
        };
        rules.start().map_err(|error| UsageError(error.to_string()))?;
        Ok(rules)
    }

    fn rules_of_mode(&self, player: &Player) -> Result<Ruleset, UsageError> {
        let missing = "choose a mode with --mode: sprint, blitz, practice, zen or classic";
        let mode = self.mode.ok_or(UsageError(missing.to_owned()))?;
        if mode == Mode::Versus {
            return Err(UsageError("versus is for two players: choose another mode".to_owned()));
        }
        let mut rules = Ruleset::for_agents(mode);
        if let Some((width, height)) = self.board {
            (rules.width, rules.visible_height) = (width, height);
        }
        match (self.movement, mode) {
            (None, _) => rules.movement = player.usual_movement(mode).unwrap_or(rules.movement),
            (Some(_), Mode::Classic) => {
                let reason = "classic has straight drops only: leave out --movement, or choose another mode";
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

    /// The rules of the game that a policy was solved for. Its pieces must be tetrominoes.
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

    /// The number of placements after which a policy's game ends.
    pub fn stages(&self, policy: &Policy) -> Option<u64> {
        policy.stages().into_iter().chain(self.max_pieces.map(u64::from)).min()
    }

    /// Refuses options that contradict the policy's own game.
    pub fn check_policy(&self, policy: &Policy) -> Result<(), UsageError> {
        let game = policy.game();
        let other = |name: &str| Err(UsageError(format!("a policy has its own game: leave out {name}")));
        match self {
            GameOptions { mode: Some(mode), .. } if *mode != Mode::Classic => {
                Err(UsageError(format!("a policy plays straight drops, not {mode}: leave out --mode")))
            }
            GameOptions { board: Some((width, height)), .. }
                if (usize::from(*width), usize::from(*height)) != (game.width(), game.height()) =>
            {
                let (width, height) = (game.width(), game.height());
                Err(UsageError(format!("the policy is for a {width}x{height} board: leave out --board")))
            }
            GameOptions { movement: Some(_), .. } => other("--movement"),
            GameOptions { pieces: Some(_), .. } => other("--pieces"),
            GameOptions { lines: Some(_), .. } => other("--lines"),
            _ => Ok(()),
        }
    }
}

/// The options for the agent.
#[derive(clap::Args, Clone)]
pub struct AgentOptions {
    /// Agent: a name from `tetrion agents`, a .toml file with weights, or exact:FILE with a policy from `tetrion solve`
    pub agent: String,
    /// Search at most this many placements for each move
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Search at most this many milliseconds for each move; results then depend on the machine
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    pub time: Option<u64>,
}

impl AgentOptions {
    /// The player that the options name.
    pub fn find(&self) -> Result<Player> {
        let player = find_player(&self.agent)?;
        if (self.nodes.is_some() || self.time.is_some()) && !player.abilities().limits {
            let reason = format!("{} has no search to limit: leave out --nodes and --time", self.agent);
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

    /// The limits for a move that starts now.
    pub fn limits_of_move(&self) -> Limits {
        let stop = self.time.map(|milliseconds| -> Arc<dyn StopSignal> {
            let end = Instant::now() + Duration::from_millis(milliseconds);
            Arc::new(move || Instant::now() >= end)
        });
        Limits { nodes: self.nodes, stop }
    }
}

/// Finds a player by its name or its file.
pub fn find_player(name: &str) -> Result<Player> {
    Player::find(name, |path| File::open(path)).map_err(|error| match error {
        PlayerError::Unknown(unknown) => UsageError(unknown.to_string()).into(),
        error => error.into(),
    })
}
