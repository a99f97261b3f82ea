//! The cells of a field with 24 rows: a number of 256 bits.

use crate::blitz::field::{COLUMNS, Cells};
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not, Shl, Shr};

/// A number of 256 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Wide {
    // The order of the fields makes the derived order that of numbers.
    high: u128,
    low: u128,
}

impl BitAnd for Wide {
    type Output = Wide;

    #[inline]
    fn bitand(self, other: Wide) -> Wide {
        Wide { high: self.high & other.high, low: self.low & other.low }
    }
}

impl BitOr for Wide {
    type Output = Wide;

    #[inline]
    fn bitor(self, other: Wide) -> Wide {
        Wide { high: self.high | other.high, low: self.low | other.low }
    }
}

impl BitAndAssign for Wide {
    #[inline]
    fn bitand_assign(&mut self, other: Wide) {
        *self = *self & other;
    }
}

impl BitOrAssign for Wide {
    #[inline]
    fn bitor_assign(&mut self, other: Wide) {
        *self = *self | other;
    }
}

impl Not for Wide {
    type Output = Wide;

    #[inline]
    fn not(self) -> Wide {
        Wide { high: !self.high, low: !self.low }
    }
}

impl Shl<usize> for Wide {
    type Output = Wide;

    #[inline]
    fn shl(self, by: usize) -> Wide {
        match by {
            0 => self,
            1..128 => Wide { high: self.high << by | self.low >> (128 - by), low: self.low << by },
            _ => Wide { high: self.low << (by - 128), low: 0 },
        }
    }
}

impl Shr<usize> for Wide {
    type Output = Wide;

    #[inline]
    fn shr(self, by: usize) -> Wide {
        match by {
            0 => self,
            1..128 => Wide { high: self.high >> by, low: self.low >> by | self.high << (128 - by) },
            _ => Wide { high: 0, low: self.high >> (by - 128) },
        }
    }
}

/// The cells of every tenth bit, from one on.
const fn every_row(first: usize) -> Wide {
    let (mut column, mut at) = (Wide { high: 0, low: 0 }, first);
    while at < COLUMNS * Wide::ROWS {
        if at < 128 {
            column.low |= 1 << at;
        } else {
            column.high |= 1 << (at - 128);
        }
        at += COLUMNS;
    }
    column
}

impl Cells for Wide {
    const ROWS: usize = 24;
    const HAVE_GARBAGE: bool = true;
    const NONE: Wide = Wide { high: 0, low: 0 };
    const FIRST: Wide = Wide { high: 0, low: 1 };
    const ROW: Wide = Wide { high: 0, low: u128::ROW };
    const ALL: Wide = Wide { high: (1 << (COLUMNS * Self::ROWS - 128)) - 1, low: u128::MAX };
    const FIRST_COLUMN: Wide = every_row(0);
    const LAST_COLUMN: Wide = every_row(COLUMNS - 1);

    #[inline]
    fn count(self) -> u32 {
        self.high.count_ones() + self.low.count_ones()
    }

    #[inline]
    fn lowest(self) -> usize {
        if self.low == 0 { 128 + self.high.lowest() } else { self.low.lowest() }
    }

    #[inline]
    fn end(self) -> usize {
        if self.high == 0 { self.low.end() } else { 128 + self.high.end() }
    }

    #[inline]
    fn without_lowest(self) -> Wide {
        if self.low == 0 {
            Wide { high: self.high.without_lowest(), low: 0 }
        } else {
            Wide { high: self.high, low: self.low.without_lowest() }
        }
    }

    #[inline]
    fn low(self) -> u64 {
        self.low as u64
    }

    #[inline]
    fn from_low(low: u64) -> Wide {
        Wide { high: 0, low: low.into() }
    }

    #[inline]
    fn scattered(self) -> u64 {
        (self.low.scattered() ^ self.high.scattered().rotate_left(32)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
            >> 20
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blitz::field::tests::check_placements;
    use tetrion_engine::randomizer::Random;

    /// The bits as a list.
    fn bits(cells: Wide) -> Vec<bool> {
        (0..256)
            .map(|at| if at < 128 { cells.low >> at & 1 } else { cells.high >> (at - 128) & 1 } == 1)
            .collect()
    }

    fn random_cells(random: &mut Random) -> Wide {
        let mut part = || (0..4).fold(0, |part: u128, _| part << 32 | u128::from(random.below(1 << 32)));
        Wide { high: part() & part(), low: part() & part() }
    }

    #[test]
    fn shifts_and_counts_are_those_of_a_list_of_bits() {
        let mut random = Random::new(7);
        for round in 0..2_000 {
            let cells = random_cells(&mut random) >> random.below(256) as usize;
            let list = bits(cells);
            let by = round % 256;
            let left: Vec<bool> = (0..256).map(|at| at >= by && list[at - by]).collect();
            let right: Vec<bool> = (0..256).map(|at| at + by < 256 && list[at + by]).collect();
            assert_eq!((bits(cells << by), bits(cells >> by)), (left, right));
            assert_eq!(cells.count() as usize, list.iter().filter(|bit| **bit).count());
            assert_eq!(cells.end(), list.iter().rposition(|bit| *bit).map_or(0, |at| at + 1));
            if let Some(lowest) = list.iter().position(|bit| *bit) {
                assert_eq!(cells.lowest(), lowest);
                assert_eq!(cells.without_lowest() | Wide::cell(lowest), cells);
                assert_ne!(cells.without_lowest(), cells);
            }
        }
    }

    #[test]
    fn columns_and_rows_are_where_they_belong() {
        for y in 0..Wide::ROWS {
            let row = Wide::ROW << (COLUMNS * y);
            assert_eq!((row & Wide::ALL, (row & Wide::FIRST_COLUMN).lowest()), (row, COLUMNS * y));
            assert_eq!((row & Wide::LAST_COLUMN).lowest(), COLUMNS * y + COLUMNS - 1);
        }
        assert_eq!((Wide::ALL.count(), Wide::FIRST_COLUMN.count(), Wide::LAST_COLUMN.count()), (240, 24, 24));
    }

    #[test]
    fn placements_do_the_same_on_a_wide_field_as_on_a_board() {
        check_placements::<Wide>();
    }
}
