//! Separable natural evolution strategies (Schaul, Glasmachers, Schmidhuber 2011), which trained capstone: a Gaussian distribution with its own
//! standard deviation in each component follows the ranks of the points drawn from it.

use super::operators::{first_mean, gaussian, ranking};
use super::settings::{SettingsError, count, not_negative, point, positive};
use super::{Candidate, Strategy};
use serde::{Deserialize, Serialize};
use tetrion_engine::randomizer::Random;

/// Standard deviations stay within this range, so that they never become 0 or infinite.
const SIGMA_RANGE: (f64, f64) = (1e-150, 1e150);

/// The settings of SNES. The defaults are those of capstone's program; its report does not give them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SnesSettings {
    /// Candidates in a generation.
    pub population: usize,
    /// The initial mean.
    pub start: Option<Vec<f64>>,
    /// Without `start`, the initial mean is drawn from ± this.
    pub range: f64,
    /// The initial standard deviation.
    pub sigma: f64,
    /// The learning rate of the mean.
    pub mean_rate: f64,
    /// The learning rate of the standard deviations; by default (3 + ln n) / (5 √n).
    pub sigma_rate: Option<f64>,
}

impl Default for SnesSettings {
    fn default() -> SnesSettings {
        SnesSettings { population: 60, start: None, range: 1.0, sigma: 0.5, mean_rate: 1.0, sigma_rate: None }
    }
}

impl SnesSettings {
    pub(super) fn check(&self) -> Result<(), SettingsError> {
        count("population", self.population, 2)?;
        point("start", self.start.as_deref())?;
        not_negative("range", self.range)?;
        positive("sigma", self.sigma)?;
        positive("mean_rate", self.mean_rate)?;
        self.sigma_rate.map_or(Ok(()), |rate| positive("sigma_rate", rate))
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Snes {
    settings: SnesSettings,
    random: Random,
    mean: Vec<f64>,
    sigma: Vec<f64>,
}

impl Snes {
    pub fn new(settings: SnesSettings, dimension: usize, mut random: Random) -> Snes {
        let mean = first_mean(settings.start.as_deref(), settings.range, dimension, &mut random);
        let sigma = vec![settings.sigma; dimension];
        Snes { settings, random, mean, sigma }
    }
}

impl Strategy for Snes {
    fn propose(&mut self) -> Vec<Candidate> {
        let Snes { settings, random, mean, sigma } = self;
        let mut draw =
            || mean.iter().zip(&*sigma).map(|(mean, sigma)| mean + sigma * gaussian(random)).collect();
        (0..settings.population).map(|_| Candidate::new(draw())).collect()
    }

    fn learn(&mut self, candidates: &[Candidate], scores: &[f64]) {
        let dimension = self.mean.len() as f64;
        let default_rate = (3.0 + libm::log(dimension)) / (5.0 * dimension.sqrt());
        let rate = self.settings.sigma_rate.unwrap_or(default_rate);
        let ranked: Vec<(&Candidate, f64)> =
            ranking(scores).into_iter().map(|at| &candidates[at]).zip(utilities(scores.len())).collect();
        for (at, (mean, sigma)) in self.mean.iter_mut().zip(&mut self.sigma).enumerate() {
            let (mut towards, mut wider) = (0.0, 0.0);
            for (candidate, utility) in &ranked {
                let step = (candidate.point[at] - *mean) / *sigma;
                towards += utility * step;
                wider += utility * (step * step - 1.0);
            }
            *mean += self.settings.mean_rate * *sigma * towards;
            *sigma = (*sigma * libm::exp(rate / 2.0 * wider)).clamp(SIGMA_RANGE.0, SIGMA_RANGE.1);
        }
    }

    fn favourite(&self) -> Option<&[f64]> {
        Some(&self.mean)
    }
}

/// The utility of each rank, best first: the better half shares 1, then the mean is subtracted.
fn utilities(count: usize) -> Vec<f64> {
    let raw: Vec<f64> = (1..=count)
        .map(|rank| (libm::log(count as f64 / 2.0 + 1.0) - libm::log(rank as f64)).max(0.0))
        .collect();
    let sum: f64 = raw.iter().sum();
    raw.iter().map(|raw| raw / sum - 1.0 / count as f64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utilities_of_four_are_as_worked_by_hand() {
        // ln 3, ln 3 − ln 2, 0, 0: shares 1.0986 and 0.4055 of 1.5041, less a quarter each.
        let expected = [0.480_423, 0.019_577, -0.25, -0.25];
        for (utility, expected) in utilities(4).into_iter().zip(expected) {
            assert!((utility - expected).abs() < 1e-6, "{utility}");
        }
        assert!(utilities(60).iter().sum::<f64>().abs() < 1e-12);
    }

    #[test]
    fn one_generation_is_as_worked_by_hand() {
        let settings =
            SnesSettings { population: 4, start: Some(vec![0.0]), sigma: 1.0, ..Default::default() };
        let mut snes = Snes::new(settings, 1, Random::new(1));
        let candidates: Vec<_> = [2.0, 1.0, -1.0, -2.0].map(|x| Candidate::new(vec![x])).into();
        snes.learn(&candidates, &[4.0, 3.0, 2.0, 1.0]);
        // Mean: 0.480423·2 + 0.019577 + 0.25 + 0.5. Spread: exp(0.3 · (0.480423·3 − 0.25·3)), for a rate of 3/5.
        assert!((snes.mean[0] - 1.730_423).abs() < 1e-5, "{}", snes.mean[0]);
        assert!((snes.sigma[0] - 1.230_45).abs() < 1e-4, "{}", snes.sigma[0]);
    }
}
