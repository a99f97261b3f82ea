//! Finishing: plans the end of a game so that it leaves an empty field, for the known pieces and the possible orders of the
//! unknown ones.

use super::last_pieces::{LastPiecesSolver, NO_ORDERS, ThreePieceOrders};
use super::stack::FieldCosts;
use crate::field::{Fields, can_be_filled, rows_left};
use crate::search::choices::choices_with_full_hold;
use rustc_hash::FxHashMap;
use tetrion_engine::compact::Bits;
use tetrion_engine::piece::Piece;

/// The last three draws: the possible orders and the probability of each.
pub struct LastDraws {
    orders: ThreePieceOrders,
    /// By `a` and `7b + c`.
    chances: [[f32; 49]; 7],
}

impl LastDraws {
    /// The last three draws. The first of them are `known`; `unknown` has all orders of the others, with equal probability.
    pub fn new(known: &[Piece], unknown: &[Vec<Piece>]) -> LastDraws {
        let mut last_draws = LastDraws { orders: NO_ORDERS, chances: [[0.0; 49]; 7] };
        for order in unknown {
            let mut draws = known.iter().chain(order).map(|piece| *piece as usize);
            let [a, b, c] = [(); 3].map(|()| draws.next().unwrap_or(0));
            last_draws.orders[a] |= 1 << (7 * b + c);
            last_draws.chances[a][7 * b + c] += 1.0 / unknown.len() as f32;
        }
        last_draws
    }

    /// The probability that one of these orders comes, by the first two draws: `7a + b`.
    fn chances(&self, orders: &ThreePieceOrders) -> [f32; 49] {
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

/// The positions after a number of placements.
struct PlanLayer {
    nodes: Vec<(Bits, Piece)>,
    /// From a position of the layer before to a position of this layer.
    edges: Vec<(u32, u32)>,
}

/// The value of every position in a layer, by how many of the last three draws are known there.
enum LayerValues {
    /// All draws are known: the orders that clear the field.
    All(Vec<ThreePieceOrders>),
    /// The first two are known: the probability of clearing the field, by `7a + b`.
    Two(Vec<[f32; 49]>),
    /// The first is known: the probability by `a`.
    One(Vec<[f32; 7]>),
    /// None is known: the probability.
    Nothing(Vec<f32>),
}

/// One way in which the game may continue after the visible pieces.
pub struct Continuation {
    /// The next draws, up to the last three.
    pub draws: Vec<Piece>,
    /// The last three draws.
    pub last_draws: LastDraws,
}

/// The rest of a game.
pub struct RestOfGame<'p> {
    /// How many placements are left.
    pub left: usize,
    /// The visible draws, up to the last three.
    pub draws: &'p [Piece],
    /// What may follow them, with equal probability.
    pub continuations: &'p [Continuation],
    /// How many draws are visible at a time.
    pub sight: usize,
}

/// Plans the ends of games. What it learns about fields serves all games.
pub struct Finisher {
    fields: Fields,
    last_pieces: LastPiecesSolver,
    /// The numbers of the positions in a layer. Kept to reuse its memory.
    numbers: FxHashMap<u64, u32>,
}

impl Finisher {
    /// A planner for these fields.
    pub fn new(fields: Fields) -> Finisher {
        Finisher { fields, last_pieces: LastPiecesSolver::default(), numbers: FxHashMap::default() }
    }

    /// The fields.
    pub fn fields(&self) -> &Fields {
        &self.fields
    }

