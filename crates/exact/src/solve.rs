//! The solver: how many rows to expect within a number of placements, or until the game is lost.

use crate::game::PlacementIndex;
use crate::model::{Model, Possible, Swept};
use std::ops::ControlFlow;
use tetrion_players::monitor::{Monitor, Stopped};

/// The rows to expect from the empty board.
#[derive(Clone, Debug, PartialEq)]
pub struct Expected {
    /// The rows to expect, by the first piece.
    pub by_first_piece: Vec<f64>,
    /// A bound on their error.
    pub error_bound: f64,
}

impl Expected {
    /// The average over the first pieces.
    pub fn mean(&self) -> f64 {
        average(&self.by_first_piece)
    }
}

/// The average over the first pieces.
pub fn average(by_first_piece: &[f64]) -> f64 {
    by_first_piece.iter().sum::<f64>() / by_first_piece.len() as f64
}

/// How far the solution has come.
#[derive(Clone, Copy, Debug)]
pub struct SolveProgress<'s> {
    /// Sweeps over all boards so far.
    pub sweeps: usize,
    /// The current estimate of the rows to expect, averaged over the first pieces.
    pub estimate: f64,
    /// A bound on its error, infinite at first.
    pub error_bound: f64,
    /// The values.
    pub values: &'s [f64],
}

/// The rows to expect within `stages` placements. `values` become those after the first placement, so that [`Model::best`]
/// finds the best first placement on any board.
///
/// `each` gets the decisions with 1, 2, 3 … placements to go, if they are wanted, and the rows to expect by first piece. It
/// may break off. Once the values no longer change, neither do the decisions: the remaining stages are skipped, and `each`
/// is not called for them.
pub fn horizon(
    model: &Model,
    stages: u64,
    values: &mut Vec<f64>,
    mut decisions: Option<&mut Vec<PlacementIndex>>,
    monitor: &Monitor,
    mut each: impl FnMut(u64, &[PlacementIndex], &[f64]) -> ControlFlow<()>,
) -> Result<Expected, Stopped> {
    *values = vec![0.0; model.values()];
    let mut next = values.clone();
    let mut expected = vec![0.0; model.chain().pieces()];
    let mut largest: f64 = 0.0;
    for stage in 1..=stages {
        for (piece, rows) in expected.iter_mut().enumerate() {
            *rows = model.best(values, 0, piece).1;
        }
        let room = decisions.as_deref_mut().map_or(&mut [][..], |decisions| {
            decisions.resize(model.decisions(), 0);
            decisions
        });
        let swept = model.improve(values, &mut next, room, &None, monitor)?;
        largest = largest.max(swept.largest);
        if each(stage, room, &expected).is_break() || stage == stages || swept.change == 0.0 {
            break;
        }
        std::mem::swap(values, &mut next);
    }
    let error_bound = rounding(model, largest) * most_placements(model, &expected).min(stages as f64);
    Ok(Expected { by_first_piece: expected, error_bound })
}

/// A bound on the rounding error of one sweep, if no value is larger.
fn rounding(model: &Model, largest: f64) -> f64 {
    (model.chain().pieces() + 3) as f64 * f64::EPSILON * (largest + model.game().height() as f64)
}

/// A bound on the placements to expect with this many rows: every placed cell is either cleared or still on the board, and
/// one more piece loses.
fn most_placements(model: &Model, by_first_piece: &[f64]) -> f64 {
    let game = model.game();
    let rows = by_first_piece.iter().copied().fold(0.0, f64::max);
    (game.width() as f64 * rows + game.cells() as f64) / smallest_piece(model) + 1.0
}

fn smallest_piece(model: &Model) -> f64 {
    model.game().pieces().kinds().iter().map(|kind| kind.size()).min().unwrap_or(1) as f64
}

/// Why there is no solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoSolution {
    /// The calculation was stopped.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// Some play never loses.
    #[error("with these pieces a game can last forever, so the number of rows has no limit")]
    Endless,
}

