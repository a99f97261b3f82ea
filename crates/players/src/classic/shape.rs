//! The outlines of the pieces, as a straight drop needs them.

use std::sync::LazyLock;
use tetrion_engine::piece::{Orientation, Piece};

/// A piece in one orientation. In every column its cells form one run.
#[derive(Clone, Copy, Debug)]
pub(super) struct KernelShape {
    pub(super) width: usize,
    pub(super) height: u16,
    /// The row of the lowest cell in each column, from the left. Columns beyond the width have `u16::MAX`.
    pub(super) bottoms: [u16; 4],
    /// The row above the highest cell in each column.
    pub(super) tops: [u16; 4],
    /// The cells of each column when the shape is on the floor, upside down: the bottom row is the highest bit.
    pub(super) cells: [u64; 4],
}

/// The distinct shapes of each piece, in the order of its orientations.
static SHAPES_BY_PIECE: LazyLock<[Vec<KernelShape>; 7]> = LazyLock::new(|| {
    Piece::ALL.map(|piece| {
        let orientations = piece.distinct_orientations();
        orientations.iter().map(|facing| KernelShape::new(piece, *facing)).collect()
    })
});

impl KernelShape {
    /// The distinct shapes of a piece, in the order of its orientations.
    pub(super) fn all(piece: Piece) -> &'static [KernelShape] {
        &SHAPES_BY_PIECE[piece as usize]
    }

    fn new(piece: Piece, orientation: Orientation) -> KernelShape {
        let cells = piece.cells(orientation);
        let left = cells.iter().fold(i8::MAX, |left, cell| left.min(cell.0));
        let low = cells.iter().fold(i8::MAX, |low, cell| low.min(cell.1));
        let mut shape =
            KernelShape { width: 0, height: 0, bottoms: [u16::MAX; 4], tops: [0; 4], cells: [0; 4] };
        for (x, y) in cells {
            let (x, y) = ((x - left) as usize, (y - low) as u16);
            shape.width = shape.width.max(x + 1);
            shape.height = shape.height.max(y + 1);
            shape.bottoms[x] = shape.bottoms[x].min(y);
            shape.tops[x] = shape.tops[x].max(y + 1);
            shape.cells[x] |= 1 << 63 >> y;
        }
        shape
    }
}
