//! Optimisers: they propose points and are told their scores, of which higher is better. They know nothing of Tetris, threads or
//! files.
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
//! - [`settings`]: every hyper-parameter, as read from a file, and what is wrong with it;
//! - [`operators`]: what several optimisers are made of: Gaussian numbers, tournaments, crossovers, mutations;
//! - `genetic`: the genetic algorithms; `snes`: separable natural evolution strategies; `cross_entropy`: the noisy cross-entropy
//!   method; `cma_es`: covariance matrix adaptation.
//!
//! Numbers are the same on every machine: exponentials, logarithms and the like come from `libm`, and sums have one order.

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

/// One thing to measure.
///
/// Candidates of one generation with the same `replicate` should be measured with the same random numbers: they are compared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// The weights to play with.
    pub point: Vec<f64>,
    /// 0, or 1 for a second measurement of the same point with other random numbers.
    pub replicate: u32,
}

impl Candidate {
    fn new(point: Vec<f64>) -> Candidate {
        Candidate { point, replicate: 0 }
    }
}

/// Any of the optimisers, with all its state: random numbers and the candidates that wait for their scores included.
///
/// It can be saved at any time, in any format that keeps every bit of a number, and goes on as if nothing had happened.
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

/// What an algorithm does for [`Optimiser`], which calls `propose` first and after each `learn`.
trait Strategy {
    /// The next candidates; none if it has finished.
    fn propose(&mut self) -> Vec<Candidate>;

    /// Learns from the scores of the candidates that it proposed last.
    fn learn(&mut self, candidates: &[Candidate], scores: &[f64]);

    fn favourite(&self) -> Option<&[f64]>;

    fn effort(&self) -> f64 {
        1.0
    }

    fn finished(&self) -> Option<Reason> {
        None
    }

    fn restarts(&self) -> u32 {
        0
    }
}

/// Why an optimiser stopped, or began anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// Its steps became too small to matter.
    #[error("the steps became too small to matter")]
    StepTooSmall,
    /// The scores do not differ any more.
    #[error("the scores do not differ any more")]
    EqualScores,
    /// The scores have not become better for long.
    #[error("the scores have not become better for long")]
    Stagnation,
    /// Some directions are far too long for others.
    #[error("the shape of the search became too narrow to compute with")]
    ConditionNumber,
    /// A step changes nothing.
    #[error("a step is lost in rounding")]
    NoEffect,
    /// The steps grew without end.
    #[error("the steps grew far beyond the first ones")]
    Diverged,
}

/// Why scores were refused. Nothing has changed then.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TellError {
    /// Not as many as were asked for.
    #[error("{} given for {}", counted(*given as u64, "score"), counted(*expected as u64, "candidate"))]
    Count {
        /// The candidates.
        expected: usize,
        /// The scores.
        given: usize,
    },
    /// Not a number, or an endless one.
    #[error("the score of candidate {index} is {score}")]
    NotFinite {
        /// The candidate, from 0.
        index: usize,
        /// Its score.
        score: f64,
    },
    /// Nothing was asked for.
    #[error("the optimiser has finished")]
    Finished,
}

impl Optimiser {
    /// An optimiser for points of so many numbers. The same settings and seed give the same run.
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

    /// The candidates to measure: the same until their scores are told, and none once it has finished.
    pub fn ask(&self) -> &[Candidate] {
        &self.candidates
    }

    /// Takes the scores of the candidates, in their order; higher is better.
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

    /// What it would play with now: the best individual of a genetic algorithm, once it was told one; the mean of the others.
    pub fn favourite(&self) -> Option<&[f64]> {
        self.algorithm.strategy().favourite()
    }

    /// How many times the usual games each candidate should play: 1, unless noise handling asks for more.
    pub fn effort(&self) -> f64 {
        self.algorithm.strategy().effort()
    }

    /// Why it has finished; nothing if it goes on.
    pub fn finished(&self) -> Option<Reason> {
        self.algorithm.strategy().finished()
    }

    /// How many generations it was told the scores of.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// How often it began anew by itself.
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
