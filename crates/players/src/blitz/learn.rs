//! Learns the tables by fitted value iteration, starting from hand-made tables.
//!
//! A round plays games with the current tables. In every second position, the search looks for the leaves of the known pieces. Some
//! of them are followed through sampled continuations, six pieces further. This gives better estimates of what they are worth: the
//! points scored on the way, and what the tables say of the fields at the end. The tables are then fitted to the differences
//! between the leaves of a position, because only these matter to the search.

use super::field::Cells;
use super::goal::Goal;
use super::sampling::Sample;
use super::search::{Expansion, Search, SearchShape};
use super::tables::Tables;
use super::value::{Arrival, Aspect, ENTRIES, Judge, Outlook, Value, Weights};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use tetrion_engine::game::{Game, Move};
use tetrion_engine::piece::Piece;
use tetrion_engine::position::View;
use tetrion_engine::randomizer::{Bag, Random, game_seed};
use tetrion_engine::ruleset::{Mode, Ruleset};

/// The games that tables are learned from.
pub trait School {
    /// The cells of its fields.
    type Cells: Cells;
    /// The seed of the first round; each later round uses the next one. Far below 1,000,000: seeds from there up are only for
    /// measuring.
    const FIRST_SEED: u64;

    /// Where learning starts.
    fn first_tables() -> Tables;

    /// Plays a game up to a number of pieces, with what a judge says that fields are worth. Returns its lessons and its score.
    fn play(judge: &dyn Judge<Self::Cells>, seed: u64, pieces: u32) -> (Vec<Lesson<Self::Cells>>, u64);
}

/// Games of Blitz.
pub struct Blitz;

/// Placements judged for the known pieces, in a move of a game and when leaves are collected.
const KNOWN_NODES: u64 = 45_000;
/// How the games are played.
const SHAPE: SearchShape =
    SearchShape { known_nodes: KNOWN_NODES, sample_width: 0, depth: 0, roots: 1, nodes: KNOWN_NODES };
/// Nodes kept after each sampled piece.
const SAMPLE_WIDTH: usize = 60;
/// Sampled pieces in a continuation.
const SAMPLE_DEPTH: usize = 6;
/// Samples for each leaf.
const SAMPLES: usize = 1;
/// Leaves of a position that are compared. A third of them are among the best.
const LEAVES: usize = 24;
/// The last pieces of a game are played for points, so nothing is learned from them.
const LAST_PIECES: u32 = 30;

/// The ridge penalty: entries that count less often than this stay near where they are.
const RIDGE_PENALTY: f64 = 10.0;

/// How many of the last rounds the tables are fitted to.
const ROUNDS_IN_FIT: usize = 3;

/// How far the tables go towards the fit. With full steps, rounds overshoot in turn.
const STEP: f64 = 0.6;

/// Learns the tables, round by round.
struct Learner<S: School> {
    tables: Tables,
    rounds: u64,
    /// The lessons of the last rounds.
    lessons: VecDeque<Vec<Lesson<S::Cells>>>,
}

/// Leaves of one position, and what they turned out to be worth.
pub struct Lesson<C>(pub Vec<Leaf<C>>);

/// A leaf of a search.
pub struct Leaf<C> {
    /// Its field and what matters beside it.
    pub outlook: Outlook<C>,
    /// The entries that are looked up, and how often each counts.
    pub entries: Vec<(usize, f64)>,
    /// What continuations say that it is worth.
    pub worth: f64,
}

impl<C> Leaf<C> {
    /// The sum of these points for its entries.
    fn sum(&self, points: impl Fn(usize) -> f64) -> f64 {
        self.entries.iter().map(|(at, times)| points(*at) * times).sum()
    }
}

/// What came of a round.
pub struct Progress {
    /// The spread of what leaves of the same position are worth, in points.
    pub spread: f64,
    /// How far the tables were off before the round, in points.
    pub error: f64,
}

impl<S: School> Default for Learner<S> {
    fn default() -> Learner<S> {
        Learner { tables: S::first_tables(), rounds: 0, lessons: VecDeque::new() }
    }
}

impl<S: School> Learner<S> {
    /// The tables so far.
    fn tables(&self) -> &Tables {
        &self.tables
    }

    /// Plays a game of the current round. Returns its lessons and its score.
    fn play(&self, number: u64) -> (Vec<Lesson<S::Cells>>, u64) {
        self.play_pieces(number, u32::MAX)
    }

