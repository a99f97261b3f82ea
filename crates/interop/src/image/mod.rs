//! Games as images: a replay as an animated GIF, a position of it as a PNG.
//!
//! Images use few colours. Their size depends on the board, which has at most 16 columns and 40 rows, so it is bounded.

mod animation;
mod canvas;
mod layout;
mod letters;
mod palette;
mod still;

pub use animation::{MAX_SHOWN_PLACEMENTS, gif};
pub use still::{png, png_of_stage};

use tetrion_engine::replay::PlayError;
use tetrion_engine::words::counted;

/// Why there is no image.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ImageError {
    /// The replay does not verify.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// There is no such position.
    #[error(
        "the replay has {}, so there is no position after placement {wanted}",
        counted((*placements).into(), "placement")
    )]
    NoPosition {
        /// The placement asked for.
        wanted: u32,
        /// Placements in the replay.
        placements: u32,
    },
}
