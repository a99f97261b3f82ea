//! What a search leaves for the next one: the best line after each first move.
//!
//! A search of the same position, or of the one after any of these moves, does not have to find that line again.

use super::field::Cells;
use super::layer::{Node, State};
use tetrion_engine::piece::Piece;

/// The best line after each first move, over the known pieces.
pub struct Kept<C> {
    start: Option<State<C>>,
    /// The pieces drawn on the way.
    draws: Vec<Piece>,
    /// The lines, the best first, all of the same length.
    nodes: Vec<Node<C>>,
    length: usize,
}

impl<C> Default for Kept<C> {
    /// Nothing.
    fn default() -> Kept<C> {
        Kept { start: None, draws: Vec::new(), nodes: Vec::new(), length: 0 }
    }
}

impl<C: Cells> Kept<C> {
    /// Forgets everything, and begins with the lines from a position, each with this many placements.
    pub fn begin(&mut self, start: State<C>, draws: &[Piece], length: usize) {
        self.nodes.clear();
        self.start = Some(start);
        self.draws.clear();
        self.draws.extend_from_slice(draws);
        self.length = length;
    }

    /// Adds the next best line, from its last node to its first.
    pub fn add_backwards(&mut self, line: impl Iterator<Item = Node<C>>) {
        let from = self.nodes.len();
        self.nodes.extend(line);
        self.nodes[from..].reverse();
    }

    /// The nodes of all lines, the best line first.
    #[cfg(test)]
    pub fn nodes(&self) -> &[Node<C>] {
        &self.nodes
    }

    /// What is known about the way on from a position with these first moves: the best line, or the rest of it after the move that
    /// led here.
    pub fn line(&self, start: State<C>, draws: &[Piece], first_moves: &[Node<C>]) -> Option<Vec<Node<C>>> {
        let mut lines = self.nodes.chunks(self.length.max(1));
        let (line, draws_then, points) = if self.start? == start {
            (lines.next()?, &self.draws[..], 0)
        } else {
            let line = lines.find(|line| line[0].state == start)?;
            (&line[1..], self.draws.get(1..)?, line[0].points)
        };
        let are_the_same = draws_then.iter().zip(draws).all(|(then, now)| then == now);
        let first = line.first().filter(|_| are_the_same)?;
        let root = first_moves.iter().find(|node| node.state == first.state)?.root;
        Some(line.iter().map(|node| Node { root, points: node.points - points, ..*node }).collect())
    }
}
