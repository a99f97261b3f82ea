//! The loops in which agents play games and matches.

use crate::agent::{Agent, Explanation, Limits};
use crate::monitor::Monitor;
use tetrion_engine::game::{Game, IllegalMove, Move};
use tetrion_engine::record::{GameResult, Keys, PlacementRecord};
use tetrion_engine::ruleset::Micros;
use tetrion_engine::versus::{Match, MatchResult};

/// An agent's move and, if requested and available, its reasons.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// The move.
    pub play: Move,
    /// The reasons.
    pub explanation: Option<Explanation>,
}

impl Decision {
    /// Asks an agent for its next move; `None` if the game is over.
    pub fn choose(agent: &mut (impl Agent + ?Sized), game: &Game) -> Option<Decision> {
        agent.next_move(game).map(|play| Decision { play, explanation: None })
    }

    /// Asks an agent for its next move and its reasons. Both come from the same search, even if a time limit cuts it short.
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
    /// Called after each placement with the move, its record, and the game after it.
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
    /// Called after each placement.
    pub observers: Vec<&'o mut dyn Observer>,
    /// Whether to count the keys of each move. On crowded boards this takes a search of its own.
    pub count_keys: bool,
    /// Called before each move for the agent's limits.
    pub limits: Option<&'o mut dyn FnMut() -> Limits>,
    /// Stops the game between two moves.
    pub monitor: Option<&'o Monitor>,
}

/// Why a game was not finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayGameError {
    /// The agent made an illegal move.
    #[error("the agent made an illegal move: {0}")]
    Illegal(#[from] IllegalMove),
    /// The monitor asked to stop.
    #[error("stopped")]
    Stopped,
}

/// Lets an agent play a game until it is over or the agent makes no move.
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
        // Checked before the move is made, because a search that was cut short may have found a poor one.
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

/// Lets two agents play a match until it is over or one makes no move. Both sides place a piece after each interval, in
/// microseconds, and decide on the positions before it.
pub fn play_match(
    live: &mut Match,
    mut agents: [&mut dyn Agent; 2],
    interval: Micros,
    monitor: Option<&Monitor>,
) -> Result<Option<MatchResult>, PlayGameError> {
    while live.result().is_none() {
        let mut plays = [None; 2];
        for (side, agent) in agents.iter_mut().enumerate() {
            agent.see_opponent(live.game(1 - side).position());
            plays[side] = agent.next_move(live.game(side));
        }
        if monitor.is_some_and(Monitor::is_stopped) {
            return Err(PlayGameError::Stopped);
        }
        let time = live.time() + interval;
        if plays == [None; 2] {
            break;
        }
        for (side, play) in plays.into_iter().enumerate() {
            if let Some(play) = play {
                live.place(side, time, play)?;
            }
        }
    }
    Ok(live.result())
}
