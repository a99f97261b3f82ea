//! The fast way against the plain one, and the plain one against features counted cell by cell.

use super::fall::MAX_STACK;
use super::features::BoardFeatures;
use super::field::{Field, LowField};
use super::kernel::{Choice, Kernel};
use super::keys::OpenKeys;
use super::lanes::LOW_WIDTH;
use super::*;
use tetrion_engine::game::{Game, Move, Outcome, TopOut};
use tetrion_engine::randomizer::Random;
use tetrion_engine::ruleset::{Mode, Ruleset};
use wide::{u16x16, u16x32};

const BCTS: ClassicWeights = ClassicWeights {
    landing_height: -12.629,
    eroded_piece_cells: 6.601974,
    row_transitions: -9.215815,
    column_transitions: -19.77356,
    holes: -13.08335,
    board_wells: -10.48747,
    hole_depth: -1.611863,
    rows_with_holes: -24.04087,
    ..NONE
};

const DT_10: ClassicWeights = ClassicWeights {
    landing_height: -2.18,
    eroded_piece_cells: 2.42,
    row_transitions: -2.17,
    column_transitions: -3.31,
    holes: 0.95,
    continued_wells: -2.22,
    hole_depth: -0.81,
    rows_with_holes: -9.65,
    diversity: 1.27,
    ..NONE
};

const DT_20: ClassicWeights = ClassicWeights {
    landing_height: -2.68,
    eroded_piece_cells: 1.38,
    row_transitions: -2.41,
    column_transitions: -6.32,
    holes: 2.03,
    continued_wells: -2.71,
    hole_depth: -0.43,
    rows_with_holes: -9.48,
    diversity: 0.89,
    ..NONE
};

/// Whole numbers, so that many placements are equally good.
const DELLACHERIE: ClassicWeights = ClassicWeights {
    landing_height: -1.0,
    eroded_piece_cells: 1.0,
    row_transitions: -1.0,
    column_transitions: -1.0,
    holes: -4.0,
    board_wells: -1.0,
    ..NONE
};

const NONE: ClassicWeights = ClassicWeights {
    landing_height: 0.0,
    eroded_piece_cells: 0.0,
    row_transitions: 0.0,
    column_transitions: 0.0,
    holes: 0.0,
    board_wells: 0.0,
    continued_wells: 0.0,
    hole_depth: 0.0,
    rows_with_holes: 0.0,
    diversity: 0.0,
    rows_removed: 0.0,
    aggregate_height: 0.0,
    bumpiness: 0.0,
};

/// Weights that play for a while, with every feature in it.
fn random_weights(random: &mut Random) -> ClassicWeights {
    let mut between = |low: f64, high: f64| low + (high - low) * random.fraction();
    ClassicWeights {
        landing_height: between(-4.0, 0.0),
        eroded_piece_cells: between(-1.0, 3.0),
        row_transitions: between(-4.0, 0.0),
        column_transitions: between(-8.0, -2.0),
        holes: between(-8.0, 1.0),
        board_wells: between(-3.0, 0.5),
        continued_wells: between(-3.0, 0.5),
        hole_depth: between(-2.0, 1.0),
        rows_with_holes: between(-9.0, 0.0),
        diversity: between(-1.0, 2.0),
        rows_removed: between(-2.0, 4.0),
        aggregate_height: between(-2.0, 0.0),
        bumpiness: between(-2.0, 0.0),
    }
}

fn random_board(random: &mut Random) -> Board {
    let (width, height) = (4 + random.below(13) as usize, 4 + random.below(37) as usize);
    let mut board = Board::new(width, height).unwrap();
    // Some boards are full of holes, others are heaps with few of them.
    let (filled, highest) = (random.below(101), 1 + random.below(height as u64));
    for x in 0..width {
        for y in 0..random.below(highest + 1) as usize {
            board.set(x, y, random.below(100) < filled);
        }
    }
    board
}

