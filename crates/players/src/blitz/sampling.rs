//! Sampled continuations: what becomes of the best first moves if these pieces come next.
//!
//! Each first move is followed through each continuation by itself, so a [`Crew`] can do that at the same time. It draws more
//! continuations than it may need, to have enough to do, but what it finds counts as if they had been followed one by one: the same
//! moves are found with any number of threads.

use super::field::{self, Cells};
use super::goal::Arriving;
use super::layer::Node;
use super::race::Race;
use super::search::{Expansion, Layers, Prospects, SearchShape};
use crate::crew::Crew;
use std::sync::atomic::{AtomicI32, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use tetrion_engine::piece::Piece;
use tetrion_engine::randomizer::{Bag, Random};

/// More samples than this don't change a decision.
const MAX_SAMPLES: usize = 256;
/// A search that was stopped after fewer samples ignores them.
const FEWEST_SAMPLES: usize = 3;

/// A continuation: the pieces drawn, and the bag after them. In versus, also the garbage that arrives before each of them.
pub struct Sample {
    draws: Vec<Piece>,
    bag: Bag,
    garbage: Vec<Arriving>,
}

impl Default for Sample {
    /// No pieces.
    fn default() -> Sample {
        Sample { draws: Vec::new(), bag: Bag::EMPTY, garbage: Vec::new() }
    }
}

impl Sample {
    /// Draws this many pieces, after what is left of a bag.
    pub fn draw(&mut self, count: usize, unseen: Bag, random: &mut Random) {
        self.bag = unseen;
        self.draws.clear();
        for _ in 0..count {
            if self.bag.is_empty() {
                self.bag = Bag::FULL;
            }
            let nth = random.below(self.bag.len() as u64) as usize;
            let piece = self.bag.iter().nth(nth).unwrap_or(Piece::I);
            self.bag = self.bag.without(piece);
            self.draws.push(piece);
        }
    }

    /// Draws the garbage that arrives before each of the pieces.
    pub fn draw_garbage(&mut self, random: &mut Random) {
        self.garbage.clear();
        for _ in 0..self.draws.len() {
            let rows = ATTACKS[random.below(ATTACKS.len() as u64) as usize];
            self.garbage.push(Arriving { rows, hole: random.below(field::COLUMNS as u64) as usize });
        }
    }
}

/// The lines that the other player sends with a piece: each of these is as likely as any other.
const ATTACKS: [u32; 20] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 5, 5];

/// Memory for continuations that are followed at the same time.
pub struct Spare<C>(Mutex<Vec<Layers<C>>>);

impl<C> Default for Spare<C> {
    fn default() -> Spare<C> {
        Spare(Mutex::default())
    }
}

impl<C> Spare<C> {
    /// Lends some memory.
    fn with<R>(&self, job: impl FnOnce(&mut Layers<C>) -> R) -> R {
        let lent = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut layers = lent.unwrap_or_default();
        let result = job(&mut layers);
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(layers);
        result
    }

    /// All of it.
    pub fn all(&self) -> impl std::ops::Deref<Target = Vec<Layers<C>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What came of a first move in a continuation.
#[derive(Default)]
struct Followed {
    best: AtomicI32,
    nodes: AtomicU64,
}

/// The positions from which first moves are followed, and what is known there.
pub struct Starts<'s, C> {
    /// The nodes after the known pieces, for each first move.
    pub nodes: &'s [Vec<Node<C>>],
    /// What is left of the bag.
    pub unseen: Bag,
    /// Pieces left to place.
    pub pieces_left: u32,
}

