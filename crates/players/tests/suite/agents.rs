//! Agents make legal moves, and searches find the best ones.

use std::sync::Arc;
use tetrion_engine::board::Board;
use tetrion_engine::game::{Game, Move};
use tetrion_engine::moves::Movement;
use tetrion_engine::opening::Opening;
use tetrion_engine::piece::Piece;
use tetrion_engine::randomizer::{Random, Randomizer};
use tetrion_engine::record::Outcome;
use tetrion_engine::ruleset::{Mode, Ruleset};
use tetrion_players::afterstate::{Afterstate, Judged, PlacementContext};
use tetrion_players::agent::{Agent, Limits};
use tetrion_players::agent_file::{AgentFile, AgentKind, TableGame};
use tetrion_players::blitz::{Aspect, Weights};
use tetrion_players::catalogue;
use tetrion_players::evaluator::{Evaluator, Linear, Term};
use tetrion_players::features::Feature;
use tetrion_players::play::Decision;
use tetrion_players::search::{Reach, SearchPlan, Searcher};

fn lee() -> Linear {
    let weights = [
        (Feature::AggregateHeight, -0.510066),
        (Feature::CompleteLines, 0.760666),
        (Feature::Holes, -0.35663),
        (Feature::Bumpiness, -0.184483),
    ];
    Linear::new(weights, Judged::AfterClearing)
}

/// A game with a rough stack that is not lost yet.
fn rough_game(random: &mut Random, mode: Mode, seed: u64) -> Game {
    let mut rules = Ruleset::for_agents(mode);
    if mode != Mode::Classic && random.below(3) == 0 {
        rules.movement = Movement::HardDrop;
    }
    let game = Game::new(rules, seed).unwrap();
    let mut board = *game.board();
    let visible = u64::from(game.rules().visible_height);
    for y in 0..random.below(visible) as usize {
        let gap = random.below(10) as usize;
        for x in (0..10).filter(|x| *x != gap) {
            board.set(x, y, random.below(100) < 70);
        }
    }
    game.with_board(board)
}

#[test]
fn no_agent_makes_an_illegal_move_on_any_board() {
    let mut random = Random::new(1);
    for seed in 0..150 {
        for mode in [Mode::Sprint, Mode::Blitz, Mode::Classic] {
            for entry in catalogue::all() {
                let mut game = rough_game(&mut random, mode, seed);
                let mut agent = entry.agent(seed);
                agent.limit(Limits { nodes: Some(5_000), stop: None });
                for _ in 0..4 {
                    let Some(play) = agent.next_move(&game) else { break };
                    let played = game.play(play);
                    assert!(
                        played.is_ok(),
                        "{} in {mode}: {play:?} {played:?} on {:?}",
                        entry.name(),
                        game.board()
                    );
                }
            }
        }
    }
}

#[test]
fn an_agent_has_no_move_when_the_game_is_over() {
    let rules = Ruleset {
        goal: tetrion_engine::ruleset::Goal { pieces: Some(1), ..Default::default() },
        ..Ruleset::new(Mode::Sprint)
    };
    for entry in catalogue::all() {
        let mut game = Game::new(rules.clone(), 1).unwrap();
        let mut agent = entry.agent(1);
        game.play(agent.next_move(&game).unwrap()).unwrap();
        assert_eq!(game.outcome(), Some(Outcome::PieceLimit));
        assert_eq!(agent.next_move(&game), None, "{}", entry.name());
        assert_eq!(Decision::explain(agent.as_mut(), &game), None);
    }
}

/// The best score over all lines of `plies` placements, by plain recursion without hold.
fn best_by_hand(board: &Board, pieces: &[Piece], carried: f64, rules: &Ruleset, evaluator: &Linear) -> f64 {
    let mut best = f64::NEG_INFINITY;
    for placement in Reach::Hard.placements(board, pieces[0], rules).iter() {
        let Some(after) =
            Afterstate::new(PlacementContext::board(board), placement, evaluator.judged(), rules)
        else {
            continue;
        };
        let score = match &pieces[1..] {
            [] => evaluator.score(&after, carried),
            rest => best_by_hand(&after.board, rest, carried + evaluator.carry(&after), rules, evaluator),
        };
        best = best.max(score);
    }
    best
}

