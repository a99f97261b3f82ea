//! Learns the tables by fitted value iteration, starting from hand-made tables.
//!
//! A round plays games with the current tables. From every sampled position the search looks six pieces ahead. It finds a better
//! estimate of the keys to go: the keys that it presses, plus those that the tables expect from there. The tables are fitted to
//! these estimates, and the next round starts. Near the goal all keys are known. From there exact values spread to earlier
//! positions, round by round.

use super::MAX_SEARCHED_PIECES;
use super::drops::DropTable;
use super::plan::{KeySearch, KeySearchStart};
use super::value::{KeyTables, MAX_STEP, UNITS_PER_KEY};
use crate::field::COLUMNS;
use std::array;
use std::collections::VecDeque;
use tetrion_engine::piece::Piece;
use tetrion_engine::randomizer::{Random, Randomizer, game_seed};

/// How many boards the search keeps after each piece: fewer than the agent does, to play more games.
const LEARNING_BEAM_WIDTH: usize = 30;

/// The lines to clear in a game.
const GOAL_LINES: u32 = 40;

/// The seed of the first round; each later round uses the next one. Far below 1,000,000: seeds from there up are only for
/// measuring.
const FIRST_SEED: u64 = 100;

/// How many of the last rounds the tables are fitted to.
const ROUNDS_IN_FIT: usize = 3;

/// Errors are clamped to this many keys, so that a lost position does not outweigh many others.
const MAX_ERROR_KEYS: f64 = 6.0;

/// The ridge penalty: this many samples move an entry half of the way to their target.
const RIDGE_PENALTY: f64 = 10.0;

/// Learns the tables, round by round.
pub struct Learner {
    drops: DropTable,
    search: KeySearch,
    /// The index of each table entry.
    indices: KeyTables<usize>,
    /// The entries by index, in keys.
    entries: Vec<f64>,
    rounds: u64,
    /// The samples of the last rounds.
    samples: VecDeque<Vec<Sample>>,
}

/// A sampled position.
struct Sample {
    /// The indices of its table entries.
    indices: Vec<usize>,
    /// The pieces [beyond 9](KeyTables::piece).
    more: f64,
    /// The target: the keys to go that the search found.
    keys: f64,
}

impl Default for Learner {
    fn default() -> Learner {
        let mut entries = Vec::new();
        let indices = hand_made_tables().map(|keys| {
            entries.push(keys);
            entries.len() - 1
        });
        Learner {
            drops: DropTable::new(false),
            search: KeySearch::new(LEARNING_BEAM_WIDTH),
            indices,
            entries,
            rounds: 0,
            samples: VecDeque::new(),
        }
    }
}

impl Learner {
    /// Plays games and learns from them. Returns the root mean square error of the tables before learning, in keys.
    pub fn round(&mut self, games: u64) -> f64 {
        let samples = self.collect_samples(games);
        let error = self.error(&samples);
        self.samples.push_back(samples);
        if self.samples.len() > ROUNDS_IN_FIT {
            self.samples.pop_front();
        }
        self.fit();
        self.rounds += 1;
        error
    }

    /// The tables, in hundredths of a key.
    pub fn tables(&self) -> KeyTables<i16> {
        self.indices.clone().map(|index| (self.entries[index] * f64::from(UNITS_PER_KEY)).round() as i16)
    }

    /// Plays the games of a round and collects samples.
    fn collect_samples(&mut self, games: u64) -> Vec<Sample> {
        let tables = self.tables();
        let mut samples = Vec::new();
        for game in 0..games {
            let seed = game_seed(FIRST_SEED + self.rounds, game);
            let (search, drops) = (&mut self.search, &self.drops);
            play(search, drops, &tables, seed, |start, keys| {
                let mut indices = Vec::new();
                let KeySearchStart { board, hold, left, .. } = *start;
                let more = self.indices.look_up(drops.grid(), board, hold, left, |index| indices.push(index));
                samples.push(Sample { indices, more: more.into(), keys });
            });
        }
        for sample in &mut samples {
            let expected = self.expected(sample);
            sample.keys = sample.keys.clamp(expected - MAX_ERROR_KEYS, expected + MAX_ERROR_KEYS);
        }
        samples
    }

    /// The keys to go that the tables expect.
    fn expected(&self, sample: &Sample) -> f64 {
        sample.sum(&self.entries) + sample.more * self.entries[self.indices.piece]
    }

    /// How many keys the tables expect too few.
    fn residual(&self, sample: &Sample) -> f64 {
        sample.keys - self.expected(sample)
    }

    /// The root mean square error of the tables, in keys.
    fn error(&self, samples: &[Sample]) -> f64 {
        let squares: f64 = samples.iter().map(|sample| self.residual(sample).powi(2)).sum();
        (squares / samples.len() as f64).sqrt()
    }

    /// Fits the entries to the samples.
    fn fit(&mut self) {
        // The first rounds have far to go; later, noise matters more.
        let step = if self.rounds < 8 { 0.7 } else { 0.4 };
        let samples: Vec<&Sample> = self.samples.iter().flatten().collect();
        let residuals: Vec<f64> = samples.iter().map(|sample| self.residual(sample)).collect();
        let change = ridge_regression(&samples, &residuals, self.entries.len());
        self.entries.iter_mut().zip(change).for_each(|(entry, change)| *entry += step * change);

        // The number of pieces beyond 9 is a factor, not an index: its entry is fitted to what the others leave.
        let residuals: Vec<f64> = samples.iter().map(|sample| self.residual(sample)).collect();
        let more: Vec<f64> = samples.iter().map(|sample| sample.more).collect();
        self.entries[self.indices.piece] += step * slope(&more, &residuals);
    }
}

