//! The search: a beam over the known pieces, then narrower beams over sampled continuations of the best first moves.

use super::field;
use super::layer::{MAX_COMBO, Node, Sieve, State};
use super::value::{Outlook, Weights};
use crate::monitor::StopSignal;
use crate::search::choices::choices_with_full_hold;
use tetrion_engine::board::Board;
use tetrion_engine::game::Move;
use tetrion_engine::location::{Placement, Spin};
use tetrion_engine::moves::generate;
use tetrion_engine::piece::Piece;
use tetrion_engine::position::View;
use tetrion_engine::randomizer::{Bag, Random};
use tetrion_engine::ruleset::Ruleset;
use tetrion_engine::scoring::{Clear, Streak};

/// How a search divides what it may spend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchShape {
    /// Nodes kept after each known piece.
    pub width: usize,
    /// Nodes kept for each first move after each sampled piece.
    pub sample_width: usize,
    /// Sampled pieces in a continuation.
    pub depth: usize,
    /// First moves that are followed through sampled continuations. None are if it is 1.
    pub roots: usize,
    /// Placements to judge, at most.
    pub nodes: u64,
}

/// Placements judged for each node that is kept after a known piece, in all layers together.
const NODES_PER_WIDTH: u64 = 180;

/// With fewer placements to judge, there is no time for samples.
const FEWEST_NODES_TO_SAMPLE: u64 = 150_000;

impl SearchShape {
    /// The shape for this many placements.
    pub fn for_nodes(nodes: u64) -> SearchShape {
        // With few nodes, all of them go to the known pieces.
        let samples = nodes >= FEWEST_NODES_TO_SAMPLE;
        let known = if samples { (nodes / 4).max(FEWEST_NODES_TO_SAMPLE / 2) } else { nodes };
        SearchShape {
            width: (known / NODES_PER_WIDTH).clamp(1, 20_000) as usize,
            sample_width: (nodes / 10_000).clamp(16, 400) as usize,
            depth: 4,
            roots: if samples { 8 } else { 1 },
            nodes,
        }
    }
}

/// After this many samples, first moves that are clearly worse than the best are dropped.
const FIRST_SAMPLES: usize = 6;
/// A search that was stopped after fewer samples ignores them.
const FEWEST_SAMPLES: usize = 2;
/// How many standard errors are clear.
const CLEARLY_WORSE: f64 = 2.5;
/// More samples than this don't change a decision.
const MAX_SAMPLES: usize = 256;

/// The points of clears without combos, by spin, lines, back-to-back and perfect clear; and those of a combo.
struct PointTable {
    clears: [[[[i32; 2]; 2]; 5]; 3],
    combo: i32,
}

impl PointTable {
    fn of(rules: &Ruleset) -> PointTable {
        let points = |spin, lines: usize, back_to_back, perfect, clears| {
            let mut streak = Streak { back_to_back, clears };
            let clear = Clear { lines: lines as u32, spin, perfect };
            rules.scoring.score(&mut streak, clear).points.total() as i32
        };
        let clears = [Spin::None, Spin::Mini, Spin::Full].map(|spin| {
            std::array::from_fn(|lines| {
                [false, true].map(|back_to_back| {
                    [false, true].map(|perfect| points(spin, lines, back_to_back, perfect, 0))
                })
            })
        });
        let combo = points(Spin::None, 1, false, false, 1) - points(Spin::None, 1, false, false, 0);
        PointTable { clears, combo }
    }
}

/// What is known about the game after a placement.
#[derive(Clone, Copy)]
struct Future {
    t_soon: bool,
    pieces_left: u32,
}

/// What a search depends on, and what it has spent.
struct Expansion<'s> {
    rules: &'s Ruleset,
    weights: &'s Weights,
    points: PointTable,
    board_height: usize,
    nodes: u64,
    stop: Option<&'s dyn StopSignal>,
}

/// A node without its history: the result of a placement.
struct Child {
    placement: Placement,
    state: State,
    points: i32,
    score: i32,
}

