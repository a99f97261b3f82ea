//! The decision for every board and piece: a solution to play from.

use crate::boards::{BoardNumber, Boards};
use crate::chain::Chain;
use crate::game::{Bits, LOST, PlacementIndex, SmallGame};
use crate::model::Model;
use crate::solve::Expected;

/// The decisions of a solved game.
#[derive(Clone, Debug)]
pub struct Policy {
    game: SmallGame,
    chain: Chain,
    boards: Boards,
    stages: Option<u64>,
    expected: Expected,
    /// The decisions with 1, 2, 3 … placements to go. The last table serves any larger number.
    decisions: Vec<Vec<PlacementIndex>>,
    /// For each piece, its mirror image and the mirror images of its decisions.
    mirrored: Vec<(usize, Vec<PlacementIndex>)>,
}

impl Policy {
    /// A policy from tables with all the model's decisions: one table for each number of placements to go, or one for all.
    pub fn new(
        model: Model,
        stages: Option<u64>,
        expected: Expected,
        decisions: Vec<Vec<PlacementIndex>>,
    ) -> Policy {
        let (game, chain, boards) = model.into_parts();
        let mirrors = game.pieces().mirrors().filter(|_| boards.are_folded());
        let mirrored = mirrors.map_or(Vec::new(), |mirrors| {
            let mirrored =
                |(piece, &mirror): (usize, &usize)| (mirror, mirrored_decisions(&game, piece, mirror));
            mirrors.iter().enumerate().map(mirrored).collect()
        });
        Policy { game, chain, boards, stages, expected, decisions, mirrored }
    }

    /// The game.
    pub fn game(&self) -> &SmallGame {
        &self.game
    }

    /// How pieces are drawn.
    pub fn chain(&self) -> &Chain {
        &self.chain
    }

    /// The number of placements in a game, or `None` if it goes on until loss.
    pub fn stages(&self) -> Option<u64> {
        self.stages
    }

    /// The rows it can expect.
    pub fn expected(&self) -> &Expected {
        &self.expected
    }

    /// The decision for a piece after `placed` others, or [`LOST`] on a board that is not reachable.
    pub fn decide(&self, board: Bits, piece: usize, placed: u64) -> PlacementIndex {
        if !self.boards.contains(&self.game, board) {
            return LOST;
        }
        let after_this = self.stages.map_or(u64::MAX, |stages| stages.saturating_sub(placed + 1));
        let table = &self.decisions[after_this.min(self.decisions.len() as u64 - 1) as usize];
        let BoardNumber { number, mirrored } = self.boards.find(&self.game, board);
        let row = &table[number * self.chain.pieces()..][..self.chain.pieces()];
        if !mirrored {
            return row[piece];
        }
        let (mirror, decisions) = &self.mirrored[piece];
        decisions
            .iter()
            .position(|decision| *decision == row[*mirror])
            .map_or(LOST, |at| at as PlacementIndex)
    }
}

/// For each decision for a piece, its mirror image: the decision for the mirrored piece.
fn mirrored_decisions(game: &SmallGame, piece: usize, mirror: usize) -> Vec<PlacementIndex> {
    let cells = |piece, decision| {
        let mut cells = game.resting_cells(0, piece, decision).unwrap_or_default();
        cells.sort();
        cells
    };
    (0..game.placements(piece))
        .map(|decision| {
            let mut mirrored: Vec<_> = cells(piece, decision as PlacementIndex);
            mirrored.iter_mut().for_each(|cell| cell.0 = game.width() - 1 - cell.0);
            mirrored.sort();
            let same = (0..game.placements(mirror))
                .find(|other| cells(mirror, *other as PlacementIndex) == mirrored);
            same.map_or(LOST, |same| same as PlacementIndex)
        })
        .collect()
}
