//! The table of placements: one row for each piece that was placed.

use crate::table::Table;
use std::sync::Arc;
use tetrion_engine::piece::Piece;
use tetrion_engine::record::{Keys, PlacementRecord};
use tetrion_engine::ruleset::Ruleset;
use tetrion_players::features::{Feature, FeatureScope};
use tetrion_study::opportunity::Mistakes;
use tetrion_study::stack::{HoleChange, Stacking, Well};

/// The game that a row belongs to.
#[derive(Debug)]
pub struct GameIdentity {
    /// Its number, from 0: in its run, or among the replays.
    pub number: u64,
    /// Its seed.
    pub seed: u64,
    /// Who played it.
    pub agent: Arc<str>,
    /// Its rules.
    pub rules: Arc<Ruleset>,
}

/// How an agent came to its move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// The moves that it considered.
    pub candidates: u32,
    /// How much more its choice scored than the next best move. `None` if there was no other.
    pub margin: Option<f64>,
}

/// Which columns a table of placements has beside those that it always has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MoreColumns {
    /// The features of each placement and of the boards before and after it.
    pub features: bool,
    /// How the agent chose.
    pub choices: bool,
}

/// A placement, with what was measured around it.
pub struct PlacementRow {
    pub(crate) game: Arc<GameIdentity>,
    pub(crate) record: PlacementRecord,
    /// The points of its lines and spin without the back-to-back bonus.
    pub(crate) clear_points: u32,
    pub(crate) holes: u32,
    pub(crate) hole_change: HoleChange,
    pub(crate) well: Option<Well>,
    pub(crate) stacking: Option<Stacking>,
    pub(crate) mistakes: Mistakes,
    pub(crate) choice: Option<Choice>,
    pub(crate) features: Option<Box<FeatureValues>>,
}

/// The values of features, in the order of [`features_before`] and [`Feature::ALL`].
pub(crate) struct FeatureValues {
    pub before: Vec<f32>,
    /// `None` if the placement lost the game.
    pub after: Option<Vec<f32>>,
}

/// The features that describe a board on which nothing was placed yet.
pub(crate) fn features_before() -> impl Iterator<Item = Feature> {
    let of_board = |feature: &Feature| feature.scope() == FeatureScope::Board && !feature.sees_streaks();
    Feature::ALL.iter().copied().filter(of_board)
}

/// The names of the orientations in tables, clockwise from the one that pieces spawn in.
const ORIENTATIONS: [&str; 4] = ["north", "east", "south", "west"];

