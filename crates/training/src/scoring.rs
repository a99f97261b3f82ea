//! Scores of a generation's candidates: which games they play, and which candidates stop early.

use crate::evaluation::{Evaluate, EvaluateError, GameBatch, Task};
use crate::optimiser::Candidate;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use tetrion_engine::randomizer::game_seed;
use tetrion_players::monitor::Monitor;
use tetrion_study::statistics::t_interval;

/// What random numbers of a run are used for. No two purposes share any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub enum SeedPurpose {
    /// The optimiser's own random numbers.
    Optimiser = 1,
    /// The games of a generation.
    Training = 2,
    /// The games that choose the best candidate of the whole run.
    Finals = 3,
}

/// The seed that a run uses for a purpose. It differs from every run's own seed and from those of the games that `tetrion run`
/// plays with such a seed.
pub fn seed_for(run_seed: u64, purpose: SeedPurpose) -> u64 {
    game_seed(game_seed(run_seed, u64::MAX), purpose as u64)
}

/// Seeds from here up are reserved for final evaluations. Training refuses them.
pub const RESERVED_SEEDS: u64 = 1_000_000;

/// Racing: hopeless candidates stop early, which saves games.
///
/// Candidates play in blocks of games. After each block, a candidate stops if its 95 % interval lies below those of as many others as
/// matter to the optimiser. Its score is then the mean of the games it has played.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Racing {
    /// Games in a block.
    pub block: u32,
    /// The share of candidates that matter. By default the elite of cross-entropy, and the better half otherwise.
    pub keep: Option<f64>,
}

impl Racing {
    pub(crate) fn check(&self) -> Result<(), String> {
        if self.block < 2 {
            return Err(format!(
                "racing.block is {}: give at least 2, the fewest for an interval",
                self.block
            ));
        }
        match self.keep {
            Some(keep) if !(keep > 0.0 && keep <= 1.0) => {
                Err(format!("racing.keep is {keep:?}: give a number above 0, up to 1 (0.3 is 30 %)"))
            }
            _ => Ok(()),
        }
    }
}

/// The scores of a generation.
#[derive(Clone, Debug, PartialEq)]
pub struct GenerationScores {
    /// The score of each candidate.
    pub scores: Vec<f64>,
    /// The indices of the distinct candidates, without repetitions of earlier ones.
    pub distinct: Vec<usize>,
    /// The number of games behind each score.
    pub games_each: Vec<u64>,
    /// Games played. Repeated candidates play only once.
    pub games: u64,
    /// Games that racing saved.
    pub saved: u64,
}

/// The games of one generation.
#[derive(Clone, Copy, Debug)]
pub struct Round {
    /// The seed from which the seeds of all games follow.
    pub seed: u64,
    /// The number of the generation.
    pub generation: u64,
    /// Games for each candidate.
    pub games: u32,
    /// How to stop candidates early, and how many of them matter.
    pub racing: Option<(Racing, usize)>,
}

impl Round {
    /// The seed of the games, which is the same for all candidates.
    fn seed_of(&self, replicate: u32) -> u64 {
        game_seed(game_seed(self.seed, self.generation), replicate.into())
    }

    /// Measures candidates.
    pub fn measure(
        &self,
        candidates: &[Candidate],
        task: &Task,
        evaluator: &dyn Evaluate,
        monitor: &Arc<Monitor>,
    ) -> Result<GenerationScores, EvaluateError> {
        check_games(candidates.len(), self.games.into()).map_err(EvaluateError::Task)?;
        let (distinct, positions) = distinct(candidates);
        let mut values: Vec<Vec<f64>> = vec![Vec::new(); distinct.len()];
        let mut racing: Vec<usize> = (0..distinct.len()).collect();
        let block = self.racing.map_or(self.games, |(racing, _)| racing.block).min(self.games);
        let mut played = 0;
        while played < self.games && !racing.is_empty() {
            let upto = (played + block).min(self.games);
            let batch = |racer: &usize| {
                let Candidate { point, replicate } = &candidates[distinct[*racer]];
                GameBatch { weights: point.clone(), seed: self.seed_of(*replicate), games: played..upto }
            };
            let batches: Vec<GameBatch> = racing.iter().map(batch).collect();
            for (racer, mut new) in racing.iter().zip(evaluator.evaluate(task, &batches, monitor)?) {
                values[*racer].append(&mut new);
            }
            played = upto;
            if let Some((_, keep)) = self.racing {
                let hopeful = hopeful(&values, keep);
                racing.retain(|racer| hopeful[*racer]);
            }
        }
        let games: u64 = values.iter().map(|values| values.len() as u64).sum();
        Ok(GenerationScores {
            scores: positions.iter().map(|position| task.objective.score(&values[*position])).collect(),
            games_each: positions.iter().map(|position| values[*position].len() as u64).collect(),
            games,
            saved: u64::from(self.games) * distinct.len() as u64 - games,
            distinct,
        })
    }
}

