//! The features of a stack before a piece is placed on it, and their prefix sums from the left.
//!
//! A placement changes a few columns. What the other columns contribute to a feature is the total minus a difference of two
//! prefix sums.

use super::features::{Features, Weights};
use super::field::Size;
use super::lanes::Lanes;
use crate::features::Feature;
use std::ops::Range;

/// Columns of wall on each side. A column's wells depend on its neighbours, and a placement changes the wells of the columns
/// beside it. With two columns of wall no neighbour needs a bounds check.
pub(super) const WALL: usize = 2;

/// The largest number of columns, including walls.
pub(super) const COLUMNS: usize = 16 + 2 * WALL;

/// The height of a wall: higher than any stack.
const WALL_HEIGHT: u16 = 255;

/// The height differences that `diversity_0`, `diversity_1` and `diversity_2` count: 0, ±1 and ±2, as bit sets.
pub(super) const DIVERSITY_STEPS: [u16; 3] = [0b00100, 0b01010, 0b10001];

/// The stacks of as many boards as there are lanes, and their features.
pub(super) struct Stack<L> {
    pub(super) columns: [L; COLUMNS],
    pub(super) heights: [L; COLUMNS],
    /// 1 where a column has a hole.
    pub(super) has_hole: [L; COLUMNS],
    /// The rows that are full in all columns to the left.
    pub(super) full_before: [L; COLUMNS],
    /// The rows that are full in this column and all to the right.
    pub(super) full_from: [L; COLUMNS],
    /// Sum of the heights of the columns to the left.
    pub(super) height_before: [L; COLUMNS],
    /// Sum of the squared heights of the columns to the left.
    pub(super) squares_before: [L; COLUMNS],
    /// Row transitions, up to the one into this column.
    pub(super) transitions_before: [L; COLUMNS],
    pub(super) board_wells_before: [L; COLUMNS],
    pub(super) continued_wells_before: [L; COLUMNS],
    pub(super) deep_wells_before: [L; COLUMNS],
    /// The set of height differences up to the one into this column, and from the one out of it.
    pub(super) steps_before: [L; COLUMNS],
    pub(super) steps_from: [L; COLUMNS],
    pub(super) bumps_before: [L; COLUMNS],
    /// The number of filled cells.
    pub(super) cells: L,
    /// The rows with a hole.
    pub(super) hole_rows: L,
    /// The features of the boards. The kernel fills in those of placements.
    pub(super) features: Features<L>,
}

impl<L: Lanes> Stack<L> {
    /// Empty boards.
    pub(super) fn new(size: Size) -> Stack<L> {
        let zero = [L::splat(0); COLUMNS];
        let mut stack = Stack {
            columns: [L::splat_rows(size.rows()); COLUMNS],
            heights: [L::splat(WALL_HEIGHT); COLUMNS],
            has_hole: zero,
            full_before: [L::splat_rows(u64::MAX); COLUMNS],
            full_from: [L::splat_rows(u64::MAX); COLUMNS],
            height_before: zero,
            squares_before: zero,
            transitions_before: zero,
            board_wells_before: zero,
            continued_wells_before: zero,
            deep_wells_before: zero,
            steps_before: zero,
            steps_from: zero,
            bumps_before: zero,
            cells: zero[0],
            hole_rows: zero[0],
            features: Features::none(),
        };
        stack.columns[WALL..WALL + size.width].fill(zero[0]);
        stack.heights[WALL..WALL + size.width].fill(zero[0]);
        stack
    }

    /// Loads boards, up to one per lane.
    #[inline(always)]
    pub(super) fn load(&mut self, size: Size, boards: &[&L::Board]) {
        L::load(&mut self.columns[WALL..WALL + size.width], boards);
    }

