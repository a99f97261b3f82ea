//! The two questions: how many rows can be expected within so many placements, and how many until the game is lost?

use crate::game::Decision;
use crate::model::{Model, Span};
use crate::monitor::{Monitor, Stopped};
use std::ops::ControlFlow;

/// What can be expected from the empty board.
#[derive(Clone, Debug, PartialEq)]
pub struct Expected {
    /// The rows to expect, by the first piece.
    pub by_first_piece: Vec<f64>,
    /// How far off they can be, at most.
    pub error_bound: f64,
}

impl Expected {
    /// The average over the first pieces.
    pub fn mean(&self) -> f64 {
        self.by_first_piece.iter().sum::<f64>() / self.by_first_piece.len() as f64
    }
}

/// A step on the way to a solution.
#[derive(Clone, Copy, Debug)]
pub struct Step<'s> {
    /// How often all boards have been gone through.
    pub sweeps: usize,
    /// The rows to expect on the average, as far as is known.
    pub estimate: f64,
    /// How far off that can be; nothing is known at first.
    pub error_bound: f64,
    /// The values.
    pub values: &'s [f64],
}

/// The rows to expect within `stages` placements. `values` become those after the first of them, so that
/// [`Model::best`] finds with them what to do on any board with all placements to go.
///
/// `each` sees the decisions with 1, 2, 3 … placements to go, if they are wanted, and the rows to expect then by first piece;
/// it may break off. Once values no longer change, neither do decisions: the stages that are left are not gone through, and `each` is not
/// called for them.
pub fn horizon(
    model: &Model,
    stages: u64,
    values: &mut Vec<f64>,
    mut decisions: Option<&mut Vec<Decision>>,
    monitor: &Monitor,
    mut each: impl FnMut(u64, &[Decision], &[f64]) -> ControlFlow<()>,
) -> Result<Expected, Stopped> {
    *values = vec![0.0; model.values()];
    let mut next = values.clone();
    let mut expected = vec![0.0; model.chain().pieces()];
    for stage in 1..=stages {
        for (piece, rows) in expected.iter_mut().enumerate() {
            *rows = model.best(values, 0, piece).1;
        }
        let room = decisions.as_deref_mut().map_or(&mut [][..], |decisions| {
            decisions.resize(model.decisions(), 0);
            decisions
        });
        let change = model.improve(values, &mut next, room, monitor)?;
        if each(stage, room, &expected).is_break() || stage == stages || change.size() == 0.0 {
            break;
        }
        std::mem::swap(values, &mut next);
    }
    // Every placement may add the rounding of one sum.
    let error_bound = stages as f64 * rounding(model, &expected);
    Ok(Expected { by_first_piece: expected, error_bound })
}

/// What rounding can change in one step.
fn rounding(model: &Model, expected: &[f64]) -> f64 {
    let largest = expected.iter().copied().fold(1.0, f64::max) + model.game().height() as f64;
    (model.chain().pieces() + 3) as f64 * f64::EPSILON * largest
}

/// Why there is no solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoSolution {
    /// Asked to stop.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The game can go on for ever.
    #[error("with these pieces the game can be played for ever: say for how many placements with --stages")]
    Endless,
}

/// The most rows that can be expected until the game is lost, and the decisions that reach them, to within `tolerance`.
/// `values` may hold what is known from before; they are the better of it even if this is stopped.
pub fn until_loss(
    model: &Model,
    tolerance: f64,
    values: &mut Vec<f64>,
    decisions: &mut Vec<Decision>,
    monitor: &Monitor,
    mut each: impl FnMut(Step),
) -> Result<Expected, NoSolution> {
    values.resize(model.values(), 0.0);
    decisions.resize(model.decisions(), 0);
    let mut next = values.clone();
    let mut sweeps = 0;
    let mut checked = false;
    loop {
        let change = model.improve(values, &mut next, decisions, monitor)?;
        sweeps += 1;
        let first = (0..model.chain().pieces()).map(|piece| model.best(values, 0, piece).1).collect();
        let expected = expected_until_loss(model, change, first);
        std::mem::swap(values, &mut next);
        each(Step { sweeps, estimate: expected.mean(), error_bound: expected.error_bound, values });
        if expected.error_bound <= tolerance {
            return Ok(expected);
        }
        if expected.error_bound.is_infinite() {
            if sweeps >= ENOUGH_SWEEPS && !checked {
                checked = true;
                if model.is_endless(monitor)? {
                    return Err(NoSolution::Endless);
                }
            }
            continue;
        }
        sweeps += evaluate(model, decisions, change.size() / 16.0, values, &mut next, monitor)?;
    }
}

/// How often to go through all boards before asking whether the game can be lost at all.
const ENOUGH_SWEEPS: usize = 64;

/// The rows that given decisions bring within `stages` placements.
pub fn follow_horizon(
    model: &Model,
    decisions: &[Decision],
    stages: u64,
    monitor: &Monitor,
) -> Result<Expected, Stopped> {
    let mut values = vec![0.0; model.values()];
    let mut next = values.clone();
    for _ in 1..stages {
        let change = model.follow(decisions, 1.0, &values, &mut next, monitor)?;
        std::mem::swap(&mut values, &mut next);
        if change.size() == 0.0 {
            break;
        }
    }
    let by_first_piece = first_pieces(model, decisions, 1.0, &values);
    let error_bound = stages as f64 * rounding(model, &by_first_piece);
    Ok(Expected { by_first_piece, error_bound })
}

