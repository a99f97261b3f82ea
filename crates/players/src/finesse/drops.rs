//! Straight drops onto a low stack, and the keys that each takes.

use crate::field::{COLUMNS, ROWS};
use tetrion_engine::board::Board;
use tetrion_engine::compact::{Bits, Grid, Shape};
use tetrion_engine::location::{PieceLocation, Placement, Spin};
use tetrion_engine::moves::{MoveRules, Movement, path};
use tetrion_engine::piece::{Orientation, Piece};

/// A way to drop a piece: which of its orientations, and the leftmost column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Drop {
    facing: u8,
    column: u8,
}

/// What a drop leaves.
#[derive(Clone, Copy, Debug)]
pub struct Landing {
    /// The board without the rows that were full.
    pub board: Bits,
    /// The rows that were full.
    pub rows: u32,
    /// Keys, the hard drop included.
    pub keys: u32,
}

/// The drops of all pieces.
pub struct Drops {
    grid: Grid,
    /// By piece, the orientations whose shapes differ.
    facings: [Vec<Facing>; 7],
}

/// A piece in an orientation.
struct Facing {
    orientation: Orientation,
    /// Where the rotation centre is, from the lowest left corner.
    centre: (i8, i8),
    shape: Shape,
    /// By leftmost column.
    keys: Vec<u32>,
}

impl Drops {
    /// The drops, with the fewest keys to each on an open board.
    pub fn new(half_turns: bool) -> Drops {
        let grid = Grid::new(COLUMNS, ROWS);
        let facing = |piece: Piece, orientation| facing(&grid, piece, orientation, half_turns);
        let facings = Piece::ALL.map(|piece| {
            piece
                .distinct_orientations()
                .iter()
                .filter_map(|orientation| facing(piece, *orientation))
                .collect()
        });
        Drops { grid, facings }
    }

    /// The size of the boards.
    #[inline]
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Calls `visit` with every drop that stays within the rows.
    #[inline]
    pub fn for_each(&self, board: Bits, piece: Piece, mut visit: impl FnMut(Drop, Landing)) {
        let solid = self.grid.solid(board);
        for (index, facing) in self.facings[piece as usize].iter().enumerate() {
            let blocked = facing.shape.blocked(solid);
            for (column, keys) in facing.keys.iter().enumerate() {
                let row = self.grid.rest(blocked, column);
                if row + facing.shape.height() <= ROWS {
                    let (board, rows) = self.grid.place(board, &facing.shape, column, row);
                    visit(
                        Drop { facing: index as u8, column: column as u8 },
                        Landing { board, rows, keys: *keys },
                    );
                }
            }
        }
    }

    /// The placement that a drop comes to.
    pub fn placement(&self, board: Bits, piece: Piece, drop: Drop) -> Placement {
        let facing = &self.facings[piece as usize][usize::from(drop.facing)];
        let row = self.grid.rest(facing.shape.blocked(self.grid.solid(board)), drop.column.into());
        facing.placement(piece, drop.column.into(), row)
    }
}

fn facing(grid: &Grid, piece: Piece, orientation: Orientation, half_turns: bool) -> Option<Facing> {
    let cells = piece.cells(orientation);
    let left = cells.iter().map(|cell| cell.0).min()?;
    let bottom = cells.iter().map(|cell| cell.1).min()?;
    let shape = grid.shape(&cells.map(|(x, y)| ((x - left) as usize, (y - bottom) as usize)))?;
    let mut facing = Facing { orientation, centre: (-left, -bottom), shape, keys: Vec::new() };
    let board = Board::new(COLUMNS, Board::MAX_HEIGHT).ok()?;
    let rules = MoveRules { movement: Movement::HardDrop, half_turns, spins: false };
    let start = PieceLocation::spawning(piece, &board, 20);
    let keys = |column| path::fewest_keys(&board, start, facing.placement(piece, column, 0), rules);
    facing.keys = (0..facing.shape.columns()).map(keys).collect::<Option<_>>()?;
    Some(facing)
}

impl Facing {
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
            let drops = Drops::new(half_turns);
            let mut game = Game::new(rules, 5).unwrap();
            let mut agent = FinesseAgent::default();
            while let Some(chosen) = agent.next_move(&game) {
                let board = Fields::of(game.board()).unwrap();
                let piece = chosen.placement.piece();
                let (mut count, mut is_one) = (0, false);
                drops.for_each(board, piece, |drop, landing| {
                    let play = Move { placement: drops.placement(board, piece, drop), ..chosen };
                    let keys = landing.keys + u32::from(play.hold);
                    // Where soft drops are allowed, the side of the stack may stop a piece sooner than so many taps.
                    if movement == Movement::HardDrop || play == chosen {
                        assert_eq!(keys, game.keys(play), "{play:?}");
                    }
                    let mut after = game.clone();
                    assert_eq!(after.play(play).unwrap().lines, landing.rows);
                    assert_eq!(Fields::of(after.board()), Some(landing.board));
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
