//! The kernel's numbers: of a single board, of 32 low boards side by side, or of 16 higher ones.
//!
//! Columns are upside down: the bottom row is the *highest* bit. A carry then runs down a column. An addition fills a well
//! to its floor, and a negation finds everything below the highest cell.

use std::ops::{BitAnd, BitOr, BitXor, Not};
use wide::bytemuck::cast;
use wide::{f64x8, i16x8, i16x32, i32x16, u16x16, u16x32, u32x16, u64x8};

/// The width of the boards that go side by side.
pub(super) const LOW_WIDTH: usize = 10;

/// A weight, ready to be multiplied with features.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weight {
    weight: f64,
    /// The weight times minus each of the [`POWERS`].
    offsets: [f64; 4],
    /// The weight, if it is a whole number of 16 bits.
    whole: i16,
}

/// The powers of two that convert features to floating point.
///
/// Writing an integer into the lowest bits of 2⁵² as a float gives the sum of both. Each 64-bit number holds four 16-bit
/// features. The second and third can stay where they are with a smaller power. Only the fourth would overlap the exponent,
/// so it is shifted down.
const POWERS: [f64; 4] = [(1u64 << 52) as f64, (1u64 << 36) as f64, (1u64 << 20) as f64, (1u64 << 52) as f64];

impl Weight {
    pub(super) fn new(weight: f64) -> Weight {
        Weight { weight, offsets: POWERS.map(|power| -power * weight), whole: weight as i16 }
    }

