//! Playing the games of candidates, on threads or anything else that implements [`Evaluate`].

use crate::design::AgentDesign;
use crate::objective::{Method, Objective, play_versus};
use crate::splitting;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::sync::Arc;
use tetrion_engine::board::Board;
use tetrion_engine::game::Game;
use tetrion_engine::randomizer::game_seed;
use tetrion_engine::ruleset::Ruleset;
use tetrion_players::agent_file::AgentFile;
use tetrion_players::catalogue;
use tetrion_players::classic::{ClassicStart, ClassicWeights, StopWhen, play_classic_unless};
use tetrion_players::monitor::Monitor;
use tetrion_players::play::PlayGameError;

/// What all candidates of a run share.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Task {
    /// The agent that plays, without its weights.
    pub design: AgentDesign,
    /// What it is trained for.
    pub objective: Objective,
}

/// Games for one candidate to play. Their values depend only on the batch and the [`Task`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameBatch {
    /// The candidate's weights.
    pub weights: Vec<f64>,
    /// The seed from which the seeds of the games follow.
    pub seed: u64,
    /// The numbers of the games.
    pub games: Range<u32>,
}

impl GameBatch {
    /// The seeds of its games.
    pub fn seeds(&self) -> impl Iterator<Item = u64> {
        let seed = self.seed;
        self.games.clone().map(move |game| game_seed(seed, game.into()))
    }
}

/// Why an evaluation has no values.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EvaluateError {
    /// The monitor asked to stop.
    #[error("stopped")]
    Stopped,
    /// The task is invalid.
    #[error("{0}")]
    Task(String),
    /// The evaluator failed.
    #[error("the games could not be played: {0}")]
    Failed(String),
}

impl From<PlayGameError> for EvaluateError {
    fn from(error: PlayGameError) -> EvaluateError {
        match error {
            PlayGameError::Stopped => EvaluateError::Stopped,
            PlayGameError::Illegal(_) => EvaluateError::Failed(error.to_string()),
        }
    }
}

/// Plays the games of candidates: the interface that [`Threads`] implements, and a cluster could.
///
/// Tasks and batches are plain data that can be sent anywhere. Values come back in the order of the batches, so nothing depends on
/// who played the games, or when.
pub trait Evaluate {
    /// The value of each game of each batch.
    fn evaluate(
        &self,
        task: &Task,
        batches: &[GameBatch],
        monitor: &Arc<Monitor>,
    ) -> Result<Vec<Vec<f64>>, EvaluateError>;
}

/// Plays games on threads of this machine.
pub struct Threads {
    pool: rayon::ThreadPool,
}

/// The most games in a part, the unit of work of a thread. Small parts let all threads end at about the same time.
const MAX_GAMES_PER_PART: usize = 512;
/// The Classic kernel gets faster the more games it plays together. It hardly pays off for candidates with fewer games than this.
const MIN_GAMES_FOR_KERNEL: usize = 48;
/// The fewest games in a part that the kernel plays.
const MIN_PART_FOR_KERNEL: usize = 128;
/// About how many parts each thread gets.
const PARTS_PER_THREAD: usize = 32;

impl Threads {
    /// Starts this many threads; by default one per core.
    pub fn new(count: Option<usize>) -> Result<Threads, EvaluateError> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(count.unwrap_or(0)).build();
        Ok(Threads { pool: pool.map_err(|error| EvaluateError::Failed(error.to_string()))? })
    }
}

