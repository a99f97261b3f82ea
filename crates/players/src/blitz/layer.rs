//! Layers of a beam: the best nodes after a number of pieces, each state once.

use super::field::{COLUMNS, Cells, raised};
use tetrion_engine::piece::Piece;

/// A field, the held piece, back-to-back, combo and garbage in one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct State<C>(C);

// The first of the free bits, counted from the last row up, for each thing.
const BACK_TO_BACK: usize = 3;
const COMBO: usize = BACK_TO_BACK + 1;
const WAITING: usize = COMBO + 4;
const FLOOR: usize = WAITING + 4;
const NOTHING_HELD: u64 = 7;

/// Longer combos count as this one.
pub const MAX_COMBO: u32 = 15;

/// Garbage on its way, in rows. Fields of fewer rows have none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Incoming {
    /// What waits.
    pub waiting: u32,
    /// What has risen since the search began. Its holes are not known, so it is a floor of full rows that stay.
    pub floor: u32,
}

impl Incoming {
    /// More rows count as this many.
    pub const MOST: u32 = 15;
}

impl<C: Cells> State<C> {
    const HOLD: usize = C::ROWS * COLUMNS;

    /// Packs a state without garbage.
    #[inline]
    pub fn new(field: C, hold: Option<Piece>, back_to_back: bool, combo: u32) -> State<C> {
        let hold = hold.map_or(NOTHING_HELD, |piece| piece as u64);
        let rest = hold | u64::from(back_to_back) << BACK_TO_BACK | u64::from(combo.min(MAX_COMBO)) << COMBO;
        State(field | C::from_low(rest) << Self::HOLD)
    }

    /// The state with garbage on its way.
    #[inline]
    pub fn with_garbage(self, Incoming { waiting, floor }: Incoming) -> State<C> {
        debug_assert!(C::HAVE_GARBAGE);
        let rest =
            u64::from(waiting.min(Incoming::MOST)) << WAITING | u64::from(floor.min(Incoming::MOST)) << FLOOR;
        State(self.0 | C::from_low(rest) << Self::HOLD)
    }

    /// All but the field.
    #[inline]
    fn rest(self) -> usize {
        (self.0 >> Self::HOLD).low() as usize
    }

    /// The field.
    #[inline]
    pub fn field(self) -> C {
        self.0 & C::ALL
    }

    /// The held piece.
    #[inline]
    pub fn hold(self) -> Option<Piece> {
        Piece::ALL.get(self.rest() & 7).copied()
    }

    /// Whether a back-to-back is on.
    #[inline]
    pub fn back_to_back(self) -> bool {
        self.rest() >> BACK_TO_BACK & 1 == 1
    }

    /// Clears in a row so far.
    #[inline]
    pub fn combo(self) -> u32 {
        (self.rest() >> COMBO) as u32 & MAX_COMBO
    }

    /// Garbage on its way.
    #[inline]
    pub fn garbage(self) -> Incoming {
        if C::HAVE_GARBAGE {
            let rest = self.rest() as u32;
            Incoming { waiting: rest >> WAITING & Incoming::MOST, floor: rest >> FLOOR & Incoming::MOST }
        } else {
            Incoming::default()
        }
    }

    /// The state with garbage instead of the floor, now that the column of its holes is known.
    pub fn with_holes(self, hole: usize) -> State<C> {
        let Incoming { waiting, floor } = self.garbage();
        if floor == 0 {
            return self;
        }
        let field = raised(self.field(), floor, hole);
        State::new(field, self.hold(), self.back_to_back(), self.combo())
            .with_garbage(Incoming { waiting, floor: 0 })
    }

    /// A number that scatters states.
    #[inline]
    pub fn hash(self) -> u64 {
        self.0.scattered()
    }
}

/// A state and the best way to it.
#[derive(Clone, Copy, Debug)]
pub struct Node<C> {
    /// The state.
    pub state: State<C>,
    /// The points scored on the way.
    pub points: i32,
    /// The points and what the field is worth.
    pub score: i32,
    /// The number of the first move.
    pub root: u32,
    /// The index of the node before it in its layer.
    pub parent: u32,
}

/// What became of placements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SieveCounts {
    /// Placements that led to a state that their layer already had.
    pub duplicates: u64,
    /// Placements that led to a new state, which was not among the best.
    pub rejected: u64,
    /// Placements that led to a new state, which was among the best so far.
    pub kept: u64,
}

impl std::ops::AddAssign for SieveCounts {
    fn add_assign(&mut self, SieveCounts { duplicates, rejected, kept }: SieveCounts) {
        self.duplicates += duplicates;
        self.rejected += rejected;
        self.kept += kept;
    }
}

/// Keeps the best nodes of a layer while it is filled. Its memory is used again for the next layer.
#[derive(Default)]
pub struct Sieve {
    /// What became of all placements so far.
    pub counts: SieveCounts,
    /// An open hash table of states: the index of the node, and the layer that wrote the entry.
    table: Vec<(u32, u32)>,
    layer: u32,
    /// How many nodes have each score, in steps. Nodes below the limit are not among the best.
    with_score: Vec<u32>,
    lowest: i32,
    limit: usize,
    /// The number of nodes from the limit up.
    within: usize,
    width: usize,
}

/// Steps of scores that are told apart while a layer is filled, and the points of a step.
const STEPS: usize = 4096;
const STEP_POINTS: i32 = 16;