/// The features of a board by their definitions, cell by cell.
fn counted(board: &Board) -> BoardFeatures<u64> {
    let (width, height) = (board.width() as i32, board.height() as i32);
    let filled = |x: i32, y: i32| board.is_filled(x, y);
    let is_hole = |x: i32, y: i32| !filled(x, y) && (y + 1..height).any(|above| filled(x, above));
    let is_well = |x: i32, y: i32| !filled(x, y) && filled(x - 1, y) && filled(x + 1, y);
    let mut features = BoardFeatures::none();
    for y in 0..height {
        for x in 0..=width {
            features.row_transitions += u64::from(filled(x - 1, y) != filled(x, y));
        }
        features.rows_with_holes += u64::from((0..width).any(|x| is_hole(x, y)));
    }
    for x in 0..width {
        for y in 0..=height {
            features.column_transitions += u64::from(filled(x, y - 1) != filled(x, y));
        }
        let mut run = 0;
        for y in (0..height).rev() {
            if is_hole(x, y) {
                features.holes += 1;
                features.hole_depth += (y + 1..height).take_while(|above| filled(x, *above)).count() as u64;
            }
            if is_well(x, y) {
                features.board_wells += (0..=y).rev().take_while(|below| !filled(x, *below)).count() as u64;
            }
            if filled(x, y) {
                run = 0;
            } else if run > 0 || is_well(x, y) {
                run += 1;
                features.continued_wells += run;
            }
        }
        features.aggregate_height += board.column_height(x as usize) as u64;
    }
    let step = |x: usize| board.column_height(x + 1) as i64 - board.column_height(x) as i64;
    let steps: Vec<i64> = (0..board.width() - 1).map(step).collect();
    features.bumpiness = steps.iter().map(|step| step.unsigned_abs()).sum();
    features.diversity = (-2..=2).filter(|step| steps.contains(step)).count() as u64;
    features
}

