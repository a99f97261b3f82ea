//! Scores placements.

use crate::afterstate::{Afterstate, Judged};
use crate::features::{Feature, FeatureScope};
use crate::subject::Cell;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Scores placements: higher is better.
pub trait Evaluator {
    /// Which board it judges.
    fn judged(&self) -> Judged;

    /// Whether scores depend on back-to-back or combos. If not, searches treat positions that differ only in these as equal.
    fn sees_streaks(&self) -> bool {
        true
    }

    /// The score of a line of placements that ends with this one. `carried` is what the earlier placements contribute.
    fn score(&self, after: &Afterstate, carried: f64) -> f64;

    /// What this placement contributes to the score of a line that continues after it.
    fn carry(&self, after: &Afterstate) -> f64;

    /// The score of a lost game in an average: far below any board.
    fn loss(&self) -> f64;

    /// The terms of the score, with labels of its own choice. Their contributions add up to the score of the placement alone.
    fn terms(&self, after: &Afterstate) -> Vec<Term>;
}

/// A term of a score.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// What it measures.
    pub label: Cow<'static, str>,
    /// The measured value.
    pub value: f64,
    /// The weight of the value.
    pub weight: f64,
    /// What that is, in a few words; may be empty.
    pub brief: &'static str,
    /// The cells that it is about, on the board with the piece on it and full rows not yet cleared; may be empty.
    pub cells: Vec<Cell>,
}

impl Term {
    /// A term that says nothing else of itself.
    pub fn new(label: impl Into<Cow<'static, str>>, value: f64, weight: f64) -> Term {
        Term { label: label.into(), value, weight, brief: "", cells: Vec::new() }
    }

    /// What it adds to the score.
    pub fn contribution(&self) -> f64 {
        self.value * self.weight
    }
}

/// A weighted sum of features.
#[derive(Clone, Debug, PartialEq)]
pub struct Linear {
    /// In the order of [`Feature::ALL`], each feature once.
    weights: Vec<(Feature, f64)>,
    judged: Judged,
}

impl Linear {
    /// A weighted sum. The order of the weights does not matter. If a feature occurs twice, its last weight counts.
    pub fn new(weights: impl IntoIterator<Item = (Feature, f64)>, judged: Judged) -> Linear {
        let weights: BTreeMap<Feature, f64> = weights.into_iter().collect();
        Linear { weights: weights.into_iter().collect(), judged }
    }

    /// The weights, in the order of [`Feature::ALL`].
    pub fn weights(&self) -> &[(Feature, f64)] {
        &self.weights
    }
}

impl Evaluator for Linear {
    fn judged(&self) -> Judged {
        self.judged
    }

    fn sees_streaks(&self) -> bool {
        self.weights.iter().any(|(feature, _)| feature.sees_streaks())
    }

    #[inline]
    fn score(&self, after: &Afterstate, carried: f64) -> f64 {
        // Always in the same order, so that the same features give exactly the same score.
        self.weights.iter().fold(carried, |score, (feature, weight)| score + weight * feature.value(after))
    }

    #[inline]
    fn carry(&self, after: &Afterstate) -> f64 {
        let of_placement =
            self.weights.iter().filter(|(feature, _)| feature.scope() == FeatureScope::Placement);
        of_placement.fold(0.0, |sum, (feature, weight)| sum + weight * feature.value(after))
    }

    fn loss(&self) -> f64 {
        // No feature comes near a million. Proportional to the weights, so that their scale does not matter.
        -1e6 * self.weights.iter().map(|(_, weight)| weight.abs()).sum::<f64>()
    }

    fn terms(&self, after: &Afterstate) -> Vec<Term> {
        let term = |&(feature, weight): &(Feature, f64)| Term {
            brief: feature.brief(),
            cells: feature.cells(after),
            ..Term::new(feature.name(), feature.value(after), weight)
        };
        self.weights.iter().map(term).collect()
    }
}
