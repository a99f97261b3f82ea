//! The solver against the published figures, against a plain program, and against games that were played.
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;
use std::sync::Arc;
use tetrion_engine::game::Game;
use tetrion_engine::piece::Piece;
use tetrion_engine::randomizer::{Random, game_seed};
use tetrion_engine::ruleset::{Mode, Ruleset};
use tetrion_exact::agents::{PolicyAgent, ask, classic_rules};
use tetrion_exact::game::{LOST, PlacementIndex};
use tetrion_exact::play::Match;
use tetrion_exact::solve::{self, Expected, NoSolution};
use tetrion_exact::{Chain, Model, Monitor, PieceSet, Policy, SmallGame, file};
use tetrion_players::Agent;
use tetrion_players::catalogue::{self, AgentSpec};
use tetrion_players::classic::play_classic;

fn model(pieces: PieceSet, width: usize, height: usize, chain: fn(usize) -> Chain) -> Model {
    let chain = chain(pieces.count());
    Model::new(SmallGame::new(pieces, width, height).unwrap(), chain, &Monitor::default()).unwrap()
}

fn within(model: &Model, stages: u64) -> Expected {
    solve::horizon(model, stages, &mut Vec::new(), None, &Monitor::default(), |_, _, _| {
        ControlFlow::Continue(())
    })
    .unwrap()
}

fn until_loss(model: &Model, tolerance: f64) -> (Expected, Vec<PlacementIndex>) {
    let mut decisions = Vec::new();
    let solved =
        solve::until_loss(model, tolerance, &mut Vec::new(), &mut decisions, &Monitor::default(), |_| {});
    (solved.unwrap(), decisions)
}

fn policy_within(model: &Model, stages: u64) -> Policy {
    let (expected, tables) = decisions_within(model, stages);
    Policy::new(model.clone(), Some(stages), expected, tables)
}

fn decisions_within(model: &Model, stages: u64) -> (Expected, Vec<Vec<PlacementIndex>>) {
    let (mut tables, mut room) = (Vec::new(), vec![LOST; model.decisions()]);
    let expected = solve::horizon(
        model,
        stages,
        &mut Vec::new(),
        Some(&mut room),
        &Monitor::default(),
        |_, table, _| {
            tables.push(table.to_vec());
            ControlFlow::Continue(())
        },
    );
    (expected.unwrap(), tables)
}

/// The rows of games that a policy plays.
fn rows_played(policy: &Policy, games: u64) -> Vec<f64> {
    let rows = |index| {
        let mut game = Match::new(policy, None, game_seed(1, index));
        game.play_out();
        game.rows() as f64
    };
    (0..games).map(rows).collect()
}

#[test]
fn the_published_figures() {
    let cycles = within(&model(PieceSet::tiny(), 3, 3, Chain::cycle), 99);
    assert_eq!(cycles.by_first_piece, [99.0, 99.0, 98.0]);
    let uniform = within(&model(PieceSet::tiny(), 3, 3, Chain::uniform), 99);
    for (rows, published) in uniform.by_first_piece.iter().zip([14.9, 10.1, 14.39]) {
        assert!((rows - published).abs() < 0.05, "{rows} {published}");
    }
    assert!((uniform.mean() - 13.1).abs() < 0.05);
    assert!(uniform.error_bound < 1e-10);
}

#[test]
fn classic_4x4_agrees_with_another_solver() {
    let (expected, _) = until_loss(&model(PieceSet::classic(), 4, 4, Chain::uniform), 1e-9);
    assert!((expected.mean() - 7.0669).abs() < 5e-5, "{}", expected.mean());
}

/// The rules again, as plainly as can be: a board is a set of cells.
struct Plain {
    width: i32,
    height: i32,
    pieces: Vec<Vec<Vec<(i32, i32)>>>,
    after_clearing: bool,
}

type Cells = BTreeSet<(i32, i32)>;

