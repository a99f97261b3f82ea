//! Move generation and playing a placement allocate nothing.

mod counting;

use counting::allocations;
use tetrion_engine::game::{Game, Move};
use tetrion_engine::moves::Movement;
use tetrion_engine::randomizer::Random;
use tetrion_engine::ruleset::{Mode, Ruleset};

#[test]
fn generating_and_playing_moves_allocates_nothing() {
    let mut played = 0;
    for mode in [Mode::Practice, Mode::Classic] {
        for movement in [Movement::Full, Movement::HardDrop] {
            let mut rules = Ruleset::for_agents(mode);
            if mode != Mode::Classic {
                rules.movement = movement;
            }
            let mut random = Random::new(1);
            for seed in 0..20 {
                let mut game = Game::new(rules.clone(), seed).unwrap();
                while game.outcome().is_none() {
                    let hold = game.can_hold() && random.below(4) == 0;
                    let piece =
                        if hold { game.view().unwrap().piece_after_hold().unwrap() } else { game.current() };
                    // The first piece fills a table of key paths on an open board, once.
                    let before = allocations();
                    let placements = game.placements(piece);
                    let Some(placement) =
                        placements.nth(random.below(placements.len().max(1) as u64) as usize)
                    else {
                        break;
                    };
                    game.play(Move { hold, placement }).unwrap();
                    if played > 0 {
                        assert_eq!(allocations(), before, "{mode}, piece {}", game.placed());
                    }
                    played += 1;
                }
            }
        }
    }
    assert!(played > 1_000);
}
