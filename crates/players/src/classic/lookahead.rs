//! Looks one unseen piece ahead: of the best placements, the one after which the next piece scores best on average.
//!
//! The kernel finds the best placements. The boards that they leave are put side by side, whatever games they come from, and
//! each of the seven pieces is placed on all of them.

use super::ClassicWeights;
use super::fall::MAX_STACK;
use super::field::{Field, LowField, Size};
use super::kernel::{Kernel, KernelChoice};
use super::lanes::{LOW_WIDTH, Lanes, Scores};
use super::shape::KernelShape;
use crate::features::Feature;
use tetrion_engine::piece::Piece;
use wide::{f64x8, i32x16, u16x32, u32x16};

/// The highest stack for the lanes of higher boards: a piece on top of it still fits in their rows.
pub(super) const MAX_HIGH_STACK: u32 = u32x16::ROWS - 4;

/// The search.
pub(super) struct Lookahead {
    size: Size,
    weights: ClassicWeights,
    roots: usize,
    /// The score of a piece that can't be placed.
    loss: f64,
    low: Kernel<u16x32, [i32x16; 2]>,
    high: Kernel<u32x16, [f64x8; 2]>,
    single: Kernel<u64, f64>,
    /// The placements that are searched.
    searched: Vec<Root>,
    scored: Vec<(KernelChoice, f64)>,
}

/// A placement that is searched.
struct Root {
    /// The number of its board.
    board: usize,
    choice: KernelChoice,
    /// The board that it leaves.
    after: Field,
    /// What the placement itself contributes to each score.
    carried: f64,
    /// The sum over the pieces.
    sum: f64,
}

impl Lookahead {
    /// The search of a controller, if it searches.
    pub(super) fn of(size: Size, weights: &ClassicWeights) -> Option<Lookahead> {
        let roots = weights.roots()?;
        let one_ply = weights.looking_at_one_piece();
        let sum: f64 = ClassicWeights::FEATURES.iter().map(|feature| weights.get(*feature).abs()).sum();
        Some(Lookahead {
            size,
            weights: one_ply,
            roots,
            loss: LOSS * sum,
            low: Kernel::new(size, &one_ply),
            high: Kernel::new(size, &one_ply),
            single: Kernel::new(size, &one_ply),
            searched: Vec::new(),
            scored: Vec::new(),
        })
    }

    /// Chooses a placement of the piece for each board. The kernel has just placed that piece on them, and keeps the scores.
    pub(super) fn choose<L: Lanes, S: Scores<L>>(
        &mut self,
        piece: Piece,
        boards: impl Iterator<Item = Field>,
        kernel: &Kernel<L, S>,
        choices: &mut [Option<KernelChoice>],
    ) {
        self.searched.clear();
        for (board, field) in boards.enumerate() {
            kernel.scored(board, &mut self.scored);
            // The sort is stable: of equal scores, the first placements are searched.
            self.scored.sort_by(|a, b| b.1.total_cmp(&a.1));
            self.scored.truncate(self.roots);
            self.scored.sort_unstable_by_key(|(choice, _)| *choice);
            choices[board] = self.scored.first().map(|(choice, _)| *choice);
            if self.scored.len() > 1 {
                for at in 0..self.scored.len() {
                    let root = self.root(piece, board, field, self.scored[at].0);
                    self.searched.push(root);
                }
            }
        }
        self.search();
        let mut best = (usize::MAX, f64::NEG_INFINITY);
        for root in &self.searched {
            let score = root.sum / Piece::ALL.len() as f64;
            if root.board != best.0 || score > best.1 {
                best = (root.board, score);
                choices[root.board] = Some(root.choice);
            }
        }
    }

    fn root(&self, piece: Piece, board: usize, field: Field, choice: KernelChoice) -> Root {
        let shape = &KernelShape::all(piece)[choice.orientation as usize];
        let mut after = field;
        let drop = after.drop(shape, choice.x.into());
        let lines = f64::from(drop.lines);
        let landing_height = f64::from(drop.row) + f64::from(shape.height - 1) / 2.0;
        let carried = self.weights.get(Feature::LandingHeight) * landing_height
            + self.weights.get(Feature::ErodedPieceCells) * lines * f64::from(drop.cells_in_full_rows)
            + (self.weights.get(Feature::RowsRemoved) + self.weights.get(Feature::CompleteLines)) * lines;
        Root { board, choice, after, carried, sum: 0.0 }
    }

    /// Sums up the best scores of all pieces on all boards that are searched.
    fn search(&mut self) {
        let Lookahead { size, loss, low, high, single, searched, .. } = self;
        // Boards side by side should all have holes or all have none, as in the pool.
        let mut open: Vec<&mut Root> = Vec::with_capacity(searched.len());
        let mut holed: Vec<&mut Root> = Vec::new();
        let mut tall: Vec<&mut Root> = Vec::new();
        for root in searched {
            let height = root.after.stack_height();
            if size.width != LOW_WIDTH || height > MAX_HIGH_STACK {
                add_best::<u64, _, true>(single, &[root.after.columns], &mut [root], *loss);
            } else if height > MAX_STACK {
                tall.push(root);
            } else if root.after.has_holes() {
                holed.push(root);
            } else {
                open.push(root);
            }
        }
        for (roots, has_holes) in [(&mut open, false), (&mut holed, true)] {
            for roots in roots.chunks_mut(u16x32::COUNT) {
                let boards: Vec<_> = roots.iter().map(|root| LowField::of(&root.after).0).collect();
                match has_holes {
                    false => add_best::<u16x32, _, false>(low, &boards, roots, *loss),
                    true => add_best::<u16x32, _, true>(low, &boards, roots, *loss),
                }
            }
        }
        for roots in tall.chunks_mut(u32x16::COUNT) {
            let boards: Vec<_> = roots.iter().map(|root| root.after.columns).collect();
            add_best::<u32x16, _, true>(high, &boards, roots, *loss);
        }
    }
}

/// The score of a lost game, as a multiple of the sum of all weights: far below any board.
pub(super) const LOSS: f64 = -1e6;

/// Adds the best scores of all pieces to the sums of the boards.
fn add_best<L: Lanes, S: Scores<L>, const HOLES: bool>(
    kernel: &mut Kernel<L, S>,
    boards: &[L::Board],
    roots: &mut [&mut Root],
    loss: f64,
) {
    kernel.load::<HOLES>(&boards.iter().collect::<Vec<_>>());
    for piece in Piece::ALL {
        kernel.place::<HOLES>(piece, boards.len(), |lane, score, choice| {
            let root = &mut roots[lane];
            root.sum += if choice.is_some() { score + root.carried } else { loss };
        });
    }
}
