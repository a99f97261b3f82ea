//! Comparisons: how large a difference is, how sure we are of it, and how likely chance alone would make one.
//!
//! A p-value never comes alone: each comparison holds the size of the effect, and an interval where there is one.

use crate::distribution::normal_cdf;
use crate::interval::{bootstrap, mean};
use serde::Serialize;
use tetrion_engine::randomizer::Random;

/// Two players compared on the same games.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PairedComparison {
    /// The number of pairs.
    pub pairs: usize,
    /// The mean of first minus second.
    pub difference: f64,
    /// Its 95 % interval by the bootstrap; `None` if all differences are the same.
    pub ci95: Option<[f64; 2]>,
    /// The mean in units of the differences' standard deviation (Cohen's d for pairs). 0 if that is zero.
    pub effect: f64,
    /// The share of pairs in which the first is greater, minus the share in which it is smaller.
    pub dominance: f64,
    /// The chance of a mean at least this far from zero if the signs of all differences were random.
    pub p: f64,
}

impl PairedComparison {
    /// Compares values of the same games. The same seed gives the same result.
    ///
    /// # Panics
    /// If there are no values, or not the same number of them.
    pub fn of(first: &[f64], second: &[f64], seed: u64) -> PairedComparison {
        assert_eq!(first.len(), second.len(), "values come in pairs");
        assert!(!first.is_empty(), "a comparison needs at least one pair");
        let differences: Vec<f64> = first.iter().zip(second).map(|(first, second)| first - second).collect();
        let (count, difference) = (differences.len(), mean(&differences));
        let squares: f64 = differences.iter().map(|value| (value - difference).powi(2)).sum();
        let deviation = if count > 1 { (squares / (count - 1) as f64).sqrt() } else { 0.0 };
        let share = |wanted: fn(f64) -> bool| {
            differences.iter().filter(|value| wanted(**value)).count() as f64 / count as f64
        };
        PairedComparison {
            pairs: count,
            difference,
            ci95: bootstrap(&differences, mean, seed),
            effect: if deviation > 0.0 { difference / deviation } else { 0.0 },
            dominance: share(|value| value > 0.0) - share(|value| value < 0.0),
            p: sign_flip_test(&differences, seed),
        }
    }
}

/// The largest number of differences for which every choice of signs is tried.
const MAX_FOR_ALL_SIGNS: usize = 16;
/// How many choices of signs are drawn otherwise.
const RANDOM_SIGNS: usize = 9_999;

/// The chance that random signs give differences a mean at least as far from zero. Exact for up to 16 differences.
pub fn sign_flip_test(differences: &[f64], seed: u64) -> f64 {
    let found = differences.iter().sum::<f64>().abs();
    // Sums of the same numbers in another order may differ in their last digits.
    let at_least = found - 1e-9 * differences.iter().map(|value| value.abs()).sum::<f64>();
    let is_as_far = |signs: &mut dyn FnMut() -> bool| {
        let sum: f64 = differences.iter().map(|value| if signs() { *value } else { -value }).sum();
        sum.abs() >= at_least
    };
    if differences.len() <= MAX_FOR_ALL_SIGNS {
        let choices = 1u32 << differences.len();
        let as_far = (0..choices).filter(|choice| {
            let mut bits = *choice;
            is_as_far(&mut || {
                let sign = bits & 1 == 1;
                bits >>= 1;
                sign
            })
        });
        return as_far.count() as f64 / f64::from(choices);
    }
    let mut random = Random::new(seed);
    let as_far = (0..RANDOM_SIGNS).filter(|_| is_as_far(&mut || random.below(2) == 1)).count();
    // The signs that were found are one of the choices.
    (as_far + 1) as f64 / (RANDOM_SIGNS + 1) as f64
}

/// Two groups of games compared by their ranks.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RankComparison {
    /// Mann and Whitney's U of the first group: the pairs in which its value is greater, ties counting half.
    pub u: f64,
    /// The chance that a value of the first group is greater than one of the second, minus the chance that it is smaller (Cliff's
    /// delta).
    pub dominance: f64,
    /// The chance of ranks at least this uneven if both groups were alike. Two-sided, for groups of ten or more.
    pub p: f64,
}

impl RankComparison {
    /// Compares two groups.
    ///
    /// # Panics
    /// If one is empty.
    pub fn of(first: &[f64], second: &[f64]) -> RankComparison {
        assert!(!first.is_empty() && !second.is_empty(), "a comparison needs values on both sides");
        let all: Vec<f64> = first.iter().chain(second).copied().collect();
        let Ranks { ranks, tied } = Ranks::of(&all);
        let [n, m] = [first, second].map(|group| group.len() as f64);
        let u = ranks[..first.len()].iter().sum::<f64>() - n * (n + 1.0) / 2.0;
        let total = n + m;
        let variance = n * m / 12.0 * (total + 1.0 - tied / (total * (total - 1.0)));
        // Half a rank closer to the middle: U moves in steps of at least that.
        let away = ((u - n * m / 2.0).abs() - 0.5).max(0.0);
        RankComparison { u, dominance: 2.0 * u / (n * m) - 1.0, p: two_sided(away, variance) }
    }
}