impl Expansion<'_> {
    /// Calls `visit` with every placement of a piece, where `hold` is the held piece afterwards.
    fn place(
        &mut self,
        from: &Node,
        board: &Board,
        piece: Piece,
        hold: Option<Piece>,
        future: Future,
        visit: &mut (impl FnMut(Child) + ?Sized),
    ) {
        let before = from.state.field();
        let covered = field::solid(before);
        let (had_back_to_back, had_combo) = (from.state.back_to_back(), from.state.combo());
        let start = self.rules.spawn(piece, board);
        let placements = generate(board, start, self.rules.move_rules());
        for placement in placements.iter() {
            let Some(cells) = field::cells_of(placement.location()) else { continue };
            self.nodes += 1;
            let (field, lines) = field::clear(before | cells, cells);
            // Rows fallen count twice if nothing is above the piece.
            let fallen = i32::from(start.y) - i32::from(placement.location().y);
            let mut points = if cells & covered == 0 { 2 * fallen } else { fallen };
            let (mut back_to_back, mut combo) = (had_back_to_back, 0);
            let spin = placement.spin();
            if lines > 0 || spin != Spin::None {
                let by_back_to_back = &self.points.clears[spin as usize][lines as usize];
                points += by_back_to_back[usize::from(had_back_to_back)][usize::from(field == 0)];
            }
            if lines > 0 {
                points += self.points.combo * had_combo as i32;
                combo = (had_combo + 1).min(MAX_COMBO);
                back_to_back = lines == 4 || spin != Spin::None;
            }
            let Future { t_soon, pieces_left } = future;
            let value =
                self.weights.value(&Outlook { field, hold, back_to_back, combo, t_soon, pieces_left });
            let points = from.points + points;
            visit(Child {
                placement,
                state: State::new(field, hold, back_to_back, combo),
                points,
                score: points + value,
            });
        }
    }

    /// Calls `visit` with everything that can be done with a drawn piece: place it, or place the held one and hold it.
    fn expand(&mut self, from: &Node, draw: Piece, future: Future, visit: &mut (impl FnMut(Child) + ?Sized)) {
        let board = field::to_board(from.state.field(), self.board_height);
        let held = from.state.hold();
        // Without a hold, the piece itself stands for it: there is nothing to choose.
        for (piece, hold) in choices_with_full_hold(draw, held.unwrap_or(draw)) {
            self.place(from, &board, piece, held.map(|_| hold), future, visit);
        }
    }

    /// Fills a layer with the best nodes that a drawn piece leads to. Returns whether there are any.
    fn advance(
        &mut self,
        before: &[Node],
        draw: Piece,
        future: Future,
        width: usize,
        sieve: &mut Sieve,
        after: &mut Vec<Node>,
    ) -> bool {
        after.clear();
        sieve.start(width, before.iter().map(|node| node.score).max().unwrap_or(0));
        for (parent, node) in before.iter().enumerate() {
            self.expand(node, draw, future, &mut |Child { state, points, score, .. }| {
                sieve.add(after, Node { state, points, score, root: node.root, parent: parent as u32 });
            });
        }
        sieve.finish(after);
        !after.is_empty()
    }

    fn is_stopped(&self) -> bool {
        self.stop.is_some_and(StopSignal::is_raised)
    }
}

/// A first move.
#[derive(Clone, Debug)]
pub struct FirstMove {
    /// The move.
    pub play: Move,
    /// The points expected until the end of the search, and what the field is worth then.
    pub expected: f64,
    /// The points of the move itself.
    pub points: i32,
    /// What it leads to.
    pub outlook: Outlook,
    /// The moves of the best line over the known pieces, after this one.
    pub line: Vec<Move>,
}

/// What a search found.
#[derive(Default)]
pub struct SearchResult {
    /// The first moves that are worth considering, best first.
    pub moves: Vec<FirstMove>,
    /// Whether it saw all known pieces before it was stopped.
    pub is_complete: bool,
}

