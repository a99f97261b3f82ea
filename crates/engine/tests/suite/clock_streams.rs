//! The clock under streams of inputs: the size of time steps does not change a game, and key paths reach their placements.

use tetrion_engine::board::Board;
use tetrion_engine::clock::{Action, Button, Clock, Handling, Input};
use tetrion_engine::game::Game;
use tetrion_engine::location::Spin;
use tetrion_engine::moves::path::{self, Key};
use tetrion_engine::piece::Piece;
use tetrion_engine::randomizer::{Random, Randomizer};
use tetrion_engine::ruleset::{Micros, Mode, Ruleset};

const MS: Micros = 1_000;
const SECOND: Micros = 1_000_000;
/// One row of a soft drop at 20 times gravity, which is one row per second.
const SOFT_DROP_ROW: Micros = 50 * MS;

/// A button as a nervous player chooses it.
fn nervous_button(random: &mut Random) -> Button {
    match random.below(20) {
        0..4 => Button::Left,
        4..8 => Button::Right,
        8..11 => Button::Clockwise,
        11..13 => Button::CounterClockwise,
        13 => Button::HalfTurn,
        14..16 => Button::SoftDrop,
        16 => Button::HardDrop,
        17 => Button::Hold,
        18 => Button::Undo,
        _ => Button::Redo,
    }
}

/// Presses and releases with pauses of up to half a second between them, and often none.
fn random_inputs(random: &mut Random, count: usize) -> Vec<Input> {
    let mut down = [false; 10];
    let mut at = 0;
    (0..count)
        .map(|_| {
            let longest = [1, 20 * MS, 500 * MS][random.below(3) as usize];
            at += random.below(longest);
            let button = nervous_button(random);
            let is_down = &mut down[button as usize];
            *is_down = !*is_down;
            let action = if *is_down { Action::Down(button) } else { Action::Up(button) };
            Input { at, action }
        })
        .collect()
}

fn random_handling(random: &mut Random) -> Handling {
    Handling {
        repeat_delay: random.below(200 * MS),
        repeat_interval: random.below(3) * random.below(50 * MS),
        soft_drop_factor: [0, 1, 20, 7_000_000][random.below(4) as usize],
    }
}

fn apply(clock: &mut Clock, input: Input) {
    match input.action {
        Action::Down(button) => clock.button_down(input.at, button),
        Action::Up(button) => clock.button_up(input.at, button),
        Action::Place(play) => clock.place(input.at, play).unwrap(),
    }
}

/// Advances to a time in many small steps, some of them empty.
fn advance_slowly(clock: &mut Clock, random: &mut Random, until: Micros) {
    let mut time = clock.time();
    while time < until {
        clock.advance(time);
        let longest = [2, 5 * MS, 200 * MS][random.below(3) as usize];
        time += random.below(longest);
    }
}

#[test]
fn the_same_inputs_give_the_same_game_in_big_steps_and_in_small_ones() {
    for seed in 0..200 {
        let mut random = Random::new(seed);
        let mode = [Mode::Practice, Mode::Sprint, Mode::Blitz][random.below(3) as usize];
        let rules = Ruleset { half_turns: random.below(2) == 0, ..Ruleset::new(mode) };
        let inputs = random_inputs(&mut random, 300);
        let start = Clock::new(Game::new(rules, seed).unwrap(), random_handling(&mut random));
        let (mut big, mut small) = (start.clone(), start);
        for input in inputs {
            apply(&mut big, input);
            advance_slowly(&mut small, &mut random, input.at);
            apply(&mut small, input);
        }
        let end = big.time() + 30 * SECOND;
        big.advance(end);
        advance_slowly(&mut small, &mut random, end);
        small.advance(end);
        assert!(big.game().placed() > 0 || mode == Mode::Practice);
        assert_eq!(format!("{small:?}"), format!("{big:?}"), "seed {seed}");
    }
}

/// A stack with holes and overhangs, and no full row.
fn rough_board(random: &mut Random, stack: usize) -> Board {
    let mut board = Board::guideline();
    for y in 0..stack {
        let gap = random.below(10) as usize;
        for x in (0..10).filter(|x| *x != gap) {
            board.set(x, y, random.below(100 + 10 * y as u64) < 60);
        }
    }
    board
}

/// Presses the keys of a path as a player would: taps, keys held until the piece is stopped, and soft drops
/// held for as long as the rows take.
fn press(clock: &mut Clock, keys: &[Key], handling: Handling) {
    let mut time = clock.time();
    for key in keys {
        let (button, held_for) = match *key {
            Key::Left => (Button::Left, 0),
            Key::Right => (Button::Right, 0),
            Key::FarLeft => (Button::Left, handling.repeat_delay),
            Key::FarRight => (Button::Right, handling.repeat_delay),
            Key::Clockwise => (Button::Clockwise, 0),
            Key::CounterClockwise => (Button::CounterClockwise, 0),
            Key::Half => (Button::HalfTurn, 0),
            // The first row falls as the button goes down.
            Key::SoftDrop(rows) => (Button::SoftDrop, SOFT_DROP_ROW * Micros::from(rows - 1)),
            Key::HardDrop => (Button::HardDrop, 0),
        };
        clock.button_down(time, button);
        time += held_for;
        clock.button_up(time, button);
        time += 10;
    }
}

#[test]
fn the_keys_to_a_placement_lead_there_in_real_time() {
    let handling = Handling { repeat_delay: MS, repeat_interval: 0, soft_drop_factor: 20 };
    let mut random = Random::new(1);
    let mut spins = 0;
    for case in 0..400 {
        let stack = random.below(17) as usize;
        let board = rough_board(&mut random, stack);
        for piece in Piece::ALL {
            let rules = Ruleset {
                randomizer: Randomizer::Fixed(vec![piece]),
                half_turns: case % 2 == 0,
                ..Ruleset::new(Mode::Practice)
            };
            let game = Game::new(rules, 0).unwrap().with_board(board);
            let placements = game.placements(piece);
            for _ in 0..4 {
                let placement = placements.nth(random.below(placements.len() as u64) as usize).unwrap();
                let keys =
                    path::keys_to(&board, game.spawn(piece), placement, game.rules().move_rules()).unwrap();
                let mut clock = Clock::new(game.clone(), handling);
                press(&mut clock, &keys, handling);
                let reached: Vec<_> = clock.take_placed().iter().map(|locked| locked.placement).collect();
                assert_eq!(reached, [placement], "{keys:?} on {board:?}");
                spins += u32::from(placement.spin() != Spin::None);
            }
        }
    }
    assert!(spins > 10, "too few spins to test: {spins}");
}