/// The most rows to expect until the game is lost, to within `tolerance` or as closely as floating point allows, and
/// decisions that reach them to within twice that. `values` may hold the result of an earlier run. If the calculation is
/// stopped, `values` keep what it has gained.
pub fn until_loss(
    model: &Model,
    tolerance: f64,
    values: &mut Vec<f64>,
    decisions: &mut Vec<PlacementIndex>,
    monitor: &Monitor,
    mut each: impl FnMut(SolveProgress),
) -> Result<Expected, NoSolution> {
    values.resize(model.values(), 0.0);
    decisions.resize(model.decisions(), 0);
    let possible = model.possible(None);
    let mut next = values.clone();
    let mut sweeps = 0;
    let mut can_be_lost = false;
    loop {
        let swept = model.improve(values, &mut next, decisions, &possible, monitor)?;
        sweeps += 1;
        let first = (0..model.chain().pieces()).map(|piece| model.best(values, 0, piece).1).collect();
        let expected = expected_until_loss(model, swept, first);
        std::mem::swap(values, &mut next);
        let (estimate, error_bound) = (expected.mean(), expected.error_bound);
        each(SolveProgress { sweeps, estimate, error_bound, values });
        if error_bound <= tolerance || is_settled(model, swept) {
            return Ok(expected);
        }
        can_be_lost |= error_bound.is_finite();
        if !can_be_lost {
            if sweeps < SWEEPS_BEFORE_ENDLESS_CHECK {
                continue;
            }
            if model.is_endless(&possible, monitor)? {
                return Err(NoSolution::Endless);
            }
            can_be_lost = true;
        }
        let follow = Follow { model, decisions, possible: &possible, monitor };
        follow.evaluate(swept.change / 16.0, values, &mut next, |values| {
            sweeps += 1;
            each(SolveProgress { sweeps, estimate, error_bound, values });
        })?;
    }
}

/// Sweeps before checking whether the game can be lost at all.
const SWEEPS_BEFORE_ENDLESS_CHECK: usize = 32;

/// Whether a sweep changed no more than rounding can.
fn is_settled(model: &Model, swept: Swept) -> bool {
    swept.change <= rounding(model, swept.largest)
}

/// The rows to expect from given decisions within `stages` placements.
pub fn follow_horizon(
    model: &Model,
    decisions: &[PlacementIndex],
    stages: u64,
    monitor: &Monitor,
) -> Result<Expected, Stopped> {
    let mut values = vec![0.0; model.values()];
    let mut next = values.clone();
    let mut largest: f64 = 0.0;
    for _ in 1..stages {
        let swept = model.follow(decisions, 1.0, &values, &mut next, &None, monitor)?;
        std::mem::swap(&mut values, &mut next);
        largest = largest.max(swept.largest);
        if swept.change == 0.0 {
            break;
        }
    }
    let by_first_piece = first_pieces(model, decisions, 1.0, &values);
    let error_bound = rounding(model, largest) * most_placements(model, &by_first_piece).min(stages as f64);
    Ok(Expected { by_first_piece, error_bound })
}

/// The probability of surviving 1, 2, 3 … placements with these decisions, by first piece.
pub fn survival(
    model: &Model,
    decisions: &[PlacementIndex],
    placements: usize,
    monitor: &Monitor,
) -> Result<Vec<Vec<f64>>, Stopped> {
    let mut values = vec![1.0; model.values()];
    let mut next = values.clone();
    let mut chances = Vec::new();
    while chances.len() < placements {
        let first = first_pieces(model, decisions, 0.0, &values);
        if first.iter().all(|chance| *chance == 0.0) {
            // A lost game stays lost.
            chances.resize(placements, first);
            break;
        }
        chances.push(first);
        model.follow(decisions, 0.0, &values, &mut next, &None, monitor)?;
        std::mem::swap(&mut values, &mut next);
    }
    Ok(chances)
}

/// The value of the first placement on the empty board, by piece.
fn first_pieces(model: &Model, decisions: &[PlacementIndex], row: f64, values: &[f64]) -> Vec<f64> {
    let number = model.boards().find(model.game(), 0).number;
    (0..model.chain().pieces())
        .map(|piece| {
            let decision = decisions[number * model.chain().pieces() + piece];
            model.game().successor(0, piece, decision).map_or(0.0, |successor| {
                row * f64::from(successor.rows)
                    + values[model.place(successor.board, model.chain().class(piece))]
            })
        })
        .collect()
}

