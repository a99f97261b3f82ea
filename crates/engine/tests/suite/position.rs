//! Positions: they can be stored, read back and continued.

use tetrion_engine::board::Board;
use tetrion_engine::game::{Game, Move};
use tetrion_engine::opening::OpeningError;
use tetrion_engine::piece::Piece;
use tetrion_engine::position::Position;
use tetrion_engine::randomizer::{Bag, Random, Randomizer};
use tetrion_engine::record::Outcome;
use tetrion_engine::replay::Replay;
use tetrion_engine::ruleset::{Goal, Mode, Ruleset, RulesetError};
use tetrion_engine::scoring::Streak;

/// A game after some random moves, including holds.
fn game_in_the_middle(rules: Ruleset, seed: u64, moves: usize) -> Game {
    let mut game = Game::new(rules, seed).unwrap();
    let mut random = Random::new(seed);
    for number in 0..moves {
        let held = game.view().and_then(|view| view.piece_after_hold()).filter(|_| number % 3 == 1);
        let placements = game.placements(held.unwrap_or(game.current()));
        let lowest = (0..10).filter_map(|_| placements.nth(random.below(placements.len() as u64) as usize));
        let placement = lowest.min_by_key(|placement| placement.location().y).unwrap();
        game.play(Move { hold: held.is_some(), placement }).unwrap();
    }
    game
}

#[test]
fn a_position_reads_back_as_it_was_written() {
    let game = game_in_the_middle(Ruleset::new(Mode::Sprint), 4, 9);
    let text = serde_json::to_string(game.position()).unwrap();
    assert_eq!(serde_json::from_str::<Position>(&text).unwrap(), *game.position());
}

#[test]
fn a_game_from_a_position_looks_the_same_and_goes_on_by_the_same_bag() {
    let rules = Ruleset::new(Mode::Sprint);
    for moves in 0..12 {
        let game = game_in_the_middle(rules.clone(), 7, moves);
        let from_there = Game::from_position(rules.clone(), game.position(), 1).unwrap();
        assert_eq!(from_there.position(), game.position());
        assert_eq!(from_there.state_hash(), game.state_hash());
        let bag = game.position().bag.unwrap();
        let next: Vec<Piece> =
            from_there.pieces_to_come().skip(game.position().queue.len()).take(bag.len()).collect();
        assert_eq!(Bag::from_iter(next), bag, "after {moves} moves");
    }
}

#[test]
fn what_was_counted_before_counts_towards_the_goal() {
    let rules = Ruleset { goal: Goal { pieces: Some(10), ..Goal::default() }, ..Ruleset::new(Mode::Blitz) };
    let mut position = Position::new(Board::guideline(), vec![Piece::O]);
    position.placed = 9;
    position.score = 500;
    position.streak = Streak { back_to_back: true, clears: 0 };
    let mut game = Game::from_position(rules, &position, 1).unwrap();
    assert_eq!(game.view().unwrap().pieces_left(), Some(1));
    assert_eq!(game.previews().len(), 5, "the queue is filled up");
    let placement = game.placements(Piece::O).iter().next().unwrap();
    game.play(Move { hold: false, placement }).unwrap();
    assert_eq!((game.outcome(), game.placed(), game.score()), (Some(Outcome::PieceLimit), 10, 500 + 38));
    assert!(game.streak().back_to_back);
}

#[test]
fn a_replay_of_a_game_from_a_position_verifies() {
    let before = game_in_the_middle(Ruleset::new(Mode::Sprint), 3, 6);
    let mut game = Game::from_position(Ruleset::new(Mode::Sprint), before.position(), 5).unwrap();
    let placement = game.placements(game.current()).iter().next().unwrap();
    let play = Move { hold: false, placement };
    game.play(play).unwrap();
    let replay = Replay::of_moves(&game, 5, "me", vec![play]);
    let read = Replay::from_bytes(&replay.to_bytes()).unwrap();
    assert_eq!(read.play(|_| ()).unwrap().game.position(), game.position());
}

#[test]
fn impossible_positions_are_refused_with_the_reason() {
    let rules = Ruleset::new(Mode::Sprint);
    let position = Position::new(Board::new(8, 40).unwrap(), vec![Piece::O]);
    let wrong =
        |rules: &Ruleset, position: &Position| Game::from_position(rules.clone(), position, 1).unwrap_err();
    assert_eq!(wrong(&rules, &position), RulesetError::BoardSize { found: (8, 40), expected: (10, 40) });
    let position = Position::new(Board::guideline(), vec![Piece::O]);
    let held = Position { hold: Some(Piece::T), ..position.clone() };
    assert_eq!(wrong(&Ruleset { hold: false, ..rules.clone() }, &held), OpeningError::Hold.into());
    let bag = Position { bag: Some(Bag::FULL), ..position.clone() };
    let uniform = Ruleset { randomizer: Randomizer::Uniform, ..rules.clone() };
    assert_eq!(wrong(&uniform, &bag), OpeningError::Bag.into());
    let counts = Position { placed: u32::MAX, ..position };
    assert_eq!(wrong(&rules, &counts), OpeningError::Counts.into());
    let no_bag = r#"{"board":{"width":10,"height":40,"rows":[]},"queue":["T"],"bag":"TX"}"#;
    assert!(serde_json::from_str::<Position>(no_bag).unwrap_err().to_string().contains("'X'"));
}
