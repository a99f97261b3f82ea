//! The search: a beam over the known pieces, then narrower beams over sampled continuations of the best first moves.

use super::field::{self, Cells};
use super::goal::{Arriving, Goal};
use super::kept::Kept;
use super::layer::{Incoming, MAX_COMBO, Node, Sieve, SieveCounts, State};
use super::perfect_clear::{FirstMoves, Planner};
use super::sampling::{Spare, Starts};
use super::value::{Arrival, Judge, Outlook};
use crate::crew::{Alone, Crew};
use crate::monitor::StopSignal;
use crate::search::choices::choices_with_full_hold;
use std::sync::Arc;
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
    /// Placements to judge for the known pieces, about.
    pub known_nodes: u64,
    /// Nodes kept for each first move after each sampled piece.
    pub sample_width: usize,
    /// Sampled pieces in a continuation.
    pub depth: usize,
    /// First moves that are followed through sampled continuations. None are if it is 1.
    pub roots: usize,
    /// Placements to judge, at most.
    pub nodes: u64,
}

/// With fewer placements to judge, all of them go to the known pieces: there is no time for samples.
const FEWEST_NODES_TO_SAMPLE: u64 = 50_000;

impl SearchShape {
    /// The shape for this many placements.
    pub fn for_nodes(nodes: u64) -> SearchShape {
        let samples = nodes >= FEWEST_NODES_TO_SAMPLE;
        SearchShape {
            // Without samples, some are kept in reserve: a layer that can't be finished is lost.
            known_nodes: if samples { nodes / 6 } else { nodes * 3 / 4 },
            sample_width: (nodes / 9_000).clamp(16, 400) as usize,
            depth: 4,
            roots: if samples { 8 } else { 1 },
            nodes,
        }
    }
}

/// At most one placement in so many is judged for plans of perfect clears.
const PLANNING_SHARE: u64 = 20;
/// More nodes than this in a layer don't change a decision.
const MAX_WIDTH: u64 = 20_000;

/// What is known about the game after a placement.
#[derive(Clone, Copy)]
pub struct Prospects {
    next_t: Arrival,
    next_i: Arrival,
    pieces_left: u32,
}

impl Prospects {
    /// After a placement, when these pieces are known to come, with this bag after them.
    pub fn new(known: &[Piece], bag: Bag, pieces_left: u32) -> Prospects {
        let arrival = |piece| Arrival::of(piece, known, bag);
        Prospects { next_t: arrival(Piece::T), next_i: arrival(Piece::I), pieces_left }
    }

    /// What a state promises then.
    #[inline]
    pub fn of<C: Cells>(self, state: State<C>) -> Outlook<C> {
        Outlook {
            field: state.field(),
            hold: state.hold(),
            back_to_back: state.back_to_back(),
            combo: state.combo(),
            next_t: self.next_t,
            next_i: self.next_i,
            pieces_left: self.pieces_left,
            garbage: state.garbage(),
        }
    }
}

/// What a search depends on, and what it has spent.
pub struct Expansion<'s, C> {
    rules: &'s Ruleset,
    judge: &'s dyn Judge<C>,
    pub goal: &'s Goal,
    board_height: usize,
    /// Garbage that arrives before the next placements. Without it, garbage that rises is a floor.
    pub arriving: Option<Arriving>,
    nodes: u64,
    max_nodes: u64,
    stop: Option<&'s dyn StopSignal>,
}

/// The result of a placement.
pub struct Child<C> {
    /// The placement.
    pub placement: Placement,
    /// The state after it.
    pub state: State<C>,
    /// The points so far.
    pub points: i32,
}

/// The layer before and after a piece, and what fills the one after. Their memory is used again for the next piece.
pub struct Layers<C> {
    pub before: Vec<Node<C>>,
    pub after: Vec<Node<C>>,
    pub sieve: Sieve,
}

impl<C> Default for Layers<C> {
    fn default() -> Layers<C> {
        Layers { before: Vec::new(), after: Vec::new(), sieve: Sieve::default() }
    }
}