#[test]
fn a_lookahead_finds_the_best_line() {
    let mut random = Random::new(2);
    for seed in 0..12 {
        let game = rough_game(&mut random, Mode::Sprint, seed);
        if game.outcome().is_some() {
            continue;
        }
        let pieces: Vec<Piece> =
            [game.current()].into_iter().chain(game.previews().iter().copied()).collect();
        for plies in 1..=3 {
            let expected = best_by_hand(game.board(), &pieces[..plies], 0.0, game.rules(), &lee());
            let mut agent = Searcher::new(lee(), SearchPlan::Lookahead { plies }, Reach::Hard, false);
            let best = agent.explain(&game.view().unwrap()).unwrap().moves.remove(0);
            assert_eq!(best.score, expected, "{plies} plies");
            assert_eq!(best.line.len(), plies - 1);
            assert_eq!(agent.next_move(&game), Some(best.play));
        }
    }
}

#[test]
fn a_wide_beam_finds_what_a_lookahead_finds() {
    let mut random = Random::new(3);
    for seed in 0..6 {
        // With a piece in hold every line has three placements.
        let opening = Opening { hold: Some(Piece::I), ..Opening::default() };
        let rules = Ruleset { previews: 2, opening, ..Ruleset::for_agents(Mode::Sprint) };
        let board = *rough_game(&mut random, Mode::Sprint, seed).board();
        let game = Game::new(rules, seed).unwrap().with_board(board);
        if game.outcome().is_some() {
            continue;
        }
        // With the second weights, lines that differ only in their order lead to the same board with different sums of
        // landing heights. Only the better may stay.
        let by_order =
            [(Feature::LandingHeight, -5.0), (Feature::ErodedPieceCells, 3.0), (Feature::Holes, -1.0)];
        for evaluator in [lee(), Linear::new(by_order, Judged::AfterClearing)] {
            let best = |plan| {
                let mut agent = Searcher::new(evaluator.clone(), plan, Reach::Hard, true);
                agent.explain(&game.view().unwrap()).unwrap().moves.remove(0).score
            };
            let (wide, every) =
                (best(SearchPlan::Beam { width: usize::MAX }), best(SearchPlan::Lookahead { plies: 3 }));
            // Different lines to the same board may round differently.
            assert!((wide - every).abs() < 1e-9, "{wide} {every}");
        }
    }
}

#[test]
fn the_expected_line_of_a_beam_can_be_played() {
    let mut random = Random::new(4);
    for seed in 0..20 {
        let mut game = rough_game(&mut random, Mode::Sprint, seed);
        let mut agent = Searcher::new(lee(), SearchPlan::Beam { width: 20 }, Reach::Full, true);
        let Some(explanation) = game.view().and_then(|view| agent.explain(&view)) else { continue };
        let Some(best) = explanation.moves.first() else { continue };
        for play in [best.play].iter().chain(&best.line) {
            game.play(*play).unwrap();
        }
    }
}

#[test]
fn hold_brings_the_better_piece() {
    // Only one column is open, and the next piece is the I that fills it.
    let rules = Ruleset {
        randomizer: Randomizer::Fixed(vec![Piece::O, Piece::I, Piece::S, Piece::Z, Piece::T, Piece::L]),
        ..Ruleset::for_agents(Mode::Sprint)
    };
    let mut board = Board::guideline();
    for y in 0..4 {
        (0..9).for_each(|x| board.set(x, y, true));
    }
    let game = Game::new(rules, 0).unwrap().with_board(board);
    let choose = |hold| {
        Searcher::new(lee(), SearchPlan::Lookahead { plies: 1 }, Reach::Hard, hold).next_move(&game).unwrap()
    };
    assert_eq!((choose(true).hold, choose(true).placement.piece()), (true, Piece::I));
    assert_eq!((choose(false).hold, choose(false).placement.piece()), (false, Piece::O));
}

/// The average over all next pieces of the best second placement, by plain recursion.
fn chance_by_hand(game: &Game, play: Move, evaluator: &Linear) -> f64 {
    let rules = game.rules();
    let after =
        Afterstate::new(PlacementContext::board(game.board()), play.placement, evaluator.judged(), rules)
            .unwrap();
    let carried = evaluator.carry(&after);
    let best = |piece| best_by_hand(&after.board, &[piece], carried, rules, evaluator);
    Piece::ALL.into_iter().map(best).sum::<f64>() / 7.0
}

