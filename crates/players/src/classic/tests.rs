//! Compares the kernel with the plain implementation, and that with features counted cell by cell.

use super::fall::MAX_STACK;
use super::features::Features;
use super::features::Weights;
use super::field::{Field, LowField};
use super::kernel::{Kernel, KernelChoice};
use super::keys::OpenKeys;
use super::lanes::{LOW_WIDTH, Lanes, Scores};
use super::lookahead::MAX_HIGH_STACK;
use super::*;
use crate::Agent;
use crate::afterstate::Judged;
use crate::catalogue::{self, AgentSpec};
use crate::evaluator::Linear;
use crate::features::{Feature, FeatureScope};
use crate::search::{Reach, SearchPlan, Searcher};
use tetrion_engine::game::{Game, Move};
use tetrion_engine::randomizer::Random;
use tetrion_engine::record::{Outcome, TopOut};
use tetrion_engine::ruleset::{Mode, Ruleset};
use wide::{f64x8, i32x16, u16x16, u16x32, u32x16};

/// The agents that most tests play.
const USUAL: [&str; 5] = ["bcts", "dt10", "dt20", "dellacherie", "cs4701"];

/// The weights of a named agent. Dellacherie's are integers, so many placements tie.
fn named(name: &str) -> ClassicWeights {
    let Ok(AgentSpec::File(file)) = catalogue::find(name) else { panic!("{name} is an agent in a file") };
    file.classic_weights(&Ruleset::new(Mode::Classic)).unwrap()
}

/// Weights that use every feature and survive for a while.
fn random_weights(random: &mut Random) -> ClassicWeights {
    let weights = ClassicWeights::FEATURES.iter().map(|feature| {
        let (low, high) = match feature {
            Feature::ErodedPieceCells => (-1.0, 3.0),
            Feature::ColumnTransitions => (-8.0, -2.0),
            Feature::Holes => (-8.0, 1.0),
            Feature::BoardWells | Feature::ContinuedWells => (-3.0, 0.5),
            Feature::ShallowWells | Feature::DeepWells | Feature::HoleDepth => (-2.0, 1.0),
            Feature::RowsWithHoles => (-9.0, 0.0),
            Feature::Diversity | Feature::Diversity0 | Feature::Diversity1 | Feature::Diversity2 => {
                (-1.0, 2.0)
            }
            Feature::Spare0 | Feature::Spare1 | Feature::Spare2 => (-1.0, 1.0),
            Feature::RowsRemoved | Feature::CompleteLines => (-2.0, 4.0),
            Feature::AggregateHeight | Feature::Bumpiness => (-2.0, 0.0),
            Feature::SquaredHeights => (-0.2, 0.05),
            _ => (-4.0, 0.0),
        };
        (*feature, low + (high - low) * random.fraction())
    });
    let weights = ClassicWeights::new(weights).unwrap();
    weights.judging([Judged::AfterClearing, Judged::BeforeClearing][random.below(2) as usize])
}

/// Weights like these, rounded to whole numbers, after being multiplied by a factor.
fn rounded(weights: &ClassicWeights, factor: f64) -> ClassicWeights {
    let rounded = |feature: &Feature| {
        // Half the weight of the landing height must be whole too.
        let step = if *feature == Feature::LandingHeight { 2.0 } else { 1.0 };
        (*feature, (weights.get(*feature) * factor / step).round() * step)
    };
    ClassicWeights::new(ClassicWeights::FEATURES.iter().map(rounded)).unwrap()
}

fn random_board(random: &mut Random) -> Board {
    let (width, height) = (4 + random.below(13) as usize, 4 + random.below(37) as usize);
    let mut board = Board::new(width, height).unwrap();
    // Some boards are full of holes, others are heaps with few holes.
    let (filled, highest) = (random.below(101), 1 + random.below(height as u64));
    for x in 0..width {
        for y in 0..random.below(highest + 1) as usize {
            board.set(x, y, random.below(100) < filled);
        }
    }
    board
}

