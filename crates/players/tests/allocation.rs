//! Searches allocate per decision, not per placement.
#![allow(clippy::unwrap_used)]

#[path = "../../engine/tests/counting/mod.rs"]
mod counting;

use counting::allocations;
use tetrion_engine::game::Game;
use tetrion_engine::ruleset::{Mode, Ruleset};
use tetrion_players::Agent;
use tetrion_players::agent_file::AgentFile;
use tetrion_players::blitz::{BlitzAgent, Weights};

/// The allocations of a decision of a linear agent.
fn allocations_of_a_search(search: &str) -> u64 {
    let text =
        format!("version = 1\n[weights]\nholes = -4\naggregate_height = -1\n[search]\nhold = true\n{search}");
    let mut agent = AgentFile::parse(&text, "test").unwrap().agent();
    allocations_of_a_decision(agent.as_mut(), Mode::Sprint)
}

/// The allocations of a decision, after a few decisions to warm up.
fn allocations_of_a_decision(agent: &mut dyn Agent, mode: Mode) -> u64 {
    let mut game = Game::new(Ruleset::for_agents(mode), 3).unwrap();
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
        let allocations = allocations_of_a_search(search);
        assert!(allocations <= 6, "{search}: {allocations}");
    }
    for search in ["beam = 10", "beam = 200"] {
        let allocations = allocations_of_a_search(search);
        assert!(allocations <= 20, "{search}: {allocations}");
    }
}

#[test]
fn more_nodes_of_blitz_mean_hardly_more_allocations() {
    let allocations =
        |nodes| allocations_of_a_decision(&mut BlitzAgent::new(&Weights::learned(), nodes), Mode::Blitz);
    // Over the known pieces only: lists of first moves and of results.
    for nodes in [10_000, 40_000] {
        let allocations = allocations(nodes);
        assert!(allocations <= 20, "{nodes} nodes: {allocations}");
    }
    // With samples: also lists of starts and of results for each first move, which grow by doubling.
    let few = allocations(200_000);
    assert!(few <= 80, "{few}");
    for nodes in [400_000, 800_000] {
        let many = allocations(nodes);
        assert!(many <= few + 30, "{nodes} nodes: {many}, not {few}");
    }
}