#[test]
fn expectimax_averages_over_the_unseen_piece() {
    for seed in 0..5 {
        let game = Game::new(Ruleset::for_agents(Mode::Classic), seed).unwrap();
        let plan = SearchPlan::Expectimax { plies: 1, roots: usize::MAX };
        let explanation =
            Searcher::new(lee(), plan, Reach::Hard, false).explain(&game.view().unwrap()).unwrap();
        assert_eq!(explanation.moves.len(), game.placements(game.current()).len());
        for candidate in explanation.moves {
            let expected = chance_by_hand(&game, candidate.play, &lee());
            assert!((candidate.score - expected).abs() < 1e-9, "{} {expected}", candidate.score);
        }
    }
}

#[test]
fn expectimax_looks_closely_at_the_best_few_only() {
    let game = Game::new(Ruleset::for_agents(Mode::Classic), 1).unwrap();
    let explain =
        |plan| Searcher::new(lee(), plan, Reach::Hard, false).explain(&game.view().unwrap()).unwrap().moves;
    let greedy = explain(SearchPlan::Lookahead { plies: 1 });
    let close = explain(SearchPlan::Expectimax { plies: 1, roots: 3 });
    assert_eq!(close.len(), 3);
    for candidate in &close {
        assert!(greedy[..3].iter().any(|best| best.play == candidate.play));
    }
}

#[test]
fn with_one_ply_the_parts_add_up_to_the_score() {
    let game = Game::new(Ruleset::for_agents(Mode::Sprint), 7).unwrap();
    for name in ["capstone", "lee1", "cs4701", "bcts", "dt20"] {
        let explanation = catalogue::find(name).unwrap().agent(0).explain(&game.view().unwrap()).unwrap();
        assert!(explanation.moves.is_sorted_by(|a, b| a.score >= b.score));
        for candidate in explanation.moves {
            let sum: f64 = candidate.terms.iter().map(Term::contribution).sum();
            assert!((sum - candidate.score).abs() < 1e-9, "{name}");
        }
    }
}

#[test]
fn every_explanation_adds_up_and_says_what_it_counts() {
    for entry in catalogue::all() {
        let mut agent = entry.agent(0);
        if !agent.abilities().explains {
            continue;
        }
        agent.limit(Limits { nodes: Some(2_000), stop: None });
        let mode = agent.abilities().modes[0];
        let mut game = Game::new(Ruleset::for_agents(mode), 3).unwrap();
        for _ in 0..12 {
            let Some(explanation) = agent.explain(&game.view().unwrap()) else { break };
            for candidate in &explanation.moves {
                let sum: f64 = candidate.terms.iter().map(Term::contribution).sum();
                assert!((sum + candidate.rest() - candidate.score).abs() < 1e-6, "{}", entry.name());
                for Term { label, brief, cells, .. } in &candidate.terms {
                    assert!(!brief.is_empty(), "{}: {label}", entry.name());
                    let inside = |&(x, y): &(i32, i32)| (0..10).contains(&x) && (0..40).contains(&y);
                    assert!(cells.iter().all(inside), "{}: {label} {cells:?}", entry.name());
                }
            }
            game.play(explanation.moves[0].play).unwrap();
        }
    }
}

#[test]
fn a_budget_in_nodes_always_gives_the_same_move_and_never_none() {
    let mut random = Random::new(5);
    for seed in 0..10 {
        let game = rough_game(&mut random, Mode::Sprint, seed);
        for plan in [
            SearchPlan::Lookahead { plies: 3 },
            SearchPlan::Beam { width: 50 },
            SearchPlan::Expectimax { plies: 1, roots: 5 },
        ] {
            for nodes in [1, 10, 100, 1_000, 10_000] {
                let choose = || {
                    let mut agent = Searcher::new(lee(), plan, Reach::Hard, true);
                    agent.limit(Limits { nodes: Some(nodes), stop: None });
                    agent.next_move(&game)
                };
                assert_eq!(choose(), choose());
                assert_eq!(choose().is_some(), game.outcome().is_none(), "{plan:?} with {nodes} nodes");
            }
        }
    }
}

#[test]
fn a_search_that_is_out_of_time_still_moves() {
    let game = Game::new(Ruleset::for_agents(Mode::Sprint), 7).unwrap();
    for plan in [SearchPlan::Lookahead { plies: 4 }, SearchPlan::Beam { width: 1_000 }] {
        let mut agent = Searcher::new(lee(), plan, Reach::Full, true);
        agent.limit(Limits { nodes: None, stop: Some(Arc::new(|| true)) });
        assert!(agent.next_move(&game).is_some());
    }
}

