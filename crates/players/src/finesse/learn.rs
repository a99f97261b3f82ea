//! How the tables are learned: fitted value iteration, from weights by hand.
//!
//! A round plays games with the tables so far. From every position that it meets the search looks six pieces on, and finds keys:
//! those that it presses and those that the tables expect from there. That is closer to the truth than what the tables expect of
//! the position itself, so they are fitted to it, and the next round begins. Where the goal is in sight all keys are known: from
//! there the truth spreads to earlier positions, round by round.

use super::PIECES;
use super::drops::Drops;
use super::plan::{KeySearch, KeySearchStart};
use super::value::{KEY, STEEP, Tables};
use crate::field::COLUMNS;
use std::array;
use std::collections::VecDeque;
use tetrion_engine::piece::Piece;
use tetrion_engine::randomizer::{Random, Randomizer, game_seed};

/// How many boards go on after each piece: fewer than when it counts, for more games.
const WIDTH: usize = 30;

/// The lines of a game.
const LINES: u32 = 40;

/// The first round plays games of this seed, each other those of the next: far below a million, from where on seeds are for
/// measuring alone.
const FIRST_SEED: u64 = 100;

/// How many rounds are fitted together.
const ROUNDS_TOGETHER: usize = 3;

/// Keys that a position can be off by at most, so that one that is lost does not count for more than many that are not.
const FAR: f64 = 6.0;

/// How many positions it takes to move an entry half of the way to what they say.
const RIDGE: f64 = 10.0;

/// Makes the tables, round by round.
pub struct Learner {
    drops: Drops,
    search: KeySearch,
    /// The number of each entry of the tables.
    numbers: Tables<usize>,
    /// By number, what the entry is, in keys.
    entries: Vec<f64>,
    rounds: u64,
    /// The positions that were met in the last rounds.
    met: VecDeque<Vec<Met>>,
}

/// A position that was met.
struct Met {
    /// The entries that its value is the sum of.
    numbers: Vec<usize>,
    /// The pieces that are [more](Tables::piece) than these know.
    more: f64,
    /// What it takes to the goal by what the search found.
    keys: f64,
}

impl Default for Learner {
    fn default() -> Learner {
        let mut entries = Vec::new();
        let numbers = by_hand().map(|keys| {
            entries.push(keys);
            entries.len() - 1
        });
        Learner {
            drops: Drops::new(false),
            search: KeySearch::new(WIDTH),
            numbers,
            entries,
            rounds: 0,
            met: VecDeque::new(),
        }
    }
}

impl Learner {
    /// Plays so many games and learns from them; gives by how many keys the tables were off, as a root mean square.
    pub fn round(&mut self, games: u64) -> f64 {
        let met = self.meet(games);
        let error = self.error(&met);
        self.met.push_back(met);
        if self.met.len() > ROUNDS_TOGETHER {
            self.met.pop_front();
        }
        self.fit();
        self.rounds += 1;
        error
    }

    /// The tables, in hundredths of a key.
    pub fn tables(&self) -> Tables<i16> {
        self.numbers.clone().map(|number| (self.entries[number] * f64::from(KEY)).round() as i16)
    }

    /// Plays a round; gives the positions that it met.
    fn meet(&mut self, games: u64) -> Vec<Met> {
        let tables = self.tables();
        let mut met = Vec::new();
        for game in 0..games {
            let seed = game_seed(FIRST_SEED + self.rounds, game);
            let (search, drops) = (&mut self.search, &self.drops);
            play(search, drops, &tables, seed, |start, keys| {
                let mut numbers = Vec::new();
                let KeySearchStart { board, hold, left, .. } = *start;
                let more =
                    self.numbers.look_up(drops.grid(), board, hold, left, |number| numbers.push(number));
                met.push(Met { numbers, more: more.into(), keys });
            });
        }
        for met in &mut met {
            let expected = self.expected(met);
            met.keys = met.keys.clamp(expected - FAR, expected + FAR);
        }
        met
    }

    /// The keys that the tables expect a position to take.
    fn expected(&self, met: &Met) -> f64 {
        met.sum(&self.entries) + met.more * self.entries[self.numbers.piece]
    }

    /// How many more it takes.
    fn off(&self, met: &Met) -> f64 {
        met.keys - self.expected(met)
    }

    /// By how many keys the tables are off, as a root mean square.
    fn error(&self, met: &[Met]) -> f64 {
        let squares: f64 = met.iter().map(|met| self.off(met).powi(2)).sum();
        (squares / met.len() as f64).sqrt()
    }

    /// Moves the entries towards what the positions take.
    fn fit(&mut self) {
        // The first rounds have far to go; the later ones have noise to fear.
        let step = if self.rounds < 8 { 0.7 } else { 0.4 };
        let met: Vec<&Met> = self.met.iter().flatten().collect();
        let off: Vec<f64> = met.iter().map(|met| self.off(met)).collect();
        let change = ridge_regression(&met, &off, self.entries.len());
        self.entries.iter_mut().zip(change).for_each(|(entry, change)| *entry += step * change);

        // How many pieces more there are is a number, not a place in a table: its entry is fitted to what the others leave.
        let off: Vec<f64> = met.iter().map(|met| self.off(met)).collect();
        let more: Vec<f64> = met.iter().map(|met| met.more).collect();
        self.entries[self.numbers.piece] += step * slope(&more, &off);
    }
}

