//! The search: after each piece the boards with the fewest keys go on, counting those that are still to come.

use super::drops::{Drop, Drops};
use super::value::{KEY, Tables};
use rustc_hash::FxHashSet;
use tetrion_engine::compact::Bits;
use tetrion_engine::game::Move;
use tetrion_engine::piece::Piece;

/// Where a search starts.
pub struct Start<'s> {
    pub board: Bits,
    pub hold: Option<Piece>,
    /// Lines to the goal.
    pub left: u32,
    /// The current piece, then those that are seen.
    pub pieces: &'s [Piece],
    /// Whether the first piece can be held, and whether those after it can.
    pub hold_now: bool,
    pub holds: bool,
}

/// Moves, and what the game is expected to take with them.
pub struct Line {
    /// Keys, in parts of [`KEY`].
    pub value: i32,
    pub moves: Vec<Move>,
}

/// The layers of a search, kept so that the next one need not make them anew.
pub struct Plan {
    /// How many boards go on after each piece.
    width: usize,
    layers: Vec<Vec<Node>>,
    children: Vec<Node>,
    seen: FxHashSet<(Bits, Option<Piece>, u8)>,
}

/// A board on the way. Nodes that come first in their order are better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Node {
    /// Keys so far and those to come, in parts of [`KEY`].
    pub value: i32,
    keys: u32,
    pub board: Bits,
    pub hold: Option<Piece>,
    /// How many of the pieces are used.
    next: u8,
    pub left: u32,
    /// Where it came from in the layer before, and in the first layer.
    parent: u32,
    root: u32,
    /// The move that led here; nothing if the line was over before.
    step: Option<Step>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Step {
    hold: bool,
    piece: Piece,
    drop: Drop,
}

impl Plan {
    /// Nothing yet; so many boards go on after each piece.
    pub fn new(width: usize) -> Plan {
        Plan { width, layers: Vec::new(), children: Vec::new(), seen: FxHashSet::default() }
    }

    /// The best line of every first move that is left at the end of the search, the best first.
    pub fn lines(&mut self, tables: &Tables<i16>, drops: &Drops, start: &Start) -> Vec<Line> {
        let last = self.search(tables, drops, start);
        if last == 0 {
            return Vec::new();
        }
        let mut roots = FxHashSet::default();
        let best = self.layers[last].iter().filter(|node| roots.insert(node.root));
        best.map(|node| Line { value: node.value, moves: self.moves(drops, last, *node) }).collect()
    }

    /// The boards after the last piece, the best first; none if there is no way to place all.
    pub fn leaves(&mut self, tables: &Tables<i16>, drops: &Drops, start: &Start) -> &[Node] {
        match self.search(tables, drops, start) == start.pieces.len() {
            true => &self.layers[start.pieces.len()],
            false => &[],
        }
    }

    /// Fills the layers; gives the last that there is a way to.
    fn search(&mut self, tables: &Tables<i16>, drops: &Drops, start: &Start) -> usize {
        let Start { board, hold, left, pieces, .. } = *start;
        let root = Node { value: 0, keys: 0, board, hold, next: 0, left, parent: 0, root: 0, step: None };
        self.layers.resize_with(pieces.len() + 1, Vec::new);
        self.layers.iter_mut().for_each(Vec::clear);
        self.layers[0].push(root);
        for depth in 0..pieces.len() {
            self.children.clear();
            for (index, node) in self.layers[depth].iter().enumerate() {
                expand(tables, drops, start, node, index, &mut self.children);
            }
            if self.children.is_empty() {
                return depth;
            }
            self.keep_best(depth + 1);
        }
        pieces.len()
    }

    /// Fills a layer with the best of the children, each board once.
    fn keep_best(&mut self, layer: usize) {
        // Few boards come twice: it is enough to sort some more than are kept.
        let sorted = 2 * self.width;
        if self.children.len() > sorted {
            self.children.select_nth_unstable(sorted);
            self.children.truncate(sorted);
        }
        self.children.sort_unstable();
        self.seen.clear();
        let new = self.children.iter().filter(|node| self.seen.insert((node.board, node.hold, node.next)));
        self.layers[layer].extend(new.take(self.width));
        if layer == 1 {
            self.layers[1].iter_mut().enumerate().for_each(|(index, node)| node.root = index as u32);
        }
    }

    /// The moves that led to a node.
    fn moves(&self, drops: &Drops, layer: usize, mut node: Node) -> Vec<Move> {
        let mut moves = Vec::new();
        for before in self.layers[..layer].iter().rev() {
            let parent = before[node.parent as usize];
            if let Some(Step { hold, piece, drop }) = node.step {
                moves.push(Move { hold, placement: drops.placement(parent.board, piece, drop) });
            }
            node = parent;
        }
        moves.reverse();
        moves
    }
}

/// Adds what can become of a node.
fn expand(
    tables: &Tables<i16>,
    drops: &Drops,
    start: &Start,
    node: &Node,
    index: usize,
    children: &mut Vec<Node>,
) {
    let piece = |number: u8| start.pieces.get(usize::from(number)).copied();
    let parent = index as u32;
    let Some(current) = piece(node.next).filter(|_| node.left > 0) else {
        // The goal is reached, or a hold used up the pieces early: the line waits for the others.
        children.push(Node { parent, step: None, ..*node });
        return;
    };
    let mut place = |hold: bool, piece: Piece, held: Option<Piece>, next: u8| {
        drops.for_each(node.board, piece, |drop, landing| {
            let keys = node.keys + landing.keys + u32::from(hold);
            let left = node.left.saturating_sub(landing.rows);
            let step = Some(Step { hold, piece, drop });
            let value = keys as i32 * KEY + tables.keys_to_go(drops.grid(), landing.board, held, left);
            let board = landing.board;
            children.push(Node { value, keys, board, hold: held, next, left, parent, step, ..*node });
        });
    };
    place(false, current, node.hold, node.next + 1);
    if !start.holds || node.next == 0 && !start.hold_now {
        return;
    }
    match (node.hold, piece(node.next + 1)) {
        // The same piece from the hold leads nowhere else.
        (Some(held), _) if held != current => place(true, held, Some(current), node.next + 1),
        (None, Some(following)) => place(true, following, Some(current), node.next + 2),
        _ => {}
    }
}
