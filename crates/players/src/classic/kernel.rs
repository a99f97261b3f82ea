//! Chooses placements of the same piece for as many boards as there are lanes.

use super::ClassicWeights;
use super::fall::clear_rows;
use super::features::{PlacementFeatures, Weights};
use super::field::Size;
use super::landing::{ClearingPlacement, LandingSurvey, Outline};
use super::lanes::{Lanes, Scores};
use super::shape::KernelShape;
use super::stack::{Stack, WALL};
use crate::afterstate::Judged;
use tetrion_engine::piece::Piece;

/// A placement: orientation and leftmost column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct KernelChoice {
    pub(super) orientation: u8,
    pub(super) x: u8,
}

impl KernelChoice {
    /// The choice as a number that fits in a vector. Numbers sort in the order of choices.
    fn mark(self) -> i16 {
        i16::from(self.orientation) * 16 + i16::from(self.x)
    }

    fn from_mark(mark: f64) -> Option<KernelChoice> {
        (mark >= 0.0).then_some(KernelChoice { orientation: mark as u8 / 16, x: mark as u8 % 16 })
    }
}

const NO_MARK: i16 = -1;

/// The kernel, which keeps scores in an `S`. From one batch to the next it keeps only its buffers.
pub(super) struct Kernel<L: Lanes, S: Scores<L>> {
    size: Size,
    weights: Weights,
    stack: Stack<L>,
    best: Best<S>,
    clearing: Clearing<L>,
    /// The scores of all placements, if they are wanted: those that clear no lines, minus infinity for the others.
    scored: Option<Vec<(KernelChoice, S)>>,
}

/// The best placement so far, for each lane.
struct Best<S> {
    scores: S,
    marks: S,
}

/// Placements that clear lines. They wait until they fill all lanes, and are then surveyed as whole boards.
struct Clearing<L: Lanes> {
    /// The boards with the piece in place, full rows not yet cleared.
    stack: Stack<L>,
    full_rows: L,
    landing_height_doubled: L,
    /// The cells of the piece in full rows.
    cells_in_full_rows: L,
    /// The lane that each board comes from, and the placement.
    waiting: Vec<(usize, KernelChoice)>,
    /// The best score of each lane, and its mark.
    best: Vec<(f64, f64)>,
    /// The lane, the choice and the score of each, if they are wanted.
    scored: Option<Vec<(usize, KernelChoice, f64)>>,
}

impl<L: Lanes, S: Scores<L>> Kernel<L, S> {
    pub(super) fn new(size: Size, weights: &ClassicWeights) -> Kernel<L, S> {
        let prepared = Weights::new(weights);
        let keep = weights.roots().is_some();
        Kernel {
            size,
            weights: prepared,
            stack: Stack::new(size),
            best: Best { scores: S::lost(), marks: S::splat(NO_MARK) },
            clearing: Clearing {
                stack: Stack::new(size),
                full_rows: L::splat(0),
                landing_height_doubled: L::splat(0),
                cells_in_full_rows: L::splat(0),
                waiting: Vec::with_capacity(L::COUNT),
                best: vec![(f64::NEG_INFINITY, NO_MARK.into()); L::COUNT],
                scored: keep.then(Vec::new),
            },
            scored: keep.then(Vec::new),
        }
    }

    /// The stacks of the last batch.
    pub(super) fn stack(&self) -> &Stack<L> {
        &self.stack
    }

    /// Chooses the best placement of the piece on each board, up to one board per lane; `None` where every placement loses.
    ///
    /// Without `HOLES` no board may have a hole. A piece on top of any stack must fit in the lane.
    pub(super) fn choose<const HOLES: bool>(
        &mut self,
        piece: Piece,
        boards: &[&L::Board],
        mut chosen: impl FnMut(usize, Option<KernelChoice>),
    ) {
        self.load::<HOLES>(boards);
        self.place::<HOLES>(piece, boards.len(), |lane, _, choice| chosen(lane, choice));
    }

    /// Loads boards on which pieces will be placed.
    pub(super) fn load<const HOLES: bool>(&mut self, boards: &[&L::Board]) {
        self.stack.load(self.size, boards);
        self.stack.survey::<HOLES>(self.size, &self.weights);
    }

    /// Chooses the best placement of the piece on each of the loaded boards, and tells its score: minus infinity if it loses.
    #[inline(always)]
    pub(super) fn place<const HOLES: bool>(
        &mut self,
        piece: Piece,
        boards: usize,
        mut chosen: impl FnMut(usize, f64, Option<KernelChoice>),
    ) {
        self.try_piece::<HOLES>(piece, boards);
        for lane in 0..boards {
            let (score, mark) = (self.best.scores.get(lane), self.best.marks.get(lane));
            let (clearing_score, clearing_mark) = self.clearing.best[lane];
            let clears = clearing_score > score || clearing_score == score && clearing_mark < mark;
            let (score, mark) = if clears { (clearing_score, clearing_mark) } else { (score, mark) };
            chosen(lane, score, KernelChoice::from_mark(mark));
        }
    }

    /// All placements of the last piece on the board of a lane that don't lose, with their scores, in the order of choices. Only a
    /// kernel for weights that [look ahead](ClassicWeights::roots) knows them.
    pub(super) fn scored(&self, lane: usize, into: &mut Vec<(KernelChoice, f64)>) {
        into.clear();
        let plain = self.scored.iter().flatten().map(|(choice, scores)| (*choice, scores.get(lane)));
        into.extend(plain.filter(|(_, score)| *score > f64::NEG_INFINITY));
        let clearing = self.clearing.scored.iter().flatten().filter(|(of, ..)| *of == lane);
        into.extend(clearing.map(|(_, choice, score)| (*choice, *score)));
        into.sort_unstable_by_key(|(choice, _)| *choice);
    }

