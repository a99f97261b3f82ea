//! The features after a piece lands on the stacks. Only what the piece changes is recomputed.

use super::features::PlacementFeatures;
use super::lanes::Lanes;
use super::shape::KernelShape;
use super::stack::{
    COLUMNS, Stack, Steps, WALL, continued, count_steps, depth, distance, is_deep, is_shallow,
};

/// A shape in every lane.
pub(super) struct Outline<L, const N: usize> {
    /// The cells of each column when the shape is on the floor.
    cells: [L; N],
    bottoms: [L; N],
    tops: [L; N],
    counts: [L; N],
    pub(super) height: L,
    /// Twice the height of the shape's middle above its lowest row.
    middle_doubled: L,
    sum_of_tops: L,
    /// The height differences within the shape.
    steps: Steps<L>,
    bumps: L,
}

impl<L: Lanes, const N: usize> Outline<L, N> {
    #[inline(always)]
    pub(super) fn new(shape: &KernelShape) -> Outline<L, N> {
        let tops = std::array::from_fn(|x| L::splat(shape.tops[x]));
        let mut outline = Outline {
            cells: std::array::from_fn(|x| L::splat_rows(shape.cells[x])),
            bottoms: std::array::from_fn(|x| L::splat(shape.bottoms[x])),
            tops,
            counts: std::array::from_fn(|x| L::splat(shape.cells[x].count_ones() as u16)),
            height: L::splat(shape.height),
            middle_doubled: L::splat(shape.height - 1),
            sum_of_tops: L::splat(shape.tops[..N].iter().sum()),
            steps: Steps::none(),
            bumps: L::splat(0),
        };
        for x in 1..N {
            outline.steps = outline.steps.and(Steps::of(tops[x - 1], tops[x]));
            outline.bumps = outline.bumps.plus(distance(tops[x - 1], tops[x]));
        }
        outline
    }
}

/// A shape that has landed on the stacks, at the same column of all. The features are valid where no row is full and the
/// piece is inside the board. Without `HOLES` no stack may have a hole.
pub(super) struct LandingSurvey<'s, L: Lanes, const N: usize, const HOLES: bool> {
    stack: &'s Stack<L>,
    outline: &'s Outline<L, N>,
    width: usize,
    /// The leftmost column, walls counted.
    at: usize,
    /// The lowest row of the shape.
    pub(super) row: L,
    /// The columns of the shape after the placement, with two neighbours at each side.
    columns: [L; 8],
    /// 1 in the columns with an empty cell directly below the shape.
    gaps: [L; N],
}

/// A placement that fills rows on some of the boards.
pub(super) struct ClearingPlacement<L, const N: usize> {
    pub(super) at: usize,
    pub(super) columns: [L; N],
    pub(super) full_rows: L,
    pub(super) landing_height_doubled: L,
    pub(super) cells_in_full_rows: L,
}

impl<'s, L: Lanes, const N: usize, const HOLES: bool> LandingSurvey<'s, L, N, HOLES> {
    /// Drops the shape at column `x` of boards of this width.
    #[inline(always)]
    pub(super) fn new(stack: &'s Stack<L>, outline: &'s Outline<L, N>, width: usize, x: usize) -> Self {
        let at = x + WALL;
        let mut row = stack.heights[at].above(outline.bottoms[0]);
        for x in 1..N {
            row = row.max(stack.heights[at + x].above(outline.bottoms[x]));
        }
        let mut columns = [row; 8];
        for x in 0..N + 2 * WALL {
            columns[x] = stack.columns[at - WALL + x];
        }
        let mut gaps = [row; N];
        for x in 0..N {
            columns[WALL + x] = columns[WALL + x] | outline.cells[x].up(row);
            let gap = row.plus(outline.bottoms[x]).minus(stack.heights[at + x]);
            gaps[x] = gap.min(L::splat(1));
        }
        LandingSurvey { stack, outline, width, at, row, columns, gaps }
    }

    /// The rows that are full after the placement.
    #[inline(always)]
    pub(super) fn full_rows(&self) -> L {
        let mut full = self.stack.full_before[self.at] & self.stack.full_from[self.at + N];
        for x in 0..N {
            full = full & self.columns[WALL + x];
        }
        full
    }

