//! The afterstate: a placement and the board that it leaves, with the numbers that features are computed from.

use std::ops::RangeInclusive;
use tetrion_engine::board::Board;
use tetrion_engine::location::{PieceLocation, Placement, Spin};
use tetrion_engine::moves::Movement;
use tetrion_engine::piece::{Orientation, Piece};
use tetrion_engine::position::View;
use tetrion_engine::ruleset::Ruleset;
use tetrion_engine::scoring::{Clear, ClearScore, Streak};

/// A placement and the board that it leaves: what an evaluator scores.
#[derive(Clone, Copy, Debug)]
pub struct Afterstate<'r> {
    /// The placement.
    pub placement: Placement,
    /// The judged board: before or after clearing, as [`Judged`] says.
    pub board: Board,
    /// Lines that the placement clears.
    pub lines: u32,
    /// Pieces left after the placement, in games with a piece limit.
    pub pieces_left: Option<u32>,
    /// The filled rows as a bit set, before clearing.
    full_rows: u64,
    /// The visible rows, as a bit set.
    visible: u64,
    heights: [u8; Board::MAX_WIDTH],
    rules: &'r Ruleset,
    streak_before: Streak,
}

/// The part of a position that an afterstate depends on.
#[derive(Clone, Copy, Debug)]
pub struct PlacementContext<'b> {
    /// The board.
    pub board: &'b Board,
    /// The current back-to-back and combo.
    pub streak: Streak,
    /// Pieces left to place, in games with a piece limit.
    pub pieces_left: Option<u32>,
}

impl<'b> PlacementContext<'b> {
    /// A board without a streak or a piece limit.
    pub fn board(board: &'b Board) -> PlacementContext<'b> {
        PlacementContext { board, streak: Streak::default(), pieces_left: None }
    }

    /// The position of a game.
    pub fn of(view: &'b View) -> PlacementContext<'b> {
        PlacementContext { board: &view.position.board, streak: view.streak, pieces_left: view.pieces_left() }
    }
}

/// Which board is judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Judged {
    /// With full rows still on it. In a lookahead they stay to the end of the line.
    BeforeClearing,
    /// With full rows cleared.
    #[default]
    AfterClearing,
}

impl<'r> Afterstate<'r> {
    /// The result of a placement; `None` if it loses the game.
    #[inline]
    pub fn new(
        before: PlacementContext,
        placement: Placement,
        judged: Judged,
        rules: &'r Ruleset,
    ) -> Option<Afterstate<'r>> {
        let cells = placement.location().cells();
        let rows = i32::from(rules.visible_height);
        let inside = |&(_, y): &(i32, i32)| y < rows;
        let survives = match rules.movement {
            Movement::Straight => cells.iter().all(inside),
            _ => cells.iter().any(inside),
        };
        if !survives {
            return None;
        }
        // In place: copies of boards are a good part of the time that an evaluation takes.
        let mut after = *before.board;
        let full_rows = match judged {
            Judged::AfterClearing => after.place_and_clear(placement),
            Judged::BeforeClearing => {
                let already_full = after.full_rows();
                after.place(placement);
                after.full_rows() & !already_full
            }
        };
        Some(Afterstate {
            placement,
            board: after,
            lines: full_rows.count_ones(),
            pieces_left: before.pieces_left.map(|left| left.saturating_sub(1)),
            full_rows,
            visible: !(u64::MAX << rows),
            heights: heights(&after),
            rules,
            streak_before: before.streak,
        })
    }

