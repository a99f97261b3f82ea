//! The noisy cross-entropy method of Szita & Lőrincz (2006) and Thiery & Scherrer (2009): a Gaussian distribution is fitted to its best
//! candidates in each generation, with added variance so that it doesn't shrink too early.

use super::operators::{first_mean, gaussian, part, ranking};
use super::settings::{SettingsError, count, fraction, not_negative, point, positive, wrong};
use super::{Candidate, Strategy};
use serde::{Deserialize, Serialize};
use tetrion_engine::randomizer::Random;

/// The settings of cross-entropy. The defaults are those of the papers for 10×20, with constant noise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CrossEntropySettings {
    /// Candidates in a generation.
    pub population: usize,
    /// The share of the candidates in the elite.
    pub elite: f64,
    /// The initial mean; by default 0.
    pub start: Option<Vec<f64>>,
    /// The initial variance.
    pub variance: f64,
    /// The noise: variance added after each generation.
    pub noise: f64,
    /// How much the noise shrinks in each generation, down to 0. Szita & Lőrincz also used noise 5 with decay 0.1.
    pub noise_decay: f64,
}

impl Default for CrossEntropySettings {
    fn default() -> CrossEntropySettings {
        CrossEntropySettings {
            population: 100,
            elite: 0.1,
            start: None,
            variance: 100.0,
            noise: 4.0,
            noise_decay: 0.0,
        }
    }
}

impl CrossEntropySettings {
    pub(super) fn check(&self) -> Result<(), SettingsError> {
        count("population", self.population, 2)?;
        fraction("elite", self.elite)?;
        if part(self.elite, self.population) == 0 {
            let least = 1.0 / self.population as f64;
            let reason = format!(
                "is {:?} of {}: give at least {least:?}, which is one candidate",
                self.elite, self.population
            );
            return wrong("elite", reason);
        }
        point("start", self.start.as_deref())?;
        positive("variance", self.variance)?;
        not_negative("noise", self.noise)?;
        not_negative("noise_decay", self.noise_decay)
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CrossEntropy {
    settings: CrossEntropySettings,
    random: Random,
    mean: Vec<f64>,
    variance: Vec<f64>,
    /// The noise of the next generation.
    noise: f64,
}

impl CrossEntropy {
    pub fn new(settings: CrossEntropySettings, dimension: usize, mut random: Random) -> CrossEntropy {
        let mean = first_mean(settings.start.as_deref(), 0.0, dimension, &mut random);
        let (variance, noise) = (vec![settings.variance; dimension], settings.noise);
        CrossEntropy { settings, random, mean, variance, noise }
    }
}

impl Strategy for CrossEntropy {
    fn propose(&mut self) -> Vec<Candidate> {
        let CrossEntropy { settings, random, mean, variance, .. } = self;
        let mut draw = || {
            mean.iter()
                .zip(&*variance)
                .map(|(mean, variance)| mean + variance.sqrt() * gaussian(random))
                .collect()
        };
        (0..settings.population).map(|_| Candidate::new(draw())).collect()
    }

    fn learn(&mut self, candidates: &[Candidate], scores: &[f64]) {
        let elite = part(self.settings.elite, candidates.len());
        let best: Vec<&[f64]> =
            ranking(scores)[..elite].iter().map(|at| candidates[*at].point.as_slice()).collect();
        let average =
            |of: &dyn Fn(&[f64]) -> f64| best.iter().map(|point| of(point)).sum::<f64>() / elite as f64;
        for (at, (mean, variance)) in self.mean.iter_mut().zip(&mut self.variance).enumerate() {
            *mean = average(&|point| point[at]);
            *variance = average(&|point| (point[at] - *mean) * (point[at] - *mean)) + self.noise;
        }
        self.noise = (self.noise - self.settings.noise_decay).max(0.0);
    }

    fn favourite(&self) -> Option<&[f64]> {
        Some(&self.mean)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_generation_is_as_worked_by_hand() {
        let settings =
            CrossEntropySettings { population: 4, elite: 0.5, noise_decay: 3.0, ..Default::default() };
        let mut method = CrossEntropy::new(settings, 1, Random::new(1));
        assert_eq!((method.mean[0], method.variance[0]), (0.0, 100.0));
        let candidates: Vec<_> = [1.0, 10.0, 3.0, -10.0].map(|x| Candidate::new(vec![x])).into();
        // The two best are 1 and 3: mean 2, variance 1, and the noise of 4, then of 1, then of 0.
        for variance in [5.0, 2.0, 1.0] {
            method.learn(&candidates, &[9.0, 1.0, 8.0, 0.0]);
            assert_eq!((method.mean[0], method.variance[0]), (2.0, variance));
        }
    }

    #[test]
    fn the_first_cloud_has_variance_100() {
        let settings = CrossEntropySettings { population: 20_000, ..Default::default() };
        let cloud = CrossEntropy::new(settings, 1, Random::new(2)).propose();
        let variance =
            cloud.iter().map(|candidate| candidate.point[0] * candidate.point[0]).sum::<f64>() / 2e4;
        assert!((variance - 100.0).abs() < 6.0, "{variance}");
    }
}
