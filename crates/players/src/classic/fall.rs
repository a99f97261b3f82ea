//! The chosen placements of a batch, made on all its boards at once.

use super::field::LowField;
use super::kernel::KernelChoice;
use super::lanes::{LOW_WIDTH, Lanes};
use super::shape::KernelShape;
use super::stack::{Stack, WALL, covered};
use tetrion_engine::piece::Piece;
use wide::bytemuck::cast;
use wide::{i16x8, u16x32};

const LANES: usize = <u16x32 as Lanes>::COUNT;

/// The boards after the pieces fell and full rows were cleared.
pub(super) struct Fallen {
    pub(super) fields: [LowField; LANES],
    pub(super) lines: [u16; LANES],
    /// The lanes whose boards have holes, one bit each.
    pub(super) with_holes: u32,
    /// The heights of the stacks.
    pub(super) heights: [u16; LANES],
}

/// The highest stack that the lanes take: a piece on it stays within their rows.
pub(super) const MAX_STACK: u32 = u16x32::ROWS - 4;

/// Columns of room that each shape has in the tables, of which it takes four at most.
const ROOM: usize = 8;

impl Fallen {
    /// Lets the piece fall as chosen on each of the stacks. What becomes of lanes without a choice does not matter.
    #[inline(always)]
    pub(super) fn new(
        stack: &Stack<u16x32>,
        piece: Piece,
        choices: &[Option<KernelChoice>; LANES],
    ) -> Fallen {
        let mut bottoms = [u16::MAX; 4 * ROOM];
        let mut cells = [0; 4 * ROOM];
        for (orientation, shape) in KernelShape::all(piece).iter().enumerate() {
            for x in 0..shape.width {
                bottoms[ROOM * orientation + x] = shape.bottoms[x];
                cells[ROOM * orientation + x] = (shape.cells[x] >> 48) as u16;
            }
        }
        let (bottoms, cells) = (u16x32::new(bottoms), u16x32::new(cells));
        let left = choices.map(|choice| choice.map_or(0, |choice| u16::from(choice.x)));
        let left = u16x32::new(left);
        let shapes = choices.map(|choice| choice.map_or(0, |choice| u16::from(choice.orientation)));
        let shapes = u16x32::new(shapes) * u16x32::splat(ROOM as u16);

        // Where each board finds a column of its shape; to the left and the right of it, in the room that is empty.
        let mut places = [shapes; LOW_WIDTH];
        let mut row = u16x32::ZERO;
        for x in 0..LOW_WIDTH {
            let within = Lanes::min(u16x32::splat(x as u16) - left, u16x32::splat(ROOM as u16 - 1));
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
            fields: turn(&columns),
            lines: full.ones().to_array(),
            with_holes: holes.boards(),
            heights: covered(filled).ones().to_array(),
        }
    }
}

/// Takes full rows out of the boards; what is above them moves down.
#[inline(always)]
pub(super) fn clear_rows<L: Lanes>(columns: &mut [L], full: L) {
    let mut left = full;
    while left.any() {
        // From the top, so that the rows still to go keep their place. Boards that are done have no such row.
        let row = left & L::splat(0).minus(left);
        left = left ^ row;
        let above = row.above(L::splat(1));
        for column in columns.iter_mut() {
            // The row is full, so it can be subtracted; a set of rows added to itself moves down.
            *column = column.minus(row).plus(*column & above);
        }
    }
}

/// The boards one by one, from their columns side by side.
#[inline(always)]
fn turn(columns: &[u16x32; LOW_WIDTH]) -> [LowField; LANES] {
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
