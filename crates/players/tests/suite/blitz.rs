//! The agent for Blitz.

use std::sync::Arc;
use tetrion_engine::board::Board;
use tetrion_engine::game::Game;
use tetrion_engine::location::Spin;
use tetrion_engine::piece::parse_queue;
use tetrion_engine::position::{Position, View};
use tetrion_engine::record::Outcome;
use tetrion_engine::ruleset::{Mode, Ruleset};
use tetrion_engine::scoring::Streak;
use tetrion_players::agent::Limits;
use tetrion_players::agent_file::AgentKind;
use tetrion_players::catalogue::{self, AgentSpec};
use tetrion_players::play::{PlayOptions, play_game};
use tetrion_players::{Agent, BlitzAgent};

fn rules() -> Ruleset {
    Ruleset::for_agents(Mode::Blitz)
}

/// The agent `blitz` with another number of nodes.
fn blitz(nodes: u64) -> BlitzAgent {
    let Ok(AgentSpec::File(file)) = catalogue::find("blitz") else { panic!("blitz is an agent in a file") };
    let AgentKind::Tables { weights, .. } = file.kind else { panic!("blitz is of its own kind") };
    BlitzAgent::new(&weights, nodes)
}

/// A whole game with few nodes. Far above what any other agent scores.
#[test]
fn a_fast_game_scores_by_t_spins_and_is_the_same_every_time() {
    let play = || {
        let mut game = Game::new(rules(), 7).unwrap();
        let mut spins = 0;
        let mut count = |_, record: &tetrion_engine::record::PlacementRecord, _: &Game| {
            spins += u32::from(record.placement.spin() == Spin::Full && record.lines >= 2);
        };
        let mut options = PlayOptions { observers: vec![&mut count], ..PlayOptions::default() };
        let result = play_game(&mut game, &mut blitz(5_000), &mut options).unwrap();
        (result.outcome, result.score, spins)
    };
    let (outcome, score, spins) = play();
    assert_eq!(outcome, Some(Outcome::PieceLimit));
    assert!(score > 80_000 && spins > 25, "{score} points, {spins} spins");
    assert_eq!(play(), (outcome, score, spins));
}

fn position(board: &str, queue: &str, hold: char) -> Position {
    let board: Board = board.parse().expect("a drawn board");
    let queue = parse_queue(queue).expect("letters of pieces");
    Position {
        hold: tetrion_engine::piece::Piece::from_letter(hold),
        streak: Streak { back_to_back: true, clears: 0 },
        ..Position::new(board, queue)
    }
}

#[test]
fn the_last_pieces_are_placed_for_points() {
    // Two pieces are left: the T in hold fills its slot whatever becomes of the rest.
    let placed = rules().goal.pieces.unwrap() - 2;
    let position = Position { placed, ..position("##........\n#...######\n##.#######", "OSZLJI", 'T') };
    let rules = rules();
    let mut agent = blitz(2_000);
    let explanation = agent.explain(&View { rules: &rules, position: &position }).unwrap();
    // A double back-to-back, and two drops.
    assert!((1_800.0..1_900.0).contains(&explanation.moves[0].score), "{}", explanation.moves[0].score);
}

#[test]
fn a_perfect_clear_by_a_tetris_is_taken() {
    let rows = "#########.\n".repeat(4);
    let position = position(&rows, "IOSZLJ", 'T');
    let rules = rules();
    let play = blitz(20_000).choose(&View { rules: &rules, position: &position }).unwrap();
    assert!(position.board.after(play.placement).0.is_empty());
}

/// From a game in which the beam alone misses it.
#[test]
fn a_perfect_clear_is_planned_over_all_known_pieces() {
    let position = position(".........#\n###.##...#\n#######.##", "JSOLTI", 'Z');
    let rules = rules();
    let explanation = blitz(100_000).explain(&View { rules: &rules, position: &position }).unwrap();
    let mut board = position.board;
    let line: Vec<_> =
        [explanation.moves[0].play].into_iter().chain(explanation.moves[0].line.clone()).collect();
    line.iter().for_each(|play| board = board.after(play.placement).0);
    assert!(line.len() == 6 && board.is_empty(), "{board}");
}

#[test]
fn explanations_add_up_and_their_lines_are_legal() {
    let rules = rules();
    let mut game = Game::new(rules, 5).unwrap();
    // With samples and without.
    let mut agents = [blitz(3_000), blitz(150_000)];
    for number in 0..12 {
        let agent = &mut agents[usize::from(number % 6 == 5)];
        let explanation = agent.explain(&game.view().unwrap()).unwrap();
        let best = &explanation.moves[0];
        assert_eq!(Some(best.play), agent.next_move(&game), "the move explained is the move chosen");
        assert!(explanation.moves.is_sorted_by(|a, b| a.score >= b.score));
        for considered in &explanation.moves {
            let mut after = game.clone();
            after.play(considered.play).unwrap();
            for play in &considered.line {
                after.play(*play).unwrap();
            }
            assert_eq!(
                considered.line.len(),
                game.view().unwrap().previews().len() - usize::from(game.held().is_none())
            );
        }
        game.play(best.play).unwrap();
    }
}

#[test]
fn a_stopped_search_still_moves() {
    let game = Game::new(rules(), 9).unwrap();
    let mut agent = blitz(700_000);
    agent.limit(Limits { nodes: None, stop: Some(Arc::new(|| true)) });
    let play = agent.next_move(&game).unwrap();
    assert_eq!(game.check(play), Ok(()));
}

#[test]
fn it_plays_without_hold_and_without_previews() {
    for (hold, previews) in [(false, 5), (true, 0), (false, 0), (true, 1)] {
        let rules = Ruleset { hold, previews, ..rules() };
        let mut game = Game::new(rules, 3).unwrap();
        let mut agent = blitz(2_000);
        for _ in 0..30 {
            let play = agent.next_move(&game).unwrap();
            game.play(play).unwrap();
        }
    }
}
