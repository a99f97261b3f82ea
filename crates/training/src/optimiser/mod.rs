//! Optimisers: they propose candidates and learn from their scores. Higher is better. They know nothing about Tetris, threads or files.
//!
//! ```
//! use tetrion_training::optimiser::{Optimiser, Settings};
//!
//! let mut optimiser = Optimiser::new(&Settings::CmaEs(Default::default()), 4, 1)?;
//! for _ in 0..50 {
//!     let scores: Vec<f64> =
//!         optimiser.ask().iter().map(|candidate| -candidate.point.iter().map(|x| x * x).sum::<f64>()).collect();
//!     optimiser.tell(&scores)?;
//! }
//! assert!(optimiser.favourite().unwrap().iter().all(|x| x.abs() < 0.1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - [`settings`]: every hyper-parameter as read from a file, and its checks;
//! - [`operators`]: the building blocks that optimisers share: Gaussian numbers, tournaments, crossovers, mutations;
//! - `genetic`: the genetic algorithms; `snes`: separable natural evolution strategies; `cross_entropy`: the noisy cross-entropy
//!   method; `cma_es`: covariance matrix adaptation.
//!
//! Results are the same on every machine: exponentials and logarithms come from `libm`, and sums have a fixed order.

mod cma_es;
mod cross_entropy;
mod eigen;
mod genetic;
pub mod operators;
pub mod settings;
mod snes;

pub use settings::{Settings, SettingsError};

use cma_es::CmaEs;
use cross_entropy::CrossEntropy;
use genetic::Genetic;
use serde::{Deserialize, Serialize};
use snes::Snes;
use tetrion_engine::randomizer::Random;
use tetrion_engine::words::counted;

/// A vector of weights to measure.
///
/// Measure the candidates of a generation that have the same `replicate` with the same random numbers, because they are compared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// The weights.
    pub point: Vec<f64>,
    /// 0, or 1 for a second measurement of the same point with other random numbers.
    pub replicate: u32,
}

impl Candidate {
    fn new(point: Vec<f64>) -> Candidate {
        Candidate { point, replicate: 0 }
    }
}

/// An optimiser with its complete state, including random numbers and the candidates that wait for their scores.
///
/// It can be saved at any time, in any format that keeps every bit of a number, and then continues as if nothing had happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Optimiser {
    algorithm: Algorithm,
    candidates: Vec<Candidate>,
    generation: u64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Algorithm {
    Genetic(Genetic),
    Snes(Snes),
    CrossEntropy(CrossEntropy),
    CmaEs(Box<CmaEs>),
}

/// An algorithm inside an [`Optimiser`], which calls `propose` first and after each `learn`.
trait Strategy {
    /// The next candidates; none once it has finished.
    fn propose(&mut self) -> Vec<Candidate>;

    /// Learns from the scores of the candidates that it proposed last.
    fn learn(&mut self, candidates: &[Candidate], scores: &[f64]);

    fn favourite(&self) -> Option<&[f64]>;

    fn effort(&self) -> f64 {
        1.0
    }

    fn finished(&self) -> Option<FinishReason> {
        None
    }

    fn restarts(&self) -> u32 {
        0
    }
}

/// Why an optimiser stopped or restarted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum FinishReason {
    /// The steps became too small to matter.
    #[error("the steps became too small to matter")]
    StepTooSmall,
    /// All scores are equal.
    #[error("all scores are equal")]
    EqualScores,
    /// The scores have not improved for a long time.
    #[error("the scores have not improved for a long time")]
    Stagnation,
    /// The condition number of the covariance became too large.
    #[error("the search distribution became too narrow to compute with")]
    ConditionNumber,
    /// Steps are lost in rounding.
    #[error("steps are lost in rounding")]
    NoEffect,
    /// The steps grew far beyond the initial ones.
    #[error("the steps grew far beyond the initial ones")]
    Diverged,
}

