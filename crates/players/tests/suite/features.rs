//! Compares every feature with a slow cell-by-cell reference and with boards worked by hand.

use std::collections::BTreeSet;
use tetrion_engine::board::Board;
use tetrion_engine::location::{PieceLocation, Placement, Spin};
use tetrion_engine::moves;
use tetrion_engine::piece::{Orientation, Piece};
use tetrion_engine::randomizer::Random;
use tetrion_engine::ruleset::{Mode, Ruleset};
use tetrion_engine::scoring::Streak;
use tetrion_players::afterstate::{Afterstate, Judged, PlacementContext};
use tetrion_players::features::Feature;

/// A board as a table of cells, bottom row first, and the placement made on it.
struct Slow {
    cells: Vec<Vec<bool>>,
    width: i32,
    height: i32,
    piece: [(i32, i32); 4],
    full_before_clearing: Vec<i32>,
    spin: Spin,
    streak: Streak,
    mode: Mode,
}

impl Slow {
    fn new(before: PlacementContext, placement: Placement, judged: Judged, rules: &Ruleset) -> Slow {
        let (board, height) = (before.board, usize::from(rules.visible_height));
        let width = board.width();
        let rows = board.height().max(height) as i32;
        let mut cells: Vec<Vec<bool>> =
            (0..rows).map(|y| (0..width as i32).map(|x| board.is_filled(x, y)).collect()).collect();
        let full = |cells: &[Vec<bool>]| -> Vec<i32> {
            (0..rows).filter(|y| cells[*y as usize].iter().all(|cell| *cell)).collect()
        };
        let full_already = full(&cells);
        let piece = placement.location().cells();
        for (x, y) in piece {
            cells[y as usize][x as usize] = true;
        }
        let full_before_clearing: Vec<i32> =
            full(&cells).into_iter().filter(|y| !full_already.contains(y)).collect();
        if judged == Judged::AfterClearing {
            for y in full_before_clearing.iter().rev() {
                cells.remove(*y as usize);
                cells.push(vec![false; width]);
            }
        }
        Slow {
            cells,
            width: width as i32,
            height: height as i32,
            piece,
            full_before_clearing,
            spin: placement.spin(),
            streak: before.streak,
            mode: rules.mode,
        }
    }

    /// Whether only full rows are left.
    fn is_perfect_clear(&self) -> bool {
        let rest = self.cells.iter().filter(|row| !row.iter().all(|cell| *cell));
        !self.full_before_clearing.is_empty() && rest.flatten().all(|cell| !*cell)
    }

    fn is_difficult(&self) -> bool {
        let lines = self.full_before_clearing.len();
        lines == 4 || lines > 0 && self.spin != Spin::None
    }

    /// The guideline's points, restated independently.
    fn points(&self) -> f64 {
        let lines = self.full_before_clearing.len();
        if self.mode == Mode::Classic {
            return lines as f64;
        }
        let clear = match (self.spin, lines) {
            (Spin::None, lines) => [0.0, 100.0, 300.0, 500.0, 800.0][lines],
            (Spin::Mini, lines) => [100.0, 200.0, 400.0][lines],
            (Spin::Full, lines) => [400.0, 800.0, 1200.0, 1600.0][lines],
        };
        let back_to_back = self.streak.back_to_back && self.is_difficult();
        let combo = if lines > 0 { 50.0 * f64::from(self.streak.clears) } else { 0.0 };
        let perfect = match (self.is_perfect_clear(), lines) {
            (false, _) => 0.0,
            (true, 4) if back_to_back => 3200.0,
            (true, lines) => [0.0, 800.0, 1200.0, 1800.0, 2000.0][lines],
        };
        clear * if back_to_back { 1.5 } else { 1.0 } + combo + perfect
    }

    /// Walls and floor are filled.
    fn filled(&self, x: i32, y: i32) -> bool {
        x < 0 || x >= self.width || y < 0 || self.cells.get(y as usize).is_some_and(|row| row[x as usize])
    }