    /// A board on which nothing was placed. Only features of the board have a meaning for it, and none that
    /// [see streaks](crate::features::Feature::sees_streaks).
    pub fn at_rest(board: &Board, rules: &'r Ruleset) -> Afterstate<'r> {
        let nowhere = PieceLocation { piece: Piece::O, orientation: Orientation::North, x: 0, y: 0 };
        Afterstate {
            placement: Placement::new(nowhere, Spin::None),
            board: *board,
            lines: 0,
            pieces_left: None,
            full_rows: 0,
            visible: !(u64::MAX << rules.visible_height),
            heights: heights(board),
            rules,
            streak_before: Streak::default(),
        }
    }

    /// The number of visible rows.
    pub(crate) fn visible_rows(&self) -> i32 {
        self.visible.count_ones() as i32
    }

    /// Whether the placement fills a row, counted before clearing.
    pub fn fills_row(&self, y: i32) -> bool {
        (0..64).contains(&y) && self.full_rows >> y & 1 == 1
    }

    /// The row of the board before clearing that became this row of the judged board.
    pub fn row_before_clearing(&self, y: i32) -> i32 {
        // If full rows are kept, none is missing.
        let cleared = self.full_rows & !self.board.full_rows();
        (0..)
            .filter(|row| cleared.checked_shr(*row as u32).unwrap_or(0) & 1 == 0)
            .nth(y.max(0) as usize)
            .unwrap_or(y)
    }

    // What follows stays out of line, so that evaluators that don't look at the score are not slowed down by its code.

    /// Whether it leaves the board empty.
    #[inline(never)]
    pub fn is_perfect_clear(&self) -> bool {
        // If full rows are kept, they must be all that is on the board.
        let kept = self.board.full_rows().count_ones() * self.board.width() as u32;
        self.lines > 0 && self.board.filled_cells() == kept
    }

    /// What it cleared.
    pub fn clear(&self) -> Clear {
        Clear { lines: self.lines, spin: self.placement.spin(), perfect: self.is_perfect_clear() }
    }

    /// The points that it scores, without drop points.
    #[inline(never)]
    pub fn scored(&self) -> ClearScore {
        let mut streak = self.streak_before;
        self.rules.scoring.score(&mut streak, self.clear())
    }

    /// The back-to-back and combo after it.
    #[inline(never)]
    pub fn streak(&self) -> Streak {
        let mut streak = self.streak_before;
        self.rules.scoring.score(&mut streak, self.clear());
        streak
    }

    /// Lines cleared by a full T-spin.
    #[inline(never)]
    pub fn t_spin_lines(&self) -> u32 {
        if self.placement.spin() == Spin::Full { self.lines } else { 0 }
    }

    /// The heights of the columns.
    #[inline]
    pub fn heights(&self) -> &[u8] {
        &self.heights[..self.board.width()]
    }

    /// The cells of a column's left neighbour, of the column and of its right neighbour. Walls are filled.
    #[inline]
    fn with_neighbours(&self, x: usize) -> (u64, u64, u64) {
        let columns = self.board.columns();
        let left = if x == 0 { u64::MAX } else { columns[x - 1] };
        let right = columns.get(x + 1).copied().unwrap_or(u64::MAX);
        (left, columns[x], right)
    }

    /// The empty cells of a column that are between two filled cells.
    #[inline]
    fn well_cells(&self, x: usize) -> u64 {
        let (left, column, right) = self.with_neighbours(x);
        left & !column & right & self.visible
    }

    /// The holes of a column.
    #[inline]
    fn hole_cells(&self, x: usize) -> u64 {
        !self.board.columns()[x] & !(u64::MAX << self.heights[x])
    }

    fn differences(&self) -> impl Iterator<Item = i32> + '_ {
        self.heights().windows(2).map(|pair| i32::from(pair[1]) - i32::from(pair[0]))
    }

    pub(crate) fn landing_height(&self) -> f64 {
        let rows = self.placement.location().cells().map(|(_, y)| y);
        let (low, high) =
            rows.iter().fold((i32::MAX, i32::MIN), |(low, high), y| (low.min(*y), high.max(*y)));
        f64::from(low) + f64::from(high - low) / 2.0
    }

    pub(crate) fn eroded_cells(&self) -> u32 {
        let cells = self.placement.location().cells();
        let removed = cells.into_iter().filter(|(_, y)| self.full_rows >> y & 1 == 1).count() as u32;
        self.lines * removed
    }

    pub(crate) fn row_transitions(&self) -> u32 {
        let mut left = u64::MAX;
        let mut transitions = 0;
        for column in self.board.columns().iter().chain([&u64::MAX]) {
            transitions += ((left ^ column) & self.visible).count_ones();
            left = *column;
        }
        transitions
    }

    pub(crate) fn column_transitions(&self) -> u32 {
        // Includes the border between the top row and the empty space above it.
        let boundaries = self.visible << 1 | 1;
        let columns = self.board.columns().iter();
        columns.map(|column| ((column ^ (column << 1 | 1)) & boundaries).count_ones()).sum()
    }

    pub(crate) fn holes(&self) -> u32 {
        self.aggregate_height() - self.board.filled_cells()
    }

    pub(crate) fn board_wells(&self) -> u32 {
        let mut sum = 0;
        for x in 0..self.board.width() {
            let mut wells = self.well_cells(x);
            while wells != 0 {
                let y = wells.trailing_zeros();
                sum += 1 + y - floor_below(self.board.columns()[x], y);
                wells &= wells - 1;
            }
        }
        sum
    }

    pub(crate) fn continued_wells(&self) -> u32 {
        let mut sum = 0;
        for x in 0..self.board.width() {
            let mut wells = self.well_cells(x);
            while wells != 0 {
                // The highest well cell of an empty run: from there down every cell counts.
                let top = 63 - wells.leading_zeros();
                let bottom = floor_below(self.board.columns()[x], top);
                let depth = top - bottom + 1;
                sum += depth * (depth + 1) / 2;
                wells &= !(u64::MAX << bottom);
            }
        }
        sum
    }

    /// How many columns are this much lower than the lower one of their neighbours.
    fn open_wells(&self, depths: RangeInclusive<u8>) -> u32 {
        let height = |x: usize| self.heights().get(x).map_or(u8::MAX, |height| *height);
        // Left of column 0 is a wall too: the index wraps around and is out of range.
        let depth = |x: usize| height(x.wrapping_sub(1)).min(height(x + 1)).saturating_sub(height(x));
        (0..self.board.width()).filter(|x| depths.contains(&depth(*x))).count() as u32
    }