/// Why scores were refused. The optimiser is unchanged.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TellError {
    /// The wrong number of scores.
    #[error("{} given for {}", counted(*given as u64, "score"), counted(*expected as u64, "candidate"))]
    Count {
        /// The number of candidates.
        expected: usize,
        /// The number of scores.
        given: usize,
    },
    /// A score is infinite or not a number.
    #[error("the score of candidate {index} is {score}")]
    NotFinite {
        /// The index of the candidate, from 0.
        index: usize,
        /// Its score.
        score: f64,
    },
    /// The optimiser has finished and proposed nothing.
    #[error("the optimiser has finished")]
    Finished,
}

impl Optimiser {
    /// Restores the settings that checkpoints don't contain, after it was read from one.
    pub(crate) fn restore(&mut self, settings: &Settings) {
        if let (Algorithm::CmaEs(cma_es), Settings::CmaEs(settings)) = (&mut self.algorithm, settings) {
            cma_es.restore(settings);
        }
    }

    /// An optimiser for this many weights. The same settings and seed give the same run.
    pub fn new(settings: &Settings, dimension: usize, seed: u64) -> Result<Optimiser, SettingsError> {
        settings.check_for(dimension)?;
        let random = Random::new(seed);
        let mut algorithm = match settings.clone() {
            Settings::Genetic(settings) => Algorithm::Genetic(Genetic::new(settings, dimension, random)),
            Settings::Snes(settings) => Algorithm::Snes(Snes::new(settings, dimension, random)),
            Settings::CrossEntropy(settings) => {
                Algorithm::CrossEntropy(CrossEntropy::new(settings, dimension, random))
            }
            Settings::CmaEs(settings) => Algorithm::CmaEs(Box::new(CmaEs::new(settings, dimension, random))),
        };
        let candidates = algorithm.strategy_mut().propose();
        Ok(Optimiser { algorithm, candidates, generation: 0 })
    }

    /// The candidates to measure: the same until [`Optimiser::tell`], and none once it has finished.
    pub fn ask(&self) -> &[Candidate] {
        &self.candidates
    }

    /// Learns the scores of the candidates, in their order. Higher is better.
    pub fn tell(&mut self, scores: &[f64]) -> Result<(), TellError> {
        if self.candidates.is_empty() {
            return Err(TellError::Finished);
        }
        if scores.len() != self.candidates.len() {
            return Err(TellError::Count { expected: self.candidates.len(), given: scores.len() });
        }
        if let Some(index) = scores.iter().position(|score| !score.is_finite()) {
            return Err(TellError::NotFinite { index, score: scores[index] });
        }
        let strategy = self.algorithm.strategy_mut();
        strategy.learn(&self.candidates, scores);
        self.candidates = strategy.propose();
        self.generation += 1;
        Ok(())
    }

    /// The weights that it thinks are best: the best individual of a genetic algorithm, once there is one, or the mean of the search
    /// distribution of the others.
    pub fn favourite(&self) -> Option<&[f64]> {
        self.algorithm.strategy().favourite()
    }

    /// The number of games for each candidate, as a multiple of the usual number: 1, unless noise handling asks for more.
    pub fn effort(&self) -> f64 {
        self.algorithm.strategy().effort()
    }

    /// Why it has finished; `None` if it has not.
    pub fn finished(&self) -> Option<FinishReason> {
        self.algorithm.strategy().finished()
    }

    /// The number of generations whose scores it has learned.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// The number of restarts.
    pub fn restarts(&self) -> u32 {
        self.algorithm.strategy().restarts()
    }
}

impl Algorithm {
    fn strategy(&self) -> &dyn Strategy {
        match self {
            Algorithm::Genetic(genetic) => genetic,
            Algorithm::Snes(snes) => snes,
            Algorithm::CrossEntropy(cross_entropy) => cross_entropy,
            Algorithm::CmaEs(cma_es) => cma_es.as_ref(),
        }
    }

    fn strategy_mut(&mut self) -> &mut dyn Strategy {
        match self {
            Algorithm::Genetic(genetic) => genetic,
            Algorithm::Snes(snes) => snes,
            Algorithm::CrossEntropy(cross_entropy) => cross_entropy,
            Algorithm::CmaEs(cma_es) => cma_es.as_mut(),
        }
    }
}