impl<'s, C: Cells> Expansion<'s, C> {
    /// A search of a position that judges at most this many placements.
    pub fn new(
        view: &View<'s>,
        judge: &'s dyn Judge<C>,
        goal: &'s Goal,
        max_nodes: u64,
        stop: Option<&'s dyn StopSignal>,
    ) -> Expansion<'s, C> {
        Expansion {
            rules: view.rules,
            judge,
            goal,
            board_height: view.board.height(),
            arriving: None,
            nodes: 0,
            max_nodes,
            stop,
        }
    }

    /// Calls `visit` with every placement of a piece, where `hold` is the held piece afterwards.
    fn place(
        &mut self,
        from: &Node<C>,
        board: &Board,
        piece: Piece,
        hold: Option<Piece>,
        visit: &mut (impl FnMut(Child<C>) + ?Sized),
    ) {
        let (before, garbage) = (from.state.field(), from.state.garbage());
        let covered = field::solid(before);
        let streak = Streak { back_to_back: from.state.back_to_back(), clears: from.state.combo() };
        let start = self.rules.spawn(piece, board);
        let placements = generate(board, start, self.rules.move_rules());
        for placement in placements.iter() {
            let Some(cells) = field::cells_of(placement.location(), garbage.floor) else { continue };
            self.nodes += 1;
            let (field, lines) = field::clear(before | cells, cells);
            // Nothing is above a piece that falls all the way.
            let fallen = i32::from(start.y) - i32::from(placement.location().y);
            let drop = self.goal.drop(fallen, cells & covered == C::NONE);
            let (mut back_to_back, mut combo) = (streak.back_to_back, 0);
            let spin = placement.spin();
            let mut earned = 0;
            if lines > 0 || spin != Spin::None {
                earned = self.goal.earned(streak, Clear { lines, spin, perfect: field == C::NONE });
            }
            if lines > 0 {
                combo = (streak.clears + 1).min(MAX_COMBO);
                back_to_back = lines == 4 || spin != Spin::None;
            }
            let Some((points, field, garbage)) =
                self.goal.exchange(earned, lines, field, garbage, self.arriving)
            else {
                continue;
            };
            let mut state = State::new(field, hold, back_to_back, combo);
            if C::HAVE_GARBAGE {
                state = state.with_garbage(garbage);
            }
            visit(Child { placement, state, points: from.points + drop + points });
        }
    }

    /// Calls `visit` with everything that can be done with a drawn piece: place it, or place the held one and hold it.
    pub fn expand(&mut self, from: &Node<C>, draw: Piece, visit: &mut (impl FnMut(Child<C>) + ?Sized)) {
        let board = field::to_board(from.state.field(), from.state.garbage().floor, self.board_height);
        let held = from.state.hold();
        // Without a hold, the piece itself stands for it: there is nothing to choose.
        for (piece, hold) in choices_with_full_hold(draw, held.unwrap_or(draw)) {
            self.place(from, &board, piece, held.map(|_| hold), visit);
        }
    }

    /// Fills a layer with the best nodes that a drawn piece leads to. Returns whether there are any, and the search may go on.
    pub fn advance(
        &mut self,
        before: &[Node<C>],
        draw: Piece,
        prospects: Prospects,
        width: usize,
        sieve: &mut Sieve,
        after: &mut Vec<Node<C>>,
    ) -> bool {
        after.clear();
        sieve.start(width, before.iter().map(|node| node.score).max().unwrap_or(0));
        let judge = self.judge;
        for (parent, node) in before.iter().enumerate() {
            if parent % NODES_BETWEEN_CHECKS == 0 && self.is_spent() {
                return false;
            }
            self.expand(node, draw, &mut |Child { state, points, .. }| {
                let node = Node { state, points, score: points, root: node.root, parent: parent as u32 };
                sieve.add(after, node, |floor| judge.worth_from(&prospects.of(state), floor));
            });
        }
        sieve.finish(after);
        !after.is_empty()
    }

    /// The same search with nothing spent yet of what is left: for a part of it that is done at the same time as others.
    pub fn with_what_is_left(&self) -> Expansion<'s, C> {
        Expansion { nodes: 0, max_nodes: self.max_nodes.saturating_sub(self.nodes), ..*self }
    }

    /// Placements judged.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Counts placements that were judged elsewhere.
    pub fn spend(&mut self, nodes: u64) {
        self.nodes += nodes;
    }

    fn is_stopped(&self) -> bool {
        self.stop.is_some_and(StopSignal::is_raised)
    }

    /// Whether the search has to end.
    pub fn is_spent(&self) -> bool {
        self.nodes >= self.max_nodes || self.is_stopped()
    }
}