    /// Whether it is a whole number of 16 bits.
    pub(super) fn is_whole(&self) -> bool {
        f64::from(self.whole) == self.weight
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

/// A score for each board.
///
/// Floating point suits any weights. Whole weights can also be summed as integers: no sum is rounded, so both ways give the same scores.
pub(super) trait Scores<L>: Copy {
    /// The same number for all boards.
    fn splat(number: i16) -> Self;
    /// Minus infinity for all boards.
    fn lost() -> Self;
    /// The score of one board.
    fn get(&self, lane: usize) -> f64;
    /// Adds a weighted feature.
    fn weigh(&mut self, weight: &Weight, feature: L);
    /// Sets the score to minus infinity for the boards whose number is not 0.
    fn rule_out(&mut self, boards: L);
    /// Where a score is better than this one, takes it over, and its mark.
    fn improve(&mut self, marks: &mut Self, scores: &Self, mark: i16);
}

/// One board alone, with all the rows that a board can have.
impl Lanes for u64 {
    const COUNT: usize = 1;
    const ROWS: u32 = 64;
    type Lane = u64;
    type Board = [u64; 16];

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
}

impl Scores<u64> for f64 {
    #[inline(always)]
    fn splat(number: i16) -> f64 {
        number.into()
    }

    #[inline(always)]
    fn lost() -> f64 {
        f64::NEG_INFINITY
    }

    #[inline(always)]
    fn get(&self, _: usize) -> f64 {
        *self
    }

    #[inline(always)]
    fn weigh(&mut self, weight: &Weight, feature: u64) {
        *self += weight.weight * feature as i64 as f64;
    }

    #[inline(always)]
    fn rule_out(&mut self, boards: u64) {
        if boards != 0 {
            *self = f64::NEG_INFINITY;
        }
    }

    #[inline(always)]
    fn improve(&mut self, marks: &mut f64, scores: &f64, mark: i16) {
        if *scores > *self {
            *self = *scores;
            *marks = mark.into();
        }
    }
}

/// The lowest 16 rows of 32 boards.
impl Lanes for u16x32 {
    const COUNT: usize = 32;
    const ROWS: u32 = 16;
    type Lane = u16;
    type Board = u16x16;

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
}

/// The score of board `lane` is number `lane / 4` of vector `lane % 4`: this order takes the fewest instructions.
impl Scores<u16x32> for [f64x8; 4] {
    #[inline(always)]
    fn splat(number: i16) -> [f64x8; 4] {
        [f64x8::splat(number.into()); 4]
    }

    #[inline(always)]
    fn lost() -> [f64x8; 4] {
        [f64x8::splat(f64::NEG_INFINITY); 4]
    }

    #[inline(always)]
    fn get(&self, lane: usize) -> f64 {
        self[lane % 4].as_array()[lane / 4]
    }

    #[inline(always)]
    fn weigh(&mut self, weight: &Weight, feature: u16x32) {
        let features: u64x8 = cast(feature);
        for (part, scores) in self.iter_mut().enumerate() {
            let number = match part {
                3 => features >> 48,
                _ => features & u64x8::splat(0xffff << (16 * part)),
            };
            add_product(scores, weight, number, part);
        }
    }

    #[inline(always)]
    fn rule_out(&mut self, boards: u16x32) {
        for (part, scores) in self.iter_mut().enumerate() {
            let stays: f64x8 = cast(quarter(boards, part).simd_eq(u64x8::ZERO));
            *scores = stays.select(*scores, f64x8::splat(f64::NEG_INFINITY));
        }
    }

    #[inline(always)]
    fn improve(&mut self, marks: &mut [f64x8; 4], scores: &[f64x8; 4], mark: i16) {
        for part in 0..4 {
            improve_part(&mut self[part], &mut marks[part], scores[part], mark);
        }
    }
}

/// Scores of whole weights. The score of board `lane` is number `lane / 2` of vector `lane % 2`.
///
/// No feature of a low board is above 2,560 (ten squared heights of 16), so sums with weights of 16 bits fit in 32 bits.
impl Scores<u16x32> for [i32x16; 2] {
    #[inline(always)]
    fn splat(number: i16) -> [i32x16; 2] {
        [i32x16::splat(number.into()); 2]
    }

    #[inline(always)]
    fn lost() -> [i32x16; 2] {
        [i32x16::splat(i32::MIN); 2]
    }

    #[inline(always)]
    fn get(&self, lane: usize) -> f64 {
        match self[lane % 2].as_array()[lane / 2] {
            i32::MIN => f64::NEG_INFINITY,
            score => score.into(),
        }
    }

    #[inline(always)]
    fn weigh(&mut self, weight: &Weight, feature: u16x32) {
        let feature: i16x32 = cast(feature);
        // A product of pairs, in which one number of each pair counts 0, is the product of every other number.
        let weight = u32::from(weight.whole as u16);
        self[0] += feature.dot(cast(u32x16::splat(weight)));
        self[1] += feature.dot(cast(u32x16::splat(weight << 16)));
    }

    #[inline(always)]
    fn rule_out(&mut self, boards: u16x32) {
        let boards: u32x16 = cast(boards);
        for (scores, boards) in self.iter_mut().zip([boards & u32x16::splat(0xffff), boards >> 16]) {
            let stays: i32x16 = cast(boards.simd_eq(u32x16::ZERO));
            *scores = stays.select(*scores, i32x16::splat(i32::MIN));
        }
    }

    #[inline(always)]
    fn improve(&mut self, marks: &mut [i32x16; 2], scores: &[i32x16; 2], mark: i16) {
        for part in 0..2 {
            let better = scores[part].simd_gt(self[part]);
            self[part] = better.select(scores[part], self[part]);
            marks[part] = better.select(i32x16::splat(mark.into()), marks[part]);
        }
    }
}

/// The lowest 32 rows of 16 boards.
impl Lanes for u32x16 {
    const COUNT: usize = 16;
    const ROWS: u32 = 32;
    type Lane = u32;
    type Board = [u64; 16];

    #[inline(always)]
    fn splat(number: u16) -> u32x16 {
        u32x16::splat(number.into())
    }

    #[inline(always)]
    fn splat_rows(rows: u64) -> u32x16 {
        u32x16::splat((rows >> 32) as u32)
    }

    #[inline(always)]
    fn load(columns: &mut [u32x16], boards: &[&[u64; 16]]) {
        for (lane, board) in boards.iter().enumerate() {
            for (column, rows) in columns.iter_mut().zip(*board) {
                column.as_mut_array()[lane] = (rows >> 32) as u32;
            }
        }
    }

    #[inline(always)]
    fn get(&self, lane: usize) -> u32 {
        self.as_array()[lane]
    }

    #[inline(always)]
    fn set(&mut self, lane: usize, to: u32) {
        self.as_mut_array()[lane] = to;
    }

    #[inline(always)]
    fn plus(self, other: u32x16) -> u32x16 {
        self + other
    }

    #[inline(always)]
    fn minus(self, other: u32x16) -> u32x16 {
        self - other
    }

    #[inline(always)]
    fn above(self, other: u32x16) -> u32x16 {
        u32x16::max(self, other) - other
    }

    #[inline(always)]
    fn times(self, other: u32x16) -> u32x16 {
        self * other
    }

    #[inline(always)]
    fn min(self, other: u32x16) -> u32x16 {
        u32x16::min(self, other)
    }

    #[inline(always)]
    fn max(self, other: u32x16) -> u32x16 {
        u32x16::max(self, other)
    }

    #[inline(always)]
    fn ones(self) -> u32x16 {
        u32x16::new(self.to_array().map(u32::count_ones))
    }

    #[inline(always)]
    fn up(self, rows: u32x16) -> u32x16 {
        self.unbounded_shr(rows)
    }

    #[inline(always)]
    fn all_up(self, rows: u32) -> u32x16 {
        self >> rows
    }

    #[inline(always)]
    fn small_set(self) -> u32x16 {
        u32x16::splat(1).unbounded_shl(self) & u32x16::splat(0b11111)
    }

    #[inline(always)]
    fn boards(self) -> u32 {
        self.simd_ne(u32x16::ZERO).to_bitmask()
    }

    #[inline(always)]
    fn any(self) -> bool {
        self != u32x16::ZERO
    }
}

/// The score of board `lane` is number `lane / 2` of vector `lane % 2`.
impl Scores<u32x16> for [f64x8; 2] {
    #[inline(always)]
    fn splat(number: i16) -> [f64x8; 2] {
        [f64x8::splat(number.into()); 2]
    }

    #[inline(always)]
    fn lost() -> [f64x8; 2] {
        [f64x8::splat(f64::NEG_INFINITY); 2]
    }

    #[inline(always)]
    fn get(&self, lane: usize) -> f64 {
        self[lane % 2].as_array()[lane / 2]
    }

    #[inline(always)]
    fn weigh(&mut self, weight: &Weight, feature: u32x16) {
        for (scores, number) in self.iter_mut().zip(halves(feature)) {
            add_product(scores, weight, number, 0);
        }
    }

    #[inline(always)]
    fn rule_out(&mut self, boards: u32x16) {
        for (scores, boards) in self.iter_mut().zip(halves(boards)) {
            let stays: f64x8 = cast(boards.simd_eq(u64x8::ZERO));
            *scores = stays.select(*scores, f64x8::splat(f64::NEG_INFINITY));
        }
    }

    #[inline(always)]
    fn improve(&mut self, marks: &mut [f64x8; 2], scores: &[f64x8; 2], mark: i16) {
        for part in 0..2 {
            improve_part(&mut self[part], &mut marks[part], scores[part], mark);
        }
    }
}

/// Adds a weight times a feature. Its numbers are shifted up as [`POWERS`] expects them of this part.
#[inline(always)]
fn add_product(scores: &mut f64x8, weight: &Weight, number: u64x8, part: usize) {
    let factor = f64x8::splat(weight.weight);
    let sum: f64x8 = cast(number | u64x8::splat(POWERS[part].to_bits()));
    *scores += if cfg!(target_feature = "fma") {
        // w·(f + 2ⁿ) − w·2ⁿ, rounded once like w·f, since the second product is exact.
        sum.mul_add(factor, f64x8::splat(weight.offsets[part]))
    } else {
        (sum - f64x8::splat(POWERS[part])) * factor
    };
}

/// Where a score is better than the best, replaces the best and its mark.
#[inline(always)]
fn improve_part(best: &mut f64x8, marks: &mut f64x8, scores: f64x8, mark: i16) {
    let better = scores.simd_gt(*best);
    *best = better.select(scores, *best);
    *marks = better.select(f64x8::splat(mark.into()), *marks);
}

/// Every other number, widened to 64 bits.
#[inline(always)]
fn halves(numbers: u32x16) -> [u64x8; 2] {
    let numbers: u64x8 = cast(numbers);
    [numbers & u64x8::splat(0xffff_ffff), numbers >> 32]
}

/// Every fourth number, widened to 64 bits.
#[inline(always)]
fn quarter(numbers: u16x32, part: usize) -> u64x8 {
    (cast::<u16x32, u64x8>(numbers) >> (16 * part as u32)) & u64x8::splat(0xffff)
}
