//! What the page draws.

use serde::Serialize;
use tetrion_engine::board::Board;
use tetrion_engine::clock::Clock;
use tetrion_engine::game::Game;
use tetrion_engine::location::PieceLocation;
use tetrion_engine::picture::Picture;
use tetrion_engine::piece::{Orientation, Piece};
use tetrion_engine::randomizer::Bag;
use tetrion_engine::record::{Keys, Outcome, PlacementRecord, Totals};
use tetrion_engine::ruleset::{Micros, Mode};
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const NAMES: &str = include_str!("names.ts");

/// Rows above the visible ones that are sent to the page: pieces spawn there.
const ROWS_ABOVE: usize = 4;
/// The number of a grey cell; pieces have 1 to 7, in table order.
const GREY: u8 = 8;

/// A game as it is seen.
#[derive(Serialize, Tsify)]
#[tsify(missing_as_null)]
#[serde(rename_all = "camelCase")]
pub struct GameView {
    #[tsify(type = "Mode")]
    pub mode: Mode,
    pub width: u8,
    /// Visible rows; `cells` has four more.
    pub height: u8,
    /// Row by row from the bottom: 0 is empty, 1 to 7 is a piece, 8 is a grey cell.
    #[serde(with = "serde_bytes")]
    #[tsify(type = "Uint8Array")]
    pub cells: Vec<u8>,
    pub active: Option<PieceView>,
    #[tsify(type = "Cell[] | null")]
    pub ghost: Option<[(i32, i32); 4]>,
    #[tsify(type = "Piece | null")]
    pub hold: Option<Piece>,
    pub can_hold: bool,
    /// Whether the rules have hold.
    pub has_hold: bool,
    #[tsify(type = "Piece[]")]
    pub previews: Vec<Piece>,
    /// How many previews come before the next bag; null if no bag ends among them.
    pub bag_line: Option<usize>,
    /// Microseconds played.
    pub time: f64,
    pub score: f64,
    pub lines: u32,
    pub pieces: u32,
    pub goal_lines: Option<u32>,
    pub goal_pieces: Option<u32>,
    /// Microseconds.
    pub goal_time: Option<f64>,
    #[tsify(type = "Outcome | null")]
    pub outcome: Option<&'static str>,
    /// How the game was lost, such as "Block out".
    pub reason: Option<String>,
    pub keys: u32,
    /// Finesse faults.
    pub faults: u32,
}

impl GameView {
    /// A game after its last placement, at a time.
    pub fn new(game: &Game, picture: &Picture, time: Micros, last: Option<&PlacementView>) -> GameView {
        let rules = game.rules();
        let (outcome, reason) = outcome(game);
        GameView {
            mode: rules.mode,
            width: rules.width,
            height: rules.visible_height,
            cells: cells(game, picture),
            active: None,
            ghost: None,
            hold: game.held(),
            can_hold: game.can_hold(),
            has_hold: rules.hold,
            previews: game.previews().to_vec(),
            bag_line: bag_line(game),
            time: time as f64,
            score: game.score() as f64,
            lines: game.lines(),
            pieces: game.placed(),
            goal_lines: rules.goal.lines,
            goal_pieces: rules.goal.pieces,
            goal_time: rules.goal.time.map(|time| time as f64),
            outcome,
            reason,
            keys: last.map_or(0, |last| last.all_keys),
            faults: last.map_or(0, |last| last.faults),
        }
    }

    /// A game in real time, with its active piece and where that would land.
    pub fn of_clock(clock: &Clock, last: Option<&PlacementView>) -> GameView {
        GameView {
            active: clock.active().map(PieceView::from),
            ghost: clock.ghost().map(|ghost| ghost.cells()),
            ..GameView::new(clock.game(), clock.picture(), clock.time(), last)
        }
    }
}

/// A piece and its cells.
#[derive(Serialize, Tsify)]
pub struct PieceView {
    #[tsify(type = "Piece")]
    pub piece: Piece,
    #[tsify(type = "Cell[]")]
    pub cells: [(i32, i32); 4],
}

impl From<PieceLocation> for PieceView {
    fn from(location: PieceLocation) -> PieceView {
        PieceView { piece: location.piece, cells: location.cells() }
    }
}

/// A placement.
#[derive(Clone, Serialize, Tsify)]
#[tsify(missing_as_null)]
#[serde(rename_all = "camelCase")]
pub struct PlacementView {
    /// From 1.
    pub number: u32,
    /// Microseconds played.
    pub at: f64,
    /// The name of the clear, such as "T-Spin Double".
    #[tsify(type = "string | null")]
    pub name: Option<&'static str>,
    pub cleared: u32,
    /// The cleared rows, counted from the bottom.
    pub cleared_rows: Vec<u8>,
    pub back_to_back: bool,
    pub combo: u32,
    pub perfect_clear: bool,
    /// After it.
    pub lines: u32,
    /// After it.
    pub score: f64,
    /// The height of the stack after it.
    pub height: u8,
    /// The lines that it sent to the other player, in versus.
    pub sent: u32,
    /// Rows of garbage that rose with it.
    pub garbage: u32,
    /// Keys pressed so far.
    #[serde(skip)]
    pub all_keys: u32,
    /// Finesse faults so far.
    #[serde(skip)]
    pub faults: u32,
    /// Lines sent so far.
    #[serde(skip)]
    pub all_sent: u32,
}

