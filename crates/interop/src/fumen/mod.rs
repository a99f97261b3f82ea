//! Fumen: the field diagrams that Tetris players share as text, such as `v115@vhARQJ`.
//!
//! A diagram is a list of [pages](Page). A page shows a [`FumenField`] of 10 columns and 23 rows with a garbage row below it, maybe
//! a piece (its *operation*), a comment, and flags. The text only stores how each page differs from the one that
//! [follows](Page::following) from the page before. A comment that begins with `#Q=` is a [`Quiz`], which advances by itself.
//!
//! Reads versions 115 and 110, and writes 115. Text that no editor writes gets a [`FumenError`]. The package *tetris-fumen*
//! accepts some of it, with results that depend on accidents of its arrays.

mod action;
mod comment;
mod decoder;
mod digits;
mod document;
mod encoder;
mod field;
mod page;
mod quiz;
mod record;

pub use decoder::decode;
pub use document::{Document, PageDocument};
pub use encoder::encode;
pub use field::{FieldError, FumenCell, FumenField};
pub use page::{Flags, Page, PageSetup};
pub use quiz::Quiz;
pub use record::{RecordError, pages_of_replay};

use action::Rotation;

/// The greatest number of pages, several times that of the longest known diagram.
pub const MAX_PAGES: usize = 10_000;

/// Why text can't be read as a diagram, or pages can't be written as one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FumenError {
    /// It has no `v115@`.
    #[error("this is not a fumen: it contains no v115@ or v110@")]
    NotAFumen,
    /// Another version than 115 or 110.
    #[error(
        "the fumen has version {0}, but only 115 and 110 can be read: open and save it in a current editor"
    )]
    Version(String),
    /// A character that is not a digit of the encoding.
    #[error("character {position} of the fumen's data is {character:?}, which is not allowed there")]
    Character {
        /// From 1, after the `@`.
        position: usize,
        /// The character.
        character: char,
    },
    /// No pages to read or to write.
    #[error("the fumen has no pages")]
    NoPages,
    /// More than [`MAX_PAGES`].
    #[error("the fumen has more than {MAX_PAGES} pages")]
    TooManyPages,
    /// The text ends too early.
    #[error("the fumen breaks off in page {page}: the end or some characters are missing")]
    BreaksOff {
        /// From 1.
        page: usize,
    },
    /// The text ends before the last page that it announces.
    #[error("the fumen ends after page {found} and announces {missing} more: its end is missing")]
    MissingPages {
        /// Pages found.
        found: usize,
        /// Pages missing.
        missing: usize,
    },
    /// A run of cells past the end of the field.
    #[error("the field of page {page} has too many cells: some characters were added or changed")]
    Run {
        /// From 1.
        page: usize,
    },
    /// A number that is not a colour.
    #[error(
        "the field of page {page} has the colour {colour}, but colours are 0 to 8: some characters were changed"
    )]
    Colour {
        /// From 1.
        page: usize,
        /// The number.
        colour: i32,
    },
    /// The number for operation and flags is too large.
    #[error("the flags of page {page} are invalid: some characters were changed")]
    PageAction {
        /// From 1.
        page: usize,
    },
    /// A piece outside the field.
    #[error("the piece of page {page} is outside the field")]
    Outside {
        /// From 1.
        page: usize,
    },
    /// Numbers that are not characters.
    #[error("the comment of page {page} is invalid: some characters were changed")]
    Comment {
        /// From 1.
        page: usize,
    },
    /// A comment that is too long.
    #[error(
        "the comment of page {page} has {length} characters when escaped, but the limit is {}: shorten it",
        comment::MAX_ESCAPED_LENGTH
    )]
    CommentLength {
        /// From 1.
        page: usize,
        /// Its escaped length.
        length: usize,
    },
}
