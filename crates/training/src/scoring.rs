//! The scores of a generation's candidates: which games they play, and when one of them may stop early.

use crate::evaluation::{Evaluate, EvaluateError, Job, Task};
use crate::monitor::Monitor;
use crate::optimiser::Candidate;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tetrion_engine::randomizer::game_seed;
use tetrion_study::statistics::t_interval;

/// What the games of a run are drawn for. No purpose shares games with another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub enum Purpose {
    /// What an optimiser draws.
    Optimiser = 1,
    /// The games of a generation.
    Training = 2,
    /// The games by which the best of the best is chosen.
    Finals = 3,
}

/// The seed for a purpose of a run. Runs have seeds below [`RESERVED_SEEDS`], judges play the games that such a seed has by itself:
/// what comes from here is neither.
pub fn seed_for(run_seed: u64, purpose: Purpose) -> u64 {
    game_seed(game_seed(run_seed, u64::MAX), purpose as u64)
}

/// Seeds from here up are for people's final evaluations. Nothing is trained on them.
pub const RESERVED_SEEDS: u64 = 1_000_000;

/// Stops candidates that have no hope, so that their games are saved.
///
/// Games are played in blocks. After each, a candidate stops if the 95 % interval of its mean lies wholly below those of as many
/// others as matter to the optimiser. What it has reached until then is its score.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Racing {
    /// The games in a block.
    pub block: u32,
    /// The part of the candidates that matter: the better half, or the elite, if not given.
    pub keep: Option<f64>,
}

impl Racing {
    pub(crate) fn check(&self) -> Result<(), String> {
        if self.block < 2 {
            return Err(format!("racing.block is {}: give at least 2, an interval needs them", self.block));
        }
        match self.keep {
            Some(keep) if !(keep > 0.0 && keep <= 1.0) => {
                Err(format!("racing.keep is {keep:?}: give a number above 0, up to 1 (0.3 is 30 %)"))
            }
            _ => Ok(()),
        }
    }
}

/// What was found out about candidates.
#[derive(Clone, Debug, PartialEq)]
pub struct Scores {
    /// A score for each candidate.
    pub scores: Vec<f64>,
    /// The candidates that are the first of their kind: those after them are the same again.
    pub first: Vec<usize>,
    /// The games that each played.
    pub games_each: Vec<u64>,
    /// Games played. The same candidate again plays none.
    pub games: u64,
    /// Games that racing saved.
    pub saved: u64,
}

/// The games of one generation.
#[derive(Clone, Copy, Debug)]
pub struct Round {
    /// Where their seeds come from.
    pub seed: u64,
    /// The generation.
    pub generation: u64,
    /// How many a candidate plays.
    pub games: u32,
    /// How candidates are stopped early, and how many of them matter.
    pub racing: Option<(Racing, usize)>,
}

impl Round {
    /// What the games follow from: the same for all candidates.
    fn seed_of(&self, replicate: u32) -> u64 {
        game_seed(game_seed(self.seed, self.generation), replicate.into())
    }

    /// Measures candidates.
    pub fn measure(
        &self,
        candidates: &[Candidate],
        task: &Task,
        evaluator: &dyn Evaluate,
        monitor: &Monitor,
    ) -> Result<Scores, EvaluateError> {
        check_games(candidates.len(), self.games.into()).map_err(EvaluateError::Task)?;
        let (entrants, entrant_of) = different(candidates);
        let mut values: Vec<Vec<f64>> = vec![Vec::new(); entrants.len()];
        let mut racing: Vec<usize> = (0..entrants.len()).collect();
        let block = self.racing.map_or(self.games, |(racing, _)| racing.block).min(self.games);
        let mut played = 0;
        while played < self.games && !racing.is_empty() {
            let upto = (played + block).min(self.games);
            let job = |entrant: &usize| {
                let Candidate { point, replicate } = entrants[*entrant];
                Job { weights: point.clone(), seed: self.seed_of(*replicate), games: played..upto }
            };
            let jobs: Vec<Job> = racing.iter().map(job).collect();
            for (entrant, mut new) in racing.iter().zip(evaluator.evaluate(task, &jobs, monitor)?) {
                values[*entrant].append(&mut new);
            }
            played = upto;
            if let Some((_, keep)) = self.racing {
                let hopeful = hopeful(&values, keep);
                racing.retain(|entrant| hopeful[*entrant]);
            }
        }
        let games: u64 = values.iter().map(|values| values.len() as u64).sum();
        // Entrants are numbered as they come.
        let mut first = Vec::new();
        for (index, entrant) in entrant_of.iter().enumerate() {
            if *entrant == first.len() {
                first.push(index);
            }
        }
        Ok(Scores {
            first,
            scores: entrant_of.iter().map(|entrant| task.objective.score(&values[*entrant])).collect(),
            games_each: entrant_of.iter().map(|entrant| values[*entrant].len() as u64).collect(),
            games,
            saved: u64::from(self.games) * entrants.len() as u64 - games,
        })
    }
}

