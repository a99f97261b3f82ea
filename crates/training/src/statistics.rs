//! Summaries of samples, with intervals.

use serde::Serialize;

/// A sample in short.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// The average.
    pub mean: f64,
    /// The middle value.
    pub median: f64,
    /// The smallest value.
    pub min: f64,
    /// The largest value.
    pub max: f64,
    /// The 95 % confidence interval of the mean by Student's t; none for a single value.
    pub ci95: Option<[f64; 2]>,
}

impl Summary {
    /// Sums up a sample.
    ///
    /// # Panics
    /// If there is nothing in it.
    pub fn of(values: impl Iterator<Item = f64>) -> Summary {
        let mut sorted: Vec<f64> = values.collect();
        sorted.sort_by(f64::total_cmp);
        let count = sorted.len();
        assert!(count > 0, "a summary needs at least one value");
        let mean = sorted.iter().sum::<f64>() / count as f64;
        let median = (sorted[(count - 1) / 2] + sorted[count / 2]) / 2.0;
        let squares: f64 = sorted.iter().map(|value| (value - mean).powi(2)).sum();
        let ci95 = (count > 1).then(|| {
            let error = (squares / (count - 1) as f64 / count as f64).sqrt();
            let margin = t_quantile(count - 1) * error;
            [mean - margin, mean + margin]
        });
        Summary { mean, median, min: sorted[0], max: sorted[count - 1], ci95 }
    }

    /// The line of a table about something of that name, below [`Summary::HEADING`].
    pub fn row(&self, name: &str) -> String {
        let Summary { mean, median, min, max, ci95 } = self;
        let interval = ci95.map_or("-".to_owned(), |[low, high]| format!("{low:.2} to {high:.2}"));
        format!("{name:<6} {mean:>11.2} {median:>11.1} {min:>11} {max:>11}   {interval}")
    }

    /// What stands above the lines of a table.
    pub const HEADING: &str =
        "              mean      median         min         max   95 % interval of the mean";
}

/// How many of a sample have something.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Share {
    /// Those that have it.
    pub count: u64,
    /// All of them.
    pub of: u64,
    /// The 95 % confidence interval of the share by Wilson's score.
    pub ci95: [f64; 2],
}

impl Share {
    /// Counts those that have it.
    ///
    /// # Panics
    /// If there is nothing in the sample.
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
const NORMAL_QUANTILE: f64 = 1.959_963_985;

/// The 97.5 % quantile of Student's t distribution.
fn t_quantile(degrees_of_freedom: usize) -> f64 {
    const FEW: [f64; 10] = [12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281];
    if let Some(quantile) = FEW.get(degrees_of_freedom - 1) {
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
    use super::*;

    #[test]
    fn a_small_sample_worked_by_hand() {
        let summary = Summary::of([4.0, 1.0, 3.0, 2.0].into_iter());
        assert_eq!((summary.mean, summary.median, summary.min, summary.max), (2.5, 2.5, 1.0, 4.0));
        // The variance is 5/3, the error of the mean its root over two, the quantile for three degrees 3.1824.
        let margin = 3.1824 * (5.0f64 / 3.0).sqrt() / 2.0;
        let [low, high] = summary.ci95.unwrap();
        assert!((low - (2.5 - margin)).abs() < 1e-9 && (high - (2.5 + margin)).abs() < 1e-9);
    }

    #[test]
    fn a_single_value_has_no_interval() {
        assert_eq!(Summary::of([7.0].into_iter()).ci95, None);
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
    fn t_quantiles_are_those_of_the_tables() {
        for (degrees, quantile) in [(11, 2.2010), (20, 2.0860), (60, 2.0003), (1_000, 1.9623)] {
            assert!((t_quantile(degrees) - quantile).abs() < 5e-4, "{degrees}");
        }
    }
}
