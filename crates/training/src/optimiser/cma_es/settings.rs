//! The hyper-parameters of CMA-ES.

use super::super::settings::{
    SettingsError, at_least_1, count, fraction, not_negative, point, positive, wrong,
};
use super::parameters::default_population;
use serde::{Deserialize, Serialize};

/// The settings of CMA-ES.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CmaEsSettings {
    /// Candidates in a generation of the first run; by default 4 + ⌊3 ln n⌋.
    pub population: Option<usize>,
    /// The initial mean of each run.
    pub start: Option<Vec<f64>>,
    /// Without `start`, the initial mean of each run is drawn from ± this.
    pub range: f64,
    /// The initial standard deviation of each run.
    pub sigma: f64,
    /// The initial standard deviation of each weight, in units of `sigma`; by default 1. Weights of features with large values
    /// need small steps.
    ///
    /// Checkpoints don't contain them, so that those written before there were scales can still be read.
    #[serde(skip_serializing_if = "Option::is_none", with = "in_recipes")]
    pub scales: Option<Vec<f64>>,
    /// Whether the search also learns from the worst candidates.
    pub active: bool,
    /// The number of restarts after the first run.
    pub restarts: u32,
    /// The growth of the population at each restart.
    pub population_factor: f64,
    /// A run stops when its steps are all smaller than this, in units of `sigma`.
    pub tolerance_step: f64,
    /// A run stops when scores differ by less than this for some generations.
    pub tolerance_score: f64,
    /// A run stops when the condition number of its covariance exceeds this.
    pub max_condition: f64,
    /// A run stops when a step is longer than this, in units of `sigma`.
    pub max_growth: f64,
    /// Noise handling; by default none.
    pub noise: Option<NoiseSettings>,
}

/// A setting that is in recipes, which people read, but not in checkpoints.
mod in_recipes {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(scales: &Option<Vec<f64>>, to: S) -> Result<S::Ok, S::Error> {
        match to.is_human_readable() {
            true => scales.serialize(to),
            // Nothing is written.
            false => to.serialize_unit(),
        }
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Vec<f64>>, D::Error> {
        match from.is_human_readable() {
            true => Option::deserialize(from),
            false => <()>::deserialize(from).map(|()| None),
        }
    }
}

/// The settings of noise handling.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct NoiseSettings {
    /// The most games for a candidate, as a multiple of the usual number.
    pub max_effort: f64,
    /// The factor by which games grow if there is too much noise, and shrink if there is not.
    pub effort_factor: f64,
    /// The factor by which steps grow once candidates have the most games; by default 1 + 2/(n + 10).
    pub sigma_factor: Option<f64>,
    /// The share of the candidates measured twice, at least 2.
    pub remeasured: f64,
    /// How much ranks may change: 0 is not at all, 1 is as much as by chance.
    pub threshold: f64,
    /// The weight of a generation against earlier ones: 1 ignores them.
    pub smoothing: f64,
}

impl Default for CmaEsSettings {
    fn default() -> CmaEsSettings {
        CmaEsSettings {
            population: None,
            start: None,
            range: 1.0,
            sigma: 0.5,
            scales: None,
            active: true,
            restarts: 9,
            population_factor: 2.0,
            tolerance_step: 1e-12,
            tolerance_score: 1e-12,
            max_condition: 1e14,
            max_growth: 1e4,
            noise: None,
        }
    }
}

impl Default for NoiseSettings {
    fn default() -> NoiseSettings {
        NoiseSettings {
            max_effort: 10.0,
            effort_factor: 1.5,
            sigma_factor: None,
            remeasured: 0.1,
            threshold: 0.2,
            smoothing: 1.0,
        }
    }
}

impl CmaEsSettings {
    /// The population of the first run, for this many weights.
    pub(in super::super) fn first_population(&self, dimension: usize) -> usize {
        self.population.unwrap_or(default_population(dimension))
    }

    pub(in super::super) fn check(&self) -> Result<(), SettingsError> {
        self.population.map_or(Ok(()), |population| count("population", population, 4))?;
        point("start", self.start.as_deref())?;
        not_negative("range", self.range)?;
        positive("sigma", self.sigma)?;
        self.scales.iter().flatten().try_for_each(|scale| positive("scales", *scale))?;
        if self.restarts > 30 {
            return wrong("restarts", format!("is {}: give at most 30", self.restarts));
        }
        at_least_1("population_factor", self.population_factor)?;
        positive("tolerance_step", self.tolerance_step)?;
        not_negative("tolerance_score", self.tolerance_score)?;
        at_least_1("max_condition", self.max_condition)?;
        at_least_1("max_growth", self.max_growth)?;
        self.noise.as_ref().map_or(Ok(()), NoiseSettings::check)
    }
}

impl NoiseSettings {
    fn check(&self) -> Result<(), SettingsError> {
        at_least_1("noise.max_effort", self.max_effort)?;
        at_least_1("noise.effort_factor", self.effort_factor)?;
        self.sigma_factor.map_or(Ok(()), |factor| at_least_1("noise.sigma_factor", factor))?;
        fraction("noise.remeasured", self.remeasured)?;
        fraction("noise.threshold", self.threshold)?;
        fraction("noise.smoothing", self.smoothing)?;
        positive("noise.smoothing", self.smoothing)
    }
}
