//! Move generation and playing a placement allocate nothing.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use tetrion_engine::game::{Game, Move};
use tetrion_engine::moves::Movement;
use tetrion_engine::randomizer::Random;
use tetrion_engine::ruleset::{Mode, Ruleset};

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

/// The system's allocator with a counter for each thread.
struct Counting;

// SAFETY: every call is passed on unchanged to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

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
                    let before = ALLOCATIONS.get();
                    let placements = game.placements(piece);
                    let Some(placement) =
                        placements.nth(random.below(placements.len().max(1) as u64) as usize)
                    else {
                        break;
                    };
                    game.play(Move { hold, placement }).unwrap();
                    if played > 0 {
                        assert_eq!(ALLOCATIONS.get(), before, "{mode}, piece {}", game.placed());
                    }
                    played += 1;
                }
            }
        }
    }
    assert!(played > 1_000);
}