#[test]
fn slides_reach_under_an_overhang_and_drops_do_not() {
    // Only a slide to the left fills the gap at the floor.
    let board: Board = "##........\n..........".parse().unwrap();
    let rules = Ruleset::for_agents(Mode::Sprint);
    let under = |reach: Reach| {
        reach.placements(&board, Piece::O, &rules).iter().any(|placement| {
            let low = placement.location().y;
            low == 0 && placement.left_column() < 2
        })
    };
    assert!(!under(Reach::Hard));
    // The O is two rows high and the gap one: it fits under the overhang in neither case.
    assert!(!under(Reach::Slide));
    let flat = |reach: Reach| {
        let placements = reach.placements(&board, Piece::I, &rules);
        placements
            .iter()
            .filter(|placement| placement.location().y == 0 && placement.left_column() < 2)
            .count()
    };
    assert_eq!(flat(Reach::Hard), 0);
    assert!(flat(Reach::Slide) > 0);
}

#[test]
fn every_slide_is_a_placement_of_full_movement() {
    let mut random = Random::new(6);
    for seed in 0..300 {
        let game = rough_game(&mut random, Mode::Sprint, seed);
        for piece in Piece::ALL {
            let full = Reach::Full.placements(game.board(), piece, game.rules());
            for placement in Reach::Slide.placements(game.board(), piece, game.rules()).iter() {
                assert!(full.contains(placement), "{placement} on {:?}", game.board());
            }
        }
    }
}

#[test]
fn agent_files_read_back_as_they_were_written() {
    for entry in catalogue::all() {
        if let catalogue::AgentSpec::File(file) = entry {
            assert_eq!(AgentFile::parse(&file.to_text(), "").as_ref(), Ok(file.as_ref()));
        }
    }
    let beam =
        AgentFile::parse("version = 1\n[weights]\nholes = -1\n[search]\nbeam = 7\nnodes = 9", "b").unwrap();
    assert!(matches!(
        beam.kind,
        AgentKind::Features { plan: SearchPlan::Beam { width: 7 }, nodes: Some(9), .. }
    ));
    assert_eq!(AgentFile::parse(&beam.to_text(), ""), Ok(beam));
}

#[test]
fn a_wrong_agent_file_is_refused_with_its_line_and_the_fix() {
    let refused = |text: &str| {
        let error = AgentFile::parse(text, "x").unwrap_err();
        (error.line, error.reason)
    };
    let (line, reason) = refused("version = 1\n[weights]\nholes = -1\nhoels = -1\n");
    assert_eq!(line, 4);
    assert!(reason.contains("no feature 'hoels'") && reason.contains("holes"), "{reason}");
    let (line, reason) = refused("version = 1\n[weights]\nholes = nan\n");
    assert_eq!(line, 3);
    assert!(reason.contains("give a number"), "{reason}");
    assert_eq!(refused("version = 1\n[weights]\nholes = inf\n").0, 3);
    let (line, reason) = refused("version = 7\n[weights]\nholes = -1\n");
    assert_eq!(line, 1);
    assert!(reason.contains("version 7") && reason.contains("reads version 1"), "{reason}");
    let (line, reason) = refused("version = 1\n[weights]\n");
    assert!(line >= 2 && reason.contains("at least one feature"), "{line} {reason}");
    assert_eq!(refused("version = 1\n[weights]\nholes = \n").0, 3);
    assert!(refused("version = 1\n").1.contains("weights"));
    assert!(refused("[weights]\nholes = -1\n").1.contains("version"));
    assert_eq!(refused("version = 1\n[weights]\nholes = -1\n[search]\nplies = 0\n").0, 5);
    assert_eq!(refused("version = 1\n[weights]\nholes = -1\n[search]\nplies = 99\n").0, 5);
    assert!(
        refused("version = 1\njudged = \"never\"\n[weights]\nholes = -1\n").1.contains("before_clearing")
    );
    assert!(refused("version = 1\ncolour = 3\n[weights]\nholes = -1\n").1.contains("colour"));
    let (line, reason) = refused("version = 1\n[weights]\nholes = -1\n[search]\nbeam = 5\nexpectimax = 2\n");
    assert_eq!(line, 5);
    assert!(reason.contains("leave one out"), "{reason}");
    assert_eq!(refused("version = 1\n[weights]\nholes = -1\n[search]\nbeam = 5\nplies = 2\n").0, 5);
    assert_eq!(refused("version = 1\n[weights]\nholes = -1\n[search]\nbeam = 900000\n").0, 5);
    assert_eq!(refused("version = 1\n[weights]\nholes = -1\n[search]\nnodes = 0\n").0, 5);
    assert_eq!(refused("version = 1\n[weights]\nholes = -1e300\n").0, 3);
    for name in ["../evil", "/tmp/evil", "a b", "", "a\\u001bb"] {
        let (line, reason) = refused(&format!("version = 1\nname = \"{name}\"\n[weights]\nholes = -1\n"));
        assert_eq!(line, 2);
        assert!(reason.contains("letters"), "{name}: {reason}");
    }
}