    /// Tries all placements of a piece.
    fn try_piece<const HOLES: bool>(&mut self, piece: Piece, boards: usize) {
        let occupied = u32::MAX >> (32 - boards);
        self.best.scores = S::lost();
        self.best.marks = S::splat(NO_MARK);
        self.clearing.best.fill((f64::NEG_INFINITY, NO_MARK.into()));
        self.scored.iter_mut().for_each(Vec::clear);
        self.clearing.scored.iter_mut().for_each(Vec::clear);
        for (orientation, shape) in KernelShape::all(piece).iter().enumerate() {
            match shape.width {
                1 => self.try_shape::<1, HOLES>(shape, orientation as u8, occupied),
                2 => self.try_shape::<2, HOLES>(shape, orientation as u8, occupied),
                3 => self.try_shape::<3, HOLES>(shape, orientation as u8, occupied),
                _ => self.try_shape::<4, HOLES>(shape, orientation as u8, occupied),
            }
        }
        self.clearing.judge::<S>(self.size, &self.weights);
    }

    /// Tries a shape, `N` columns wide, at every column.
    #[inline(never)]
    fn try_shape<const N: usize, const HOLES: bool>(
        &mut self,
        shape: &KernelShape,
        orientation: u8,
        occupied: u32,
    ) {
        let Kernel { size, weights, stack, best, clearing, scored } = self;
        let outline = Outline::<L, N>::new(shape);
        for x in 0..=size.width - N {
            let choice = KernelChoice { orientation, x: x as u8 };
            let landing = LandingSurvey::<L, N, HOLES>::new(stack, &outline, size.width, x);
            let mut scores: S = landing.scores(weights);

            let top = landing.row.plus(outline.height);
            let lost = top.above(L::splat(size.height as u16));
            let full = landing.full_rows();
            let ruled_out = lost | full;
            if ruled_out.any() {
                scores.rule_out(ruled_out);
                let lanes = full.boards() & !lost.boards() & occupied;
                if lanes != 0 {
                    clearing.add::<S, N>(*size, weights, stack, &landing.clearing(full), lanes, choice);
                }
            }
            best.scores.improve(&mut best.marks, &scores, choice.mark());
            if let Some(scored) = scored {
                scored.push((choice, scores));
            }
        }
    }
}

impl<L: Lanes> Clearing<L> {
    /// Adds the boards of these lanes after a placement that clears lines.
    #[inline(never)]
    fn add<S: Scores<L>, const N: usize>(
        &mut self,
        size: Size,
        weights: &Weights,
        stack: &Stack<L>,
        placement: &ClearingPlacement<L, N>,
        lanes: u32,
        choice: KernelChoice,
    ) {
        let mut lanes = lanes;
        while lanes != 0 {
            let lane = lanes.trailing_zeros() as usize;
            lanes &= lanes - 1;
            let free = self.waiting.len();
            for x in WALL..WALL + size.width {
                self.stack.columns[x].set(free, stack.columns[x].get(lane));
            }
            for x in 0..N {
                self.stack.columns[placement.at + x].set(free, placement.columns[x].get(lane));
            }
            self.full_rows.set(free, placement.full_rows.get(lane));
            self.landing_height_doubled.set(free, placement.landing_height_doubled.get(lane));
            self.cells_in_full_rows.set(free, placement.cells_in_full_rows.get(lane));
            self.waiting.push((lane, choice));
            if self.waiting.len() == L::COUNT {
                self.judge::<S>(size, weights);
            }
        }
    }

    /// Scores the waiting boards.
    #[inline(never)]
    fn judge<S: Scores<L>>(&mut self, size: Size, weights: &Weights) {
        if self.waiting.is_empty() {
            return;
        }
        let columns = &mut self.stack.columns[WALL..WALL + size.width];
        let mut reaching_out = L::splat(0);
        match weights.judged {
            Judged::AfterClearing => clear_rows(columns, self.full_rows),
            // The survey does not see the transition above a column that reaches the top of its lane.
            Judged::BeforeClearing => {
                let highest = L::splat_rows(1 << (64 - L::ROWS));
                for column in columns {
                    reaching_out = reaching_out.plus((*column & highest).ones());
                }
            }
        }
        self.stack.survey::<true>(size, weights);
        let lines = self.full_rows.ones();
        let features = &mut self.stack.features;
        features.landing_height_doubled = self.landing_height_doubled;
        features.eroded_piece_cells = lines.times(self.cells_in_full_rows);
        features.rows_removed = lines;
        features.complete_lines = lines;
        features.column_transitions = features.column_transitions.plus(reaching_out);
        let scores: S = features.scores(weights);
        for (place, (lane, choice)) in self.waiting.drain(..).enumerate() {
            let score = scores.get(place);
            // They come in the order of choices, so the first of equal scores wins.
            if score > self.best[lane].0 {
                self.best[lane] = (score, choice.mark().into());
            }
            if let Some(scored) = &mut self.scored {
                scored.push((lane, choice, score));
            }
        }
        // Unused lanes of the next batch must not clear these rows again.
        self.full_rows = L::splat(0);
    }
}
