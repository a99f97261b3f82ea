//! A replay at any time of it.

use crate::course::Course;
use crate::error;
use crate::session::{Start, micros};
use crate::view::{GameView, Record};
use serde::Serialize;
use tetrion_engine::clock::{Action, Input};
use tetrion_engine::game::Game;
use tetrion_engine::opening::Opening;
use tetrion_engine::replay::{Actions, Replay};
use tetrion_engine::ruleset::{Micros, Mode};
use tetrion_interop::stage::Stage;
use tetrion_interop::{fumen, image};
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

/// The time that a move without time is given: two pieces a second.
const MOVE: Micros = 500_000;

/// What a replay says of itself.
#[derive(Serialize, Tsify)]
#[tsify(missing_as_null)]
#[serde(rename_all = "camelCase")]
pub struct About {
    player: String,
    #[tsify(type = "Mode")]
    mode: Mode,
    /// Microseconds.
    duration: f64,
    /// Whether the times are those of the game, or made up for moves without any.
    timed: bool,
    /// Whether an agent placed pieces in it.
    agent: bool,
    pieces: u32,
    lines: u32,
    score: f64,
    #[tsify(type = "Outcome | null")]
    outcome: Option<&'static str>,
    state_hash: String,
}

/// A game at some time, to go on from.
#[derive(Clone)]
struct Keyframe {
    course: Course,
    /// Inputs or moves done until then.
    done: usize,
}

/// A replay, found true.
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
    /// Reads a file, and plays it again to see that it is true.
    #[wasm_bindgen(constructor)]
    pub fn new(bytes: &[u8]) -> Result<Viewer, JsError> {
        let replay = Replay::from_bytes(bytes).map_err(error)?;
        replay.play(|_| ()).map_err(error)?;
        let (course, end) = start(&replay).map_err(error)?;
        let (record, shown) = (course.clone(), Keyframe { course, done: 0 });
        let mut viewer = Viewer { keyframes: Vec::new(), end, record, shown, replay };
        viewer.lay_keyframes();
        Ok(viewer)
    }

    /// What the replay says of itself.
    pub fn about(&self) -> Result<Ts<About>, JsError> {
        let game = self.record.game();
        let agent = match &self.replay.actions {
            Actions::Moves(_) => true,
            Actions::Inputs { inputs, .. } => {
                inputs.iter().any(|input| matches!(input.action, Action::Place(_)))
            }
        };
        let about = About {
            player: self.replay.player.clone(),
            mode: game.rules().mode,
            duration: self.end as f64,
            timed: matches!(self.replay.actions, Actions::Inputs { .. }),
            agent,
            pieces: game.placed(),
            lines: game.lines(),
            score: game.score() as f64,
            outcome: game.outcome().map(|outcome| outcome.name()),
            state_hash: format!("{:016x}", game.state_hash()),
        };
        Ok(about.into_ts()?)
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

/// The game before anything was done, and when the replay ends.
fn start(replay: &Replay) -> Result<(Course, Micros), tetrion_engine::ruleset::RulesetError> {
    Ok(match &replay.actions {
        Actions::Inputs { handling, end, .. } => {
            (Course::new(replay.rules.clone(), replay.seed, *handling)?, *end)
        }
        Actions::Moves(moves) => {
            let game = Game::new(replay.rules.clone(), replay.seed)?;
            (Course::of_moves(game), MOVE * (moves.len() as Micros + 1))
        }
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
            let at = MOVE * (*done as Micros + 1);
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
