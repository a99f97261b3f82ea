//! The fast generator agrees with the plain one, and key paths reach their placements.

use std::collections::BTreeSet;
use tetrion_engine::board::Board;
use tetrion_engine::location::{LastAction, PieceLocation, Placement, Spin};
use tetrion_engine::moves::path::{self, Key};
use tetrion_engine::moves::{self, MoveRules, Movement, plain};
use tetrion_engine::piece::Piece;
use tetrion_engine::randomizer::Random;

/// A board with a rough stack of the given height, with holes and overhangs but no full row.
fn rough_board(random: &mut Random, width: usize, height: usize, stack: usize) -> Board {
    let mut board = Board::new(width, height).unwrap();
    let fill = 35 + random.below(50);
    for y in 0..stack {
        let gap = random.below(width as u64) as usize;
        for x in 0..width {
            // Columns thin out towards the top, so that there are overhangs to slide under.
            let thinner = (y * 40 / stack.max(1)) as u64;
            if x != gap && random.below(100 + thinner) < fill {
                board.set(x, y, true);
            }
        }
    }
    board
}

fn rules(random: &mut Random) -> MoveRules {
    let movement = match random.below(8) {
        0 => Movement::Straight,
        1 | 2 => Movement::HardDrop,
        _ => Movement::Full,
    };
    MoveRules { movement, half_turns: random.below(4) == 0, spins: random.below(4) != 0 }
}

/// A random board, and a piece that spawns anywhere from far above the stack to inside it.
fn random_case(random: &mut Random, piece: Piece) -> (Board, PieceLocation, MoveRules) {
    let rules = rules(random);
    let width = if random.below(3) == 0 { 3 + random.below(14) as usize } else { 10 };
    let stack = random.below(9) as usize;
    let spawn_row = (stack + random.below(6) as usize).saturating_sub(1).max(2);
    let height = (spawn_row + 1 + random.below(5) as usize).max(stack).max(4);
    let board = rough_board(random, width, height, stack);
    (board, PieceLocation::spawning(piece, &board, spawn_row), rules)
}

fn check(cases: u64, seed: u64) {
    let mut random = Random::new(seed);
    for case in 0..cases {
        for piece in Piece::ALL {
            let (board, start, rules) = random_case(&mut random, piece);
            let fast = moves::generate(&board, start, rules);
            let plain = plain::generate(&board, start, rules);
            let listed: BTreeSet<Placement> = fast.iter().collect();
            assert_eq!(listed, plain, "case {case} of seed {seed}: {start:?} {rules:?} on {board:?}");
            assert_eq!(fast.len(), plain.len());
            assert_eq!(fast.is_empty(), plain.is_empty());
        }
    }
}

// 100,000 boards for every piece in total, in parts that run in parallel.
#[test]
fn fast_equals_plain_on_random_boards_1() {
    check(25_000, 1);
}
#[test]
fn fast_equals_plain_on_random_boards_2() {
    check(25_000, 2);
}
#[test]
fn fast_equals_plain_on_random_boards_3() {
    check(25_000, 3);
}
#[test]
fn fast_equals_plain_on_random_boards_4() {
    check(25_000, 4);
}

#[test]
fn placements_neither_overlap_nor_float() {
    let mut random = Random::new(5);
    for _ in 0..2_000 {
        for piece in Piece::ALL {
            let (board, start, rules) = random_case(&mut random, piece);
            for placement in moves::generate(&board, start, rules).iter() {
                let cells = placement.location().cells();
                assert!(cells.iter().all(|&(x, y)| !board.is_filled(x, y)), "{placement} on {board:?}");
                assert!(cells.iter().any(|&(x, y)| board.is_filled(x, y - 1)), "{placement} on {board:?}");
            }
        }
    }
}

