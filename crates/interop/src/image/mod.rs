//! Games as images: a replay as an animated GIF, a position of it as a PNG.
//!
//! Images are drawn in few colours and are as large as the board asks for, which is at most 16
//! columns and 40 rows: there is a bound on everything.

mod animation;
mod canvas;
mod layout;
mod letters;
mod palette;
mod still;

pub use animation::{MOST_PLACEMENTS, gif};
pub use still::{png, png_of_stage};

use tetrion_engine::replay::PlayError;
use tetrion_engine::words::counted;

/// Why there is no image.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ImageError {
    /// The replay is not true.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// There is no such position.
    #[error(
        "the replay has {}, so there is none numbered {wanted}",
        counted((*placements).into(), "placement")
    )]
    NoPosition {
        /// The placement asked for.
        wanted: u32,
        /// Placements that there are.
        placements: u32,
    },
}
