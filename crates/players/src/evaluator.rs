//! How good a placement is.

use crate::afterstate::{Afterstate, Judged};
use crate::features::{Feature, FeatureScope};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Judges placements: more is better.
pub trait Evaluator {
    /// Which board it wants to see.
    fn judged(&self) -> Judged;

    /// Whether it looks at back-to-back or combos. If not, searches need not tell apart positions that differ in them alone.
    fn sees_streaks(&self) -> bool {
        true
    }

    /// The score of a line of placements that ends in this one. `carried` is what the placements before it brought.
    fn score(&self, after: &Afterstate, carried: f64) -> f64;

    /// What this placement brings to a line that goes on after it.
    fn carry(&self, after: &Afterstate) -> f64;

    /// What a lost game is worth where an average needs a number: far below any board.
    fn loss(&self) -> f64;

    /// The parts of the score, under names of its own choice. Their contributions add up to the score of the placement alone.
    fn terms(&self, after: &Afterstate) -> Vec<Term>;
}

/// A part of a score.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// What was seen.
    pub label: Cow<'static, str>,
    /// How much of it.
    pub value: f64,
    /// How much each counts.
    pub weight: f64,
}

impl Term {
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
    /// A weighted sum; the order of the weights does not matter, and of two for one feature the last counts.
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
        // Always in the same order, so that the same features give the same score to the last bit.
        self.weights.iter().fold(carried, |score, (feature, weight)| score + weight * feature.value(after))
    }

    #[inline]
    fn carry(&self, after: &Afterstate) -> f64 {
        let of_placement =
            self.weights.iter().filter(|(feature, _)| feature.scope() == FeatureScope::Placement);
        of_placement.fold(0.0, |sum, (feature, weight)| sum + weight * feature.value(after))
    }

    fn loss(&self) -> f64 {
        // No feature comes near a million. In proportion to the weights, so that their scale does not matter.
        -1e6 * self.weights.iter().map(|(_, weight)| weight.abs()).sum::<f64>()
    }

    fn terms(&self, after: &Afterstate) -> Vec<Term> {
        let term = |&(feature, weight): &(Feature, f64)| Term {
            label: feature.name().into(),
            value: feature.value(after),
            weight,
        };
        self.weights.iter().map(term).collect()
    }
}
