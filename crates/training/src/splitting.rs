//! Estimates the lines of Classic games that are too long to play.
//!
//! On 10×20 a good agent places a hundred million pieces before it loses. Its stack is low almost all the time. Now and then it climbs
//! a few rows and comes down again; very rarely it climbs all the way. **Multilevel splitting** divides that climb into steps that
//! are not rare:
//!
//! - The *base* is a height to which the stack returns again and again: the median over games that have been running for a while,
//!   but at most half of the board.
//! - The *levels* are the top row, the two rows below it, and every other row further down, down to three rows above the base.
//!   With base 3, a board of 20 rows has the levels 6, 8, … 18, 19 and 20.
//! - A *cycle* leads from the base to the first level and back. Cycles are played one after the other. They give the number of climbs per
//!   piece, and boards at the first level.
//! - From boards at a level, games continue with new pieces until they reach the next level or return to the base. The share
//!   that reaches the next level is the chance of that step, and their boards are the starts of the next step. The last step ends
//!   with the loss.
//!
//! The losses per piece are the climbs per piece times the chances of all steps. The expected number of pieces in a game is the inverse
//! of that. A piece has four cells, and all cells are cleared except those of the last stack, so a piece clears 4/width lines.
//!
//! This ignores what happens only once in a game, such as the first climb from the empty board: about a cycle, a few dozen pieces. Where
//! that would matter, games are short and are simply played.
//!
//! The estimate is made [`REPLICATES`] times, each with a part of the trials, and the *rates* are averaged: they are unbiased, their inverses
//! are not. The spread of the rates gives the error.

use rayon::prelude::*;
use serde::Serialize;
use tetrion_engine::board::Board;
use tetrion_engine::randomizer::game_seed;
use tetrion_players::classic::{
    ClassicEnd, ClassicStart, ClassicWeights, StopReason, StopWhen, play_classic_from,
};

/// How many independent estimates are averaged. They share the trials equally.
pub const REPLICATES: usize = 8;

/// The length of the games that are played first, in pieces. If half of them are lost by then, they are all that is needed.
const OPENING_PIECES: u64 = 2_000;

/// A trial that neither climbs nor falls within this many pieces has forgotten where it came from. It counts as fallen.
const MAX_PIECES_PER_TRIAL: u64 = 100_000;

/// Games that a thread plays together: enough to fill the kernel's lanes. The result does not depend on it.
const GAMES_PER_CHUNK: usize = 1_024;

/// An estimate of the lines of a game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The expected lines of a game from the empty board.
    pub lines: f64,
    /// The standard error of the lines, relative to them.
    pub relative_error: f64,
    /// Decisions made for the estimate.
    pub decisions: u64,
    /// The steps from the base to the loss; empty if full games were played. Up to the averaging over replicates, the loss rate
    /// is the product of their chances.
    pub steps: Vec<SplittingStep>,
}

/// A step up: from the base or a level to the next level, or from the last level to the loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct SplittingStep {
    /// The height it starts from.
    pub from: u32,
    /// How often it was tried: pieces placed for the first step, games for the others.
    pub trials: u64,
    /// How often it led up.
    pub passed: u64,
}

/// Estimates the expected lines of a Classic game, with this many trials for each step. The threads of rayon's pool share the work; the
/// result does not depend on them.
///
/// On 10×20, 4,096 trials of an agent like DT-20 take two million decisions and leave an error of 25 to 30 %. Four times as many
/// trials halve it. With few trials the error itself is a rough estimate, and tends to be too small.
///
/// # Panics
/// If the board is not 4 to 16 columns wide and 4 to 40 rows high.
pub fn estimate(width: usize, height: usize, weights: &ClassicWeights, trials: usize, seed: u64) -> Estimate {
    estimate_with(width, height, trials, seed, |starts, stop| Some(play_classic_from(weights, starts, stop)))
        .expect("the games are always played")
}