/// Whether the search has to end is asked once for this many nodes of a layer.
const NODES_BETWEEN_CHECKS: usize = 32;

/// A first move.
#[derive(Clone, Debug)]
pub struct FirstMove<C> {
    /// The move.
    pub play: Move,
    /// The points expected until the end of the search, and what the field is worth then.
    pub expected: f64,
    /// The points of the move itself.
    pub points: i32,
    /// What it leads to.
    pub outlook: Outlook<C>,
    /// The moves of the best line over the known pieces, after this one.
    pub line: Vec<Move>,
}

/// What a search found.
pub struct SearchResult<C> {
    /// The first moves that are worth considering, best first.
    pub moves: Vec<FirstMove<C>>,
    /// Whether it saw all known pieces before it was stopped.
    pub is_complete: bool,
}

/// The memory of searches, kept from one to the next.
pub struct Search<C> {
    /// The layers of the known pieces. The first holds the first moves.
    known: Vec<Vec<Node<C>>>,
    layers: Layers<C>,
    spare: Spare<C>,
    planner: Planner<C>,
    kept: Kept<C>,
    /// Who follows the sampled continuations.
    pub crew: Arc<dyn Crew>,
    /// Whether it goes on from what the last search has found. If not, what it finds depends on the position alone.
    pub keeps_lines: bool,
    /// Placements judged so far, in all searches.
    pub nodes: u64,
}

impl<C> Default for Search<C> {
    fn default() -> Search<C> {
        Search {
            known: Vec::new(),
            layers: Layers::default(),
            spare: Spare::default(),
            planner: Planner::default(),
            kept: Kept::default(),
            crew: Arc::new(Alone),
            keeps_lines: false,
            nodes: 0,
        }
    }
}

/// What the known pieces lead to.
pub struct KnownPieces<'p, C> {
    start: State<C>,
    hand: Hand<'p>,
    /// The first moves by the number of their root.
    plays: Vec<Move>,
    /// The number of layers.
    depth: usize,
    /// What is known after the first of them, and after the last.
    first: Prospects,
    last: Prospects,
    /// Pieces left to place after the last layer.
    pub pieces_left: u32,
}

impl<C> KnownPieces<'_, C> {
    /// What is known about the game after the last layer.
    pub fn last(&self) -> Prospects {
        self.last
    }
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

