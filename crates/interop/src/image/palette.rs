//! The few colours that images are drawn in.

use tetrion_engine::piece::Piece;

/// A colour, by its number in the palette.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ink(pub u8);

/// Transparent: shows what was there before.
pub const TRANSPARENT: Ink = Ink(0);
/// Around everything.
pub const BACKGROUND: Ink = Ink(1);
/// The empty board.
pub const BOARD: Ink = Ink(2);
/// Between its cells.
pub const GRID: Ink = Ink(3);
/// Around it.
pub const FRAME: Ink = Ink(4);
/// Words.
pub const LABEL: Ink = Ink(5);
/// Numbers.
pub const TEXT: Ink = Ink(6);
/// The first of the blocks' colours.
const BLOCKS: u8 = 8;

/// The colours of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shades {
    /// Its upper edge.
    pub light: Ink,
    /// Itself.
    pub body: Ink,
    /// Its lower edge.
    pub dark: Ink,
}

/// The colours of a piece's blocks, or of blocks without a piece.
pub fn shades(piece: Option<Piece>) -> Shades {
    let first = BLOCKS + 3 * piece.map_or(7, |piece| piece as u8);
    Shades { light: Ink(first), body: Ink(first + 1), dark: Ink(first + 2) }
}

/// The colours of a block in a row that is about to be cleared.
pub fn bright(piece: Option<Piece>) -> Shades {
    let Shades { light, body, .. } = shades(piece);
    Shades { light: TEXT, body: light, dark: body }
}

/// The guideline's colours, a little muted, in the order of the pieces; then that of garbage.
const BODIES: [u32; 8] = [0x4bb3c4, 0x5272c4, 0xd58b4b, 0xd4b955, 0x67b069, 0x9a6bc2, 0xcc5f5f, 0x78808f];

/// The palette of 32 colours as red, green and blue bytes.
pub fn bytes() -> Vec<u8> {
    let fixed = [0x000000, 0x12141a, 0x191c24, 0x21252f, 0x3a4150, 0x7f899b, 0xdde1e9, 0x000000];
    let blocks = BODIES.into_iter().flat_map(|body| [mixed(body, 0xff, 72), body, mixed(body, 0, 64)]);
    fixed.into_iter().chain(blocks).flat_map(channels).collect()
}

fn channels(colour: u32) -> [u8; 3] {
    [16, 8, 0].map(|shift| (colour >> shift) as u8)
}

/// A colour mixed with a value: `share` is that value's part in 256ths.
fn mixed(colour: u32, value: u32, share: u32) -> u32 {
    let mixed = channels(colour).map(|channel| (u32::from(channel) * (256 - share) + value * share) / 256);
    mixed.into_iter().fold(0, |colour, channel| colour * 256 + channel)
}