/// The same for any agent that drops uniform pieces straight down, given a function that plays a game from each start. Returns nothing
/// if that function does.
///
/// # Panics
/// If there is no board of that size.
pub fn estimate_with(
    width: usize,
    height: usize,
    trials: usize,
    seed: u64,
    play: impl Fn(&[ClassicStart], StopWhen) -> Option<Vec<ClassicEnd>> + Sync,
) -> Option<Estimate> {
    let empty = Board::new(width, height).expect("a board of that size");
    let mut games = Games { play, seed, calls: 0, decisions: 0, empty };
    let opening = StopWhen { pieces: Some(OPENING_PIECES), ..StopWhen::default() };
    let ends = games.play_on(&vec![empty; (trials / 32).max(64)], opening)?;
    let lost = ends.iter().filter(|end| end.lost()).count();
    let ((lines, relative_error), steps) = if 2 * lost >= ends.len() {
        (from_full_games(&ends), Vec::new())
    } else {
        let boards: Vec<Board> = ends.iter().filter(|end| !end.lost()).map(|end| end.board).collect();
        let base = base(&boards, height as u32);
        let share = trials.div_ceil(REPLICATES).max(1);
        let (loss_rate, relative_error, steps) = climb(&mut games, &boards, base, share)?;
        ((4.0 / width as f64 / loss_rate, relative_error), steps)
    };
    Some(Estimate { lines, relative_error, decisions: games.decisions, steps })
}

/// The mean lines of full games, with their relative error. A game that was cut counts as if it continued like a new one.
fn from_full_games(ends: &[ClassicEnd]) -> (f64, f64) {
    let lost = ends.iter().filter(|end| end.lost()).count() as f64;
    let mean = ends.iter().map(|end| end.lines as f64).sum::<f64>() / lost;
    let off = |end: &ClassicEnd| end.lines as f64 - mean * f64::from(end.lost());
    let error = ends.iter().map(|end| off(end).powi(2)).sum::<f64>().sqrt() / lost;
    (mean, if mean > 0.0 { error / mean } else { 0.0 })
}

/// The height from which cycles start.
fn base(boards: &[Board], height: u32) -> u32 {
    let mut heights: Vec<u32> = boards.iter().map(|board| board.stack_height() as u32).collect();
    heights.sort_unstable();
    heights[heights.len() / 2].min(height / 2)
}

/// The levels above a base, lowest first.
fn levels(base: u32, height: u32) -> Vec<u32> {
    let below_the_top =
        (base + 3..height).filter(|level| height - level == 1 || (height - level).is_multiple_of(2));
    below_the_top.chain([height]).collect()
}

/// Where a trial starts.
#[derive(Clone, Copy)]
enum TrialState {
    Stack(Board),
    Lost,
}

/// One of the estimates that are averaged.
#[derive(Clone)]
struct Replicate {
    /// How often its games reach the current level, per piece.
    rate: f64,
    /// Their boards at that level.
    states: Vec<TrialState>,
}

/// Climbs from the base to the loss. Returns the losses per piece, their relative error, and the steps.
fn climb<P: PlayGames>(
    games: &mut Games<P>,
    boards: &[Board],
    base: u32,
    share: usize,
) -> Option<(f64, f64, Vec<SplittingStep>)> {
    let height = games.empty.height() as u32;
    let levels = levels(base, height);
    let (mut replicates, first) = games.first_step(boards, base, levels[0], share)?;
    let mut steps = vec![first];
    for (index, from) in levels.iter().enumerate() {
        // No stack is higher than the board, so only a loss passes the last level.
        let next = levels.get(index + 1).copied().unwrap_or(height + 1);
        let step = games.step(&mut replicates, base, *from, next, share)?;
        steps.push(step);
        if step.passed == 0 {
            break;
        }
    }
    let count = REPLICATES as f64;
    let mean = replicates.iter().map(|replicate| replicate.rate).sum::<f64>() / count;
    if mean == 0.0 {
        // No game was lost. Assume that one trial passed each step that none passed.
        let chances = steps.iter().map(|step| step.passed.max(1) as f64 / step.trials as f64);
        return Some((chances.product(), 1.0, steps));
    }
    let squares = replicates.iter().map(|replicate| (replicate.rate - mean).powi(2)).sum::<f64>();
    Some((mean, (squares / (count - 1.0) / count).sqrt() / mean, steps))
}

/// Plays a game from each start.
trait PlayGames: Fn(&[ClassicStart], StopWhen) -> Option<Vec<ClassicEnd>> + Sync {}
impl<P: Fn(&[ClassicStart], StopWhen) -> Option<Vec<ClassicEnd>> + Sync> PlayGames for P {}

/// Plays games, and counts their decisions.
struct Games<P> {
    play: P,
    seed: u64,
    /// How often games were played. Each call uses other seeds.
    calls: u64,
    decisions: u64,
    empty: Board,
}

