//! The plain implementation: it makes each placement on a copy of the board and computes every feature from the whole board.
//!
//! It shares only the shapes and the order of the weighted sum with the [kernel](super::kernel).

use super::features::{Features, PlacementFeatures, Weights};
use super::game::{ClassicEnd, ClassicStart, StopReason, StopWhen};
use super::keys::OpenKeys;
use super::lookahead::LOSS;
use super::shape::KernelShape;
use super::{ClassicWeights, uniform_pieces};
use crate::afterstate::Judged;
use crate::features::{Feature, FeatureScope};
use tetrion_engine::board::Board;
use tetrion_engine::piece::Piece;

/// A board: bit `y` of a column is its cell in row `y`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PlainBoard {
    columns: [u64; 16],
    width: usize,
    height: usize,
}

/// A placement and its result.
struct Placed {
    /// Before full rows were cleared, and after.
    before: PlainBoard,
    board: PlainBoard,
    lines: u64,
    eroded_piece_cells: u64,
    landing_height_doubled: u64,
}

impl PlainBoard {
    pub(super) fn of(board: &Board) -> PlainBoard {
        let mut plain = PlainBoard { columns: [0; 16], width: board.width(), height: board.height() };
        plain.columns[..board.width()].copy_from_slice(board.columns());
        plain
    }

    pub(super) fn to_board(self) -> Board {
        let mut board = Board::new(self.width, self.height).expect("the size is that of a board");
        for (x, column) in self.columns().iter().enumerate() {
            (0..self.height).for_each(|y| board.set(x, y, column >> y & 1 == 1));
        }
        board
    }

    fn columns(&self) -> &[u64] {
        &self.columns[..self.width]
    }

    /// The board after a shape drops; `None` if the shape ends up partly above the board.
    fn place(&self, shape: &KernelShape, x: usize) -> Option<Placed> {
        let row = (0..shape.width)
            .map(|i| height(self.columns[x + i]).saturating_sub(shape.bottoms[i].into()))
            .fold(0, u64::max);
        if row + u64::from(shape.height) > self.height as u64 {
            return None;
        }
        let cells = |i: usize| ((1u64 << shape.tops[i]) - (1 << shape.bottoms[i])) << row;
        let mut board = *self;
        for i in 0..shape.width {
            board.columns[x + i] |= cells(i);
        }
        let full = board.columns().iter().fold(u64::MAX, |full, column| full & column);
        let in_full: u64 = (0..shape.width).map(|i| ones(cells(i) & full)).sum();
        let before = board;
        let mut left = full;
        while left != 0 {
            // From the top, so that the other full rows stay where they are.
            let below = (1u64 << left.ilog2()) - 1;
            for column in &mut board.columns {
                *column = *column & below | *column >> 1 & !below;
            }
            left &= below;
        }
        Some(Placed {
            before,
            board,
            lines: ones(full),
            eroded_piece_cells: ones(full) * in_full,
            landing_height_doubled: 2 * row + u64::from(shape.height) - 1,
        })
    }

    /// The features of the board alone.
    pub(super) fn features(&self) -> Features<u64> {
        let rows = (1u64 << self.height) - 1;
        let mut features = Features::none();
        let (mut hole_rows, mut steps, mut repeated) = (0, 0u32, 0u32);
        for (x, column) in self.columns().iter().copied().enumerate() {
            let left = if x > 0 { self.columns[x - 1] } else { rows };
            let right = if x + 1 < self.width { self.columns[x + 1] } else { rows };
            let column_height = height(column);
            let holes = !column & ((1 << column_height) - 1);
            features.row_transitions += ones(left ^ column);
            features.column_transitions += ones(column ^ (column << 1 | 1));
            features.holes += ones(holes);
            hole_rows |= holes;
            // Every filled cell above the lowest hole of the column is in the run above exactly one hole.
            features.hole_depth += ones(column) - u64::from(column.trailing_ones());
            features.aggregate_height += column_height;
            features.squared_heights += column_height * column_height;
            // A wall is filled up to the top, but is higher than any stack.
            let rim_left = if x == 0 { u64::MAX } else { height(left) };
            let rim_right = if x + 1 == self.width { u64::MAX } else { height(right) };
            let open_depth = rim_left.min(rim_right).saturating_sub(column_height);
            features.shallow_wells += u64::from(open_depth == 2);
            features.deep_wells += u64::from(open_depth >= 3);
            if x > 0 {
                let difference = column_height as i64 - height(left) as i64;
                features.bumpiness += difference.unsigned_abs();
                if (-2..=2).contains(&difference) {
                    let step = 1 << (difference + 2);
                    repeated |= steps & step;
                    steps |= step;
                }
            }
            let (board_wells, continued_wells) = wells(column, left & right & !column & rows);
            features.board_wells += board_wells;
            features.continued_wells += continued_wells;
        }
        features.row_transitions += ones(self.columns[self.width - 1] ^ rows);
        features.rows_with_holes = ones(hole_rows);
        features.diversity = steps.count_ones().into();
        features.diversity_0 = (steps & 0b00100).count_ones().into();
        features.diversity_1 = (steps & 0b01010).count_ones().into();
        features.diversity_2 = (steps & 0b10001).count_ones().into();
        features.spare_0 = (repeated & 0b00100).count_ones().into();
        features.spare_1 = (repeated & 0b01010).count_ones().into();
        features.spare_2 = (repeated & 0b10001).count_ones().into();
        features
    }