impl Sieve {
    /// Starts a layer of the best `width` nodes, after a layer whose best score is given.
    pub fn start(&mut self, width: usize, best_before: i32) {
        self.with_score.clear();
        self.with_score.resize(STEPS, 0);
        self.lowest = best_before - STEPS as i32 / 8 * 5 * STEP_POINTS;
        (self.limit, self.within, self.width) = (0, 0, width);
        self.layer = self.layer.wrapping_add(1);
        if self.table.is_empty() || self.layer == 0 {
            self.table.clear();
            self.table.resize(1 << 12, (0, 0));
            self.layer = 1;
        }
    }

    #[inline]
    fn step(&self, score: i32) -> usize {
        ((score - self.lowest) / STEP_POINTS).clamp(0, STEPS as i32 - 1) as usize
    }

    /// Nodes with a lower score are not among the best.
    #[inline]
    fn floor(&self) -> i32 {
        if self.limit == 0 { i32::MIN } else { self.lowest + self.limit as i32 * STEP_POINTS }
    }

    /// Adds a node to the layer, unless it is not among the best or a better node has the same state. Its score so far is its
    /// points; `value` gives the rest, and is asked only for a new state. Anything below its argument is not among the best.
    #[inline]
    pub fn add<C: Cells>(
        &mut self,
        nodes: &mut Vec<Node<C>>,
        mut node: Node<C>,
        value: impl FnOnce(i32) -> i32,
    ) {
        let mask = self.table.len() - 1;
        let mut at = node.state.hash() as usize & mask;
        let step = loop {
            let (index, layer) = self.table[at];
            if layer != self.layer {
                node.score = node.points + value(self.floor().saturating_sub(node.points));
                let step = self.step(node.score);
                if step < self.limit {
                    self.counts.rejected += 1;
                    return;
                }
                self.counts.kept += 1;
                self.table[at] = (nodes.len() as u32, self.layer);
                nodes.push(node);
                break step;
            }
            let known = &mut nodes[index as usize];
            if known.state == node.state {
                self.counts.duplicates += 1;
                if known.points >= node.points {
                    return;
                }
                let before = self.step(known.score);
                node.score = known.score - known.points + node.points;
                *known = node;
                if before >= self.limit {
                    self.with_score[before] -= 1;
                    self.within -= 1;
                }
                let step = self.step(node.score);
                if step < self.limit {
                    return;
                }
                break step;
            }
            at = (at + 1) & mask;
        };
        self.with_score[step] += 1;
        self.within += 1;
        while self.within - self.with_score[self.limit] as usize >= self.width {
            self.within -= self.with_score[self.limit] as usize;
            self.limit += 1;
        }
        if nodes.len() * 2 > self.table.len() {
            self.grow(nodes);
        }
    }

    #[cold]
    fn grow<C: Cells>(&mut self, nodes: &[Node<C>]) {
        let size = self.table.len() * 2;
        self.table.clear();
        self.table.resize(size, (0, 0));
        self.layer = 1;
        for (index, node) in nodes.iter().enumerate() {
            let mut at = node.state.hash() as usize & (size - 1);
            while self.table[at].1 == 1 {
                at = (at + 1) & (size - 1);
            }
            self.table[at] = (index as u32, 1);
        }
    }

    /// Finishes the layer: only its best nodes stay, in no particular order.
    pub fn finish<C: Cells>(&mut self, nodes: &mut Vec<Node<C>>) {
        nodes.retain(|node| self.step(node.score) >= self.limit);
        if nodes.len() > self.width {
            nodes.select_nth_unstable_by(self.width, Node::order);
            nodes.truncate(self.width);
        }
    }
}

impl<C: Cells> Node<C> {
    /// The order from the best node to the worst. No two nodes of a layer are equal in it.
    pub fn order(&self, other: &Node<C>) -> std::cmp::Ordering {
        other.score.cmp(&self.score).then(self.state.cmp(&other.state))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;
    use tetrion_engine::randomizer::Random;

    /// Compares with sorting all nodes. Scores follow from states and points, as in a search.
    #[test]
    fn a_sieve_keeps_the_best_of_each_state_and_the_best_of_these() {
        let mut random = Random::new(4);
        let mut sieve = Sieve::default();
        for width in [1, 10, 300, 5_000] {
            let mut nodes = Vec::new();
            let mut best: HashMap<u128, i32> = HashMap::new();
            sieve.counts = SieveCounts::default();
            sieve.start(width, 2_000);
            for _ in 0..20_000 {
                let field = u128::from(random.below(4_000)) << 50;
                let points = random.below(3_000) as i32;
                let score = points + (field >> 50) as i32;
                let state = State::new(field, Some(Piece::T), false, 0);
                let node = Node { state, points, score: points, root: 0, parent: 0 };
                // Below the floor, any value will do.
                sieve.add(&mut nodes, node, |floor| (score - points).max(floor.saturating_sub(1)));
                let known = best.entry(field).or_insert(score);
                *known = score.max(*known);
            }
            let SieveCounts { duplicates, rejected, kept } = sieve.counts;
            assert_eq!((duplicates + rejected + kept, kept), (20_000, nodes.len() as u64));
            sieve.finish(&mut nodes);
            let mut found: Vec<i32> = nodes.iter().map(|node| node.score).collect();
            let mut expected: Vec<i32> = best.into_values().collect();
            found.sort_unstable_by(|a, b| b.cmp(a));
            expected.sort_unstable_by(|a, b| b.cmp(a));
            expected.truncate(width);
            assert_eq!(found, expected, "width {width}");
        }
    }

    #[test]
    fn a_state_holds_what_was_packed() {
        for hold in [None, Some(Piece::I), Some(Piece::Z)] {
            for combo in [0, 3, 40] {
                let state = State::new(u128::ALL, hold, true, combo);
                assert_eq!(
                    (state.field(), state.hold(), state.back_to_back(), state.combo()),
                    (u128::ALL, hold, true, combo.min(15))
                );
            }
        }
    }
}