/// The features of a board by definition, cell by cell.
fn counted(board: &Board) -> Features<u64> {
    let (width, height) = (board.width() as i32, board.height() as i32);
    let filled = |x: i32, y: i32| board.is_filled(x, y);
    let is_hole = |x: i32, y: i32| !filled(x, y) && (y + 1..height).any(|above| filled(x, above));
    let is_well = |x: i32, y: i32| !filled(x, y) && filled(x - 1, y) && filled(x + 1, y);
    let mut features = Features::none();
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
        let column_height = |x: i32| match x {
            x if (0..width).contains(&x) => board.column_height(x as usize) as u64,
            _ => 1_000,
        };
        features.aggregate_height += column_height(x);
        features.squared_heights += column_height(x).pow(2);
        let is_well = |depth: u64| {
            [x - 1, x + 1].iter().all(|beside| column_height(*beside) >= column_height(x) + depth)
        };
        features.shallow_wells += u64::from(is_well(2) && !is_well(3));
        features.deep_wells += u64::from(is_well(3));
    }
    let step = |x: usize| board.column_height(x + 1) as i64 - board.column_height(x) as i64;
    let steps: Vec<i64> = (0..board.width() - 1).map(step).collect();
    features.bumpiness = steps.iter().map(|step| step.unsigned_abs()).sum();
    let different = |of: &[i64]| of.iter().filter(|step| steps.contains(step)).count() as u64;
    features.diversity = different(&[-2, -1, 0, 1, 2]);
    features.diversity_0 = different(&[0]);
    features.diversity_1 = different(&[-1, 1]);
    features.diversity_2 = different(&[-2, 2]);
    let times = |step: &i64| steps.iter().filter(|other| *other == step).count();
    let repeated = |of: &[i64]| of.iter().filter(|step| times(step) >= 2).count() as u64;
    features.spare_0 = repeated(&[0]);
    features.spare_1 = repeated(&[-1, 1]);
    features.spare_2 = repeated(&[-2, 2]);
    features
}

/// The features of a board, except those of cleared lines and landing.
fn listed(features: &Features<u64>) -> Vec<(&'static str, u64)> {
    let of_board = ClassicWeights::FEATURES.iter().filter(|feature| feature.scope() == FeatureScope::Board);
    of_board.map(|feature| (feature.name(), features.get(*feature))).collect()
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
        vec![
            // From the bottom row: # . . . | is 2; ##.# is 2; .#.# is 4; ...# is 2; the empty row is 2.
            ("row_transitions", 12),
            // 1, 3, 1 and 3.
            ("column_transitions", 8),
            ("holes", 2),
            // Column 2, rows 2 and 1: 3 and 2. Column 0, row 2: 1.
            ("board_wells", 6),
            // Column 2 continues to the floor: 1 + 2 + 3. Column 0: 1.
            ("continued_wells", 7),
            ("shallow_wells", 0),
            // Column 2, beside three and four rows.
            ("deep_wells", 1),
            // Two above the hole in column 1, three above the one in column 3.
            ("hole_depth", 5),
            ("rows_with_holes", 1),
            // Heights 2, 3, 0, 4: differences 1, −3, 4.
            ("diversity", 1),
            ("diversity_0", 0),
            ("diversity_1", 1),
            ("diversity_2", 0),
            ("spare_0", 0),
            ("spare_1", 0),
            ("spare_2", 0),
            ("aggregate_height", 9),
            // 4 + 9 + 0 + 16.
            ("squared_heights", 29),
            ("bumpiness", 8),
        ]
    );
    let empty = PlainBoard::of(&Board::new(10, 20).unwrap()).features();
    assert_eq!((empty.row_transitions, empty.column_transitions, empty.diversity), (40, 10, 1));
}

#[test]
fn a_column_filled_to_the_top_still_ends_there() {
    let mut board = Board::new(4, 4).unwrap();
    (0..4).for_each(|y| board.set(0, y, true));
    assert_eq!(PlainBoard::of(&board).features().column_transitions, 4);
}

