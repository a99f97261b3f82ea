//! The one loop in which an agent plays a game, watched by whoever wants to know.

use crate::agent::{Agent, Explanation, Limits};
use crate::monitor::Monitor;
use tetrion_engine::game::{Game, IllegalMove, Move};
use tetrion_engine::record::{GameResult, Keys, PlacementRecord};

/// What an agent decided, and why, if it was asked and can say.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// The move.
    pub play: Move,
    /// The reasons.
    pub explanation: Option<Explanation>,
}

impl Decision {
    /// Lets an agent decide on its next move; `None` if the game is over.
    pub fn choose(agent: &mut (impl Agent + ?Sized), game: &Game) -> Option<Decision> {
        agent.next_move(game).map(|play| Decision { play, explanation: None })
    }

    /// Lets an agent decide and explain. What is explained is what is played, even if time limits the search.
    pub fn explain(agent: &mut (impl Agent + ?Sized), game: &Game) -> Option<Decision> {
        let explanation = agent.explain(&game.view()?).filter(|explanation| !explanation.moves.is_empty());
        match &explanation {
            Some(reasons) => Some(Decision { play: reasons.moves[0].play, explanation }),
            None => Decision::choose(agent, game),
        }
    }
}

/// Watches a game as it is played.
pub trait Observer {
    /// A piece was placed: the move, what happened, and the game after it.
    fn placed(&mut self, play: Move, record: &PlacementRecord, game: &Game);
}

impl<F: FnMut(Move, &PlacementRecord, &Game)> Observer for F {
    fn placed(&mut self, play: Move, record: &PlacementRecord, game: &Game) {
        self(play, record, game);
    }
}

/// How a game is played and watched.
#[derive(Default)]
pub struct PlayOptions<'o> {
    /// Whoever watches.
    pub observers: Vec<&'o mut dyn Observer>,
    /// Whether the keys of each move are counted, which takes a search of its own on crowded boards.
    pub count_keys: bool,
    /// Called before each move for what the agent may spend on it.
    pub limits: Option<&'o mut dyn FnMut() -> Limits>,
    /// Stops the game between two moves.
    pub monitor: Option<&'o Monitor>,
}

/// Why a game was not played to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayGameError {
    /// The agent made a move that can't be made.
    #[error("the agent made an illegal move: {0}")]
    Illegal(#[from] IllegalMove),
    /// The monitor asked to stop.
    #[error("stopped")]
    Stopped,
}

/// Lets an agent play a game to its end, or until it makes no move.
pub fn play_game(
    game: &mut Game,
    agent: &mut (impl Agent + ?Sized),
    options: &mut PlayOptions,
) -> Result<GameResult, PlayGameError> {
    let mut keys = 0;
    loop {
        if let Some(limits) = &mut options.limits {
            agent.limit(limits());
        }
        let decision = agent.next_move(game);
        // Before the move is made, since a search that was cut off may have found a poor one.
        if options.monitor.is_some_and(Monitor::is_stopped) {
            return Err(PlayGameError::Stopped);
        }
        let Some(play) = decision else { break };
        let fewest = options.count_keys.then(|| game.keys(play));
        let record = PlacementRecord { keys: fewest.map(Keys::perfect), ..game.play(play)? };
        keys += u64::from(fewest.unwrap_or(0));
        for observer in &mut options.observers {
            observer.placed(play, &record, game);
        }
    }
    Ok(GameResult { keys: options.count_keys.then_some(keys), ..game.result() })
}