    /// The placement, for the boards on which it fills rows.
    #[inline(always)]
    pub(super) fn clearing(&self, full_rows: L) -> ClearingPlacement<L, N> {
        let mut cells_in_full_rows = L::splat(0);
        for x in 0..N {
            let cells = self.outline.cells[x].up(self.row) & full_rows;
            cells_in_full_rows = cells_in_full_rows.plus(cells.ones());
        }
        ClearingPlacement {
            at: self.at,
            columns: std::array::from_fn(|x| self.columns[WALL + x]),
            full_rows,
            landing_height_doubled: self.landing_height_doubled(),
            cells_in_full_rows,
        }
    }

    /// The new heights of the shape's leftmost and rightmost columns.
    #[inline(always)]
    fn edges(&self) -> (L, L) {
        let tops = &self.outline.tops;
        (self.row.plus(tops[0]), self.row.plus(tops[N - 1]))
    }

    /// The height differences.
    #[inline(always)]
    fn steps(&self) -> Steps<L> {
        let (stack, at) = (self.stack, self.at);
        let (left, right) = self.edges();
        let mut steps = self.outline.steps.and(stack.steps_before[at - 1]).and(stack.steps_from[at + N]);
        if at > WALL {
            steps = steps.and(Steps::of(stack.heights[at - 1], left));
        }
        if at + N < WALL + self.width {
            steps = steps.and(Steps::of(right, stack.heights[at + N]));
        }
        steps
    }

    /// The open wells of a kind, given their number before the placement and its prefix sums.
    #[inline(always)]
    fn open_wells(&self, total: L, before: &[L; COLUMNS], is_well: impl Fn(L, L, L) -> L) -> L {
        let at = self.at;
        // The heights of the shape's columns, with two neighbours at each side.
        let mut heights = [self.row; 8];
        for x in 0..N + 2 * WALL {
            heights[x] = self.stack.heights[at - WALL + x];
        }
        for x in 0..N {
            heights[WALL + x] = self.row.plus(self.outline.tops[x]);
        }
        let mut wells = total.plus(before[at - 1].minus(before[at + N + 1]));
        for x in 1..N + 3 {
            wells = wells.plus(is_well(heights[x - 1], heights[x], heights[x + 1]));
        }
        wells
    }

    /// The wells in the columns of the shape and those beside it.
    #[inline(always)]
    fn wells<const CONTINUED: bool>(&self) -> L {
        let zero = L::splat(0);
        let mut cells = [zero; 6];
        let mut empty = [zero; 6];
        let mut uneven = zero;
        for x in 0..N + 2 {
            let column = self.columns[x + 1];
            let well = self.columns[x] & self.columns[x + 2] & !column;
            let filled_up = continued(well, column);
            uneven = uneven | (well ^ filled_up);
            cells[x] = if CONTINUED { filled_up } else { well };
            empty[x] = !column;
        }
        if HOLES || !CONTINUED && uneven.any() {
            return depth(&mut cells[..N + 2], &mut empty[..N + 2]);
        }
        // In a stack without holes a column has one open run, and one more in the gap under the piece.
        let mut sum = zero;
        for x in 0..N + 2 {
            if (1..=N).contains(&x) {
                let below = zero.minus(self.columns[x + 1]);
                sum = sum.plus((cells[x] & below).ones().triangle_doubled());
                sum = sum.plus((cells[x] & !below).ones().triangle_doubled());
            } else {
                sum = sum.plus(cells[x].ones().triangle_doubled());
            }
        }
        sum.half()
    }
}

