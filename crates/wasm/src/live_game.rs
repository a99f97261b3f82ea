//! A game under way.

use crate::about::RecordedGame;
use crate::course::Course;
use crate::error;
use crate::thinker::Question;
use crate::view::{GameView, Placements};
use crate::viewer::game_at_end;
use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::Error;
use tetrion_engine::clock::{Button, Handling};
use tetrion_engine::game::Move;
use tetrion_engine::moves::Movement;
use tetrion_engine::opening::Opening;
use tetrion_engine::piece::Piece;
use tetrion_engine::replay::Replay;
use tetrion_engine::ruleset::{Goal, Micros, Mode, Ruleset};
use tetrion_interop::fumen::{self, FumenField};
use tetrion_leaderboard::Seal;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

/// Which game to play.
#[derive(Deserialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct GameSetup {
    #[tsify(type = "Mode")]
    mode: Mode,
    /// Whether only an agent plays: its Blitz is limited by pieces, not by time.
    #[serde(default)]
    #[tsify(optional)]
    for_agents: bool,
    #[serde(default)]
    #[tsify(optional)]
    half_turns: bool,
    /// Only hard drops: no soft drops, slides or spins.
    #[serde(default)]
    #[tsify(optional)]
    hard_drops: bool,
    #[serde(default)]
    #[tsify(optional)]
    opening: Option<StartPosition>,
    /// Columns and rows, if other than the mode's.
    #[serde(default)]
    #[tsify(optional, type = "[number, number]")]
    board: Option<(u8, u8)>,
    /// Lines that end the game, if other than the mode's.
    #[serde(default)]
    #[tsify(optional)]
    lines: Option<u32>,
    /// Pieces after which the game ends, if its mode does not end it earlier.
    #[serde(default)]
    #[tsify(optional)]
    max_pieces: Option<u32>,
}

/// The position that a game starts from.
#[derive(Deserialize, serde::Serialize, Tsify)]
#[tsify(missing_as_null)]
pub struct StartPosition {
    /// From the top; a letter or any sign but `.` is filled.
    pub rows: Vec<String>,
    #[tsify(type = "Piece | null")]
    pub hold: Option<Piece>,
    #[tsify(type = "Piece[]")]
    pub queue: Vec<Piece>,
}

/// The player's handling. Times are in microseconds.
#[derive(Deserialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct HandlingSettings {
    repeat_delay: u32,
    repeat_interval: u32,
    /// 0 drops instantly.
    soft_drop_factor: u32,
}

impl From<HandlingSettings> for Handling {
    fn from(settings: HandlingSettings) -> Handling {
        Handling {
            repeat_delay: settings.repeat_delay.into(),
            repeat_interval: settings.repeat_interval.into(),
            soft_drop_factor: settings.soft_drop_factor,
        }
    }
}

impl GameSetup {
    fn rules(self) -> Ruleset {
        let usual = if self.for_agents { Ruleset::for_agents(self.mode) } else { Ruleset::new(self.mode) };
        let opening = self.opening.map_or_else(Opening::default, |start| Opening {
            rows: start.rows,
            hold: start.hold,
            queue: start.queue,
            ..Opening::default()
        });
        let hard = self.hard_drops && usual.movement == Movement::Full;
        let movement = if hard { Movement::HardDrop } else { usual.movement };
        let (width, visible_height) = self.board.unwrap_or((usual.width, usual.visible_height));
        let pieces = usual.goal.pieces.into_iter().chain(self.max_pieces).min();
        let goal = Goal { pieces, lines: self.lines.or(usual.goal.lines), ..usual.goal };
        Ruleset { half_turns: self.half_turns, movement, opening, width, visible_height, goal, ..usual }
    }
}

/// A fingerprint of a game so far.
#[derive(serde::Serialize, Tsify)]
pub struct GameSeal {
    /// Time played.
    micros: f64,
    /// The number of inputs.
    inputs: u32,
    /// Their hash, in hexadecimal digits.
    digest: String,
}

/// A game under way. All times are in microseconds of the page's clock, from the start of the game.
#[wasm_bindgen]
pub struct LiveGame {
    course: Course,
    seed: u64,
}

#[wasm_bindgen]
impl LiveGame {
    /// Starts a game at time 0.
    #[wasm_bindgen(constructor)]
    pub fn new(setup: Ts<GameSetup>, seed: u64, hands: Ts<HandlingSettings>) -> Result<LiveGame, JsError> {
        let (rules, handling) = (setup.to_rust()?.rules(), hands.to_rust()?.into());
        Ok(LiveGame { course: Course::new(rules, seed, handling).map_err(error)?, seed })
    }