    /// Computes all features after boards were loaded. Without `HOLES` no board may have a hole.
    #[inline(always)]
    pub(super) fn survey<const HOLES: bool>(&mut self, size: Size, weights: &Weights) {
        let inside = WALL..WALL + size.width;
        let zero = L::splat(0);
        let floor = L::splat_rows(1 << 63);
        let (mut height, mut cells, mut transitions) = (zero, zero, zero);
        let (mut column_transitions, mut hole_depth, mut hole_rows) = (zero, zero, zero);
        let mut full = !zero;
        for x in inside.clone() {
            let column = self.columns[x];
            let covered = covered(column);
            self.heights[x] = (column | covered).ones();
            self.full_before[x] = full;
            full = full & column;
            self.height_before[x] = height;
            height = height.plus(self.heights[x]);
            cells = cells.plus(column.ones());
            let changes = column ^ (column.all_up(1) | floor);
            column_transitions = column_transitions.plus(changes.ones());
            if HOLES {
                let holes = covered & !column;
                hole_rows = hole_rows | holes;
                self.has_hole[x] = holes.ones().min(L::splat(1));
                hole_depth = hole_depth.plus((column & and_above(holes)).ones());
            }
        }
        for x in inside.start - 1..inside.end {
            self.transitions_before[x] = transitions;
            transitions = transitions.plus((self.columns[x] ^ self.columns[x + 1]).ones());
        }
        self.transitions_before[inside.end] = transitions;
        let mut full = !zero;
        for x in inside.clone().rev() {
            full = full & self.columns[x];
            self.full_from[x] = full;
        }
        self.height_before[inside.end] = height;

        self.cells = cells;
        self.hole_rows = hole_rows;
        // The rows above those of a lane are empty: two transitions each.
        let rows_above = (size.height as u32).saturating_sub(L::ROWS) as u16;
        self.features.row_transitions = transitions.plus(L::splat(2 * rows_above));
        self.features.column_transitions = column_transitions;
        self.features.holes = height.minus(cells);
        self.features.hole_depth = hole_depth;
        self.features.rows_with_holes = hole_rows.ones();
        self.features.aggregate_height = height;

        // Features that take longer are computed only if they have a weight.
        if weights.count(Feature::BoardWells) {
            self.features.board_wells = self.survey_wells::<HOLES, false>(inside.clone());
        }
        if weights.count(Feature::ContinuedWells) {
            self.features.continued_wells = self.survey_wells::<HOLES, true>(inside.clone());
        }
        if weights.count(Feature::DeepWells) {
            self.features.deep_wells = self.survey_deep_wells(inside.clone());
        }
        if weights.count(Feature::SquaredHeights) {
            self.features.squared_heights = self.survey_squares(inside.clone());
        }
        if weights.count_any(&[
            Feature::Diversity,
            Feature::Diversity0,
            Feature::Diversity1,
            Feature::Diversity2,
            Feature::Bumpiness,
        ]) {
            let (steps, bumps) = self.survey_steps(inside);
            self.features.diversity = steps.ones();
            self.features.diversity_0 = (steps & L::splat(DIVERSITY_STEPS[0])).ones();
            self.features.diversity_1 = (steps & L::splat(DIVERSITY_STEPS[1])).ones();
            self.features.diversity_2 = (steps & L::splat(DIVERSITY_STEPS[2])).ones();
            self.features.bumpiness = bumps;
        }
    }

    /// Fills in the prefix sums of the wells. Returns the total.
    #[inline(always)]
    fn survey_wells<const HOLES: bool, const CONTINUED: bool>(&mut self, inside: Range<usize>) -> L {
        let before = match CONTINUED {
            true => &mut self.continued_wells_before,
            false => &mut self.board_wells_before,
        };
        let mut sum = L::splat(0);
        for x in inside.clone() {
            before[x] = sum;
            let column = self.columns[x];
            let well = self.columns[x - 1] & self.columns[x + 1] & !column;
            sum = sum.plus(match (HOLES, CONTINUED) {
                (false, _) => well.ones().triangle_doubled().half(),
                (true, false) => depth(&mut [well], &mut [!column]),
                (true, true) => depth(&mut [continued(well, column)], &mut [!column]),
            });
        }
        before[inside.end..inside.end + WALL].fill(sum);
        sum
    }