/// The most games in a generation: each has a value, and they are all in memory.
const MOST_GAMES: f64 = 10_000_000.0;

/// Whether so many candidates can play so many games each in a generation.
pub(crate) fn check_games(candidates: usize, games_each: f64) -> Result<(), String> {
    let games = candidates as f64 * games_each;
    if games <= MOST_GAMES {
        return Ok(());
    }
    Err(format!(
        "{candidates} candidates with {games_each} games each are {games} games in a generation: give fewer, at most \
         {MOST_GAMES} in all"
    ))
}

/// The candidates without those that are there already, and where each of all is among them.
fn different(candidates: &[Candidate]) -> (Vec<&Candidate>, Vec<usize>) {
    let mut entrants = Vec::new();
    let mut known = BTreeMap::new();
    let entrant_of = candidates.iter().map(|candidate| {
        let bits: Vec<u64> = candidate.point.iter().map(|x| x.to_bits()).collect();
        *known.entry((bits, candidate.replicate)).or_insert_with(|| {
            entrants.push(candidate);
            entrants.len() - 1
        })
    });
    let entrant_of = entrant_of.collect();
    (entrants, entrant_of)
}

/// Who is not surely worse than the `keep` best.
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

    /// A game is worth the candidate's weight and some noise.
    struct Noisy;

    impl Evaluate for Noisy {
        fn evaluate(&self, _: &Task, jobs: &[Job], _: &Monitor) -> Result<Vec<Vec<f64>>, EvaluateError> {
            let value = |job: &Job, seed: u64| {
                // The noise is its own for each candidate: the hardest case.
                let noise = Random::new(seed ^ job.weights[0].to_bits()).fraction() - 0.5;
                job.weights[0] + 6.0 * noise
            };
            Ok(jobs.iter().map(|job| job.seeds().map(|seed| value(job, seed)).collect()).collect())
        }
    }

    fn task() -> Task {
        let text = "[player]\nfeatures = ['holes']\n[objective]\nmeasure = 'lines'\ngames = 100";
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
            let raced = round.measure(&candidates, &task(), &Noisy, &Monitor::default()).unwrap();
            let round = Round { racing: None, ..round };
            let full = round.measure(&candidates, &task(), &Noisy, &Monitor::default()).unwrap();
            assert_eq!((full.games, full.saved), (2_000, 0));
            assert_eq!(raced.games + raced.saved, 2_000);
            assert!(raced.saved > 1_000, "{}", raced.saved);
            // The two that matter have played all their games, and have the scores that they have without racing.
            assert_eq!(raced.scores[18..], full.scores[18..]);
            assert!(raced.scores[..18].iter().all(|score| *score < raced.scores[19]));
        }
    }

    #[test]
    fn the_same_candidate_twice_plays_once() {
        let round = Round { seed: 1, generation: 3, games: 10, racing: None };
        let candidates = candidates([1.0, 2.0, 1.0]);
        let scores = round.measure(&candidates, &task(), &Noisy, &Monitor::default()).unwrap();
        assert_eq!((scores.games, scores.scores[0]), (20, scores.scores[2]));
        assert_eq!(scores.games_each, [10, 10, 10]);
    }

    #[test]
    fn generations_and_replicates_have_games_of_their_own() {
        let round = |generation| Round { seed: 1, generation, games: 10, racing: None };
        let job = |seed| Job { weights: Vec::new(), seed, games: 0..10 };
        let seeds: std::collections::BTreeSet<u64> = (0..10)
            .flat_map(|generation| (0..2).map(move |replicate| round(generation).seed_of(replicate)))
            .flat_map(|seed| job(seed).seeds().collect::<Vec<_>>())
            .collect();
        assert_eq!(seeds.len(), 200);
    }
}
