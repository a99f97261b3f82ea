//! How Tetrion talks to others: the diagrams that players share, and games as images.
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
//! - [`fumen`]: diagrams, page by page, both ways;
//! - [`image`]: a replay as an animated GIF, a position as a PNG;
//! - [`stage`]: what stands on the board and waits beside it at each placement of a replay, for both.
//!
//! Nothing here reads a clock or a file, and no thread is started.

pub mod fumen;
pub mod image;
pub mod stage;
