//! Perft against independently known counts.

use tetrion_engine::board::Board;
use tetrion_engine::perft::{perft, perft_plain};
use tetrion_engine::piece::{Piece, parse_queue};
use tetrion_engine::randomizer::{Random, Randomizer};

/// The known counts: a queue, a depth and the count in each line.
fn known_counts() -> impl Iterator<Item = (Vec<Piece>, u64)> {
    include_str!("../perft.txt").lines().filter(|line| !line.starts_with('#')).map(|line| {
        let [queue, depth, nodes] = line.split_whitespace().collect::<Vec<_>>()[..] else {
            panic!("not a count: {line}")
        };
        let depth: usize = depth.parse().unwrap();
        (parse_queue(queue).unwrap()[..depth].to_vec(), nodes.parse().unwrap())
    })
}

fn check(depths: std::ops::RangeInclusive<usize>) {
    let board = Board::guideline();
    let mut checked = 0;
    for (queue, nodes) in known_counts().filter(|(queue, _)| depths.contains(&queue.len())) {
        assert_eq!(perft(&board, &queue), nodes, "{queue:?}");
        checked += 1;
    }
    assert!(checked > 0);
}

#[test]
fn counts_are_the_published_ones_up_to_depth_6() {
    check(1..=6);
}

#[test]
#[ignore = "takes a while: part of test.sh --full"]
fn counts_are_the_published_ones_at_depth_7() {
    check(7..=7);
}

#[test]
fn the_plain_generator_counts_the_same() {
    let board = Board::guideline();
    for (queue, nodes) in known_counts().filter(|(queue, _)| queue.len() <= 3) {
        assert_eq!(perft_plain(&board, &queue), nodes, "{queue:?}");
    }
}

#[test]
fn batches_count_as_the_plain_generator_does_on_any_board() {
    let mut random = Random::new(9);
    for seed in 0..60 {
        let mut board = Board::guideline();
        let stack = random.below(17) as usize;
        for y in 0..stack {
            for x in 0..10 {
                board.set(x, y, x as u64 != random.below(10) && random.below(100) < 55);
            }
        }
        board.clear_rows(board.full_rows());
        let mut pieces = Randomizer::SevenBag.pieces(seed).unwrap();
        let queue = [pieces.draw(), pieces.draw()];
        assert_eq!(perft(&board, &queue), perft_plain(&board, &queue), "{queue:?} on {board:?}");
    }
}

#[test]
fn a_piece_that_cannot_spawn_has_no_placement() {
    let mut board = Board::guideline();
    board.set(4, 19, true);
    assert_eq!(perft(&board, &[Piece::T]), 0);
}

#[test]
fn nothing_to_place_is_one_way() {
    assert_eq!(perft(&Board::guideline(), &[]), 1);
}