    /// Plays a game of the current round up to a number of pieces.
    fn play_pieces(&self, number: u64, pieces: u32) -> (Vec<Lesson<S::Cells>>, u64) {
        let value = Value::new(&self.tables, &Weights::learned());
        S::play(&value, game_seed(S::FIRST_SEED + self.rounds, number), pieces)
    }

    /// Fits the tables to the lessons of a round and of those before it.
    fn learn(&mut self, lessons: Vec<Lesson<S::Cells>>) -> Progress {
        let entries = self.tables.entries();
        let error = |leaf: &Leaf<S::Cells>| leaf.worth - leaf.sum(|at| f64::from(entries[at]));
        let progress = Progress {
            spread: deviation(lessons.iter(), |leaf| leaf.worth),
            error: deviation(lessons.iter(), error),
        };
        self.lessons.push_back(lessons);
        if self.lessons.len() > ROUNDS_IN_FIT {
            self.lessons.pop_front();
        }
        let lessons: Vec<&Lesson<S::Cells>> = self.lessons.iter().flatten().collect();
        let change = ridge_regression(&lessons, error);
        self.tables = Tables::new(std::array::from_fn(|at| entries[at] + (STEP * change[at]).round() as i32));
        self.rounds += 1;
        progress
    }
}

impl School for Blitz {
    type Cells = u128;
    const FIRST_SEED: u64 = 7_000;

    fn first_tables() -> Tables {
        hand_made_tables()
    }

    fn play(judge: &dyn Judge<u128>, seed: u64, pieces: u32) -> (Vec<Lesson<u128>>, u64) {
        let rules = Ruleset::for_agents(Mode::Blitz);
        let mut game = Game::new(rules.clone(), seed).expect("the rules of a mode are valid");
        let mut pupil = Pupil::new(judge, Goal::points(&rules), seed);
        let mut lessons = Vec::new();
        while let Some(view) = game.view().filter(|view| view.placed < pieces) {
            if view.placed % 2 == 0 && view.pieces_left().is_some_and(|left| left > LAST_PIECES) {
                lessons.extend(pupil.lesson(&view));
            }
            let Some(play) = pupil.choose(&view) else { break };
            game.play(play).expect("a search finds legal moves");
        }
        (lessons, game.result().score)
    }
}

/// The tables after rounds of so many games each, played on all cores: the mean of the tables after the last rounds, because each of
/// them overshoots a little. `report` is told the mean score of each round and what came of it.
pub fn learn<S: School>(games: &[u64], mut report: impl FnMut(u64, Progress)) -> Tables {
    let mut learner = Learner::<S>::default();
    let mut tables = Vec::new();
    for count in games {
        let played = play_round(&learner, *count);
        let mean = played.iter().map(|(_, score)| score).sum::<u64>() / count;
        report(mean, learner.learn(played.into_iter().flat_map(|(lessons, _)| lessons).collect()));
        tables.push(learner.tables().entries());
    }
    let last = &tables[tables.len().saturating_sub(LAST_ROUNDS)..];
    let sum = |at: usize| last.iter().map(|entries| entries[at]).sum::<i32>();
    Tables::new(std::array::from_fn(|at| sum(at) / last.len().max(1) as i32))
}

/// The result is the mean of the tables after this many last rounds.
const LAST_ROUNDS: usize = 4;

/// Plays the games of a round on all cores.
fn play_round<S: School>(learner: &Learner<S>, count: u64) -> Vec<(Vec<Lesson<S::Cells>>, u64)> {
    let threads = thread::available_parallelism().map_or(1, |threads| threads.get());
    let next = AtomicU64::new(0);
    let play_some = || {
        let numbers = std::iter::from_fn(|| Some(next.fetch_add(1, Ordering::Relaxed)));
        let numbers = numbers.take_while(|number| *number < count);
        numbers.map(|number| (number, learner.play(number))).collect::<Vec<_>>()
    };
    let mut games: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(play_some)).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("a thread plays to the end")).collect()
    });
    // The order must not depend on the threads: sums of rounded numbers would.
    games.sort_by_key(|(number, _)| *number);
    games.into_iter().map(|(_, game)| game).collect()
}

/// Someone who plays and learns.
pub struct Pupil<'j, C: Cells> {
    judge: &'j dyn Judge<C>,
    goal: Goal,
    search: Search<C>,
    random: Random,
}