impl Plain {
    fn tiny(width: i32, height: i32) -> Plain {
        let pieces = vec![
            vec![
                vec![(0, 0), (1, 0), (0, 1)],
                vec![(0, 0), (1, 0), (1, 1)],
                vec![(0, 0), (0, 1), (1, 1)],
                vec![(1, 0), (0, 1), (1, 1)],
            ],
            vec![vec![(0, 0), (1, 0), (1, 1), (2, 1)], vec![(1, 0), (0, 1), (1, 1), (0, 2)]],
            vec![vec![(0, 0), (1, 0)], vec![(0, 0), (0, 1)]],
        ];
        Plain { width, height, pieces, after_clearing: true }
    }

    fn classic(width: i32, height: i32) -> Plain {
        let pieces = Piece::ALL.map(|piece| {
            let shape = |orientation| {
                let cells = piece.cells(orientation).map(|(x, y)| (i32::from(x), i32::from(y)));
                let left = cells.iter().map(|cell| cell.0).min().unwrap();
                let low = cells.iter().map(|cell| cell.1).min().unwrap();
                cells.iter().map(|(x, y)| (x - left, y - low)).collect()
            };
            piece.distinct_orientations().iter().copied().map(shape).collect()
        });
        Plain { width, height, pieces: pieces.to_vec(), after_clearing: false }
    }

    /// Every board that a piece can lead to, with the rows that it clears.
    fn moves(&self, board: &Cells, piece: usize) -> Vec<(u32, Cells)> {
        let mut moves = Vec::new();
        for shape in &self.pieces[piece] {
            for x in 0..self.width {
                let at = |y: i32| shape.iter().map(move |(dx, dy)| (x + dx, y + dy));
                if at(0).any(|(x, _)| x >= self.width) {
                    continue;
                }
                let free = |y: i32| at(y).all(|cell| cell.1 >= 0 && !board.contains(&cell));
                let mut y = self.height + 4;
                while free(y - 1) {
                    y -= 1;
                }
                let mut cells = board.clone();
                cells.extend(at(y));
                let above = |cells: &Cells| cells.iter().any(|cell| cell.1 >= self.height);
                if !self.after_clearing && above(&cells) {
                    continue;
                }
                let full = |y: &i32| (0..self.width).all(|x| cells.contains(&(x, *y)));
                let full: Vec<i32> = (0..self.height + 4).filter(full).collect();
                let lower = |y: i32| y - full.iter().filter(|row| **row < y).count() as i32;
                let left: Cells = cells
                    .iter()
                    .filter(|cell| !full.contains(&cell.1))
                    .map(|(x, y)| (*x, lower(*y)))
                    .collect();
                if !above(&left) {
                    moves.push((full.len() as u32, left));
                }
            }
        }
        moves
    }

    /// The rows to expect from a piece and those after it, by looking at everything that can happen.
    fn expect(&self, board: &Cells, piece: usize, chances: &[Vec<f64>], stages: u32) -> f64 {
        let value = |(rows, after): (u32, Cells)| {
            let next = |next: usize| match chances[piece][next] {
                chance if chance > 0.0 && stages > 1 => {
                    chance * self.expect(&after, next, chances, stages - 1)
                }
                _ => 0.0,
            };
            f64::from(rows) + (0..self.pieces.len()).map(next).sum::<f64>()
        };
        self.moves(board, piece).into_iter().map(value).fold(0.0, f64::max)
    }