    /// Goes on with the game of a replay that was left before its end, at the time when it was left.
    #[wasm_bindgen(js_name = goOn)]
    pub fn go_on(bytes: &[u8]) -> Result<LiveGame, JsError> {
        let replay = Replay::from_bytes(bytes).map_err(error)?;
        if replay.result.outcome.is_some() {
            return Err(error("the game is over"));
        }
        Ok(LiveGame { course: game_at_end(&replay).map_err(error)?, seed: replay.seed })
    }

    /// The seed of its pieces.
    #[wasm_bindgen(getter)]
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// A button goes down.
    pub fn down(
        &mut self,
        time: f64,
        #[wasm_bindgen(unchecked_param_type = "Button")] button: &str,
    ) -> Result<(), JsError> {
        let button = named(button)?;
        self.course.with_clock(|clock| clock.button_down(micros(time), button));
        Ok(())
    }

    /// A button goes up.
    pub fn up(
        &mut self,
        time: f64,
        #[wasm_bindgen(unchecked_param_type = "Button")] button: &str,
    ) -> Result<(), JsError> {
        let button = named(button)?;
        self.course.with_clock(|clock| clock.button_up(micros(time), button));
        Ok(())
    }

    /// Lets the time pass.
    pub fn advance(&mut self, time: f64) {
        self.course.advance(micros(time));
    }

    /// Pauses the game.
    pub fn pause(&mut self, time: f64) {
        self.course.with_clock(|clock| clock.pause(micros(time)));
    }

    /// Resumes the game.
    pub fn resume(&mut self, time: f64) {
        self.course.with_clock(|clock| clock.resume(micros(time)));
    }

    /// An agent's move, as a thinker gave it.
    pub fn place(&mut self, time: f64, play: &[u8]) -> Result<(), JsError> {
        let play = played(play)?;
        self.course.place(micros(time), play).map_err(error)
    }

    /// What the page draws.
    pub fn view(&self) -> Result<Ts<GameView>, JsError> {
        Ok(self.course.view().into_ts()?)
    }

    /// The placements from this index on.
    #[wasm_bindgen(js_name = placedFrom)]
    pub fn placed_from(&self, first: usize) -> Result<Ts<Placements>, JsError> {
        let placed = self.course.placed().get(first..).unwrap_or_default().to_vec();
        Ok(Placements { placed }.into_ts()?)
    }

    /// The position and its rules, for a thinker; nothing when the game is over.
    pub fn position(&self) -> Option<Vec<u8>> {
        self.course.game().view().map(|view| Question::bytes(&view, None))
    }

    /// The game so far, to be kept.
    pub fn recorded(&self, player: &str) -> Result<Ts<RecordedGame>, JsError> {
        Ok(RecordedGame::of(&self.course.replay(self.seed, player)).into_ts()?)
    }

    /// Seals the game so far, for the ticket of a ranked game that is paused.
    pub fn seal(&self) -> Result<Ts<GameSeal>, JsError> {
        let Seal { micros, inputs, digest } = self.course.seal();
        let digest = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(GameSeal { micros: micros as f64, inputs, digest }.into_ts()?)
    }

    /// A hash of everything visible in the game, the same on every machine.
    #[wasm_bindgen(js_name = stateHash)]
    pub fn state_hash(&self) -> String {
        format!("{:016x}", self.course.game().state_hash())
    }
}

/// The first page of a fumen as a start position.
#[wasm_bindgen(js_name = startOfFumen)]
pub fn start_of_fumen(text: &str) -> Result<Ts<StartPosition>, JsError> {
    let pages = fumen::decode(text).map_err(error)?;
    let page = pages.first().ok_or_else(|| error("the fumen has no pages"))?;
    let fumen::PageSetup { hold, queue, .. } = page.setup().map_err(error)?;
    let field = &page.field;
    let row = |y: usize| (0..FumenField::WIDTH).map(|x| field.cell(x, y).letter()).collect();
    let rows = (0..field.stack_height()).rev().map(row).collect();
    Ok(StartPosition { rows, hold, queue }.into_ts()?)
}

/// The button of that name.
pub fn named(button: &str) -> Result<Button, JsError> {
    Button::deserialize(button.into_deserializer()).map_err(|reason: Error| error(reason))
}

/// The move that a thinker gave.
pub fn played(bytes: &[u8]) -> Result<Move, JsError> {
    postcard::from_bytes(bytes).map_err(error)
}

/// The page's clock has fractions of a microsecond; game time is never negative.
pub fn micros(time: f64) -> Micros {
    time.max(0.0) as Micros
}
