//! Every hyper-parameter of the optimisers as read from a file, and its checks.
//!
//! ```toml
//! algorithm = "cma_es"            # or "genetic", "snes", "cross_entropy"
//! sigma = 0.3                     # omitted settings have their defaults
//! restarts = 3
//!
//! [noise]
//! max_effort = 20
//! ```

pub use super::cma_es::{CmaEsSettings, NoiseSettings};
pub use super::cross_entropy::CrossEntropySettings;
pub use super::genetic::{Crossover, GeneticSettings, Mutation, Pairing, Survival, Variation};
pub use super::snes::SnesSettings;

use serde::{Deserialize, Serialize};
use tetrion_engine::words::counted;

/// The most candidates in a generation, and the most weights. More is a typing mistake.
pub(super) const MAX_COUNT: usize = 100_000;

/// An algorithm and its settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "algorithm", rename_all = "snake_case")]
pub enum Settings {
    /// A genetic algorithm.
    Genetic(GeneticSettings),
    /// Separable natural evolution strategies.
    Snes(SnesSettings),
    /// The noisy cross-entropy method.
    CrossEntropy(CrossEntropySettings),
    /// Covariance matrix adaptation.
    CmaEs(CmaEsSettings),
}

/// An invalid setting.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field} {reason}")]
pub struct SettingsError {
    /// The setting.
    pub field: &'static str,
    /// What is wrong with it, and what to do.
    pub reason: String,
}

impl Settings {
    /// Checks the settings.
    pub fn check(&self) -> Result<(), SettingsError> {
        match self {
            Settings::Genetic(settings) => settings.check(),
            Settings::Snes(settings) => settings.check(),
            Settings::CrossEntropy(settings) => settings.check(),
            Settings::CmaEs(settings) => settings.check(),
        }
    }

    /// The number of candidates in the first generation, for this many weights.
    pub(crate) fn candidates(&self, dimension: usize) -> usize {
        match self {
            Settings::Genetic(settings) => settings.population,
            Settings::Snes(settings) => settings.population,
            Settings::CrossEntropy(settings) => settings.population,
            Settings::CmaEs(settings) => settings.first_population(dimension),
        }
    }

    /// The most games of a candidate, as a multiple of the usual number. Includes second measurements.
    pub(crate) fn most_effort(&self) -> f64 {
        match self {
            Settings::CmaEs(CmaEsSettings { noise: Some(noise), .. }) => {
                noise.max_effort * (1.0 + noise.remeasured)
            }
            _ => 1.0,
        }
    }

    /// The same settings with another start. Fails if there is a start already, or no place for one.
    pub(crate) fn starting_at(&self, point: Vec<f64>) -> Result<Settings, SettingsError> {
        let mut settings = self.clone();
        let start = match &mut settings {
            Settings::Genetic(_) => {
                let reason =
                    "is genetic, which starts from random weights: choose snes, cross_entropy or cma_es";
                return Err(SettingsError { field: "algorithm", reason: reason.to_owned() });
            }
            Settings::Snes(settings) => &mut settings.start,
            Settings::CrossEntropy(settings) => &mut settings.start,
            Settings::CmaEs(settings) => &mut settings.start,
        };
        if start.is_some() {
            let reason = "is not needed: the agent has a start of its own, in player.start; omit this one";
            return Err(SettingsError { field: "start", reason: reason.to_owned() });
        }
        *start = Some(point);
        Ok(settings)
    }

    /// Checks the settings for this many weights.
    pub(crate) fn check_for(&self, dimension: usize) -> Result<(), SettingsError> {
        self.check()?;
        count("dimension", dimension, 1)?;
        let start = match self {
            Settings::Genetic(_) => &None,
            Settings::Snes(settings) => &settings.start,
            Settings::CrossEntropy(settings) => &settings.start,
            Settings::CmaEs(settings) => &settings.start,
        };
        let scales = match self {
            Settings::CmaEs(settings) => &settings.scales,
            _ => &None,
        };
        for (field, numbers) in [("start", start), ("scales", scales)] {
            if let Some(numbers) = numbers
                && numbers.len() != dimension
            {
                let given = counted(numbers.len() as u64, "number");
                return wrong(field, format!("has {given}: give {dimension}, one for each feature"));
            }
        }
        Ok(())
    }
}

/// An error about a setting.
pub(super) fn wrong(field: &'static str, reason: String) -> Result<(), SettingsError> {
    Err(SettingsError { field, reason })
}

/// Checks a number of things.
pub(super) fn count(field: &'static str, value: usize, least: usize) -> Result<(), SettingsError> {
    match value {
        _ if value < least => wrong(field, format!("is {value}: give at least {least}")),
        _ if value > MAX_COUNT => wrong(field, format!("is {value}: give at most {MAX_COUNT}")),
        _ => Ok(()),
    }
}

/// Checks a chance or a share.
pub(super) fn fraction(field: &'static str, value: f64) -> Result<(), SettingsError> {
    match value {
        0.0..=1.0 => Ok(()),
        _ => wrong(field, format!("is {value:?}: give a number from 0 to 1 (0.3 is 30 %)")),
    }
}

/// Checks a positive number.
pub(super) fn positive(field: &'static str, value: f64) -> Result<(), SettingsError> {
    match value.is_finite() && value > 0.0 {
        true => Ok(()),
        false => wrong(field, format!("is {value:?}: give a number above 0")),
    }
}

/// Checks a number that is not negative.
pub(super) fn not_negative(field: &'static str, value: f64) -> Result<(), SettingsError> {
    match value.is_finite() && value >= 0.0 {
        true => Ok(()),
        false => wrong(field, format!("is {value:?}: give a number of at least 0")),
    }
}

/// Checks a number of at least 1.
pub(super) fn at_least_1(field: &'static str, value: f64) -> Result<(), SettingsError> {
    match value.is_finite() && value >= 1.0 {
        true => Ok(()),
        false => wrong(field, format!("is {value:?}: give a number of at least 1")),
    }
}

/// Checks initial weights, if any.
pub(super) fn point(field: &'static str, value: Option<&[f64]>) -> Result<(), SettingsError> {
    match value.unwrap_or_default().iter().find(|x| !x.is_finite()) {
        Some(x) => wrong(field, format!("has {x:?} in it: give numbers")),
        None => Ok(()),
    }
}
