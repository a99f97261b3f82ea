//! The random agent: the baseline for all others.

use crate::agent::Agent;
use tetrion_engine::game::Move;
use tetrion_engine::moves::MoveSet;
use tetrion_engine::position::View;
use tetrion_engine::randomizer::Random;

/// Chooses uniformly among all placements of the current piece and of the piece that a hold brings.
#[derive(Clone, Debug)]
pub struct RandomAgent(Random);

impl RandomAgent {
    /// An agent whose choices depend on the seed alone.
    pub fn new(seed: u64) -> RandomAgent {
        // Its random numbers must differ from those that draw the pieces.
        RandomAgent(Random::new(!seed))
    }
}

impl Agent for RandomAgent {
    fn choose(&mut self, view: &View) -> Option<Move> {
        let current = view.placements(view.current());
        let held = view.piece_after_hold().map(|piece| view.placements(piece));
        let held_count = held.as_ref().map_or(0, MoveSet::len);
        let chosen = self.0.below((current.len() + held_count) as u64) as usize;
        match chosen.checked_sub(current.len()) {
            None => current.nth(chosen).map(|placement| Move { hold: false, placement }),
            Some(chosen) => held?.nth(chosen).map(|placement| Move { hold: true, placement }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tetrion_engine::game::Game;
    use tetrion_engine::ruleset::{Mode, Ruleset};

    #[test]
    fn every_move_is_about_as_frequent_as_any_other() {
        let game = Game::new(Ruleset::new(Mode::Sprint), 3).unwrap();
        let piece = game.view().unwrap().piece_after_hold().unwrap();
        let moves = game.placements(game.current()).len() + game.placements(piece).len();
        let mut agent = RandomAgent::new(1);
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..moves * 1_000 {
            *counts.entry(agent.next_move(&game).unwrap()).or_insert(0u32) += 1;
        }
        assert_eq!(counts.len(), moves);
        // The expected count is 1,000; six standard deviations are 190.
        assert!(counts.values().all(|count| count.abs_diff(1_000) < 190), "{counts:?}");
    }

    #[test]
    fn it_plays_every_mode_to_an_end_and_makes_no_illegal_move() {
        for mode in Mode::ALL {
            for seed in 0..20 {
                let mut game = Game::new(Ruleset::for_agents(mode), seed).unwrap();
                let mut agent = RandomAgent::new(seed);
                while let Some(play) = agent.next_move(&game) {
                    game.play(play).unwrap();
                }
                assert!(game.outcome().is_some());
            }
        }
    }
}