impl Sample {
    /// The sum of its entries.
    fn sum(&self, entries: &[f64]) -> f64 {
        self.indices.iter().map(|index| entries[*index]).sum()
    }
}

/// The initial tables: holes, steps and height are bad, and a piece takes a little more than two keys.
fn hand_made_tables() -> KeyTables<f64> {
    let steepness = |step: usize| (step as f64 - f64::from(MAX_STEP)).abs();
    KeyTables {
        steps: [array::from_fn(|one| array::from_fn(|next| 0.2 * (steepness(one) + steepness(next))));
            COLUMNS - 2],
        height: [array::from_fn(|height| 0.15 * height as f64); COLUMNS],
        filled: Default::default(),
        holes: array::from_fn(|holes| 3.0 * holes as f64),
        rows_with_holes: Default::default(),
        tallest: Default::default(),
        cells: Default::default(),
        hold: Default::default(),
        pieces: array::from_fn(|pieces| 2.2 * pieces as f64),
        piece: 2.2,
    }
}

/// Plays a game. Calls `sample` with each position where a search starts, and the keys to go that the search finds.
fn play(
    search: &mut KeySearch,
    drops: &DropTable,
    tables: &KeyTables<i16>,
    seed: u64,
    mut sample: impl FnMut(&KeySearchStart, f64),
) {
    let mut bag = Randomizer::SevenBag.pieces(seed).expect("a 7-bag has no options that could be wrong");
    let mut random = Random::new(game_seed(seed, 0));
    let (mut board, mut hold, mut left) = (0, None, GOAL_LINES);
    // The first search has a random length, so that games are sampled after different numbers of pieces.
    let mut seen = 1 + random.below(MAX_SEARCHED_PIECES as u64);
    while left > 0 {
        let pieces: Vec<Piece> = (0..seen).map(|_| bag.draw()).collect();
        let start = KeySearchStart { board, hold, left, pieces: &pieces, hold_now: true, holds: true };
        let leaves = search.leaves(tables, drops, &start);
        let Some(best) = leaves.first() else {
            return sample(&start, f64::INFINITY);
        };
        sample(&start, f64::from(best.node.value) / f64::from(UNITS_PER_KEY));
        // Continues mostly from the best board, but the tables must know worse boards too.
        let among = match random.below(10) {
            0..5 => 1,
            5..8 => 8,
            _ => leaves.len(),
        };
        let next = leaves[random.below(among.min(leaves.len()) as u64) as usize].node;
        (board, hold, left) = (next.board, next.hold, next.left);
        seen = MAX_SEARCHED_PIECES as u64;
    }
}

/// The change of the entries that fits the residuals best: ridge regression with [`RIDGE_PENALTY`], solved by conjugate
/// gradients.
fn ridge_regression(samples: &[&Sample], residuals: &[f64], entries: usize) -> Vec<f64> {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    // Adds the value of each sample to all entries of the sample.
    let scatter = |values: &mut dyn Iterator<Item = f64>, mut sums: Vec<f64>| {
        for (sample, value) in samples.iter().zip(values) {
            sample.indices.iter().for_each(|index| sums[*index] += value);
        }
        sums
    };
    let mut change = vec![0.0; entries];
    let mut rest = scatter(&mut residuals.iter().copied(), vec![0.0; entries]);
    let mut direction = rest.clone();
    let mut size = dot(&rest, &rest);
    for _ in 0..60 {
        if size < 1e-6 {
            break;
        }
        let penalty = direction.iter().map(|entry| RIDGE_PENALTY * entry).collect();
        let image = scatter(&mut samples.iter().map(|sample| sample.sum(&direction)), penalty);
        let step = size / dot(&direction, &image);
        for at in 0..entries {
            change[at] += step * direction[at];
            rest[at] -= step * image[at];
        }
        let before = std::mem::replace(&mut size, dot(&rest, &rest));
        for at in 0..entries {
            direction[at] = rest[at] + size / before * direction[at];
        }
    }
    change
}

/// The slope of the least-squares line through points.
fn slope(x: &[f64], y: &[f64]) -> f64 {
    let mean = x.iter().sum::<f64>() / x.len() as f64;
    let spread: f64 = x.iter().map(|x| (x - mean).powi(2)).sum();
    let along: f64 = x.iter().zip(y).map(|(x, y)| (x - mean) * y).sum();
    along / spread
}

#[cfg(test)]
mod tests {
    use super::super::weights::LEARNED_TABLES;
    use super::*;

    #[test]
    fn a_fit_finds_the_tables_that_the_keys_come_from() {
        let mut learner = Learner::default();
        let mut samples = learner.collect_samples(30);
        let mut truth = Vec::new();
        LEARNED_TABLES.clone().map(|keys| truth.push(f64::from(keys) / f64::from(UNITS_PER_KEY)));
        for sample in &mut samples {
            sample.keys = sample.sum(&truth) + sample.more * truth[learner.indices.piece];
        }
        let before = learner.error(&samples);
        learner.samples.push_back(samples);
        for _ in 0..30 {
            learner.fit();
        }
        let after = learner.error(&learner.samples[0]);
        assert!(after < 0.02 * before, "{before} {after}");
    }

    #[test]
    fn the_tables_come_closer_round_by_round() {
        let mut learner = Learner::default();
        let errors: Vec<f64> = (0..3).map(|_| learner.round(30)).collect();
        assert!(errors.is_sorted_by(|before, after| after < before), "{errors:?}");
    }
}
