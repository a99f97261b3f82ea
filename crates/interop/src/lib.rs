//! Exchange with other tools: fumen diagrams, games as images, and bots.
//!
//! ```
//! use tetrion_interop::fumen;
//!
//! let pages = fumen::decode("v115@vhARQJ")?;
//! assert_eq!(pages[0].operation.map(|operation| operation.piece.letter()), Some('I'));
//! assert_eq!(fumen::encode(&pages)?, "v115@vhARQJ");
//! # Ok::<(), fumen::FumenError>(())
//! ```
//!
//! - [`fumen`]: reads and writes diagrams, page by page;
//! - [`image`]: a replay as an animated GIF, a position as a PNG;
//! - [`stage`]: the board, hold and queue before each placement of a replay, for both;
//! - [`tbp`]: the Tetris Bot Protocol, for our bots and for those of others.
//!
//! Nothing here reads a clock or a file, or starts a thread, except for the bots of others, which the page can't run.

pub mod fumen;
pub mod image;
pub mod stage;
pub mod tbp;
