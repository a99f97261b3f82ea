//! Straight drops onto a low stack, and the keys of each.

use crate::field::{COLUMNS, ROWS};
use tetrion_engine::board::Board;
use tetrion_engine::compact::{Bits, Grid, Shape};
use tetrion_engine::location::{PieceLocation, Placement, Spin};
use tetrion_engine::moves::{MoveRules, Movement, path};
use tetrion_engine::piece::{Orientation, Piece};

/// A straight drop of a piece: the index of its orientation and its leftmost column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StraightDrop {
    orientation: u8,
    column: u8,
}

/// The result of a drop.
#[derive(Clone, Copy, Debug)]
pub struct DropResult {
    /// The board after clearing.
    pub board: Bits,
    /// The number of rows cleared.
    pub rows: u32,
    /// Keys, including the hard drop.
    pub keys: u32,
}

/// The straight drops of all pieces.
pub struct DropTable {
    grid: Grid,
    /// By piece, the orientations with distinct shapes.
    shapes: [Vec<DropShape>; 7],
}

/// A piece in one orientation.
struct DropShape {
    orientation: Orientation,
    /// The rotation centre, relative to the lower left corner.
    centre: (i8, i8),
    cells: Shape,
    /// The fewest keys on an open board, by leftmost column.
    keys: Vec<u32>,
}

impl DropTable {
    /// The drops, with or without 180° turns.
    pub fn new(half_turns: bool) -> DropTable {
        let grid = Grid::new(COLUMNS, ROWS);
        let shape = |piece: Piece, orientation| DropShape::new(&grid, piece, orientation, half_turns);
        let shapes = Piece::ALL.map(|piece| {
            piece
                .distinct_orientations()
                .iter()
                .filter_map(|orientation| shape(piece, *orientation))
                .collect()
        });
        DropTable { grid, shapes }
    }

    /// The grid of the boards.
    #[inline]
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Calls `visit` with every drop that stays within the rows of the search.
    #[inline]
    pub fn for_each(&self, board: Bits, piece: Piece, mut visit: impl FnMut(StraightDrop, DropResult)) {
        let solid = self.grid.solid(board);
        for (index, shape) in self.shapes[piece as usize].iter().enumerate() {
            let blocked = shape.cells.blocked(solid);
            for (column, keys) in shape.keys.iter().enumerate() {
                let row = self.grid.rest(blocked, column);
                if row + shape.cells.height() <= ROWS {
                    let (board, rows) = self.grid.place(board, &shape.cells, column, row);
                    visit(
                        StraightDrop { orientation: index as u8, column: column as u8 },
                        DropResult { board, rows, keys: *keys },
                    );
                }
            }
        }
    }

    /// The placement of a drop.
    pub fn placement(&self, board: Bits, piece: Piece, drop: StraightDrop) -> Placement {
        let shape = &self.shapes[piece as usize][usize::from(drop.orientation)];
        let row = self.grid.rest(shape.cells.blocked(self.grid.solid(board)), drop.column.into());
        shape.placement(piece, drop.column.into(), row)
    }
}

impl DropShape {
    fn new(grid: &Grid, piece: Piece, orientation: Orientation, half_turns: bool) -> Option<DropShape> {
        let cells = piece.cells(orientation);
        let left = cells.iter().map(|cell| cell.0).min()?;
        let bottom = cells.iter().map(|cell| cell.1).min()?;
        let cells = grid.shape(&cells.map(|(x, y)| ((x - left) as usize, (y - bottom) as usize)))?;
        let mut shape = DropShape { orientation, centre: (-left, -bottom), cells, keys: Vec::new() };
        let board = Board::new(COLUMNS, Board::MAX_HEIGHT).ok()?;
        let rules = MoveRules { movement: Movement::HardDrop, half_turns, spins: false };
        let start = PieceLocation::spawning(piece, &board, 20);
        let keys = |column| path::fewest_keys(&board, start, shape.placement(piece, column, 0), rules);
        shape.keys = (0..shape.cells.columns()).map(keys).collect::<Option<_>>()?;
        Some(shape)
    }

    fn placement(&self, piece: Piece, column: usize, row: usize) -> Placement {
        let (x, y) = (column as i8 + self.centre.0, row as i8 + self.centre.1);
        Placement::new(PieceLocation { piece, orientation: self.orientation, x, y }, Spin::None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::Fields;
    use crate::{Agent, FinesseAgent};
    use tetrion_engine::game::{Game, Move};
    use tetrion_engine::ruleset::{Mode, Ruleset};

    #[test]
    fn keys_and_boards_are_those_of_the_game() {
        for (movement, half_turns) in
            [(Movement::HardDrop, false), (Movement::HardDrop, true), (Movement::Full, false)]
        {
            let rules = Ruleset { movement, half_turns, ..Ruleset::for_agents(Mode::Sprint) };
            let drops = DropTable::new(half_turns);
            let mut game = Game::new(rules, 5).unwrap();
            let mut agent = FinesseAgent::default();
            while let Some(chosen) = agent.next_move(&game) {
                let board = Fields::of(game.board()).unwrap();
                let piece = chosen.placement.piece();
                let (mut count, mut is_one) = (0, false);
                drops.for_each(board, piece, |drop, result| {
                    let play = Move { placement: drops.placement(board, piece, drop), ..chosen };
                    let keys = result.keys + u32::from(play.hold);
                    // With soft drops, the side of the stack may stop a piece with fewer taps.
                    if movement == Movement::HardDrop || play == chosen {
                        assert_eq!(keys, game.keys(play), "{play:?}");
                    }
                    let mut after = game.clone();
                    assert_eq!(after.play(play).unwrap().lines, result.rows);
                    assert_eq!(Fields::of(after.board()), Some(result.board));
                    count += 1;
                    is_one |= play == chosen;
                });
                assert!(is_one, "{chosen:?} is a straight drop");
                assert!(count <= 34);
                game.play(chosen).unwrap();
            }
        }
    }
}
