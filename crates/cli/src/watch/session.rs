//! A game being watched: what has been played, and what will be played next.

use super::screen::View;
use crate::setup::{AgentOptions, Player};
use anyhow::{Context, Result};
use tetrion_engine::game::{Game, Move};
use tetrion_engine::picture::Picture;
use tetrion_engine::randomizer::game_seed;
use tetrion_engine::ruleset::Ruleset;
use tetrion_players::{Agent, Explanation};

/// Who plays what: enough to start any game of a run.
#[derive(Clone)]
pub struct Setup {
    /// The agent as it was asked for, with its limits.
    pub agent: AgentOptions,
    /// The player that was found.
    pub player: Player,
    /// The rules of every game.
    pub rules: Ruleset,
    /// The seed of the run.
    pub seed: u64,
}

/// What the agent chose, and why, if it can say.
struct Decision {
    play: Move,
    explanation: Option<Explanation>,
}

/// A game being watched.
pub struct Session {
    setup: Setup,
    index: u64,
    game: Game,
    picture: Picture,
    agent: Box<dyn Agent + Send>,
    /// What will be played; nothing if the game is over.
    next: Option<Decision>,
    /// What was played last.
    last: Option<Decision>,
    last_clear: Option<&'static str>,
    keys: u64,
}

impl Session {
    /// The game of that index, with its first decision made.
    pub fn start(setup: Setup, index: u64) -> Result<Session> {
        let seed = game_seed(setup.seed, index);
        let mut session = Session {
            game: Game::new(setup.rules.clone(), seed)?,
            picture: Picture::of_opening(&setup.rules.opening),
            agent: setup.agent.agent(&setup.player, seed),
            setup,
            index,
            next: None,
            last: None,
            last_clear: None,
            keys: 0,
        };
        session.next = session.decide();
        Ok(session)
    }

    /// The game after this one.
    pub fn next_game(&self) -> Result<Session> {
        Session::start(self.setup.clone(), self.index + 1)
    }

    /// The best move of the explanation, so that it is this move that is explained even if time limits the search.
    fn decide(&mut self) -> Option<Decision> {
        self.setup.agent.start_move(self.agent.as_mut());
        let explanation = self.agent.explain_next_move(&self.game).filter(|why| !why.candidates.is_empty());
        let play = match &explanation {
            Some(explanation) => explanation.candidates[0].play,
            None => self.agent.next_move(&self.game)?,
        };
        Some(Decision { play, explanation })
    }

    /// Plays what was decided, and decides again. Does nothing after the end.
    pub fn step(&mut self) -> Result<()> {
        let Some(decision) = self.next.take() else { return Ok(()) };
        self.keys += u64::from(self.game.keys(decision.play));
        let event = self.game.play(decision.play).with_context(|| {
            format!("the agent {} made an illegal move in game {}", self.setup.player.name(), self.index)
        })?;
        self.picture.apply(&event);
        self.last_clear = event.clear_name().or(self.last_clear);
        self.last = Some(decision);
        self.next = self.decide();
        Ok(())
    }

    /// Whether there is nothing more to play.
    pub fn is_over(&self) -> bool {
        self.next.is_none()
    }

    /// What there is to see: with the explanation of the move to come, or after the end of the last one.
    pub fn view(&self) -> View<'_> {
        let decision = self.next.as_ref().or(self.last.as_ref());
        View {
            agent: self.setup.player.name(),
            seed: self.setup.seed,
            index: self.index,
            game: &self.game,
            picture: &self.picture,
            ghost: self.next.as_ref().map(|decision| decision.play.placement),
            explanation: decision.and_then(|decision| decision.explanation.as_ref()),
            keys: self.keys,
            last_clear: self.last_clear,
        }
    }
}