    fn places(&self) -> impl Iterator<Item = (i32, i32)> + '_ {
        (0..self.width).flat_map(|x| (0..self.cells.len() as i32).map(move |y| (x, y)))
    }

    /// The cells of the visible rows.
    fn visible(&self) -> impl Iterator<Item = (i32, i32)> + '_ {
        self.places().filter(|(_, y)| *y < self.height)
    }

    fn heights(&self) -> Vec<i32> {
        let height = |x| (0..self.cells.len() as i32).rev().find(|y| self.filled(x, *y)).map_or(0, |y| y + 1);
        (0..self.width).map(height).collect()
    }

    fn is_hole(&self, x: i32, y: i32) -> bool {
        !self.filled(x, y) && (y + 1..self.cells.len() as i32).any(|above| self.filled(x, above))
    }

    fn is_well(&self, x: i32, y: i32) -> bool {
        !self.filled(x, y) && self.filled(x - 1, y) && self.filled(x + 1, y)
    }

    fn value(&self, feature: Feature) -> f64 {
        let heights = self.heights();
        let steps: Vec<i32> = heights.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let twice = |of: &[i32]| {
            let times = |step: &i32| steps.iter().filter(|other| *other == step).count();
            of.iter().filter(|step| times(step) >= 2).count() as f64
        };
        let lines = self.full_before_clearing.len() as f64;
        match feature {
            Feature::LandingHeight => {
                let low = self.piece.iter().map(|cell| cell.1).min().unwrap();
                let high = self.piece.iter().map(|cell| cell.1).max().unwrap();
                let piece_height = high - low + 1;
                f64::from(low) + f64::from(piece_height - 1) / 2.0
            }
            Feature::ErodedPieceCells => {
                let removed = self.piece.iter().filter(|cell| self.full_before_clearing.contains(&cell.1));
                lines * removed.count() as f64
            }
            Feature::RowTransitions => {
                let mut transitions = 0;
                for y in 0..self.height {
                    for x in 0..=self.width {
                        transitions += i32::from(self.filled(x - 1, y) != self.filled(x, y));
                    }
                }
                f64::from(transitions)
            }
            Feature::ColumnTransitions => {
                let boundaries = (0..self.width).flat_map(|x| (0..=self.height).map(move |y| (x, y)));
                boundaries.filter(|&(x, y)| self.filled(x, y) != self.filled(x, y - 1)).count() as f64
            }
            Feature::Holes => self.places().filter(|&(x, y)| self.is_hole(x, y)).count() as f64,
            Feature::BoardWells => {
                let wells = self.visible().filter(|&(x, y)| self.is_well(x, y));
                let depth = |(x, y)| 1 + (0..y).rev().take_while(|below| !self.filled(x, *below)).count();
                wells.map(depth).sum::<usize>() as f64
            }
            Feature::ContinuedWells => {
                let mut sum = 0;
                for x in 0..self.width {
                    let mut run = 0;
                    for y in (0..self.height).rev() {
                        if self.filled(x, y) {
                            run = 0;
                        } else if run > 0 || self.is_well(x, y) {
                            run += 1;
                            sum += run;
                        }
                    }
                }
                f64::from(sum)
            }
            Feature::ShallowWells | Feature::DeepWells => {
                let height = |x: i32| heights.get(x as usize).copied().unwrap_or(1_000);
                let depth = |x: i32| (height(x - 1) - height(x)).min(height(x + 1) - height(x));
                let counts = |x: &i32| match feature {
                    Feature::ShallowWells => depth(*x) == 2,
                    _ => depth(*x) >= 3,
                };
                (0..self.width).filter(counts).count() as f64
            }
            Feature::HoleDepth => {
                let holes = self.places().filter(|&(x, y)| self.is_hole(x, y));
                let above = |(x, y)| (y + 1..).take_while(|above| self.filled(x, *above)).count();
                holes.map(above).sum::<usize>() as f64
            }
            Feature::RowsWithHoles => {
                let rows = 0..self.cells.len() as i32;
                rows.filter(|y| (0..self.width).any(|x| self.is_hole(x, *y))).count() as f64
            }
            Feature::Diversity => (-2..=2).filter(|step| steps.contains(step)).count() as f64,
            Feature::Diversity0 => [0].iter().filter(|step| steps.contains(step)).count() as f64,
            Feature::Diversity1 => [-1, 1].iter().filter(|step| steps.contains(step)).count() as f64,
            Feature::Diversity2 => [-2, 2].iter().filter(|step| steps.contains(step)).count() as f64,
            Feature::Spare0 => twice(&[0]),
            Feature::Spare1 => twice(&[-1, 1]),
            Feature::Spare2 => twice(&[-2, 2]),
            Feature::RowsRemoved | Feature::CompleteLines => lines,
            Feature::AggregateHeight => f64::from(heights.iter().sum::<i32>()),
            Feature::SquaredHeights => f64::from(heights.iter().map(|height| height * height).sum::<i32>()),
            Feature::Bumpiness => f64::from(steps.iter().map(|step| step.abs()).sum::<i32>()),
            Feature::UnreachableHoles => {
                let mut reached = vec![vec![false; self.height as usize]; self.width as usize];
                let mut to_visit: Vec<_> = (0..self.width).map(|x| (x, self.height - 1)).collect();
                while let Some((x, y)) = to_visit.pop() {
                    let inside = (0..self.width).contains(&x) && (0..self.height).contains(&y);
                    if inside && !self.filled(x, y) && !reached[x as usize][y as usize] {
                        reached[x as usize][y as usize] = true;
                        to_visit.extend([(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]);
                    }
                }
                let hole = |&(x, y): &(i32, i32)| !self.filled(x, y) && !reached[x as usize][y as usize];
                self.visible().filter(hole).count() as f64
            }
            Feature::MeanHeight => f64::from(heights.iter().sum::<i32>()) / f64::from(self.width),
            Feature::HeightVariance => {
                let mean = self.value(Feature::MeanHeight);
                let squares: f64 = heights.iter().map(|height| (f64::from(*height) - mean).powi(2)).sum();
                squares / f64::from(self.width - 1)
            }
            Feature::Points => self.points(),
            Feature::TSpinLines if self.spin == Spin::Full => lines,
            Feature::TSpinLines => 0.0,
            Feature::PerfectClear => f64::from(u8::from(self.is_perfect_clear())),
            // Classic counts only lines.
            Feature::BackToBack | Feature::Combo if self.mode == Mode::Classic => match feature {
                Feature::Combo => f64::from(self.streak.clears),
                _ => f64::from(u8::from(self.streak.back_to_back)),
            },
            Feature::BackToBack if lines == 0.0 => f64::from(u8::from(self.streak.back_to_back)),
            Feature::BackToBack => f64::from(u8::from(self.is_difficult())),
            Feature::Combo if lines == 0.0 => 0.0,
            Feature::Combo => f64::from(self.streak.clears + 1),
            Feature::Tunnels => {
                let below_the_top = self.visible().filter(|(_, y)| *y < self.height - 1);
                below_the_top.filter(|&(x, y)| self.is_well(x, y)).count() as f64
            }
        }
    }
}