/// The placements of a game.
#[derive(Serialize, Tsify)]
#[tsify(missing_as_null)]
pub struct Placements {
    pub placed: Vec<PlacementView>,
}

impl PlacementView {
    /// A placement, after an earlier one.
    pub fn new(record: &PlacementRecord, before: Option<&PlacementView>) -> PlacementView {
        let Totals { lines, score, height } = record.totals;
        let (all_keys, faults, all_sent) =
            before.map_or((0, 0, 0), |before| (before.all_keys, before.faults, before.all_sent));
        PlacementView {
            number: record.number,
            at: record.at.unwrap_or(0) as f64,
            name: record.clear_name(),
            cleared: record.lines,
            cleared_rows: (0..Board::MAX_HEIGHT as u8)
                .filter(|y| record.cleared_rows >> y & 1 == 1)
                .collect(),
            back_to_back: record.back_to_back,
            combo: record.combo,
            perfect_clear: record.perfect_clear,
            lines,
            score: score as f64,
            height,
            sent: record.sent,
            garbage: record.garbage,
            all_sent: all_sent + record.sent,
            all_keys: all_keys + record.keys.map_or(0, |keys| keys.pressed),
            faults: faults + u32::from(record.keys.is_some_and(Keys::is_fault)),
        }
    }
}

/// The cells of a board with their colours.
fn cells(game: &Game, picture: &Picture) -> Vec<u8> {
    let rules = game.rules();
    let (width, rows) = (usize::from(rules.width), usize::from(rules.visible_height) + ROWS_ABOVE);
    let cell =
        |x: usize, y: usize| match game.board().is_filled(x as i32, y as i32) && y < game.board().height() {
            true => picture.cell(x, y).map_or(GREY, |piece| piece as u8 + 1),
            false => 0,
        };
    (0..rows).flat_map(|y| (0..width).map(move |x| cell(x, y))).collect()
}

/// How many of the previews come before the next bag.
fn bag_line(game: &Game) -> Option<usize> {
    let left = game.view()?.bag?.len();
    // The last to be drawn are of the newest bag, of which `left` are still to come.
    let previews = game.previews().len();
    (previews + left).checked_sub(Bag::FULL.len()).filter(|before| (1..previews).contains(before))
}

/// The name of the outcome, and how a lost game was lost.
fn outcome(game: &Game) -> (Option<&'static str>, Option<String>) {
    let lost = match game.outcome() {
        Some(Outcome::TopOut(how)) => Some(how.to_string()),
        _ => None,
    };
    (game.outcome().map(Outcome::name), lost)
}

/// The pieces in table order, each as it spawns.
#[derive(Serialize, Tsify)]
pub struct Shapes {
    pub pieces: Vec<PieceShape>,
}

/// A piece as it spawns, moved to the lowest row and the first column.
#[derive(Serialize, Tsify)]
pub struct PieceShape {
    #[tsify(type = "Piece")]
    pub piece: Piece,
    #[tsify(type = "Cell[]")]
    pub cells: [(usize, usize); 4],
}

/// The pieces.
#[wasm_bindgen]
pub fn shapes() -> Result<Ts<Shapes>, JsError> {
    let shape = |piece: Piece| PieceShape { piece, cells: piece.shape(Orientation::North) };
    Ok(Shapes { pieces: Piece::ALL.into_iter().map(shape).collect() }.into_ts()?)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use std::fs;
    use tetrion_engine::clock::Button;
    use tetrion_engine::record::TopOut;
    use tetrion_engine::versus::VersusPreset;
    use tetrion_leaderboard::{Category, Competitor};

    const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/names.ts");
    const HEAD: &str = "// Names of the engine. Generated by `cargo test -p tetrion-wasm`: do not edit.\n";
    const SIDE: &str = "/** A side of a match. */\nexport type Side = 0 | 1;\n";
    const CELL: &str = "/** Column, and row from the bottom. */\nexport type Cell = [number, number];\n";

    fn union(name: &str, values: &[impl Serialize]) -> String {
        let values: Vec<String> = values.iter().map(|value| serde_json::to_string(value).unwrap()).collect();
        format!("export type {name} = {};\n", values.join(" | "))
    }

    #[test]
    fn the_page_has_the_names_of_the_engine() {
        let outcomes =
            [Outcome::Clear, Outcome::TopOut(TopOut::BlockOut), Outcome::TimeUp, Outcome::PieceLimit];
        let names = [
            HEAD.to_owned(),
            union("Piece", &Piece::ALL),
            union("Mode", &Mode::ALL),
            union("Button", &Button::ALL),
            union("Outcome", &outcomes.map(Outcome::name)),
            union("VersusPreset", &VersusPreset::ALL),
            union("Competitor", &[Competitor::Person, Competitor::Agent]),
            union("Category", &Category::LASTING).replace(';', " | `daily-${string}`;"),
            SIDE.to_owned(),
            CELL.to_owned(),
        ];
        if names.concat() != include_str!("names.ts") {
            fs::write(FILE, names.concat()).unwrap();
            panic!("names.ts was stale and has been written again: build the page and commit both");
        }
    }
}
