//! The cells that a feature is about, so that an explanation can point at them.
//!
//! Nothing here is fast: it is the plain reading of each feature, on a board that is looked at cell by cell. Cells are those of the
//! board with the piece on it, before full rows are cleared: that is what people see.

use crate::afterstate::Afterstate;
use crate::features::Feature;

/// Column, and row from the bottom.
pub type Cell = (i32, i32);

/// The judged board of an afterstate, cell by cell.
struct Cells<'a, 'r>(&'a Afterstate<'r>);

impl Cells<'_, '_> {
    fn width(&self) -> i32 {
        self.0.board.width() as i32
    }

    /// The height of a column; walls are higher than everything.
    fn height(&self, x: i32) -> i32 {
        let heights = self.0.heights();
        usize::try_from(x).ok().and_then(|x| heights.get(x)).map_or(i32::MAX, |height| (*height).into())
    }

    /// The highest column.
    fn top(&self) -> i32 {
        (0..self.width()).map(|x| self.height(x)).max().unwrap_or(0)
    }

    /// Whether a cell is filled; walls and the floor are.
    fn is_filled(&self, (x, y): Cell) -> bool {
        y < 0 || x < 0 || x >= self.width() || self.0.board.is_filled(x, y)
    }

    /// The cells of the stack's rows, and of so many above it, for which something holds.
    fn all(&self, above: i32, holds: impl Fn(Cell) -> bool) -> Vec<Cell> {
        let rows = 0..self.top() + above;
        rows.flat_map(|y| (0..self.width()).map(move |x| (x, y))).filter(|cell| holds(*cell)).collect()
    }

    fn is_empty(&self, cell: Cell) -> bool {
        !self.is_filled(cell)
    }

    fn is_hole(&self, (x, y): Cell) -> bool {
        y < self.height(x) && self.is_empty((x, y))
    }

    /// Whether a visible empty cell is between two filled ones.
    fn is_well(&self, (x, y): Cell) -> bool {
        let visible = y < self.0.visible_rows();
        visible && self.is_empty((x, y)) && self.is_filled((x - 1, y)) && self.is_filled((x + 1, y))
    }

    /// Whether a cell is empty, and in the run of empty cells at or above it is one of a well.
    fn is_in_well(&self, (x, y): Cell) -> bool {
        (y..self.top()).take_while(|y| self.is_empty((x, *y))).any(|y| self.is_well((x, y)))
    }

    /// The cells of open wells of some depths: columns lower than both neighbours, up to the lower one.
    fn open_wells(&self, holds: impl Fn(i32) -> bool) -> Vec<Cell> {
        self.all(0, |(x, y)| {
            let rim = self.height(x - 1).min(self.height(x + 1));
            (self.height(x)..rim).contains(&y) && holds(rim - self.height(x))
        })
    }

    /// The highest cells of the columns for which something holds.
    fn tops(&self, holds: impl Fn(i32) -> bool) -> Vec<Cell> {
        (0..self.width())
            .filter(|x| self.height(*x) > 0 && holds(*x))
            .map(|x| (x, self.height(x) - 1))
            .collect()
    }

    /// The highest cells of neighbouring columns whose heights differ by one of these steps.
    fn steps(&self, steps: &[i32]) -> Vec<Cell> {
        let is_step = |x: i32, other: i32| {
            (0..self.width()).contains(&other) && steps.contains(&(self.height(x) - self.height(other)).abs())
        };
        self.tops(|x| is_step(x, x - 1) || is_step(x, x + 1))
    }

    /// The cells of a column that stand above a neighbour.
    fn stands_out(&self, (x, y): Cell) -> bool {
        let above = |other: i32| (0..self.width()).contains(&other) && y >= self.height(other);
        y < self.height(x) && (above(x - 1) || above(x + 1))
    }

    /// The empty cells that no path of empty cells leads to from the top.
    fn unreachable(&self) -> Vec<Cell> {
        let mut reached = vec![(0, self.top())];
        for next in 0.. {
            let Some(&(x, y)) = reached.get(next) else { break };
            for cell in [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)] {
                if cell.1 <= self.top() && self.is_empty(cell) && !reached.contains(&cell) {
                    reached.push(cell);
                }
            }
        }
        self.all(0, |cell| self.is_empty(cell) && !reached.contains(&cell))
    }
}

impl Feature {
    /// The cells that it is about; none if it is not about certain cells.
    pub fn cells(self, after: &Afterstate) -> Vec<Cell> {
        let board = Cells(after);
        let piece = after.placement.location().cells();
        let is_full = |(_, y): &Cell| after.fills_row(*y);
        let full_rows = || -> Vec<Cell> {
            let rows = (0..64).filter(|y| after.fills_row(*y));
            rows.flat_map(|y| (0..board.width()).map(move |x| (x, y))).collect()
        };
        let on_board = match self {
            // These are of the placement, before clearing.
            Feature::LandingHeight => return piece.to_vec(),
            Feature::ErodedPieceCells => return piece.into_iter().filter(is_full).collect(),
            Feature::RowsRemoved | Feature::CompleteLines | Feature::Points => return full_rows(),
            Feature::TSpinLines if after.t_spin_lines() > 0 => return piece.to_vec(),
            Feature::TSpinLines | Feature::PerfectClear | Feature::BackToBack | Feature::Combo => {
                return Vec::new();
            }
            Feature::RowTransitions => board.all(0, |(x, y)| {
                board.is_empty((x, y)) && (board.is_filled((x - 1, y)) || board.is_filled((x + 1, y)))
            }),
            Feature::ColumnTransitions => board.all(1, |(x, y)| {
                board.is_empty((x, y)) && (board.is_filled((x, y - 1)) || board.is_filled((x, y + 1)))
            }),
            Feature::Holes | Feature::RowsWithHoles => board.all(0, |cell| board.is_hole(cell)),
            // Down from a filled cell, the first empty one is a hole.
            Feature::HoleDepth => board
                .all(0, |(x, y)| board.is_filled((x, y)) && (0..y).any(|below| board.is_empty((x, below)))),
            Feature::BoardWells | Feature::ContinuedWells => board.all(0, |cell| board.is_in_well(cell)),
            Feature::Tunnels => board.all(0, |cell| board.is_well(cell) && cell.1 + 1 < after.visible_rows()),
            Feature::ShallowWells => board.open_wells(|depth| depth == 2),
            Feature::DeepWells => board.open_wells(|depth| depth >= 3),
            Feature::UnreachableHoles => board.unreachable(),
            Feature::Diversity => board.steps(&[0, 1, 2]),
            Feature::Diversity0 | Feature::Spare0 => board.steps(&[0]),
            Feature::Diversity1 | Feature::Spare1 => board.steps(&[1]),
            Feature::Diversity2 | Feature::Spare2 => board.steps(&[2]),
            Feature::Bumpiness => board.all(0, |cell| board.stands_out(cell)),
            Feature::AggregateHeight
            | Feature::SquaredHeights
            | Feature::MeanHeight
            | Feature::HeightVariance => board.tops(|_| true),
        };
        on_board.into_iter().map(|(x, y)| (x, after.row_before_clearing(y))).collect()
    }
}
