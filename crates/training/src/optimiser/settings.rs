//! Every hyper-parameter, as read from a file, and what is wrong with it.
//!
//! ```toml
//! algorithm = "cma_es"            # or "genetic", "snes", "cross_entropy"
//! sigma = 0.3                     # what is left out has its default
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

/// The most candidates in a generation, and the most numbers in a point: more is a slip of the pen.
pub(super) const MAX_COUNT: usize = 100_000;

/// Which algorithm, and how.
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

/// What is wrong with a setting, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field} {reason}")]
pub struct SettingsError {
    /// The setting.
    pub field: &'static str,
    /// What is wrong with it, and what to do.
    pub reason: String,
}

impl Settings {
    /// Whether an optimiser can run so.
    pub fn check(&self) -> Result<(), SettingsError> {
        match self {
            Settings::Genetic(settings) => settings.check(),
            Settings::Snes(settings) => settings.check(),
            Settings::CrossEntropy(settings) => settings.check(),
            Settings::CmaEs(settings) => settings.check(),
        }
    }

    /// The candidates of the first generation, for points of so many numbers.
    pub(crate) fn candidates(&self, dimension: usize) -> usize {
        match self {
            Settings::Genetic(settings) => settings.population,
            Settings::Snes(settings) => settings.population,
            Settings::CrossEntropy(settings) => settings.population,
            Settings::CmaEs(settings) => settings.first_population(dimension),
        }
    }

    /// How many times the usual games a candidate may come to play, those that are measured twice among them.
    pub(crate) fn most_effort(&self) -> f64 {
        match self {
            Settings::CmaEs(CmaEsSettings { noise: Some(noise), .. }) => {
                noise.max_effort * (1.0 + noise.remeasured)
            }
            _ => 1.0,
        }
    }

    /// Whether it can for points of so many numbers.
    pub(crate) fn check_for(&self, dimension: usize) -> Result<(), SettingsError> {
        self.check()?;
        count("dimension", dimension, 1)?;
        let start = match self {
            Settings::Genetic(_) => &None,
            Settings::Snes(settings) => &settings.start,
            Settings::CrossEntropy(settings) => &settings.start,
            Settings::CmaEs(settings) => &settings.start,
        };
        match start {
            Some(start) if start.len() != dimension => {
                wrong("start", format!("has {} numbers: give {dimension}, one for each weight", start.len()))
            }
            _ => Ok(()),
        }
    }
}

/// Refuses a setting.
pub(super) fn wrong(field: &'static str, reason: String) -> Result<(), SettingsError> {
    Err(SettingsError { field, reason })
}

/// Wants a number of things.
pub(super) fn count(field: &'static str, value: usize, least: usize) -> Result<(), SettingsError> {
    match value {
        _ if value < least => wrong(field, format!("is {value}: give at least {least}")),
        _ if value > MAX_COUNT => wrong(field, format!("is {value}: give at most {MAX_COUNT}")),
        _ => Ok(()),
    }
}

/// Wants a chance or a part of something.
pub(super) fn fraction(field: &'static str, value: f64) -> Result<(), SettingsError> {
    match value {
        0.0..=1.0 => Ok(()),
        _ => wrong(field, format!("is {value:?}: give a number from 0 to 1 (0.3 is 30 %)")),
    }
}

/// Wants a number above 0.
pub(super) fn positive(field: &'static str, value: f64) -> Result<(), SettingsError> {
    match value.is_finite() && value > 0.0 {
        true => Ok(()),
        false => wrong(field, format!("is {value:?}: give a number above 0")),
    }
}

/// Wants 0 or a number above it.
pub(super) fn not_negative(field: &'static str, value: f64) -> Result<(), SettingsError> {
    match value.is_finite() && value >= 0.0 {
        true => Ok(()),
        false => wrong(field, format!("is {value:?}: give 0 or a number above it")),
    }
}

/// Wants a number of at least 1.
pub(super) fn at_least_1(field: &'static str, value: f64) -> Result<(), SettingsError> {
    match value.is_finite() && value >= 1.0 {
        true => Ok(()),
        false => wrong(field, format!("is {value:?}: give a number of at least 1")),
    }
}

/// Wants a point to begin at, if any.
pub(super) fn point(field: &'static str, value: Option<&[f64]>) -> Result<(), SettingsError> {
    match value.unwrap_or_default().iter().find(|x| !x.is_finite()) {
        Some(x) => wrong(field, format!("has {x:?} in it: give numbers")),
        None => Ok(()),
    }
}
