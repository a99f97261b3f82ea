//! Prints how large the search of Blitz is: branching factors, lines with and without merging, and what the sieve saves.
//!
//! `cargo run --release -p tetrion-players --example blitz_complexity`

use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use tetrion_engine::board::Board;
use tetrion_engine::game::Game;
use tetrion_engine::location::{PieceLocation, Placement, Spin};
use tetrion_engine::moves::{MoveRules, Movement, generate};
use tetrion_engine::piece::Piece;
use tetrion_engine::position::View;
use tetrion_engine::randomizer::game_seed;
use tetrion_engine::ruleset::{Mode, Ruleset};
use tetrion_engine::scoring::{Clear, Streak};
use tetrion_players::Agent;
use tetrion_players::blitz::{BlitzAgent, SieveCounts, Weights};

const SEED: u64 = 4_000;
const GAMES: u64 = 3;
/// Nodes of the games.
const NODES: u64 = 36_000;

fn main() {
    let games: Vec<Game> = (0..GAMES).flat_map(positions).collect();
    println!("{} positions of {GAMES} games of blitz with {NODES} nodes, seed {SEED}\n", games.len());
    let views: Vec<View> = games.iter().filter_map(Game::view).collect();
    print_branching(&views);
    print_lines(&views);
    print_sieve(&views);
}

/// The positions of a game of `blitz-fast` in which a piece is held.
fn positions(number: u64) -> Vec<Game> {
    let seed = game_seed(SEED, number);
    let mut game = Game::new(Ruleset::for_agents(Mode::Blitz), seed).expect("the rules of a mode are valid");
    let mut agent = BlitzAgent::new(&Weights::learned(), NODES);
    let mut positions = Vec::new();
    while let Some(play) = agent.next_move(&game) {
        if game.held().is_some() {
            positions.push(game.clone());
        }
        game.play_generated(play);
    }
    positions
}

fn mean(values: impl Iterator<Item = usize>) -> f64 {
    let (sum, count) = values.fold((0, 0), |(sum, count), value| (sum + value, count + 1));
    sum as f64 / f64::from(count)
}

/// How many placements of a piece there are by some moves.
type Way = fn(&View, Piece) -> usize;

/// Placements of a piece by hard drops, with slides, with turns anywhere, and with T-spins told apart.
const WAYS: [(&str, Way); 4] = [
    ("hard drop", |view, piece| placements(view, piece, MoveRules { movement: Movement::HardDrop, ..PLAIN })),
    ("slides", slides),
    ("all moves", |view, piece| placements(view, piece, PLAIN)),
    ("T-spins", |view, piece| placements(view, piece, MoveRules::GUIDELINE)),
];
const PLAIN: MoveRules = MoveRules { spins: false, ..MoveRules::GUIDELINE };

fn placements(view: &View, piece: Piece, rules: MoveRules) -> usize {
    generate(&view.board, view.rules.spawn(piece, &view.board), rules).len()
}

/// The placements of a piece that turns only where it spawns, and then shifts and falls.
fn slides(view: &View, piece: Piece) -> usize {
    let board = &view.board;
    let start = view.rules.spawn(piece, board);
    let hard_drops = generate(board, start, MoveRules { movement: Movement::HardDrop, ..PLAIN });
    let over = |placement: Placement| PieceLocation { y: start.y, ..placement.location() };
    let mut to_visit: Vec<PieceLocation> = hard_drops.iter().map(over).filter(|at| at.fits(board)).collect();
    let mut seen: FxHashSet<PieceLocation> = to_visit.iter().copied().collect();
    let mut resting = BTreeSet::new();
    while let Some(location) = to_visit.pop() {
        if location.is_grounded(board) {
            resting.insert(Placement::new(location, Spin::None));
        }
        let steps = [(-1, 0), (1, 0), (0, -1)].into_iter().filter_map(|by| location.step(by, board));
        to_visit.extend(steps.filter(|next| seen.insert(*next)));
    }
    resting.len()
}

