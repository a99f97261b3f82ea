//! Version 3 of the file format, the current one.
//!
//! It stores the rules as JSON with a name for every rule, so that new rules need no new version: a rule that a file does not
//! name has the value that all games had before. Everything else is as in version 2.

use super::Replay;
use super::v2::{self, Actions, Claim};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
pub struct Body {
    rules: String,
    seed: u64,
    player: String,
    actions: Actions,
    result: Claim,
}

impl Body {
    pub fn new(replay: &Replay) -> Body {
        Body {
            rules: serde_json::to_string(&replay.rules).expect("rules can be written as JSON"),
            seed: replay.seed,
            player: replay.player.clone(),
            actions: (&replay.actions).into(),
            result: Claim::new(&replay.result, replay.state_hash),
        }
    }

    pub fn into_replay(self) -> Option<Replay> {
        let rules = serde_json::from_str(&self.rules).ok()?;
        Some(v2::replay_of(rules, self.seed, self.player, self.actions, self.result))
    }
}