/// Pairs compared by the ranks of their differences (Wilcoxon's signed-rank test). Pairs without a difference are left out.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SignedRanks {
    /// The sum of the ranks of the differences above zero.
    pub positive: f64,
    /// The share of all ranks that differences above zero have, minus the share of those below (rank-biserial correlation).
    pub effect: f64,
    /// The chance of ranks at least this uneven if the signs were random. Two-sided, for ten differences or more.
    pub p: f64,
}

impl SignedRanks {
    /// Compares by differences.
    pub fn of(differences: &[f64]) -> SignedRanks {
        let differences: Vec<f64> = differences.iter().copied().filter(|value| *value != 0.0).collect();
        let sizes: Vec<f64> = differences.iter().map(|value| value.abs()).collect();
        let Ranks { ranks, tied } = Ranks::of(&sizes);
        let positive =
            ranks.iter().zip(&differences).filter(|(_, value)| **value > 0.0).map(|(rank, _)| rank).sum();
        let n = differences.len() as f64;
        let all = n * (n + 1.0) / 2.0;
        let variance = all * (2.0 * n + 1.0) / 12.0 - tied / 48.0;
        let effect = if all > 0.0 { 2.0 * positive / all - 1.0 } else { 0.0 };
        SignedRanks { positive, effect, p: two_sided((positive - all / 2.0).abs(), variance) }
    }
}

/// The chance that a normal number with mean 0 and this variance is at least this far from 0.
fn two_sided(away: f64, variance: f64) -> f64 {
    if variance > 0.0 { (2.0 * normal_cdf(-away / variance.sqrt())).min(1.0) } else { 1.0 }
}

/// The ranks of values, from 1. Equal values share the mean of their ranks.
struct Ranks {
    ranks: Vec<f64>,
    /// The sum of t³ − t over groups of t equal values, which variances are corrected by.
    tied: f64,
}

impl Ranks {
    fn of(values: &[f64]) -> Ranks {
        let mut order: Vec<usize> = (0..values.len()).collect();
        order.sort_unstable_by(|a, b| values[*a].total_cmp(&values[*b]));
        let (mut ranks, mut tied, mut before) = (vec![0.0; values.len()], 0.0, 0);
        for group in order.chunk_by(|a, b| values[*a] == values[*b]) {
            let size = group.len() as f64;
            let rank = before as f64 + (size + 1.0) / 2.0;
            group.iter().for_each(|index| ranks[*index] = rank);
            tied += size.powi(3) - size;
            before += group.len();
        }
        Ranks { ranks, tied }
    }
}

/// P-values corrected for the number of comparisons by Holm's method: the chance of even one false discovery stays below the
/// level that they are compared with.
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_unstable_by(|a, b| p_values[*a].total_cmp(&p_values[*b]));
    let (mut corrected, mut largest) = (vec![0.0; p_values.len()], 0.0f64);
    for (place, index) in order.into_iter().enumerate() {
        largest = largest.max(p_values[index] * (p_values.len() - place) as f64).min(1.0);
        corrected[index] = largest;
    }
    corrected
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_paired_comparison_worked_by_hand() {
        let compared = PairedComparison::of(&[5.0, 7.0, 8.0], &[4.0, 5.0, 8.0], 1);
        assert_eq!((compared.pairs, compared.difference, compared.effect), (3, 1.0, 1.0));
        assert_eq!(compared.dominance, 2.0 / 3.0);
        // Of the eight choices of signs of 1, 2 and 0, four have a sum of 3 or −3.
        assert_eq!(compared.p, 0.5);
        let [low, high] = compared.ci95.unwrap();
        assert!((0.0..1.0).contains(&low) && (1.0..=2.0).contains(&high));
        let same = PairedComparison::of(&[1.0, 2.0], &[1.0, 2.0], 1);
        assert_eq!((same.difference, same.ci95, same.effect, same.p), (0.0, None, 0.0, 1.0));
    }

    #[test]
    fn ranks_are_shared_by_equal_values() {
        let Ranks { ranks, tied } = Ranks::of(&[3.0, 1.0, 3.0, 2.0, 3.0]);
        assert_eq!(ranks, [4.0, 1.0, 4.0, 2.0, 4.0]);
        assert_eq!(tied, 24.0);
    }

    #[test]
    fn groups_that_do_not_overlap_are_told_apart() {
        let (low, high): (Vec<f64>, Vec<f64>) =
            ((0..20).map(f64::from).collect(), (20..40).map(f64::from).collect());
        let compared = RankComparison::of(&high, &low);
        assert_eq!((compared.u, compared.dominance), (400.0, 1.0));
        assert!(compared.p < 1e-6);
        let same = RankComparison::of(&low, &low);
        assert_eq!((same.dominance, same.p), (0.0, 1.0));
        let signed = SignedRanks::of(&high);
        assert_eq!((signed.positive, signed.effect), (210.0, 1.0));
        assert_eq!(SignedRanks::of(&[0.0; 5]).p, 1.0);
    }

    #[test]
    fn holm_multiplies_the_smallest_most() {
        let corrected = holm(&[0.01, 0.04, 0.03, 0.5]);
        let expected = [0.04, 0.09, 0.09, 0.5];
        assert!(
            corrected.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-12),
            "{corrected:?}"
        );
        assert_eq!(holm(&[0.6, 0.7]), [1.0, 1.0]);
        assert_eq!(holm(&[]), Vec::<f64>::new());
    }
}
