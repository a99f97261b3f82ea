//! Strength from results: Elo differences, a sequential test, and ratings of many players.
//!
//! The unit is a pair: two games on the same pieces with sides swapped. Its score is the share of the two points that the first
//! player won: 0, ¼, ½, ¾ or 1. The games of a pair are not independent, so a pair is one observation.

use crate::statistics::NORMAL_QUANTILE;
use serde::Serialize;

/// The share of points that a player expects with an advantage in Elo.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The advantage in Elo that goes with a share of points; infinite for none or all of them.
fn elo_of(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// By how much the first of two players is stronger.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Elo {
    /// The difference; `None` if one player won every point.
    pub mean: Option<f64>,
    /// Its 95 % confidence interval. A bound is `None` if there is no limit on that side.
    pub ci95: [Option<f64>; 2],
}

/// The scores of pairs, summed up.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PairScores {
    /// How many pairs there are.
    pub pairs: usize,
    /// The share of points that the first player won.
    pub score: f64,
    /// Its 95 % confidence interval.
    pub ci95: [f64; 2],
}

impl PairScores {
    /// Sums up the scores of pairs; `None` if there are none.
    ///
    /// The interval is Wilson's. It counts each pair as one to two games, depending on how much pairs differ: if the pieces decide
    /// who wins, both games of most pairs go to different players, and a pair says as much as two independent games.
    pub fn of(scores: &[f64]) -> Option<PairScores> {
        let pairs = scores.len();
        if pairs == 0 {
            return None;
        }
        let n = pairs as f64;
        let score = scores.iter().sum::<f64>() / n;
        let variance = scores.iter().map(|pair| (pair - score).powi(2)).sum::<f64>() / n;
        let games_per_pair = (score * (1.0 - score) / variance.max(f64::MIN_POSITIVE)).clamp(1.0, 2.0);
        let games = n * if variance == 0.0 { 1.0 } else { games_per_pair };
        let square = NORMAL_QUANTILE.powi(2);
        let middle = score + square / (2.0 * games);
        let margin =
            NORMAL_QUANTILE * (score * (1.0 - score) / games + square / (4.0 * games * games)).sqrt();
        let bound = |bound: f64| (bound / (1.0 + square / games)).clamp(0.0, 1.0);
        Some(PairScores { pairs, score, ci95: [bound(middle - margin), bound(middle + margin)] })
    }

    /// The same in Elo.
    pub fn elo(&self) -> Elo {
        let finite = |score: f64| Some(elo_of(score)).filter(|elo| elo.is_finite());
        Elo { mean: finite(self.score), ci95: self.ci95.map(finite) }
    }
}

/// A sequential test of two hypotheses about the difference in Elo, each wrong with a chance of 5 %.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SequentialTest {
    /// The smaller difference.
    pub elo0: f64,
    /// The larger difference.
    pub elo1: f64,
}

/// What a sequential test says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The difference is the smaller one, or below.
    Smaller,
    /// The difference is the larger one, or above.
    Larger,
    /// More games are needed.
    Open,
}

/// The chance of either error.
const ERROR: f64 = 0.05;
/// What is added to the count of each of the five scores that a pair can have: otherwise a few equal pairs would look certain.
const PRIOR: f64 = 0.2;

impl SequentialTest {
    /// The logarithm of how many times more likely the scores are under the larger difference, by the normal approximation of the
    /// generalised likelihood ratio.
    pub fn log_likelihood_ratio(&self, scores: &[f64]) -> f64 {
        let prior = [0.0, 0.25, 0.5, 0.75, 1.0].map(|score| (score, PRIOR));
        let weighted = || prior.into_iter().chain(scores.iter().map(|score| (*score, 1.0)));
        let count: f64 = weighted().map(|(_, weight)| weight).sum();
        let mean = weighted().map(|(score, weight)| score * weight).sum::<f64>() / count;
        let variance = weighted().map(|(score, weight)| weight * (score - mean).powi(2)).sum::<f64>() / count;
        let [low, high] = [self.elo0, self.elo1].map(expected_score);
        scores.len() as f64 * (high - low) * (2.0 * mean - low - high) / (2.0 * variance)
    }

    /// The verdict after these pairs.
    pub fn verdict(&self, scores: &[f64]) -> Verdict {
        let bound = ((1.0 - ERROR) / ERROR).ln();
        match self.log_likelihood_ratio(scores) {
            ratio if ratio >= bound => Verdict::Larger,
            ratio if ratio <= -bound => Verdict::Smaller,
            _ => Verdict::Open,
        }
    }
}