/// The memory of searches, kept from one to the next.
#[derive(Default)]
pub struct Search {
    /// The layers of the known pieces. The first holds the first moves.
    known: Vec<Vec<Node>>,
    /// The layer before and after a sampled piece.
    sampled: [Vec<Node>; 2],
    sieve: Sieve,
}

/// The pieces of a position: the held one, and those that are drawn next.
///
/// An empty hold is treated as if the current piece were in it: placing the held piece then means placing the current piece, and
/// placing the draw means using hold.
struct Hand<'p> {
    hold: Option<Piece>,
    draws: &'p [Piece],
    /// Whether nothing is really held.
    hold_is_empty: bool,
}

impl<'p> Hand<'p> {
    fn of(view: &'p View) -> Hand<'p> {
        match view.hold {
            _ if !view.rules.hold => Hand { hold: None, draws: &view.queue, hold_is_empty: false },
            None if view.queue.len() > 1 => {
                Hand { hold: Some(view.current()), draws: view.previews(), hold_is_empty: true }
            }
            hold => Hand { hold, draws: &view.queue, hold_is_empty: false },
        }
    }
}

impl Search {
    /// Searches. Finds no moves if the stack is too high or the board has another width.
    pub fn run(
        &mut self,
        view: &View,
        weights: &Weights,
        shape: &SearchShape,
        stop: Option<&dyn StopSignal>,
        with_lines: bool,
    ) -> SearchResult {
        let Some(field) = field::of_board(&view.board) else { return SearchResult::default() };
        let pieces_left = view.pieces_left().unwrap_or(u32::MAX);
        let mut expansion = Expansion {
            rules: view.rules,
            weights,
            points: PointTable::of(view.rules),
            board_height: view.board.height(),
            nodes: 0,
            stop,
        };
        let hand = Hand::of(view);
        let future = |placed: usize| Future {
            t_soon: hand.draws[placed..].contains(&Piece::T)
                || view.bag.is_some_and(|bag| bag.contains(Piece::T)),
            pieces_left: pieces_left.saturating_sub(placed as u32),
        };
        let start = State::new(field, hand.hold, view.streak.back_to_back, view.streak.clears);
        let plays = self.first_moves(&mut expansion, start, &hand, view, future(1));

        // The known pieces.
        let mut depth = 1;
        let known = hand.draws.len().min(pieces_left as usize);
        while depth < known && depth <= self.known.len() {
            if expansion.is_stopped() {
                break;
            }
            if self.known.len() == depth {
                self.known.push(Vec::new());
            }
            let (before, after) = self.known.split_at_mut(depth);
            let (before, after) = (&before[depth - 1], &mut after[0]);
            if !expansion.advance(
                before,
                hand.draws[depth],
                future(depth + 1),
                shape.width,
                &mut self.sieve,
                after,
            ) {
                break;
            }
            depth += 1;
        }

        let is_complete = !expansion.is_stopped();

        // First moves by their best leaf.
        let leaves = &mut self.known[depth - 1];
        leaves.sort_unstable_by(Node::order);
        let mut best: Vec<usize> = Vec::new();
        let mut is_seen = vec![false; plays.len()];
        for (at, leaf) in leaves.iter().enumerate() {
            if !std::mem::replace(&mut is_seen[leaf.root as usize], true) {
                best.push(at);
            }
        }
        let mut expected: Vec<f64> = best.iter().map(|leaf| f64::from(leaves[*leaf].score)).collect();

        // Sampled continuations.
        let left = pieces_left.saturating_sub(depth as u32) as usize;
        if best.len().min(shape.roots) > 1 && is_complete && left > 0 {
            let unseen = view.bag.unwrap_or(Bag::EMPTY);
            let roots: Vec<u32> = best.iter().map(|leaf| leaves[*leaf].root).collect();
            let sampled: Vec<f64> = self.sample(&mut expansion, shape, &roots, depth, unseen, left);
            // Moves that were not sampled stay below those that were.
            let lowest = sampled.iter().copied().fold(f64::INFINITY, f64::min);
            let offset = sampled.first().map_or(0.0, |mean| mean - expected[0]);
            for (at, expected) in expected.iter_mut().enumerate() {
                *expected = sampled.get(at).copied().unwrap_or((*expected + offset).min(lowest));
            }
        }
        let leaves = &self.known[depth - 1];
        let mut moves: Vec<FirstMove> = Vec::new();
        for (leaf, expected) in best.iter().zip(expected) {
            let root = leaves[*leaf].root as usize;
            let Some(first) = self.known[0].iter().find(|node| node.root as usize == root) else { continue };
            let outlook = self.outlook(first, future(1));
            let line = if with_lines {
                self.line(&mut expansion, depth, *leaf, &hand, plays[root])
            } else {
                Vec::new()
            };
            moves.push(FirstMove { play: plays[root], expected, points: first.points, outlook, line });
        }
        // The sort is stable: the better leaf comes first.
        moves.sort_by(|a, b| b.expected.total_cmp(&a.expected));
        SearchResult { moves, is_complete }
    }