/// Compares the choices of a kernel with those that it should make.
fn assert_choices<L: Lanes<Board: std::fmt::Debug>, S: Scores<L>>(
    kernel: &mut Kernel<L, S>,
    piece: Piece,
    has_holes: bool,
    boards: &[L::Board],
    wanted: &[Option<(usize, usize)>],
) {
    let chosen = |lane: usize, found: Option<KernelChoice>| {
        let found = found.map(|found| (found.orientation.into(), found.x.into()));
        assert_eq!(found, wanted[lane], "{piece} {:?}", boards[lane]);
    };
    let all: Vec<&L::Board> = boards.iter().collect();
    match has_holes {
        false => kernel.choose::<false>(piece, &all, chosen),
        true => kernel.choose::<true>(piece, &all, chosen),
    }
}

/// Plays with the plain implementation and compares every choice with the kernels' choices. The kernel's games must end the
/// same. Returns the number of choices compared.
fn compare(width: usize, height: usize, weights: &ClassicWeights, games: u64, max_pieces: u64) -> u64 {
    let size = Size { width, height };
    let seeds: Vec<u64> = (0..games).map(|game| 1_000 * game + height as u64).collect();
    let keys = OpenKeys::new(size);
    let mut single = Kernel::<u64, f64>::new(size, weights);
    let mut low = Kernel::<u16x32, [f64x8; 4]>::new(size, weights);
    let mut whole =
        Weights::new(weights).are_whole().then(|| Kernel::<u16x32, [i32x16; 2]>::new(size, weights));
    let mut high = Kernel::<u32x16, [f64x8; 2]>::new(size, weights);
    let mut ends: Vec<ClassicEnd> =
        from_empty(size, &seeds).iter().map(|start| ClassicEnd::before(start.board)).collect();
    let mut boards: Vec<PlainBoard> = ends.iter().map(|end| PlainBoard::of(&end.board)).collect();
    let mut pieces: Vec<PieceSource> = seeds.iter().map(|seed| uniform_pieces(*seed)).collect();
    let mut decisions = 0;
    for _ in 0..max_pieces {
        let mut groups = vec![(Vec::new(), Vec::new()); 14];
        for game in 0..seeds.len() {
            if ends[game].lost() {
                continue;
            }
            let piece = pieces[game].draw();
            let choice = boards[game].choose(piece, weights);
            let field = Field::of(&boards[game].to_board());
            if width == LOW_WIDTH && field.stack_height() <= MAX_HIGH_STACK {
                let group = &mut groups[2 * piece as usize + usize::from(field.has_holes())];
                group.0.push(field);
                group.1.push(choice);
            }
            // The kernel for one board is the same code, so it is compared less often.
            if width != LOW_WIDTH || decisions % 4 == 0 {
                let mut chosen = |_: usize, found: Option<KernelChoice>| {
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
                None => ends[game].reason = StopReason::Lost,
                Some(choice) => {
                    ends[game].lines += boards[game].play(piece, choice);
                    ends[game].pieces += 1;
                    ends[game].keys += keys.of(piece, choice.0, choice.1);
                    ends[game].board = boards[game].to_board();
                }
            }
        }
        for (group, (fields, choices)) in groups.iter().enumerate() {
            let (piece, has_holes) = (Piece::ALL[group / 2], group % 2 == 1);
            let is_low = |at: &usize| fields[*at].stack_height() <= MAX_STACK;
            let lows: Vec<usize> = (0..fields.len()).filter(is_low).collect();
            for part in lows.chunks(32) {
                let boards: Vec<u16x16> = part.iter().map(|at| LowField::of(&fields[*at]).0).collect();
                let wanted: Vec<_> = part.iter().map(|at| choices[*at]).collect();
                assert_choices(&mut low, piece, has_holes, &boards, &wanted);
                whole.iter_mut().for_each(|whole| assert_choices(whole, piece, has_holes, &boards, &wanted));
            }
            for (fields, wanted) in fields.chunks(16).zip(choices.chunks(16)) {
                let boards: Vec<[u64; 16]> = fields.iter().map(|field| field.columns).collect();
                assert_choices(&mut high, piece, has_holes, &boards, wanted);
            }
        }
    }
    let fast = play_classic(width, height, weights, &seeds, Some(max_pieces));
    assert!(fast == ends, "{width}x{height} {weights:?}");
    decisions
}

#[test]
fn both_ways_choose_alike_on_the_usual_board() {
    let decisions = USUAL.map(|name| compare(10, 20, &named(name), 600, 350));
    assert!(decisions.iter().sum::<u64>() > 800_000, "{decisions:?}");
}

#[test]
fn both_ways_choose_alike_on_the_low_board() {
    let decisions = USUAL.map(|name| compare(10, 10, &named(name), 500, 450));
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
fn both_ways_choose_alike_with_whole_weights() {
    let mut random = Random::new(12);
    let mut decisions = 0;
    // With a small factor many placements tie. The largest weights use all of their sixteen bits.
    for factor in [1.0, 10.0, 1_000.0, 3_000.0] {
        for _ in 0..4 {
            let weights = rounded(&random_weights(&mut random), factor);
            assert!(Weights::new(&weights).are_whole());
            decisions += compare(10, 20, &weights, 60, 300);
            decisions += compare(10, 10, &weights, 60, 300);
        }
    }
    assert!(decisions > 100_000, "{decisions}");
}

#[test]
fn both_ways_choose_alike_on_high_boards() {
    let mut random = Random::new(13);
    let stop = StopWhen { pieces: Some(12), ..StopWhen::default() };
    for case in 0..40 {
        let weights = match case % 3 {
            0 => named("dt20"),
            1 => random_weights(&mut random),
            _ => rounded(&random_weights(&mut random), 100.0),
        };
        let starts = rough_starts(&mut random, 10, [20, 26, 33, 40][case % 4], 200);
        assert!(play_classic_from(&weights, &starts, stop) == play_classic_plain(&weights, &starts, stop));
    }
}

#[test]
fn both_ways_look_ahead_alike() {
    let mut random = Random::new(14);
    let mut reasons = std::collections::HashMap::new();
    for case in 0..24 {
        let (width, count) = if case % 3 > 0 { (10, 60) } else { (4 + case / 3, 12) };
        let height = [8, 12, 20, 34][case % 4];
        let weights = match case % 2 {
            0 => rounded(&named("dt20"), 100.0),
            _ => rounded(&random_weights(&mut random), [1.0, 50.0][case / 2 % 2]),
        };
        let weights = weights.looking_ahead([1, 2, 3, 50][case / 6 % 4]).unwrap();
        let starts = rough_starts(&mut random, width, height, count);
        let stop = StopWhen { pieces: Some(10), ..StopWhen::default() };
        let fast = play_classic_from(&weights, &starts, stop);
        for ((fast, plain), start) in
            fast.iter().zip(play_classic_plain(&weights, &starts, stop)).zip(&starts)
        {
            assert_eq!(*fast, plain, "{weights:?} {start:?}");
            *reasons.entry(fast.reason).or_insert(0) += 1;
        }
    }
    assert!(reasons.len() == 2 && reasons.values().all(|count| *count > 100), "{reasons:?}");
}

#[test]
fn looking_ahead_with_one_root_is_not_looking_ahead() {
    let weights = rounded(&named("dt20"), 100.0);
    let seeds: Vec<u64> = (0..40).collect();
    let ends = play_classic(10, 20, &weights, &seeds, Some(300));
    assert!(ends == play_classic(10, 20, &weights.looking_ahead(1).unwrap(), &seeds, Some(300)));
    assert!(ends != play_classic(10, 20, &weights.looking_ahead(2).unwrap(), &seeds, Some(300)));
}

#[test]
fn only_whole_weights_look_ahead() {
    let weights = |weight| ClassicWeights::new([(Feature::Holes, weight)]).unwrap();
    assert!(weights(-3.0).looking_ahead(3).is_some_and(|weights| weights.roots() == Some(3)));
    assert_eq!(weights(-3.0).looking_ahead(0), None);
    assert_eq!(weights(-3.5).looking_ahead(3), None);
    assert_eq!(weights(-40_000.0).looking_ahead(3), None);
    assert_eq!(weights(-3.0).judging(Judged::BeforeClearing).looking_ahead(3), None);
    let odd = ClassicWeights::new([(Feature::LandingHeight, -3.0)]).unwrap();
    assert_eq!(odd.looking_ahead(3), None);
}

/// A relay of legs and the game played from beginning to end.
#[test]
fn a_relay_ends_like_the_game() {
    let weights = named("dt10");
    let seeds: Vec<u64> = (300..330).collect();
    let ends = play_classic(10, 8, &weights, &seeds, None);
    // Warm-ups that are too short, almost long enough, and as long as the legs.
    for (legs, leg, warm_up) in [(1, 97, 3), (7, 60, 5), (5, 300, 90), (4, 50, 700)] {
        let plan = RelayPlan { legs, leg, warm_up };
        let mut games: Vec<LongGame> = seeds.iter().map(|seed| LongGame::new(10, 8, *seed)).collect();
        let (mut rounds, mut run, mut counted) = (0, 0, 0);
        while games.iter().any(|game| !game.end().lost()) {
            let legs = plan.legs(&games);
            run += legs.len();
            let before: u64 = games.iter().map(|game| game.end().pieces).sum();
            let finished = plan.run(&weights, &legs, || false).unwrap();
            plan.join(&mut games, finished);
            let after: u64 = games.iter().map(|game| game.end().pieces).sum();
            counted += after - before;
            // Resume in the middle of every other round.
            if rounds % 2 == 0 {
                let resumed = |(game, seed): (&LongGame, &u64)| LongGame::resumed(*game.end(), *seed);
                games = games.iter().zip(&seeds).map(resumed).collect();
            }
            rounds += 1;
        }
        assert!(games.iter().map(LongGame::end).eq(&ends), "{plan:?}");
        assert_eq!(counted, ends.iter().map(|end| end.pieces).sum::<u64>());
        assert!(run >= seeds.len());
    }
    let plan = RelayPlan { legs: 2, leg: 10, warm_up: 10 };
    let legs = plan.legs(&[LongGame::new(10, 20, 1)]);
    assert!(plan.run(&weights, &legs, || true).is_none());
    assert!(plan.run(&weights, &[], || true).is_some_and(|finished| finished.is_empty()));
}

/// After 600 pieces some boards have forgotten how they started. The first leg of each game counts in any case.
#[test]
fn legs_that_guessed_their_board_count() {
    let weights = named("bcts");
    let mut games: Vec<LongGame> = (0..8).map(|seed| LongGame::new(10, 10, seed)).collect();
    let plan = RelayPlan { legs: 3, leg: 600, warm_up: 600 };
    for _ in 0..3 {
        let finished = plan.run(&weights, &plan.legs(&games), || false).unwrap();
        plan.join(&mut games, finished);
    }
    let pieces: u64 = games.iter().map(|game| game.end().pieces).sum();
    assert!(games.iter().all(|game| !game.end().lost()));
    assert!((8 * 3 * 600 + 1..8 * 9 * 600).contains(&pieces), "{pieces}");
}

#[test]
fn both_ways_choose_alike_with_each_feature_alone() {
    let heights = [9, 16, 17, 40].into_iter().cycle();
    for (feature, height) in ClassicWeights::FEATURES.iter().zip(heights) {
        for weight in [-1.0, 0.7] {
            let weights = ClassicWeights::new([(*feature, weight)]).unwrap();
            compare(10, height, &weights, 40, 100);
            compare(10, height, &weights.judging(Judged::BeforeClearing), 40, 100);
        }
    }
    compare(10, 20, &ClassicWeights::default(), 40, 100);
}

#[test]
fn both_ways_choose_alike_on_boards_of_any_size() {
    let mut random = Random::new(4);
    for width in 4..=16 {
        for height in [4, 5, 12, 13, 15, 16, 17, 20, 36, 40] {
            compare(width, height, &random_weights(&mut random), 8, 60);
            compare(width, height, &named("dt20"), 8, 60);
        }
    }
}

#[test]
fn a_game_is_the_same_whatever_is_played_beside_it() {
    let weights = named("bcts");
    let seeds: Vec<u64> = (0..700).collect();
    let ends = play_classic(10, 10, &weights, &seeds, Some(600));
    let reversed: Vec<u64> = seeds.iter().rev().copied().collect();
    let mut again = play_classic(10, 10, &weights, &reversed, Some(600));
    again.reverse();
    assert!(ends == again);
    for seed in [0, 13, 699] {
        let alone = play_classic(10, 10, &weights, &[seed], Some(600));
        assert_eq!(alone[0], ends[seed as usize]);
    }
}

/// Starts on rough boards of this size and any stack height.
fn rough_starts(random: &mut Random, width: usize, height: usize, count: u64) -> Vec<ClassicStart> {
    let start = |seed| {
        let mut board = Board::new(width, height).unwrap();
        for y in 0..random.below(height as u64 + 1) as usize {
            let gap = random.below(width as u64) as usize;
            (0..width).for_each(|x| board.set(x, y, x != gap && random.below(8) > 0));
        }
        ClassicStart { board, seed }
    };
    (0..count).map(start).collect()
}

#[test]
fn games_from_any_start_end_alike_both_ways() {
    let mut random = Random::new(5);
    let mut reasons = std::collections::HashMap::new();
    for case in 0..260 {
        // All widths. Half of the runs are many boards of the width that goes side by side.
        let (width, count) = if case % 2 == 0 { (10, 150) } else { (4 + case / 2 % 13, 30) };
        let height = 4 + random.below(37) as usize;
        let starts = rough_starts(&mut random, width, height, count);
        let mut sometimes = |limit: u64| (random.below(3) > 0).then(|| random.below(limit));
        let stop = StopWhen {
            at_least: sometimes(height as u64 + 2).map(|limit| limit as u32),
            at_most: sometimes(8).map(|limit| limit as u32),
            pieces: Some(sometimes(40).unwrap_or(60)),
        };
        let weights = if case % 4 < 2 { named("dt20") } else { random_weights(&mut random) };
        let fast = play_classic_from(&weights, &starts, stop);
        let plain = play_classic_plain(&weights, &starts, stop);
        for ((fast, plain), start) in fast.iter().zip(&plain).zip(&starts) {
            assert_eq!(fast, plain, "{stop:?} {start:?}");
            *reasons.entry(fast.reason).or_insert(0) += 1;
        }
    }
    assert!(reasons.len() == 4 && reasons.values().all(|count| *count > 500), "{reasons:?}");
}

#[test]
fn a_game_from_any_start_is_the_same_whatever_is_played_beside_it() {
    let weights = named("dt20");
    let starts = rough_starts(&mut Random::new(6), 10, 20, 1_500);
    let stop = StopWhen { at_least: Some(18), at_most: Some(4), pieces: Some(5_000) };
    let ends = play_classic_from(&weights, &starts, stop);
    for size in [1, 19, 64, 700] {
        let in_parts = starts.chunks(size).flat_map(|starts| play_classic_from(&weights, starts, stop));
        assert!(ends == in_parts.collect::<Vec<_>>(), "{size} at once");
    }
}

#[test]
fn a_game_stops_where_it_is_said() {
    let weights = named("dt20");
    let starts = rough_starts(&mut Random::new(7), 10, 20, 300);
    for end in play_classic_from(&weights, &starts, StopWhen { at_most: Some(3), ..StopWhen::default() }) {
        match end.reason {
            StopReason::Low => assert!(end.board.stack_height() <= 3),
            reason => assert_eq!(reason, StopReason::Lost),
        }
    }
    // A stack that is already low enough is checked only after the first piece.
    let stop = StopWhen { at_most: Some(20), ..StopWhen::default() };
    let ends = play_classic_from(&weights, &starts, stop);
    assert!(
        ends.iter()
            .all(|end| end.lost() && end.pieces == 0 || end.reason == StopReason::Low && end.pieces == 1)
    );
    // Every placed cell is on the board or cleared.
    let stop = StopWhen { pieces: Some(50), ..StopWhen::default() };
    for (start, end) in starts.iter().zip(play_classic_from(&weights, &starts, stop)) {
        let cells = u64::from(start.board.filled_cells()) + 4 * end.pieces;
        assert_eq!(cells, u64::from(end.board.filled_cells()) + 10 * end.lines);
    }
}

#[test]
#[should_panic(expected = "full rows must be cleared")]
fn a_start_with_a_full_row_is_refused() {
    let mut board = Board::new(10, 20).unwrap();
    (0..10).for_each(|x| board.set(x, 0, true));
    play_classic_from(&named("dt20"), &[ClassicStart { board, seed: 1 }], StopWhen::default());
}

#[test]
fn the_engine_plays_the_same_games() {
    let cases = [(10, 20, "dt20"), (10, 6, "bcts"), (7, 9, "dt10"), (4, 40, "dellacherie")];
    for (width, height, name) in cases {
        let weights = named(name);
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
            let engine = (u64::from(game.placed()), u64::from(game.lines()), keys, lost);
            assert_eq!((end.pieces, end.lines, end.keys, end.lost()), engine, "{width}x{height} {seed}");
        }
    }
}

/// With any weights, the general search chooses what the plain implementation chooses.
#[test]
fn the_general_search_chooses_the_same() {
    let mut random = Random::new(8);
    for case in 0..300 {
        let weights = random_weights(&mut random);
        let (width, height) = (4 + case % 13, 6 + random.below(20) as usize);
        let rules = Ruleset {
            width: width as u8,
            visible_height: height as u8,
            ..Ruleset::for_agents(Mode::Classic)
        };
        let board = rough_starts(&mut random, width, height, 1)[0].board;
        let game = Game::new(rules, case as u64).unwrap().with_board(board);
        if game.outcome().is_some() {
            continue;
        }
        let Some(choice) = choose_classic_plain(&board, game.current(), &weights) else { continue };
        let linear = ClassicWeights::FEATURES.iter().map(|feature| (*feature, weights.get(*feature)));
        let judged = [Judged::AfterClearing, Judged::BeforeClearing]
            .into_iter()
            .find(|judged| weights.judging(*judged) == weights);
        let linear = Linear::new(linear, judged.unwrap());
        assert_eq!(ClassicWeights::of(&linear), Some(weights));
        let mut search = Searcher::new(linear, SearchPlan::Lookahead { plies: 1 }, Reach::Hard, false);
        let chosen = search.next_move(&game).unwrap().placement;
        let orientation = chosen.location().orientation as usize;
        assert_eq!((orientation, chosen.left_column() as usize), choice, "{weights:?} {board:?}");
    }
}

#[test]
fn the_features_are_listed_in_the_order_in_which_all_are_summed() {
    assert!(ClassicWeights::FEATURES.is_sorted());
}

#[test]
fn weights_that_the_kernel_can_not_sum_are_refused() {
    assert_eq!(ClassicWeights::new([(Feature::Tunnels, 1.0)]), None);
    assert_eq!(ClassicWeights::new([(Feature::Holes, f64::NAN)]), None);
    assert_eq!(
        ClassicWeights::new([(Feature::Holes, -1e300)]).map(|weights| weights.get(Feature::Holes)),
        Some(-1e300)
    );
    assert_eq!(ClassicWeights::new([(Feature::Holes, 1e300)]), None);
}

/// The general search that looks ahead chooses what the kernel chooses.
#[test]
fn the_general_search_looks_ahead_alike() {
    let mut random = Random::new(9);
    for case in 0..60 {
        let roots = 1 + case % 4;
        let weights = match case % 2 {
            0 => rounded(&named("dt20"), 100.0),
            _ => rounded(&random_weights(&mut random), [1.0, 100.0][case / 2 % 2]),
        };
        let weights = weights.looking_ahead(roots).unwrap();
        let (width, height) = (4 + case % 13, 6 + random.below(20) as usize);
        let rules = Ruleset {
            width: width as u8,
            visible_height: height as u8,
            ..Ruleset::for_agents(Mode::Classic)
        };
        let board = rough_starts(&mut random, width, height, 1)[0].board;
        let game = Game::new(rules, case as u64).unwrap().with_board(board);
        if game.outcome().is_some() {
            continue;
        }
        let Some(choice) = choose_classic_plain(&board, game.current(), &weights) else { continue };
        let linear = ClassicWeights::FEATURES.iter().map(|feature| (*feature, weights.get(*feature)));
        let linear = Linear::new(linear, Judged::AfterClearing);
        let mut search =
            Searcher::new(linear, SearchPlan::Expectimax { plies: 1, roots }, Reach::Hard, false);
        let chosen = search.next_move(&game).unwrap().placement;
        let orientation = chosen.location().orientation as usize;
        assert_eq!((orientation, chosen.left_column() as usize), choice, "{weights:?} {board:?}");
    }
}

/// Makes the chosen move, or any if all lose. Returns its keys; a losing move counts none.
fn play_in_engine(game: &mut Game, weights: &ClassicWeights) -> u64 {
    let piece = game.current();
    let choice = choose_classic_plain(game.board(), piece, weights);
    let placements = game.placements(piece);
    let chosen = |(orientation, x): (usize, usize)| {
        placements.iter().find(|placement| {
            let location = placement.location();
            let left = location.cells().map(|cell| cell.0).into_iter().min();
            location.orientation as usize == orientation && left == Some(x as i32)
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
    let starts = from_empty(Size { width: 10, height: 8 }, &seeds);
    for weights in [named("bcts"), named("dt10")] {
        let fast = play_classic(10, 8, &weights, &seeds, None);
        assert!(fast == play_classic_plain(&weights, &starts, StopWhen::default()));
        assert!(fast.iter().all(ClassicEnd::lost));
    }
}

#[test]
fn games_are_cancelled_in_the_middle() {
    let weights = named("dt20");
    // Few games, many games, and a board that is not as wide as the lanes.
    for (width, games) in [(10, 5), (10, 600), (9, 2)] {
        let board = Board::new(width, 20).unwrap();
        let starts: Vec<ClassicStart> = (0..games).map(|seed| ClassicStart { board, seed }).collect();
        let looks = std::cell::Cell::new(0);
        let cancelled = || {
            looks.set(looks.get() + 1);
            looks.get() > 100
        };
        let ended = || panic!("none of these games ends in a hundred pieces");
        assert_eq!(play_classic_unless(&weights, &starts, StopWhen::default(), cancelled, ended), None);
        assert!(looks.get() < 110, "{}", looks.get());
    }
}

#[test]
fn no_seeds_and_no_pieces_are_no_games() {
    let weights = named("bcts");
    assert_eq!(play_classic(10, 20, &weights, &[], None), []);
    assert_eq!(play_classic_from(&weights, &[], StopWhen::default()), []);
    let start = ClassicStart { board: Board::new(10, 20).unwrap(), seed: 1 };
    assert_eq!(play_classic(10, 20, &weights, &[1; 9], Some(0)), [ClassicEnd::before(start.board); 9]);
}
