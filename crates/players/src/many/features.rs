//! The features of a placement, and what they are worth together.

use super::ClassicWeights;
use super::lanes::{Lanes, Weight};

/// A placement whose features can be asked for: only those with a weight are.
pub(super) trait Placement<L: Lanes> {
    /// Twice the landing height, which may be half a row.
    fn landing_height_doubled(&self) -> L;
    /// Nothing if no line was cleared.
    fn eroded_piece_cells(&self) -> Option<L>;
    fn row_transitions(&self) -> L;
    fn column_transitions(&self) -> L;
    fn holes(&self) -> L;
    fn board_wells(&self) -> L;
    fn continued_wells(&self) -> L;
    fn hole_depth(&self) -> L;
    fn rows_with_holes(&self) -> L;
    fn diversity(&self) -> L;
    /// Nothing if no line was cleared.
    fn rows_removed(&self) -> Option<L>;
    fn aggregate_height(&self) -> L;
    fn bumpiness(&self) -> L;

    /// The weighted sum. Both ways come here, so that the last bit of the rounding is the same for both.
    #[inline(always)]
    fn scores(&self, weights: &Weights) -> L::Scores {
        let mut scores = L::splat_scores(0.0);
        macro_rules! weigh {
            ($weight:ident, $feature:ident) => {
                if weights.$weight.counts() {
                    L::weigh(&mut scores, &weights.$weight, self.$feature());
                }
            };
            // What is nothing is 0, and adds nothing.
            ($weight:ident, $feature:ident if any) => {
                if weights.$weight.counts()
                    && let Some(feature) = self.$feature()
                {
                    L::weigh(&mut scores, &weights.$weight, feature);
                }
            };
        }
        weigh!(landing_height_halved, landing_height_doubled);
        weigh!(eroded_piece_cells, eroded_piece_cells if any);
        weigh!(row_transitions, row_transitions);
        weigh!(column_transitions, column_transitions);
        weigh!(holes, holes);
        weigh!(board_wells, board_wells);
        weigh!(continued_wells, continued_wells);
        weigh!(hole_depth, hole_depth);
        weigh!(rows_with_holes, rows_with_holes);
        weigh!(diversity, diversity);
        weigh!(rows_removed, rows_removed if any);
        weigh!(aggregate_height, aggregate_height);
        weigh!(bumpiness, bumpiness);
        scores
    }
}

/// The weights of a controller, ready for use.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weights {
    /// To halve a weight is exact, so that it makes of the doubled height what the weight makes of the height.
    landing_height_halved: Weight,
    eroded_piece_cells: Weight,
    row_transitions: Weight,
    column_transitions: Weight,
    holes: Weight,
    pub(super) board_wells: Weight,
    pub(super) continued_wells: Weight,
    hole_depth: Weight,
    rows_with_holes: Weight,
    pub(super) diversity: Weight,
    rows_removed: Weight,
    aggregate_height: Weight,
    pub(super) bumpiness: Weight,
}

impl Weights {
    pub(super) fn new(weights: &ClassicWeights) -> Weights {
        Weights {
            landing_height_halved: Weight::new(weights.landing_height * 0.5),
            eroded_piece_cells: Weight::new(weights.eroded_piece_cells),
            row_transitions: Weight::new(weights.row_transitions),
            column_transitions: Weight::new(weights.column_transitions),
            holes: Weight::new(weights.holes),
            board_wells: Weight::new(weights.board_wells),
            continued_wells: Weight::new(weights.continued_wells),
            hole_depth: Weight::new(weights.hole_depth),
            rows_with_holes: Weight::new(weights.rows_with_holes),
            diversity: Weight::new(weights.diversity),
            rows_removed: Weight::new(weights.rows_removed),
            aggregate_height: Weight::new(weights.aggregate_height),
            bumpiness: Weight::new(weights.bumpiness),
        }
    }
}

/// The features of a board, worked out.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoardFeatures<L> {
    pub(super) row_transitions: L,
    pub(super) column_transitions: L,
    pub(super) holes: L,
    pub(super) board_wells: L,
    pub(super) continued_wells: L,
    pub(super) hole_depth: L,
    pub(super) rows_with_holes: L,
    pub(super) diversity: L,
    pub(super) aggregate_height: L,
    pub(super) bumpiness: L,
}

impl<L: Lanes> BoardFeatures<L> {
    /// All features 0.
    pub(super) fn none() -> BoardFeatures<L> {
        let zero = L::splat(0);
        BoardFeatures {
            row_transitions: zero,
            column_transitions: zero,
            holes: zero,
            board_wells: zero,
            continued_wells: zero,
            hole_depth: zero,
            rows_with_holes: zero,
            diversity: zero,
            aggregate_height: zero,
            bumpiness: zero,
        }
    }
}

/// A placement that was made, and the board after it.
pub(super) struct Made<'b, L> {
    pub(super) landing_height_doubled: L,
    pub(super) eroded_piece_cells: L,
    pub(super) rows_removed: L,
    pub(super) board: &'b BoardFeatures<L>,
}

macro_rules! of_the_board {
    ($($feature:ident)*) => {$(
        #[inline(always)]
        fn $feature(&self) -> L {
            self.board.$feature
        }
    )*};
}

impl<L: Lanes> Placement<L> for Made<'_, L> {
    #[inline(always)]
    fn landing_height_doubled(&self) -> L {
        self.landing_height_doubled
    }

    #[inline(always)]
    fn eroded_piece_cells(&self) -> Option<L> {
        Some(self.eroded_piece_cells)
    }

    #[inline(always)]
    fn rows_removed(&self) -> Option<L> {
        Some(self.rows_removed)
    }

    of_the_board! {
        row_transitions column_transitions holes board_wells continued_wells
        hole_depth rows_with_holes diversity aggregate_height bumpiness
    }
}