    /// Fills the first layer with the first moves, and returns them by the number of their root.
    fn first_moves(
        &mut self,
        expansion: &mut Expansion,
        start: State,
        hand: &Hand,
        view: &View,
        future: Future,
    ) -> Vec<Move> {
        if self.known.is_empty() {
            self.known.push(Vec::new());
        }
        let layer = &mut self.known[0];
        layer.clear();
        let mut plays: Vec<Move> = Vec::new();
        let Some((&draw, _)) = hand.draws.split_first() else { return plays };
        let root = Node { state: start, points: 0, score: 0, root: 0, parent: 0 };
        let visit: &mut dyn FnMut(Child) = &mut |Child { placement, state, points, score }| {
            let hold = placement.piece() != view.current();
            if hold && !view.can_hold() {
                return;
            }
            let node = Node { state, points, score, root: plays.len() as u32, parent: 0 };
            let play = Move { hold, placement };
            match layer.iter_mut().find(|known| known.state == state) {
                None => {
                    layer.push(node);
                    plays.push(play);
                }
                Some(known) if known.points < points => {
                    plays[known.root as usize] = play;
                    *known = Node { root: known.root, ..node };
                }
                Some(_) => {}
            }
        };
        expansion.expand(&root, draw, future, visit);
        plays
    }

    /// The mean results of the best first moves over sampled continuations. Those that are clearly worse are given up early.
    /// Empty if the search is stopped after too few samples.
    fn sample(
        &mut self,
        expansion: &mut Expansion,
        shape: &SearchShape,
        roots: &[u32],
        depth: usize,
        unseen: Bag,
        left: usize,
    ) -> Vec<f64> {
        let leaves = &self.known[depth - 1];
        let roots = &roots[..roots.len().min(shape.roots)];
        let starts: Vec<Vec<Node>> = roots
            .iter()
            .map(|root| {
                leaves.iter().filter(|leaf| leaf.root == *root).take(shape.sample_width).copied().collect()
            })
            .collect();
        let mut results: Vec<Vec<f64>> = vec![Vec::new(); roots.len()];
        let mut alive: Vec<usize> = (0..roots.len()).collect();
        let mut random = Random::new(leaves.first().map_or(0, |leaf| leaf.state.hash()));
        let mut draws = Vec::new();
        let [before, after] = &mut self.sampled;
        for sample in 0..MAX_SAMPLES {
            let spent = expansion.nodes;
            let bag = draw_pieces(&mut draws, shape.depth.min(left), unseen, &mut random);
            for &root in &alive {
                before.clone_from(&starts[root]);
                for (at, &draw) in draws.iter().enumerate() {
                    let future = Future {
                        t_soon: draws[at + 1..].contains(&Piece::T) || bag.contains(Piece::T),
                        pieces_left: u32::try_from(left - at - 1).unwrap_or(u32::MAX),
                    };
                    if !expansion.advance(before, draw, future, shape.sample_width, &mut self.sieve, after) {
                        break;
                    }
                    std::mem::swap(before, after);
                }
                let best = before.iter().map(|node| node.score).max().unwrap_or(0);
                results[root].push(f64::from(best));
            }
            if sample + 1 >= FIRST_SAMPLES {
                give_up(&mut alive, &results);
            }
            let costs = expansion.nodes - spent;
            if alive.len() == 1 || expansion.nodes + costs > shape.nodes || expansion.is_stopped() {
                break;
            }
        }
        if results[0].len() < FEWEST_SAMPLES {
            return Vec::new();
        }
        let mean = |results: &Vec<f64>| results.iter().sum::<f64>() / results.len() as f64;
        let means: Vec<f64> = results.iter().map(mean).collect();
        // Those that were given up stay below those that were not.
        let lowest = alive.iter().map(|root| means[*root]).fold(f64::INFINITY, f64::min);
        let is_alive = |root: usize| alive.contains(&root);
        means
            .iter()
            .enumerate()
            .map(|(root, mean)| if is_alive(root) { *mean } else { mean.min(lowest) })
            .collect()
    }

