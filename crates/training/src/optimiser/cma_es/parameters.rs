//! The constants of CMA-ES, which follow from the dimension and the population.
//!
//! They are those of Hansen's tutorial (arXiv:1604.00772, table 1), with negative weights. Only the rate of the step path is that of his
//! program pycma, which has a 3 where the tutorial has a 5, and is a little faster.

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StrategyParameters {
    /// The weight of each rank, best first. The positive ones sum to 1.
    pub weights: Vec<f64>,
    /// The number of positive weights.
    pub parents: usize,
    /// The variance-effective number of parents.
    pub effective_parents: f64,
    /// The learning rate of the path for the step size.
    pub step_path_rate: f64,
    /// The damping of the step size.
    pub step_damping: f64,
    /// The learning rate of the path for the covariance.
    pub path_rate: f64,
    /// The learning rate of the covariance from its path (rank one).
    pub rank_one_rate: f64,
    /// The learning rate of the covariance from the candidates (rank μ).
    pub rank_many_rate: f64,
    /// The expected length of a standard Gaussian vector.
    pub expected_length: f64,
}

/// The default population for a dimension.
pub fn default_population(dimension: usize) -> usize {
    4 + (3.0 * libm::log(dimension as f64)).floor() as usize
}

impl StrategyParameters {
    /// The constants. If `active`, the worst candidates have negative weights.
    pub fn new(dimension: usize, population: usize, active: bool) -> StrategyParameters {
        let n = dimension as f64;
        let middle = libm::log((population as f64 + 1.0) / 2.0);
        let mut weights: Vec<f64> = (1..=population).map(|rank| middle - libm::log(rank as f64)).collect();
        let parents = weights.iter().take_while(|weight| **weight > 0.0).count();
        let (best, worst) = weights.split_at_mut(parents);
        let effective = effective_number(best);
        let rank_one_rate = 2.0 / ((n + 1.3) * (n + 1.3) + effective);
        let rank_many_rate = (1.0 - rank_one_rate)
            .min(2.0 * (0.25 + effective + 1.0 / effective - 2.0) / ((n + 2.0) * (n + 2.0) + effective));
        // These bounds keep the covariance positive definite.
        let negative_sum = (1.0 + rank_one_rate / rank_many_rate)
            .min(1.0 + 2.0 * effective_number(worst) / (effective + 2.0))
            .min((1.0 - rank_one_rate - rank_many_rate) / (n * rank_many_rate));
        scale_to(best, 1.0);
        scale_to(worst, if active { negative_sum } else { 0.0 });
        let step_path_rate = (effective + 2.0) / (n + effective + 3.0);
        StrategyParameters {
            weights,
            parents,
            effective_parents: effective,
            step_path_rate,
            step_damping: 1.0
                + 2.0 * (((effective - 1.0) / (n + 1.0)).sqrt() - 1.0).max(0.0)
                + step_path_rate,
            path_rate: (4.0 + effective / n) / (n + 4.0 + 2.0 * effective / n),
            rank_one_rate,
            rank_many_rate,
            expected_length: n.sqrt() * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n)),
        }
    }
}

/// The number of equal weights with the same variance as these.
fn effective_number(weights: &[f64]) -> f64 {
    let sum: f64 = weights.iter().sum();
    let squares: f64 = weights.iter().map(|weight| weight * weight).sum();
    if squares > 0.0 { sum * sum / squares } else { 0.0 }
}

/// Scales weights of one sign to this sum.
fn scale_to(weights: &mut [f64], size: f64) {
    let sum: f64 = weights.iter().sum::<f64>().abs();
    if sum > 0.0 {
        weights.iter_mut().for_each(|weight| *weight *= size / sum);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_close(value: f64, expected: f64) {
        assert!((value - expected).abs() < 1e-6, "{value}, not {expected}");
    }

    #[test]
    fn the_usual_constants_are_those_of_pycma() {
        assert_eq!(default_population(10), 10);
        let p = StrategyParameters::new(10, 10, true);
        assert_eq!(p.parents, 5);
        for (at, weight) in [(0, 0.456273), (1, 0.270753), (2, 0.162231), (8, -0.452864), (9, -0.54975)] {
            assert_close(p.weights[at], weight);
        }
        assert_close(p.effective_parents, 3.167299);
        assert_close(p.rank_one_rate, 0.0152838);
        assert_close(p.rank_many_rate, 0.0235518);
        assert_close(p.path_rate, 0.2949904);
        assert_close(p.step_path_rate, 0.3196143);
        assert_close(p.step_damping, 1.3196143);
    }

    #[test]
    fn the_negative_weights_of_a_large_population_are_those_of_pycma() {
        let p = StrategyParameters::new(4, 40, true);
        assert_eq!(p.parents, 20);
        for (at, weight) in [(0, 0.167125), (1, 0.128772), (2, 0.106337), (38, -0.028168), (39, -0.029277)] {
            assert_close(p.weights[at], weight);
        }
        assert_close(p.rank_one_rate, 0.0507621);
        assert_close(p.rank_many_rate, 0.4078634);
        assert!(StrategyParameters::new(4, 40, false).weights[20..].iter().all(|weight| *weight == 0.0));
    }
}
