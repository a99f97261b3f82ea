//! The Sprint agent clears 40 lines in 100 pieces and copes with other games.

use tetrion_engine::board::Board;
use tetrion_engine::game::Game;
use tetrion_engine::moves::Movement;
use tetrion_engine::piece::{Piece, parse_queue};
use tetrion_engine::position::{Position, View};
use tetrion_engine::randomizer::{Randomizer, game_seed};
use tetrion_engine::replay::Replay;
use tetrion_engine::ruleset::{Mode, Ruleset};
use tetrion_players::Agent;
use tetrion_players::sprint::{SprintAgent, Strength};

fn sprint(movement: Movement) -> Ruleset {
    Ruleset { movement, ..Ruleset::for_agents(Mode::Sprint) }
}

/// Plays a game. The engine rejects illegal moves.
fn play(agent: &mut SprintAgent, rules: &Ruleset, seed: u64) -> Game {
    let mut game = Game::new(rules.clone(), seed).unwrap();
    let mut moves = Vec::new();
    while let Some(play) = agent.next_move(&game) {
        game.play(play).unwrap();
        moves.push(play);
    }
    // Its replay is the same game.
    let replay = Replay::of_moves(&game, seed, "sprint", moves);
    let again = Replay::from_bytes(&replay.to_bytes()).unwrap().play(|_| {}).unwrap();
    assert_eq!(again.game.state_hash(), game.state_hash());
    game
}

#[test]
fn nearly_every_game_takes_one_hundred_pieces() {
    for movement in [Movement::HardDrop, Movement::Full] {
        let mut agent = SprintAgent::new(Strength::FAST);
        let games = (0..8).map(|index| play(&mut agent, &sprint(movement), game_seed(11, index)));
        let pieces: Vec<u32> = games.map(|game| game.placed()).collect();
        assert!(pieces.iter().all(|pieces| (100..=101).contains(pieces)), "{pieces:?}");
        assert!(pieces.iter().filter(|pieces| **pieces == 100).count() >= 6, "{pieces:?}");
    }
}

#[test]
fn what_it_has_learned_from_other_games_changes_nothing() {
    let rules = sprint(Movement::HardDrop);
    let mut used = SprintAgent::new(Strength::FAST);
    play(&mut used, &rules, 1);
    let (again, anew) = (play(&mut used, &rules, 2), play(&mut SprintAgent::new(Strength::FAST), &rules, 2));
    assert_eq!(again.state_hash(), anew.state_hash());
}

#[test]
fn other_games_are_played_too() {
    let mut agent = SprintAgent::new(Strength::FAST);
    let short = |rules: Ruleset| Ruleset {
        goal: tetrion_engine::ruleset::Goal { pieces: Some(30), ..rules.goal },
        ..rules
    };
    let hard = sprint(Movement::HardDrop);
    for rules in [
        short(Ruleset::for_agents(Mode::Practice)),
        short(Ruleset::for_agents(Mode::Blitz)),
        short(Ruleset::for_agents(Mode::Classic)),
        short(Ruleset { width: 8, ..hard.clone() }),
        short(Ruleset { hold: false, ..hard.clone() }),
        short(Ruleset { previews: 0, ..hard.clone() }),
        short(Ruleset { previews: 1, ..hard.clone() }),
        Ruleset { randomizer: Randomizer::Uniform, ..hard.clone() },
        Ruleset { goal: tetrion_engine::ruleset::Goal { lines: Some(3), ..hard.goal }, ..hard.clone() },
        Ruleset { goal: tetrion_engine::ruleset::Goal { lines: Some(4), ..hard.goal }, ..hard.clone() },
    ] {
        let mut game = Game::new(rules, 5).unwrap();
        while let Some(play) = agent.next_move(&game) {
            game.play(play).unwrap();
        }
        assert!(game.placed() > 5, "{:?}", game.rules());
    }
}

#[test]
fn it_may_be_asked_in_the_middle_of_any_game() {
    let mut agent = SprintAgent::new(Strength::FAST);
    let rules = sprint(Movement::Full);
    let mut board = Board::guideline();
    for y in 0..12 {
        (1..10).for_each(|x| board.set(x, y, true));
    }
    for lines in [0, 25, 39] {
        for (hold, can_hold) in [(None, true), (Some(Piece::S), true), (Some(Piece::S), false)] {
            for board in [board, Board::guideline()] {
                let queue = parse_queue("TIOLJZ").unwrap();
                let position = Position { hold, hold_used: !can_hold, lines, ..Position::new(board, queue) };
                let view = View { rules: &rules, position: &position };
                let play = agent.choose(&view).unwrap();
                assert!(can_hold || !play.hold);
            }
        }
    }
}
