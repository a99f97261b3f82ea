//! The number that encodes a page's operation and flags.

use super::field::{FumenCell, FumenField};
use super::page::Flags;
use serde::{Deserialize, Serialize};
use tetrion_engine::location::PieceLocation;
use tetrion_engine::piece::{Orientation, Piece};

/// A page's operation and flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageAction {
    pub operation: Option<PieceLocation>,
    pub lock: bool,
    pub mirror: bool,
    pub colorize: bool,
    pub rise: bool,
    /// Whether a comment follows.
    pub comment: bool,
}

/// Why a number can't be decoded, or an operation can't be encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageActionError {
    TooLarge,
    Outside,
}

/// An orientation, by its name in diagrams.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Rotation {
    Spawn,
    Right,
    Reverse,
    Left,
}

impl From<Orientation> for Rotation {
    fn from(orientation: Orientation) -> Rotation {
        [Rotation::Spawn, Rotation::Right, Rotation::Reverse, Rotation::Left][orientation as usize]
    }
}

impl From<Rotation> for Orientation {
    fn from(rotation: Rotation) -> Orientation {
        Orientation::ALL[rotation as usize]
    }
}

/// The orientations, in the order of their numbers.
const ORIENTATIONS: [Orientation; 4] =
    [Orientation::South, Orientation::East, Orientation::North, Orientation::West];

/// The offset from a piece's rotation centre to the cell that locates it in a diagram. Diagrams have a rotation system of
/// their own, whose boxes differ from the guideline's.
fn offset(piece: Piece, orientation: Orientation) -> (i8, i8) {
    use Orientation::{East, North, South, West};
    match (piece, orientation) {
        (Piece::O, West) => (-1, 1),
        (Piece::O | Piece::I, South) | (Piece::Z, West) => (-1, 0),
        (Piece::O | Piece::S | Piece::Z, North) | (Piece::I, West) => (0, 1),
        (Piece::S, East) => (1, 0),
        _ => (0, 0),
    }
}

/// Whether a piece is between the walls and above the floor. It may stick out at the top.
fn is_inside(operation: PieceLocation) -> bool {
    operation.cells().into_iter().all(|(x, y)| (0..FumenField::WIDTH as i32).contains(&x) && y >= 0)
}

/// Encodes and decodes actions in a version of the format, which determines the rows above the garbage row.
#[derive(Clone, Copy, Debug)]
pub struct PageActionCodec {
    height: usize,
}

impl PageActionCodec {
    pub fn new(height: usize) -> PageActionCodec {
        PageActionCodec { height }
    }

    /// The number of cells, including those of the garbage row.
    fn places(self) -> u32 {
        (FumenField::WIDTH * (self.height + 1)) as u32
    }

    /// Decodes a number.
    pub fn decode(self, number: u32) -> Result<PageAction, PageActionError> {
        let mut rest = number;
        let mut next = |base: u32| {
            let value = rest % base;
            rest /= base;
            value
        };
        let (piece, orientation, place) = (next(8), next(4), next(self.places()));
        let mut flag = || next(2) == 1;
        let (rise, mirror, colorize, comment, floats) = (flag(), flag(), flag(), flag(), flag());
        if rest > 0 {
            return Err(PageActionError::TooLarge);
        }
        let operation = match FumenCell::from_number(piece as i32) {
            Some(FumenCell::Piece(piece)) => {
                Some(self.operation(piece, ORIENTATIONS[orientation as usize], place as usize)?)
            }
            // Without a piece, its place has no meaning.
            _ => None,
        };
        Ok(PageAction { operation, lock: !floats, mirror, colorize, rise, comment })
    }

    fn operation(
        self,
        piece: Piece,
        orientation: Orientation,
        place: usize,
    ) -> Result<PieceLocation, PageActionError> {
        let (dx, dy) = offset(piece, orientation);
        let x = (place % FumenField::WIDTH) as i8 - dx;
        let y = self.height as i8 - (place / FumenField::WIDTH) as i8 - 1 - dy;
        let operation = PieceLocation { piece, orientation, x, y };
        if is_inside(operation) { Ok(operation) } else { Err(PageActionError::Outside) }
    }

    /// Encodes an action.
    pub fn encode(self, action: PageAction) -> Result<u32, PageActionError> {
        let PageAction { operation, lock, mirror, colorize, rise, comment } = action;
        let (piece, orientation, place) = match operation {
            // Without a piece, editors write orientation 0 in the first cell of the top row.
            None => (0, 0, 0),
            Some(operation) => self.numbers(operation).ok_or(PageActionError::Outside)?,
        };
        let flags = [!lock, comment, colorize, mirror, rise];
        let flags = flags.into_iter().fold(0, |number, flag| number * 2 + u32::from(flag));
        Ok(((flags * self.places() + place) * 4 + orientation) * 8 + piece)
    }

    /// The numbers of a piece, its orientation and its place, if it is inside the field.
    fn numbers(self, operation: PieceLocation) -> Option<(u32, u32, u32)> {
        if !is_inside(operation) {
            return None;
        }
        let PieceLocation { piece, orientation, x, y } = operation;
        let (dx, dy) = offset(piece, orientation);
        let column = u32::try_from(x.checked_add(dx)?).ok().filter(|x| *x < FumenField::WIDTH as u32)?;
        let row = u32::try_from(self.height as i32 - i32::from(y.checked_add(dy)?) - 1).ok()?;
        let place = row * FumenField::WIDTH as u32 + column;
        let turned = ORIENTATIONS.iter().position(|other| *other == orientation)? as u32;
        (place < self.places()).then_some((FumenCell::Piece(piece).number() as u32, turned, place))
    }
}

impl PageAction {
    /// The action of a page.
    pub fn new(operation: Option<PieceLocation>, flags: Flags, comment: bool) -> PageAction {
        let Flags { lock, mirror, colorize, rise, quiz: _ } = flags;
        PageAction { operation, lock, mirror, colorize, rise, comment }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_inside_the_field_has_a_number_of_its_own() {
        let actions = PageActionCodec::new(FumenField::HEIGHT);
        for piece in Piece::ALL {
            for orientation in Orientation::ALL {
                for x in -3..13 {
                    for y in -3..26 {
                        let operation = PieceLocation { piece, orientation, x, y };
                        let action = PageAction::new(Some(operation), Flags::default(), false);
                        let below_the_top =
                            operation.cells().into_iter().all(|(_, y)| y < FumenField::HEIGHT as i32);
                        match actions.encode(action) {
                            Ok(number) => assert_eq!(actions.decode(number), Ok(action)),
                            Err(error) => {
                                assert_eq!(error, PageActionError::Outside);
                                assert!(!is_inside(operation) || !below_the_top, "{operation:?}");
                            }
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn numbers_of_old_diagrams_count_from_a_lower_top() {
        let action = |height| PageActionCodec::new(height).decode(8 * 4 * 10 * 20 + 2 * 8 + 5);
        assert_eq!(action(21), Err(PageActionError::Outside), "half of it is in the wall");
        let operation =
            |height| PageActionCodec::new(height).decode(8 * (4 * (10 * 20 + 4) + 2) + 5).unwrap().operation;
        assert_eq!(operation(21).map(|operation| operation.y), Some(0));
        assert_eq!(operation(23).map(|operation| operation.y), Some(2));
    }
}