fn rough_board(random: &mut Random, width: usize, height: usize, stack: usize) -> Board {
    let mut board = Board::new(width, height).unwrap();
    for y in 0..stack {
        let gap = random.below(width as u64) as usize;
        for x in (0..width).filter(|x| *x != gap) {
            board.set(x, y, random.below(100) < 75);
        }
    }
    board
}

#[test]
fn every_feature_equals_its_slow_reference_on_random_boards() {
    let mut random = Random::new(1);
    for case in 0..3_000 {
        let mode = if case % 3 == 0 { Mode::Sprint } else { Mode::Classic };
        let mut rules = Ruleset::new(mode);
        if mode == Mode::Classic {
            rules.width = 3 + random.below(14) as u8;
            rules.visible_height = 4 + random.below(20) as u8;
        }
        let height = rules.start().unwrap().height();
        let stack = random.below(u64::from(rules.visible_height)) as usize;
        let board = rough_board(&mut random, rules.width.into(), height, stack);
        let piece = Piece::ALL[random.below(7) as usize];
        let placements = moves::generate(&board, rules.spawn(piece, &board), rules.move_rules());
        for placement in placements.iter() {
            for judged in [Judged::BeforeClearing, Judged::AfterClearing] {
                let streak = Streak { back_to_back: case % 2 == 0, clears: case % 5 };
                let before = PlacementContext { streak, ..PlacementContext::board(&board) };
                let Some(after) = Afterstate::new(before, placement, judged, &rules) else { continue };
                let slow = Slow::new(before, placement, judged, &rules);
                for &feature in Feature::ALL {
                    let (fast, slow) = (feature.value(&after), slow.value(feature));
                    assert!(
                        (fast - slow).abs() < 1e-9,
                        "{feature}: {fast}, not {slow}: {placement} on {board:?}"
                    );
                }
            }
        }
    }
}