impl<P: PlayGames> Games<P> {
    /// Continues games from these boards.
    fn play_on(&mut self, boards: &[Board], stop: StopWhen) -> Option<Vec<ClassicEnd>> {
        let call_seed = game_seed(self.seed, self.calls);
        self.calls += 1;
        let start = |(index, board): (usize, &Board)| ClassicStart {
            board: *board,
            seed: game_seed(call_seed, index as u64),
        };
        let starts: Vec<ClassicStart> = boards.iter().enumerate().map(start).collect();
        let ends: Option<Vec<Vec<ClassicEnd>>> =
            starts.par_chunks(GAMES_PER_CHUNK).map(|starts| (self.play)(starts, stop)).collect();
        let ends = ends?.concat();
        self.decisions += ends.iter().map(|end| end.pieces + u64::from(end.lost())).sum::<u64>();
        Some(ends)
    }

    /// The step from the base to the first level, from boards of games that have been running for a while.
    fn first_step(
        &mut self,
        boards: &[Board],
        base: u32,
        level: u32,
        share: usize,
    ) -> Option<(Vec<Replicate>, SplittingStep)> {
        let up = StopWhen { at_least: Some(level), at_most: None, pieces: Some(MAX_PIECES_PER_TRIAL) };
        let down = StopWhen { at_least: None, at_most: Some(base), pieces: Some(MAX_PIECES_PER_TRIAL) };
        let empty = self.empty;
        // A lost game starts again.
        let left = |ends: &[ClassicEnd]| -> Vec<Board> {
            ends.iter().map(|end| if end.lost() { empty } else { end.board }).collect()
        };
        let boards: Vec<Board> = boards.iter().copied().cycle().take(REPLICATES * share).collect();
        // The first cycle leads to the base, where cycles start. The second one counts.
        let high = self.play_on(&boards, up)?;
        let low = self.play_on(&left(&high), down)?;
        let high = self.play_on(&left(&low), up)?;
        let low = self.play_on(&left(&high), down)?;

        let mut step = SplittingStep { from: base, trials: 0, passed: 0 };
        let replicate = |(high, low): (&[ClassicEnd], &[ClassicEnd])| {
            let pieces = high.iter().chain(low).map(|end| end.pieces).sum::<u64>();
            let states: Vec<TrialState> = high.iter().filter_map(came_up).collect();
            step.trials += pieces;
            step.passed += states.len() as u64;
            Replicate { rate: states.len() as f64 / pieces as f64, states }
        };
        let replicates = high.chunks(share).zip(low.chunks(share)).map(replicate).collect();
        Some((replicates, step))
    }

    /// The step from a level to the next. Each replicate has its own trials, which start from its states in turn.
    fn step(
        &mut self,
        replicates: &mut [Replicate],
        base: u32,
        from: u32,
        next: u32,
        share: usize,
    ) -> Option<SplittingStep> {
        let mut step = SplittingStep { from, trials: 0, passed: 0 };
        let to_play = |state: &TrialState| match state {
            TrialState::Stack(board) if (board.stack_height() as u32) < next => Some(*board),
            // A state beyond the next level has already made the step.
            _ => None,
        };
        let trials: Vec<Vec<TrialState>> = replicates
            .iter()
            .map(|replicate| replicate.states.iter().copied().cycle().take(share).collect())
            .collect();
        let boards: Vec<Board> = trials.iter().flatten().filter_map(to_play).collect();
        let stop = StopWhen { at_least: Some(next), at_most: Some(base), pieces: Some(MAX_PIECES_PER_TRIAL) };
        let mut ends = self.play_on(&boards, stop)?.into_iter();
        for (replicate, trials) in replicates.iter_mut().zip(trials) {
            let passed = |state: &TrialState| match to_play(state) {
                Some(_) => ends.next().as_ref().and_then(came_up),
                None => Some(*state),
            };
            replicate.states = trials.iter().filter_map(passed).collect();
            replicate.rate *= replicate.states.len() as f64 / share as f64;
            step.trials += trials.len() as u64;
            step.passed += replicate.states.len() as u64;
        }
        Some(step)
    }
}

/// The state that a trial reached, if it led up.
fn came_up(end: &ClassicEnd) -> Option<TrialState> {
    match end.reason {
        StopReason::Lost => Some(TrialState::Lost),
        StopReason::High => Some(TrialState::Stack(end.board)),
        StopReason::Low | StopReason::Pieces => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_closer_at_the_top() {
        assert_eq!(levels(3, 20), [6, 8, 10, 12, 14, 16, 18, 19, 20]);
        assert_eq!(levels(4, 20), [8, 10, 12, 14, 16, 18, 19, 20]);
        assert_eq!(levels(4, 11), [7, 9, 10, 11]);
        assert_eq!(levels(5, 10), [8, 9, 10]);
        assert_eq!(levels(2, 4), [4]);
    }
}
