//! 95 % confidence intervals that need no normal distribution: exact ones for shares, and the bootstrap for anything else.

use crate::distribution::{beta_quantile, normal_cdf, normal_quantile};
use tetrion_engine::randomizer::Random;

/// The exact interval of a share by Clopper and Pearson: it holds the true share at least 95 % of the time.
///
/// # Panics
/// If the sample is empty, or smaller than the count.
pub fn exact_share(count: u64, of: u64) -> [f64; 2] {
    assert!(of > 0 && count <= of, "{count} of {of} is no share");
    let (count, rest) = (count as f64, (of - count) as f64);
    let low = if count > 0.0 { beta_quantile(0.025, count, rest + 1.0) } else { 0.0 };
    let high = if rest > 0.0 { beta_quantile(0.975, count + 1.0, rest) } else { 1.0 };
    [low, high]
}

/// How often a sample is drawn again for a bootstrap.
pub const RESAMPLES: usize = 9_999;

/// The interval of a statistic by the bootstrap, corrected for bias and skewness (BCa). The same seed gives the same interval.
///
/// `None` if there are fewer than two values, or if the statistic is the same whatever is left out: then nothing is known about
/// its error.
pub fn bootstrap(values: &[f64], statistic: impl Fn(&[f64]) -> f64, seed: u64) -> Option<[f64; 2]> {
    let count = values.len();
    if count < 2 {
        return None;
    }
    let found = statistic(values);
    let mut random = Random::new(seed);
    let mut drawn = vec![0.0; count];
    let mut resampled: Vec<f64> = (0..RESAMPLES)
        .map(|_| {
            drawn.fill_with(|| values[random.below(count as u64) as usize]);
            statistic(&drawn)
        })
        .collect();
    resampled.sort_unstable_by(f64::total_cmp);
    let acceleration = acceleration(values, &statistic)?;
    // Ties count half, as in SciPy.
    let below = resampled.partition_point(|value| *value < found) as f64;
    let up_to = resampled.partition_point(|value| *value <= found) as f64;
    let bias = normal_quantile((below + up_to) / 2.0 / RESAMPLES as f64);
    let bound = |chance: f64| {
        let z = bias + normal_quantile(chance);
        percentile(&resampled, normal_cdf(bias + z / (1.0 - acceleration * z)))
    };
    Some([bound(0.025), bound(0.975)])
}

/// How skewed a statistic is, from leaving out one value after the other.
fn acceleration(values: &[f64], statistic: &impl Fn(&[f64]) -> f64) -> Option<f64> {
    let mut rest = values[1..].to_vec();
    let mut without = vec![statistic(&rest)];
    for left_out in 1..values.len() {
        rest[left_out - 1] = values[left_out - 1];
        without.push(statistic(&rest));
    }
    let mean = without.iter().sum::<f64>() / without.len() as f64;
    let sum = |power: i32| without.iter().map(|value| (mean - value).powi(power)).sum::<f64>();
    let squares = sum(2);
    (squares > 0.0).then(|| sum(3) / (6.0 * squares.powf(1.5)))
}

/// The value below which this share of sorted values is, interpolated.
fn percentile(sorted: &[f64], share: f64) -> f64 {
    let place = share.clamp(0.0, 1.0) * (sorted.len() - 1) as f64;
    let (below, above) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
    below + (above - below) * place.fract()
}

/// The mean of values, for [`bootstrap`].
pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn exact_shares_of_published_examples() {
        // Newcombe (1998), table I: Clopper and Pearson's exact interval.
        for (count, of, low, high) in
            [(81, 263, 0.2527, 0.3676), (15, 148, 0.0578, 0.1617), (1, 29, 0.0009, 0.1776)]
        {
            let [found_low, found_high] = exact_share(count, of);
            assert!((found_low - low).abs() < 5e-5 && (found_high - high).abs() < 5e-5, "{count} of {of}");
        }
        assert_eq!(exact_share(0, 20)[0], 0.0);
        assert!((exact_share(0, 20)[1] - 0.1684).abs() < 5e-5);
        assert_eq!(exact_share(20, 20)[1], 1.0);
    }

    #[test]
    fn a_bootstrap_interval_holds_the_mean_about_95_times_in_100() {
        // Skewed values, as games have them, with a mean of 1.
        let mut random = Random::new(4);
        let held = (0..200).filter(|seed| {
            let values: Vec<f64> = (0..60).map(|_| -(1.0 - random.fraction()).ln()).collect();
            let [low, high] = bootstrap(&values, mean, *seed).unwrap();
            low <= 1.0 && 1.0 <= high
        });
        let held = held.count();
        assert!((180..=198).contains(&held), "{held} of 200");
    }

    #[test]
    fn a_bootstrap_of_nothing_has_no_interval() {
        assert_eq!(bootstrap(&[1.0], mean, 1), None);
        assert_eq!(bootstrap(&[2.0; 9], mean, 1), None);
        assert_eq!(bootstrap(&[1.0, 2.0, 4.0], mean, 1), bootstrap(&[1.0, 2.0, 4.0], mean, 1));
    }
}
