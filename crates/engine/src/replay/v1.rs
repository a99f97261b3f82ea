//! Version 1 of the file format, frozen. It has no openings, and no agent's placements in a person's game.

use super::Replay;
use super::v2::{self, Action, Button, Claim, Goal, Handling, Mode, Move, Movement, Opening, Randomizer};
use serde::Deserialize;

#[derive(Deserialize)]
pub struct Body {
    rules: Rules,
    seed: u64,
    player: String,
    actions: Actions,
    result: Claim,
}

#[derive(Deserialize)]
struct Rules {
    mode: Mode,
    width: u8,
    visible_height: u8,
    movement: Movement,
    half_turns: bool,
    randomizer: Randomizer,
    hold: bool,
    previews: u8,
    goal: Goal,
}

#[derive(Deserialize)]
enum Actions {
    Inputs { handling: Handling, inputs: Vec<Input>, end: u64 },
    Moves(Vec<Move>),
}

#[derive(Deserialize)]
struct Input {
    at: u64,
    button: Button,
    down: bool,
}

impl Body {
    pub fn into_replay(self) -> Option<Replay> {
        let Rules { mode, width, visible_height, movement, half_turns, randomizer, hold, previews, goal } =
            self.rules;
        let opening = Opening::default();
        let rules = v2::Rules {
            mode,
            width,
            visible_height,
            movement,
            half_turns,
            randomizer,
            hold,
            previews,
            goal,
            opening,
        };
        let actions = match self.actions {
            Actions::Moves(moves) => v2::Actions::Moves(moves),
            Actions::Inputs { handling, inputs, end } => {
                let input = |Input { at, button, down }| {
                    let action = if down { Action::Down(button) } else { Action::Up(button) };
                    v2::Input { at, action }
                };
                v2::Actions::Inputs { handling, inputs: inputs.into_iter().map(input).collect(), end }
            }
        };
        Some(v2::replay_of(rules.into_ruleset()?, self.seed, self.player, actions, self.result))
    }
}
