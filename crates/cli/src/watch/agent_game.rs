//! A watched game of an agent: what has been played, and what will be played next.

use super::WatchedGame;
use super::screen::{GameScene, Scene};
use crate::setup::AgentOptions;
use anyhow::{Context, Result};
use tetrion::Player;
use tetrion_engine::game::Game;
use tetrion_engine::picture::Picture;
use tetrion_engine::randomizer::game_seed;
use tetrion_engine::ruleset::Ruleset;
use tetrion_players::agent::Agent;
use tetrion_players::play::Decision;

/// Who plays what: enough to start any game of a run.
#[derive(Clone)]
pub struct RunConfig {
    /// The agent as given on the command line, with its limits.
    pub agent: AgentOptions,
    /// The player that was found.
    pub player: Player,
    /// The rules of every game.
    pub rules: Ruleset,
    /// The seed of the run.
    pub seed: u64,
}

/// A watched game of an agent.
pub struct AgentGame {
    config: RunConfig,
    index: u64,
    game: Game,
    picture: Picture,
    agent: Box<dyn Agent + Send>,
    /// The next move, or `None` if the game is over.
    next: Option<Decision>,
    /// The last move.
    last: Option<Decision>,
    last_clear: Option<&'static str>,
    keys: u64,
}

impl AgentGame {
    /// The game of this index in the run, with its first move chosen.
    pub fn start(config: RunConfig, index: u64) -> Result<AgentGame> {
        let seed = game_seed(config.seed, index);
        let mut started = AgentGame {
            game: Game::new(config.rules.clone(), seed)?,
            picture: Picture::of_opening(&config.rules.opening),
            agent: config.agent.agent(&config.player, seed),
            config,
            index,
            next: None,
            last: None,
            last_clear: None,
            keys: 0,
        };
        started.next = started.decide();
        Ok(started)
    }

    /// Chooses the next move: the best one of the explanation, so that the explanation fits even if time limits the search.
    fn decide(&mut self) -> Option<Decision> {
        self.agent.limit(self.config.agent.limits_of_move());
        Decision::explain(self.agent.as_mut(), &self.game)
    }

    /// The game at this moment: with the explanation of the next move, or after the end of the last one.
    pub fn game_scene(&self, explained: bool) -> GameScene<'_> {
        let explained_move = self.next.as_ref().or(self.last.as_ref()).filter(|_| explained);
        GameScene {
            agent: self.config.player.name(),
            seed: self.config.seed,
            index: self.index,
            game: &self.game,
            picture: &self.picture,
            ghost: self.next.as_ref().map(|next| next.play.placement),
            explanation: explained_move.and_then(|explained| explained.explanation.as_ref()),
            keys: self.keys,
            last_clear: self.last_clear,
        }
    }
}

impl WatchedGame for AgentGame {
    fn step(&mut self) -> Result<()> {
        let Some(next) = self.next.take() else { return Ok(()) };
        self.keys += u64::from(self.game.keys(next.play));
        let record = self.game.play(next.play).with_context(|| {
            format!("the agent {} made an illegal move in game {}", self.config.player.name(), self.index)
        })?;
        self.picture.apply(&record);
        self.last_clear = record.clear_name().or(self.last_clear);
        self.last = Some(next);
        self.next = self.decide();
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.next.is_none()
    }

    fn next_game(&mut self) -> Result<()> {
        *self = AgentGame::start(self.config.clone(), self.index + 1)?;
        Ok(())
    }

    fn scene(&self, explained: bool) -> Box<dyn Scene + '_> {
        Box::new(self.game_scene(explained))
    }
}
