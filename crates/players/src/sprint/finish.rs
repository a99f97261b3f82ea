//! The end of a game: a plan that leaves nothing, over what is known and every order of what is not.

use super::last::{self, Last, Orders};
use super::stack::Costs;
use crate::field::{Fields, can_be_filled, rows_left};
use crate::search::choices::choices_with_full_hold;
use rustc_hash::FxHashMap;
use tetrion_engine::compact::Bits;
use tetrion_engine::piece::Piece;

/// The last three draws: the orders in which they can come, and the chance of each.
pub struct Ends {
    orders: Orders,
    /// By `a` and `7b + c`.
    chances: [[f32; 49]; 7],
}

impl Ends {
    /// The last three draws, of which the first may be known; `unknown` are all orders of the others, each as likely as any.
    pub fn new(known: &[Piece], unknown: &[Vec<Piece>]) -> Ends {
        let mut ends = Ends { orders: last::NONE, chances: [[0.0; 49]; 7] };
        for order in unknown {
            let mut draws = known.iter().chain(order).map(|piece| *piece as usize);
            let [a, b, c] = [(); 3].map(|()| draws.next().unwrap_or(0));
            ends.orders[a] |= 1 << (7 * b + c);
            ends.chances[a][7 * b + c] += 1.0 / unknown.len() as f32;
        }
        ends
    }

    /// The chance that one of these orders comes, by the first two draws: `7a + b`.
    fn chances(&self, orders: &Orders) -> [f32; 49] {
        let mut chances = [0.0; 49];
        for a in 0..7 {
            let mut come = orders[a] & self.orders[a];
            while come != 0 {
                let order = come.trailing_zeros() as usize;
                chances[7 * a + order / 7] += self.chances[a][order];
                come &= come - 1;
            }
        }
        chances
    }
}

/// A layer of positions after so many placements.
struct Layer {
    nodes: Vec<(Bits, Piece)>,
    /// From a position of the layer before to one of this.
    edges: Vec<(u32, u32)>,
}

/// What a position is worth, by what of the last three draws is known there.
enum Worth {
    /// All: the orders with which it is cleared.
    Known(Vec<Orders>),
    /// The first two: the chance, by `7a + b`.
    Two(Vec<[f32; 49]>),
    /// The first: by `a`.
    One(Vec<[f32; 7]>),
    /// Nothing.
    Nothing(Vec<f32>),
}

/// Pieces that may come after those that are seen.
pub struct Branch {
    /// The pieces, up to the last three.
    pub draws: Vec<Piece>,
    /// The last three.
    pub ends: Ends,
}

/// What is known of the placements that are left.
pub struct Remaining<'p> {
    /// How many they are.
    pub left: usize,
    /// The pieces that are seen, up to the last three.
    pub draws: &'p [Piece],
    /// What may follow them, each as likely as any.
    pub branches: &'p [Branch],
    /// How many draws are seen at a time.
    pub sight: usize,
}

/// Plans ends of games. What it learns about fields serves all games.
pub struct Finisher {
    fields: Fields,
    last: Last,
    /// The numbers of the positions in a layer; kept so that the room need not be made anew.
    numbers: FxHashMap<u64, u32>,
}

impl Finisher {
    /// A planner for such fields.
    pub fn new(fields: Fields) -> Finisher {
        Finisher { fields, last: Last::default(), numbers: FxHashMap::default() }
    }

    /// The fields.
    pub fn fields(&self) -> &Fields {
        &self.fields
    }