impl<L: Lanes, const N: usize, const HOLES: bool> PlacementFeatures<L> for LandingSurvey<'_, L, N, HOLES> {
    const CLEARS: bool = false;

    #[inline(always)]
    fn landing_height_doubled(&self) -> L {
        self.row.plus(self.row).plus(self.outline.middle_doubled)
    }

    #[inline(always)]
    fn eroded_piece_cells(&self) -> L {
        L::splat(0)
    }

    #[inline(always)]
    fn complete_lines(&self) -> L {
        L::splat(0)
    }

    #[inline(always)]
    fn rows_removed(&self) -> L {
        L::splat(0)
    }

    #[inline(always)]
    fn row_transitions(&self) -> L {
        let before = &self.stack.transitions_before;
        let kept = before[self.at - 1].minus(before[self.at + N]);
        let mut transitions = self.stack.features.row_transitions.plus(kept);
        for x in 0..=N {
            let changes = self.columns[WALL + x - 1] ^ self.columns[WALL + x];
            transitions = transitions.plus(changes.ones());
        }
        transitions
    }

    #[inline(always)]
    fn column_transitions(&self) -> L {
        // A cell on top of another moves the highest transition up; a gap adds two more.
        let mut gaps = L::splat(0);
        for gap in self.gaps {
            gaps = gaps.plus(gap);
        }
        self.stack.features.column_transitions.plus(gaps).plus(gaps)
    }

    #[inline(always)]
    fn holes(&self) -> L {
        self.aggregate_height().minus(self.stack.cells).minus(L::splat(4))
    }

    #[inline(always)]
    fn board_wells(&self) -> L {
        let before = &self.stack.board_wells_before;
        let kept = before[self.at - 1].minus(before[self.at + N + 1]);
        let wells = self.wells::<false>();
        self.stack.features.board_wells.plus(kept).plus(wells)
    }

    #[inline(always)]
    fn continued_wells(&self) -> L {
        let before = &self.stack.continued_wells_before;
        let kept = before[self.at - 1].minus(before[self.at + N + 1]);
        let wells = self.wells::<true>();
        self.stack.features.continued_wells.plus(kept).plus(wells)
    }

    #[inline(always)]
    fn shallow_wells(&self) -> L {
        self.open_wells(self.stack.features.shallow_wells, &self.stack.shallow_wells_before, is_shallow)
    }

    #[inline(always)]
    fn deep_wells(&self) -> L {
        self.open_wells(self.stack.features.deep_wells, &self.stack.deep_wells_before, is_deep)
    }

    #[inline(always)]
    fn hole_depth(&self) -> L {
        let mut depth = self.stack.features.hole_depth;
        for x in 0..N {
            // The new cells are above a hole if the column has one, old or new.
            let hole = match HOLES {
                true => self.gaps[x] | self.stack.has_hole[self.at + x],
                false => self.gaps[x],
            };
            depth = depth.plus(self.outline.counts[x].times(hole));
        }
        depth
    }

    #[inline(always)]
    fn rows_with_holes(&self) -> L {
        let mut rows = self.stack.hole_rows;
        for x in 0..N {
            let column = self.columns[WALL + x];
            rows = rows | (L::splat(0).minus(column) & !column);
        }
        rows.ones()
    }

    #[inline(always)]
    fn diversity(&self) -> L {
        self.steps().once.ones()
    }

    #[inline(always)]
    fn diversity_0(&self) -> L {
        count_steps(self.steps().once, 0)
    }

    #[inline(always)]
    fn diversity_1(&self) -> L {
        count_steps(self.steps().once, 1)
    }

    #[inline(always)]
    fn diversity_2(&self) -> L {
        count_steps(self.steps().once, 2)
    }

    #[inline(always)]
    fn spare_0(&self) -> L {
        count_steps(self.steps().twice, 0)
    }

    #[inline(always)]
    fn spare_1(&self) -> L {
        count_steps(self.steps().twice, 1)
    }

    #[inline(always)]
    fn spare_2(&self) -> L {
        count_steps(self.steps().twice, 2)
    }

    #[inline(always)]
    fn aggregate_height(&self) -> L {
        let before = &self.stack.height_before;
        let kept = before[self.at].minus(before[self.at + N]);
        let mut height = self.stack.features.aggregate_height.plus(kept);
        for _ in 0..N {
            height = height.plus(self.row);
        }
        height.plus(self.outline.sum_of_tops)
    }

    #[inline(always)]
    fn squared_heights(&self) -> L {
        let before = &self.stack.squares_before;
        let kept = before[self.at].minus(before[self.at + N]);
        let mut squares = self.stack.features.squared_heights.plus(kept);
        for top in self.outline.tops {
            let height = self.row.plus(top);
            squares = squares.plus(height.times(height));
        }
        squares
    }

    #[inline(always)]
    fn bumpiness(&self) -> L {
        let (stack, at) = (self.stack, self.at);
        let (left, right) = self.edges();
        let kept = stack.bumps_before[at - 1].minus(stack.bumps_before[at + N]);
        let mut bumps = stack.features.bumpiness.plus(kept).plus(self.outline.bumps);
        if at > WALL {
            bumps = bumps.plus(distance(stack.heights[at - 1], left));
        }
        if at + N < WALL + self.width {
            bumps = bumps.plus(distance(right, stack.heights[at + N]));
        }
        bumps
    }
}