    pub(crate) fn shallow_wells(&self) -> u32 {
        self.open_wells(2..=2)
    }

    pub(crate) fn deep_wells(&self) -> u32 {
        self.open_wells(3..=u8::MAX)
    }

    pub(crate) fn hole_depth(&self) -> u32 {
        let mut sum = 0;
        for (x, column) in self.board.columns().iter().enumerate() {
            // Only holes directly below a filled cell have a filled run above them.
            let mut holes = self.hole_cells(x) & column >> 1;
            while holes != 0 {
                sum += (column >> (holes.trailing_zeros() + 1)).trailing_ones();
                holes &= holes - 1;
            }
        }
        sum
    }

    pub(crate) fn rows_with_holes(&self) -> u32 {
        (0..self.board.width()).fold(0, |rows, x| rows | self.hole_cells(x)).count_ones()
    }

    /// The height differences from -2 to 2 that occur, as a bit set. The lowest bit is -2.
    fn small_differences(&self) -> u32 {
        let seen = self.differences().filter(|difference| difference.abs() <= 2);
        seen.fold(0, |seen, difference| seen | 1 << (difference + 2))
    }

    pub(crate) fn diversity(&self) -> u32 {
        self.small_differences().count_ones()
    }

    pub(crate) fn diversity_0(&self) -> u32 {
        (self.small_differences() & 0b00100).count_ones()
    }

    pub(crate) fn diversity_1(&self) -> u32 {
        (self.small_differences() & 0b01010).count_ones()
    }

    pub(crate) fn diversity_2(&self) -> u32 {
        (self.small_differences() & 0b10001).count_ones()
    }

    /// The height differences from -2 to 2 that occur at least twice, as a bit set. The lowest bit is -2.
    fn repeated_differences(&self) -> u32 {
        let (mut seen, mut repeated) = (0, 0);
        for difference in self.differences().filter(|difference| difference.abs() <= 2) {
            let bit = 1 << (difference + 2);
            repeated |= seen & bit;
            seen |= bit;
        }
        repeated
    }

    pub(crate) fn spare_0(&self) -> u32 {
        (self.repeated_differences() & 0b00100).count_ones()
    }

    pub(crate) fn spare_1(&self) -> u32 {
        (self.repeated_differences() & 0b01010).count_ones()
    }

    pub(crate) fn spare_2(&self) -> u32 {
        (self.repeated_differences() & 0b10001).count_ones()
    }

    pub(crate) fn aggregate_height(&self) -> u32 {
        self.heights().iter().map(|height| u32::from(*height)).sum()
    }

    pub(crate) fn squared_heights(&self) -> u32 {
        self.heights().iter().map(|height| u32::from(*height).pow(2)).sum()
    }

    pub(crate) fn bumpiness(&self) -> u32 {
        self.differences().map(i32::unsigned_abs).sum()
    }

    pub(crate) fn unreachable_holes(&self) -> u32 {
        let columns = self.board.columns();
        let top = self.visible & !(self.visible >> 1);
        let mut reached = [0; Board::MAX_WIDTH];
        for (reached, column) in reached.iter_mut().zip(columns) {
            *reached = top & !column;
        }
        loop {
            let mut changed = false;
            for x in 0..columns.len() {
                let left = if x == 0 { 0 } else { reached[x - 1] };
                let right = reached.get(x + 1).copied().unwrap_or(0);
                let here = reached[x];
                let spread = (here | here << 1 | here >> 1 | left | right) & !columns[x] & self.visible;
                changed |= spread != here;
                reached[x] = spread;
            }
            if !changed {
                break;
            }
        }
        columns
            .iter()
            .zip(reached)
            .map(|(column, reached)| (!column & self.visible & !reached).count_ones())
            .sum()
    }

    pub(crate) fn mean_height(&self) -> f64 {
        f64::from(self.aggregate_height()) / self.board.width() as f64
    }

    pub(crate) fn height_variance(&self) -> f64 {
        let mean = self.mean_height();
        let square = |height: &u8| (f64::from(*height) - mean) * (f64::from(*height) - mean);
        self.heights().iter().map(square).sum::<f64>() / (self.board.width() - 1) as f64
    }

    pub(crate) fn tunnels(&self) -> u32 {
        let top = self.visible & !(self.visible >> 1);
        (0..self.board.width()).map(|x| (self.well_cells(x) & !top).count_ones()).sum()
    }
}

/// The heights of a board's columns.
#[inline]
fn heights(board: &Board) -> [u8; Board::MAX_WIDTH] {
    let mut heights = [0; Board::MAX_WIDTH];
    for (height, column) in heights.iter_mut().zip(board.columns()) {
        *height = (64 - column.leading_zeros()) as u8;
    }
    heights
}

/// The row above the highest filled cell below row `y`.
#[inline]
fn floor_below(column: u64, y: u32) -> u32 {
    64 - (column & !(u64::MAX << y)).leading_zeros()
}
