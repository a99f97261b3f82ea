//! Replays as rows: games of people and agents become the same tables.

use crate::placements::GameIdentity;
use crate::recorder::Recorder;
use std::sync::Arc;
use tetrion_engine::game::{Game, Move};
use tetrion_engine::record::{Keys, PlacementRecord};
use tetrion_engine::replay::{PlayError, Replay};

/// Records a replay as the game with this number, without the placements that were undone. It must verify.
pub fn record_replay(recorder: &Recorder, number: u64, replay: &Replay) -> Result<(), PlayError> {
    let identity = GameIdentity {
        number,
        seed: replay.seed,
        agent: replay.player.as_str().into(),
        rules: Arc::new(replay.rules.clone()),
    };
    let mut before = Game::new(replay.rules.clone(), replay.seed)?;
    let mut log = recorder.game(identity, &before);
    for moment in replay.moments()? {
        let play = Move { hold: moment.record.held, placement: moment.record.placement };
        // Replays of agents hold no keys: they are those that the move needs.
        let keys = moment.record.keys.unwrap_or_else(|| Keys::perfect(before.keys(play)));
        log.add(&PlacementRecord { keys: Some(keys), ..moment.record }, &moment.game, None);
        before = moment.game;
    }
    log.finish(replay.result);
    Ok(())
}