/// A drawn board of this height, after a placement.
fn after(
    drawn: &str,
    height: u8,
    placement: (Piece, Orientation, i8, i8),
    judged: Judged,
) -> Afterstate<'static> {
    let drawn: Board = drawn.parse().unwrap();
    let rules = Ruleset { width: drawn.width() as u8, visible_height: height, ..Ruleset::new(Mode::Classic) };
    let rules: &'static Ruleset = Box::leak(Box::new(rules));
    let mut board = rules.start().unwrap();
    for x in 0..drawn.width() {
        for y in 0..usize::from(height) {
            board.set(x, y, drawn.is_filled(x as i32, y as i32));
        }
    }
    let (piece, orientation, x, y) = placement;
    let placement = Placement::new(PieceLocation { piece, orientation, x, y }, Spin::None);
    Afterstate::new(PlacementContext::board(&board), placement, judged, rules).unwrap()
}

#[test]
fn a_board_worked_by_hand() {
    // An O is dropped on columns 0 and 1 of a board five wide and six high:
    //   OO...
    //   OO..#
    //   ##.##
    //   #..##
    let after = after("....#\n##.##\n#..##", 6, (Piece::O, Orientation::North, 0, 2), Judged::AfterClearing);
    let value = |feature: Feature| feature.value(&after);
    assert_eq!(value(Feature::LandingHeight), 2.5);
    assert_eq!(value(Feature::ErodedPieceCells), 0.0);
    // Every row has two: three have a gap in the middle, one has a gap at the right wall, two are empty.
    assert_eq!(value(Feature::RowTransitions), 12.0);
    // Every column has a step to its floor or its top. Column 0: filled, then empty. 1: empty, filled, empty. 2: empty. 3: filled, empty. 4: filled, empty.
    assert_eq!(value(Feature::ColumnTransitions), 1.0 + 3.0 + 1.0 + 1.0 + 1.0);
    assert_eq!(value(Feature::Holes), 1.0);
    // Column 2: row 1 is between two filled cells with one empty below; row 0 has an open left side.
    assert_eq!(value(Feature::BoardWells), 2.0);
    // Continued: row 1 counts one, row 0 below it two.
    assert_eq!(value(Feature::ContinuedWells), 3.0);
    // Column 2 is empty, but column 3 beside it is only two high.
    assert_eq!(value(Feature::DeepWells), 0.0);
    // The hole in column 1 has three filled cells above it.
    assert_eq!(value(Feature::HoleDepth), 3.0);
    assert_eq!(value(Feature::RowsWithHoles), 1.0);
    // Heights 4 4 0 2 3: differences 0, -4, 2, 1.
    assert_eq!(value(Feature::Diversity), 3.0);
    assert_eq!(value(Feature::Diversity0), 1.0);
    assert_eq!(value(Feature::Diversity1), 1.0);
    assert_eq!(value(Feature::Diversity2), 1.0);
    assert_eq!(value(Feature::AggregateHeight), 13.0);
    // 16 + 16 + 0 + 4 + 9.
    assert_eq!(value(Feature::SquaredHeights), 45.0);
    assert_eq!(value(Feature::Bumpiness), 7.0);
    // The hole is open towards column 2, so it can be reached.
    assert_eq!(value(Feature::UnreachableHoles), 0.0);
    assert_eq!(value(Feature::MeanHeight), 2.6);
    // Deviations 1.4, 1.4, -2.6, -0.6, 0.4: squares 1.96 + 1.96 + 6.76 + 0.36 + 0.16 = 11.2, over four.
    assert!((value(Feature::HeightVariance) - 2.8).abs() < 1e-12);
    assert_eq!(value(Feature::Tunnels), 1.0);
}

#[test]
fn a_clear_worked_by_hand() {
    // A T on its side fills row 1; row 0 keeps a gap under it.
    //   .T..
    //   #TT#
    //   #T.#
    let placement = (Piece::T, Orientation::East, 1, 1);
    let cleared = after("#..#\n#..#", 5, placement, Judged::AfterClearing);
    assert_eq!(cleared.lines, 1);
    assert_eq!(Feature::RowsRemoved.value(&cleared), 1.0);
    // One row, with two cells of the T.
    assert_eq!(Feature::ErodedPieceCells.value(&cleared), 2.0);
    assert_eq!(Feature::LandingHeight.value(&cleared), 1.0);
    assert_eq!(cleared.heights(), [1, 2, 0, 1]);
    let uncleared = after("#..#\n#..#", 5, placement, Judged::BeforeClearing);
    assert_eq!(uncleared.heights(), [2, 3, 2, 2]);
    assert_eq!(Feature::CompleteLines.value(&uncleared), 1.0);
    assert_eq!(Feature::Holes.value(&uncleared), 1.0);
}