impl<C: Cells> Starts<'_, C> {
    /// The mean results of the first moves over sampled continuations: empty if there were too few samples. All of them see the
    /// same samples, and the worse half of them leaves the race whenever its share of the nodes is used up.
    pub fn race(
        &self,
        expansion: &mut Expansion<C>,
        shape: &SearchShape,
        random: &mut Random,
        spare: &Spare<C>,
        crew: &dyn Crew,
    ) -> Vec<f64> {
        let mut race = Race::new(self.nodes.len());
        let draws = shape.depth.min(self.pieces_left as usize);
        let mut round_ends = round_end(expansion.nodes(), shape.nodes, &race);
        let (mut samples, mut followed) = (Vec::<Sample>::new(), Vec::<Followed>::new());
        let mut drawn = 0;
        'race: while drawn < MAX_SAMPLES {
            // Everybody in the crew gets something to do.
            let ahead = crew.size().div_ceil(race.runners()).min(MAX_SAMPLES - drawn);
            drawn += ahead;
            samples.resize_with(ahead, Sample::default);
            for sample in &mut samples {
                sample.draw(draws, self.unseen, random);
                if C::HAVE_GARBAGE {
                    sample.draw_garbage(random);
                }
            }
            let roots = self.nodes.len();
            followed.resize_with(ahead * roots, Followed::default);
            let runners = race.running();
            let before = &*expansion;
            crew.run(ahead * runners.len(), &|job| {
                let (sample, root) = (job / runners.len(), runners[job % runners.len()]);
                let mut own = before.with_what_is_left();
                let best = spare.with(|layers| {
                    let (starts, width) = (&self.nodes[root], shape.sample_width);
                    own.continuation(starts, &samples[sample], self.pieces_left, width, layers)
                });
                let result = &followed[sample * roots + root];
                result.best.store(best, Relaxed);
                result.nodes.store(own.nodes(), Relaxed);
            });
            for results in followed.chunks(roots) {
                let spent: u64 = race.running().iter().map(|root| results[*root].nodes.load(Relaxed)).sum();
                race.run(|root| results[root].best.load(Relaxed));
                expansion.spend(spent);
                if expansion.is_spent() {
                    // What it says about the first moves is not comparable.
                    race.forget_last();
                    break 'race;
                }
                race.drop_clear_losers();
                let next = expansion.nodes() + spent;
                if race.is_decided() || next > shape.nodes {
                    break 'race;
                }
                if next > round_ends {
                    race.drop_worse_half();
                    round_ends = round_end(expansion.nodes(), shape.nodes, &race);
                }
            }
        }
        if race.samples() < FEWEST_SAMPLES { Vec::new() } else { race.means() }
    }
}

/// Where the current round of a race ends: a third of the nodes that are left go to each round, and all of them to the last.
fn round_end(spent: u64, nodes: u64, race: &Race) -> u64 {
    if race.runners() <= 2 { nodes } else { spent + nodes.saturating_sub(spent) / 3 }
}

impl<C: Cells> Expansion<'_, C> {
    /// The best score that follows from some nodes if these pieces are drawn. The lowest score if they lose the game.
    pub fn continuation(
        &mut self,
        starts: &[Node<C>],
        sample: &Sample,
        pieces_left: u32,
        width: usize,
        layers: &mut Layers<C>,
    ) -> i32 {
        let Layers { before, after, sieve } = layers;
        before.clear();
        before.extend_from_slice(starts);
        if let Some(Arriving { hole, .. }) = sample.garbage.first() {
            before.iter_mut().for_each(|node| node.state = node.state.with_holes(*hole));
        }
        for (at, &draw) in sample.draws.iter().enumerate() {
            let left = pieces_left - at as u32 - 1;
            let prospects = Prospects::new(&sample.draws[at + 1..], sample.bag, left);
            self.arriving = sample.garbage.get(at).copied();
            let survives = self.advance(before, draw, prospects, width, sieve, after);
            self.arriving = None;
            if !survives {
                return starts.iter().map(|node| node.points).max().unwrap_or(0) - self.goal.loss;
            }
            std::mem::swap(before, after);
        }
        before.iter().map(|node| node.score).max().unwrap_or(0)
    }
}
