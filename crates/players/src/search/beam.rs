//! Beam search: keeps only the best nodes after each piece.

use rustc_hash::FxHashSet;
use std::cmp::Ordering;
use std::hash::Hash;

/// A node of a beam.
pub trait BeamNode: Copy {
    /// Identifies a node, however it was reached.
    type Key: Hash + Eq;

    /// The node's identity.
    fn key(&self) -> Self::Key;

    /// [`Less`](Ordering::Less) if it is better than the other. Of equals, the one found first is better.
    fn rank(&self, other: &Self) -> Ordering;
}

/// A node in a layer, with the path to it.
#[derive(Clone, Copy, Debug)]
pub struct BeamEntry<N> {
    /// The node.
    pub node: N,
    /// The index of its first move in the first layer after the start.
    pub root: usize,
    /// The index of its parent in the layer before.
    parent: usize,
    /// Its place in the order in which its layer was found.
    found: usize,
}

impl<N: BeamNode> BeamEntry<N> {
    fn order(&self, other: &Self) -> Ordering {
        self.node.rank(&other.node).then(self.found.cmp(&other.found))
    }
}

/// The layers of a search. Their memory is reused from one search to the next.
pub struct Beam<N: BeamNode> {
    layers: Vec<Vec<BeamEntry<N>>>,
    /// The number of layers in use.
    depth: usize,
    seen: FxHashSet<N::Key>,
}

impl<N: BeamNode> Default for Beam<N> {
    fn default() -> Beam<N> {
        Beam { layers: Vec::new(), depth: 0, seen: FxHashSet::default() }
    }
}

impl<N: BeamNode> Beam<N> {
    /// Starts a new search from these nodes.
    pub fn start(&mut self, nodes: impl IntoIterator<Item = N>) {
        self.depth = 0;
        let layer = self.next_layer();
        let entry = |(found, node)| BeamEntry { node, root: found, parent: 0, found };
        layer.extend(nodes.into_iter().enumerate().map(entry));
        layer.sort_unstable_by(BeamEntry::order);
        self.depth = 1;
    }

    /// Adds a layer. Calls `expand` with each of the best `width` nodes of the last layer; it passes the children of the node to
    /// its second argument. Of children with the same key the best stays. `expand` gives up by returning `false`. Returns
    /// whether a layer was added: there were children, and `expand` did not give up.
    pub fn advance(&mut self, width: usize, mut expand: impl FnMut(&N, &mut dyn FnMut(N)) -> bool) -> bool {
        let mut children = std::mem::take(self.next_layer());
        let is_first = self.depth == 1;
        for (parent, entry) in self.last().iter().take(width).enumerate() {
            let continues = expand(&entry.node, &mut |node| {
                let found = children.len();
                children.push(BeamEntry { node, root: entry.root, parent, found });
            });
            if !continues {
                children.clear();
                break;
            }
        }
        // The first layer is kept whole, because its nodes are the first moves. In the others, twice as many nodes as needed
        // are sorted, because some of them are duplicates.
        let sorted = if is_first { usize::MAX } else { width.saturating_mul(2) };
        if children.len() > sorted {
            children.select_nth_unstable_by(sorted, BeamEntry::order);
            children.truncate(sorted);
        }
        children.sort_unstable_by(BeamEntry::order);
        self.seen.clear();
        children.retain(|entry| self.seen.insert(entry.node.key()));
        if is_first {
            children.iter_mut().enumerate().for_each(|(index, entry)| entry.root = index);
        } else {
            children.truncate(width);
        }
        let found_any = !children.is_empty();
        *self.next_layer() = children;
        self.depth += usize::from(found_any);
        found_any
    }

    /// The number of layers after the start.
    pub fn depth(&self) -> usize {
        self.depth - 1
    }

    /// The nodes of the last layer, best first.
    pub fn last(&self) -> &[BeamEntry<N>] {
        &self.layers[self.depth - 1]
    }

    /// The first moves: the nodes one step from the start, best first.
    pub fn first_moves(&self) -> &[BeamEntry<N>] {
        if self.depth > 1 { &self.layers[1] } else { &[] }
    }

    /// The nodes on the path to an entry of the last layer, from the first move to the entry itself.
    pub fn path(&self, entry: &BeamEntry<N>) -> Vec<N> {
        let mut path = vec![entry.node];
        let mut parent = entry.parent;
        for layer in self.layers[1..self.depth - 1].iter().rev() {
            path.push(layer[parent].node);
            parent = layer[parent].parent;
        }
        path.reverse();
        path
    }

    /// The layer after the last one, emptied.
    fn next_layer(&mut self) -> &mut Vec<BeamEntry<N>> {
        if self.layers.len() == self.depth {
            self.layers.push(Vec::new());
        }
        let layer = &mut self.layers[self.depth];
        layer.clear();
        layer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A number with a cost. Equal numbers are the same node.
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Number(u32, u32);

    impl BeamNode for Number {
        type Key = u32;

        fn key(&self) -> u32 {
            self.0
        }

        fn rank(&self, other: &Number) -> Ordering {
            self.1.cmp(&other.1)
        }
    }

    fn search(width: usize, steps: &[&[(u32, u32)]]) -> Vec<Vec<Number>> {
        let mut beam = Beam::default();
        beam.start([Number(0, 0)]);
        for step in steps {
            beam.advance(width, |from, found| {
                step.iter().for_each(|(number, cost)| found(Number(from.0 + number, from.1 + cost)));
                true
            });
        }
        beam.last().iter().map(|entry| beam.path(entry)).collect()
    }

    #[test]
    fn of_two_paths_to_the_same_node_the_better_is_kept_though_it_came_later() {
        // 1 + 2 and 2 + 1 both make 3. The second path is cheaper and found later.
        let paths = search(10, &[&[(1, 9), (2, 1)], &[(2, 5), (1, 1)]]);
        let to_three: Vec<_> = paths.iter().filter(|path| path[1].0 == 3).collect();
        assert_eq!(to_three, [&vec![Number(2, 1), Number(3, 2)]]);
    }

    #[test]
    fn the_best_nodes_go_on_wherever_they_were_found() {
        let paths = search(1, &[&[(1, 9), (2, 1), (3, 5)], &[(10, 0)]]);
        assert_eq!(paths, [vec![Number(2, 1), Number(12, 1)]]);
    }

    #[test]
    fn every_first_move_is_kept_and_a_search_that_gives_up_leaves_the_layer_before() {
        let mut beam = Beam::default();
        beam.start([Number(0, 0)]);
        assert!(beam.advance(1, |_, found| {
            (1..=5).for_each(|number| found(Number(number, number)));
            true
        }));
        assert_eq!(beam.first_moves().len(), 5);
        assert!(!beam.advance(1, |_, found| {
            found(Number(9, 9));
            false
        }));
        assert_eq!((beam.depth(), beam.last().len()), (1, 5));
    }
}
