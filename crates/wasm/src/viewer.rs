//! A replay at any time of it.

use crate::about::{About, MICROS_PER_MOVE, duration};
use crate::course::Course;
use crate::error;
use crate::session::{Start, micros};
use crate::view::{GameView, Record};
use tetrion_engine::clock::Input;
use tetrion_engine::game::Game;
use tetrion_engine::opening::Opening;
use tetrion_engine::replay::{Actions, Replay};
use tetrion_engine::ruleset::{Micros, RulesetError};
use tetrion_interop::stage::Stage;
use tetrion_interop::{fumen, image};
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

/// A game at some time, to go on from.
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
    /// What is seen.
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
        replay.play(|_| ()).map_err(error)?;
        let (course, end) = (start(&replay).map_err(error)?, duration(&replay));
        let (record, shown) = (course.clone(), Keyframe { course, done: 0 });
        let mut viewer = Viewer { keyframes: Vec::new(), end, record, shown, replay };
        viewer.lay_keyframes();
        Ok(viewer)
    }

    /// What the replay says of itself.
    pub fn about(&self) -> Result<Ts<About>, JsError> {
        Ok(About::of(&self.replay).into_ts()?)
    }

    /// Everything that was placed.
    pub fn record(&self) -> Result<Ts<Record>, JsError> {
        Ok(Record { placed: self.record.placed().to_vec() }.into_ts()?)
    }

    /// Goes to a time.
    pub fn seek(&mut self, time: f64) {
        let time = micros(time).min(self.end);
        let after = self.keyframes.partition_point(|keyframe| keyframe.course.time() <= time);
        let keyframe = &self.keyframes[after.saturating_sub(1)];
        // From where it stands, unless there is a way from nearer by, or back.
        if self.shown.course.time() > time || keyframe.course.time() > self.shown.course.time() {
            self.shown = keyframe.clone();
        }
        let Keyframe { course, done } = &mut self.shown;
        while step(&self.replay, course, done, time) {}
        course.advance(time);
    }

    /// What is seen at that time.
    pub fn view(&self) -> Result<Ts<GameView>, JsError> {
        Ok(self.shown.course.view().into_ts()?)
    }

    /// The whole game as an animated picture.
    pub fn gif(&self) -> Result<Vec<u8>, JsError> {
        image::gif(&self.replay).map_err(error)
    }

    /// The position at that time as a picture.
    pub fn png(&self) -> Vec<u8> {
        image::png_of_stage(&Stage::of(self.shown.course.game().clone(), *self.shown.course.picture()))
    }

    /// The whole game as a diagram, a page for each placement.
    pub fn fumen(&self) -> Result<String, JsError> {
        let pages = fumen::pages_of_replay(&self.replay).map_err(error)?;
        fumen::encode(&pages).map_err(error)
    }

    /// The position at that time, to be played on from: the rest of the bag comes as it came.
    pub fn start(&self) -> Result<Ts<Start>, JsError> {
        let Opening { rows, hold, queue, .. } =
            Opening::of(self.shown.course.game(), self.shown.course.picture());
        Ok(Start { rows, hold, queue }.into_ts()?)
    }
}

impl Viewer {
    /// Plays it all, and keeps the game now and then: the longer it is, the larger each of them, and the fewer there are.
    fn lay_keyframes(&mut self) {
        const ROOM: u64 = 40_000;
        let things = match &self.replay.actions {
            Actions::Moves(moves) => moves.len() as u64,
            Actions::Inputs { inputs, .. } => inputs.len() as u64,
        };
        let interval = (things * things / ROOM).max(1);
        let (mut course, mut done) = (self.shown.course.clone(), 0);
        loop {
            if (done as u64).is_multiple_of(interval) {
                self.keyframes.push(Keyframe { course: course.clone(), done });
            }
            if !step(&self.replay, &mut course, &mut done, self.end) {
                break;
            }
        }
        course.advance(self.end);
        self.record = course;
    }
}

/// The game before anything was done.
fn start(replay: &Replay) -> Result<Course, RulesetError> {
    Ok(match &replay.actions {
        Actions::Inputs { handling, .. } => Course::new(replay.rules.clone(), replay.seed, *handling)?,
        Actions::Moves(_) => Course::of_moves(Game::new(replay.rules.clone(), replay.seed)?),
    })
}

/// Does the next thing, if it was done until then.
fn step(replay: &Replay, course: &mut Course, done: &mut usize, until: Micros) -> bool {
    match &replay.actions {
        Actions::Inputs { inputs, .. } => {
            let Some(input) = inputs.get(*done).filter(|input| input.at <= until) else { return false };
            course.with_clock(|clock| repeat(clock, *input));
        }
        Actions::Moves(moves) => {
            let at = MICROS_PER_MOVE * (*done as Micros + 1);
            let Some(play) = moves.get(*done).filter(|_| at <= until) else { return false };
            // The whole replay was found true before.
            if course.place(at, *play).is_err() {
                return false;
            }
        }
    }
    *done += 1;
    true
}

fn repeat(clock: &mut tetrion_engine::clock::Clock, input: Input) {
    // The whole replay was found true before.
    let _ = clock.replay(input);
}
