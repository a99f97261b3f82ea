//! Which pieces can be placed next, from the queue or from hold. All searches share this expansion.

use tetrion_engine::game::Move;
use tetrion_engine::location::Placement;
use tetrion_engine::piece::Piece;

/// A piece that can be placed next, and what is left afterwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Whether hold is used.
    pub hold: bool,
    /// The piece to place.
    pub piece: Piece,
    /// The held piece afterwards.
    pub held: Option<Piece>,
    /// How many known pieces are used up afterwards.
    pub next: usize,
}

impl Choice {
    /// The move that places the piece there.
    #[inline]
    pub fn play(self, placement: Placement) -> Move {
        Move { hold: self.hold, placement }
    }
}

/// The pieces that can be placed when the first `next` known pieces are used up: the current piece, and the piece that a hold
/// brings. If both are the same piece, the hold is left out because it changes nothing.
#[inline]
pub fn choices(
    known: &[Piece],
    next: usize,
    held: Option<Piece>,
    may_hold: bool,
) -> impl Iterator<Item = Choice> + use<> {
    let current = known.get(next).copied();
    let without = current.map(|piece| Choice { hold: false, piece, held, next: next + 1 });
    let with = current.filter(|_| may_hold).and_then(|current| match (held, known.get(next + 1)) {
        (Some(piece), _) if piece != current => {
            Some(Choice { hold: true, piece, held: Some(current), next: next + 1 })
        }
        (None, Some(&piece)) => Some(Choice { hold: true, piece, held: Some(current), next: next + 2 }),
        _ => None,
    });
    [without, with].into_iter().flatten()
}

/// Like [`choices`] with a piece in hold: the piece to place, and the piece in hold afterwards.
#[inline]
pub fn choices_with_full_hold(current: Piece, held: Piece) -> impl Iterator<Item = (Piece, Piece)> {
    let choices = choices(&[current], 0, Some(held), true);
    choices.map(move |choice| (choice.piece, choice.held.unwrap_or(held)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use Piece::{I, O, T};

    fn pieces(next: usize, held: Option<Piece>, may_hold: bool) -> Vec<(bool, Piece, Option<Piece>, usize)> {
        let choices = choices(&[I, O], next, held, may_hold);
        choices.map(|Choice { hold, piece, held, next }| (hold, piece, held, next)).collect()
    }

    #[test]
    fn the_hold_brings_the_held_piece_or_the_one_after() {
        assert_eq!(pieces(0, Some(T), true), [(false, I, Some(T), 1), (true, T, Some(I), 1)]);
        assert_eq!(pieces(0, None, true), [(false, I, None, 1), (true, O, Some(I), 2)]);
    }

    #[test]
    fn what_the_hold_cannot_bring_is_left_out() {
        assert_eq!(pieces(0, Some(I), true), [(false, I, Some(I), 1)], "the same piece");
        assert_eq!(pieces(0, Some(T), false), [(false, I, Some(T), 1)], "the hold was used");
        assert_eq!(pieces(1, None, true), [(false, O, None, 2)], "the next piece is not seen");
        assert_eq!(pieces(2, Some(T), true), [], "no piece is known");
    }
}