    /// The rows to expect until loss with pieces drawn alike, by going over all boards until nothing changes.
    fn until_loss(&self) -> f64 {
        let count = self.pieces.len();
        let mut boards = vec![Cells::new()];
        let mut numbers = HashMap::from([(Cells::new(), 0)]);
        let mut moves: Vec<Vec<Vec<(u32, usize)>>> = Vec::new();
        while let Some(board) = boards.get(moves.len()).cloned() {
            let by_piece = (0..count).map(|piece| {
                let known = |(rows, after): (u32, Cells)| {
                    let number = *numbers.entry(after.clone()).or_insert_with(|| {
                        boards.push(after);
                        boards.len() - 1
                    });
                    (rows, number)
                };
                self.moves(&board, piece).into_iter().map(known).collect()
            });
            moves.push(by_piece.collect());
        }
        let mut values = vec![0.0; boards.len()];
        loop {
            let value = |board: &Vec<Vec<(u32, usize)>>| {
                let best = |moves: &Vec<(u32, usize)>| {
                    moves.iter().map(|(rows, after)| f64::from(*rows) + values[*after]).fold(0.0, f64::max)
                };
                board.iter().map(best).sum::<f64>() / count as f64
            };
            let next: Vec<f64> = moves.iter().map(value).collect();
            let change = next.iter().zip(&values).map(|(new, old)| (new - old).abs()).fold(0.0, f64::max);
            values = next;
            if change < 1e-13 {
                return values[0];
            }
        }
    }
}

#[test]
fn brute_force_finds_the_same() {
    let uniform = |count: usize| vec![vec![1.0 / count as f64; count]; count];
    let mixed = vec![vec![0.5, 0.5, 0.0], vec![1.0 / 3.0; 3], vec![1.0, 0.0, 0.0]];
    let mixed_text = "1/2,1/2,0\n1/3,1/3,1/3\n1,0,0";
    let small = |pieces, width, height, chain| {
        Model::new(SmallGame::new(pieces, width, height).unwrap(), chain, &Monitor::default()).unwrap()
    };
    let tiny_chain = Chain::parse(mixed_text, &PieceSet::tiny()).unwrap();
    for (model, plain, chances, most) in [
        (small(PieceSet::tiny(), 3, 3, Chain::uniform(3)), Plain::tiny(3, 3), uniform(3), 4),
        (small(PieceSet::tiny(), 3, 3, tiny_chain), Plain::tiny(3, 3), mixed, 5),
        (small(PieceSet::tiny(), 2, 3, Chain::uniform(3)), Plain::tiny(2, 3), uniform(3), 5),
        (small(PieceSet::classic(), 4, 2, Chain::uniform(7)), Plain::classic(4, 2), uniform(7), 4),
        (small(PieceSet::classic(), 3, 4, Chain::uniform(7)), Plain::classic(3, 4), uniform(7), 3),
        (small(PieceSet::classic(), 5, 3, Chain::uniform(7)), Plain::classic(5, 3), uniform(7), 3),
    ] {
        for stages in 1..=most {
            let solved = within(&model, stages.into());
            for (piece, rows) in solved.by_first_piece.iter().enumerate() {
                let brute = plain.expect(&Cells::new(), piece, &chances, stages);
                assert!((rows - brute).abs() < 1e-12, "{stages} stages, piece {piece}: {rows} {brute}");
            }
        }
    }
}

/// Boards are folded, and what was placed last matters: the chain forbids repeats, which leaves mirror images alike.
#[test]
fn folded_boards_with_several_classes_agree_with_brute_force() {
    let chances: Vec<Vec<f64>> =
        (0..7).map(|row| (0..7).map(|next| if row == next { 0.0 } else { 1.0 / 6.0 }).collect()).collect();
    let chain = Chain::new(chances.clone(), &PieceSet::classic()).unwrap();
    let game = SmallGame::new(PieceSet::classic(), 4, 3).unwrap();
    let model = Model::new(game, chain, &Monitor::default()).unwrap();
    assert!(model.boards().are_folded() && model.chain().classes() == 7);
    let plain = Plain::classic(4, 3);
    for stages in 1..=4 {
        for (piece, rows) in within(&model, stages.into()).by_first_piece.iter().enumerate() {
            let brute = plain.expect(&Cells::new(), piece, &chances, stages);
            assert!((rows - brute).abs() < 1e-12, "{stages} stages, piece {piece}: {rows} {brute}");
        }
    }
    // Until loss and within very many placements it is the same.
    let (until_loss, decisions) = until_loss(&model, 1e-9);
    assert!((until_loss.mean() - within(&model, 2_000).mean()).abs() < 1e-8);
    let followed = solve::follow_until_loss(&model, &decisions, 1e-9, &Monitor::default()).unwrap();
    assert!((until_loss.mean() - followed.mean()).abs() < 1e-8);
    // So it is in games that are played.
    let policy = Policy::new(model, None, until_loss, vec![decisions]);
    let (mean, margin) = mean_and_margin(&rows_played(&policy, 20_000));
    assert!(
        (mean - policy.expected().mean()).abs() < margin,
        "{mean} ± {margin}, {}",
        policy.expected().mean()
    );
}

