//! Beam search for the fewest keys: those pressed so far, plus the expected keys to go.

use super::drops::{DropTable, StraightDrop};
use super::value::{KeyTables, UNITS_PER_KEY};
use crate::search::beam::{Beam, BeamEntry, BeamNode};
use crate::search::choices::choices;
use std::cmp::Ordering;
use tetrion_engine::compact::Bits;
use tetrion_engine::game::Move;
use tetrion_engine::piece::Piece;

/// The start of a search.
pub struct KeySearchStart<'s> {
    pub board: Bits,
    pub hold: Option<Piece>,
    /// Lines left to clear.
    pub left: u32,
    /// The current piece, then the previews.
    pub pieces: &'s [Piece],
    /// Whether the first move can use hold, and whether later moves can.
    pub hold_now: bool,
    pub holds: bool,
}

/// A line of moves, and the keys that the game is expected to take with it.
pub struct KeyLine {
    /// Expected keys to the goal, [`UNITS_PER_KEY`] for each.
    pub value: i32,
    /// Keys of the first move.
    pub first_keys: u32,
    pub moves: Vec<Move>,
}

/// A search for the fewest keys.
pub struct KeySearch {
    /// How many boards the search keeps after each piece.
    width: usize,
    beam: Beam<KeyNode>,
}

/// A position in the search.
#[derive(Clone, Copy, Debug)]
pub struct KeyNode {
    /// Keys so far plus expected keys to go, [`UNITS_PER_KEY`] for each.
    pub value: i32,
    keys: u32,
    pub board: Bits,
    pub hold: Option<Piece>,
    /// How many pieces are used.
    next: u8,
    pub left: u32,
    /// The drop that led here; `None` if the line ended earlier.
    step: Option<DropStep>,
}

#[derive(Clone, Copy, Debug)]
struct DropStep {
    hold: bool,
    piece: Piece,
    drop: StraightDrop,
}

impl BeamNode for KeyNode {
    type Key = (Bits, Option<Piece>, u8);

    fn key(&self) -> Self::Key {
        (self.board, self.hold, self.next)
    }

    fn rank(&self, other: &KeyNode) -> Ordering {
        let parts = |node: &KeyNode| (node.value, node.keys, node.board, node.hold, node.next, node.left);
        parts(self).cmp(&parts(other))
    }
}

impl KeySearch {
    /// A search that keeps `width` boards after each piece.
    pub fn new(width: usize) -> KeySearch {
        KeySearch { width, beam: Beam::default() }
    }

    /// The best line of every first move that survives to the end of the search, best first.
    pub fn lines(
        &mut self,
        tables: &KeyTables<i16>,
        drops: &DropTable,
        start: &KeySearchStart,
    ) -> Vec<KeyLine> {
        self.search(tables, drops, start);
        if self.beam.depth() == 0 {
            return Vec::new();
        }
        let mut roots = vec![false; self.beam.first_moves().len()];
        let best = self.beam.last().iter().filter(|entry| !std::mem::replace(&mut roots[entry.root], true));
        best.map(|entry| self.line(drops, start.board, entry)).collect()
    }

    /// The boards after the last piece, best first. Empty if the pieces can't all be placed.
    pub fn leaves(
        &mut self,
        tables: &KeyTables<i16>,
        drops: &DropTable,
        start: &KeySearchStart,
    ) -> &[BeamEntry<KeyNode>] {
        self.search(tables, drops, start);
        if self.beam.depth() == start.pieces.len() { self.beam.last() } else { &[] }
    }

    /// Fills the beam, up to the last piece that can be placed.
    fn search(&mut self, tables: &KeyTables<i16>, drops: &DropTable, start: &KeySearchStart) {
        let KeySearchStart { board, hold, left, pieces, .. } = *start;
        self.beam.start([KeyNode { value: 0, keys: 0, board, hold, next: 0, left, step: None }]);
        for _ in pieces {
            let went_on = self.beam.advance(self.width, |node, found| {
                expand(tables, drops, start, node, found);
                true
            });
            if !went_on {
                break;
            }
        }
    }

    fn line(&self, drops: &DropTable, start: Bits, entry: &BeamEntry<KeyNode>) -> KeyLine {
        let path = self.beam.path(entry);
        let boards = std::iter::once(start).chain(path.iter().map(|node| node.board));
        let moves = boards.zip(&path).filter_map(|(board, node)| {
            let DropStep { hold, piece, drop } = node.step?;
            Some(Move { hold, placement: drops.placement(board, piece, drop) })
        });
        let first_keys = path.first().map_or(0, |first| first.keys);
        KeyLine { value: entry.node.value, first_keys, moves: moves.collect() }
    }
}

/// Passes the children of a node to `found`.
fn expand(
    tables: &KeyTables<i16>,
    drops: &DropTable,
    start: &KeySearchStart,
    node: &KeyNode,
    found: &mut dyn FnMut(KeyNode),
) {
    if node.left == 0 || usize::from(node.next) >= start.pieces.len() {
        // The goal is reached, or a hold used up the pieces early: the line waits until the others are as long.
        found(KeyNode { step: None, ..*node });
        return;
    }
    let may_hold = start.holds && (node.next > 0 || start.hold_now);
    for choice in choices(start.pieces, node.next.into(), node.hold, may_hold) {
        drops.for_each(node.board, choice.piece, |drop, result| {
            let keys = node.keys + result.keys + u32::from(choice.hold);
            let left = node.left.saturating_sub(result.rows);
            let to_go = tables.keys_to_go(drops.grid(), result.board, choice.held, left);
            found(KeyNode {
                value: keys as i32 * UNITS_PER_KEY + to_go,
                keys,
                board: result.board,
                hold: choice.held,
                next: choice.next as u8,
                left,
                step: Some(DropStep { hold: choice.hold, piece: choice.piece, drop }),
            });
        });
    }
}