impl<C: Cells> Search<C> {
    /// Searches. Finds no moves if the stack is too high or the board has another width.
    pub fn run(
        &mut self,
        view: &View,
        judge: &dyn Judge<C>,
        goal: &Goal,
        shape: &SearchShape,
        stop: Option<&dyn StopSignal>,
        with_lines: bool,
    ) -> SearchResult<C> {
        let mut expansion = Expansion::new(view, judge, goal, shape.nodes, stop);
        let Some(known) = self.search_known(&mut expansion, view, shape.known_nodes) else {
            return SearchResult { moves: Vec::new(), is_complete: false };
        };
        let mut is_complete = !expansion.is_stopped();

        // First moves by their best leaf.
        let leaves = &self.known[known.depth - 1];
        let mut best: Vec<usize> = Vec::new();
        let mut is_seen = vec![false; known.plays.len()];
        for (at, leaf) in leaves.iter().enumerate() {
            if !std::mem::replace(&mut is_seen[leaf.root as usize], true) {
                best.push(at);
            }
        }
        let mut expected: Vec<f64> = best.iter().map(|leaf| f64::from(leaves[*leaf].score)).collect();
        if self.keeps_lines {
            self.kept.begin(known.start, known.hand.draws, known.depth);
            best.iter().for_each(|leaf| self.kept.add_backwards(path(&self.known[..known.depth], *leaf)));
        }

        if best.len().min(shape.roots) > 1 && !expansion.is_spent() && known.pieces_left > 0 {
            let roots = best.iter().take(shape.roots).map(|leaf| leaves[*leaf].root);
            let of_root =
                |root| leaves.iter().filter(move |leaf| leaf.root == root).take(shape.sample_width).copied();
            let starts = Starts {
                nodes: &roots.map(|root| of_root(root).collect()).collect::<Vec<Vec<Node<C>>>>(),
                unseen: view.bag.unwrap_or(Bag::EMPTY),
                pieces_left: known.pieces_left,
            };
            let mut random = Random::new(leaves.first().map_or(0, |leaf| leaf.state.hash()));
            let sampled = starts.race(&mut expansion, shape, &mut random, &self.spare, &*self.crew);
            is_complete = !sampled.is_empty();
            // Moves that were not sampled stay below those that were.
            let lowest = sampled.iter().copied().fold(f64::INFINITY, f64::min);
            let offset = sampled.first().map_or(0.0, |mean| mean - expected[0]);
            for (at, expected) in expected.iter_mut().enumerate() {
                *expected = sampled.get(at).copied().unwrap_or((*expected + offset).min(lowest));
            }
        }

        let leaves = &self.known[known.depth - 1];
        let mut moves: Vec<FirstMove<C>> = Vec::new();
        for (leaf, expected) in best.iter().zip(expected) {
            let root = leaves[*leaf].root as usize;
            let Some(first) = self.known[0].iter().find(|node| node.root as usize == root) else { continue };
            let line = if with_lines { self.line(&mut expansion, &known, *leaf) } else { Vec::new() };
            let (play, points, outlook) = (known.plays[root], first.points, known.first.of(first.state));
            moves.push(FirstMove { play, expected, points, outlook, line });
        }
        // The sort is stable: the better leaf comes first.
        moves.sort_by(|a, b| b.expected.total_cmp(&a.expected));
        self.nodes += expansion.nodes;
        SearchResult { moves, is_complete }
    }

    /// What became of the placements after the first moves, in all searches so far.
    pub fn sieve_counts(&self) -> SieveCounts {
        let mut counts = self.layers.sieve.counts;
        self.spare.all().iter().for_each(|layers| counts += layers.sieve.counts);
        counts
    }

