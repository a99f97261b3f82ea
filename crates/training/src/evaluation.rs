//! Games played for candidates: here by threads, elsewhere perhaps by other machines.

use crate::monitor::Monitor;
use crate::objective::{End, Method, Objective};
use crate::player::Player;
use crate::splitting;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use tetrion_engine::board::Board;
use tetrion_engine::randomizer::game_seed;
use tetrion_engine::ruleset::Ruleset;
use tetrion_players::agent_file::AgentFile;
use tetrion_players::classic::{ClassicStart, ClassicWeights, StopWhen, play_classic_unless};

/// What all candidates of a run have in common.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Task {
    /// Who plays.
    pub player: Player,
    /// What counts.
    pub objective: Objective,
}

/// Games to be played by one candidate. What they are worth depends on this and the [`Task`] alone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// The candidate's weights.
    pub weights: Vec<f64>,
    /// What the games follow from.
    pub seed: u64,
    /// Which of them.
    pub games: Range<u32>,
}

impl Job {
    /// The seeds of its games.
    pub fn seeds(&self) -> impl Iterator<Item = u64> {
        let seed = self.seed;
        self.games.clone().map(move |game| game_seed(seed, game.into()))
    }
}

/// Why there are no values.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EvaluateError {
    /// The monitor asked to stop.
    #[error("stopped")]
    Stopped,
    /// The task makes no game.
    #[error("{0}")]
    Task(String),
    /// Whoever was to do the work did not.
    #[error("the games could not be played: {0}")]
    Failed(String),
}

/// Plays games for candidates: the interface behind which threads or other machines stand.
///
/// Tasks and jobs are plain data that can be sent anywhere, and values come back in their order, so that nothing depends on who
/// did the work or when.
pub trait Evaluate {
    /// What each game of each job is worth.
    fn evaluate(&self, task: &Task, jobs: &[Job], monitor: &Monitor) -> Result<Vec<Vec<f64>>, EvaluateError>;
}

/// Plays the games on this machine.
pub struct Threads {
    pool: rayon::ThreadPool,
}

/// Games that one thread plays at a time: few enough that all threads end together.
const MOST_GAMES: usize = 512;
/// The kernel is faster the more games it has, and hardly so with fewer than the first number: at least the second are left to it.
const FEW_FOR_KERNEL: usize = 48;
const LEAST_FOR_KERNEL: usize = 128;
/// Each thread has about so many of them to do.
const SHARES: usize = 32;

impl Threads {
    /// So many threads; as many as there are cores if not given.
    pub fn new(count: Option<usize>) -> Result<Threads, EvaluateError> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(count.unwrap_or(0)).build();
        Ok(Threads { pool: pool.map_err(|error| EvaluateError::Failed(error.to_string()))? })
    }
}

impl Evaluate for Threads {
    fn evaluate(&self, task: &Task, jobs: &[Job], monitor: &Monitor) -> Result<Vec<Vec<f64>>, EvaluateError> {
        let games: usize = jobs.iter().map(|job| job.games.len()).sum();
        let share = (games / (self.pool.current_num_threads() * SHARES)).clamp(1, MOST_GAMES);
        let template = task.player.template().map_err(EvaluateError::Task)?;
        let rules = task.objective.rules().map_err(EvaluateError::Task)?;
        let contestant = |job: &Job| {
            let agent = template.with(&job.weights);
            let kernel = agent.classic_weights(&rules);
            Contestant { objective: &task.objective, rules: &rules, agent, kernel }
        };
        let contestants: Vec<Contestant> = jobs.iter().map(contestant).collect();
        let parts: Vec<(usize, Range<usize>)> = contestants
            .iter()
            .enumerate()
            .flat_map(|(index, contestant)| {
                let games = jobs[index].games.len();
                let share = share.max(contestant.least_share(games));
                (0..games).step_by(share).map(move |from| (index, from..(from + share).min(games)))
            })
            .collect();
        let values: Vec<Vec<f64>> = self.pool.install(|| {
            let play = |(index, range): &(usize, Range<usize>)| {
                if monitor.is_stopped() {
                    return Err(EvaluateError::Stopped);
                }
                let seeds: Vec<u64> = jobs[*index].seeds().skip(range.start).take(range.len()).collect();
                contestants[*index].play(&seeds, monitor)
            };
            parts.par_iter().with_max_len(1).map(play).collect::<Result<_, _>>()
        })?;
        let mut by_job = vec![Vec::new(); jobs.len()];
        for ((index, _), mut values) in parts.iter().zip(values) {
            by_job[*index].append(&mut values);
        }
        Ok(by_job)
    }
}

/// Why an agent's games can't be split.
pub(crate) const UNSPLIT: &str =
    "splitting is for agents of one ply with features that the kernel for many games knows";

/// A candidate ready to play.
struct Contestant<'t> {
    objective: &'t Objective,
    rules: &'t Ruleset,
    agent: AgentFile,
    /// The weights with which its games can go through the kernel.
    kernel: Option<ClassicWeights>,
}

impl Contestant<'_> {
    /// The fewest of its games that should be played together.
    fn least_share(&self, games: usize) -> usize {
        let many = self.kernel.is_some() && games >= FEW_FOR_KERNEL;
        if many && self.objective.method == Method::Games { LEAST_FOR_KERNEL } else { 1 }
    }

    fn play(&self, seeds: &[u64], monitor: &Monitor) -> Result<Vec<f64>, EvaluateError> {
        let measure = self.objective.measure;
        let (width, height) = (self.rules.width.into(), self.rules.visible_height.into());
        if self.objective.method == Method::Splitting {
            let weights = self.kernel.as_ref().ok_or_else(|| EvaluateError::Task(UNSPLIT.to_owned()))?;
            let trials = self.objective.trials() as usize;
            let estimate = |seed: &u64| {
                let play = |starts: &[ClassicStart], stop| {
                    play_classic_unless(weights, starts, stop, || monitor.is_stopped(), || ())
                };
                let estimate = splitting::estimate_with(width, height, trials, *seed, play);
                let lines = estimate.ok_or(EvaluateError::Stopped)?.lines;
                monitor.add_games(1);
                // The chance to lose, as lines can be averaged by it; not 0, which has no inverse.
                Ok((1.0 / lines).max(f64::MIN_POSITIVE))
            };
            return seeds.iter().map(estimate).collect();
        }
        let Some(weights) = &self.kernel else {
            let play = |seed: &u64| {
                let end = measure.play(&self.agent, self.rules, *seed, monitor);
                let end = end.map_err(EvaluateError::Failed)?.ok_or(EvaluateError::Stopped)?;
                monitor.add_games(1);
                Ok(measure.value(end))
            };
            return seeds.iter().map(play).collect();
        };
        let stop = StopWhen { pieces: self.rules.goal.pieces.map(u64::from), ..StopWhen::default() };
        let board = Board::new(width, height).map_err(|error| EvaluateError::Task(error.to_string()))?;
        let starts: Vec<ClassicStart> =
            seeds.iter().map(|seed| ClassicStart { board, seed: *seed }).collect();
        let (stopped, ended) = (|| monitor.is_stopped(), || monitor.add_games(1));
        let ends = play_classic_unless(weights, &starts, stop, stopped, ended);
        let ends = ends.ok_or(EvaluateError::Stopped)?.into_iter().map(|end| End {
            pieces: end.pieces,
            lines: end.lines,
            score: end.lines,
            keys: end.keys,
            lost: end.lost(),
        });
        Ok(ends.map(|end| measure.value(end)).collect())
    }
}