fn print_branching(views: &[View]) {
    println!(
        "Placements of a piece (mean): by hard drops, with slides under overhangs, with turns and kicks anywhere,"
    );
    println!("and with T-spins told apart from the same place without a spin\n");
    print!("{:<18}", "piece");
    WAYS.iter().for_each(|(name, _)| print!("{name:>12}"));
    println!();
    let row = |title: &str, count: &dyn Fn(&View, Way) -> usize| {
        print!("{title:<18}");
        WAYS.iter().for_each(|(_, way)| print!("{:>12.2}", mean(views.iter().map(|view| count(view, *way)))));
        println!();
    };
    for piece in Piece::ALL {
        row(&format!("{piece:?}"), &|view, way| way(view, piece));
    }
    row("current", &|view, way| way(view, view.current()));
    row("current or held", &|view, way| {
        let held = view.hold.filter(|held| *held != view.current());
        way(view, view.current()) + held.map_or(0, |held| way(view, held))
    });
    println!();
}

/// What the search tells states apart by: the lowest twelve rows, the held piece, back-to-back and combo.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct State {
    rows: u128,
    hold: Piece,
    streak: Streak,
}

const ROWS: usize = 12;

impl State {
    /// `None` if the stack is too high.
    fn new(board: &Board, hold: Piece, streak: Streak) -> Option<State> {
        let columns = board.columns().iter().rev();
        let rows = columns.fold(0, |rows, column| rows << ROWS | u128::from(*column));
        (board.stack_height() <= ROWS).then_some(State { rows, hold, streak })
    }

    fn board(&self, like: &Board) -> Board {
        let column = |x: usize| (self.rows >> (ROWS * x)) as u64 & ((1 << ROWS) - 1);
        Board::from_columns(&std::array::from_fn::<u64, 10, _>(column), like.height())
    }

    /// Calls `visit` with the state after every placement, of the drawn piece or of the held one.
    fn expand(&self, view: &View, draw: Piece, mut visit: impl FnMut(State)) {
        let board = self.board(&view.board);
        let choices = [(draw, self.hold), (self.hold, draw)];
        for &(piece, hold) in &choices[..if draw == self.hold { 1 } else { 2 }] {
            let placements = generate(&board, view.rules.spawn(piece, &board), view.rules.move_rules());
            for placement in placements.iter() {
                let (after, full) = board.after(placement);
                let clear =
                    Clear { lines: full.count_ones(), spin: placement.spin(), perfect: after.is_empty() };
                let mut streak = self.streak;
                view.rules.scoring.score(&mut streak, clear);
                State::new(&after, hold, streak).into_iter().for_each(&mut visit);
            }
        }
    }
}

/// Pieces up to which all states are kept; after one more they are estimated.
const EXACT_PIECES: usize = 4;
/// One state in this many is kept for the estimate.
const ONE_IN: u64 = 64;
/// Positions in which lines are counted: one in this many.
const STRIDE: usize = 200;

/// What there is after a piece.
#[derive(Clone, Copy, Default)]
struct Growth {
    /// Lines of play, each counted by itself.
    lines: f64,
    /// Placements on the states before the piece, each state once.
    placements: f64,
    /// Different states.
    states: f64,
}

/// Whether a state is among those that are kept for the estimate: by its rows, scattered as SplitMix64 does.
fn is_sampled(state: &State) -> bool {
    let scatter = |bits: u64| {
        let bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ bits >> 31
    };
    scatter(state.rows as u64 ^ scatter((state.rows >> 64) as u64)).is_multiple_of(ONE_IN)
}