    /// The probability, for each root (a field and the piece in hold), that the game ends with an empty field. Evaluates about
    /// `nodes` positions.
    pub fn chances(&mut self, roots: &[(Bits, Piece)], rest: &RestOfGame, nodes: usize) -> Vec<f32> {
        let RestOfGame { left, draws, continuations, sight } = *rest;
        // Continuations share the layers of the draws that they have in common with the one before.
        let mut drawn: Vec<Piece> = draws.to_vec();
        let mut layer_count = draws.len();
        for continuation in continuations {
            layer_count += continuation.draws.len() - in_common(&drawn[draws.len()..], &continuation.draws);
            drawn.truncate(draws.len());
            drawn.extend(&continuation.draws);
        }
        let width = nodes / layer_count.max(1);
        let mut layers: Vec<PlanLayer> = Vec::new();
        drawn.clear();
        let mut chances = vec![0.0; roots.len()];
        for continuation in continuations {
            let draws = [draws, &continuation.draws].concat();
            let common = in_common(&drawn, &draws);
            layers.truncate(common);
            for (depth, &draw) in draws.iter().enumerate().skip(common) {
                let before = layers.last().map_or(roots, |layer| &layer.nodes);
                layers.push(expand(&self.fields, &mut self.numbers, before, draw, left - depth, width));
            }
            drawn = draws;
            let bottom = layers.last().map_or(roots, |layer| &layer.nodes);
            let solved = bottom
                .iter()
                .map(|(field, hold)| self.last_pieces.clearing_draws(&self.fields, *field, *hold));
            let values = LayerValues::All(solved.collect());
            let values = propagate_through(
                &layers,
                roots.len(),
                left.saturating_sub(sight),
                values,
                &continuation.last_draws,
            );
            for (chance, more) in chances.iter_mut().zip(values.chances(&continuation.last_draws)) {
                *chance += more / continuations.len() as f32;
            }
        }
        chances
    }
}

/// How many pieces two orders have in common before they differ.
fn in_common(a: &[Piece], b: &[Piece]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}

/// Propagates the values of the last layer back to the `count` positions before the first layer, where `unseen` draws are not
/// yet visible.
fn propagate_through(
    layers: &[PlanLayer],
    count: usize,
    unseen: usize,
    mut values: LayerValues,
    last_draws: &LastDraws,
) -> LayerValues {
    for (depth, layer) in layers.iter().enumerate().rev() {
        let count = if depth == 0 { count } else { layers[depth - 1].nodes.len() };
        values = propagate(&layer.edges, count, values, unseen.saturating_sub(depth), last_draws);
    }
    values
}

/// Whether visible pieces alone clear a field.
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

impl LayerValues {
    /// The probabilities before any more draws are visible.
    fn chances(&self, last_draws: &LastDraws) -> Vec<f32> {
        match self {
            LayerValues::All(sets) => {
                sets.iter().map(|orders| last_draws.chances(orders).iter().sum()).collect()
            }
            LayerValues::Two(tables) => tables.iter().map(|table| table.iter().sum()).collect(),
            LayerValues::One(tables) => tables.iter().map(|table| table.iter().sum()).collect(),
            LayerValues::Nothing(chances) => chances.clone(),
        }
    }
}

/// Costs near the end. A high stack is better than a low one here: it leaves more ways to finish.
const FINISHING_COSTS: FieldCosts =
    FieldCosts { holes: 32, steps: 1, wells: 4, deep: 8, filled: 0, empty: 1 };

/// The best positions that a draw leads to.
fn expand(
    fields: &Fields,
    numbers: &mut FxHashMap<u64, u32>,
    nodes: &[(Bits, Piece)],
    draw: Piece,
    left: usize,
    width: usize,
) -> PlanLayer {
    numbers.clear();
    let mut found: Vec<(Bits, Piece, u32)> = Vec::new();
    let mut edges = Vec::new();
    let mut best = Cheapest::new(width);
    for (from, &(field, hold)) in nodes.iter().enumerate() {
        let ceiling = rows_left(field, left);
        for (piece, hold) in choices_with_full_hold(draw, hold) {
            fields.for_each_landing(field, piece, ceiling, |after, rows| {
                let cost = FINISHING_COSTS.of(fields, after);
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
    PlanLayer { nodes, edges }
}

/// Keeps track of the cheapest positions.
struct Cheapest {
    width: usize,
    /// The number of positions with each cost.
    counts: Vec<u32>,
    /// The number of positions up to the limit.
    within: usize,
    /// Positions above this cost are not among the cheapest.
    limit: u32,
}

impl Cheapest {
    fn new(width: usize) -> Cheapest {
        Cheapest {
            width,
            counts: vec![0; FINISHING_COSTS.max() as usize + 1],
            within: 0,
            limit: FINISHING_COSTS.max(),
        }
    }

    /// Adds a position within the limit.
    #[inline]
    fn add(&mut self, cost: u32) {
        self.counts[cost as usize] += 1;
        self.within += 1;
        while self.within - self.counts[self.limit as usize] as usize >= self.width {
            self.within -= self.counts[self.limit as usize] as usize;
            self.limit -= 1;
        }
    }

    /// The rank of each position. Of equal costs, the one added first comes first.
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

/// The values of the positions one layer before, where the player chooses the best move with `unknown` of the last three draws
/// unknown.
fn propagate(
    edges: &[(u32, u32)],
    count: usize,
    values: LayerValues,
    unknown: usize,
    last_draws: &LastDraws,
) -> LayerValues {
    match (values, unknown) {
        (LayerValues::All(after), 0) => {
            let mut before = vec![NO_ORDERS; count];
            for &(from, to) in edges {
                for (before, after) in before[from as usize].iter_mut().zip(&after[to as usize]) {
                    *before |= after;
                }
            }
            LayerValues::All(before)
        }
        (LayerValues::All(after), _) => {
            let tables: Vec<[f32; 49]> = after.iter().map(|orders| last_draws.chances(orders)).collect();
            LayerValues::Two(best(edges, count, &tables))
        }
        (LayerValues::Two(after), 0 | 1) => LayerValues::Two(best(edges, count, &after)),
        (LayerValues::Two(after), _) => {
            let tables: Vec<[f32; 7]> =
                after.iter().map(|table| std::array::from_fn(|a| table[7 * a..][..7].iter().sum())).collect();
            LayerValues::One(best(edges, count, &tables))
        }
        (LayerValues::One(after), 0..=2) => LayerValues::One(best(edges, count, &after)),
        (LayerValues::One(after), _) => {
            let sums: Vec<[f32; 1]> = after.iter().map(|table| [table.iter().sum()]).collect();
            LayerValues::Nothing(best(edges, count, &sums).iter().map(|chance| chance[0]).collect())
        }
        (LayerValues::Nothing(after), _) => {
            let after: Vec<[f32; 1]> = after.iter().map(|chance| [*chance]).collect();
            LayerValues::Nothing(best(edges, count, &after).iter().map(|chance| chance[0]).collect())
        }
    }
}

/// The largest value among the children of each position, entry by entry.
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
        // When the 7 came, three were already known to cost at most 5.
        assert_eq!(within, [5, 3, 9, 3, 1]);
        assert_eq!(cheapest.ranks(within.into_iter()), [3, 1, 4, 2, 0]);
    }
}