    /// What a node leads to.
    fn outlook(&self, node: &Node, future: Future) -> Outlook {
        let state = node.state;
        Outlook {
            field: state.field(),
            hold: state.hold(),
            back_to_back: state.back_to_back(),
            combo: state.combo(),
            t_soon: future.t_soon,
            pieces_left: future.pieces_left,
        }
    }

    /// The moves to a leaf after the first one. Nodes don't store moves, so they are looked for again.
    fn line(
        &self,
        expansion: &mut Expansion,
        depth: usize,
        leaf: usize,
        hand: &Hand,
        first: Move,
    ) -> Vec<Move> {
        let mut path = vec![self.known[depth - 1][leaf]];
        for layer in self.known[..depth - 1].iter().rev() {
            path.push(layer[path[path.len() - 1].parent as usize]);
        }
        path.reverse();
        let mut hold_is_empty = hand.hold_is_empty && !first.hold;
        let mut line = Vec::new();
        for (step, &draw) in path.windows(2).zip(&hand.draws[1..]) {
            let current = step[0].state.hold().filter(|_| hold_is_empty).unwrap_or(draw);
            let mut play = None;
            let future = Future { t_soon: false, pieces_left: 0 };
            let visit: &mut dyn FnMut(Child) = &mut |child| {
                if child.state == step[1].state && child.points == step[1].points {
                    let placement = child.placement;
                    play = Some(Move { hold: placement.piece() != current, placement });
                }
            };
            expansion.expand(&step[0], draw, future, visit);
            hold_is_empty &= play.is_some_and(|play| !play.hold);
            line.extend(play);
        }
        line
    }
}

/// Draws pieces for a continuation. Returns what is left in the bag.
fn draw_pieces(draws: &mut Vec<Piece>, count: usize, unseen: Bag, random: &mut Random) -> Bag {
    let mut bag = unseen;
    draws.clear();
    for _ in 0..count {
        if bag.is_empty() {
            bag = Bag::FULL;
        }
        let nth = random.below(bag.len() as u64) as usize;
        let piece = bag.iter().nth(nth).unwrap_or(Piece::I);
        bag = bag.without(piece);
        draws.push(piece);
    }
    bag
}

/// Gives up the first moves that are clearly worse than the best so far, compared sample by sample.
fn give_up(alive: &mut Vec<usize>, results: &[Vec<f64>]) {
    let sum = |root: usize| results[root].iter().sum::<f64>();
    let Some(best) = alive.iter().copied().max_by(|a, b| sum(*a).total_cmp(&sum(*b)).then(b.cmp(a))) else {
        return;
    };
    let count = results[best].len() as f64;
    alive.retain(|&root| {
        let differences = || results[best].iter().zip(&results[root]).map(|(best, other)| best - other);
        let mean = differences().sum::<f64>() / count;
        let variance =
            differences().map(|difference| (difference - mean).powi(2)).sum::<f64>() / (count - 1.0);
        mean <= CLEARLY_WORSE * (variance / count).sqrt()
    });
}