/// The most games in a generation. Each has a value in memory.
const MAX_GAMES_PER_GENERATION: f64 = 10_000_000.0;

/// Checks that a generation has not too many games.
pub(crate) fn check_games(candidates: usize, games_each: f64) -> Result<(), String> {
    let games = candidates as f64 * games_each;
    if games <= MAX_GAMES_PER_GENERATION {
        return Ok(());
    }
    Err(format!(
        "{candidates} candidates with {games_each} games each make {games} games in a generation: give fewer, at most \
         {MAX_GAMES_PER_GENERATION} in total"
    ))
}

/// The indices of the distinct candidates, and for each candidate its position among them.
fn distinct(candidates: &[Candidate]) -> (Vec<usize>, Vec<usize>) {
    let mut distinct = Vec::new();
    let mut known = BTreeMap::new();
    let position = |(index, candidate): (usize, &Candidate)| {
        let bits: Vec<u64> = candidate.point.iter().map(|x| x.to_bits()).collect();
        *known.entry((bits, candidate.replicate)).or_insert_with(|| {
            distinct.push(index);
            distinct.len() - 1
        })
    };
    let positions = candidates.iter().enumerate().map(position).collect();
    (distinct, positions)
}

/// Which candidates are not clearly worse than the `keep` best.
fn hopeful(values: &[Vec<f64>], keep: usize) -> Vec<bool> {
    let interval = |values: &Vec<f64>| t_interval(values).unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
    let intervals: Vec<[f64; 2]> = values.iter().map(interval).collect();
    let mut lows: Vec<f64> = intervals.iter().map(|[low, _]| *low).collect();
    lows.sort_by(|a, b| b.total_cmp(a));
    let bar = lows.get(keep.saturating_sub(1)).copied().unwrap_or(f64::NEG_INFINITY);
    intervals.iter().map(|[_, high]| *high >= bar).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tetrion_engine::randomizer::Random;

    /// The value of a game is the candidate's weight plus noise.
    struct Noisy;

    impl Evaluate for Noisy {
        fn evaluate(
            &self,
            _: &Task,
            batches: &[GameBatch],
            _: &Arc<Monitor>,
        ) -> Result<Vec<Vec<f64>>, EvaluateError> {
            let value = |batch: &GameBatch, seed: u64| {
                // Each candidate has its own noise, which is the hardest case.
                let noise = Random::new(seed ^ batch.weights[0].to_bits()).fraction() - 0.5;
                batch.weights[0] + 6.0 * noise
            };
            Ok(batches.iter().map(|batch| batch.seeds().map(|seed| value(batch, seed)).collect()).collect())
        }
    }

    fn task() -> Task {
        let text = "[design]\nfeatures = ['holes']\n[objective]\nmeasure = 'lines'\ngames = 100";
        toml::from_str(text).unwrap()
    }

    fn candidates(weights: impl IntoIterator<Item = f64>) -> Vec<Candidate> {
        weights.into_iter().map(|weight| Candidate { point: vec![weight], replicate: 0 }).collect()
    }

    #[test]
    fn racing_saves_games_and_keeps_the_winner() {
        let candidates = candidates((0..20).map(f64::from));
        for seed in 0..20 {
            let racing = Some((Racing { block: 5, keep: None }, 2));
            let round = Round { seed, generation: 0, games: 100, racing };
            let raced = round.measure(&candidates, &task(), &Noisy, &Arc::default()).unwrap();
            let round = Round { racing: None, ..round };
            let full = round.measure(&candidates, &task(), &Noisy, &Arc::default()).unwrap();
            assert_eq!((full.games, full.saved), (2_000, 0));
            assert_eq!(raced.games + raced.saved, 2_000);
            assert!(raced.saved > 1_000, "{}", raced.saved);
            // The two that matter have played all their games, and have the same scores as without racing.
            assert_eq!(raced.scores[18..], full.scores[18..]);
            assert!(raced.scores[..18].iter().all(|score| *score < raced.scores[19]));
        }
    }

    #[test]
    fn a_repeated_candidate_plays_once() {
        let round = Round { seed: 1, generation: 3, games: 10, racing: None };
        let candidates = candidates([1.0, 2.0, 1.0]);
        let scores = round.measure(&candidates, &task(), &Noisy, &Arc::default()).unwrap();
        assert_eq!((scores.games, scores.scores[0]), (20, scores.scores[2]));
        assert_eq!(scores.games_each, [10, 10, 10]);
    }

    #[test]
    fn generations_and_replicates_have_their_own_games() {
        let round = |generation| Round { seed: 1, generation, games: 10, racing: None };
        let batch = |seed| GameBatch { weights: Vec::new(), seed, games: 0..10 };
        let seeds: std::collections::BTreeSet<u64> = (0..10)
            .flat_map(|generation| (0..2).map(move |replicate| round(generation).seed_of(replicate)))
            .flat_map(|seed| batch(seed).seeds().collect::<Vec<_>>())
            .collect();
        assert_eq!(seeds.len(), 200);
    }
}
