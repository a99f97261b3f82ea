//! The kernel's numbers: of a single board, or of 32 boards side by side.
//!
//! Columns are upside down: the bottom row is the *highest* bit. A carry then runs down a column. An addition fills a well
//! to its floor, and a negation finds everything below the highest cell.

use std::ops::{BitAnd, BitOr, BitXor, Not};
use wide::bytemuck::cast;
use wide::{f64x8, i16x8, u16x16, u16x32, u64x8};

/// The width of the boards that go side by side.
pub(super) const LOW_WIDTH: usize = 10;

/// A weight, ready to be multiplied with features.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weight {
    weight: f64,
    /// The weight times minus each of the [`POWERS`].
    offsets: [f64; 4],
}

/// The powers of two that convert features to floating point.
///
/// Writing an integer into the lowest bits of 2⁵² as a float gives the sum of both. Each 64-bit number holds four 16-bit
/// features. The second and third can stay where they are with a smaller power. Only the fourth would overlap the exponent,
/// so it is shifted down.
const POWERS: [f64; 4] = [(1u64 << 52) as f64, (1u64 << 36) as f64, (1u64 << 20) as f64, (1u64 << 52) as f64];

impl Weight {
    pub(super) fn new(weight: f64) -> Weight {
        Weight { weight, offsets: POWERS.map(|power| -power * weight) }
    }
}

/// One number, or one set of rows, for each board.
pub(super) trait Lanes:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> + Not<Output = Self>
{
    /// The number of boards.
    const COUNT: usize;
    /// The number of rows of each board.
    const ROWS: u32;
    /// The number or the rows of one board.
    type Lane;
    /// A whole board.
    type Board;
    /// A score for each board.
    type Scores: Copy;

    /// The same number for all boards.
    fn splat(number: u16) -> Self;
    /// The same rows for all boards.
    fn splat_rows(rows: u64) -> Self;
    /// Loads boards, up to one per lane.
    fn load(columns: &mut [Self], boards: &[&Self::Board]);
    /// Gets the number or the rows of one board.
    fn get(&self, lane: usize) -> Self::Lane;
    /// Sets the number or the rows of one board.
    fn set(&mut self, lane: usize, to: Self::Lane);

    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;
    /// The difference, or 0 if it would be negative.
    fn above(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    fn min(self, other: Self) -> Self;
    fn max(self, other: Self) -> Self;
    /// The number of rows in the set.
    fn ones(self) -> Self;
    /// Moves the rows up, each board by its own number, less than `ROWS`.
    fn up(self, rows: Self) -> Self;
    /// Moves the rows of all boards up by the same number, less than `ROWS`.
    fn all_up(self, rows: u32) -> Self;
    /// The set with only this number if it is from 0 to 4, else the empty set.
    fn small_set(self) -> Self;
    /// The boards whose number is not 0, one bit each.
    fn boards(self) -> u32;
    /// Whether any number is not 0.
    fn any(self) -> bool;

    /// The same score for all boards.
    fn splat_scores(score: f64) -> Self::Scores;
    /// The score of one board.
    fn score(scores: &Self::Scores, lane: usize) -> f64;
    /// Adds a weighted feature.
    fn weigh(scores: &mut Self::Scores, weight: &Weight, feature: Self);
    /// Sets the score to minus infinity for the boards whose number is not 0.
    fn rule_out(scores: &mut Self::Scores, boards: Self);
    /// Where a score is better than the best, replaces the best and its mark.
    fn improve(best: &mut Self::Scores, marks: &mut Self::Scores, scores: &Self::Scores, mark: f64);

    /// Twice the sum of the numbers from 1 to this one.
    #[inline(always)]
    fn triangle_doubled(self) -> Self {
        self.times(self.plus(Self::splat(1)))
    }

    /// Half the number.
    #[inline(always)]
    fn half(self) -> Self {
        // Moving rows up by one is a right shift by one.
        self.all_up(1)
    }
}

/// One board alone, with all the rows that a board can have.
impl Lanes for u64 {
    const COUNT: usize = 1;
    const ROWS: u32 = 64;
    type Lane = u64;
    type Board = [u64; 16];
    type Scores = f64;

