//! The hall of fame: the best candidates of a run.

use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// The best candidates, best first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HallOfFame(Vec<HallEntry>);

/// A candidate in the hall of fame.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HallEntry {
    /// The mean score over all its games.
    pub score: f64,
    /// The number of games behind the score. If a candidate is measured again, the new games are added.
    pub games: u64,
    /// The generation that proposed it first, from 1.
    pub generation: u64,
    /// Its weights.
    pub weights: Vec<f64>,
}

/// The number of candidates that are kept.
const HALL_SIZE: usize = 10;

impl HallOfFame {
    /// The entries, best first.
    pub fn entries(&self) -> &[HallEntry] {
        &self.0
    }

    /// Adds a measured candidate if it is good enough.
    pub(super) fn add(&mut self, new: HallEntry) {
        match self.0.iter_mut().find(|entry| entry.weights == new.weights) {
            Some(known) => {
                let games = known.games + new.games;
                let sum = known.score * known.games as f64 + new.score * new.games as f64;
                (known.score, known.games) = (sum / games as f64, games);
            }
            None => self.0.push(new),
        }
        // The sort is stable: of equal scores the earlier entry stays first.
        self.0.sort_by(|a, b| b.score.total_cmp(&a.score));
        self.0.truncate(HALL_SIZE);
    }

    /// The entries as a CSV table.
    pub(super) fn to_csv(&self, features: &[String]) -> String {
        let mut text = format!("rank,score,games,generation,{}\n", features.join(","));
        for (rank, HallEntry { score, games, generation, weights }) in (1..).zip(&self.0) {
            let weights: Vec<_> = weights.iter().map(f64::to_string).collect();
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
    fn the_best_stay_and_a_candidate_measured_again_gets_its_mean() {
        let mut hall = HallOfFame::default();
        let entry = |score: f64, x: f64| HallEntry { score, games: 10, generation: 1, weights: vec![x] };
        for x in 0..20 {
            hall.add(entry(f64::from(x), f64::from(x)));
        }
        assert_eq!(hall.entries().len(), 10);
        assert_eq!(hall.entries()[0].score, 19.0);
        // Luck does not last.
        hall.add(entry(10.0, 19.0));
        let ranking: Vec<f64> = hall.entries().iter().map(|entry| entry.weights[0]).collect();
        assert_eq!(ranking, [18.0, 17.0, 16.0, 15.0, 19.0, 14.0, 13.0, 12.0, 11.0, 10.0]);
        assert_eq!((hall.entries()[4].score, hall.entries()[4].games), (14.5, 20));
    }
}