impl Met {
    /// The sum of its entries.
    fn sum(&self, entries: &[f64]) -> f64 {
        self.numbers.iter().map(|number| entries[*number]).sum()
    }
}

/// Tables to begin with: holes, steps and height are bad, and a piece takes a little more than two keys.
fn by_hand() -> Tables<f64> {
    let steep = |step: usize| (step as f64 - f64::from(STEEP)).abs();
    Tables {
        steps: [array::from_fn(|one| array::from_fn(|next| 0.2 * (steep(one) + steep(next)))); COLUMNS - 2],
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

/// Plays a game. Calls `meet` with each position where the search starts anew, and the keys that it finds from there.
fn play(
    search: &mut KeySearch,
    drops: &Drops,
    tables: &Tables<i16>,
    seed: u64,
    mut meet: impl FnMut(&KeySearchStart, f64),
) {
    let mut bag = Randomizer::SevenBag.pieces(seed).expect("a bag needs nothing");
    let mut random = Random::new(game_seed(seed, 0));
    let (mut board, mut hold, mut left) = (0, None, LINES);
    // The first search is short in some games, so that not all are met after the same numbers of pieces.
    let mut seen = 1 + random.below(PIECES as u64);
    while left > 0 {
        let pieces: Vec<Piece> = (0..seen).map(|_| bag.draw()).collect();
        let start = KeySearchStart { board, hold, left, pieces: &pieces, hold_now: true, holds: true };
        let leaves = search.leaves(tables, drops, &start);
        let Some(best) = leaves.first() else {
            return meet(&start, f64::INFINITY);
        };
        meet(&start, f64::from(best.node.value) / f64::from(KEY));
        // Mostly the best is next, but worse boards must be known as well.
        let among = match random.below(10) {
            0..5 => 1,
            5..8 => 8,
            _ => leaves.len(),
        };
        let next = leaves[random.below(among.min(leaves.len()) as u64) as usize].node;
        (board, hold, left) = (next.board, next.hold, next.left);
        seen = PIECES as u64;
    }
}

/// What to add to the entries so that the sums of the positions grow by `off`, by least squares that hold each entry back by
/// [`RIDGE`]: found by conjugate gradients.
fn ridge_regression(met: &[&Met], off: &[f64], entries: usize) -> Vec<f64> {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    // Adds to each entry what there is for the positions that it is part of.
    let scatter = |of_met: &mut dyn Iterator<Item = f64>, mut sums: Vec<f64>| {
        for (met, value) in met.iter().zip(of_met) {
            met.numbers.iter().for_each(|number| sums[*number] += value);
        }
        sums
    };
    let mut change = vec![0.0; entries];
    let mut rest = scatter(&mut off.iter().copied(), vec![0.0; entries]);
    let mut direction = rest.clone();
    let mut size = dot(&rest, &rest);
    for _ in 0..60 {
        if size < 1e-6 {
            break;
        }
        let held_back = direction.iter().map(|entry| RIDGE * entry).collect();
        let image = scatter(&mut met.iter().map(|met| met.sum(&direction)), held_back);
        let far = size / dot(&direction, &image);
        for at in 0..entries {
            change[at] += far * direction[at];
            rest[at] -= far * image[at];
        }
        let before = std::mem::replace(&mut size, dot(&rest, &rest));
        for at in 0..entries {
            direction[at] = rest[at] + size / before * direction[at];
        }
    }
    change
}

/// The slope of the line that is closest to points, by least squares.
fn slope(x: &[f64], y: &[f64]) -> f64 {
    let mean = x.iter().sum::<f64>() / x.len() as f64;
    let spread: f64 = x.iter().map(|x| (x - mean).powi(2)).sum();
    let along: f64 = x.iter().zip(y).map(|(x, y)| (x - mean) * y).sum();
    along / spread
}

#[cfg(test)]
mod tests {
    use super::super::weights::LEARNED;
    use super::*;

    #[test]
    fn a_fit_finds_the_tables_that_the_keys_come_from() {
        let mut learner = Learner::default();
        let mut met = learner.meet(30);
        let mut truth = Vec::new();
        LEARNED.clone().map(|keys| truth.push(f64::from(keys) / f64::from(KEY)));
        for met in &mut met {
            met.keys = met.sum(&truth) + met.more * truth[learner.numbers.piece];
        }
        let before = learner.error(&met);
        learner.met.push_back(met);
        for _ in 0..30 {
            learner.fit();
        }
        let after = learner.error(&learner.met[0]);
        assert!(after < 0.02 * before, "{before} {after}");
    }

    #[test]
    fn the_tables_come_closer_round_by_round() {
        let mut learner = Learner::default();
        let errors: Vec<f64> = (0..3).map(|_| learner.round(30)).collect();
        assert!(errors.is_sorted_by(|before, after| after < before), "{errors:?}");
    }
}
