//! What a board offers, what a placement made of it, and moves that people would call mistakes.

use crate::stack::{Stacking, Well};
use tetrion_engine::board::Board;
use tetrion_engine::location::{Placement, Spin};
use tetrion_engine::moves;
use tetrion_engine::piece::Piece;
use tetrion_engine::record::PlacementRecord;
use tetrion_engine::ruleset::Ruleset;

/// Whether an upright I could clear four lines at once: somewhere four rows in a row lack only the cell of an open column.
pub fn tetris_is_ready(board: &Board) -> bool {
    (0..board.width()).any(|x| {
        let floor = board.column_height(x);
        // Rows of which every other column fills the cell.
        let ready = board.columns().iter().enumerate().filter(|(other, _)| *other != x);
        let ready = ready.fold(u64::MAX, |rows, (_, column)| rows & column);
        ready >> floor & 0b1111 == 0b1111
    })
}

/// The most lines that a T could clear now by a full T-spin; 0 if there is none.
pub fn t_spin_lines(board: &Board, rules: &Ruleset) -> u32 {
    if !rules.can_spawn(Piece::T, board) {
        return 0;
    }
    let placements = moves::generate(board, rules.spawn(Piece::T, board), rules.move_rules());
    let spins = placements.iter().filter(|placement| placement.spin() == Spin::Full);
    spins.map(|placement| board.after(placement).1.count_ones()).max().unwrap_or(0)
}

/// The fewest lines of a T-spin that players build for.
pub const T_SPIN_MIN_LINES: u32 = 2;

/// Moves that people would call mistakes. One placement can be several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mistakes {
    /// It covered the well of a stacking pattern: an empty cell of that column now has a filled one above it.
    pub covered_well: bool,
    /// An I went elsewhere although it could have cleared four lines.
    pub wasted_i: bool,
    /// A T cleared fewer than two lines by a full T-spin, although it could have cleared two or three that way.
    pub wasted_t: bool,
}

impl Mistakes {
    /// The mistakes of a placement, given the board before it.
    pub fn of(before: &Board, record: &PlacementRecord, rules: &Ruleset) -> Mistakes {
        let (placement, lines) = (record.placement, record.lines);
        let spun = placement.spin() == Spin::Full && lines >= T_SPIN_MIN_LINES;
        Mistakes {
            covered_well: covers_well(before, placement),
            wasted_i: placement.piece() == Piece::I && lines < 4 && tetris_is_ready(before),
            wasted_t: placement.piece() == Piece::T
                && !spun
                && t_spin_lines(before, rules) >= T_SPIN_MIN_LINES,
        }
    }
}

fn covers_well(before: &Board, placement: Placement) -> bool {
    let Some(well) = Well::of(before).filter(|well| well.depth >= Stacking::MIN_DEPTH) else { return false };
    let floor = before.column_height(well.column) as i32;
    let in_well = placement.location().cells().into_iter().filter(|(x, _)| *x == well.column as i32);
    in_well.map(|(_, y)| y).min().is_some_and(|lowest| lowest > floor)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::drawn::board;
    use tetrion_engine::game::{Game, Move};
    use tetrion_engine::location::PieceLocation;
    use tetrion_engine::piece::Orientation::{self, East, North, South};
    use tetrion_engine::randomizer::Randomizer;
    use tetrion_engine::ruleset::Mode;

    const NINE_ZERO: &str = "#########. #########. #########. #########.";
    /// A slot for a T-spin double, with an overhang on the left.
    const T_SLOT: &str = "##........ #...###### ##.#######";

    #[test]
    fn a_tetris_is_ready_if_four_rows_lack_one_open_column() {
        assert!(tetris_is_ready(&board(NINE_ZERO)));
        assert!(tetris_is_ready(&board("######.### ######.### ######.### ######.### .#########")));
        assert!(!tetris_is_ready(&board("#########. #########. #########.")));
        assert!(!tetris_is_ready(&board("########.. #########. #########. #########.")));
        // The well is covered.
        assert!(!tetris_is_ready(&board(".........# #########. #########. #########. #########.")));
        assert!(!tetris_is_ready(&board("")));
    }

    #[test]
    fn a_t_spin_is_ready_if_a_t_can_turn_into_its_slot() {
        let rules = Ruleset::for_agents(Mode::Sprint);
        assert_eq!(t_spin_lines(&board(T_SLOT), &rules), 2);
        assert_eq!(
            t_spin_lines(&board("#...###### ##.#######"), &rules),
            0,
            "without the overhang it just drops in"
        );
        assert_eq!(t_spin_lines(&board(""), &rules), 0);
        assert_eq!(
            t_spin_lines(&board(T_SLOT), &Ruleset::new(Mode::Classic)),
            0,
            "straight drops have no spins"
        );
    }

    /// Plays a piece and returns its mistakes.
    fn mistakes(
        rows: &str,
        piece: Piece,
        orientation: Orientation,
        (x, y): (i8, i8),
        spin: Spin,
    ) -> Mistakes {
        let rules = Ruleset {
            randomizer: Randomizer::Fixed(vec![piece, Piece::O]),
            ..Ruleset::for_agents(Mode::Sprint)
        };
        let before = board(rows);
        let mut game = Game::new(rules.clone(), 1).unwrap().with_board(before);
        let placement = Placement::new(PieceLocation { piece, orientation, x, y }, spin);
        let record = game.play(Move { hold: false, placement }).unwrap();
        Mistakes::of(&before, &record, &rules)
    }

    #[test]
    fn a_covered_well_is_found() {
        let none = Mistakes::default();
        let covered = mistakes(NINE_ZERO, Piece::O, North, (8, 4), Spin::None);
        assert_eq!(covered, Mistakes { covered_well: true, ..none });
        // On the stack, or down in the well, nothing is covered.
        assert_eq!(mistakes(NINE_ZERO, Piece::O, North, (0, 4), Spin::None), none);
        assert_eq!(mistakes(NINE_ZERO, Piece::I, East, (9, 2), Spin::None), none);
    }

    #[test]
    fn a_wasted_i_could_have_been_a_tetris() {
        let flat = mistakes(NINE_ZERO, Piece::I, North, (1, 4), Spin::None);
        assert_eq!(flat, Mistakes { wasted_i: true, ..Mistakes::default() });
        let three_rows = "#########. #########. #########.";
        assert!(!mistakes(three_rows, Piece::I, North, (1, 3), Spin::None).wasted_i);
    }

    #[test]
    fn a_wasted_t_could_have_been_a_t_spin_double() {
        assert!(!mistakes(T_SLOT, Piece::T, South, (2, 1), Spin::Full).wasted_t);
        assert!(mistakes(T_SLOT, Piece::T, North, (5, 2), Spin::None).wasted_t);
        assert!(!mistakes("", Piece::T, North, (5, 0), Spin::None).wasted_t);
    }
}
