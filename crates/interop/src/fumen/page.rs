//! A page of a diagram, and the page that follows from it.

use super::field::{FieldError, FumenField};
use super::quiz::{Caption, Quiz};
use serde::{Deserialize, Serialize};
use tetrion_engine::board::{Board, BoardError};
use tetrion_engine::location::PieceLocation;
use tetrion_engine::piece::{Piece, parse_queue};

/// A page: what it shows, and how it changes the next.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// The field, before the operation.
    pub field: FumenField,
    /// The piece and its location, with the engine's rotation centre.
    pub operation: Option<PieceLocation>,
    /// The comment, which may be a [`Quiz`].
    pub comment: String,
    /// How the page changes the next.
    pub flags: Flags,
}

/// The flags of a page. The default is for a first page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flags {
    /// Whether the piece locks and full rows are cleared. Only then can the field rise or be mirrored.
    pub lock: bool,
    /// Whether the field is mirrored for the next page.
    pub mirror: bool,
    /// Whether the diagram uses the guideline's colours. It is set on the first page.
    pub colorize: bool,
    /// Whether the garbage row rises into the field for the next page.
    pub rise: bool,
    /// Whether the comment is a quiz, or what a quiz ended with. A comment that can be read as a quiz is always one.
    pub quiz: bool,
}

impl Default for Flags {
    fn default() -> Flags {
        Flags { lock: true, mirror: false, colorize: true, rise: false, quiz: false }
    }
}

/// A position to start from: a board and the known pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageSetup {
    /// The board.
    pub board: Board,
    /// The held piece.
    pub hold: Option<Piece>,
    /// The pieces to come, the current one first.
    pub queue: Vec<Piece>,
}

impl Page {
    /// A first page with this field.
    pub fn of_field(field: FumenField) -> Page {
        Page { field, ..Page::default() }
    }

    /// A first page with this board, all grey.
    pub fn of_board(board: &Board) -> Result<Page, FieldError> {
        Ok(Page::of_field(FumenField::of_board(board)?))
    }

    /// The next page if nothing is changed by hand: the field that this page leaves, without a piece.
    pub fn following(&self) -> Page {
        let mut caption = Caption::resumed(&self.comment, self.flags.quiz);
        if self.flags.lock {
            caption.advance(self.operation.map(|operation| operation.piece));
        }
        Page {
            field: self.field_after(),
            operation: None,
            comment: caption.comment(),
            flags: Flags { colorize: false, quiz: caption.is_quiz(), ..Flags::default() },
        }
    }

    /// The field after the operation and the flags.
    pub fn field_after(&self) -> FumenField {
        let mut field = self.field;
        if self.flags.lock {
            if let Some(operation) = self.operation {
                field.fill(operation);
            }
            field.clear_rows();
            if self.flags.rise {
                field.rise();
            }
            if self.flags.mirror {
                field.mirror();
            }
        }
        field
    }

    /// The comment as a quiz, if it is one.
    pub fn quiz(&self) -> Option<Quiz> {
        Quiz::parse(&self.comment)
    }

    /// The field as a guideline board, before the operation. Fails if a row is full.
    pub fn board(&self) -> Result<Board, BoardError> {
        self.field.board()
    }

    /// The page as a position to start from: its board, and the pieces in its comment, which may be a quiz or a plain queue such
    /// as `TIOSZ`. Otherwise the queue is empty.
    pub fn setup(&self) -> Result<PageSetup, BoardError> {
        let board = self.board()?;
        Ok(match self.quiz() {
            Some(quiz) => PageSetup {
                board,
                hold: quiz.hold(),
                queue: quiz.current().into_iter().chain(quiz.next()).collect(),
            },
            None => PageSetup { board, hold: None, queue: parse_queue(&self.comment).unwrap_or_default() },
        })
    }
}