    /// Fills the layers of the known pieces, with about this many placements. `None` if the stack is too high, the board has
    /// another width, or there is no move.
    pub fn search_known<'v>(
        &mut self,
        expansion: &mut Expansion<C>,
        view: &'v View,
        nodes: u64,
    ) -> Option<KnownPieces<'v, C>> {
        let field = field::of_board(&view.board)?;
        let pieces_left = view.pieces_left().unwrap_or(u32::MAX);
        let hand = Hand::of(view);
        let bag = view.bag.unwrap_or(Bag::EMPTY);
        let left = |placed: usize| pieces_left.saturating_sub(placed as u32);
        let prospects = |placed: usize| Prospects::new(&hand.draws[placed..], bag, left(placed));
        let mut start = State::new(field, hand.hold, view.streak.back_to_back, view.streak.clears);
        if C::HAVE_GARBAGE {
            let waiting = view.garbage.iter().sum();
            start = start.with_garbage(Incoming { waiting, floor: 0 });
        }
        let first = prospects(1);
        let plays = self.first_moves(expansion, start, &hand, view, first);
        if plays.is_empty() {
            return None;
        }
        let layers = hand.draws.len().min(pieces_left as usize).max(1);
        let first_moves = FirstMoves {
            cells: field.count(),
            nodes: &self.known[0],
            plays: &plays,
            draws: &hand.draws[1..layers],
        };
        let mut planning =
            Expansion::new(view, expansion.judge, expansion.goal, nodes / PLANNING_SHARE, expansion.stop);
        let mut plans = self.planner.plans(&mut planning, &first_moves);
        if self.keeps_lines {
            plans.extend(self.kept.line(start, hand.draws, &self.known[0]));
        }
        self.nodes += planning.nodes;
        let nodes = nodes.saturating_sub(planning.nodes);
        expansion.max_nodes = expansion.max_nodes.saturating_sub(planning.nodes);
        let judge = expansion.judge;
        let keep_plans = |placed: usize, before: &[Node<C>], layer: &mut Vec<Node<C>>| {
            let worth = |node: &Node<C>| judge.worth(&prospects(placed).of(node.state));
            plans.iter().for_each(|plan| keep_plan(plan, placed - 1, before, layer, worth));
        };
        // How many nodes a layer may have, so that those after it get equal shares of the placements that are left. There are
        // `children` placements for each node so far, and `spent` will have been judged when the layer is full.
        // The last layer leads nowhere, so it may be as wide as the one before it.
        let width = |depth: usize, spent: u64, children: u64, width_before: usize| {
            let layers_after = layers.saturating_sub(depth) as u64;
            let share = nodes.saturating_sub(spent).checked_div(layers_after * children);
            share.map_or(width_before, |share| share.clamp(1, MAX_WIDTH) as usize)
        };
        let first_layer = &mut self.known[0];
        first_layer.sort_unstable_by(Node::order);
        first_layer.truncate(width(1, expansion.nodes, expansion.nodes.max(1), first_layer.len()));
        keep_plans(1, &[], first_layer);
        let mut depth = 1;
        let mut expanded = 1;
        while depth < layers {
            if self.known.len() == depth {
                self.known.push(Vec::new());
            }
            let (before, after) = self.known.split_at_mut(depth);
            let (before, after) = (&before[depth - 1], &mut after[0]);
            let children = (expansion.nodes / expanded).max(1);
            expanded += before.len() as u64;
            let width = width(depth + 1, children * expanded, children, before.len());
            let (draw, sieve) = (hand.draws[depth], &mut self.layers.sieve);
            if !expansion.advance(before, draw, prospects(depth + 1), width, sieve, after) {
                break;
            }
            depth += 1;
            keep_plans(depth, before, after);
        }
        self.known[depth - 1].sort_unstable_by(Node::order);
        let (last, pieces_left) = (prospects(depth), left(depth));
        Some(KnownPieces { start, hand, plays, depth, first, last, pieces_left })
    }

    /// The nodes after the known pieces, best first, and the memory for continuations.
    pub fn leaves_and_layers(&mut self, known: &KnownPieces<C>) -> (&[Node<C>], &mut Layers<C>) {
        (&self.known[known.depth - 1], &mut self.layers)
    }

    /// Fills the first layer with the first moves, and returns them by the number of their root.
    fn first_moves(
        &mut self,
        expansion: &mut Expansion<C>,
        start: State<C>,
        hand: &Hand,
        view: &View,
        prospects: Prospects,
    ) -> Vec<Move> {
        if self.known.is_empty() {
            self.known.push(Vec::new());
        }
        let layer = &mut self.known[0];
        layer.clear();
        let mut plays: Vec<Move> = Vec::new();
        let Some((&draw, _)) = hand.draws.split_first() else { return plays };
        let root = Node { state: start, points: 0, score: 0, root: 0, parent: 0 };
        let judge = expansion.judge;
        let visit: &mut dyn FnMut(Child<C>) = &mut |Child { placement, state, points }| {
            let hold = placement.piece() != view.current();
            if hold && !view.can_hold() {
                return;
            }
            let score = points + judge.worth(&prospects.of(state));
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
        expansion.expand(&root, draw, visit);
        plays
    }

    /// The moves to a leaf after the first one. Nodes don't store moves, so they are looked for again.
    fn line(&self, expansion: &mut Expansion<C>, known: &KnownPieces<C>, leaf: usize) -> Vec<Move> {
        let KnownPieces { hand, plays, depth, .. } = known;
        let mut path: Vec<Node<C>> = path(&self.known[..*depth], leaf).collect();
        path.reverse();
        let mut hold_is_empty = hand.hold_is_empty && !plays[path[0].root as usize].hold;
        let mut line = Vec::new();
        for (step, &draw) in path.windows(2).zip(&hand.draws[1..]) {
            let current = step[0].state.hold().filter(|_| hold_is_empty).unwrap_or(draw);
            let mut play = None;
            let visit: &mut dyn FnMut(Child<C>) = &mut |child| {
                if child.state == step[1].state && child.points == step[1].points {
                    let placement = child.placement;
                    play = Some(Move { hold: placement.piece() != current, placement });
                }
            };
            expansion.expand(&step[0], draw, visit);
            hold_is_empty &= play.is_some_and(|play| !play.hold);
            line.extend(play);
        }
        line
    }
}