/// The features of a board, all but those of lines and landing.
fn listed(features: &BoardFeatures<u64>) -> [(&'static str, u64); 10] {
    [
        ("row transitions", features.row_transitions),
        ("column transitions", features.column_transitions),
        ("holes", features.holes),
        ("board wells", features.board_wells),
        ("continued wells", features.continued_wells),
        ("hole depth", features.hole_depth),
        ("rows with holes", features.rows_with_holes),
        ("diversity", features.diversity),
        ("aggregate height", features.aggregate_height),
        ("bumpiness", features.bumpiness),
    ]
}

#[test]
fn plain_features_are_those_counted_cell_by_cell() {
    let mut random = Random::new(1);
    for _ in 0..5_000 {
        let board = random_board(&mut random);
        let plain = PlainBoard::of(&board).features();
        assert_eq!(listed(&plain), listed(&counted(&board)), "{board:?}");
    }
}

#[test]
fn features_of_drawn_boards_are_those_worked_out_by_hand() {
    // Columns from the left: two filled; a hole under two filled; empty, a well of three; three filled with a hole at
    // the bottom.
    let drawn = "...#\n.#.#\n##.#\n#...";
    let read: Board = drawn.parse().unwrap();
    let mut board = Board::new(4, 5).unwrap();
    for x in 0..4 {
        for y in 0..4 {
            board.set(x, y, read.is_filled(x as i32, y as i32));
        }
    }
    assert_eq!(
        listed(&PlainBoard::of(&board).features()),
        [
            // From the bottom row: # . . . | is 2; ##.# is 2; .#.# is 4; ...# is 2; the empty row is 2.
            ("row transitions", 12),
            // 1, 3, 1 and 3.
            ("column transitions", 8),
            ("holes", 2),
            // Column 2, rows 2 and 1: 3 and 2. Column 0, row 2: 1.
            ("board wells", 6),
            // Column 2 goes on to the floor: 1 + 2 + 3. Column 0: 1.
            ("continued wells", 7),
            // Two above the hole in column 1, three above that in column 3.
            ("hole depth", 5),
            ("rows with holes", 1),
            // Heights 2, 3, 0, 4: differences 1, −3, 4.
            ("diversity", 1),
            ("aggregate height", 9),
            ("bumpiness", 8),
        ]
    );
    let empty = PlainBoard::new(10, 20).features();
    assert_eq!((empty.row_transitions, empty.column_transitions, empty.diversity), (40, 10, 1));
}

#[test]
fn a_column_filled_to_the_top_still_ends_there() {
    let mut board = Board::new(4, 4).unwrap();
    (0..4).for_each(|y| board.set(0, y, true));
    assert_eq!(PlainBoard::of(&board).features().column_transitions, 4);
}

/// Plays the plain way, and asks the kernels for every choice too; says how many were compared. The ends of the same games
/// played the fast way must be the same.
fn compare(width: usize, height: usize, weights: &ClassicWeights, games: u64, max_pieces: u64) -> u64 {
    let size = Size { width, height };
    let seeds: Vec<u64> = (0..games).map(|game| 1_000 * game + height as u64).collect();
    let prepared = Weights::new(weights);
    let keys = OpenKeys::new(size);
    let mut single = Kernel::<u64>::new(size, weights);
    let mut many = Kernel::<u16x32>::new(size, weights);
    let mut ends = vec![ClassicEnd::START; seeds.len()];
    let mut boards = vec![PlainBoard::new(width, height); seeds.len()];
    let mut pieces: Vec<Pieces> = seeds.iter().map(|seed| uniform_pieces(*seed)).collect();
    let mut decisions = 0;
    for _ in 0..max_pieces {
        let mut groups = vec![(Vec::new(), Vec::new()); 14];
        for game in 0..seeds.len() {
            if ends[game].lost {
                continue;
            }
            let piece = pieces[game].draw();
            let choice = boards[game].choose(piece, &prepared);
            let mut field = Field::new(size);
            field.columns = boards[game].all_columns().map(u64::reverse_bits);
            let low = width == LOW_WIDTH && field.stack_height() <= MAX_STACK;
            if low {
                let group = &mut groups[2 * piece as usize + usize::from(field.has_holes())];
                group.0.push(LowField::of(&field).0);
                group.1.push(choice);
            }
            // The kernel for one board is the same code: it need not be asked every time.
            if !low || decisions % 4 == 0 {
                let mut chosen = |_: usize, found: Option<Choice>| {
                    let found = found.map(|found| (found.orientation.into(), found.x.into()));
                    assert_eq!(found, choice, "{piece} {weights:?} {:?}", boards[game]);
                };
                single.choose::<true>(piece, &[&field.columns], &mut chosen);
                if !field.has_holes() {
                    single.choose::<false>(piece, &[&field.columns], chosen);
                }
            }
            decisions += 1;
            match choice {
                None => ends[game].lost = true,
                Some(choice) => {
                    ends[game].lines += boards[game].play(piece, choice);
                    ends[game].pieces += 1;
                    ends[game].keys += keys.of(piece, choice.0, choice.1);
                }
            }
        }
        for (group, (fields, choices)) in groups.iter().enumerate() {
            for (fields, choices) in fields.chunks(32).zip(choices.chunks(32)) {
                let fields: Vec<&u16x16> = fields.iter().collect();
                let chosen = |lane: usize, found: Option<Choice>| {
                    let found = found.map(|found| (found.orientation.into(), found.x.into()));
                    assert_eq!(found, choices[lane], "{weights:?} {:?}", fields[lane]);
                };
                match group % 2 {
                    0 => many.choose::<false>(Piece::ALL[group / 2], &fields, chosen),
                    _ => many.choose::<true>(Piece::ALL[group / 2], &fields, chosen),
                }
            }
        }
    }
    let fast = play_classic(width, height, weights, &seeds, Some(max_pieces));
    assert_eq!(fast, ends, "{width}x{height} {weights:?}");
    decisions
}

#[test]
fn both_ways_choose_alike_on_the_usual_board() {
    let decisions = [BCTS, DT_10, DT_20, DELLACHERIE].map(|weights| compare(10, 20, &weights, 600, 350));
    assert!(decisions.iter().sum::<u64>() > 800_000, "{decisions:?}");
}

#[test]
fn both_ways_choose_alike_on_the_low_board() {
    let decisions = [BCTS, DT_10, DT_20, DELLACHERIE].map(|weights| compare(10, 10, &weights, 500, 450));
    assert!(decisions.iter().sum::<u64>() > 700_000, "{decisions:?}");
}

#[test]
fn both_ways_choose_alike_with_any_weights() {
    let mut random = Random::new(2);
    let mut decisions = 0;
    for _ in 0..40 {
        let weights = random_weights(&mut random);
        decisions += compare(10, 20, &weights, 60, 300);
        decisions += compare(10, 10, &weights, 60, 300);
    }
    assert!(decisions > 500_000, "{decisions}");
}

#[test]
fn both_ways_choose_alike_with_each_feature_alone() {
    let mut random = Random::new(3);
    let all = random_weights(&mut random);
    for (only, height) in [
        ClassicWeights { landing_height: all.landing_height, ..NONE },
        ClassicWeights { eroded_piece_cells: 1.0, ..NONE },
        ClassicWeights { row_transitions: all.row_transitions, ..NONE },
        ClassicWeights { column_transitions: all.column_transitions, ..NONE },
        ClassicWeights { holes: -1.0, ..NONE },
        ClassicWeights { board_wells: -1.0, ..NONE },
        ClassicWeights { continued_wells: -1.0, ..NONE },
        ClassicWeights { hole_depth: 1.0, ..NONE },
        ClassicWeights { rows_with_holes: -1.0, ..NONE },
        ClassicWeights { diversity: 1.0, ..NONE },
        ClassicWeights { rows_removed: 1.0, ..NONE },
        ClassicWeights { aggregate_height: -1.0, ..NONE },
        ClassicWeights { bumpiness: -1.0, ..NONE },
        NONE,
    ]
    .into_iter()
    .zip([9, 16, 17, 40].into_iter().cycle())
    {
        compare(10, height, &only, 40, 100);
    }
}

#[test]
fn both_ways_choose_alike_on_boards_of_any_size() {
    let mut random = Random::new(4);
    for width in 4..=16 {
        for height in [4, 5, 12, 13, 15, 16, 17, 20, 36, 40] {
            compare(width, height, &random_weights(&mut random), 8, 60);
            compare(width, height, &DT_20, 8, 60);
        }
    }
}

#[test]
fn a_game_is_the_same_whatever_is_played_beside_it() {
    let seeds: Vec<u64> = (0..700).collect();
    let ends = play_classic(10, 10, &BCTS, &seeds, Some(600));
    let reversed: Vec<u64> = seeds.iter().rev().copied().collect();
    let mut again = play_classic(10, 10, &BCTS, &reversed, Some(600));
    again.reverse();
    assert_eq!(ends, again);
    for seed in [0, 13, 699] {
        let alone = play_classic(10, 10, &BCTS, &[seed], Some(600));
        assert_eq!(alone[0], ends[seed as usize]);
    }
}

#[test]
fn the_engine_plays_the_same_games() {
    for (width, height, weights) in [(10, 20, DT_20), (10, 6, BCTS), (7, 9, DT_10), (4, 40, DELLACHERIE)] {
        let seeds: Vec<u64> = (50..80).collect();
        let ends = play_classic(width, height, &weights, &seeds, Some(300));
        for (seed, end) in seeds.iter().zip(ends) {
            let rules =
                Ruleset { width: width as u8, visible_height: height as u8, ..Ruleset::new(Mode::Classic) };
            let mut game = Game::new(rules, *seed).unwrap();
            let mut keys = 0;
            while game.outcome().is_none() && game.placed() < 300 {
                keys += play_in_engine(&mut game, &weights);
            }
            let lost = game.outcome() == Some(Outcome::TopOut(TopOut::Overflow));
            let engine = ClassicEnd { pieces: game.placed().into(), lines: game.lines().into(), keys, lost };
            assert_eq!(end, engine, "{width}x{height} {seed}");
        }
    }
}

/// Makes the chosen move, or any if all lose; says how many keys it took, which a losing one did not.
fn play_in_engine(game: &mut Game, weights: &ClassicWeights) -> u64 {
    let piece = game.current();
    let choice = choose_classic_plain(game.board(), piece, weights);
    let placements = game.placements(piece);
    let chosen = |(orientation, x): (usize, usize)| {
        placements.iter().find(|placement| {
            let position = placement.position();
            let left = position.cells().map(|cell| cell.0).into_iter().min();
            position.orientation as usize == orientation && left == Some(x as i32)
        })
    };
    let placement = match choice {
        Some(choice) => chosen(choice).expect("the chosen placement exists"),
        None => placements.iter().next().expect("there is always a placement"),
    };
    let hold = false;
    let keys = game.keys(Move { hold, placement }).into();
    let event = game.play(Move { hold, placement }).unwrap();
    assert_eq!(event.outcome.is_some(), choice.is_none());
    if choice.is_some() { keys } else { 0 }
}

#[test]
fn whole_games_end_alike_both_ways() {
    let seeds: Vec<u64> = (0..40).collect();
    for weights in [BCTS, DT_10] {
        let fast = play_classic(10, 8, &weights, &seeds, None);
        assert_eq!(fast, play_classic_plain(10, 8, &weights, &seeds, None));
        assert!(fast.iter().all(|end| end.lost));
    }
}

#[test]
fn no_seeds_and_no_pieces_are_no_games() {
    assert_eq!(play_classic(10, 20, &BCTS, &[], None), []);
    assert_eq!(play_classic(10, 20, &BCTS, &[1; 9], Some(0)), [ClassicEnd::START; 9]);
}