/// The rows to expect from given decisions until the game is lost, to within `tolerance` or as closely as floating point allows.
pub fn follow_until_loss(
    model: &Model,
    decisions: &[PlacementIndex],
    tolerance: f64,
    monitor: &Monitor,
) -> Result<Expected, Stopped> {
    let mut values = vec![0.0; model.values()];
    let mut next = values.clone();
    let possible = model.possible(Some(decisions));
    let follow = Follow { model, decisions, possible: &possible, monitor };
    let mut target: f64 = 1e-3;
    loop {
        follow.evaluate(target, &mut values, &mut next, |_| {})?;
        let swept = model.follow(decisions, 1.0, &values, &mut next, &possible, monitor)?;
        let expected = expected_until_loss(model, swept, first_pieces(model, decisions, 1.0, &values));
        if expected.error_bound <= tolerance || is_settled(model, swept) {
            return Ok(expected);
        }
        target = swept.change / 64.0;
    }
}

/// The rows to expect from the empty board, with an error bound that follows from how much the last sweep changed.
///
/// Let ε be the largest change of a value, and g the most placements to expect from the empty board. A sweep never enlarges
/// the difference between two sets of values, and removes it where the game is lost. So the values are off by ε for each
/// placement still to come, by at most εg. And g follows from the rows, see [`most_placements`], which are themselves off by
/// at most εg. (If ε is so large that this has no solution, nothing is known yet. If it has one, no play lasts forever: it
/// would clear rows at the rate at which it places cells, and the values could not settle.)
fn expected_until_loss(model: &Model, swept: Swept, by_first_piece: Vec<f64>) -> Expected {
    let epsilon = swept.change + rounding(model, swept.largest);
    // g = placements for the known rows + (width / smallest piece) × εg.
    let room = 1.0 - epsilon * model.game().width() as f64 / smallest_piece(model);
    let placements = most_placements(model, &by_first_piece) / room;
    let error_bound = if room > 0.0 { epsilon * placements } else { f64::INFINITY };
    Expected { by_first_piece, error_bound }
}

/// Evaluates given decisions.
struct Follow<'f> {
    model: &'f Model,
    decisions: &'f [PlacementIndex],
    possible: &'f Possible,
    monitor: &'f Monitor,
}

impl Follow<'_> {
    /// Brings the values closer to those of the decisions, until a sweep changes none by more than `target`. Calls `each`
    /// after every sweep.
    ///
    /// Plain sweeps would need about as many as a game has placements, since the error shrinks only by the probability of
    /// surviving one placement. But after a few sweeps it shrinks by the same factor everywhere, so the rest of the geometric
    /// series can be added at once. If every piece has the same number of cells, the number of filled cells modulo the width
    /// is periodic, so the factor is taken over a whole period.
    fn evaluate(
        &self,
        target: f64,
        values: &mut Vec<f64>,
        next: &mut Vec<f64>,
        mut each: impl FnMut(&[f64]),
    ) -> Result<(), Stopped> {
        let round = round(self.model);
        let mut ahead = Vec::new();
        for _ in 0..MAX_EXTRAPOLATIONS {
            let mut changes = [0.0; 2];
            let mut last = Swept::default();
            for sum in &mut changes {
                ahead.clone_from(values);
                for _ in 0..round {
                    last = self.step(values, next)?;
                    std::mem::swap(values, next);
                    each(values);
                    if last.change <= target || is_settled(self.model, last) {
                        return Ok(());
                    }
                }
                *sum = values.iter().zip(&ahead).map(|(value, before)| (value - before).abs()).sum::<f64>();
            }
            let factor = changes[1] / changes[0];
            if factor >= 1.0 {
                continue;
            }
            for (value, ahead) in values.iter().zip(&mut ahead) {
                *ahead = value + (value - *ahead) * factor / (1.0 - factor);
            }
            // If that was too early, the next sweep changes more than the last one did.
            if self.step(&ahead, next)?.change < last.change {
                std::mem::swap(values, next);
            }
            each(values);
        }
        Ok(())
    }

    fn step(&self, old: &[f64], new: &mut [f64]) -> Result<Swept, Stopped> {
        self.model.follow(self.decisions, 1.0, old, new, self.possible, self.monitor)
    }
}

/// Extrapolations before the decisions are improved again.
const MAX_EXTRAPOLATIONS: usize = 16;

/// The number of placements after which the number of filled cells, modulo the width, repeats.
fn round(model: &Model) -> usize {
    let width = model.game().width();
    let kinds = model.game().pieces().kinds();
    let size = kinds[0].size();
    if kinds.iter().any(|kind| kind.size() != size) {
        return 1;
    }
    (1..=width).find(|round| (round * size).is_multiple_of(width)).unwrap_or(1)
}