/// The nodes from one of the last layer back to the first.
fn path<C: Cells>(layers: &[Vec<Node<C>>], leaf: usize) -> impl Iterator<Item = Node<C>> {
    layers.iter().rev().scan(leaf, |at, layer| {
        let node = layer[*at];
        *at = node.parent as usize;
        Some(node)
    })
}

/// Adds the node of a plan to a layer, if it lacks it. `worth` says what its field is worth.
fn keep_plan<C: Cells>(
    plan: &[Node<C>],
    at: usize,
    before: &[Node<C>],
    layer: &mut Vec<Node<C>>,
    worth: impl Fn(&Node<C>) -> i32,
) {
    let Some(node) = plan.get(at).filter(|node| layer.iter().all(|known| known.state != node.state)) else {
        return;
    };
    let comes_from = |known: &Node<C>| at > 0 && plan[at - 1].state == known.state;
    let parent = before.iter().position(comes_from).unwrap_or(0) as u32;
    layer.push(Node { parent, score: node.points + worth(node), ..*node });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blitz::tables::Tables;
    use crate::blitz::value::{Value, Weights};
    use tetrion_engine::game::Game;
    use tetrion_engine::ruleset::Mode;

    #[test]
    fn the_next_search_goes_on_with_the_line_of_the_last_one() {
        let judge = Value::new(Tables::learned(), &Weights::learned());
        let mut game = Game::new(Ruleset::for_agents(Mode::Blitz), 21).unwrap();
        let goal = Goal::points(game.rules());
        let mut search = Search::<u128> { keeps_lines: true, ..Search::default() };
        let mut run = |game: &Game, nodes| {
            let shape = SearchShape::for_nodes(nodes);
            let found = search.run(&game.view().unwrap(), &judge, &goal, &shape, None, true);
            let states: Vec<Vec<State<u128>>> =
                search.known.iter().map(|layer| layer.iter().map(|node| node.state).collect()).collect();
            (found.moves, states, search.kept.nodes().to_vec())
        };
        let mut was_needed = false;
        for _ in 0..10 {
            // A long search, and a short one after its move, which alone would hardly look at anything.
            let (moves, _, kept) = run(&game, 40_000);
            game.play(moves[0].play).unwrap();
            let (_, layers, _) = run(&game, 300);
            // The best line starts with the first move that was played.
            for (placed, node) in kept[1..5].iter().enumerate() {
                assert!(layers[placed].contains(&node.state), "after {placed} pieces");
            }
            let mut fresh = Search::<u128>::default();
            let shape = SearchShape::for_nodes(300);
            fresh.run(&game.view().unwrap(), &judge, &goal, &shape, None, false);
            was_needed |= !fresh.known[3].iter().any(|node| node.state == kept[4].state);
        }
        assert!(was_needed, "a short search finds the line by itself: the test says nothing");
    }
}
