//! Which of a bot's moves is played.

use super::message::TbpMove;
use tetrion_engine::game::Move;
use tetrion_engine::location::{Placement, Spin};
use tetrion_engine::position::View;

/// A bot's move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resolved {
    /// The move.
    pub play: Move,
    /// The suggestion that it follows, with the spin that counts: this goes into the `play` message.
    pub answer: TbpMove,
    /// How many better suggestions were not legal.
    pub illegal: usize,
    /// Whether the bot claimed another spin, which is not possible there.
    pub wrong_spin: bool,
}

/// No suggestion is legal: the bot forfeits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no legal move among {0} suggested")]
pub struct NoLegalMove(pub usize);

/// The first suggestion that is legal. It holds if it places another piece than the current one. The spin is the one that the bot
/// claims, if the piece can get there with it, else the best one that is possible there.
pub fn resolve(view: &View, moves: &[Option<TbpMove>]) -> Result<Resolved, NoLegalMove> {
    let resolved = moves.iter().enumerate().find_map(|(illegal, suggested)| {
        let suggested = (*suggested)?;
        let play = legal_move(view, suggested)?;
        let spin = Some(play.placement.spin());
        let answer = TbpMove { spin, ..suggested };
        Some(Resolved { play, answer, illegal, wrong_spin: suggested.spin != spin })
    });
    resolved.ok_or(NoLegalMove(moves.len()))
}

fn legal_move(view: &View, suggested: TbpMove) -> Option<Move> {
    let location = suggested.location.to_engine()?;
    let hold = location.piece != view.current();
    if hold && view.piece_after_hold() != Some(location.piece) {
        return None;
    }
    let placements = view.placements(location.piece);
    let spins = suggested.spin.into_iter().chain([Spin::Full, Spin::Mini, Spin::None]);
    let mut possible = spins.map(|spin| Placement::new(location, spin));
    let placement = possible.find(|placement| placements.contains(*placement))?;
    Some(Move { hold, placement })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tbp::TbpLocation;
    use std::collections::BTreeSet;
    use tetrion_engine::board::Board;
    use tetrion_engine::location::PieceLocation;
    use tetrion_engine::piece::{Orientation, Piece};
    use tetrion_engine::position::Position;
    use tetrion_engine::ruleset::{Mode, Ruleset};

    fn suggestion(location: PieceLocation, spin: Option<Spin>) -> Option<TbpMove> {
        Some(TbpMove { spin, ..Placement::new(location, Spin::None).into() })
    }

    fn resolved(board: Board, queue: &[Piece], moves: &[Option<TbpMove>]) -> Result<Resolved, NoLegalMove> {
        let (rules, position) = (Ruleset::new(Mode::Practice), Position::new(board, queue.to_vec()));
        resolve(&View { rules: &rules, position: &position }, moves)
    }

    #[test]
    fn a_move_covers_the_same_cells_in_tbp_and_in_the_engine() {
        for (piece, orientation) in Piece::ALL.into_iter().flat_map(|p| Orientation::ALL.map(|o| (p, o))) {
            let floating = PieceLocation { piece, orientation, x: 4, y: 10 };
            let resting = floating.moved((0, -floating.bottom() as i8));
            let PieceLocation { x, y, .. } = resting;
            let location = TbpLocation { piece, orientation, x: x.into(), y: y.into() };
            let suggested = Some(TbpMove { location, spin: Some(Spin::None) });
            let play = resolved(Board::guideline(), &[piece], &[suggested]).unwrap();
            let cells = |location: PieceLocation| BTreeSet::from(location.cells());
            assert_eq!(cells(play.play.placement.location()), cells(resting), "{piece} {orientation:?}");
            assert_eq!(Some(play.answer), suggested, "the bot's own orientation is sent back");
            let floating = suggestion(floating, Some(Spin::None));
            assert_eq!(resolved(Board::guideline(), &[piece], &[floating]), Err(NoLegalMove(1)));
        }
    }

    #[test]
    fn the_first_legal_move_is_played_and_the_hold_follows_from_its_piece() {
        let flat = |piece| PieceLocation { piece, orientation: Orientation::North, x: 4, y: 0 };
        let far = TbpMove {
            location: TbpLocation { piece: Piece::T, orientation: Orientation::North, x: 4_000, y: 0 },
            spin: None,
        };
        let none = Some(Spin::None);
        let moves = [None, Some(far), suggestion(flat(Piece::I), none), suggestion(flat(Piece::O), none)];
        let play = resolved(Board::guideline(), &[Piece::T, Piece::O, Piece::I], &moves).unwrap();
        assert_eq!((play.illegal, play.play.hold, play.play.placement.piece()), (3, true, Piece::O));
        assert_eq!(resolved(Board::guideline(), &[Piece::T], &moves), Err(NoLegalMove(4)));
    }

    #[test]
    fn a_claimed_spin_counts_if_it_is_possible() {
        // A T-slot, which the T can enter only by turning under the overhang, and the floor beside it.
        let board: Board = "#.........\n...#######\n#.########".parse().unwrap();
        let mut spins = BTreeSet::new();
        for location in resting_places(&board) {
            for claimed in [None, Some(Spin::None), Some(Spin::Mini), Some(Spin::Full)] {
                let Ok(play) = resolved(board, &[Piece::T], &[suggestion(location, claimed)]) else {
                    continue;
                };
                let possible: BTreeSet<Spin> = [Spin::None, Spin::Mini, Spin::Full]
                    .into_iter()
                    .filter(|spin| reachable(&board, Placement::new(location, *spin)))
                    .collect();
                let counted = play.play.placement.spin();
                match claimed.filter(|spin| possible.contains(spin)) {
                    Some(claimed) => assert_eq!((counted, play.wrong_spin), (claimed, false)),
                    None => assert_eq!((Some(&counted), play.wrong_spin), (possible.last(), true)),
                }
                spins.insert(counted);
            }
        }
        assert!(spins.contains(&Spin::None) && spins.len() > 1, "{spins:?}");
    }

    fn resting_places(board: &Board) -> Vec<PieceLocation> {
        let all = Orientation::ALL.into_iter().flat_map(|orientation| {
            (0..10)
                .flat_map(move |x| (0..6).map(move |y| PieceLocation { piece: Piece::T, orientation, x, y }))
        });
        all.filter(|location| location.fits(board) && location.is_grounded(board)).collect()
    }

    fn reachable(board: &Board, placement: Placement) -> bool {
        let (rules, position) = (Ruleset::new(Mode::Practice), Position::new(*board, vec![Piece::T]));
        View { rules: &rules, position: &position }.placements(Piece::T).contains(placement)
    }
}
