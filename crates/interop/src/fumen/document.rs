//! Pages as a document with named fields, for other programs.

use super::field::{draw_row, read_row};
use super::{FieldError, Flags, FumenCell, FumenError, FumenField, MAX_PAGES, Page, Rotation, comment};
use serde::{Deserialize, Serialize};
use tetrion_engine::location::PieceLocation;
use tetrion_engine::piece::Piece;

/// Pages as a document. The names are those of the package *tetris-fumen*.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Document {
    /// The pages, in order.
    pub pages: Vec<PageDocument>,
}

/// A page of a document. Missing fields are as the page before [leaves](Page::following) them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PageDocument {
    /// The rows of the field, from the top. Empty rows at the top are optional.
    #[serde(default)]
    pub field: Option<Vec<String>>,
    /// The garbage row.
    #[serde(default)]
    pub garbage: Option<String>,
    /// The piece, if there is one.
    #[serde(default)]
    pub operation: Option<OperationDocument>,
    /// The comment.
    #[serde(default)]
    pub comment: Option<String>,
    /// The flags.
    #[serde(default)]
    pub flags: FlagsDocument,
}

/// A piece and its location.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OperationDocument {
    #[serde(rename = "type")]
    piece: Piece,
    rotation: Rotation,
    x: i8,
    y: i8,
}

/// Flags, where given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FlagsDocument {
    lock: Option<bool>,
    mirror: Option<bool>,
    colorize: Option<bool>,
    rise: Option<bool>,
    quiz: Option<bool>,
}

/// Why a document can't be turned into pages.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DocumentError {
    /// An invalid field.
    #[error("page {page}: {reason}")]
    FumenField {
        /// From 1.
        page: usize,
        /// The reason.
        reason: FieldError,
    },
    /// Too many pages, or too long a comment.
    #[error(transparent)]
    Room(#[from] FumenError),
}

impl Document {
    /// The document of these pages. It leaves out empty rows at the top, and nothing else.
    pub fn new(pages: &[Page]) -> Document {
        Document { pages: pages.iter().map(PageDocument::new).collect() }
    }

    /// The pages of the document.
    pub fn pages(&self) -> Result<Vec<Page>, DocumentError> {
        // Pages repeat what they don't change, so check lengths before repeating.
        if self.pages.len() > MAX_PAGES {
            return Err(FumenError::TooManyPages.into());
        }
        let mut pages: Vec<Page> = Vec::new();
        for (index, document) in self.pages.iter().enumerate() {
            let number = index + 1;
            if let Some(comment) = &document.comment {
                comment::escape_page(number, comment)?;
            }
            let implied = pages.last().map(Page::following).unwrap_or_default();
            let page = document
                .page(implied)
                .map_err(|reason| DocumentError::FumenField { page: number, reason })?;
            pages.push(page);
        }
        Ok(pages)
    }
}

impl PageDocument {
    fn new(page: &Page) -> PageDocument {
        let Flags { lock, mirror, colorize, rise, quiz } = page.flags;
        let rows = (0..page.field.stack_height()).rev();
        let row = |y| draw_row(&std::array::from_fn(|x| page.field.cell(x, y)));
        PageDocument {
            field: Some(rows.map(row).collect()),
            garbage: Some(draw_row(&page.field.garbage())),
            operation: page.operation.map(OperationDocument::from),
            comment: Some(page.comment.clone()),
            flags: FlagsDocument {
                lock: Some(lock),
                mirror: Some(mirror),
                colorize: Some(colorize),
                rise: Some(rise),
                quiz: Some(quiz),
            },
        }
    }

    fn page(&self, implied: Page) -> Result<Page, FieldError> {
        let mut field = match &self.field {
            None => implied.field,
            Some(rows) => rows.join("\n").parse()?,
        };
        match &self.garbage {
            Some(row) => field.set_garbage(read_row(row).map_err(FieldError::Width)?),
            None if self.field.is_some() => field.set_garbage([FumenCell::Empty; FumenField::WIDTH]),
            None => {}
        }
        let FlagsDocument { lock, mirror, colorize, rise, quiz } = self.flags;
        let comment = self.comment.as_ref().unwrap_or(&implied.comment).clone();
        let implied_quiz = if comment == implied.comment {
            implied.flags.quiz
        } else {
            super::Quiz::parse(&comment).is_some()
        };
        Ok(Page {
            field,
            operation: self.operation.map(PieceLocation::from),
            comment,
            flags: Flags {
                lock: lock.unwrap_or(true),
                mirror: mirror.unwrap_or(false),
                colorize: colorize.unwrap_or(implied.flags.colorize),
                rise: rise.unwrap_or(false),
                quiz: quiz.unwrap_or(implied_quiz),
            },
        })
    }
}

impl From<PieceLocation> for OperationDocument {
    fn from(PieceLocation { piece, orientation, x, y }: PieceLocation) -> OperationDocument {
        OperationDocument { piece, rotation: orientation.into(), x, y }
    }
}

impl From<OperationDocument> for PieceLocation {
    fn from(OperationDocument { piece, rotation, x, y }: OperationDocument) -> PieceLocation {
        PieceLocation { piece, orientation: rotation.into(), x, y }
    }
}
