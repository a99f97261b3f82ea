//! Makes the chosen placements of a batch on all its boards at once.

use super::field::LowField;
use super::kernel::KernelChoice;
use super::lanes::{LOW_WIDTH, Lanes};
use super::shape::KernelShape;
use super::stack::{Stack, WALL, covered};
use tetrion_engine::piece::Piece;
use wide::bytemuck::cast;
use wide::{i16x8, u16x32};

const LANES: usize = <u16x32 as Lanes>::COUNT;

/// The boards after the pieces dropped and full rows were cleared.
pub(super) struct Fallen {
    pub(super) fields: [LowField; LANES],
    pub(super) lines: [u16; LANES],
    /// The lanes whose boards have holes, one bit each.
    pub(super) with_holes: u32,
    /// The heights of the stacks.
    pub(super) heights: [u16; LANES],
}

/// The highest stack for the lanes: a piece on top of it still fits in their rows.
pub(super) const MAX_STACK: u32 = u16x32::ROWS - 4;

/// Columns reserved for each shape in the tables. A shape uses at most four; the others are empty.
const COLUMNS_PER_SHAPE: usize = 8;

impl Fallen {
    /// Drops the piece on each stack as chosen. Lanes without a choice hold arbitrary boards.
    #[inline(always)]
    pub(super) fn new(
        stack: &Stack<u16x32>,
        piece: Piece,
        choices: &[Option<KernelChoice>; LANES],
    ) -> Fallen {
        let mut bottoms = [u16::MAX; 4 * COLUMNS_PER_SHAPE];
        let mut cells = [0; 4 * COLUMNS_PER_SHAPE];
        for (orientation, shape) in KernelShape::all(piece).iter().enumerate() {
            for x in 0..shape.width {
                bottoms[COLUMNS_PER_SHAPE * orientation + x] = shape.bottoms[x];
                cells[COLUMNS_PER_SHAPE * orientation + x] = (shape.cells[x] >> 48) as u16;
            }
        }
        let (bottoms, cells) = (u16x32::new(bottoms), u16x32::new(cells));
        let left = choices.map(|choice| choice.map_or(0, |choice| u16::from(choice.x)));
        let left = u16x32::new(left);
        let shapes = choices.map(|choice| choice.map_or(0, |choice| u16::from(choice.orientation)));
        let shapes = u16x32::new(shapes) * u16x32::splat(COLUMNS_PER_SHAPE as u16);

        // Where each board finds the column of its shape in the tables. Left and right of the shape it finds an empty column.
        let mut places = [shapes; LOW_WIDTH];
        let mut row = u16x32::ZERO;
        for x in 0..LOW_WIDTH {
            let within =
                Lanes::min(u16x32::splat(x as u16) - left, u16x32::splat(COLUMNS_PER_SHAPE as u16 - 1));
            places[x] = shapes + within;
            row = Lanes::max(row, stack.heights[WALL + x].above(bottoms.shuffle(places[x])));
        }
        let mut columns = [u16x32::ZERO; LOW_WIDTH];
        let mut full = !u16x32::ZERO;
        for x in 0..LOW_WIDTH {
            columns[x] = stack.columns[WALL + x] | cells.shuffle(places[x]).up(row);
            full &= columns[x];
        }
        clear_rows(&mut columns, full);
        let (mut filled, mut holes) = (u16x32::ZERO, u16x32::ZERO);
        for column in columns {
            filled |= column;
            holes |= covered(column) & !column;
        }
        Fallen {
            fields: transpose(&columns),
            lines: full.ones().to_array(),
            with_holes: holes.boards(),
            heights: covered(filled).ones().to_array(),
        }
    }
}

/// Removes full rows from the boards; the rows above them move down.
#[inline(always)]
pub(super) fn clear_rows<L: Lanes>(columns: &mut [L], full: L) {
    let mut left = full;
    while left.any() {
        // From the top, so that the other full rows stay where they are. Finished boards have none left.
        let row = left & L::splat(0).minus(left);
        left = left ^ row;
        let above = row.above(L::splat(1));
        for column in columns.iter_mut() {
            // The row is full, so it can be subtracted; a set of rows added to itself moves down.
            *column = column.minus(row).plus(*column & above);
        }
    }
}

/// Transposes columns side by side into single boards.
#[inline(always)]
fn transpose(columns: &[u16x32; LOW_WIDTH]) -> [LowField; LANES] {
    let mut fields = [LowField::EMPTY; LANES];
    for (part, fields) in fields.chunks_exact_mut(8).enumerate() {
        let eight = |x: usize| cast::<u16x32, [i16x8; 4]>(columns[x])[part];
        let left = i16x8::transpose(std::array::from_fn(eight));
        let right = [eight(8).to_array(), eight(9).to_array()];
        for (lane, field) in fields.iter_mut().enumerate() {
            let right = i16x8::new([right[0][lane], right[1][lane], 0, 0, 0, 0, 0, 0]);
            field.0 = cast([left[lane], right]);
        }
    }
    fields
}