    /// Fills in the prefix sums of the open wells at least three deep. Returns the total.
    #[inline(always)]
    fn survey_deep_wells(&mut self, inside: Range<usize>) -> L {
        let mut sum = L::splat(0);
        for x in inside.clone() {
            self.deep_wells_before[x] = sum;
            sum = sum.plus(is_deep(self.heights[x - 1], self.heights[x], self.heights[x + 1]));
        }
        self.deep_wells_before[inside.end..inside.end + WALL].fill(sum);
        sum
    }

    /// Fills in the prefix sums of the squared heights. Returns the total.
    #[inline(always)]
    fn survey_squares(&mut self, inside: Range<usize>) -> L {
        let mut sum = L::splat(0);
        for x in inside.clone() {
            self.squares_before[x] = sum;
            sum = sum.plus(self.heights[x].times(self.heights[x]));
        }
        self.squares_before[inside.end] = sum;
        sum
    }

    /// Fills in the height differences, from both sides. Returns the set of all, and their sum.
    #[inline(always)]
    fn survey_steps(&mut self, inside: Range<usize>) -> (L, L) {
        let (mut steps, mut bumps) = (L::splat(0), L::splat(0));
        for x in inside.start..inside.end - 1 {
            self.steps_before[x] = steps;
            self.bumps_before[x] = bumps;
            steps = steps | step(self.heights[x], self.heights[x + 1]);
            bumps = bumps.plus(distance(self.heights[x], self.heights[x + 1]));
        }
        self.steps_before[inside.end - 1] = steps;
        self.bumps_before[inside.end - 1] = bumps;
        self.bumps_before[inside.end] = bumps;
        let mut steps = L::splat(0);
        self.steps_from[inside.end - 1] = steps;
        for x in (inside.start..inside.end - 1).rev() {
            steps = steps | step(self.heights[x], self.heights[x + 1]);
            self.steps_from[x] = steps;
        }
        (steps, bumps)
    }
}

/// The rows from the highest cell of a column down.
#[inline(always)]
pub(super) fn covered<L: Lanes>(column: L) -> L {
    // Upside down, the highest cell is the lowest set bit. Negation keeps it and inverts all higher bits. Together with the
    // column itself that is every row below.
    L::splat(0).minus(column) | column
}

/// These rows and all above them.
#[inline(always)]
fn and_above<L: Lanes>(rows: L) -> L {
    let mut all = rows;
    let mut by = 1;
    while by < L::ROWS {
        all = all | all.all_up(by);
        by *= 2;
    }
    all
}

/// The well cells, and the empty cells below them down to the first filled one.
#[inline(always)]
pub(super) fn continued<L: Lanes>(well: L, column: L) -> L {
    // The carry of the addition runs down through the empty cells and leaves zeros, except at other well cells.
    let empty = !column;
    empty & (well | !empty.plus(well))
}

/// The sum of the cells' depths: 1 for each cell, and 1 for each empty cell in the unbroken run below it.
#[inline(always)]
pub(super) fn depth<L: Lanes>(cells: &mut [L], empty: &mut [L]) -> L {
    let mut sum = L::splat(0);
    loop {
        let mut left = L::splat(0);
        for (cells, empty) in cells.iter_mut().zip(empty.iter_mut()) {
            sum = sum.plus(cells.ones());
            // The cell below is one bit higher.
            *empty = empty.all_up(1);
            *cells = *cells & *empty;
            left = left | *cells;
        }
        if !left.any() {
            return sum;
        }
    }
}

/// 1 where a column is an open well at least three deep, given its height and its neighbours' heights.
#[inline(always)]
pub(super) fn is_deep<L: Lanes>(left: L, height: L, right: L) -> L {
    left.min(right).above(height.plus(L::splat(2))).min(L::splat(1))
}

/// The set with the height difference, if it is from −2 to 2, else the empty set.
#[inline(always)]
pub(super) fn step<L: Lanes>(left: L, right: L) -> L {
    right.plus(L::splat(2)).minus(left).small_set()
}

/// The distance between two heights.
#[inline(always)]
pub(super) fn distance<L: Lanes>(left: L, right: L) -> L {
    left.max(right).minus(left.min(right))
}
