//! A match under way.

use crate::about::RecordedGame;
use crate::error;
use crate::live_game::{HandlingSettings, micros, named, played};
use crate::match_course::{MatchCourse, MatchPlacements, MatchView};
use crate::thinker::Question;
use serde::Deserialize;
use tetrion_engine::ruleset::{Mode, Ruleset};
use tetrion_engine::versus::{Hands, MatchReplay, VersusPreset};
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

/// Which match to play.
#[derive(Deserialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct MatchSetup {
    #[tsify(type = "VersusPreset")]
    rules: VersusPreset,
    half_turns: bool,
    /// The handling of the person on side 0, who plays an agent; without it, two agents play.
    #[serde(default)]
    #[tsify(optional)]
    handling: Option<HandlingSettings>,
}

/// A match under way. All times are in microseconds played, from its start. A person plays side 0, if one plays at all.
#[wasm_bindgen]
pub struct LiveMatch {
    course: MatchCourse,
    rules: Ruleset,
    hands: [Hands; 2],
}

#[wasm_bindgen]
impl LiveMatch {
    /// Starts a match at time 0.
    #[wasm_bindgen(constructor)]
    pub fn new(setup: Ts<MatchSetup>, seed: u64) -> Result<LiveMatch, JsError> {
        let MatchSetup { rules, half_turns, handling } = setup.to_rust()?;
        let rules = Ruleset { versus: Some(rules.rules()), half_turns, ..Ruleset::new(Mode::Versus) };
        let person = handling.map_or(Hands::Agent, |handling| Hands::Person(handling.into()));
        let hands = [person, Hands::Agent];
        Ok(LiveMatch { course: MatchCourse::new(&rules, seed, hands).map_err(error)?, rules, hands })
    }

    /// A button of the person goes down.
    pub fn down(
        &mut self,
        time: f64,
        #[wasm_bindgen(unchecked_param_type = "Button")] button: &str,
    ) -> Result<(), JsError> {
        let button = named(button)?;
        self.course.act(|live| live.button_down(0, micros(time), button));
        Ok(())
    }

    /// A button of the person goes up.
    pub fn up(
        &mut self,
        time: f64,
        #[wasm_bindgen(unchecked_param_type = "Button")] button: &str,
    ) -> Result<(), JsError> {
        let button = named(button)?;
        self.course.act(|live| live.button_up(0, micros(time), button));
        Ok(())
    }

    /// All buttons go up, for a pause: then the page lets no time pass.
    #[wasm_bindgen(js_name = releaseAll)]
    pub fn release_all(&mut self, time: f64) {
        self.course.act(|live| live.release_all(micros(time)));
    }

    /// Lets the time pass.
    pub fn advance(&mut self, time: f64) {
        self.course.act(|live| live.advance(micros(time)));
    }

    /// An agent's move, as a thinker gave it.
    pub fn place(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Side")] side: usize,
        time: f64,
        play: &[u8],
    ) -> Result<(), JsError> {
        let play = played(play)?;
        self.course.act(|live| live.place(side, micros(time), play)).map_err(error)
    }

    /// Whether it is over: then nothing more is to be done in it.
    #[wasm_bindgen(getter, js_name = isOver)]
    pub fn is_over(&self) -> bool {
        self.course.live().result().is_some()
    }

    /// What the page draws.
    pub fn view(&self) -> Result<Ts<MatchView>, JsError> {
        Ok(self.course.view().into_ts()?)
    }

    /// The placements of both sides, from these indices on.
    #[wasm_bindgen(js_name = placedFrom)]
    pub fn placed_from(&self, first: usize, other: usize) -> Result<Ts<MatchPlacements>, JsError> {
        Ok(self.course.placed_from([first, other]).into_ts()?)
    }

    /// The position of a side, its rules and the other side's position, for a thinker; nothing when its game is over.
    pub fn position(&self, #[wasm_bindgen(unchecked_param_type = "Side")] side: usize) -> Option<Vec<u8>> {
        let live = self.course.live();
        let opponent = live.game(1 - side).position();
        live.game(side).view().map(|view| Question::bytes(&view, Some(opponent)))
    }

    /// The match so far, to be kept.
    pub fn recorded(&self, one: &str, other: &str) -> Result<Ts<RecordedGame>, JsError> {
        let live = self.course.live();
        let replay = MatchReplay::of(live, &self.rules, [one, other], self.hands);
        Ok(RecordedGame::of_match(&replay, live.result()).into_ts()?)
    }
}
