//! `cargo bench -p tetrion-engine`: the engine's hot paths one by one.

use divan::{Bencher, black_box};
use tetrion_engine::board::Board;
use tetrion_engine::game::{Game, Move};
use tetrion_engine::location::PieceLocation;
use tetrion_engine::moves::{self, MoveRules, Movement, path, plain};
use tetrion_engine::perft::perft;
use tetrion_engine::piece::{Piece, parse_queue};
use tetrion_engine::randomizer::Random;
use tetrion_engine::ruleset::{Mode, Ruleset};

fn main() {
    divan::main();
}

/// A board in the middle of a game, with a hole and two overhangs.
fn board() -> Board {
    "#.........
     ##......##
     ###....###
     ###..#####
     ####.#####
     ####..####
     ###.######"
        .parse()
        .expect("a drawn board")
}

fn start(piece: Piece) -> PieceLocation {
    PieceLocation::spawning(piece, &board(), 19)
}

#[divan::bench(args = ["IOLJS", "TIOLJ", "IIIII"])]
fn perft_of_five(queue: &str) -> u64 {
    perft(&Board::guideline(), &parse_queue(queue).expect("a queue"))
}

#[divan::bench(args = Piece::ALL)]
fn generate_full(bencher: Bencher, piece: Piece) {
    let (board, start) = (board(), start(piece));
    bencher.bench(|| moves::generate(black_box(&board), black_box(start), MoveRules::GUIDELINE));
}

#[divan::bench(args = Piece::ALL)]
fn generate_full_plainly(bencher: Bencher, piece: Piece) {
    let (board, start) = (board(), start(piece));
    bencher.bench(|| plain::generate(black_box(&board), black_box(start), MoveRules::GUIDELINE));
}

#[divan::bench(args = Piece::ALL)]
fn generate_hard_drops(bencher: Bencher, piece: Piece) {
    let (board, start) = (board(), start(piece));
    let rules = MoveRules { movement: Movement::HardDrop, ..MoveRules::GUIDELINE };
    bencher.bench(|| moves::generate(black_box(&board), black_box(start), rules));
}

#[divan::bench]
fn fewest_keys_to_every_t_placement(bencher: Bencher) {
    let (board, start) = (board(), start(Piece::T));
    let placements = moves::generate(&board, start, MoveRules::GUIDELINE);
    bencher.bench(|| {
        let keys = |placement| path::fewest_keys(&board, start, placement, MoveRules::GUIDELINE);
        placements.iter().filter_map(keys).sum::<u32>()
    });
}

#[divan::bench]
fn a_game_of_random_moves(bencher: Bencher) {
    bencher.bench(|| {
        let mut game = Game::new(Ruleset::for_agents(Mode::Sprint), 1).expect("rules");
        let mut random = Random::new(2);
        while game.outcome().is_none() {
            let placements = game.placements(game.current());
            let nth = random.below(placements.len() as u64) as usize;
            let placement = placements.nth(nth).expect("one of them");
            game.play_generated(Move { hold: false, placement });
        }
        game.placed()
    });
}