    #[inline(always)]
    fn splat(number: u16) -> u64 {
        number.into()
    }

    #[inline(always)]
    fn splat_rows(rows: u64) -> u64 {
        rows
    }

    #[inline(always)]
    fn load(columns: &mut [u64], boards: &[&[u64; 16]]) {
        for board in boards {
            columns.copy_from_slice(&board[..columns.len()]);
        }
    }

    #[inline(always)]
    fn get(&self, _: usize) -> u64 {
        *self
    }

    #[inline(always)]
    fn set(&mut self, _: usize, to: u64) {
        *self = to;
    }

    #[inline(always)]
    fn plus(self, other: u64) -> u64 {
        self.wrapping_add(other)
    }

    #[inline(always)]
    fn minus(self, other: u64) -> u64 {
        self.wrapping_sub(other)
    }

    #[inline(always)]
    fn above(self, other: u64) -> u64 {
        self.saturating_sub(other)
    }

    #[inline(always)]
    fn times(self, other: u64) -> u64 {
        self.wrapping_mul(other)
    }

    #[inline(always)]
    fn min(self, other: u64) -> u64 {
        Ord::min(self, other)
    }

    #[inline(always)]
    fn max(self, other: u64) -> u64 {
        Ord::max(self, other)
    }

    #[inline(always)]
    fn ones(self) -> u64 {
        self.count_ones().into()
    }

    #[inline(always)]
    fn up(self, rows: u64) -> u64 {
        self.wrapping_shr(rows as u32)
    }

    #[inline(always)]
    fn all_up(self, rows: u32) -> u64 {
        self.wrapping_shr(rows)
    }

    #[inline(always)]
    fn small_set(self) -> u64 {
        if self < 5 { 1 << self } else { 0 }
    }

    #[inline(always)]
    fn boards(self) -> u32 {
        u32::from(self != 0)
    }

    #[inline(always)]
    fn any(self) -> bool {
        self != 0
    }

    #[inline(always)]
    fn splat_scores(score: f64) -> f64 {
        score
    }

    #[inline(always)]
    fn score(scores: &f64, _: usize) -> f64 {
        *scores
    }

    #[inline(always)]
    fn weigh(scores: &mut f64, weight: &Weight, feature: u64) {
        *scores += weight.weight * feature as i64 as f64;
    }

    #[inline(always)]
    fn rule_out(scores: &mut f64, boards: u64) {
        if boards != 0 {
            *scores = f64::NEG_INFINITY;
        }
    }

    #[inline(always)]
    fn improve(best: &mut f64, marks: &mut f64, scores: &f64, mark: f64) {
        if *scores > *best {
            *best = *scores;
            *marks = mark;
        }
    }
}

/// The lowest 16 rows of 32 boards.
impl Lanes for u16x32 {
    const COUNT: usize = 32;
    const ROWS: u32 = 16;
    type Lane = u16;
    type Board = u16x16;
    /// The score of board `lane` is number `lane / 4` of vector `lane % 4`: this order takes the fewest instructions.
    type Scores = [f64x8; 4];

    #[inline(always)]
    fn splat(number: u16) -> u16x32 {
        u16x32::splat(number)
    }

    #[inline(always)]
    fn splat_rows(rows: u64) -> u16x32 {
        u16x32::splat((rows >> 48) as u16)
    }

    #[inline(always)]
    fn load(columns: &mut [u16x32], boards: &[&u16x16]) {
        for (part, boards) in boards.chunks(8).enumerate() {
            // Transposes the first eight columns of eight boards.
            let mut square = [i16x8::ZERO; 8];
            for (lane, board) in boards.iter().enumerate() {
                let [left, right]: [i16x8; 2] = cast(**board);
                square[lane] = left;
                let right: [u16; 8] = cast(right);
                for x in 8..LOW_WIDTH {
                    columns[x].as_mut_array()[8 * part + lane] = right[x - 8];
                }
            }
            let square = i16x8::transpose(square);
            for x in 0..8 {
                let lanes: [u16; 8] = cast(square[x]);
                columns[x].as_mut_array()[8 * part..8 * part + 8].copy_from_slice(&lanes);
            }
        }
    }