    /// The features of a placement, and the board that it leaves; `None` if it loses.
    fn after(&self, shape: &KernelShape, x: usize, judged: Judged) -> Option<(Features<u64>, PlainBoard)> {
        let placed = self.place(shape, x)?;
        let board = match judged {
            Judged::BeforeClearing => placed.before,
            Judged::AfterClearing => placed.board,
        };
        let features = Features {
            landing_height_doubled: placed.landing_height_doubled,
            eroded_piece_cells: placed.eroded_piece_cells,
            rows_removed: placed.lines,
            complete_lines: placed.lines,
            ..board.features()
        };
        Some((features, placed.board))
    }

    /// All placements that don't lose, as the index of the orientation and the leftmost column, with their scores, features and boards.
    fn placements(
        &self,
        piece: Piece,
        weights: &Weights,
    ) -> Vec<(PlainChoice, f64, Features<u64>, PlainBoard)> {
        let mut placements = Vec::new();
        for (orientation, shape) in KernelShape::all(piece).iter().enumerate() {
            for x in 0..=self.width - shape.width {
                if let Some((features, board)) = self.after(shape, x, weights.judged) {
                    placements.push(((orientation, x), features.scores(weights), features, board));
                }
            }
        }
        placements
    }

    /// The best placement; `None` if every placement loses.
    pub(super) fn choose(&self, piece: Piece, classic: &ClassicWeights) -> Option<PlainChoice> {
        let weights = Weights::new(classic);
        let mut placements = self.placements(piece, &weights);
        if let Some(roots) = classic.roots() {
            // The sort is stable: of equal scores, the first placements are searched.
            let mut order: Vec<usize> = (0..placements.len()).collect();
            order.sort_by(|a, b| placements[*b].1.total_cmp(&placements[*a].1));
            order.truncate(roots);
            order.sort_unstable();
            placements = order.iter().map(|at| placements[*at]).collect();
            for (_, score, features, board) in &mut placements {
                *score = board.expected(features, classic);
            }
        }
        let mut best = (f64::NEG_INFINITY, None);
        for (choice, score, ..) in placements {
            if score > best.0 {
                best = (score, Some(choice));
            }
        }
        best.1
    }

    /// The mean of the best scores of the next piece after a placement with these features.
    fn expected(&self, features: &Features<u64>, classic: &ClassicWeights) -> f64 {
        let weights = Weights::new(classic);
        let carried = |feature: &&Feature| match feature {
            Feature::LandingHeight => features.get(**feature) as f64 / 2.0,
            _ => features.get(**feature) as f64,
        };
        let of_placement =
            ClassicWeights::FEATURES.iter().filter(|feature| feature.scope() == FeatureScope::Placement);
        let carried: f64 = of_placement.map(|feature| classic.get(*feature) * carried(&feature)).sum();
        let loss =
            LOSS * ClassicWeights::FEATURES.iter().map(|feature| classic.get(*feature).abs()).sum::<f64>();
        let best = |piece: &Piece| {
            let scores = self.placements(*piece, &weights).into_iter().map(|(_, score, ..)| score + carried);
            scores.fold(None, |best: Option<f64>, score| Some(best.map_or(score, |best| best.max(score))))
        };
        Piece::ALL.iter().map(|piece| best(piece).unwrap_or(loss)).sum::<f64>() / Piece::ALL.len() as f64
    }

    /// Makes a placement that does not lose. Returns how many lines it clears.
    ///
    /// # Panics
    /// If it loses.
    pub(super) fn play(&mut self, piece: Piece, (orientation, x): PlainChoice) -> u64 {
        let placed = self.place(&KernelShape::all(piece)[orientation], x);
        let placed = placed.expect("a placement that loses is not chosen");
        *self = placed.board;
        placed.lines
    }
}

/// A placement: the index of its orientation, and its leftmost column.
type PlainChoice = (usize, usize);

/// The board wells and the continued wells of a column, given its well cells.
fn wells(column: u64, well: u64) -> (u64, u64) {
    let (mut board_wells, mut continued_wells) = (0, 0);
    let mut left = well;
    let mut continued_to = 64;
    while left != 0 {
        let row = left.ilog2();
        left &= (1 << row) - 1;
        let floor = height(column & ((1 << row) - 1)) as u32;
        let depth = u64::from(row + 1 - floor);
        board_wells += depth;
        // Only the highest well cell of a run starts it; the others are part of it.
        if floor != continued_to {
            continued_to = floor;
            continued_wells += depth * (depth + 1) / 2;
        }
    }
    (board_wells, continued_wells)
}

/// Plays one game.
pub(super) fn play(
    start: &ClassicStart,
    weights: &ClassicWeights,
    keys: &OpenKeys,
    stop: StopWhen,
) -> ClassicEnd {
    let mut board = PlainBoard::of(&start.board);
    let mut pieces = uniform_pieces(start.seed);
    let mut end = ClassicEnd::before(start.board);
    if stop.pieces == Some(0) {
        return end;
    }
    loop {
        let piece = pieces.draw();
        let Some(choice) = board.choose(piece, weights) else {
            return ClassicEnd { reason: StopReason::Lost, ..end };
        };
        end.keys += keys.of(piece, choice.0, choice.1);
        end.lines += board.play(piece, choice);
        end.pieces += 1;
        end.board = board.to_board();
        if let Some(reason) = stop.reason(end.board.stack_height() as u32, end.pieces) {
            return ClassicEnd { reason, ..end };
        }
    }
}

fn ones(rows: u64) -> u64 {
    rows.count_ones().into()
}

fn height(column: u64) -> u64 {
    (64 - column.leading_zeros()).into()
}
