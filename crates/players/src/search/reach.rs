//! Which placements a search considers.

use serde::{Deserialize, Serialize};
use tetrion_engine::board::Board;
use tetrion_engine::location::{LastAction, PieceLocation, Placement, Spin};
use tetrion_engine::moves::{MoveRules, MoveSet, Movement, generate};
use tetrion_engine::piece::Piece;
use tetrion_engine::rotation::Turn;
use tetrion_engine::ruleset::Ruleset;

/// How a search may move pieces. The rules of the game may allow less.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reach {
    /// Hard drops only.
    #[default]
    Hard,
    /// Drops, then at the resting height at most one turn without a kick, and shifts while the piece stays grounded.
    Slide,
    /// Everything that the rules allow.
    Full,
}

impl Reach {
    /// The placements of a piece. Orientations with the same cells count once, as the first of them.
    #[inline]
    pub fn placements(self, board: &Board, piece: Piece, rules: &Ruleset) -> MoveSet {
        let start = rules.spawn(piece, board);
        let allowed = rules.move_rules();
        if self == Reach::Full || allowed.movement != Movement::Full {
            return generate(board, start, allowed);
        }
        let drops = generate(board, start, MoveRules { movement: Movement::HardDrop, ..allowed });
        let mut placements = drops;
        if self == Reach::Slide {
            for dropped in drops.iter() {
                slide(dropped.location(), LastAction::Moved, board, &mut placements);
                for &turn in Turn::allowed(false) {
                    if let Some((turned, 0)) = dropped.location().turn(turn, board) {
                        slide(turned, LastAction::Turned, board, &mut placements);
                    }
                }
            }
        }
        placements
    }
}

/// Adds the location, and those to its left and right for as long as the piece stays grounded.
fn slide(from: PieceLocation, last: LastAction, board: &Board, placements: &mut MoveSet) {
    if !from.is_grounded(board) {
        return;
    }
    placements.insert(Placement::new(from, Spin::of(from, last, board)));
    for direction in [-1, 1] {
        let mut location = from;
        while let Some(next) = location.step((direction, 0), board).filter(|next| next.is_grounded(board)) {
            placements.insert(Placement::new(next, Spin::None));
            location = next;
        }
    }
}
