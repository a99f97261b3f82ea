//! An agent: its moves and its reasons.

use crate::error;
use crate::view::PieceView;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::io;
use std::path::Path;
use tetrion::Player;
use tetrion_engine::game::Move;
use tetrion_engine::moves::Movement;
use tetrion_engine::moves::path;
use tetrion_engine::position::{Position, View};
use tetrion_engine::ruleset::Ruleset;
use tetrion_players::agent::{Agent, ConsideredMove, Limits};
use tetrion_players::catalogue;
use tetrion_players::evaluator::Term;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

/// A named agent.
#[derive(Serialize, Tsify)]
pub struct AgentAbout {
    name: &'static str,
    about: &'static str,
    /// The choices, weakest first, if it gets stronger with more nodes.
    strengths: &'static [AgentStrength],
}

/// How strong an agent plays, for those that get stronger with more nodes.
#[derive(Clone, Copy, Serialize, Tsify)]
#[serde(rename_all = "lowercase")]
pub enum Strength {
    Fast,
    Normal,
    Strong,
}

/// A strength, and what it costs.
#[derive(Serialize, Tsify)]
pub struct AgentStrength {
    strength: Strength,
    /// Placements to evaluate per move.
    nodes: u32,
}

/// A busy core evaluates about 5,000 placements per millisecond in a browser. Even at a third of that speed, a move of normal strength
/// takes less than 100 ms. The strongest is what `blitz` spends natively.
const STRENGTHS: [AgentStrength; 3] = [
    AgentStrength { strength: Strength::Fast, nodes: 36_000 },
    AgentStrength { strength: Strength::Normal, nodes: 150_000 },
    AgentStrength { strength: Strength::Strong, nodes: 700_000 },
];

/// The named agents.
#[derive(Serialize, Tsify)]
#[tsify(missing_as_null)]
pub struct Agents {
    agents: Vec<AgentAbout>,
}

/// The player of that name.
pub fn found(name: &str) -> Result<Player, JsError> {
    let no_files =
        |_: &Path| Err::<&[u8], _>(io::Error::other("the page opens no files by name: load the file"));
    Player::find(name, no_files).map_err(error)
}

/// The name of the agent that plays if nobody chose one.
#[wasm_bindgen(js_name = defaultAgent)]
pub fn default_agent() -> String {
    catalogue::DEFAULT_AGENT.to_owned()
}

/// All named agents.
#[wasm_bindgen]
pub fn agents() -> Result<Ts<Agents>, JsError> {
    let about = |entry: &'static catalogue::AgentSpec| AgentAbout {
        name: entry.name(),
        about: entry.about(),
        strengths: if entry.agent(0).abilities().scales { &STRENGTHS } else { &[] },
    };
    Ok(Agents { agents: catalogue::all().iter().map(about).collect() }.into_ts()?)
}

/// What an agent would do, and why.
#[derive(Serialize, Tsify)]
#[tsify(missing_as_null)]
pub struct Thought {
    /// For [`LiveGame::place`](crate::LiveGame::place).
    #[serde(with = "serde_bytes")]
    #[tsify(type = "Uint8Array")]
    play: Vec<u8>,
    piece: PieceView,
    /// The considered moves, best first; empty if the agent does not explain, or was not asked to.
    candidates: Vec<ConsideredMoveView>,
    /// The fewest keys that bring the piece there, if the game has keys and an explanation was asked for.
    keys: Vec<String>,
}

/// A move that was considered.
#[derive(Serialize, Tsify)]
pub struct ConsideredMoveView {
    /// For [`move_path`].
    #[serde(with = "serde_bytes")]
    #[tsify(type = "Uint8Array")]
    play: Vec<u8>,
    hold: bool,
    piece: PieceView,
    score: f64,
    /// What the move itself contributes.
    terms: Vec<TermView>,
    /// What the rest of the line contributes: with the terms, it adds up to the score.
    rest: f64,
    /// The pieces expected after it.
    line: Vec<PieceView>,
}

/// A part of a score: value times weight.
#[derive(Serialize, Tsify)]
pub struct TermView {
    label: String,
    /// What it counts, in a few words; may be empty.
    brief: &'static str,
    value: f64,
    weight: f64,
    /// The cells that it is about, on the board with the piece on it, before rows are cleared: column and row of each.
    #[serde(with = "serde_bytes")]
    #[tsify(type = "Uint8Array")]
    cells: Vec<u8>,
}

impl From<ConsideredMove> for ConsideredMoveView {
    fn from(candidate: ConsideredMove) -> ConsideredMoveView {
        let term = |term: &Term| TermView {
            label: term.label.to_string(),
            brief: term.brief,
            value: term.value,
            weight: term.weight,
            cells: term.cells.iter().flat_map(|(x, y)| [*x as u8, *y as u8]).collect(),
        };
        ConsideredMoveView {
            rest: candidate.rest(),
            play: bytes(candidate.play),
            hold: candidate.play.hold,
            piece: candidate.play.placement.location().into(),
            score: candidate.score,
            terms: candidate.terms.iter().map(term).collect(),
            line: candidate.line.iter().map(|play| play.placement.location().into()).collect(),
        }
    }
}

/// What a thinker in another thread is asked: a position and its rules, as JSON.
#[derive(Serialize, Deserialize)]
pub struct Question<'q> {
    rules: Cow<'q, Ruleset>,
    position: Cow<'q, Position>,
    /// The other side of a match.
    opponent: Option<Cow<'q, Position>>,
}

impl Question<'_> {
    /// The bytes that carry it.
    pub fn bytes(view: &View, opponent: Option<&Position>) -> Vec<u8> {
        let question = Question {
            rules: Cow::Borrowed(view.rules),
            position: Cow::Borrowed(view.position),
            opponent: opponent.map(Cow::Borrowed),
        };
        serde_json::to_vec(&question).expect("a position can be written to memory")
    }
}

