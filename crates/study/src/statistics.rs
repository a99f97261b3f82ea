//! Summaries of samples, with 95 % confidence intervals.

use serde::Serialize;

/// Summary statistics of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// The mean.
    pub mean: f64,
    /// The median.
    pub median: f64,
    /// The smallest value.
    pub min: f64,
    /// The largest value.
    pub max: f64,
    /// The 95 % confidence interval of the mean by Student's t; `None` if there are too few values for one.
    ///
    /// Student's t assumes that the mean is normally distributed. Game results are skewed, so a small sample says little. There is
    /// no interval for fewer than [`MIN_FOR_INTERVAL`] values, nor if it would cross zero although no value does. Nobody
    /// clears −3 lines.
    pub ci95: Option<[f64; 2]>,
}

/// The fewest values for which a [`Summary`] gives an interval.
pub const MIN_FOR_INTERVAL: usize = 5;

impl Summary {
    /// Sums up a sample.
    ///
    /// # Panics
    /// If the sample is empty.
    pub fn of(values: impl Iterator<Item = f64>) -> Summary {
        let mut sorted: Vec<f64> = values.collect();
        sorted.sort_by(f64::total_cmp);
        let count = sorted.len();
        assert!(count > 0, "a summary needs at least one value");
        let median = (sorted[(count - 1) / 2] + sorted[count / 2]) / 2.0;
        let (min, max) = (sorted[0], sorted[count - 1]);
        let possible = |[low, high]: &[f64; 2]| (min < 0.0 || *low >= 0.0) && (max > 0.0 || *high <= 0.0);
        let ci95 = t_interval(&sorted).filter(|_| count >= MIN_FOR_INTERVAL).filter(possible);
        Summary { mean: mean(&sorted), median, min, max, ci95 }
    }

    /// A table row with this name, to go below [`Summary::HEADING`].
    pub fn row(&self, name: &str) -> String {
        let Summary { mean, median, min, max, ci95 } = self;
        let interval = interval_text(*ci95, "games");
        format!("{name:<6} {mean:>11.2} {median:>11.1} {min:>11} {max:>11}   {interval}")
    }

    /// The heading of a table of summaries.
    pub const HEADING: &str =
        "              mean      median         min         max   95 % interval of the mean";
}

/// An interval as people read it: `1.00 to 2.00`, or that there are too few of something for one.
pub fn interval_text(interval: Option<[f64; 2]>, things: &str) -> String {
    interval.map_or(format!("too few {things}"), |[low, high]| format!("{low:.2} to {high:.2}"))
}

/// The 95 % confidence interval of a sample's mean by Student's t; `None` for fewer than two values.
///
/// This is the bare formula. Use [`Summary::ci95`] for an interval that people are shown.
pub fn t_interval(values: &[f64]) -> Option<[f64; 2]> {
    let degrees_of_freedom = values.len().checked_sub(1).filter(|degrees| *degrees > 0)?;
    let mean = mean(values);
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let standard_error = (squares / degrees_of_freedom as f64 / values.len() as f64).sqrt();
    let margin = t_quantile(degrees_of_freedom) * standard_error;
    Some([mean - margin, mean + margin])
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The 95 % interval of the mean of exponentially distributed values, given their sum and how many have ended. Values that have not
/// ended yet count with what they have so far. `None` if none has ended.
///
/// Twice the sum, divided by the mean, follows a chi-squared distribution, whose quantiles are found as Wilson and Hilferty did.
pub fn exponential_interval(sum: f64, ended: u64) -> Option<[f64; 2]> {
    let quantile = |z: f64| {
        let (degrees, part) = (2.0 * ended as f64, 1.0 / (9.0 * ended as f64));
        degrees * (1.0 - part + z * part.sqrt()).powi(3)
    };
    (ended > 0).then(|| [2.0 * sum / quantile(NORMAL_QUANTILE), 2.0 * sum / quantile(-NORMAL_QUANTILE)])
}

/// The share of a sample that has some property.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Share {
    /// How many have it.
    pub count: u64,
    /// The size of the sample.
    pub of: u64,
    /// The 95 % confidence interval of the share by Wilson's score.
    pub ci95: [f64; 2],
}

