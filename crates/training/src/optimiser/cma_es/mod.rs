//! Covariance matrix adaptation (Hansen & Ostermeier 2001; Hansen's tutorial, arXiv:1604.00772), with restarts in growing populations
//! (IPOP, Auger & Hansen 2005) and noise handling.
//!
//! - `parameters`: the constants;
//! - `run`: one run between restarts;
//! - `stop`: when a run stops;
//! - `noise`: noise handling.

mod noise;
mod parameters;
mod run;
mod settings;
mod stop;

pub use settings::{CmaEsSettings, NoiseSettings};

use super::operators::{first_mean, part};
use super::settings::MAX_COUNT;
use super::{Candidate, FinishReason, Strategy};
use noise::Noise;
use run::CmaEsRun;
use serde::{Deserialize, Serialize};
use tetrion_engine::randomizer::Random;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CmaEs {
    settings: CmaEsSettings,
    random: Random,
    run: CmaEsRun,
    noise: Noise,
    restarts: u32,
    finished: Option<FinishReason>,
    /// The end of the best earlier run.
    earlier: Option<RunEnd>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct RunEnd {
    mean: Vec<f64>,
    score: f64,
}

impl CmaEs {
    pub fn new(settings: CmaEsSettings, dimension: usize, mut random: Random) -> CmaEs {
        let population = settings.first_population(dimension);
        let run = first_cloud(&settings, dimension, population, &mut random);
        CmaEs { settings, random, run, noise: Noise::new(), restarts: 0, finished: None, earlier: None }
    }

    /// Restores the settings that checkpoints don't contain.
    pub fn restore(&mut self, settings: &CmaEsSettings) {
        self.settings.scales.clone_from(&settings.scales);
    }

    /// Ends the run, and starts another if there are restarts left.
    fn end_run(&mut self, reason: FinishReason) {
        if self.restarts == self.settings.restarts {
            self.finished = Some(reason);
            return;
        }
        self.restarts += 1;
        self.earlier = self.best().map(|(mean, score)| RunEnd { mean: mean.to_vec(), score });
        let population = part(self.settings.population_factor, self.run.population()).min(MAX_COUNT);
        self.run = first_cloud(&self.settings, self.run.mean.len(), population, &mut self.random);
        self.noise = Noise::new();
    }

    /// The mean of the best run so far, and its last median score. The score of one lucky candidate would say less.
    fn best(&self) -> Option<(&[f64], f64)> {
        let earlier = self.earlier.as_ref().map(|end| (end.mean.as_slice(), end.score));
        let current = self.run.median_scores.last().map(|score| (self.run.mean.as_slice(), *score));
        match (earlier, current) {
            (Some(earlier), Some(current)) if earlier.1 <= current.1 => Some(current),
            (earlier, current) => earlier.or(current),
        }
    }
}

/// A new run.
fn first_cloud(
    settings: &CmaEsSettings,
    dimension: usize,
    population: usize,
    random: &mut Random,
) -> CmaEsRun {
    let mean = first_mean(settings.start.as_deref(), settings.range, dimension, random);
    let scales = settings.scales.clone().unwrap_or_else(|| vec![1.0; dimension]);
    CmaEsRun::new(mean, settings.sigma, scales, population, settings.active)
}

impl Strategy for CmaEs {
    fn propose(&mut self) -> Vec<Candidate> {
        if self.finished.is_some() {
            return Vec::new();
        }
        let CmaEs { settings, random, run, .. } = self;
        let mut candidates: Vec<Candidate> =
            (0..run.population()).map(|_| Candidate::new(run.draw(random))).collect();
        if let Some(noise) = &settings.noise {
            // Candidates are drawn in random order, so the first ones are as good as any.
            for at in 0..Noise::remeasured(noise, run.population(), random) {
                candidates.push(Candidate { replicate: 1, ..candidates[at].clone() });
            }
        }
        candidates
    }

    fn learn(&mut self, candidates: &[Candidate], scores: &[f64]) {
        // Learn from the first measurements only, which share their random numbers.
        let (scores, again) = scores.split_at(self.run.population());
        let points: Vec<&[f64]> = candidates.iter().map(|candidate| candidate.point.as_slice()).collect();
        self.run.learn(&points, scores);
        if let Some(noise) = &self.settings.noise {
            self.run.sigma *= self.noise.learn(noise, self.run.mean.len(), scores, again);
        }
        if let Some(reason) = stop::reason(&self.run, &self.settings, scores) {
            self.end_run(reason);
        }
    }

    fn favourite(&self) -> Option<&[f64]> {
        Some(self.best().map_or(self.run.mean.as_slice(), |(mean, _)| mean))
    }

    fn effort(&self) -> f64 {
        self.noise.effort
    }

    fn finished(&self) -> Option<FinishReason> {
        self.finished
    }

    fn restarts(&self) -> u32 {
        self.restarts
    }
}