    #[inline(always)]
    fn get(&self, lane: usize) -> u16 {
        self.as_array()[lane]
    }

    #[inline(always)]
    fn set(&mut self, lane: usize, to: u16) {
        self.as_mut_array()[lane] = to;
    }

    #[inline(always)]
    fn plus(self, other: u16x32) -> u16x32 {
        self + other
    }

    #[inline(always)]
    fn minus(self, other: u16x32) -> u16x32 {
        self - other
    }

    #[inline(always)]
    fn above(self, other: u16x32) -> u16x32 {
        self.saturating_sub(other)
    }

    #[inline(always)]
    fn times(self, other: u16x32) -> u16x32 {
        self * other
    }

    #[inline(always)]
    fn min(self, other: u16x32) -> u16x32 {
        u16x32::min(self, other)
    }

    #[inline(always)]
    fn max(self, other: u16x32) -> u16x32 {
        u16x32::max(self, other)
    }

    #[inline(always)]
    fn ones(self) -> u16x32 {
        // `wide` has no such operation, but the compiler vectorises this loop.
        u16x32::new(self.to_array().map(|rows| rows.count_ones() as u16))
    }

    #[inline(always)]
    fn up(self, rows: u16x32) -> u16x32 {
        self.unbounded_shr(rows)
    }

    #[inline(always)]
    fn all_up(self, rows: u32) -> u16x32 {
        self >> rows
    }

    #[inline(always)]
    fn small_set(self) -> u16x32 {
        u16x32::splat(1).unbounded_shl(self) & u16x32::splat(0b11111)
    }

    #[inline(always)]
    fn boards(self) -> u32 {
        self.simd_ne(u16x32::ZERO).to_bitmask()
    }

    #[inline(always)]
    fn any(self) -> bool {
        self != u16x32::ZERO
    }

    #[inline(always)]
    fn splat_scores(score: f64) -> [f64x8; 4] {
        [f64x8::splat(score); 4]
    }

    #[inline(always)]
    fn score(scores: &[f64x8; 4], lane: usize) -> f64 {
        scores[lane % 4].as_array()[lane / 4]
    }

    #[inline(always)]
    fn weigh(scores: &mut [f64x8; 4], weight: &Weight, feature: u16x32) {
        let features: u64x8 = cast(feature);
        let factor = f64x8::splat(weight.weight);
        for (part, scores) in scores.iter_mut().enumerate() {
            let number = match part {
                3 => features >> 48,
                _ => features & u64x8::splat(0xffff << (16 * part)),
            };
            let sum: f64x8 = cast(number | u64x8::splat(POWERS[part].to_bits()));
            *scores += if cfg!(target_feature = "fma") {
                // w·(f + 2ⁿ) − w·2ⁿ, rounded once like w·f, since the second product is exact.
                sum.mul_add(factor, f64x8::splat(weight.offsets[part]))
            } else {
                (sum - f64x8::splat(POWERS[part])) * factor
            };
        }
    }

    #[inline(always)]
    fn rule_out(scores: &mut [f64x8; 4], boards: u16x32) {
        for (part, scores) in scores.iter_mut().enumerate() {
            let stays: f64x8 = cast(quarter(boards, part).simd_eq(u64x8::ZERO));
            *scores = stays.select(*scores, f64x8::splat(f64::NEG_INFINITY));
        }
    }

    #[inline(always)]
    fn improve(best: &mut [f64x8; 4], marks: &mut [f64x8; 4], scores: &[f64x8; 4], mark: f64) {
        for part in 0..4 {
            let better = scores[part].simd_gt(best[part]);
            best[part] = better.select(scores[part], best[part]);
            marks[part] = better.select(f64x8::splat(mark), marks[part]);
        }
    }
}

/// Every fourth number, widened to 64 bits.
#[inline(always)]
fn quarter(numbers: u16x32, part: usize) -> u64x8 {
    (cast::<u16x32, u64x8>(numbers) >> (16 * part as u32)) & u64x8::splat(0xffff)
}
