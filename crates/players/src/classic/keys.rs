//! The fewest keys of each placement if nothing is in the way, as Classic counts them.

use super::field::Size;
use tetrion_engine::piece::Piece;
use tetrion_engine::ruleset::{Mode, Ruleset};

/// The fewest keys, by piece, orientation and leftmost column.
pub(super) struct OpenKeys([[[u8; 16]; 4]; 7]);

impl OpenKeys {
    pub(super) fn new(size: Size) -> OpenKeys {
        let mut keys = [[[0; 16]; 4]; 7];
        let rules = Ruleset {
            width: size.width as u8,
            visible_height: size.height as u8,
            ..Ruleset::new(Mode::Classic)
        };
        let board = rules.start().expect("the size was checked");
        for piece in Piece::ALL {
            let start = rules.spawn(piece, &board);
            for placement in tetrion_engine::moves::generate(&board, start, rules.move_rules()).iter() {
                let fewest =
                    tetrion_engine::moves::path::fewest_keys(&board, start, placement, rules.move_rules());
                let orientation = placement.location().orientation as usize;
                keys[piece as usize][orientation][placement.left_column() as usize] =
                    fewest.unwrap_or(0) as u8;
            }
        }
        OpenKeys(keys)
    }

    #[inline(always)]
    pub(super) fn of(&self, piece: Piece, orientation: usize, x: usize) -> u64 {
        self.0[piece as usize][orientation % 4][x % 16].into()
    }
}