#[test]
fn key_paths_end_in_the_placement_that_they_were_asked_for() {
    let mut random = Random::new(6);
    for _ in 0..400 {
        for piece in Piece::ALL {
            let (board, start, rules) = random_case(&mut random, piece);
            if rules.movement == Movement::Straight {
                continue;
            }
            for placement in moves::generate(&board, start, rules).iter() {
                let keys = path::keys_to(&board, start, placement, rules).expect("a path");
                let (mut location, mut last) = (start, LastAction::Moved);
                for key in &keys {
                    if let Some(moved) = key.press(location, &board) {
                        (location, last) = moved;
                    } else {
                        assert_eq!(*key, Key::HardDrop, "only a hard drop may not move the piece");
                    }
                }
                let spin = if rules.spins { Spin::of(location, last, &board) } else { Spin::None };
                assert_eq!(Placement::new(location, spin), placement, "{keys:?} from {start:?} on {board:?}");
                let fewest = path::fewest_keys(&board, start, placement, rules).expect("a number");
                assert_eq!(fewest as usize, keys.len(), "{keys:?} from {start:?} on {board:?}");
            }
        }
    }
}

#[test]
fn the_fewest_keys_on_an_open_board_are_the_finesse_table() {
    use Piece::*;
    // From the finesse table that players learn, left to right. It does not count the hard drop.
    let table: &[(&[Piece], usize, &[u32])] = &[
        (&[I], 0, &[1, 2, 1, 0, 1, 2, 1]),
        (&[I], 1, &[2, 2, 2, 2, 1, 1, 2, 2, 2, 2]),
        (&[O], 0, &[1, 2, 2, 1, 0, 1, 2, 2, 1]),
        (&[S, Z], 0, &[1, 2, 1, 0, 1, 2, 2, 1]),
        (&[S, Z], 1, &[2, 2, 2, 1, 1, 2, 3, 2, 2]),
        (&[T, J, L], 0, &[1, 2, 1, 0, 1, 2, 2, 1]),
        (&[T, J, L], 1, &[2, 2, 3, 2, 1, 2, 3, 3, 2]),
        (&[T, J, L], 2, &[3, 4, 3, 2, 3, 4, 4, 3]),
        (&[T, J, L], 3, &[2, 3, 2, 1, 2, 3, 3, 2, 2]),
    ];
    let board = Board::guideline();
    for (pieces, orientation, fewest) in table {
        for &piece in *pieces {
            let start = PieceLocation::spawning(piece, &board, 19);
            let mut placements: Vec<_> = moves::generate(&board, start, MoveRules::GUIDELINE)
                .iter()
                .filter(|placement| placement.location().orientation as usize == *orientation)
                .collect();
            placements.sort_by_key(|placement| placement.left_column());
            for movement in [Movement::Full, Movement::HardDrop] {
                let rules = MoveRules { movement, ..MoveRules::GUIDELINE };
                let keys: Vec<_> = placements
                    .iter()
                    .map(|placement| path::fewest_keys(&board, start, *placement, rules).unwrap() - 1)
                    .collect();
                assert_eq!(keys, *fewest, "{piece} in orientation {orientation}");
            }
        }
    }
}

#[test]
fn classic_has_the_published_number_of_placements_on_ten_columns() {
    let board = Board::new(10, 20).unwrap();
    let rules = MoveRules { movement: Movement::Straight, half_turns: false, spins: false };
    let count = |piece| moves::generate(&board, PieceLocation::spawning(piece, &board, 20), rules).len();
    assert_eq!(Piece::ALL.map(count), [17, 34, 34, 9, 17, 34, 17]);
}

#[test]
fn the_nth_placement_is_the_nth_of_the_iteration() {
    let mut random = Random::new(7);
    for _ in 0..200 {
        let (board, start, rules) = random_case(&mut random, Piece::T);
        let moves = moves::generate(&board, start, rules);
        for (index, placement) in moves.iter().enumerate() {
            assert_eq!(moves.nth(index), Some(placement));
            assert!(moves.contains(placement));
        }
        assert_eq!(moves.nth(moves.len()), None);
    }
}