impl Share {
    /// Counts those that have it.
    ///
    /// # Panics
    /// If the sample is empty.
    pub fn of(sample: impl Iterator<Item = bool>) -> Share {
        let (mut count, mut of) = (0, 0);
        for has in sample {
            of += 1;
            count += u64::from(has);
        }
        assert!(of > 0, "a share needs at least one value");
        let (n, share, square) = (of as f64, count as f64 / of as f64, NORMAL_QUANTILE.powi(2));
        let middle = share + square / (2.0 * n);
        let margin = NORMAL_QUANTILE * (share * (1.0 - share) / n + square / (4.0 * n * n)).sqrt();
        let bound = |bound: f64| (bound / (1.0 + square / n)).clamp(0.0, 1.0);
        Share { count, of, ci95: [bound(middle - margin), bound(middle + margin)] }
    }
}

/// The 97.5 % quantile of the normal distribution.
pub(crate) const NORMAL_QUANTILE: f64 = 1.959_963_985;

/// The 97.5 % quantile of Student's t distribution.
fn t_quantile(degrees_of_freedom: usize) -> f64 {
    const UP_TO_TEN_DEGREES: [f64; 10] =
        [12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281];
    if let Some(quantile) = UP_TO_TEN_DEGREES.get(degrees_of_freedom - 1) {
        return *quantile;
    }
    // The Cornish-Fisher expansion about the normal quantile.
    let (z, n) = (NORMAL_QUANTILE, degrees_of_freedom as f64);
    let first = z.powi(3) + z;
    let second = 5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z;
    let third = 3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z;
    z + first / (4.0 * n) + second / (96.0 * n.powi(2)) + third / (384.0 * n.powi(3))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn summary(values: &[f64]) -> Summary {
        Summary::of(values.iter().copied())
    }

    #[test]
    fn the_interval_of_an_exponential_mean_is_that_of_the_tables() {
        // The 2.5 % and 97.5 % quantiles of chi-squared with 20 degrees of freedom are 9.591 and 34.170.
        let [low, high] = exponential_interval(1_000.0, 10).unwrap();
        assert!((low - 2_000.0 / 34.170).abs() < 0.1, "{low}");
        assert!((high - 2_000.0 / 9.591).abs() < 0.5, "{high}");
        assert_eq!(exponential_interval(1_000.0, 0), None);
    }

    #[test]
    fn a_small_sample_worked_by_hand() {
        let Summary { mean, median, min, max, ci95 } = summary(&[4.0, 1.0, 3.0, 2.0, 5.0]);
        assert_eq!((mean, median, min, max), (3.0, 3.0, 1.0, 5.0));
        // The variance is 5/2, the standard error of the mean its root over √5, the quantile for four degrees 2.7764.
        let margin = 2.7764 * (5.0f64 / 2.0 / 5.0).sqrt();
        let [low, high] = ci95.unwrap();
        assert!((low - (3.0 - margin)).abs() < 1e-9 && (high - (3.0 + margin)).abs() < 1e-9);
    }

    #[test]
    fn too_few_values_have_no_interval() {
        assert_eq!(summary(&[7.0]).ci95, None);
        assert_eq!(summary(&[7.0, 8.0, 7.0, 8.0]).ci95, None);
        assert!(summary(&[7.0, 8.0, 7.0, 8.0, 7.0]).ci95.is_some());
        assert!(summary(&[7.0]).row("lines").ends_with("too few games"));
    }

    #[test]
    fn an_interval_never_reaches_impossible_values() {
        let skewed = [0.0, 0.0, 1.0, 0.0, 0.0, 90.0];
        assert!(t_interval(&skewed).unwrap()[0] < 0.0);
        assert_eq!(summary(&skewed).ci95, None);
        assert_eq!(summary(&skewed.map(|value| -value)).ci95, None);
        // Values on both sides of zero may have a mean on either side.
        let [low, high] = summary(&[-90.0, 0.0, 1.0, 0.0, 0.0, 90.0]).ci95.unwrap();
        assert!(low < 0.0 && high > 0.0);
        assert_eq!(summary(&[0.0; 9]).ci95, Some([0.0, 0.0]));
    }

    #[test]
    fn shares_of_published_examples() {
        // Newcombe (1998), table I: Wilson's score interval.
        for (count, of, low, high) in
            [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611)]
        {
            let Share { ci95, .. } = Share::of((0..of).map(|index| index < count));
            assert!(
                (ci95[0] - low).abs() < 5e-5 && (ci95[1] - high).abs() < 5e-5,
                "{count} of {of}: {ci95:?}"
            );
        }
        assert!(Share::of([true; 29].into_iter()).ci95[1] > 1.0 - 1e-9);
    }

    #[test]
    fn t_quantiles_match_published_tables() {
        for (degrees, quantile) in [(11, 2.2010), (20, 2.0860), (60, 2.0003), (1_000, 1.9623)] {
            assert!((t_quantile(degrees) - quantile).abs() < 5e-4, "{degrees}");
        }
    }
}
