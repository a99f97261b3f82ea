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

/// The height differences 0, ±1 and ±2, as bit sets.
const STEPS_OF_SIZE: [u16; 3] = [0b00100, 0b01010, 0b10001];

/// Which height differences from −2 to 2 occur between neighbouring columns, as bit sets.
#[derive(Clone, Copy)]
pub(super) struct Steps<L> {
    /// Those that occur.
    pub(super) once: L,
    /// Those that occur at least twice.
    pub(super) twice: L,
}

impl<L: Lanes> Steps<L> {
    #[inline(always)]
    pub(super) fn none() -> Steps<L> {
        Steps { once: L::splat(0), twice: L::splat(0) }
    }

    /// The step between two columns of these heights.
    #[inline(always)]
    pub(super) fn of(left: L, right: L) -> Steps<L> {
        Steps { once: right.plus(L::splat(2)).minus(left).small_set(), twice: L::splat(0) }
    }

    /// These steps and others.
    #[inline(always)]
    pub(super) fn and(self, other: Steps<L>) -> Steps<L> {
        let both = self.once & other.once;
        Steps { once: self.once | other.once, twice: self.twice | other.twice | both }
    }
}

/// How many steps up or down of this size are in a set.
#[inline(always)]
pub(super) fn count_steps<L: Lanes>(steps: L, size: usize) -> L {
    (steps & L::splat(STEPS_OF_SIZE[size])).ones()
}

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
    pub(super) shallow_wells_before: [L; COLUMNS],
    pub(super) deep_wells_before: [L; COLUMNS],
    /// The height differences up to the one into this column, and from the one out of it.
    pub(super) steps_before: [Steps<L>; COLUMNS],
    pub(super) steps_from: [Steps<L>; COLUMNS],
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
            shallow_wells_before: zero,
            deep_wells_before: zero,
            steps_before: [Steps::none(); COLUMNS],
            steps_from: [Steps::none(); COLUMNS],
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
        if weights.count(Feature::ShallowWells) {
            self.features.shallow_wells =
                open_wells(&self.heights, &mut self.shallow_wells_before, inside.clone(), is_shallow);
        }
        if weights.count(Feature::DeepWells) {
            self.features.deep_wells =
                open_wells(&self.heights, &mut self.deep_wells_before, inside.clone(), is_deep);
        }
        if weights.count(Feature::SquaredHeights) {
            self.features.squared_heights = self.survey_squares(inside.clone());
        }
        if weights.count_any(&[
            Feature::Diversity,
            Feature::Diversity0,
            Feature::Diversity1,
            Feature::Diversity2,
            Feature::Spare0,
            Feature::Spare1,
            Feature::Spare2,
            Feature::Bumpiness,
        ]) {
            let (steps, bumps) = self.survey_steps(inside);
            self.features.diversity = steps.once.ones();
            self.features.diversity_0 = count_steps(steps.once, 0);
            self.features.diversity_1 = count_steps(steps.once, 1);
            self.features.diversity_2 = count_steps(steps.once, 2);
            self.features.spare_0 = count_steps(steps.twice, 0);
            self.features.spare_1 = count_steps(steps.twice, 1);
            self.features.spare_2 = count_steps(steps.twice, 2);
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

    /// Fills in the height differences, from both sides. Returns all of them, and their sum.
    #[inline(always)]
    fn survey_steps(&mut self, inside: Range<usize>) -> (Steps<L>, L) {
        let (mut steps, mut bumps) = (Steps::none(), L::splat(0));
        for x in inside.start..inside.end - 1 {
            self.steps_before[x] = steps;
            self.bumps_before[x] = bumps;
            steps = steps.and(Steps::of(self.heights[x], self.heights[x + 1]));
            bumps = bumps.plus(distance(self.heights[x], self.heights[x + 1]));
        }
        self.steps_before[inside.end - 1] = steps;
        self.bumps_before[inside.end - 1] = bumps;
        self.bumps_before[inside.end] = bumps;
        let mut steps = Steps::none();
        self.steps_from[inside.end - 1] = steps;
        for x in (inside.start..inside.end - 1).rev() {
            steps = steps.and(Steps::of(self.heights[x], self.heights[x + 1]));
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

/// Fills in the prefix sums of the open wells of a kind. Returns the total.
#[inline(always)]
fn open_wells<L: Lanes>(
    heights: &[L; COLUMNS],
    before: &mut [L; COLUMNS],
    inside: Range<usize>,
    is_well: impl Fn(L, L, L) -> L,
) -> L {
    let mut sum = L::splat(0);
    for x in inside.clone() {
        before[x] = sum;
        sum = sum.plus(is_well(heights[x - 1], heights[x], heights[x + 1]));
    }
    before[inside.end..inside.end + WALL].fill(sum);
    sum
}

/// 1 where a column is an open well exactly two deep, given its height and its neighbours' heights.
#[inline(always)]
pub(super) fn is_shallow<L: Lanes>(left: L, height: L, right: L) -> L {
    let rim = left.min(right);
    let two = rim.above(height.plus(L::splat(1))).min(L::splat(1));
    two.minus(is_deep(left, height, right))
}

/// 1 where a column is an open well at least three deep, given its height and its neighbours' heights.
#[inline(always)]
pub(super) fn is_deep<L: Lanes>(left: L, height: L, right: L) -> L {
    left.min(right).above(height.plus(L::splat(2))).min(L::splat(1))
}

/// The distance between two heights.
#[inline(always)]
pub(super) fn distance<L: Lanes>(left: L, right: L) -> L {
    left.max(right).minus(left.min(right))
}