#[test]
fn a_file_of_an_agent_for_blitz_has_the_weights_of_its_aspects() {
    let text = "version = 1\nkind = \"blitz\"\n[weights]\nslot = 240\nholes = -7.0\n[search]\nnodes = 50";
    let file = AgentFile::parse(text, "mine").unwrap();
    let weights = Weights::new([(Aspect::Holes, -7), (Aspect::Slot, 240)]);
    assert_eq!(file.kind, AgentKind::Tables { game: TableGame::Blitz, weights, nodes: 50 });
    // What is written names every aspect, and leaves no doubt about those that were left out.
    let written = file.to_text();
    assert!(Aspect::ALL.iter().all(|aspect| written.contains(&format!("\n{aspect} = "))), "{written}");
    assert!(written.contains("\nholes = -7\n"), "{written}");
    assert_eq!(AgentFile::parse(&written, ""), Ok(file));
}

#[test]
fn a_wrong_file_of_an_agent_for_blitz_is_refused_with_its_line_and_the_fix() {
    let refused = |rest: &str| {
        let error = AgentFile::parse(&format!("version = 1\nkind = \"blitz\"\n{rest}"), "x").unwrap_err();
        (error.line, error.reason)
    };
    let (line, reason) = refused("[weights]\nslot = 1\nhoels = 1\n[search]\nnodes = 9");
    assert_eq!(line, 5);
    assert!(reason.contains("no aspect 'hoels'") && reason.contains("holes, "), "{reason}");
    for weight in ["0.5", "1001", "-1001", "nan", "inf", "1e300"] {
        let (line, reason) = refused(&format!("[search]\nnodes = 9\n[weights]\nslot = {weight}\n"));
        assert_eq!(line, 6);
        assert!(reason.contains("slot is") && reason.contains("whole number from -1000"), "{reason}");
    }
    let (line, reason) = refused("[weights]\nslot = 1\n[search]\nplies = 2");
    assert_eq!(line, 6);
    assert!(reason.contains("plies") && reason.contains("nodes"), "{reason}");
    let (line, reason) = refused("[weights]\nslot = 1\n[search]\n");
    assert!(line == 5 && reason.contains("nodes"), "{line} {reason}");
    let (line, reason) = refused("[weights]\nslot = 1");
    assert_eq!(line, 1);
    assert!(reason.contains("nodes = 36000"), "{reason}");
    assert_eq!(refused("[weights]\nslot = 1\n[search]\nnodes = 0").0, 6);
    assert_eq!(refused("judged = \"after_clearing\"\n[weights]\nslot = 1\n[search]\nnodes = 9").0, 3);
    assert!(refused("[weights]\n[search]\nnodes = 9").1.contains("at least one aspect"));
    let error = AgentFile::parse("version = 1\nkind = \"tspin\"\n[weights]\nholes = 1", "x").unwrap_err();
    assert_eq!(error.line, 2);
    assert!(error.reason.contains("`features`") && error.reason.contains("`blitz`"), "{error}");
}

#[test]
fn the_scale_of_the_weights_does_not_change_what_expectimax_chooses() {
    let scaled = |scale: f64| {
        let weights =
            lee().weights().iter().map(|(feature, weight)| (*feature, weight * scale)).collect::<Vec<_>>();
        Searcher::new(
            Linear::new(weights, Judged::AfterClearing),
            SearchPlan::Expectimax { plies: 1, roots: 5 },
            Reach::Hard,
            false,
        )
    };
    for seed in 0..5 {
        // A low board, so that losses matter. Scaling by a power of two does not round.
        let rules = Ruleset { visible_height: 5, ..Ruleset::for_agents(Mode::Classic) };
        let mut game = Game::new(rules, seed).unwrap();
        let (mut small, mut large) = (scaled(1.0), scaled(2f64.powi(40)));
        for _ in 0..60 {
            let Some(play) = small.next_move(&game) else { break };
            assert_eq!(large.next_move(&game), Some(play));
            game.play(play).unwrap();
        }
    }
}