/// In a cycle most boards never see most pieces, but what they would be worth is known all the same.
#[test]
fn boards_that_never_come_up_have_their_values_too() {
    let model = model(PieceSet::tiny(), 3, 3, Chain::cycle);
    let plain = Plain::tiny(3, 3);
    let cycle: Vec<Vec<f64>> = vec![vec![0.0, 1.0, 0.0], vec![0.0, 0.0, 1.0], vec![1.0, 0.0, 0.0]];
    let mut values = Vec::new();
    solve::horizon(&model, 6, &mut values, None, &Monitor::default(), |_, _, _| ControlFlow::Continue(()))
        .unwrap();
    for board in model.boards().all() {
        let cells: Cells = (0..9).filter(|at| board >> at & 1 == 1).map(|at| (at % 3, at / 3)).collect();
        for piece in 0..3 {
            let (_, value) = model.best(&values, board, piece);
            assert_eq!(value, plain.expect(&cells, piece, &cycle, 6), "{board:b} with {piece}");
        }
    }
}

#[test]
fn games_that_are_lost_at_once_or_go_on_for_long_are_solved() {
    let nothing = until_loss(&model(PieceSet::classic(), 1, 1, Chain::cycle), 1e-6);
    assert_eq!(nothing.0.mean(), 0.0);
    // Closer than numbers allow.
    let (closest, _) = until_loss(&model(PieceSet::classic(), 4, 6, Chain::uniform), 1e-30);
    assert!(closest.error_bound < 1e-10);
    let rarely = "0.495,0.01,0.495\n0.495,0.01,0.495\n0.495,0.01,0.495";
    let chain = Chain::parse(rarely, &PieceSet::tiny()).unwrap();
    let game = SmallGame::new(PieceSet::tiny(), 3, 3).unwrap();
    let model = Model::new(game, chain, &Monitor::default()).unwrap();
    let mut sweeps = 0;
    let (mut values, mut decisions) = (Vec::new(), Vec::new());
    let solved = solve::until_loss(&model, 1e-3, &mut values, &mut decisions, &Monitor::default(), |step| {
        sweeps = step.sweeps;
    });
    let rows = solved.unwrap().mean();
    assert!((19_000.0..20_000.0).contains(&rows) && sweeps < 20_000, "{rows} rows, {sweeps} sweeps");
}

#[test]
fn going_over_plain_boards_until_nothing_changes_finds_the_same() {
    for (pieces, plain) in [
        (PieceSet::tiny(), Plain::tiny(3, 3)),
        (PieceSet::tiny(), Plain::tiny(4, 3)),
        (PieceSet::classic(), Plain::classic(3, 4)),
        (PieceSet::classic(), Plain::classic(4, 4)),
        (PieceSet::classic(), Plain::classic(5, 3)),
    ] {
        let (width, height) = (plain.width as usize, plain.height as usize);
        let (expected, _) = until_loss(&model(pieces, width, height, Chain::uniform), 1e-9);
        let plain = plain.until_loss();
        assert!((expected.mean() - plain).abs() <= 1e-9, "{width}x{height}: {} {plain}", expected.mean());
    }
}