    /// The chance of each root (a field, and the piece in hold) to leave nothing at the end. About `nodes` positions are looked
    /// at.
    pub fn chances(&mut self, roots: &[(Bits, Piece)], remaining: &Remaining, nodes: usize) -> Vec<f32> {
        let Remaining { left, draws, branches, sight } = *remaining;
        // What a branch has in common with the one before it is laid out once.
        let mut drawn: Vec<Piece> = draws.to_vec();
        let mut layer_count = draws.len();
        for branch in branches {
            layer_count += branch.draws.len() - in_common(&drawn[draws.len()..], &branch.draws);
            drawn.truncate(draws.len());
            drawn.extend(&branch.draws);
        }
        let width = nodes / layer_count.max(1);
        let mut layers: Vec<Layer> = Vec::new();
        drawn.clear();
        let mut chances = vec![0.0; roots.len()];
        for branch in branches {
            let draws = [draws, &branch.draws].concat();
            let common = in_common(&drawn, &draws);
            layers.truncate(common);
            for (depth, &draw) in draws.iter().enumerate().skip(common) {
                let before = layers.last().map_or(roots, |layer| &layer.nodes);
                layers.push(expand(&self.fields, &mut self.numbers, before, draw, left - depth, width));
            }
            drawn = draws;
            let bottom = layers.last().map_or(roots, |layer| &layer.nodes);
            let solved = bottom.iter().map(|(field, hold)| self.last.draws(&self.fields, *field, *hold));
            let worth = Worth::Known(solved.collect());
            let worth = back_through(&layers, roots.len(), left.saturating_sub(sight), worth, &branch.ends);
            for (chance, more) in chances.iter_mut().zip(worth.chances(&branch.ends)) {
                *chance += more / branches.len() as f32;
            }
        }
        chances
    }
}

/// How many pieces two orders have in common before they differ.
fn in_common(a: &[Piece], b: &[Piece]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}

/// Goes back through layers, from what the last is worth to what those `count` positions are worth from which they came. At these,
/// so many draws are still `unseen`.
fn back_through(layers: &[Layer], count: usize, unseen: usize, mut worth: Worth, ends: &Ends) -> Worth {
    for (depth, layer) in layers.iter().enumerate().rev() {
        let count = if depth == 0 { count } else { layers[depth - 1].nodes.len() };
        worth = back(&layer.edges, count, worth, unseen.saturating_sub(depth), ends);
    }
    worth
}

/// Whether pieces that are all seen clear a field.
pub fn clears(fields: &Fields, field: Bits, hold: Piece, draws: &[Piece], left: usize) -> bool {
    if left == 0 {
        return field == 0;
    }
    let mut solved = false;
    let mut place = |piece, hold, draws: &[Piece]| {
        fields.for_each_landing(field, piece, rows_left(field, left), |after, _| {
            solved = solved || clears(fields, after, hold, draws, left - 1);
        });
    };
    match draws.split_first() {
        Some((&draw, rest)) => {
            choices_with_full_hold(draw, hold).for_each(|(piece, hold)| place(piece, hold, rest));
        }
        None if left == 1 => place(hold, hold, draws),
        None => {}
    }
    solved
}

impl Worth {
    /// The chances, before more is seen.
    fn chances(&self, ends: &Ends) -> Vec<f32> {
        match self {
            Worth::Known(sets) => sets.iter().map(|orders| ends.chances(orders).iter().sum()).collect(),
            Worth::Two(tables) => tables.iter().map(|table| table.iter().sum()).collect(),
            Worth::One(tables) => tables.iter().map(|table| table.iter().sum()).collect(),
            Worth::Nothing(chances) => chances.clone(),
        }
    }
}

/// Near the end a high stack is better than a low one: it leaves more ways.
const COSTS: Costs = Costs { holes: 32, steps: 1, wells: 4, deep: 8, filled: 0, empty: 1 };

/// The best positions that a draw leads to.
fn expand(
    fields: &Fields,
    numbers: &mut FxHashMap<u64, u32>,
    nodes: &[(Bits, Piece)],
    draw: Piece,
    left: usize,
    width: usize,
) -> Layer {
    numbers.clear();
    let mut found: Vec<(Bits, Piece, u32)> = Vec::new();
    let mut edges = Vec::new();
    let mut best = Cheapest::new(width);
    for (from, &(field, hold)) in nodes.iter().enumerate() {
        let ceiling = rows_left(field, left);
        for (piece, hold) in choices_with_full_hold(draw, hold) {
            fields.for_each_landing(field, piece, ceiling, |after, rows| {
                let cost = COSTS.of(fields, after);
                if cost <= best.limit && can_be_filled(after, ceiling - rows as usize) {
                    let number = *numbers.entry(after << 3 | hold as u64).or_insert_with(|| {
                        best.add(cost);
                        found.push((after, hold, cost));
                        found.len() as u32 - 1
                    });
                    edges.push((from as u32, number));
                }
            });
        }
    }
    let numbers: Vec<u32> = best.ranks(found.iter().map(|node| node.2));
    let mut nodes = vec![(0, Piece::I); found.len().min(width)];
    for (number, (field, hold, _)) in numbers.iter().zip(found) {
        if let Some(node) = nodes.get_mut(*number as usize) {
            *node = (field, hold);
        }
    }
    edges.retain_mut(|edge| {
        edge.1 = numbers[edge.1 as usize];
        (edge.1 as usize) < nodes.len()
    });
    Layer { nodes, edges }
}

