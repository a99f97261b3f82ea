//! The finesse agent presses few keys and copes with any view.

use tetrion_engine::board::Board;
use tetrion_engine::game::{Game, Move};
use tetrion_engine::moves::Movement;
use tetrion_engine::piece::Piece;
use tetrion_engine::position::{Position, View};
use tetrion_engine::randomizer::{Random, Randomizer};
use tetrion_engine::record::Outcome;
use tetrion_engine::ruleset::{Goal, Mode, Ruleset};
use tetrion_engine::scoring::Streak;
use tetrion_players::{Agent, FinesseAgent, catalogue};

/// Plays a Sprint. Returns the keys pressed.
fn sprint(agent: &mut dyn Agent, seed: u64) -> u32 {
    let mut game = Game::new(Ruleset::for_agents(Mode::Sprint), seed).unwrap();
    let mut keys = 0;
    while let Some(play) = agent.next_move(&game) {
        keys += game.keys(play);
        game.play(play).unwrap();
    }
    assert_eq!(game.outcome(), Some(Outcome::Clear), "seed {seed}");
    keys
}

#[test]
fn it_loses_no_game_and_takes_far_fewer_keys_than_others() {
    let mut agent = FinesseAgent::default();
    let keys: Vec<u32> = (0..50).map(|seed| sprint(&mut agent, seed)).collect();
    for (name, share) in [("capstone", 0.75), ("lee", 0.8)] {
        let mut other = catalogue::find(name).unwrap().agent(0);
        let others: u32 = (0..20).map(|seed| sprint(other.as_mut(), seed)).sum();
        let own: u32 = keys[..20].iter().sum();
        assert!(f64::from(own) < share * f64::from(others), "{own} against {others} of {name}");
    }
}

#[test]
fn the_same_view_has_the_same_answer() {
    let game = |seed| Game::new(Ruleset::for_agents(Mode::Sprint), seed).unwrap();
    let (mut first, mut used) = (game(1), FinesseAgent::default());
    used.next_move(&game(2));
    for _ in 0..30 {
        let play = used.next_move(&first).unwrap();
        assert_eq!(FinesseAgent::default().next_move(&first), Some(play));
        let explained = used.explain(&first.view().unwrap()).unwrap();
        assert_eq!(explained.moves[0].play, play);
        assert!(explained.moves.windows(2).all(|pair| pair[0].score >= pair[1].score));
        first.play(play).unwrap();
    }
}

#[test]
fn a_finish_in_sight_is_taken_in_the_fewest_keys() {
    // One line is missing. The first I clears it where it spawns, with the hard drop alone.
    let goal = Goal { lines: Some(1), ..Goal::default() };
    let randomizer = Randomizer::Fixed(vec![Piece::I, Piece::T, Piece::O, Piece::J]);
    let rules = Ruleset { goal, randomizer, ..Ruleset::for_agents(Mode::Sprint) };
    let board: Board = "###....###".parse().unwrap();
    let game = Game::new(rules, 0).unwrap().with_board(board);
    let play = FinesseAgent::default().next_move(&game).unwrap();
    assert_eq!(game.keys(play), 1, "{play:?}");
    assert_eq!(game.clone().play(play).unwrap().outcome, Some(Outcome::Clear));
}

#[test]
fn it_plays_every_kind_of_game_legally() {
    let sprint = Ruleset::for_agents(Mode::Sprint);
    let short = |rules: Ruleset| Ruleset { goal: Goal { pieces: Some(30), ..rules.goal }, ..rules };
    let kinds = [
        Ruleset { width: 4, ..sprint.clone() },
        Ruleset { width: 3, previews: 0, ..sprint.clone() },
        Ruleset { width: 16, ..sprint.clone() },
        Ruleset { visible_height: 6, ..sprint.clone() },
        Ruleset { previews: 0, ..sprint.clone() },
        Ruleset { previews: 20, ..sprint.clone() },
        Ruleset { hold: false, ..sprint.clone() },
        Ruleset { hold: false, previews: 0, randomizer: Randomizer::Uniform, ..sprint.clone() },
        Ruleset { half_turns: true, ..sprint.clone() },
        Ruleset { movement: Movement::HardDrop, ..sprint.clone() },
        Ruleset { goal: Goal { lines: Some(u32::MAX), ..Goal::default() }, ..sprint.clone() },
        Ruleset::for_agents(Mode::Blitz),
        Ruleset::for_agents(Mode::Practice),
        Ruleset::for_agents(Mode::Classic),
    ];
    for rules in kinds.map(short) {
        let mut game = Game::new(rules, 7).unwrap();
        let mut agent = FinesseAgent::default();
        while let Some(play) = agent.next_move(&game) {
            agent.explain(&game.view().unwrap()).unwrap();
            game.play(play).unwrap();
        }
        assert!(game.outcome().is_some());
    }
}

#[test]
fn no_stack_and_no_hold_upsets_it() {
    let mut random = Random::new(3);
    let mut agent = FinesseAgent::default();
    for seed in 0..60 {
        let start = Game::new(Ruleset::for_agents(Mode::Sprint), seed).unwrap();
        let mut board = *start.board();
        for y in 0..random.below(20) as usize {
            let gap = random.below(10) as usize;
            for x in (0..10).filter(|x| *x != gap) {
                board.set(x, y, random.below(100) < 80);
            }
        }
        let mut game = start.with_board(board);
        let Some(seen) = game.view() else { continue };
        let seen_now = seen.position;
        let alone = Position { queue: vec![seen.current()], ..seen_now.clone() };
        let none = Position { hold_used: true, ..alone.clone() };
        let held = Position { hold: Some(Piece::T), streak: Streak::default(), ..alone };
        let last = Position { lines: 39, ..seen_now.clone() };
        for position in [none, held, last, Position { lines: 1_000, ..seen_now.clone() }] {
            let view = View { rules: seen.rules, position: &position };
            let Move { hold, placement } = agent.choose(&view).unwrap();
            let piece = if hold { view.piece_after_hold().unwrap() } else { view.current() };
            assert_eq!(placement.piece(), piece);
            assert!(view.placements(piece).contains(placement), "{placement} on {:?}", &view.board);
        }
        for _ in 0..5 {
            let Some(play) = agent.next_move(&game) else { break };
            game.play(play).unwrap();
        }
    }
}
