//! A column of cells as the move generator sees it: one board's, or the same column of 32 boards at once.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};
use wide::bytemuck::cast;
use wide::{i16x32, u16x32};

/// A set of rows, or 32 of them side by side. Bit 0 is the bottom row.
pub(crate) trait Column:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self> + BitAndAssign + BitOrAssign
{
    /// No row.
    const NONE: Self;
    /// Every row.
    const ALL: Self;
    /// The number of rows in the set.
    const ROWS: u32;
    /// Whether floods are inlined, which is faster but takes long to compile.
    const INLINE_FLOODS: bool;

    /// Every row moved up; the rows that come in at the bottom are not in the set.
    fn up(self, rows: u32) -> Self;
    /// Every row moved down; the rows that come in at the top are not in the set.
    fn down(self, rows: u32) -> Self;
    /// Every row moved down; the rows that come in at the top are copies of the top row, so that walls never end.
    fn down_from_endless(self, rows: u32) -> Self;
    /// Whether the set is not empty.
    fn any(self) -> bool;

    /// Every row moved up, or down if negative.
    #[inline(always)]
    fn moved(self, rows: i8) -> Self {
        if rows >= 0 { self.up(rows as u32) } else { self.down(rows.unsigned_abs() as u32) }
    }

    /// The rows with a filled cell this many rows above, or below if negative. The floor counts as filled.
    #[inline(always)]
    fn seen_from(self, rows: i8) -> Self {
        if rows >= 0 { self.down_from_endless(rows as u32) } else { !(!self).up(rows.unsigned_abs() as u32) }
    }

    /// The rows that are in the set, and those below them.
    #[inline(always)]
    fn and_below(self) -> Self {
        let mut all = self;
        let mut rows = 1;
        while rows < Self::ROWS {
            all |= all.down(rows);
            rows *= 2;
        }
        all
    }
}

impl Column for u64 {
    const NONE: u64 = 0;
    const ALL: u64 = u64::MAX;
    const ROWS: u32 = 64;
    const INLINE_FLOODS: bool = false;

    #[inline(always)]
    fn up(self, rows: u32) -> u64 {
        self << rows
    }

    #[inline(always)]
    fn down(self, rows: u32) -> u64 {
        self >> rows
    }

    #[inline(always)]
    fn down_from_endless(self, rows: u32) -> u64 {
        (self as i64 >> rows) as u64
    }

    #[inline(always)]
    fn any(self) -> bool {
        self != 0
    }
}

/// The lowest 16 rows of the same column of 32 boards, in vectors as wide as the machine's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub(crate) struct BatchColumn(u16x32);

impl BatchColumn {
    /// Boards side by side.
    pub(crate) const BOARDS: usize = 32;

    #[inline(always)]
    pub(crate) fn new(lanes: [u16; BatchColumn::BOARDS]) -> BatchColumn {
        BatchColumn(u16x32::new(lanes))
    }

    #[inline(always)]
    pub(crate) fn as_array(&self) -> &[u16; BatchColumn::BOARDS] {
        self.0.as_array()
    }

    #[inline(always)]
    pub(crate) fn as_mut_array(&mut self) -> &mut [u16; BatchColumn::BOARDS] {
        self.0.as_mut_array()
    }

    /// Fills the lanes that are empty, and empties the others.
    #[inline(always)]
    pub(crate) fn where_none(self) -> BatchColumn {
        BatchColumn(self.0.simd_eq(u16x32::ZERO))
    }

    /// One bit for each lane: whether its top row is in the set.
    #[inline(always)]
    pub(crate) fn to_bits(self) -> u32 {
        self.0.to_bitmask()
    }

    /// The number of rows in each set.
    #[inline(always)]
    pub(crate) fn ones(self) -> BatchColumn {
        BatchColumn::new(self.0.to_array().map(|rows| rows.count_ones() as u16))
    }

    /// Each lane as a number, added to the other's.
    #[inline(always)]
    pub(crate) fn plus(self, other: BatchColumn) -> BatchColumn {
        BatchColumn(self.0 + other.0)
    }

    /// All lanes as numbers, added up.
    #[inline(always)]
    pub(crate) fn sum(self) -> u64 {
        self.as_array().iter().map(|lane| u64::from(*lane)).sum()
    }
}

impl BitAnd for BatchColumn {
    type Output = BatchColumn;
    #[inline(always)]
    fn bitand(self, other: BatchColumn) -> BatchColumn {
        BatchColumn(self.0 & other.0)
    }
}

impl BitOr for BatchColumn {
    type Output = BatchColumn;
    #[inline(always)]
    fn bitor(self, other: BatchColumn) -> BatchColumn {
        BatchColumn(self.0 | other.0)
    }
}

impl Not for BatchColumn {
    type Output = BatchColumn;
    #[inline(always)]
    fn not(self) -> BatchColumn {
        BatchColumn(!self.0)
    }
}

impl BitAndAssign for BatchColumn {
    #[inline(always)]
    fn bitand_assign(&mut self, other: BatchColumn) {
        *self = *self & other;
    }
}

impl BitOrAssign for BatchColumn {
    #[inline(always)]
    fn bitor_assign(&mut self, other: BatchColumn) {
        *self = *self | other;
    }
}

impl Column for BatchColumn {
    const NONE: BatchColumn = BatchColumn(u16x32::new([0; BatchColumn::BOARDS]));
    const ALL: BatchColumn = BatchColumn(u16x32::new([u16::MAX; BatchColumn::BOARDS]));
    const ROWS: u32 = 16;
    const INLINE_FLOODS: bool = true;

    #[inline(always)]
    fn up(self, rows: u32) -> BatchColumn {
        BatchColumn(self.0 << rows)
    }

    #[inline(always)]
    fn down(self, rows: u32) -> BatchColumn {
        BatchColumn(self.0 >> rows)
    }

    #[inline(always)]
    fn down_from_endless(self, rows: u32) -> BatchColumn {
        let signed: i16x32 = cast(self.0);
        BatchColumn(cast(signed >> rows))
    }

    #[inline(always)]
    fn any(self) -> bool {
        self.0 != u16x32::ZERO
    }
}