impl<'j, C: Cells> Pupil<'j, C> {
    /// Plays for a goal by what a judge says that fields are worth.
    pub(crate) fn new(judge: &'j dyn Judge<C>, goal: Goal, seed: u64) -> Pupil<'j, C> {
        Pupil { judge, goal, search: Search::default(), random: Random::new(seed) }
    }

    /// Its move; `None` if there is none.
    pub fn choose(&mut self, view: &View) -> Option<Move> {
        let found = self.search.run(view, self.judge, &self.goal, &SHAPE, None, false);
        found.moves.first().map(|first| first.play)
    }

    /// Follows some leaves of a position through the same samples.
    pub fn lesson(&mut self, view: &View) -> Option<Lesson<C>> {
        let mut expansion = Expansion::new(view, self.judge, &self.goal, u64::MAX, None);
        let known = self.search.search_known(&mut expansion, view, KNOWN_NODES)?;
        let samples: [Sample; SAMPLES] = std::array::from_fn(|_| {
            let mut sample = Sample::default();
            sample.draw(SAMPLE_DEPTH, view.bag.unwrap_or(Bag::EMPTY), &mut self.random);
            if C::HAVE_GARBAGE {
                sample.draw_garbage(&mut self.random);
            }
            sample
        });
        let (leaves, layers) = self.search.leaves_and_layers(&known);
        let leaves = choose_leaves(leaves.len(), &mut self.random).into_iter().map(|at| {
            let leaf = leaves[at];
            let results = samples.iter().map(|sample| {
                expansion.continuation(&[leaf], sample, known.pieces_left, SAMPLE_WIDTH, layers)
            });
            let worth = f64::from(results.sum::<i32>()) / SAMPLES as f64;
            let outlook = known.last().of(leaf.state);
            let mut entries = Vec::new();
            outlook.measure(|aspect, at, times| {
                entries.push((aspect.start() + at, f64::from(times)));
            });
            Leaf { outlook, entries, worth: worth - f64::from(leaf.points) }
        });
        Some(Lesson(leaves.collect()))
    }
}

/// The indices of different leaves: the best one, some of the best, and any.
fn choose_leaves(count: usize, random: &mut Random) -> Vec<usize> {
    let mut chosen = vec![0];
    while chosen.len() < LEAVES.min(count) {
        let among = if chosen.len() < LEAVES / 3 { (count / 20).max(LEAVES).min(count) } else { count };
        let leaf = random.below(among as u64) as usize;
        if !chosen.contains(&leaf) {
            chosen.push(leaf);
        }
    }
    chosen
}

/// The standard deviation of a number among the leaves of the same position.
pub fn deviation<'l, C: 'l>(
    lessons: impl Iterator<Item = &'l Lesson<C>>,
    number: impl Fn(&Leaf<C>) -> f64,
) -> f64 {
    let (mut squares, mut count) = (0.0, 0);
    for Lesson(leaves) in lessons {
        let mean = leaves.iter().map(&number).sum::<f64>() / leaves.len() as f64;
        squares += leaves.iter().map(|leaf| (number(leaf) - mean).powi(2)).sum::<f64>();
        count += leaves.len();
    }
    (squares / f64::from(count.max(1) as u32)).sqrt()
}

/// The change of the entries that explains the errors best, where only differences between leaves of the same position count: ridge
/// regression with [`RIDGE_PENALTY`], solved by conjugate gradients.
fn ridge_regression<C>(lessons: &[&Lesson<C>], error: impl Fn(&Leaf<C>) -> f64) -> Vec<f64> {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    // Adds the number of each leaf, less the mean of its lesson, to all its entries.
    let scatter = |number: &dyn Fn(&Leaf<C>) -> f64, mut sums: Vec<f64>| {
        for Lesson(leaves) in lessons {
            let numbers: Vec<f64> = leaves.iter().map(number).collect();
            let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
            for (leaf, number) in leaves.iter().zip(numbers) {
                leaf.entries.iter().for_each(|(at, times)| sums[*at] += (number - mean) * times);
            }
        }
        sums
    };
    let mut change = vec![0.0; ENTRIES];
    let mut rest = scatter(&error, vec![0.0; ENTRIES]);
    let mut direction = rest.clone();
    let mut size = dot(&rest, &rest);
    let first_size = size;
    for _ in 0..300 {
        if size <= 1e-8 * first_size {
            break;
        }
        let penalty = direction.iter().map(|entry| RIDGE_PENALTY * entry).collect();
        let image = scatter(&|leaf| leaf.sum(|at| direction[at]), penalty);
        let step = size / dot(&direction, &image);
        for at in 0..ENTRIES {
            change[at] += step * direction[at];
            rest[at] -= step * image[at];
        }
        let before = std::mem::replace(&mut size, dot(&rest, &rest));
        for at in 0..ENTRIES {
            direction[at] = rest[at] + size / before * direction[at];
        }
    }
    change
}

/// The initial tables: cells are material, T-slots are promises, everything rough costs.
fn hand_made_tables() -> Tables {
    let mut entries = [0; ENTRIES];
    let mut set = |aspect: Aspect, at: usize, points: i32| entries[aspect.start() + at] = points;
    set(Aspect::Holes, 0, -110);
    set(Aspect::Cover, 0, -14);
    for height in 6..Aspect::Height.entries() {
        set(Aspect::Height, height, -50 * (height as i32 - 6).pow(2));
    }
    set(Aspect::Hold, Piece::T as usize, 240);
    set(Aspect::Hold, Piece::I as usize, 55);
    set(Aspect::Combo, 0, 30);
    set(Aspect::Combo, 1, 30);
    for arrival in 0..Arrival::COUNT {
        set(Aspect::BackToBack, Arrival::COUNT + arrival, 560);
        for rows in 0..5 {
            set(Aspect::Well, rows * Arrival::COUNT + arrival, 16 * (rows as i32 + 1).min(4));
            set(Aspect::UnfinishedSlot, rows * Arrival::COUNT + arrival, 27 * (rows as i32 + 1));
        }
        // A share of the points of a T-spin: the sooner the T comes, the more.
        let percent = [67, 40, 40, 32, 32][arrival];
        for lines in 1..=3 {
            for (back_to_back, points) in [400 * (lines + 1), 600 * (lines + 1)].into_iter().enumerate() {
                let at = ((lines as usize - 1) * 2 + back_to_back) * Arrival::COUNT + arrival;
                set(Aspect::Slot, at, points * percent / 100);
            }
        }
    }
    for steps in 0..Aspect::Surface.entries() {
        let middle = (steps / 5 % 5) as i32 - 2;
        set(Aspect::Surface, steps, -12 * middle.abs());
    }
    for row in 0..Aspect::Rows.entries() {
        let transitions = (row ^ row >> 1) & 0x1ff;
        set(Aspect::Rows, row, 20 * row.count_ones() as i32 - 5 * transitions.count_ones() as i32);
    }
    Tables::new(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A few lessons, enough for a test.
    fn lessons(learner: &Learner<Blitz>, game: u64) -> Vec<Lesson<u128>> {
        learner.play_pieces(game, 24).0
    }

    #[test]
    fn a_fit_finds_the_change_that_the_errors_come_from() {
        let mut lessons = lessons(&Learner::default(), 0);
        let truth = |at: usize| ((at * 7_919) % 201) as f64 - 100.0;
        for (number, Lesson(leaves)) in lessons.iter_mut().enumerate() {
            for leaf in leaves {
                // What all leaves of a position have in common must not matter.
                leaf.worth = 1_000.0 * number as f64 + leaf.sum(truth);
            }
        }
        let before = deviation(lessons.iter(), |leaf| leaf.worth);
        let change = ridge_regression(&lessons.iter().collect::<Vec<_>>(), |leaf| leaf.worth);
        let after = deviation(lessons.iter(), |leaf| leaf.worth - leaf.sum(|at| change[at]));
        assert!(after < 0.3 * before, "{before} {after}");
    }

    #[test]
    fn the_tables_come_closer_to_what_continuations_say() {
        let mut learner: Learner<Blitz> = Learner::default();
        let before = learner.learn(lessons(&learner, 0));
        assert!(before.error < before.spread, "the hand-made tables explain some of it");
        let entries = learner.tables.entries();
        let error = |leaf: &Leaf<u128>| leaf.worth - leaf.sum(|at| f64::from(entries[at]));
        let after = deviation(learner.lessons[0].iter(), error);
        assert!(after < 0.8 * before.error, "{} {after}", before.error);
    }

    #[test]
    fn chosen_leaves_differ_and_include_the_best() {
        let mut random = Random::new(1);
        for count in [1, 5, 16, 17, 200] {
            let mut chosen = choose_leaves(count, &mut random);
            assert!(chosen.contains(&0) && chosen.iter().all(|leaf| *leaf < count));
            chosen.sort_unstable();
            chosen.dedup();
            assert_eq!(chosen.len(), count.min(LEAVES));
        }
    }
}