/// Counts exactly up to a depth; of the states after one more piece, a share that is chosen by hash.
fn growth(view: &View) -> [Growth; EXACT_PIECES + 1] {
    let hold = view.hold.expect("a piece is held");
    let start = State::new(&view.board, hold, view.streak).expect("the stack is low");
    let mut layer: FxHashMap<State, f64> = FxHashMap::from_iter([(start, 1.0)]);
    let mut growth = [Growth::default(); EXACT_PIECES + 1];
    for (placed, &draw) in view.queue.iter().enumerate().take(EXACT_PIECES) {
        let mut next: FxHashMap<State, f64> = FxHashMap::default();
        for (state, lines) in &layer {
            state.expand(view, draw, |after| {
                growth[placed].placements += 1.0;
                *next.entry(after).or_default() += lines;
            });
        }
        growth[placed].lines = next.values().sum();
        growth[placed].states = next.len() as f64;
        layer = next;
    }
    let mut sampled: FxHashSet<State> = FxHashSet::default();
    let last = &mut growth[EXACT_PIECES];
    for (state, lines) in &layer {
        state.expand(view, view.queue[EXACT_PIECES], |after| {
            last.lines += lines;
            last.placements += 1.0;
            if is_sampled(&after) {
                sampled.insert(after);
            }
        });
    }
    last.states = (sampled.len() as u64 * ONE_IN) as f64;
    growth
}

fn print_lines(views: &[View]) {
    let views: Vec<&View> =
        views.iter().filter(|view| view.queue.len() > EXACT_PIECES).step_by(STRIDE).collect();
    let mut means = vec![Growth::default(); EXACT_PIECES + 1];
    for view in &views {
        for (mean, found) in means.iter_mut().zip(growth(view)) {
            mean.lines += found.lines / views.len() as f64;
            mean.placements += found.placements / views.len() as f64;
            mean.states += found.states / views.len() as f64;
        }
    }
    // The next piece multiplies by as much as the last one did.
    let [before, last] = [means[EXACT_PIECES - 1], means[EXACT_PIECES]];
    means.push(Growth {
        lines: last.lines * last.lines / before.lines,
        placements: last.placements * last.placements / before.placements,
        states: last.states * last.states / before.states,
    });
    println!(
        "Lines over the known pieces with hold, and the different states that they end in: mean of {} positions.",
        views.len()
    );
    println!(
        "Duplicates: the share of placements on different states that lead to a state that another already led to\n"
    );
    println!(
        "{:<8}{:>16}{:>16}{:>13}{:>12}{:>13}",
        "pieces", "lines", "states", "lines/state", "growth", "duplicates"
    );
    let mut states_before = 1.0;
    for (at, Growth { lines, placements, states }) in means.into_iter().enumerate() {
        let note = match at {
            _ if at < EXACT_PIECES => "",
            EXACT_PIECES => "  states: one in 64 counted",
            _ => "  extrapolated",
        };
        println!(
            "{:<8}{lines:>16.0}{states:>16.0}{:>13.1}{:>12.1}{:>11.1} %{note}",
            at + 1,
            lines / states,
            states / states_before,
            100.0 * (1.0 - states / placements)
        );
        states_before = states;
    }
    println!();
}

fn print_sieve(views: &[View]) {
    println!(
        "What becomes of the placements of a search over the known pieces. Duplicates lead to a state that the layer holds;"
    );
    println!(
        "their fields are not judged again. The others are judged: most are rejected, because enough nodes are better already,"
    );
    println!(
        "and forgotten, so that a duplicate of a rejected state is judged and rejected like a new one. A search that spends all"
    );
    println!("its nodes may end before its last layer is full\n");
    println!(
        "{:<8}{:>16}{:>14}{:>12}{:>12}{:>14}",
        "nodes", "placements", "duplicates", "rejected", "kept", "all spent"
    );
    for nodes in [10_000, 30_000, 45_000] {
        let mut agent = BlitzAgent::new(&Weights::learned(), nodes);
        let mut spent = 0;
        for view in views.iter().step_by(4) {
            let before = agent.nodes().unwrap_or_default();
            agent.choose(view);
            spent += usize::from(agent.nodes().unwrap_or_default() - before >= nodes);
        }
        let SieveCounts { duplicates, rejected, kept } = agent.sieve_counts();
        let all = duplicates + rejected + kept;
        let percent = |count: u64| format!("{:.1} %", 100.0 * count as f64 / all as f64);
        println!(
            "{nodes:<8}{:>16.0}{:>14}{:>12}{:>12}{:>12.1} %",
            all as f64 / views.len().div_ceil(4) as f64,
            percent(duplicates),
            percent(rejected),
            percent(kept),
            100.0 * spent as f64 / views.len().div_ceil(4) as f64
        );
    }
}
