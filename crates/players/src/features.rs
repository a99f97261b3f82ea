//! What an evaluator can see in a board after a placement.
//!
//! To add a feature, add it to the list below: what it means, its name, whether it describes the placement or the board, and how
//! it is computed.

use crate::afterstate::Afterstate;
use std::fmt;
use std::str::FromStr;

/// What a feature describes. Along a line of several placements the features of each placement add up, while those of the
/// board are of the last board alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FeatureScope {
    /// The placement.
    Placement,
    /// The board that it leaves, and the streak under way.
    Board,
}

impl FeatureScope {
    /// Its name in listings.
    pub const fn name(self) -> &'static str {
        match self {
            FeatureScope::Placement => "placement",
            FeatureScope::Board => "board",
        }
    }
}

macro_rules! features {
    ($($(#[doc = $doc:literal])+ $variant:ident, $name:literal, $scope:ident => $value:expr;)+) => {
        /// A number that describes a placement or the board that it leaves. Rows and columns count from 0.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Feature {
            $($(#[doc = $doc])+ $variant,)+
        }

        impl Feature {
            /// All features. Scores are summed in this order.
            pub const ALL: &[Feature] = &[$(Feature::$variant),+];

            /// The feature's name in files.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Feature::$variant => $name,)+
                }
            }

            /// What it describes.
            pub const fn scope(self) -> FeatureScope {
                match self {
                    $(Feature::$variant => FeatureScope::$scope,)+
                }
            }

            /// What it means, in a sentence or two.
            pub fn meaning(self) -> &'static str {
                match self {
                    $(Feature::$variant => concat!($($doc),+).trim_start(),)+
                }
            }

            /// Its value.
            #[inline(always)]
            pub fn value(self, after: &Afterstate) -> f64 {
                match self {
                    $(Feature::$variant => {
                        let value: fn(&Afterstate) -> f64 = $value;
                        value(after)
                    })+
                }
            }
        }
    };
}

features! {
    /// Row of the piece's lowest cell, before clearing, plus half of its height less one.
    LandingHeight, "landing_height", Placement => |after| after.landing_height();
    /// Rows that the placement fills, times the cells of the piece in them.
    ErodedPieceCells, "eroded_piece_cells", Placement => |after| f64::from(after.eroded_cells());
    /// Changes between filled and empty along each row; both walls are filled, so an empty row counts two.
    RowTransitions, "row_transitions", Board => |after| f64::from(after.row_transitions());
    /// Changes between filled and empty down each column; the floor is filled and the space above the board empty, so every
    /// column counts at least one.
    ColumnTransitions, "column_transitions", Board => |after| f64::from(after.column_transitions());
    /// Empty cells with a filled cell anywhere above them in the column.
    Holes, "holes", Board => |after| f64::from(after.holes());
    /// For each empty cell between two filled ones (or walls), one and the empty cells directly below it.
    BoardWells, "board_wells", Board => |after| f64::from(after.board_wells());
    /// The same, but once such a cell is met going down, each empty cell below it counts one more than the last, sides open
    /// or not, until a filled one.
    ContinuedWells, "continued_wells", Board => |after| f64::from(after.continued_wells());
    /// Open wells at least three deep: columns whose height is at least three less than that of both neighbours; walls are
    /// infinitely high.
    DeepWells, "deep_wells", Board => |after| f64::from(after.deep_wells());
    /// For each hole, the filled cells in the run directly above it.
    HoleDepth, "hole_depth", Board => |after| f64::from(after.hole_depth());
    /// Rows with at least one hole.
    RowsWithHoles, "rows_with_holes", Board => |after| f64::from(after.rows_with_holes());
    /// Distinct height differences of neighbouring columns, of those from -2 to 2.
    Diversity, "diversity", Board => |after| f64::from(after.diversity());
    /// 1 if 0 is among the height differences of neighbouring columns, else 0. This and the next two add up to the diversity.
    Diversity0, "diversity_0", Board => |after| f64::from(after.diversity_0());
    /// How many of 1 and -1 are among the height differences of neighbouring columns.
    Diversity1, "diversity_1", Board => |after| f64::from(after.diversity_1());
    /// How many of 2 and -2 are among the height differences of neighbouring columns.
    Diversity2, "diversity_2", Board => |after| f64::from(after.diversity_2());
    /// Rows that the placement fills, and that are then removed.
    RowsRemoved, "rows_removed", Placement => |after| f64::from(after.lines);
    /// The heights of all columns together.
    AggregateHeight, "aggregate_height", Board => |after| f64::from(after.aggregate_height());
    /// The squares of the heights of all columns together.
    SquaredHeights, "squared_heights", Board => |after| f64::from(after.squared_heights());
    /// Differences in height of neighbouring columns, regardless of sign, together.
    Bumpiness, "bumpiness", Board => |after| f64::from(after.bumpiness());
    /// Full rows: those that the placements fill, whether they are still there or removed.
    CompleteLines, "complete_lines", Placement => |after| f64::from(after.lines);
    /// Empty cells that can't be reached from the top through other empty cells, step by step left, right, up or down.
    UnreachableHoles, "unreachable_holes", Board => |after| f64::from(after.unreachable_holes());
    /// The average height of a column.
    MeanHeight, "mean_height", Board => |after| after.mean_height();
    /// The variance of the columns' heights, as of a sample.
    HeightVariance, "height_variance", Board => |after| after.height_variance();
    /// Empty cells below the top row between two filled ones (or walls).
    Tunnels, "tunnels", Board => |after| f64::from(after.tunnels());
    /// The points of the placement by the rules of the game, drops not included.
    Points, "points", Placement => |after| f64::from(after.scored().points.total());
    /// Lines cleared by a full T-spin.
    TSpinLines, "t_spin_lines", Placement => |after| f64::from(after.t_spin_lines());
    /// 1 if the placement leaves the board empty, else 0.
    PerfectClear, "perfect_clear", Placement => |after| f64::from(u8::from(after.is_perfect_clear()));
    /// 1 if the next tetris or T-spin would be back-to-back, else 0.
    BackToBack, "back_to_back", Board => |after| f64::from(u8::from(after.streak().back_to_back));
    /// Placements in a row that have cleared lines, this one included.
    Combo, "combo", Board => |after| f64::from(after.streak().clears);
}

impl Feature {
    /// Whether it looks at back-to-back or combos.
    pub const fn sees_streaks(self) -> bool {
        matches!(self, Feature::Points | Feature::BackToBack | Feature::Combo)
    }
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that is no feature's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no feature '{0}': choose from {list}", list = all_names())]
pub struct UnknownFeature(pub String);

fn all_names() -> String {
    Feature::ALL.iter().map(|feature| feature.name()).collect::<Vec<_>>().join(", ")
}

impl FromStr for Feature {
    type Err = UnknownFeature;

    fn from_str(name: &str) -> Result<Feature, UnknownFeature> {
        let known = Feature::ALL.iter().find(|feature| feature.name() == name);
        known.copied().ok_or_else(|| UnknownFeature(name.to_owned()))
    }
}