#[test]
fn error_bounds_hold() {
    let model = model(PieceSet::classic(), 4, 4, Chain::uniform);
    let (exact, _) = until_loss(&model, 1e-11);
    for tolerance in [10.0, 1.0, 1e-2, 1e-4, 1e-6] {
        let (expected, _) = until_loss(&model, tolerance);
        assert!(expected.error_bound <= tolerance);
        for (rows, exact) in expected.by_first_piece.iter().zip(&exact.by_first_piece) {
            assert!((rows - exact).abs() <= expected.error_bound, "{tolerance}: {rows} {exact}");
        }
    }
}

#[test]
fn what_is_found_does_not_depend_on_threads() {
    let solved = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| until_loss(&model(PieceSet::classic(), 5, 3, Chain::uniform), 1e-6))
    };
    assert_eq!(solved(1), solved(3));
}

#[test]
fn games_without_an_end_are_told() {
    let dominoes: PieceSet = "piece I\n##".parse().unwrap();
    for model in [model(dominoes, 4, 4, Chain::uniform), model(PieceSet::tiny(), 3, 3, Chain::cycle)] {
        let solved =
            solve::until_loss(&model, 1e-6, &mut Vec::new(), &mut Vec::new(), &Monitor::default(), |_| {});
        assert_eq!(solved, Err(NoSolution::Endless));
    }
}

#[test]
fn a_solver_that_is_stopped_goes_on_from_its_values() {
    let model = model(PieceSet::classic(), 4, 4, Chain::uniform);
    let (mut values, mut decisions) = (Vec::new(), Vec::new());
    let monitor = Monitor::default();
    let stopped = solve::until_loss(&model, 1e-9, &mut values, &mut decisions, &monitor, |step| {
        if step.sweeps > 12 {
            monitor.stop();
        }
    });
    assert!(matches!(stopped, Err(NoSolution::Stopped(_))));
    let mut bytes = Vec::new();
    file::write_values(&model, &values, &mut bytes).unwrap();
    let mut values = file::read_values(&model, &bytes[..]).unwrap();
    let mut first = None;
    let monitor = Monitor::default();
    let solved = solve::until_loss(&model, 1e-9, &mut values, &mut decisions, &monitor, |step| {
        first.get_or_insert(step.error_bound);
    });
    assert!(first.unwrap() < 1.0, "it does not start again");
    assert!((solved.unwrap().mean() - 7.066942).abs() < 1e-6);
    bytes[60] ^= 1;
    assert!(file::read_values(&model, &bytes[..]).is_err());
}

/// The mean of some numbers, and the margin of its 99 % interval.
fn mean_and_margin(numbers: &[f64]) -> (f64, f64) {
    let count = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    let variance = numbers.iter().map(|number| (number - mean).powi(2)).sum::<f64>() / (count - 1.0);
    (mean, 2.576 * (variance / count).sqrt())
}

#[test]
fn simulated_games_agree_with_the_expectation() {
    let policy = policy_within(&model(PieceSet::tiny(), 3, 3, Chain::uniform), 99);
    let (mean, margin) = mean_and_margin(&rows_played(&policy, 100_000));
    assert!((mean - policy.expected().mean()).abs() < margin, "{mean} ± {margin}");
    let cycle = policy_within(&model(PieceSet::tiny(), 3, 3, Chain::cycle), 99);
    for (first, rows) in [99, 99, 98].into_iter().enumerate() {
        let mut game = Match::new(&cycle, Some(first), 1);
        game.play_out();
        assert_eq!((game.rows(), game.placed(), game.result().is_lost()), (rows, 99, false));
    }
}

#[test]
fn a_policy_plays_the_engines_games_as_well_as_its_own() {
    let model = model(PieceSet::classic(), 4, 4, Chain::uniform);
    let (expected, decisions) = until_loss(&model, 1e-9);
    let rules = classic_rules(model.game());
    let policy = Arc::new(Policy::new(model, None, expected, vec![decisions]));
    let mut agent = PolicyAgent::new(policy.clone());
    let rows: Vec<f64> = (0..20_000)
        .map(|index| {
            let mut game = Game::new(rules.clone(), game_seed(1, index)).unwrap();
            while let Some(play) = agent.next_move(&game) {
                game.play(play).unwrap();
            }
            f64::from(game.lines())
        })
        .collect();
    let (mean, margin) = mean_and_margin(&rows);
    assert!((mean - policy.expected().mean()).abs() < margin, "{mean} ± {margin}");
}

