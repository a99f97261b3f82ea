//! A replay, shown at any time.

use crate::about::{About, MICROS_PER_MOVE, duration};
use crate::course::Course;
use crate::error;
use crate::live_game::{StartPosition, micros};
use crate::view::{GameView, Placements};
use tetrion_engine::game::Game;
use tetrion_engine::opening::Opening;
use tetrion_engine::replay::{Actions, PlayError, Replay, repeat};
use tetrion_engine::ruleset::{Micros, RulesetError};
use tetrion_interop::stage::Stage;
use tetrion_interop::{fumen, image};
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

/// A game at some time of a replay.
#[derive(Clone)]
struct Keyframe {
    course: Course,
    /// Inputs or moves done until then.
    done: usize,
}

/// A replay that verifies.
#[wasm_bindgen]
pub struct Viewer {
    replay: Replay,
    keyframes: Vec<Keyframe>,
    end: Micros,
    /// The time that is shown.
    shown: Keyframe,
    /// The game at its end.
    record: Course,
}

#[wasm_bindgen]
impl Viewer {
    /// Reads a file and verifies it.
    #[wasm_bindgen(constructor)]
    pub fn new(bytes: &[u8]) -> Result<Viewer, JsError> {
        let replay = Replay::from_bytes(bytes).map_err(error)?;
        let (keyframes, record) = play(&replay).map_err(error)?;
        let (shown, end) = (keyframes[0].clone(), duration(&replay));
        Ok(Viewer { replay, keyframes, end, shown, record })
    }

    /// What the replay says of itself.
    pub fn about(&self) -> Result<Ts<About>, JsError> {
        Ok(About::of(&self.replay).into_ts()?)
    }

    /// Everything that was placed.
    pub fn record(&self) -> Result<Ts<Placements>, JsError> {
        Ok(Placements { placed: self.record.placed().to_vec() }.into_ts()?)
    }

    /// Shows another time.
    pub fn seek(&mut self, time: f64) {
        let time = micros(time).min(self.end);
        let after = self.keyframes.partition_point(|keyframe| keyframe.course.time() <= time);
        let keyframe = &self.keyframes[after.saturating_sub(1)];
        // Goes on from the shown time, unless that is later or a keyframe is nearer.
        if self.shown.course.time() > time || keyframe.course.time() > self.shown.course.time() {
            self.shown = keyframe.clone();
        }
        // It was verified: no step fails.
        while let Ok(true) = self.shown.step(&self.replay, time) {}
        self.shown.course.advance(time);
    }

    /// What is seen at the shown time.
    pub fn view(&self) -> Result<Ts<GameView>, JsError> {
        Ok(self.shown.course.view().into_ts()?)
    }

    /// The whole game as an animated GIF.
    pub fn gif(&self) -> Result<Vec<u8>, JsError> {
        image::gif(&self.replay).map_err(error)
    }

    /// The shown position as a PNG.
    pub fn png(&self) -> Vec<u8> {
        let course = &self.shown.course;
        let stage = Stage::of(course.game().clone(), *course.picture());
        // Pieces that drop straight down have no place before.
        let active = stage.spawned().and(course.active());
        image::png_of_stage(&stage, active)
    }

    /// The whole game as a fumen, a page for each placement.
    pub fn fumen(&self) -> Result<String, JsError> {
        let pages = fumen::pages_of_replay(&self.replay).map_err(error)?;
        fumen::encode(&pages).map_err(error)
    }

    /// The shown position, to play on from. The rest of the bag comes in the same order.
    pub fn start(&self) -> Result<Ts<StartPosition>, JsError> {
        let Opening { rows, hold, queue, .. } =
            Opening::of(self.shown.course.game(), self.shown.course.picture());
        Ok(StartPosition { rows, hold, queue }.into_ts()?)
    }
}

/// The game of a replay, at its end.
pub fn game_at_end(replay: &Replay) -> Result<Course, PlayError> {
    play(replay).map(|(_, end)| end)
}