impl Evaluate for Threads {
    fn evaluate(
        &self,
        task: &Task,
        batches: &[GameBatch],
        monitor: &Arc<Monitor>,
    ) -> Result<Vec<Vec<f64>>, EvaluateError> {
        let games: usize = batches.iter().map(|batch| batch.games.len()).sum();
        let part =
            (games / (self.pool.current_num_threads() * PARTS_PER_THREAD)).clamp(1, MAX_GAMES_PER_PART);
        let design = task.design.check().map_err(EvaluateError::Task)?;
        let rules = task.objective.rules().map_err(EvaluateError::Task)?;
        let candidate_agent = |batch: &GameBatch| {
            let agent = design.with_weights(&batch.weights);
            let kernel = agent.classic_weights(&rules);
            CandidateAgent { objective: &task.objective, rules: &rules, agent, kernel }
        };
        let agents: Vec<CandidateAgent> = batches.iter().map(candidate_agent).collect();
        let parts: Vec<(usize, Range<usize>)> = agents
            .iter()
            .enumerate()
            .flat_map(|(index, agent)| {
                let games = batches[index].games.len();
                let part = part.max(agent.min_part(games));
                (0..games).step_by(part).map(move |from| (index, from..(from + part).min(games)))
            })
            .collect();
        let values: Vec<Vec<f64>> = self.pool.install(|| {
            let play = |(index, range): &(usize, Range<usize>)| {
                if monitor.is_stopped() {
                    return Err(EvaluateError::Stopped);
                }
                let seeds: Vec<u64> = batches[*index].seeds().skip(range.start).take(range.len()).collect();
                agents[*index].play(&seeds, monitor)
            };
            parts.par_iter().with_max_len(1).map(play).collect::<Result<_, _>>()
        })?;
        let mut by_batch = vec![Vec::new(); batches.len()];
        for ((index, _), mut values) in parts.iter().zip(values) {
            by_batch[*index].append(&mut values);
        }
        Ok(by_batch)
    }
}

/// The error message for an agent whose games can't be estimated by splitting.
pub(crate) const NOT_SPLITTABLE: &str =
    "splitting works only for one-ply agents whose features the Classic kernel supports";

/// A candidate's agent, ready to play.
struct CandidateAgent<'t> {
    objective: &'t Objective,
    rules: &'t Ruleset,
    agent: AgentFile,
    /// Its weights for the Classic kernel, if the kernel can play its games.
    kernel: Option<ClassicWeights>,
}

impl CandidateAgent<'_> {
    /// The fewest of its games that a part should have.
    fn min_part(&self, games: usize) -> usize {
        let many = self.kernel.is_some() && games >= MIN_GAMES_FOR_KERNEL;
        if many && self.objective.method == Method::Games { MIN_PART_FOR_KERNEL } else { 1 }
    }

    fn play(&self, seeds: &[u64], monitor: &Arc<Monitor>) -> Result<Vec<f64>, EvaluateError> {
        let measure = self.objective.measure;
        let (width, height) = (self.rules.width.into(), self.rules.visible_height.into());
        if self.objective.method == Method::Splitting {
            let weights =
                self.kernel.as_ref().ok_or_else(|| EvaluateError::Task(NOT_SPLITTABLE.to_owned()))?;
            let trials = self.objective.trials() as usize;
            let estimate = |seed: &u64| {
                let play = |starts: &[ClassicStart], stop| {
                    play_classic_unless(weights, starts, stop, || monitor.is_stopped(), || ())
                };
                let estimate = splitting::estimate_with(width, height, trials, *seed, play);
                let lines = estimate.ok_or(EvaluateError::Stopped)?.lines;
                monitor.add(1);
                // Chances to lose can be averaged; lines can't. A chance of 0 would have no inverse.
                Ok((1.0 / lines).max(f64::MIN_POSITIVE))
            };
            return seeds.iter().map(estimate).collect();
        }
        if let Some(opponent) = &self.objective.opponent {
            let opponent =
                catalogue::find(opponent).map_err(|error| EvaluateError::Task(error.to_string()))?;
            let play = |seed: &u64| {
                let value = play_versus(&self.agent, &opponent, self.rules, *seed, monitor)?;
                monitor.add(1);
                Ok(value)
            };
            return seeds.iter().map(play).collect();
        }
        let Some(weights) = &self.kernel else {
            let play = |seed: &u64| {
                let game = Game::new(self.rules.clone(), *seed);
                let mut game = game.map_err(|error| EvaluateError::Task(error.to_string()))?;
                let result = measure.play(&self.agent, &mut game, monitor)?;
                monitor.add(1);
                Ok(measure.value(&result))
            };
            return seeds.iter().map(play).collect();
        };
        let stop = StopWhen { pieces: self.rules.goal.pieces.map(u64::from), ..StopWhen::default() };
        let board = Board::new(width, height).map_err(|error| EvaluateError::Task(error.to_string()))?;
        let starts: Vec<ClassicStart> =
            seeds.iter().map(|seed| ClassicStart { board, seed: *seed }).collect();
        let (stopped, ended) = (|| monitor.is_stopped(), || monitor.add(1));
        let ends = play_classic_unless(weights, &starts, stop, stopped, ended);
        let ends = ends.ok_or(EvaluateError::Stopped)?;
        Ok(ends.into_iter().map(|end| measure.value(&end.result())).collect())
    }
}
