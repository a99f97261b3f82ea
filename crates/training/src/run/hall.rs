//! The hall of fame: the best candidates of a run.

use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// The best candidates, best first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Hall(Vec<Champion>);

/// One of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Champion {
    /// Its mean score.
    pub score: f64,
    /// The games behind it: a candidate that was measured again has them all.
    pub games: u64,
    /// The generation in which it came up, from 1.
    pub generation: u64,
    /// Its weights.
    pub point: Vec<f64>,
}

/// How many there are.
const SIZE: usize = 10;

impl Hall {
    /// The best candidates, best first.
    pub fn champions(&self) -> &[Champion] {
        &self.0
    }

    /// Takes a candidate in, if it is good enough.
    pub(super) fn enter(&mut self, new: Champion) {
        match self.0.iter_mut().find(|champion| champion.point == new.point) {
            Some(known) => {
                let games = known.games + new.games;
                let sum = known.score * known.games as f64 + new.score * new.games as f64;
                (known.score, known.games) = (sum / games as f64, games);
            }
            None => self.0.push(new),
        }
        // Of equals the first to come stays first.
        self.0.sort_by(|a, b| b.score.total_cmp(&a.score));
        self.0.truncate(SIZE);
    }

    /// As a table.
    pub(super) fn to_csv(&self, features: &[String]) -> String {
        let mut text = format!("rank,score,games,generation,{}\n", features.join(","));
        for (rank, Champion { score, games, generation, point }) in (1..).zip(&self.0) {
            let weights: Vec<_> = point.iter().map(f64::to_string).collect();
            // Writing to a string can't fail.
            let _ = writeln!(text, "{rank},{score},{games},{generation},{}", weights.join(","));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_stay_and_a_candidate_measured_again_has_the_mean() {
        let mut hall = Hall::default();
        let champion = |score: f64, x: f64| Champion { score, games: 10, generation: 1, point: vec![x] };
        for x in 0..20 {
            hall.enter(champion(f64::from(x), f64::from(x)));
        }
        assert_eq!(hall.champions().len(), 10);
        assert_eq!(hall.champions()[0].score, 19.0);
        // Luck does not last.
        hall.enter(champion(10.0, 19.0));
        let places: Vec<f64> = hall.champions().iter().map(|champion| champion.point[0]).collect();
        assert_eq!(places, [18.0, 17.0, 16.0, 15.0, 19.0, 14.0, 13.0, 12.0, 11.0, 10.0]);
        assert_eq!((hall.champions()[4].score, hall.champions()[4].games), (14.5, 20));
    }
}
