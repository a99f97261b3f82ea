//! What a stack looks like: its well, the pattern that players name after it, and its holes.

use std::fmt;
use tetrion_engine::board::Board;
use tetrion_engine::location::Placement;

/// A well: the one column that is lower than every other column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Well {
    /// The column, from 0.
    pub column: usize,
    /// How many rows it is below the next lowest column.
    pub depth: usize,
}

impl Well {
    /// The well of a board. `None` if two columns or more share the lowest height.
    pub fn of(board: &Board) -> Option<Well> {
        let (mut lowest, mut next, mut column) = (usize::MAX, usize::MAX, 0);
        for x in 0..board.width() {
            let height = board.column_height(x);
            if height < lowest {
                (next, lowest, column) = (lowest, height, x);
            } else {
                next = next.min(height);
            }
        }
        (lowest < next).then_some(Well { column, depth: next - lowest })
    }
}

/// A stacking pattern in the X–Y notation of players: the columns on the two sides of the well, the wider side first.
///
/// 9–0 has the well at a wall, 6–3 has six columns on one side of it and three on the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Stacking {
    /// Columns on the wider side of the well.
    pub wide: usize,
    /// Columns on the narrower side.
    pub narrow: usize,
}

impl Stacking {
    /// The shallowest well that is part of a pattern. A dip of one row is only an uneven surface.
    pub const MIN_DEPTH: usize = 2;

    /// The pattern of a board. `None` is freeform: no well, or one that is too shallow.
    pub fn of(board: &Board) -> Option<Stacking> {
        Well::of(board)
            .filter(|well| well.depth >= Stacking::MIN_DEPTH)
            .map(|well| Stacking::around(well.column, board.width()))
    }

    /// The pattern of a well in this column of a board.
    pub fn around(column: usize, width: usize) -> Stacking {
        let (left, right) = (column, width - 1 - column);
        Stacking { wide: left.max(right), narrow: left.min(right) }
    }
}

impl fmt::Display for Stacking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.wide, self.narrow)
    }
}

/// How long each column was the well that a pattern is named after, counted board by board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StackingTimes {
    boards: u64,
    by_column: Vec<u64>,
}

impl StackingTimes {
    /// Counts a board.
    pub fn add(&mut self, board: &Board) {
        self.by_column.resize(board.width(), 0);
        self.boards += 1;
        if let Some(well) = Well::of(board).filter(|well| well.depth >= Stacking::MIN_DEPTH) {
            self.by_column[well.column] += 1;
        }
    }

    /// The column that was the well on more than half of the boards. `None` means that the game was freeform.
    pub fn dominant_column(&self) -> Option<usize> {
        self.by_column.iter().position(|boards| 2 * boards > self.boards)
    }

    /// The pattern that was on more than half of the boards, always with the same well. `None` is freeform.
    pub fn dominant(&self) -> Option<Stacking> {
        self.dominant_column().map(|column| Stacking::around(column, self.by_column.len()))
    }

    /// The share of boards on which each column was the well.
    pub fn shares(&self) -> Vec<f64> {
        self.by_column.iter().map(|boards| *boards as f64 / self.boards.max(1) as f64).collect()
    }
}

/// The holes of a board, empty cells with a filled cell anywhere above them: for each column, a bit for each row.
fn holes(board: &Board) -> impl Iterator<Item = u64> {
    board
        .columns()
        .iter()
        .map(|column| !column & !u64::MAX.checked_shl(64 - column.leading_zeros()).unwrap_or(0))
}

/// The number of holes of a board.
pub fn hole_count(board: &Board) -> u32 {
    holes(board).map(u64::count_ones).sum()
}

/// What a placement did to the holes of a board. The holes after it are those before, plus made, minus removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HoleChange {
    /// Cells that it covered.
    pub made: u32,
    /// Holes that it filled, or that are gone or open after its lines were cleared.
    pub removed: u32,
}

