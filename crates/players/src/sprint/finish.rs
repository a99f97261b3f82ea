//! The end of a game: a plan that leaves nothing, over what is known and every order of what is not.

use super::last::{self, Last, Orders, rows_left};
use super::stack;
use crate::field::{Fields, can_be_filled};
use rustc_hash::FxHashMap;
use tetrion_engine::compact::Bits;
use tetrion_engine::piece::Piece;

/// The last three draws: the orders in which they can come, and the chance of each.
pub struct Ends {
    orders: Vec<[usize; 3]>,
    /// By `49a + 7b + c`.
    chances: Vec<f32>,
}

impl Ends {
    /// The last three draws, of which the first may be known; `orders` gives all orders of the others, each as likely as any.
    pub fn new<T>(known: &[Piece], orders: impl Fn(usize) -> Vec<(Vec<Piece>, T)>) -> Ends {
        let unknown = orders(3 - known.len());
        let mut ends = Ends { orders: Vec::new(), chances: vec![0.0; 343] };
        for (order, _) in &unknown {
            let mut draws = known.iter().chain(order).map(|piece| *piece as usize);
            let order = [(); 3].map(|()| draws.next().unwrap_or(0));
            ends.orders.push(order);
            ends.chances[last::number(order)] += 1.0 / unknown.len() as f32;
        }
        ends
    }

    /// The chance that one of these orders comes.
    fn chance(&self, orders: &Orders) -> f32 {
        let come = self.orders.iter().map(|order| last::number(*order));
        come.filter(|order| last::contains(orders, *order)).map(|order| self.chances[order]).sum()
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

/// Plans ends of games. What it learns about fields serves all games.
pub struct Finisher {
    fields: Fields,
    last: Last,
    /// The numbers of the positions in a layer; kept so that the room need not be made anew.
    numbers: FxHashMap<(Bits, Piece), u32>,
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

    /// The chance of each root (a field, and the piece in hold) to leave nothing after `left` placements, of which the last
    /// three are apart. `draws` are the pieces that are seen, `branches` all that may follow them, each as likely as any.
    /// `width` says how many positions to keep with so many placements to go.
    pub fn chances(
        &mut self,
        roots: &[(Bits, Piece)],
        left: usize,
        draws: &[Piece],
        branches: &[Branch],
        width: impl Fn(usize) -> usize,
    ) -> Vec<f32> {
        let seen = self.layers(roots, left, draws, &width);
        let (bottom, left_there) = (seen.last().map_or(roots, |layer| &layer.nodes), left - draws.len());
        let mut chances = vec![0.0; roots.len()];
        for branch in branches {
            let unseen = self.layers(bottom, left_there, &branch.draws, &width);
            let solved = unseen
                .last()
                .map_or(bottom, |layer| &layer.nodes)
                .iter()
                .map(|(field, hold)| self.last.draws(&self.fields, *field, *hold, &branch.ends.orders));
            let mut worth = Worth::Known(solved.collect());
            worth = back_through(&unseen, bottom.len(), left_there, worth, &branch.ends);
            worth = back_through(&seen, roots.len(), left, worth, &branch.ends);
            for (chance, more) in chances.iter_mut().zip(worth.chances(&branch.ends)) {
                *chance += more / branches.len() as f32;
            }
        }
        chances
    }

    /// The layers that draws lead to.
    fn layers(
        &mut self,
        roots: &[(Bits, Piece)],
        left: usize,
        draws: &[Piece],
        width: &impl Fn(usize) -> usize,
    ) -> Vec<Layer> {
        let mut layers: Vec<Layer> = Vec::new();
        for (depth, &draw) in draws.iter().enumerate() {
            let before = layers.last().map_or(roots, |layer| &layer.nodes);
            let left = left - depth;
            let mut layer = expand(&self.fields, &mut self.numbers, before, draw, left);
            keep_best(&self.fields, &mut layer, width(left - 1));
            layers.push(layer);
        }
        layers
    }
}

/// Goes back through layers, from what the last is worth to what those `count` positions are worth from which they came.
fn back_through(layers: &[Layer], count: usize, left: usize, mut worth: Worth, ends: &Ends) -> Worth {
    for (depth, layer) in layers.iter().enumerate().rev() {
        let count = if depth == 0 { count } else { layers[depth - 1].nodes.len() };
        // Six draws are seen at a time, and the last draw is for the last placement.
        let unknown = (left - depth).saturating_sub(6);
        worth = back(&layer.edges, count, worth, unknown, ends);
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
            place(draw, hold, rest);
            place(hold, draw, rest);
        }
        None => place(hold, hold, draws),
    }
    solved
}

impl Worth {
    /// The chances, before more is seen.
    fn chances(&self, ends: &Ends) -> Vec<f32> {
        match self {
            Worth::Known(sets) => sets.iter().map(|orders| ends.chance(orders)).collect(),
            Worth::Two(tables) => tables.iter().map(|table| table.iter().sum()).collect(),
            Worth::One(tables) => tables.iter().map(|table| table.iter().sum()).collect(),
            Worth::Nothing(chances) => chances.clone(),
        }
    }
}

/// All positions that a draw leads to.
fn expand(
    fields: &Fields,
    numbers: &mut FxHashMap<(Bits, Piece), u32>,
    nodes: &[(Bits, Piece)],
    draw: Piece,
    left: usize,
) -> Layer {
    numbers.clear();
    let mut layer = Layer { nodes: Vec::new(), edges: Vec::new() };
    for (from, &(field, hold)) in nodes.iter().enumerate() {
        let ceiling = rows_left(field, left);
        let mut place = |piece: Piece, hold: Piece| {
            fields.for_each_landing(field, piece, ceiling, |after, rows| {
                if can_be_filled(after, ceiling - rows as usize) {
                    let number = *numbers.entry((after, hold)).or_insert_with(|| {
                        layer.nodes.push((after, hold));
                        layer.nodes.len() as u32 - 1
                    });
                    layer.edges.push((from as u32, number));
                }
            });
        };
        place(draw, hold);
        if draw != hold {
            place(hold, draw);
        }
    }
    layer
}

/// Keeps the best positions of a layer, and what leads to them.
fn keep_best(fields: &Fields, layer: &mut Layer, width: usize) {
    if layer.nodes.len() <= width {
        return;
    }
    let mut ranked: Vec<(f32, u32)> = layer
        .nodes
        .iter()
        .enumerate()
        .map(|(number, node)| (stack::score(fields, node.0), number as u32))
        .collect();
    ranked.select_nth_unstable_by(width, |a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut numbers = vec![u32::MAX; layer.nodes.len()];
    let mut nodes = Vec::with_capacity(width);
    for (_, number) in &ranked[..width] {
        numbers[*number as usize] = nodes.len() as u32;
        nodes.push(layer.nodes[*number as usize]);
    }
    layer.nodes = nodes;
    layer.edges.retain_mut(|edge| {
        edge.1 = numbers[edge.1 as usize];
        edge.1 != u32::MAX
    });
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
            let tables: Vec<[f32; 49]> = after
                .iter()
                .map(|orders| {
                    let mut table = [0.0; 49];
                    if *orders != last::NONE {
                        for &order in
                            ends.orders.iter().filter(|order| last::contains(orders, last::number(**order)))
                        {
                            table[7 * order[0] + order[1]] += ends.chances[last::number(order)];
                        }
                    }
                    table
                })
                .collect();
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
