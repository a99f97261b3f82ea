//! A race between first moves: which of them does best over samples that all of them see.

/// Before this many samples, no runner is dropped as clearly worse.
const FIRST_SAMPLES: usize = 6;
/// How many standard errors are clear.
const CLEARLY_WORSE: f64 = 2.5;

/// The results of runners, sample by sample.
pub struct Race {
    results: Vec<Vec<f64>>,
    /// Those that are still in the race.
    running: Vec<usize>,
}

impl Race {
    /// A race with this many runners.
    pub fn new(runners: usize) -> Race {
        Race { results: vec![Vec::new(); runners], running: (0..runners).collect() }
    }

    /// Asks every runner in the race for its result in a new sample.
    pub fn run(&mut self, mut result: impl FnMut(usize) -> i32) {
        for &runner in &self.running {
            self.results[runner].push(f64::from(result(runner)));
        }
    }

    /// Forgets the last sample.
    pub fn forget_last(&mut self) {
        for &runner in &self.running {
            self.results[runner].pop();
        }
    }

    /// How many samples those in the race have seen.
    pub fn samples(&self) -> usize {
        self.running.first().map_or(0, |runner| self.results[*runner].len())
    }

    /// Those that are in the race.
    pub fn running(&self) -> &[usize] {
        &self.running
    }

    /// How many are in the race.
    pub fn runners(&self) -> usize {
        self.running.len()
    }

    /// Whether only one is left.
    pub fn is_decided(&self) -> bool {
        self.running.len() <= 1
    }

    fn sum(&self, runner: usize) -> f64 {
        self.results[runner].iter().sum()
    }

    /// Drops those that are clearly worse than the best so far, compared sample by sample.
    pub fn drop_clear_losers(&mut self) {
        let samples = self.samples();
        let by_sum = |a: &usize, b: &usize| self.sum(*a).total_cmp(&self.sum(*b)).then(b.cmp(a));
        let Some(best) = self.running.iter().copied().max_by(by_sum).filter(|_| samples >= FIRST_SAMPLES)
        else {
            return;
        };
        let results = &self.results;
        self.running.retain(|&runner| {
            let leads = || results[best].iter().zip(&results[runner]).map(|(best, other)| best - other);
            let mean = leads().sum::<f64>() / samples as f64;
            let variance = leads().map(|lead| (lead - mean).powi(2)).sum::<f64>() / (samples - 1) as f64;
            mean <= CLEARLY_WORSE * (variance / samples as f64).sqrt()
        });
    }

    /// Drops the worse half of those in the race, but keeps two.
    pub fn drop_worse_half(&mut self) {
        let keep = self.running.len().div_ceil(2).max(2);
        let mut order = self.running.clone();
        order.sort_by(|a, b| self.sum(*b).total_cmp(&self.sum(*a)).then(a.cmp(b)));
        order.truncate(keep);
        self.running.retain(|runner| order.contains(runner));
    }

    /// The mean result of every runner. Those that were dropped stay below those that were not.
    pub fn means(&self) -> Vec<f64> {
        let mean = |results: &Vec<f64>| results.iter().sum::<f64>() / results.len().max(1) as f64;
        let means: Vec<f64> = self.results.iter().map(mean).collect();
        let lowest = self.running.iter().map(|runner| means[*runner]).fold(f64::INFINITY, f64::min);
        let is_running = |runner| self.running.contains(&runner);
        means
            .iter()
            .enumerate()
            .map(|(runner, mean)| if is_running(runner) { *mean } else { mean.min(lowest) })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Results that scatter around 100 times the runner's number.
    fn run(race: &mut Race, samples: i32) {
        for sample in 0..samples {
            race.run(|runner| 100 * runner as i32 + [40, -40, 10, -10][(sample as usize + runner) % 4]);
        }
    }

    #[test]
    fn clear_losers_are_dropped_after_enough_samples() {
        let mut race = Race::new(3);
        run(&mut race, 5);
        race.drop_clear_losers();
        assert_eq!(race.runners(), 3, "too few samples");
        run(&mut race, 1);
        race.drop_clear_losers();
        assert!(race.is_decided());
        assert!(race.means()[2] > 150.0);
    }

    #[test]
    fn the_worse_half_leaves_and_stays_below_the_rest() {
        let mut race = Race::new(5);
        run(&mut race, 2);
        race.drop_worse_half();
        assert_eq!(race.runners(), 3);
        // Those in the race do badly from now on.
        race.run(|_| -5_000);
        let means = race.means();
        assert!(means[0] <= means[2] && means[1] <= means[3] && means[2] < means[4], "{means:?}");
        race.drop_worse_half();
        race.drop_worse_half();
        assert_eq!(race.runners(), 2);
    }

    #[test]
    fn a_forgotten_sample_does_not_count() {
        let mut race = Race::new(2);
        run(&mut race, 4);
        let means = race.means();
        race.run(|_| 1_000_000);
        race.forget_last();
        assert_eq!((race.samples(), race.means()), (4, means));
    }
}