/// Plays a replay once: verifies it, and keeps the game now and then to seek from. The longer a game is, the larger each
/// keyframe, and the fewer there are. Returns the game at its end, too.
fn play(replay: &Replay) -> Result<(Vec<Keyframe>, Course), PlayError> {
    /// About as many actions are kept in all keyframes together.
    const ACTIONS_KEPT: usize = 40_000;
    replay.check_time()?;
    let count = match &replay.actions {
        Actions::Moves(moves) => moves.len(),
        Actions::Inputs { inputs, .. } => inputs.len(),
    };
    let interval = (count * count / ACTIONS_KEPT).max(1);
    let end = duration(replay);
    let mut now = Keyframe { course: start(replay)?, done: 0 };
    let mut keyframes = vec![now.clone()];
    while now.step(replay, end)? {
        if now.done.is_multiple_of(interval) {
            keyframes.push(now.clone());
        }
    }
    if now.done < count {
        return Err(PlayError::OutOfOrder(now.done + 1));
    }
    now.course.advance(end);
    replay.check_ending(now.course.game())?;
    Ok((keyframes, now.course))
}

/// The game before anything was done.
fn start(replay: &Replay) -> Result<Course, RulesetError> {
    Ok(match &replay.actions {
        Actions::Inputs { handling, .. } => Course::new(replay.rules.clone(), replay.seed, *handling)?,
        Actions::Moves(_) => Course::of_moves(Game::new(replay.rules.clone(), replay.seed)?),
    })
}

impl Keyframe {
    /// Does the next action of a replay; false if there is none until that time.
    fn step(&mut self, replay: &Replay, until: Micros) -> Result<bool, PlayError> {
        let number = self.done + 1;
        match &replay.actions {
            Actions::Inputs { inputs, end, .. } => {
                let next = inputs.get(self.done).filter(|input| input.at <= until);
                let Some(input) = next else { return Ok(false) };
                self.course
                    .with_clock(|clock| repeat(clock, *input, number, *end))
                    .unwrap_or(Err(PlayError::NoRealTime))?;
            }
            Actions::Moves(moves) => {
                let at = MICROS_PER_MOVE * number as Micros;
                let Some(play) = moves.get(self.done).filter(|_| at <= until) else { return Ok(false) };
                self.course.place(at, *play).map_err(|reason| PlayError::Move { number, reason })?;
            }
        }
        self.done = number;
        Ok(true)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use tetrion_engine::clock::{Action, Button, Clock, Handling, Input};
    use tetrion_engine::ruleset::{Mode, Ruleset};

    fn blitz() -> Replay {
        let game = Game::new(Ruleset::new(Mode::Blitz), 1).unwrap();
        let mut clock = Clock::new(game, Handling::default());
        for drop in 1..=5 {
            clock.button_down(drop * 100_000, Button::HardDrop);
            clock.button_up(drop * 100_000 + 1_000, Button::HardDrop);
        }
        clock.advance(1_000_000);
        Replay::of_clock(&clock, 1, "Ada")
    }

    /// What the page finds in a replay is what the engine finds.
    fn agrees(replay: &Replay) -> Result<u32, PlayError> {
        let found = play(replay).map(|(_, end)| end.game().placed());
        assert_eq!(found, replay.play(|_| ()).map(|played| played.game.placed()));
        found
    }

    #[test]
    fn one_pass_verifies_as_the_engine_does() {
        let honest = blitz();
        assert_eq!(agrees(&honest), Ok(5));
        let changed = |change: &dyn Fn(&mut Vec<Input>)| {
            let mut replay = honest.clone();
            let Actions::Inputs { inputs, .. } = &mut replay.actions else { panic!() };
            change(inputs);
            agrees(&replay).unwrap_err()
        };
        assert_eq!(changed(&|inputs| inputs.swap(2, 4)), PlayError::OutOfOrder(4));
        assert_eq!(changed(&|inputs| inputs[9].at = 2_000_000), PlayError::OutOfOrder(10));
        let up = Input { at: 600_000, action: Action::Up(Button::Left) };
        assert_eq!(changed(&|inputs| inputs.push(up)), PlayError::Ignored(11));
        assert!(matches!(changed(&|inputs| inputs.truncate(6)), PlayError::Result { .. }));
        let mut straight = honest.clone();
        straight.rules = Ruleset::new(Mode::Classic);
        assert_eq!(agrees(&straight), Err(PlayError::NoRealTime));
    }
}
