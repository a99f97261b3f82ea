//! A page of a diagram, and what follows from it.

use super::field::{FieldError, FumenField};
use super::quiz::{Caption, Quiz};
use serde::{Deserialize, Serialize};
use tetrion_engine::board::{Board, BoardError};
use tetrion_engine::location::PieceLocation;
use tetrion_engine::piece::{Piece, parse_queue};

/// A page: what it shows, and what it does to the next.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// The field, before the operation.
    pub field: FumenField,
    /// The piece, and where it stands: rotation centres are those of the engine.
    pub operation: Option<PieceLocation>,
    /// The comment, which may be a [`Quiz`].
    pub comment: String,
    /// What happens.
    pub flags: Flags,
}

/// The flags of a page. The default is that of a first page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flags {
    /// Whether the piece locks: it becomes part of the field, and full rows are cleared. Only then, the field rises and mirrors.
    pub lock: bool,
    /// Whether the field is mirrored for the next page.
    pub mirror: bool,
    /// Whether the diagram is in the guideline's colours; it is said on the first page.
    pub colorize: bool,
    /// Whether the garbage row rises into the field for the next page.
    pub rise: bool,
    /// Whether the comment is a quiz, or what one ended with. Whatever is said here, a comment that can be read as a quiz is one.
    pub quiz: bool,
}

impl Default for Flags {
    fn default() -> Flags {
        Flags { lock: true, mirror: false, colorize: true, rise: false, quiz: false }
    }
}

/// Where play can start: a board, and the pieces that are known.
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
    /// A first page that shows a field.
    pub fn of_field(field: FumenField) -> Page {
        Page { field, ..Page::default() }
    }

    /// A first page that shows a board, all grey.
    pub fn of_board(board: &Board) -> Result<Page, FieldError> {
        Ok(Page::of_field(FumenField::of_board(board)?))
    }

    /// The page that comes next if nothing is changed by hand: without a piece, on the field that this one leaves.
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

    /// The field that the page leaves.
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

    /// The field as a board of guideline play, before the operation. A full row makes no board.
    pub fn board(&self) -> Result<Board, BoardError> {
        self.field.board()
    }

    /// The page as a start for play: its board, and the pieces that its comment tells, as a quiz or as a plain queue such as
    /// `TIOSZ`. If it tells none, the queue is empty.
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