/// The table with the columns that are wanted.
pub fn placements(more: MoreColumns) -> Table<PlacementRow> {
    let keys = |row: &PlacementRow, count: fn(Keys) -> u32| row.record.keys.map(count);
    let mut table = Table::<PlacementRow>::new("placements")
        .column("game", "The number of the game, from 0.", |row: &PlacementRow| row.game.number)
        .column("seed", "The seed of the game's pieces.", |row| row.game.seed)
        .text("agent", "Who played: an agent or a person.", |row| (&*row.game.agent).into())
        .text("ruleset", "The mode: sprint, blitz, practice, zen or classic. The table of games has all rules.", |row| {
            row.game.rules.mode.name().into()
        })
        .column("index", "The number of the placement in its game, from 0.", |row| row.record.number - 1)
        .optional("time", "Time played when the piece locked, in seconds. Agents' games have no time.", |row| {
            row.record.at.map(|micros| micros as f64 / 1e6)
        })
        .text("piece", "The piece: I, J, L, O, S, T or Z.", |row| {
            piece_name(row.record.placement.piece()).into()
        })
        .column("held", "Whether hold was used for this placement.", |row| row.record.held)
        .text(
            "orientation",
            "The orientation in which the piece locked: north is as it spawns, then clockwise east, south and west. Orientations with \
             the same cells count as the first of them.",
            |row| ORIENTATIONS[row.record.placement.location().orientation as usize].into(),
        )
        .column("column", "The leftmost column that the piece covers, from 0.", |row| {
            row.record.placement.left_column() as u8
        })
        .column("row", "The lowest row that the piece covers before lines are cleared, from 0.", |row| {
            row.record.placement.location().bottom() as u8
        })
        .text("spin", "The kind of T-spin: none, mini or full.", |row| {
            SPINS[row.record.placement.spin() as usize].into()
        })
        .column("lines", "Lines cleared.", |row| row.record.lines as u8)
        .optional_text("clear", "The name of the clear or spin, such as T-Spin Double. Missing without one.", |row| {
            row.record.clear_name().map(Into::into)
        })
        .column("perfect_clear", "Whether the clear left the board empty (all clear).", |row| row.record.perfect_clear)
        .column("back_to_back", "Whether the clear got the back-to-back bonus.", |row| row.record.back_to_back)
        .column("combo", "How many clears in a row came before this one. 0 without a clear.", |row| row.record.combo)
        .column("points", "All points of the placement: the sum of the next five columns.", |row| {
            row.record.points.total()
        })
        .column("points_clear", "Points for lines and spin, without bonuses.", |row| row.clear_points)
        .column("points_back_to_back", "Points that back-to-back added. Below zero if it is worth less by the rules.", |row| {
            row.record.points.clear as i32 - row.clear_points as i32
        })
        .column("points_combo", "Points for the combo.", |row| row.record.points.combo)
        .column("points_perfect_clear", "Points that the perfect clear added.", |row| row.record.points.perfect_clear)
        .column("points_drop", "Points for soft and hard drops.", |row| row.record.points.drop)
        .optional("keys", "Keys pressed, with hold and hard drop. For agents, the fewest that the move needs.", move |row| {
            keys(row, |keys| keys.pressed)
        })
        .optional("fewest_keys", "The fewest keys that the move needs.", move |row| keys(row, |keys| keys.fewest))
        .optional("fault", "Whether it was a finesse fault: more keys than needed.", |row| {
            row.record.keys.map(Keys::is_fault)
        })
        .column("height", "The height of the highest column after the placement, in rows.", |row| row.record.totals.height)
        .column("holes", "Holes after the placement: empty cells with a filled cell above them.", |row| row.holes)
        .column("holes_made", "Holes that the placement made.", |row| row.hole_change.made)
        .column("holes_removed", "Holes that it filled, or that its lines opened or removed.", |row| row.hole_change.removed)
        .optional("well_column", "The column that is lower than every other column after the placement, from 0.", |row| {
            row.well.map(|well| well.column as u8)
        })
        .optional("well_depth", "How many rows the well is below the next lowest column.", |row| {
            row.well.map(|well| well.depth as u8)
        })
        .text(
            "stacking",
            "The stacking pattern after the placement: the columns on both sides of a well at least two rows deep, such as 9-0 or 6-3, \
             or freeform.",
            |row| stacking_name(row.stacking),
        )
        .column(
            "covered_well",
            "Whether it covered the well of a stacking pattern.",
            |row| row.mistakes.covered_well,
        )
        .column("wasted_i", "Whether an I went elsewhere although a tetris was ready.", |row| row.mistakes.wasted_i)
        .column(
            "wasted_t",
            "Whether a T cleared fewer than two lines by a full T-spin although that was possible.",
            |row| row.mistakes.wasted_t,
        );
    if more.choices {
        table = table
            .optional("candidates", "The number of moves that the agent considered.", |row| {
                row.choice.map(|choice| choice.candidates)
            })
            .optional(
                "margin",
                "How much more the choice scored than the next best move, in the agent's own units.",
                |row| row.choice.and_then(|choice| choice.margin),
            );
    }
    if more.features {
        for (index, feature) in features_before().enumerate() {
            let (name, meaning) =
                (format!("before_{feature}"), format!("`{feature}` on the board before the placement."));
            table = table
                .optional(name, meaning, move |row| row.features.as_ref().map(|values| values.before[index]));
        }
        for (index, feature) in Feature::ALL.iter().enumerate() {
            let of_what = match feature.scope() {
                FeatureScope::Placement => "of the placement",
                FeatureScope::Board => "on the board after the placement",
            };
            let meaning = format!("`{feature}` {of_what}. Missing if it lost the game.");
            table = table.optional(format!("after_{feature}"), meaning, move |row| {
                Some(row.features.as_ref()?.after.as_ref()?[index])
            });
        }
    }
    table
}

/// The names of the kinds of T-spins in tables.
const SPINS: [&str; 3] = ["none", "mini", "full"];

/// The name of a piece in tables.
fn piece_name(piece: Piece) -> &'static str {
    ["I", "J", "L", "O", "S", "T", "Z"][piece as usize]
}

/// A stacking pattern in tables.
pub(crate) fn stacking_name<'r>(stacking: Option<Stacking>) -> std::borrow::Cow<'r, str> {
    stacking.map_or("freeform".into(), |stacking| stacking.to_string().into())
}