#[test]
fn wells_are_deep_from_three_rows_on_at_walls_too() {
    // An O lands on columns 2 and 3, in rows 2 and 3.
    let deep_wells = |drawn: &str| {
        let after = after(drawn, 8, (Piece::O, Orientation::North, 2, 2), Judged::AfterClearing);
        Feature::DeepWells.value(&after)
    };
    // Heights 0 3 4 4 0: both outer columns.
    assert_eq!(deep_wells(".#...\n.###.\n.###."), 2.0);
    // Heights 0 2 4 4 2: two rows are not enough.
    assert_eq!(deep_wells(".####\n.####"), 0.0);
    // Heights 3 0 4 4 0: a column between others as well.
    assert_eq!(deep_wells("#....\n#.##.\n#.##."), 2.0);
}

#[test]
fn a_column_that_is_full_to_the_top_still_has_the_step_to_the_space_above() {
    // A vertical I in column 0 of a board four rows high.
    let after = after("...\n...", 4, (Piece::I, Orientation::East, 0, 2), Judged::AfterClearing);
    assert_eq!(Feature::ColumnTransitions.value(&after), 3.0);
}

/// The number of different rows or columns among cells.
fn different(numbers: impl Iterator<Item = i32>) -> f64 {
    numbers.collect::<BTreeSet<_>>().len() as f64
}

#[test]
fn the_cells_of_a_feature_are_those_that_it_counts() {
    let mut random = Random::new(2);
    for case in 0..1_000 {
        let mode = if case % 2 == 0 { Mode::Sprint } else { Mode::Classic };
        let rules = Ruleset::new(mode);
        let board = rough_board(&mut random, 10, rules.start().unwrap().height(), random_rows(case));
        let piece = Piece::ALL[random.below(7) as usize];
        for placement in moves::generate(&board, rules.spawn(piece, &board), rules.move_rules()).iter() {
            for judged in [Judged::BeforeClearing, Judged::AfterClearing] {
                let context = PlacementContext::board(&board);
                let Some(after) = Afterstate::new(context, placement, judged, &rules) else { continue };
                let cells = |feature: Feature| feature.cells(&after);
                let count = |feature: Feature| cells(feature).len() as f64;
                let value = |feature: Feature| feature.value(&after);
                for feature in
                    [Feature::Holes, Feature::HoleDepth, Feature::UnreachableHoles, Feature::Tunnels]
                {
                    assert_eq!(count(feature), value(feature), "{feature}: {placement} on {board:?}");
                }
                let rows = |feature| different(cells(feature).iter().map(|cell| cell.1));
                assert_eq!(rows(Feature::RowsWithHoles), value(Feature::RowsWithHoles));
                let columns = |feature| different(cells(feature).iter().map(|cell| cell.0));
                assert_eq!(columns(Feature::ShallowWells), value(Feature::ShallowWells));
                assert_eq!(columns(Feature::DeepWells), value(Feature::DeepWells));
                assert_eq!(count(Feature::RowsRemoved), 10.0 * value(Feature::RowsRemoved));
                assert_eq!(
                    value(Feature::RowsRemoved) * count(Feature::ErodedPieceCells),
                    value(Feature::ErodedPieceCells)
                );
                if judged == Judged::BeforeClearing {
                    assert_eq!(triangles(&cells(Feature::ContinuedWells)), value(Feature::ContinuedWells));
                }
                // People look at the board before rows are cleared: there these cells are empty.
                let mut seen = board;
                seen.place(placement);
                for (x, y) in [Feature::Holes, Feature::BoardWells].into_iter().flat_map(cells) {
                    assert!(!seen.is_filled(x, y), "({x}, {y}): {placement} on {board:?}");
                }
            }
        }
    }
}

/// Up to so many rows, so that some boards are low and some high.
fn random_rows(case: u32) -> usize {
    1 + case as usize % 17
}

/// Each run of n cells one above the other counts 1 + 2 + ... + n.
fn triangles(cells: &[(i32, i32)]) -> f64 {
    let cells: BTreeSet<_> = cells.iter().copied().collect();
    let depth = |&(x, y): &(i32, i32)| (0..=y).rev().take_while(|y| cells.contains(&(x, *y))).count();
    cells.iter().map(|cell| depth(cell) as f64).sum()
}