/// Keeps account of what costs least.
struct Cheapest {
    width: usize,
    /// How many there are of each cost.
    counts: Vec<u32>,
    /// How many there are up to the limit.
    within: usize,
    /// What costs more is not among the cheapest.
    limit: u32,
}

impl Cheapest {
    fn new(width: usize) -> Cheapest {
        Cheapest { width, counts: vec![0; COSTS.most() as usize + 1], within: 0, limit: COSTS.most() }
    }

    /// One more, within the limit.
    #[inline]
    fn add(&mut self, cost: u32) {
        self.counts[cost as usize] += 1;
        self.within += 1;
        while self.within - self.counts[self.limit as usize] as usize >= self.width {
            self.within -= self.counts[self.limit as usize] as usize;
            self.limit -= 1;
        }
    }

    /// The rank of each, those that came first before others of the same cost.
    fn ranks(self, costs: impl Iterator<Item = u32>) -> Vec<u32> {
        let mut next = self.counts;
        let mut before = 0;
        for count in &mut next {
            before += std::mem::replace(count, before);
        }
        let rank = |cost: u32| {
            next[cost as usize] += 1;
            next[cost as usize] - 1
        };
        costs.map(rank).collect()
    }
}

/// The worth of the positions before, if the best of what follows is chosen with so many of the last three draws unknown.
fn back(edges: &[(u32, u32)], count: usize, worth: Worth, unknown: usize, ends: &Ends) -> Worth {
    match (worth, unknown) {
        (Worth::Known(after), 0) => {
            let mut before = vec![last::NONE; count];
            for &(from, to) in edges {
                for (before, after) in before[from as usize].iter_mut().zip(&after[to as usize]) {
                    *before |= after;
                }
            }
            Worth::Known(before)
        }
        (Worth::Known(after), _) => {
            let tables: Vec<[f32; 49]> = after.iter().map(|orders| ends.chances(orders)).collect();
            Worth::Two(best(edges, count, &tables))
        }
        (Worth::Two(after), 0 | 1) => Worth::Two(best(edges, count, &after)),
        (Worth::Two(after), _) => {
            let tables: Vec<[f32; 7]> =
                after.iter().map(|table| std::array::from_fn(|a| table[7 * a..][..7].iter().sum())).collect();
            Worth::One(best(edges, count, &tables))
        }
        (Worth::One(after), 0..=2) => Worth::One(best(edges, count, &after)),
        (Worth::One(after), _) => {
            let sums: Vec<[f32; 1]> = after.iter().map(|table| [table.iter().sum()]).collect();
            Worth::Nothing(best(edges, count, &sums).iter().map(|chance| chance[0]).collect())
        }
        (Worth::Nothing(after), _) => {
            let after: Vec<[f32; 1]> = after.iter().map(|chance| [*chance]).collect();
            Worth::Nothing(best(edges, count, &after).iter().map(|chance| chance[0]).collect())
        }
    }
}

/// The largest of what follows, number by number.
fn best<const N: usize>(edges: &[(u32, u32)], count: usize, after: &[[f32; N]]) -> Vec<[f32; N]> {
    let mut before = vec![[0.0; N]; count];
    for &(from, to) in edges {
        for (before, after) in before[from as usize].iter_mut().zip(&after[to as usize]) {
            *before = f32::max(*before, *after);
        }
    }
    before
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cheapest_are_ranked_first_and_the_limit_rules_out_no_other() {
        let costs = [5, 3, 9, 3, 7, 1];
        let mut cheapest = Cheapest::new(3);
        let within: Vec<u32> = costs
            .into_iter()
            .filter(|cost| {
                let within = *cost <= cheapest.limit;
                if within {
                    cheapest.add(*cost);
                }
                within
            })
            .collect();
        // Three were known to cost no more than five or nine when the others came.
        assert_eq!(within, [5, 3, 9, 3, 1]);
        assert_eq!(cheapest.ranks(within.into_iter()), [3, 1, 4, 2, 0]);
    }
}
