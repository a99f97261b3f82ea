//! Fumen: the field diagrams that Tetris players share as text, such as `v115@vhARQJ`.
//!
//! A diagram is a list of [pages](Page). A page shows a [`FumenField`] of 10 columns and 23 rows with a garbage row below it, maybe
//! a piece somewhere (its *operation*), a comment, and flags. What the text holds of a page is what differs from the page that
//! [follows](Page::following) from the one before; a comment that begins with `#Q=` is a [`Quiz`], which moves on by itself.
//!
//! Versions 115 and 110 are read, 115 is written. What is read is checked: text that no editor writes gets a [`FumenError`].
//! Where the package *tetris-fumen* reads such text anyway, its result depends on accidents of its arrays.

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

/// The most pages that a diagram can have: several times what the longest known one has.
pub const MAX_PAGES: usize = 10_000;

/// Why text is no diagram, or why pages can't be written as one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FumenError {
    /// There is no `v115@` in it.
    #[error("this is not a fumen: it has no v115@ or v110@ in it")]
    NotAFumen,
    /// Another version than 115 or 110.
    #[error(
        "the fumen has version {0}, and only 115 and 110 can be read: open and save it in a current editor"
    )]
    Version(String),
    /// A character that stands for no digit.
    #[error("character {position} of the fumen's data is {character:?}, which no fumen has")]
    Character {
        /// From 1, after the `@`.
        position: usize,
        /// The character.
        character: char,
    },
    /// Nothing to read, or nothing to write.
    #[error("the fumen has no pages")]
    NoPages,
    /// More than [`MAX_PAGES`].
    #[error("the fumen has more than {MAX_PAGES} pages")]
    TooManyPages,
    /// The text ends too early.
    #[error("the fumen breaks off in page {page}: it was cut off, or characters were lost")]
    BreaksOff {
        /// From 1.
        page: usize,
    },
    /// The text ends where it says that pages follow.
    #[error("the fumen says that {missing} more pages follow after page {found}: it was cut off")]
    MissingPages {
        /// Pages that are there.
        found: usize,
        /// Pages that are not.
        missing: usize,
    },
    /// A run of cells that goes past the end of the field.
    #[error("the field of page {page} has more cells than a field: characters were added or changed")]
    Run {
        /// From 1.
        page: usize,
    },
    /// A number that is no colour.
    #[error(
        "the field of page {page} has a colour {colour}, and colours are 0 to 8: characters were changed"
    )]
    Colour {
        /// From 1.
        page: usize,
        /// The number.
        colour: i32,
    },
    /// More in the number for operation and flags than there can be.
    #[error("the flags of page {page} make no sense: characters were changed")]
    PageAction {
        /// From 1.
        page: usize,
    },
    /// A piece that is not on the field.
    #[error("the piece of page {page} stands outside the field")]
    Outside {
        /// From 1.
        page: usize,
    },
    /// Numbers that are no characters.
    #[error("the comment of page {page} makes no sense: characters were changed")]
    Comment {
        /// From 1.
        page: usize,
    },
    /// A comment that has no room.
    #[error(
        "the comment of page {page} takes {length} characters when escaped, and {} are the most: shorten it",
        comment::MAX_LENGTH
    )]
    CommentLength {
        /// From 1.
        page: usize,
        /// Its escaped length.
        length: usize,
    },
}
