//! Searches allocate per decision, not per placement.
#![allow(clippy::unwrap_used)]

#[path = "../../engine/tests/counting/mod.rs"]
mod counting;

use counting::allocations;
use tetrion_engine::game::Game;
use tetrion_engine::ruleset::{Mode, Ruleset};
use tetrion_players::agent_file::AgentFile;

/// The allocations of a decision, after a few decisions to warm up.
fn allocations_of_a_decision(search: &str) -> u64 {
    let text =
        format!("version = 1\n[weights]\nholes = -4\naggregate_height = -1\n[search]\nhold = true\n{search}");
    let mut agent = AgentFile::parse(&text, "test").unwrap().agent();
    let mut game = Game::new(Ruleset::for_agents(Mode::Sprint), 3).unwrap();
    for _ in 0..10 {
        let play = agent.next_move(&game).unwrap();
        game.play(play).unwrap();
    }
    // The same position again, so that no buffer has to grow.
    agent.next_move(&game).unwrap();
    let before = allocations();
    agent.next_move(&game).unwrap();
    allocations() - before
}

#[test]
fn looking_at_thousands_of_placements_allocates_a_handful() {
    // About 40 placements, then about 2,000, then 100,000.
    for search in ["plies = 1", "plies = 2", "plies = 3"] {
        let allocations = allocations_of_a_decision(search);
        assert!(allocations <= 6, "{search}: {allocations}");
    }
    for search in ["beam = 10", "beam = 200"] {
        let allocations = allocations_of_a_decision(search);
        assert!(allocations <= 20, "{search}: {allocations}");
    }
}
