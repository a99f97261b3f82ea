//! Noise handling as in UH-CMA-ES (Hansen, Niederberger, Guzzella, Koumoutsakos 2009): some candidates are measured twice. If
//! that changes their ranks too much, candidates get more games. Once they have the most games, the steps grow instead, so that
//! differences stand out.

use super::settings::NoiseSettings;
use serde::{Deserialize, Serialize};
use tetrion_engine::randomizer::Random;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Noise {
    /// The games for each candidate, as a multiple of the usual number.
    pub effort: f64,
    /// By how much ranks change beyond the threshold, smoothed. Above 0 there is too much noise.
    uncertainty: f64,
}

impl Noise {
    pub fn new() -> Noise {
        Noise { effort: 1.0, uncertainty: 0.0 }
    }

    /// How many of a population are measured again. The fractional part is a chance of one more.
    pub fn remeasured(settings: &NoiseSettings, population: usize, random: &mut Random) -> usize {
        let exact = (settings.remeasured * population as f64).max(2.0);
        let chance = random.fraction() < exact - exact.floor();
        (exact as usize + usize::from(chance)).min(population)
    }

    /// Learns from the scores of a generation, whose first candidates were measured again. Returns the factor for the step size.
    pub fn learn(
        &mut self,
        settings: &NoiseSettings,
        dimension: usize,
        scores: &[f64],
        again: &[f64],
    ) -> f64 {
        let measured = uncertainty(scores, again, settings.threshold);
        self.uncertainty += settings.smoothing * (measured - self.uncertainty);
        if self.uncertainty <= 0.0 {
            self.effort = (self.effort / settings.effort_factor).max(1.0);
        } else if self.effort < settings.max_effort {
            self.effort = (self.effort * settings.effort_factor).min(settings.max_effort);
        } else {
            return settings.sigma_factor.unwrap_or(1.0 + 2.0 / (dimension as f64 + 10.0));
        }
        1.0
    }
}

/// By how much the second measurements change ranks beyond the threshold, on average.
///
/// Ranks are among the first and second measurements of all candidates; a single measurement counts twice. A place is the rank among all
/// scores except the candidate's own two. Equal scores share their places, so that a plateau is not mistaken for noise.
fn uncertainty(scores: &[f64], again: &[f64], threshold: f64) -> f64 {
    let second = |at: usize| again.get(at).unwrap_or(&scores[at]);
    let excess = |at: usize| {
        let others = || {
            (0..scores.len()).filter(|other| *other != at).flat_map(|other| [&scores[other], second(other)])
        };
        let place = |score: f64| {
            let below = others().filter(|other| **other < score).count() as f64;
            1.0 + below + others().filter(|other| **other == score).count() as f64 / 2.0
        };
        let (before, after) = (place(scores[at]), place(*second(at)));
        let allowed = |place| allowed_change(place, scores.len(), threshold);
        2.0 * (after - before).abs() - allowed(before) - allowed(after)
    };
    (0..again.len()).map(excess).sum::<f64>() / again.len() as f64
}

/// The allowed change of rank from a place: a low quantile of the changes by chance alone.
fn allowed_change(place: f64, population: usize, threshold: f64) -> f64 {
    let mut changes: Vec<f64> = (1..2 * population).map(|rank| (rank as f64 - place).abs()).collect();
    changes.sort_by(f64::total_cmp);
    let at = (threshold / 2.0 * changes.len() as f64 - 0.5).clamp(0.0, (changes.len() - 1) as f64);
    let (low, share) = (at as usize, at - at.floor());
    let high = (low + 1).min(changes.len() - 1);
    (1.0 - share) * changes[low] + share * changes[high]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_allowed_change_is_as_worked_by_hand() {
        // Of 10 there are 19 ranks; from the middle the changes are 0, 1, 1, 2, 2, …, and the tenth part is at 1.4.
        assert!((allowed_change(10.0, 10, 0.2) - 1.0).abs() < 1e-12);
        // From the end they are 0, 1, 2, 3, …
        assert!((allowed_change(1.0, 10, 0.2) - 1.4).abs() < 1e-12);
    }

    #[test]
    fn ranks_that_stay_are_certain_and_ranks_that_turn_are_not() {
        let scores = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0];
        assert!(uncertainty(&scores, &scores[..2], 0.2) < 0.0);
        // The worst as the best: from place 1 to 19 of 19. The allowed change at both ends is 1.4.
        assert!((uncertainty(&scores, &[11.0], 0.2) - (2.0 * 18.0 - 2.8)).abs() < 1e-12);
        // A plateau is not noise.
        assert!(uncertainty(&[5.0; 10], &[5.0; 2], 0.2) <= 0.0);
    }

    #[test]
    fn effort_is_raised_to_its_limit_before_the_steps_are() {
        let settings = NoiseSettings { max_effort: 3.0, ..Default::default() };
        let mut noise = Noise::new();
        let scores = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0];
        let told: Vec<(f64, f64)> =
            (0..5).map(|_| (noise.learn(&settings, 10, &scores, &[11.0]), noise.effort)).collect();
        assert_eq!(told, [(1.0, 1.5), (1.0, 2.25), (1.0, 3.0), (1.1, 3.0), (1.1, 3.0)]);
        assert_eq!((noise.learn(&settings, 10, &scores, &[1.0]), noise.effort), (1.0, 2.0));
    }
}
