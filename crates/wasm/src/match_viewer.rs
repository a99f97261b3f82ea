//! A recorded match, shown at any time.

use crate::about::About;
use crate::error;
use crate::live_game::micros;
use crate::match_course::{MatchCourse, MatchPlacements, MatchView};
use tetrion_engine::ruleset::Micros;
use tetrion_engine::versus::{MatchPlayError, MatchReplay, MatchResult};
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

/// A match at some time of its replay.
#[derive(Clone)]
struct Keyframe {
    course: MatchCourse,
    /// Inputs of each side done until then.
    done: [usize; 2],
}

/// A recorded match that verifies.
#[wasm_bindgen]
pub struct MatchViewer {
    replay: MatchReplay,
    result: Option<MatchResult>,
    keyframes: Vec<Keyframe>,
    /// The time that is shown.
    shown: Keyframe,
    /// The match at its end.
    record: MatchCourse,
}

#[wasm_bindgen]
impl MatchViewer {
    /// Reads a file and verifies it.
    #[wasm_bindgen(constructor)]
    pub fn new(bytes: &[u8]) -> Result<MatchViewer, JsError> {
        MatchViewer::of(MatchReplay::from_bytes(bytes).map_err(error)?).map_err(error)
    }

    /// What the replay says of itself.
    pub fn about(&self) -> Result<Ts<About>, JsError> {
        Ok(About::of_match(&self.replay, self.result).into_ts()?)
    }

    /// Everything that was placed.
    pub fn record(&self) -> Result<Ts<MatchPlacements>, JsError> {
        Ok(self.record.placed_from([0, 0]).into_ts()?)
    }

    /// Shows another time.
    pub fn seek(&mut self, time: f64) {
        let time = micros(time).min(self.replay.end);
        let after = self.keyframes.partition_point(|keyframe| keyframe.time() <= time);
        let keyframe = &self.keyframes[after.saturating_sub(1)];
        // Goes on from the shown time, unless that is later or a keyframe is nearer.
        if self.shown.time() > time || keyframe.time() > self.shown.time() {
            self.shown = keyframe.clone();
        }
        while self.shown.step(&self.replay, time) {}
        self.shown.course.act(|live| live.advance(time));
    }

    /// What is seen at the shown time.
    pub fn view(&self) -> Result<Ts<MatchView>, JsError> {
        Ok(self.shown.course.view().into_ts()?)
    }
}

impl MatchViewer {
    /// Verifies a replay, and keeps the match now and then to seek from. The longer a match is, the larger each keyframe, and the
    /// fewer there are.
    pub fn of(replay: MatchReplay) -> Result<MatchViewer, MatchPlayError> {
        /// About as many inputs are kept in all keyframes together.
        const INPUTS_KEPT: usize = 40_000;
        let result = replay.play(|_, _, _| ())?;
        let inputs = replay.sides.iter().map(|side| side.inputs.len()).sum::<usize>();
        let interval = (inputs * inputs / INPUTS_KEPT).max(1);
        let hands = [0, 1].map(|side: usize| replay.sides[side].hands);
        let course = MatchCourse::new(&replay.rules, replay.seed, hands).expect("it has been played once");
        let mut now = Keyframe { course, done: [0, 0] };
        let mut keyframes = vec![now.clone()];
        while now.step(&replay, replay.end) {
            if now.done.iter().sum::<usize>().is_multiple_of(interval) {
                keyframes.push(now.clone());
            }
        }
        now.course.act(|live| live.advance(replay.end));
        Ok(MatchViewer { shown: keyframes[0].clone(), record: now.course, result, keyframes, replay })
    }
}

impl Keyframe {
    fn time(&self) -> Micros {
        self.course.live().time()
    }

    /// Repeats the next input of a replay that verifies; false if there is none until that time.
    fn step(&mut self, replay: &MatchReplay, until: Micros) -> bool {
        let next = |side: usize| replay.sides[side].inputs.get(self.done[side]).map(|input| (input.at, side));
        let first = [next(0), next(1)].into_iter().flatten().min();
        let Some((_, side)) = first.filter(|(at, _)| *at <= until) else { return false };
        let input = replay.sides[side].inputs[self.done[side]];
        self.done[side] += 1;
        self.course.act(|live| live.replay(side, input)).is_ok()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use tetrion_engine::clock::{Button, Handling};
    use tetrion_engine::ruleset::{Mode, Ruleset};
    use tetrion_engine::versus::{Hands, Match};
    use tetrion_players::catalogue;

    const PACE: Micros = 250_000;

    /// A person who only drops pieces, against an agent.
    fn played() -> MatchReplay {
        let rules = Ruleset::new(Mode::Versus);
        let hands = [Hands::Person(Handling::default()), Hands::Agent];
        let mut live = Match::new(&rules, 1, hands).unwrap();
        let mut agent = catalogue::find("lee").unwrap().agent(0);
        for turn in 1.. {
            if live.result().is_some() {
                break;
            }
            let time = turn * PACE;
            if turn % 3 == 0 {
                live.button_down(0, time - 2, Button::HardDrop);
                live.button_up(0, time - 1, Button::HardDrop);
            }
            live.advance(time);
            if let Some(play) = agent.next_move(live.game(1)) {
                live.place(1, time, play).unwrap();
            }
        }
        MatchReplay::of(&live, &rules, ["Ada", "lee"], hands)
    }

    #[test]
    fn every_moment_of_a_match_is_the_same_from_both_directions() {
        let mut viewer = MatchViewer::of(played()).unwrap();
        let end = viewer.replay.end as f64;
        let mut shown = |share: f64| {
            viewer.seek(end * share);
            serde_json::to_string(&viewer.shown.course.view()).unwrap()
        };
        let shares = [0.0, 0.1, 0.35, 0.36, 0.8, 1.0];
        let forward = shares.map(&mut shown);
        for (share, seen) in shares.into_iter().zip(forward).rev() {
            assert_eq!(shown(share), seen);
        }
    }

    #[test]
    fn a_match_is_shown_as_it_ended() {
        let mut viewer = MatchViewer::of(played()).unwrap();
        viewer.seek(f64::MAX);
        let view = viewer.shown.course.view();
        assert_eq!((view.is_over, view.winner), (true, Some(1)));
        for (side, view) in view.sides.iter().enumerate() {
            let placed = viewer.record.placed_from([0, 0]).placed;
            assert_eq!(placed[side].len() as u32, view.game.pieces);
            assert_eq!(placed[side].iter().map(|one| one.sent).sum::<u32>(), view.sent);
            assert_eq!(view.attack, viewer.record.live().game(side).attack());
        }
    }

    #[test]
    fn a_changed_match_is_refused() {
        let mut replay = played();
        replay.sides[0].inputs.truncate(4);
        assert!(MatchViewer::of(replay).is_err());
    }
}
