//! A replay's game as a diagram.

use super::comment;
use super::{Flags, FumenCell, FumenField, MAX_PAGES, Page, Quiz};
use crate::stage::{self, Stage};
use tetrion_engine::location::PieceLocation;
use tetrion_engine::piece::Piece;
use tetrion_engine::record::{Outcome, TopOut};
use tetrion_engine::replay::{PlayError, Replay};

/// Why a replay can't be written as a diagram.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RecordError {
    /// The replay does not verify.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// Its board has another width than a diagram's field.
    #[error("the replay's board is {0} columns wide, but a fumen's field is 10")]
    Width(u8),
    /// It is too long.
    #[error("the replay has {0} placements, but a fumen has at most {MAX_PAGES} pages")]
    TooLong(u64),
}

/// The game as pages, one per placement, with a quiz of the pieces if it is short enough. A game without placements is one
/// page.
///
/// A piece that reaches above the field's 23 rows is not shown.
pub fn pages_of_replay(replay: &Replay) -> Result<Vec<Page>, RecordError> {
    if usize::from(replay.rules.width) != FumenField::WIDTH {
        return Err(RecordError::Width(replay.rules.width));
    }
    if replay.result.pieces as usize > MAX_PAGES {
        return Err(RecordError::TooLong(replay.result.pieces));
    }
    let mut pages: Vec<Page> = Vec::new();
    let mut holds = Vec::new();
    let end = stage::play(replay, |stage, event| {
        // A placement above a Classic board does not count. If there are more than the replay says, it fails at the end.
        let is_placed = event.outcome != Some(Outcome::TopOut(TopOut::Overflow));
        if is_placed && pages.len() < MAX_PAGES {
            let operation = Some(event.placement.location()).filter(is_seen);
            let flags = Flags { colorize: pages.is_empty(), ..Flags::default() };
            pages.push(Page { field: field(stage), operation, comment: String::new(), flags });
            holds.push(stage.hold());
        }
    })?;
    if pages.is_empty() {
        return Ok(vec![Page::of_field(field(&end))]);
    }
    let start = Stage::new(replay).map_err(PlayError::from)?;
    // Each piece that came was placed or is held, unless one was held from the start.
    let came = |placed: usize, hold: Option<Piece>| {
        placed + usize::from(hold.is_some()) - usize::from(start.hold().is_some())
    };
    let pieces: Vec<Piece> = start.pieces().take(came(pages.len(), end.hold())).collect();
    if comment::escape(&Quiz::new(None, pieces.iter().copied()).to_string()).len()
        <= comment::MAX_ESCAPED_LENGTH
    {
        for (index, (page, hold)) in pages.iter_mut().zip(holds).enumerate() {
            let to_come = &pieces[came(index, hold)..];
            page.comment = Quiz::new(hold, to_come.iter().copied()).to_string();
            page.flags.quiz = true;
        }
    }
    Ok(pages)
}

/// Whether all of a piece is on a field.
fn is_seen(location: &PieceLocation) -> bool {
    location.cells().iter().all(|(_, y)| *y < FumenField::HEIGHT as i32)
}

fn field(stage: &Stage) -> FumenField {
    let mut field = FumenField::default();
    for y in 0..FumenField::HEIGHT {
        for x in 0..FumenField::WIDTH {
            if let Some(piece) = stage.block(x, y) {
                field.set(x, y, piece.map_or(FumenCell::Grey, FumenCell::Piece));
            }
        }
    }
    field
}