#[test]
fn agents_are_worth_what_their_games_show() {
    let game = SmallGame::new(PieceSet::classic(), 5, 4).unwrap();
    let monitor = Monitor::default();
    for name in ["dt10", "eltetris"] {
        let entry = catalogue::find(name).unwrap();
        let (model, decisions) = ask(&game, &Chain::uniform(7), || entry.agent(0), &monitor).unwrap();
        let expected = solve::follow_until_loss(&model, &decisions, 1e-9, &monitor).unwrap();
        let AgentSpec::File(file) = &entry else { panic!("{name} has weights") };
        let weights = file.classic_weights(&Ruleset::new(Mode::Classic)).unwrap();
        let seeds: Vec<u64> = (0..40_000).map(|index| game_seed(1, index)).collect();
        let ends = play_classic(5, 4, &weights, &seeds, None);
        let (mean, margin) = mean_and_margin(&ends.iter().map(|end| end.lines as f64).collect::<Vec<_>>());
        assert!((mean - expected.mean()).abs() < margin, "{name}: {mean} ± {margin}, {}", expected.mean());

        // Ending after ten pieces, and living that long.
        let ends = play_classic(5, 4, &weights, &seeds, Some(10));
        let (mean, margin) = mean_and_margin(&ends.iter().map(|end| end.lines as f64).collect::<Vec<_>>());
        let ten = solve::follow_horizon(&model, &decisions, 10, &monitor).unwrap();
        assert!((mean - ten.mean()).abs() < margin, "{name}: {mean} ± {margin}, {}", ten.mean());
        let alive: Vec<f64> = ends.iter().map(|end| f64::from(u8::from(!end.lost()))).collect();
        let (mean, margin) = mean_and_margin(&alive);
        let survival = solve::survival(&model, &decisions, 10, &monitor).unwrap();
        let chance = survival[9].iter().sum::<f64>() / 7.0;
        assert!((mean - chance).abs() < margin, "{name}: {mean} ± {margin}, {chance}");
    }
}

#[test]
fn the_optimum_is_worth_what_was_solved() {
    let model = model(PieceSet::classic(), 5, 4, Chain::uniform);
    let (expected, decisions) = until_loss(&model, 1e-9);
    let followed = solve::follow_until_loss(&model, &decisions, 1e-9, &Monitor::default()).unwrap();
    assert!((followed.mean() - expected.mean()).abs() < 1e-8);
}

#[test]
fn policies_survive_a_file() {
    let model = model(PieceSet::classic(), 4, 3, Chain::uniform);
    let (expected, tables) = decisions_within(&model, 20);
    let mut bytes = Vec::new();
    file::write_policy(&model, Some(20), &expected, &tables, &mut bytes).unwrap();
    let policy = Policy::new(model, Some(20), expected, tables);
    let read = file::read_policy(&bytes[..], &Monitor::default()).unwrap();
    assert_eq!((read.stages(), read.expected()), (policy.stages(), policy.expected()));
    let mut random = Random::new(1);
    for _ in 0..1_000 {
        let (board, piece) = (random.below(1 << 12), random.below(7) as usize);
        for placed in [0, 10, 19] {
            assert_eq!(read.decide(board, piece, placed), policy.decide(board, piece, placed));
        }
    }
    for length in [0, 5, 14, 40, bytes.len() - 1] {
        assert!(file::read_policy(&bytes[..length], &Monitor::default()).is_err(), "cut at {length}");
    }
    for at in (0..bytes.len()).step_by(97) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 4;
        assert!(file::read_policy(&damaged[..], &Monitor::default()).is_err(), "damaged at {at}");
    }
}
