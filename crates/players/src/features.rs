//! The features: numbers that describe a placement or the board after it.
//!
//! To add a feature, add it to the list below: its meaning, its name, a few words for those who look at a move, whether it describes
//! the placement or the board, and how to compute it. Its cells are in [`subject`](crate::subject).

use crate::afterstate::Afterstate;
use std::fmt;
use std::str::FromStr;

/// What a feature describes. In a line of several placements, placement features add up, while board features are those of
/// the last board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FeatureScope {
    /// The placement.
    Placement,
    /// The board that it leaves, and the current streak.
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
    ($($(#[doc = $doc:literal])+ $variant:ident, $name:literal, $brief:literal, $scope:ident => $value:expr;)+) => {
        /// A number that describes a placement or the board that it leaves. Rows and columns count from 0.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Feature {
            $($(#[doc = $doc])+ $variant,)+
        }

        impl Feature {
            /// All features. Scores are summed in this order.
            pub const ALL: &[Feature] = &[$(Feature::$variant),+];

            /// Its name in files.
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

            /// What it means, in a few words.
            pub const fn brief(self) -> &'static str {
                match self {
                    $(Feature::$variant => $brief,)+
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
    /// The row of the middle of the piece, before clearing: the row of its lowest cell, plus (its height - 1) / 2.
    LandingHeight, "landing_height", "How high the piece comes to rest", Placement => |after| after.landing_height();
    /// Rows that the placement fills, times the cells of the piece in these rows.
    ErodedPieceCells, "eroded_piece_cells", "Lines cleared, times the piece's cells in them", Placement => |after| f64::from(after.eroded_cells());
    /// Changes between filled and empty along each row; both walls count as filled, so an empty row counts 2.
    RowTransitions, "row_transitions", "Where filled and empty cells meet in a row", Board => |after| f64::from(after.row_transitions());
    /// Changes between filled and empty down each column; the floor counts as filled and the space above the board as empty,
    /// so every column counts at least 1.
    ColumnTransitions, "column_transitions", "Where filled and empty cells meet in a column", Board => |after| f64::from(after.column_transitions());
    /// Empty cells with a filled cell anywhere above them in the column.
    Holes, "holes", "Empty cells below a filled one", Board => |after| f64::from(after.holes());
    /// For each empty cell between two filled cells or walls: 1, plus the empty cells in the run directly below it.
    BoardWells, "board_wells", "Cells in wells; deeper ones count more", Board => |after| f64::from(after.board_wells());
    /// Like `board_wells`, but once a well cell is found, every empty cell below it in the run counts as a well cell too, with
    /// open sides or not: a run of n cells counts 1 + 2 + ... + n.
    ContinuedWells, "continued_wells", "Cells in wells, down to their floor; deeper ones count more", Board => |after| f64::from(after.continued_wells());
    /// Open wells exactly two deep: columns two lower than one neighbour and at least two lower than the other. Walls are infinitely high.
    ShallowWells, "shallow_wells", "Columns two lower than their neighbours", Board => |after| f64::from(after.shallow_wells());
    /// Open wells at least three deep: columns at least three lower than both neighbours. Walls are infinitely high.
    DeepWells, "deep_wells", "Columns three or more lower than both neighbours", Board => |after| f64::from(after.deep_wells());
    /// For each hole, the filled cells in the run directly above it.
    HoleDepth, "hole_depth", "Filled cells right above holes", Board => |after| f64::from(after.hole_depth());
    /// Rows with at least one hole.
    RowsWithHoles, "rows_with_holes", "Rows with a hole", Board => |after| f64::from(after.rows_with_holes());
    /// How many of the values from -2 to 2 occur as height differences of neighbouring columns.
    Diversity, "diversity", "Different small steps between columns: more pieces fit", Board => |after| f64::from(after.diversity());
    /// 1 if neighbouring columns of equal height occur, else 0. `diversity` is the sum of `diversity_0`, `_1` and `_2`.
    Diversity0, "diversity_0", "Level steps between columns", Board => |after| f64::from(after.diversity_0());
    /// How many of the values 1 and -1 occur as height differences of neighbouring columns.
    Diversity1, "diversity_1", "Steps of one between columns", Board => |after| f64::from(after.diversity_1());
    /// How many of the values 2 and -2 occur as height differences of neighbouring columns.
    Diversity2, "diversity_2", "Steps of two between columns", Board => |after| f64::from(after.diversity_2());
    /// 1 if at least two pairs of neighbouring columns have equal heights, else 0: after a piece has used one, there is another.
    Spare0, "spare_0", "Level steps between columns, two or more", Board => |after| f64::from(after.spare_0());
    /// How many of the values 1 and -1 occur at least twice as height differences of neighbouring columns.
    Spare1, "spare_1", "Steps of one between columns, two or more", Board => |after| f64::from(after.spare_1());
    /// How many of the values 2 and -2 occur at least twice as height differences of neighbouring columns.
    Spare2, "spare_2", "Steps of two between columns, two or more", Board => |after| f64::from(after.spare_2());
    /// Lines that the placement clears. Same value as `complete_lines`.
    RowsRemoved, "rows_removed", "Lines that the move clears", Placement => |after| f64::from(after.lines);
    /// The sum of the column heights.
    AggregateHeight, "aggregate_height", "The heights of all columns, added up", Board => |after| f64::from(after.aggregate_height());
    /// The sum of the squared column heights.
    SquaredHeights, "squared_heights", "The squared heights of all columns, added up", Board => |after| f64::from(after.squared_heights());
    /// The sum of the absolute height differences of neighbouring columns.
    Bumpiness, "bumpiness", "Steps between neighbouring columns, added up", Board => |after| f64::from(after.bumpiness());
    /// Rows that the placement fills, whether the judged board still has them or not.
    CompleteLines, "complete_lines", "Lines that the move fills", Placement => |after| f64::from(after.lines);
    /// Empty cells with no path of empty cells from the top row, moving left, right, up and down.
    UnreachableHoles, "unreachable_holes", "Empty cells closed off from above", Board => |after| f64::from(after.unreachable_holes());
    /// The mean column height.
    MeanHeight, "mean_height", "The mean height of the columns", Board => |after| after.mean_height();
    /// The sample variance of the column heights.
    HeightVariance, "height_variance", "How much the heights of the columns differ", Board => |after| after.height_variance();
    /// Empty cells between two filled cells or walls, except in the top row.
    Tunnels, "tunnels", "Empty cells between two filled ones in a row", Board => |after| f64::from(after.tunnels());
    /// The points that the placement scores under the rules of the game, without drop points.
    Points, "points", "Points that the move scores", Placement => |after| f64::from(after.scored().points.total());
    /// Lines cleared by a full T-spin.
    TSpinLines, "t_spin_lines", "Lines cleared by a T-spin", Placement => |after| f64::from(after.t_spin_lines());
    /// 1 if the placement leaves the board empty, else 0.
    PerfectClear, "perfect_clear", "Whether the move is an all clear", Placement => |after| f64::from(u8::from(after.is_perfect_clear()));
    /// 1 if the next tetris or T-spin would be back-to-back, else 0.
    BackToBack, "back_to_back", "Whether back-to-back is on", Board => |after| f64::from(u8::from(after.streak().back_to_back));
    /// Consecutive placements that cleared lines, including this one.
    Combo, "combo", "Clears in a row, with this one", Board => |after| f64::from(after.streak().clears);
}

impl Feature {
    /// Whether it depends on back-to-back or combos.
    pub const fn sees_streaks(self) -> bool {
        matches!(self, Feature::Points | Feature::BackToBack | Feature::Combo)
    }
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// There is no feature with this name.
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