/// The rating of one of many players.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rating {
    /// In Elo. The mean of all players is 0.
    pub elo: f64,
    /// The 95 % confidence interval.
    pub ci95: [f64; 2],
}

/// Pairs between two of many players.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Meeting {
    /// The numbers of the players.
    pub players: [usize; 2],
    /// The score of the pair for the first.
    pub score: f64,
}

/// Every player is taken to have drawn this many pairs with an average player. This keeps ratings finite for those who won or
/// lost everything.
const DRAWS_WITH_AVERAGE: f64 = 0.5;
/// Newton's method doubles the digits with each step.
const STEPS: usize = 100;

/// The ratings of players by the model of Bradley and Terry: the most likely ones for these results.
///
/// # Panics
/// If a meeting names a player that there is not.
pub fn ratings(players: usize, meetings: &[Meeting]) -> Vec<Rating> {
    let mut strengths = vec![0.0f64; players];
    let mut covariance = Vec::new();
    for _ in 0..STEPS {
        let mut gradient = vec![0.0; players];
        let mut information = vec![vec![0.0; players]; players];
        for (at, strength) in strengths.iter().enumerate() {
            let expected = logistic(*strength);
            gradient[at] += DRAWS_WITH_AVERAGE * (0.5 - expected);
            information[at][at] += DRAWS_WITH_AVERAGE * expected * (1.0 - expected);
        }
        for Meeting { players: [one, other], score } in meetings.iter().copied() {
            let expected = logistic(strengths[one] - strengths[other]);
            gradient[one] += score - expected;
            gradient[other] -= score - expected;
            let weight = expected * (1.0 - expected);
            information[one][one] += weight;
            information[other][other] += weight;
            information[one][other] -= weight;
            information[other][one] -= weight;
        }
        covariance = inverse(information);
        let step = |row: &Vec<f64>| row.iter().zip(&gradient).map(|(a, b)| a * b).sum::<f64>();
        let steps: Vec<f64> = covariance.iter().map(step).collect();
        // Far from the solution a full step can lead further away.
        let largest = steps.iter().fold(0.0f64, |largest, step| largest.max(step.abs()));
        let scale = if largest > 1.0 { 1.0 / largest } else { 1.0 };
        strengths.iter_mut().zip(&steps).for_each(|(strength, step)| *strength += scale * step);
        if largest < 1e-12 {
            break;
        }
    }
    let mean = strengths.iter().sum::<f64>() / players.max(1) as f64;
    let elo = 400.0 / 10f64.ln();
    let rating = |at: usize| {
        let margin = NORMAL_QUANTILE * covariance[at][at].sqrt() * elo;
        let center = (strengths[at] - mean) * elo;
        Rating { elo: center, ci95: [center - margin, center + margin] }
    };
    (0..players).map(rating).collect()
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// The inverse of a symmetric, positive definite matrix, by elimination.
fn inverse(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let size = matrix.len();
    for (at, row) in matrix.iter_mut().enumerate() {
        row.extend((0..size).map(|column| f64::from(u8::from(column == at))));
    }
    for at in 0..size {
        let pivot = matrix[at][at];
        matrix[at].iter_mut().for_each(|value| *value /= pivot);
        let eliminated = matrix[at].clone();
        for (other, row) in matrix.iter_mut().enumerate() {
            if other != at {
                let factor = row[at];
                row.iter_mut().zip(&eliminated).for_each(|(value, of)| *value -= factor * of);
            }
        }
    }
    matrix.into_iter().map(|row| row[size..].to_vec()).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use tetrion_engine::randomizer::Random;

    fn close(found: f64, expected: f64, tolerance: f64) {
        assert!((found - expected).abs() < tolerance, "{found} is not {expected}");
    }

    #[test]
    fn elo_follows_from_the_share_of_points() {
        close(expected_score(0.0), 0.5, 1e-12);
        close(expected_score(400.0), 10.0 / 11.0, 1e-12);
        let scores = PairScores::of(&[1.0, 0.5, 1.0, 0.5]).unwrap();
        close(scores.score, 0.75, 1e-12);
        close(scores.elo().mean.unwrap(), 190.848, 1e-3);
        assert_eq!(PairScores::of(&[]), None);
    }

    #[test]
    fn independent_games_have_wilsons_interval() {
        // Pairs of independent games with a share of one half: a quarter each of 0 and 1, and half of ½.
        let pairs: Vec<f64> = [0.0, 0.5, 0.5, 1.0].repeat(25);
        let ci95 = PairScores::of(&pairs).unwrap().ci95;
        let share = crate::statistics::Share::of((0..200).map(|game| game % 2 == 0)).ci95;
        close(ci95[0], share[0], 1e-9);
        close(ci95[1], share[1], 1e-9);
    }

    #[test]
    fn all_points_leave_one_side_open() {
        let elo = PairScores::of(&[1.0; 100]).unwrap().elo();
        assert_eq!((elo.mean, elo.ci95[1]), (None, None));
        // Wilson's lower bound for 100 of 100 is 96.3 %.
        close(elo.ci95[0].unwrap(), 566.0, 2.0);
    }

    /// The share of simulated tests that end with a verdict, with games of this strength.
    fn share_of_larger(test: SequentialTest, elo: f64, trials: u32) -> f64 {
        let mut random = Random::new(7);
        let chance = expected_score(elo);
        let mut larger = 0;
        for _ in 0..trials {
            let mut scores = Vec::new();
            let verdict = loop {
                let mut game = || if random.fraction() < chance { 0.5 } else { 0.0 };
                scores.push(game() + game());
                match test.verdict(&scores) {
                    Verdict::Open => {}
                    verdict => break verdict,
                }
            };
            larger += u32::from(verdict == Verdict::Larger);
        }
        f64::from(larger) / f64::from(trials)
    }

    #[test]
    fn a_sequential_test_is_rarely_wrong() {
        let test = SequentialTest { elo0: 0.0, elo1: 60.0 };
        assert!(share_of_larger(test, 0.0, 400) < 0.08);
        assert!(share_of_larger(test, 60.0, 400) > 0.92);
        assert!(share_of_larger(test, 120.0, 100) > 0.99);
        assert_eq!(test.verdict(&[]), Verdict::Open);
        assert_eq!(test.verdict(&[1.0]), Verdict::Open, "one pair proves nothing");
    }

    fn meetings(players: [usize; 2], scores: &[f64]) -> Vec<Meeting> {
        scores.iter().map(|score| Meeting { players, score: *score }).collect()
    }

    #[test]
    fn two_players_differ_by_their_elo() {
        let found = ratings(2, &meetings([0, 1], &[1.0, 1.0, 1.0, 0.0].repeat(1_000)));
        close(found[0].elo - found[1].elo, 190.848, 0.5);
        close(found[0].elo + found[1].elo, 0.0, 1e-6);
    }

    #[test]
    fn ratings_explain_the_results() {
        // At the most likely ratings, every player expects the points that it got.
        let mut all = meetings([0, 1], &[1.0, 0.75, 0.5, 1.0]);
        all.extend(meetings([1, 2], &[0.5, 0.75, 0.25]));
        all.extend(meetings([2, 0], &[0.25, 0.0, 0.5, 0.5]));
        let found = ratings(3, &all);
        let mean: f64 = found.iter().map(|rating| rating.elo).sum();
        close(mean, 0.0, 1e-6);
        // The average player of the prior has the strength at which the prior's points balance.
        let points = |average: f64| -> f64 {
            found.iter().map(|rating| 0.5 - expected_score(rating.elo - average)).sum()
        };
        let (mut low, mut high) = (-400.0, 400.0);
        for _ in 0..100 {
            let middle = (low + high) / 2.0;
            if points(middle) < 0.0 { low = middle } else { high = middle }
        }
        for player in 0..3 {
            let mut surplus = DRAWS_WITH_AVERAGE * (0.5 - expected_score(found[player].elo - low));
            for Meeting { players: [one, other], score } in &all {
                let expected = expected_score(found[*one].elo - found[*other].elo);
                if *one == player {
                    surplus += score - expected;
                } else if *other == player {
                    surplus -= score - expected;
                }
            }
            close(surplus, 0.0, 1e-6);
        }
        assert!(found[0].elo > found[1].elo.max(found[2].elo));
    }

    #[test]
    fn a_player_who_won_everything_has_a_finite_rating_with_a_wide_interval() {
        let found = ratings(2, &meetings([0, 1], &[1.0; 20]));
        assert!(found[0].elo > 200.0 && found[0].elo < 2_000.0);
        assert!(found[0].ci95[1] - found[0].ci95[0] > 300.0);
        assert!(ratings(0, &[]).is_empty());
        assert_eq!(ratings(1, &[])[0].elo, 0.0);
    }
}