impl HoleChange {
    /// What a placement on this board did.
    pub fn of(before: &Board, placement: Placement) -> HoleChange {
        let mut placed = *before;
        placed.place(placement);
        let (mut made, mut filled) = (0, 0);
        for (before, placed) in holes(before).zip(holes(&placed)) {
            made += (placed & !before).count_ones();
            filled += (before & !placed).count_ones();
        }
        let full = placed.full_rows();
        let covered = hole_count(&placed);
        placed.clear_rows(full);
        HoleChange { made, removed: filled + covered - hole_count(&placed) }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::drawn::board;
    use tetrion_engine::location::{PieceLocation, Spin};
    use tetrion_engine::piece::{Orientation, Piece};

    fn pattern(rows: &str) -> Option<String> {
        Stacking::of(&board(rows)).map(|stacking| stacking.to_string())
    }

    #[test]
    fn a_well_is_the_one_column_below_all_others() {
        let well = |rows| Well::of(&board(rows)).map(|well| (well.column, well.depth));
        assert_eq!(well("#.######## #.######## #.########"), Some((1, 3)));
        assert_eq!(well(".########. .########."), None);
        assert_eq!(well("#.######.# ########.#"), Some((8, 1)));
        assert_eq!(Well::of(&Board::guideline()), None);
    }

    #[test]
    fn stacks_have_the_names_that_players_use() {
        let nine_zero = "..###..... #########. #########. #########.";
        assert_eq!(pattern(nine_zero).as_deref(), Some("9-0"));
        let six_three = "##........ ######.### ######.### ######.### ######.###";
        assert_eq!(pattern(six_three).as_deref(), Some("6-3"));
        // The same with the well on the other side.
        assert_eq!(pattern("###.###### ###.######").as_deref(), Some("6-3"));
        assert_eq!(pattern("####.##### ####.#####").as_deref(), Some("5-4"));
        // What is below the well does not matter, as long as it is open from above.
        assert_eq!(pattern("#########. #########. #####.####").as_deref(), Some("9-0"));
    }

    #[test]
    fn a_covered_or_shallow_well_is_no_pattern() {
        // A piece hangs over the well: column 9 is now the highest but one.
        assert_eq!(pattern("......#### #########. #########. #########."), None);
        assert_eq!(pattern("#########."), None);
        assert_eq!(pattern(""), None);
    }

    #[test]
    fn a_game_is_named_after_the_well_of_most_of_its_boards() {
        let count = |boards: &[&str]| {
            let mut times = StackingTimes::default();
            boards.iter().for_each(|rows| times.add(&board(rows)));
            times
        };
        let (six_three, mirrored) = ("######.### ######.###", "###.###### ###.######");
        let kept = count(&["", six_three, six_three]);
        assert_eq!(kept.dominant(), Some(Stacking { wide: 6, narrow: 3 }));
        assert_eq!(kept.shares()[6], 2.0 / 3.0);
        // Exactly half is not most.
        assert_eq!(count(&["", six_three]).dominant(), None);
        // A well that changes sides is not kept.
        assert_eq!(count(&[six_three, mirrored]).dominant(), None);
        assert_eq!(StackingTimes::default().dominant(), None);
    }

    fn change(rows: &str, piece: Piece, orientation: Orientation, x: i8, y: i8) -> (u32, u32) {
        let location = PieceLocation { piece, orientation, x, y };
        let before = board(rows);
        assert!(location.fits(&before), "the piece fits");
        let placement = Placement::new(location, Spin::None);
        let HoleChange { made, removed } = HoleChange::of(&before, placement);
        let (after, _) = before.after(placement);
        assert_eq!(hole_count(&before) + made - removed, hole_count(&after));
        (made, removed)
    }

    #[test]
    fn holes_are_counted_where_they_are_made_and_where_they_go() {
        // A flat I over three empty cells and a filled one.
        assert_eq!(change("###...####", Piece::I, Orientation::North, 3, 1), (3, 0));
        // An I slid under an overhang fills four holes.
        assert_eq!(change("####...... ....######", Piece::I, Orientation::North, 1, 0), (0, 4));
        // The line that covers a hole is cleared: the hole is open.
        assert_eq!(change("#########. .########.", Piece::I, Orientation::East, 9, 2), (0, 1));
        // Covers two cells and clears the line above a hole: one made more than removed.
        assert_eq!(change("####..#### .###..####", Piece::O, Orientation::North, 4, 0), (0, 1));
    }
}