/// An agent at work.
#[wasm_bindgen]
pub struct Thinker {
    agent: Box<dyn Agent + Send>,
}

#[wasm_bindgen]
impl Thinker {
    /// The agent of that name, with the seed of its random choices.
    #[wasm_bindgen(constructor)]
    pub fn new(name: &str, seed: u64) -> Result<Thinker, JsError> {
        Ok(Thinker { agent: found(name)?.agent(seed) })
    }

    /// An agent from the text of its file.
    #[wasm_bindgen(js_name = fromFile)]
    pub fn from_file(text: &str, name: &str) -> Result<Thinker, JsError> {
        Ok(Thinker { agent: Player::from_file(text, name).map_err(error)?.agent(0) })
    }

    /// Limits what it may spend on each move: this many placements, if it respects limits.
    pub fn limit(&mut self, nodes: u32) {
        self.agent.limit(Limits { nodes: Some(nodes.into()), stop: None });
    }

    /// The move for a position; nothing if there is none.
    pub fn think(&mut self, position: &[u8], explain: bool) -> Result<Option<Ts<Thought>>, JsError> {
        let question: Question = serde_json::from_slice(position).map_err(error)?;
        let view = View { rules: &question.rules, position: &question.position };
        if let Some(opponent) = &question.opponent {
            self.agent.see_opponent(opponent);
        }
        let thought = self.thought(&view, explain);
        Ok(thought.map(|thought| thought.into_ts()).transpose()?)
    }
}

impl Thinker {
    fn thought(&mut self, view: &View, explain: bool) -> Option<Thought> {
        let candidates = match explain {
            true => self.agent.explain(view).map(|explanation| explanation.moves).unwrap_or_default(),
            false => Vec::new(),
        };
        // What is explained is what is played.
        let play = match candidates.first() {
            Some(best) => best.play,
            None => self.agent.choose(view)?,
        };
        let keys = match explain {
            true => MovePath::of(view, play).steps.into_iter().map(|step| step.key).collect(),
            false => Vec::new(),
        };
        Some(Thought {
            keys,
            play: bytes(play),
            piece: play.placement.location().into(),
            candidates: candidates.into_iter().map(ConsideredMoveView::from).collect(),
        })
    }
}

/// How a piece gets to its place with the fewest keys.
#[derive(Serialize, Tsify)]
pub struct MovePath {
    /// Where it spawns.
    #[tsify(type = "Cell[]")]
    start: [(i32, i32); 4],
    /// Key by key; empty if the game has no keys.
    steps: Vec<PathStep>,
}

/// A key of a path.
#[derive(Serialize, Tsify)]
pub struct PathStep {
    /// Such as `left`, `far right`, `soft drop 3` or `hold`.
    key: String,
    /// Where the piece is after it.
    #[tsify(type = "Cell[]")]
    cells: [(i32, i32); 4],
}

impl MovePath {
    fn of(view: &View, play: Move) -> MovePath {
        let mut location = view.rules.spawn(play.placement.piece(), &view.board);
        let start = location.cells();
        if view.rules.movement == Movement::Straight {
            return MovePath { start, steps: Vec::new() };
        }
        let keys = path::keys_to(&view.board, location, play.placement, view.rules.move_rules());
        let hold = play.hold.then(|| PathStep { key: "hold".to_owned(), cells: start });
        let pressed = keys.unwrap_or_default().into_iter().map(|key| {
            // A hard drop of a piece that is down already does not move it.
            location = key.press(location, &view.board).map_or(location, |(after, _)| after);
            PathStep { key: key.to_string(), cells: location.cells() }
        });
        MovePath { start, steps: hold.into_iter().chain(pressed).collect() }
    }
}

/// The path of a considered move, in the position that the thinker was asked about.
#[wasm_bindgen(js_name = movePath)]
pub fn move_path(position: &[u8], play: &[u8]) -> Result<Ts<MovePath>, JsError> {
    let question: Question = serde_json::from_slice(position).map_err(error)?;
    let view = View { rules: &question.rules, position: &question.position };
    let play: Move = postcard::from_bytes(play).map_err(error)?;
    Ok(MovePath::of(&view, play).into_ts()?)
}

fn bytes(play: Move) -> Vec<u8> {
    postcard::to_allocvec(&play).expect("a move in memory can be written to memory")
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use tetrion_engine::game::Game;
    use tetrion_engine::ruleset::Mode;

    #[test]
    fn every_path_ends_where_the_piece_is_placed() {
        for mode in [Mode::Sprint, Mode::Classic] {
            let mut game = Game::new(Ruleset::for_agents(mode), 2).unwrap();
            let mut thinker = Thinker::new("capstone", 0).ok().unwrap();
            for _ in 0..30 {
                let view = game.view().unwrap();
                let thought = thinker.thought(&view, true).unwrap();
                for candidate in &thought.candidates {
                    let play: Move = postcard::from_bytes(&candidate.play).unwrap();
                    let path = MovePath::of(&view, play);
                    // Two orientations may fill the same cells.
                    let set = |cells: [(i32, i32); 4]| BTreeSet::from(cells);
                    let last = path.steps.last().map(|step| set(step.cells));
                    let placed = set(play.placement.location().cells());
                    assert_eq!(last, (mode == Mode::Sprint).then_some(placed));
                    assert_eq!(path.steps.iter().any(|step| step.key == "hold"), play.hold);
                }
                game.play(postcard::from_bytes(&thought.play).unwrap()).unwrap();
            }
        }
    }
}