/// The chances that the game is not lost after 1, 2, 3 … placements with these decisions, by first piece.
pub fn survival(
    model: &Model,
    decisions: &[Decision],
    placements: usize,
    monitor: &Monitor,
) -> Result<Vec<Vec<f64>>, Stopped> {
    let mut values = vec![1.0; model.values()];
    let mut next = values.clone();
    let mut chances = Vec::new();
    for _ in 0..placements {
        chances.push(first_pieces(model, decisions, 0.0, &values));
        model.follow(decisions, 0.0, &values, &mut next, monitor)?;
        std::mem::swap(&mut values, &mut next);
    }
    Ok(chances)
}

/// What the first placements on the empty board lead to, by piece.
fn first_pieces(model: &Model, decisions: &[Decision], row: f64, values: &[f64]) -> Vec<f64> {
    let number = model.boards().find(model.game(), 0).number;
    (0..model.chain().pieces())
        .map(|piece| {
            let decision = decisions[number * model.chain().pieces() + piece];
            model.game().landing(0, piece, decision).map_or(0.0, |landing| {
                row * f64::from(landing.rows) + values[model.place(landing.board, model.chain().class(piece))]
            })
        })
        .collect()
}

/// The rows that given decisions bring until the game is lost, to within `tolerance`.
pub fn follow_until_loss(
    model: &Model,
    decisions: &[Decision],
    tolerance: f64,
    monitor: &Monitor,
) -> Result<Expected, Stopped> {
    let mut values = vec![0.0; model.values()];
    let mut next = values.clone();
    let mut target: f64 = 1e-3;
    loop {
        evaluate(model, decisions, target, &mut values, &mut next, monitor)?;
        let change = model.follow(decisions, 1.0, &values, &mut next, monitor)?;
        let expected = expected_until_loss(model, change, first_pieces(model, decisions, 1.0, &values));
        if expected.error_bound <= tolerance {
            return Ok(expected);
        }
        target = (change.size() / 64.0).max(f64::MIN_POSITIVE);
    }
}

/// What is expected from the empty board, and how far off it can be, if one more step changes values by `change`.
///
/// Let ε be the largest change, and g the most placements that can be expected from the empty board. A step further never
/// enlarges a difference between two sets of values, and it keeps none where the game is lost: so the values are off by ε for
/// each placement that is still to come, by εg at most. And g follows from the rows themselves: cells that were placed are
/// cleared or still there, so there are at most (width × rows + cells of the board) / (cells of the smallest piece)
/// placements, and the one that loses. (Where ε is so large that this has no solution, nothing is known yet. Where it has
/// one, no play goes on for ever: it would clear rows at the rate of the cells it places, and values could not settle.)
fn expected_until_loss(model: &Model, change: Span, by_first_piece: Vec<f64>) -> Expected {
    let game = model.game();
    let smallest = game.pieces().kinds().iter().map(|kind| kind.size()).min().unwrap_or(1) as f64;
    let (width, cells) = (game.width() as f64, game.cells() as f64);
    let epsilon = change.size() + rounding(model, &by_first_piece);
    let most = by_first_piece.iter().copied().fold(0.0, f64::max);
    let room = 1.0 - epsilon * width / smallest;
    let most_possible = (most + epsilon * (cells / smallest + 1.0)) / room;
    let placements = (width * most_possible + cells) / smallest + 1.0;
    let error_bound = if room > 0.0 { epsilon * placements } else { f64::INFINITY };
    Expected { by_first_piece, error_bound }
}

/// Brings values closer to what the decisions are worth, until one more step changes none by more than `target`. Gives the
/// number of steps.
///
/// Step by step this would take as many steps as games are long, since what is missing shrinks only by the chance to survive
/// one. But after a few steps it shrinks by the same factor everywhere, and the sum of all that is still missing can be
/// added at once. Boards differ in how many cells they hold, modulo the width; as every piece adds the same number of cells,
/// boards of one kind lead to boards of the next, round and round: the factor is that of a whole round.
fn evaluate(
    model: &Model,
    decisions: &[Decision],
    target: f64,
    values: &mut Vec<f64>,
    next: &mut Vec<f64>,
    monitor: &Monitor,
) -> Result<usize, Stopped> {
    let round = round(model);
    let mut ahead = Vec::new();
    let mut steps = 0;
    for _ in 0..MOST_ROUNDS {
        let mut changes = [0.0; 2];
        let mut last = 0.0;
        for sum in &mut changes {
            ahead.clone_from(values);
            for _ in 0..round {
                last = model.follow(decisions, 1.0, values, next, monitor)?.size();
                std::mem::swap(values, next);
                steps += 1;
                if last <= target {
                    return Ok(steps);
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
        // It may have been too early for that: then the next step changes more than the last one did.
        let change = model.follow(decisions, 1.0, &ahead, next, monitor)?.size();
        steps += 1;
        if change < last {
            std::mem::swap(values, next);
        }
    }
    Ok(steps)
}

/// How often to extrapolate before decisions are looked at again.
const MOST_ROUNDS: usize = 16;

/// After how many placements the number of cells, modulo the width, is the same again.
fn round(model: &Model) -> usize {
    let width = model.game().width();
    let kinds = model.game().pieces().kinds();
    let size = kinds[0].size();
    if kinds.iter().any(|kind| kind.size() != size) {
        return 1;
    }
    (1..=width).find(|round| (round * size).is_multiple_of(width)).unwrap_or(1)
}
