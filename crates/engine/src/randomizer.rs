//! Piece randomizers and seeded random numbers.

use crate::piece::{Piece, UnknownPiece, parse_queue};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// Random numbers that depend on the seed alone: the same on every machine and in every version.
///
/// Only the generator comes from a library. The step from its output to a choice is written here, so that no update of a
/// library changes a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Random(Xoshiro256PlusPlus);

impl Random {
    /// A stream of random numbers.
    pub fn new(seed: u64) -> Random {
        Random(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// A uniform number below `bound`.
    ///
    /// # Panics
    /// If `bound` is 0.
    #[inline]
    pub fn below(&mut self, bound: u64) -> u64 {
        assert!(bound > 0, "there is no number below 0");
        // Lemire's method: the high half of a product, redrawn in the few cases that would favour some numbers.
        loop {
            let product = u128::from(self.0.next_u64()) * u128::from(bound);
            let low = product as u64;
            if low >= bound || low >= bound.wrapping_neg() % bound {
                return (product >> 64) as u64;
            }
        }
    }

    /// A uniform number in [0, 1), a multiple of 2⁻⁵³.
    #[inline]
    pub fn fraction(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// The seed of one game in a run of many. It depends only on the run's seed and the game's number.
pub fn game_seed(run_seed: u64, game: u64) -> u64 {
    mix(mix(run_seed) ^ game)
}

/// The finaliser of SplitMix64: scatters neighbouring numbers over all 64 bits, one to one.
fn mix(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// How pieces are drawn.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Randomizer {
    /// The guideline's 7-bag: all seven pieces in random order, then all seven again.
    #[default]
    SevenBag,
    /// Each piece is equally likely, whatever came before.
    Uniform,
    /// The chance of a piece depends on the one before it.
    Markov(MarkovChain),
    /// These pieces, repeated for ever.
    Fixed(Vec<Piece>),
}

/// The probability of each next piece, by the piece before it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "[[f64; 7]; 7]", into = "[[f64; 7]; 7]")]
pub struct MarkovChain(Box<[[f64; 7]; 7]>);

/// Why a randomizer can't draw pieces.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RandomizerError {
    /// A probability that is negative or not a number.
    #[error("row {0} of the Markov chain has a probability that is negative or not a number")]
    Chance(Piece),
    /// A row that does not sum to 1.
    #[error("row {0} of the Markov chain sums to {1}, not to 1")]
    Sum(Piece, f64),
    /// No pieces to repeat.
    #[error("a fixed sequence needs at least one piece")]
    NoPieces,
}

impl MarkovChain {
    /// A chain from its matrix: one row for each piece in the order of [`Piece::ALL`], with the probabilities of the next.
    pub fn new(chances: [[f64; 7]; 7]) -> Result<MarkovChain, RandomizerError> {
        for (piece, row) in Piece::ALL.into_iter().zip(&chances) {
            if row.iter().any(|chance| chance.is_nan() || *chance < 0.0) {
                return Err(RandomizerError::Chance(piece));
            }
            let sum: f64 = row.iter().sum();
            if (sum - 1.0).abs() > 1e-9 {
                return Err(RandomizerError::Sum(piece, sum));
            }
        }
        Ok(MarkovChain(Box::new(chances)))
    }

    fn next(&self, before: Piece, random: &mut Random) -> Piece {
        let row = &self.0[before as usize];
        let mut left = random.fraction();
        for (piece, chance) in Piece::ALL.into_iter().zip(row) {
            if left < *chance {
                return piece;
            }
            left -= chance;
        }
        // Rounding may leave a remainder; it goes to the last possible piece.
        let last = row.iter().rposition(|chance| *chance > 0.0);
        Piece::ALL[last.expect("a row sums to 1")]
    }
}

impl TryFrom<[[f64; 7]; 7]> for MarkovChain {
    type Error = RandomizerError;

    fn try_from(chances: [[f64; 7]; 7]) -> Result<MarkovChain, RandomizerError> {
        MarkovChain::new(chances)
    }
}

impl From<MarkovChain> for [[f64; 7]; 7] {
    fn from(chain: MarkovChain) -> [[f64; 7]; 7] {
        *chain.0
    }
}

impl Randomizer {
    /// The pieces that this randomizer draws for a seed.
    pub fn pieces(&self, seed: u64) -> Result<PieceSource, RandomizerError> {
        let draw = match self {
            Randomizer::SevenBag => Draw::SevenBag { left: Bag::EMPTY },
            Randomizer::Uniform => Draw::Uniform,
            Randomizer::Markov(chain) => Draw::Markov { chain: chain.clone(), before: None },
            Randomizer::Fixed(pieces) if pieces.is_empty() => return Err(RandomizerError::NoPieces),
            Randomizer::Fixed(pieces) => Draw::Fixed { pieces: pieces.clone().into(), next: 0 },
        };
        Ok(PieceSource { random: Random::new(seed), draw, first: VecDeque::new() })
    }
}

/// A set of pieces, drawn one after the other. Files store it as letters, such as "JLT".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Bag(u8);

impl TryFrom<String> for Bag {
    type Error = UnknownPiece;

    fn try_from(letters: String) -> Result<Bag, UnknownPiece> {
        Ok(parse_queue(&letters)?.into_iter().collect())
    }
}

impl From<Bag> for String {
    fn from(bag: Bag) -> String {
        bag.iter().map(Piece::letter).collect()
    }
}

impl Bag {
    /// No piece.
    pub const EMPTY: Bag = Bag(0);
    /// All seven.
    pub const FULL: Bag = Bag(0x7f);

    /// Whether the bag has the piece.
    pub fn contains(self, piece: Piece) -> bool {
        self.0 >> piece as u8 & 1 == 1
    }

    /// The bag without a piece.
    pub fn without(self, piece: Piece) -> Bag {
        Bag(self.0 & !(1 << piece as u8))
    }

    /// The pieces in it, in table order.
    pub fn iter(self) -> impl Iterator<Item = Piece> {
        Piece::ALL.into_iter().filter(move |piece| self.contains(*piece))
    }

    /// How many there are.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self == Bag::EMPTY
    }

    fn draw(&mut self, random: &mut Random) -> Piece {
        if *self == Bag::EMPTY {
            *self = Bag::FULL;
        }
        let nth = random.below(u64::from(self.0.count_ones()));
        let left = (0..nth).fold(self.0, |left, _| left & (left - 1));
        let piece = Piece::ALL[left.trailing_zeros() as usize];
        *self = self.without(piece);
        piece
    }
}

impl FromIterator<Piece> for Bag {
    fn from_iter<I: IntoIterator<Item = Piece>>(pieces: I) -> Bag {
        Bag(pieces.into_iter().fold(0, |bag, piece| bag | 1 << piece as u8))
    }
}

/// An endless supply of pieces.
#[derive(Clone, Debug)]
pub struct PieceSource {
    random: Random,
    draw: Draw,
    /// The pieces that come before any are drawn.
    first: VecDeque<Piece>,
}

#[derive(Clone, Debug)]
enum Draw {
    SevenBag { left: Bag },
    Uniform,
    Markov { chain: MarkovChain, before: Option<Piece> },
    Fixed { pieces: std::sync::Arc<[Piece]>, next: usize },
}

impl PieceSource {
    /// The same supply, preceded by the given pieces.
    pub fn after(self, first: Vec<Piece>) -> PieceSource {
        PieceSource { first: first.into(), ..self }
    }

    /// The same supply with these pieces left in the first bag. This changes only supplies from a bag.
    pub fn with_bag(mut self, bag: Bag) -> PieceSource {
        if let Draw::SevenBag { left } = &mut self.draw {
            *left = bag;
        }
        self
    }

    /// Draws the next piece.
    #[inline]
    pub fn draw(&mut self) -> Piece {
        if let Some(piece) = self.first.pop_front() {
            return piece;
        }
        let random = &mut self.random;
        match &mut self.draw {
            Draw::SevenBag { left } => left.draw(random),
            Draw::Uniform => Piece::ALL[random.below(7) as usize],
            Draw::Markov { chain, before } => {
                let piece = match *before {
                    None => Piece::ALL[random.below(7) as usize],
                    Some(before) => chain.next(before, random),
                };
                *before = Some(piece);
                piece
            }
            Draw::Fixed { pieces, next } => {
                let piece = pieces[*next];
                *next = (*next + 1) % pieces.len();
                piece
            }
        }
    }

    /// The pieces left in the current bag, if the next piece comes from one. Empty just before a new bag.
    pub fn bag(&self) -> Option<Bag> {
        match self.draw {
            Draw::SevenBag { left } if self.first.is_empty() => Some(left),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(randomizer: Randomizer, seed: u64, count: usize) -> Vec<Piece> {
        let mut pieces = randomizer.pieces(seed).unwrap();
        (0..count).map(|_| pieces.draw()).collect()
    }

    #[test]
    fn every_bag_holds_every_piece_once() {
        for seed in 0..50 {
            for bag in drawn(Randomizer::SevenBag, seed, 70).chunks(7) {
                let mut sorted = bag.to_vec();
                sorted.sort_unstable();
                assert_eq!(sorted, Piece::ALL);
            }
        }
    }

    #[test]
    fn the_seeds_of_a_run_are_all_different() {
        let seeds: std::collections::HashSet<_> =
            (0..100).flat_map(|run| (0..1000).map(move |game| game_seed(run, game))).collect();
        assert_eq!(seeds.len(), 100_000);
    }

    #[test]
    fn uniform_pieces_are_about_as_frequent_as_each_other() {
        let pieces = drawn(Randomizer::Uniform, 1, 70_000);
        for piece in Piece::ALL {
            let count = pieces.iter().filter(|drawn| **drawn == piece).count();
            // Ten thousand are expected; five standard deviations are 463.
            assert!(count.abs_diff(10_000) < 463, "{piece}: {count}");
        }
    }

    #[test]
    fn a_chain_draws_what_its_rows_allow() {
        // After each piece, the same piece and the next in table order are equally likely.
        let mut chances = [[0.0; 7]; 7];
        for (piece, row) in chances.iter_mut().enumerate() {
            row[piece] = 0.5;
            row[(piece + 1) % 7] = 0.5;
        }
        let chain = Randomizer::Markov(MarkovChain::new(chances).unwrap());
        let pieces = drawn(chain, 3, 10_000);
        let mut stayed = 0;
        for pair in pieces.windows(2) {
            let step = (pair[1] as usize + 7 - pair[0] as usize) % 7;
            assert!(step < 2, "{pair:?}");
            stayed += usize::from(step == 0);
        }
        assert!(stayed.abs_diff(5_000) < 250, "{stayed}");
    }

    #[test]
    fn a_wrong_chain_is_refused_with_its_row() {
        let mut chances = [[1.0 / 7.0; 7]; 7];
        chances[2][0] = -0.1;
        assert_eq!(MarkovChain::new(chances), Err(RandomizerError::Chance(Piece::L)));
        chances[2][0] = 0.5;
        assert!(matches!(MarkovChain::new(chances), Err(RandomizerError::Sum(Piece::L, _))));
        assert_eq!(Randomizer::Fixed(vec![]).pieces(0).unwrap_err(), RandomizerError::NoPieces);
    }

    #[test]
    fn a_fixed_sequence_repeats() {
        assert_eq!(
            drawn(Randomizer::Fixed(vec![Piece::I, Piece::O]), 0, 5),
            [Piece::I, Piece::O, Piece::I, Piece::O, Piece::I]
        );
    }
}
