//! The rules of real time: auto-repeat, gravity, lock delay, hold, pause and undo.

use tetrion_engine::board::Board;
use tetrion_engine::clock::{Action, Button, Clock, Handling, Input};
use tetrion_engine::game::{Game, IllegalMove, Move};
use tetrion_engine::location::{PieceLocation, Placement, Spin};
use tetrion_engine::piece::Orientation::{North, South};
use tetrion_engine::piece::Piece::{I, O, T};
use tetrion_engine::piece::parse_queue;
use tetrion_engine::randomizer::Randomizer;
use tetrion_engine::record::{Keys, Outcome, TopOut};
use tetrion_engine::ruleset::{Micros, Mode, Ruleset};

const MS: Micros = 1_000;
const SECOND: Micros = 1_000_000;

/// The default handling: DAS 167 ms, ARR 33 ms, soft drop 20 times gravity, which is one row per second.
const DAS: Micros = 167 * MS;
const ARR: Micros = 33 * MS;
const SOFT_DROP_ROW: Micros = 50 * MS;
const LOCK_DELAY: Micros = 500 * MS;

const INSTANT_SHIFT: Handling = Handling { repeat_delay: DAS, repeat_interval: 0, soft_drop_factor: 20 };
const INSTANT_DROP: Handling = Handling { repeat_delay: DAS, repeat_interval: ARR, soft_drop_factor: 0 };

fn game(mode: Mode, pieces: &str) -> Game {
    let randomizer = Randomizer::Fixed(parse_queue(pieces).unwrap());
    Game::new(Ruleset { randomizer, ..Ruleset::new(mode) }, 0).unwrap()
}

/// A game with these pieces on an empty board.
fn clock(pieces: &str, handling: Handling) -> Clock {
    Clock::new(game(Mode::Practice, pieces), handling)
}

/// A piece that rests on the ground from time 0.
fn grounded(game: Game) -> Clock {
    let mut clock = Clock::new(game, INSTANT_DROP);
    tap(&mut clock, 0, Button::SoftDrop);
    assert!(clock.active().unwrap().is_grounded(clock.game().board()));
    clock
}

fn tap(clock: &mut Clock, time: Micros, button: Button) {
    clock.button_down(time, button);
    clock.button_up(time, button);
}

/// The column and row of the piece's centre at a time.
fn place_at(clock: &mut Clock, time: Micros) -> (i8, i8) {
    clock.advance(time);
    let PieceLocation { x, y, .. } = clock.active().unwrap();
    (x, y)
}

fn column_at(clock: &mut Clock, time: Micros) -> i8 {
    place_at(clock, time).0
}

fn row_at(clock: &mut Clock, time: Micros) -> i8 {
    place_at(clock, time).1
}

/// Asserts that the next lock happens exactly at a time.
fn assert_locks_at(clock: &mut Clock, time: Micros) {
    clock.take_placed();
    clock.advance(time - 1);
    assert!(clock.take_placed().is_empty(), "it locked before {time}");
    clock.advance(time);
    assert_eq!(clock.take_placed().first().map(|placed| placed.at), Some(Some(time)));
}

/// Presses the buttons 15 times, each just before the lock delay ends, and asserts that a 16th press resets nothing.
fn assert_fifteen_resets(clock: &mut Clock, grounded_since: Micros, buttons: [Button; 2]) {
    let mut time = grounded_since;
    for button in buttons.into_iter().cycle().take(15) {
        time += LOCK_DELAY - 1;
        tap(clock, time, button);
    }
    tap(clock, time + LOCK_DELAY - 1, buttons[1]);
    assert_locks_at(clock, time + LOCK_DELAY);
}

fn fill(board: &mut Board, columns: impl IntoIterator<Item = usize>, height: usize) {
    for x in columns {
        (0..height).for_each(|y| board.set(x, y, true));
    }
}

// Auto-repeat.

#[test]
fn a_tap_moves_one_column() {
    let mut clock = clock("T", Handling::default());
    clock.button_down(0, Button::Left);
    clock.button_up(DAS - 1, Button::Left);
    assert_eq!(column_at(&mut clock, 900 * MS), 3);
    tap(&mut clock, 900 * MS, Button::Right);
    assert_eq!(column_at(&mut clock, 999 * MS), 4);
}

#[test]
fn a_held_direction_repeats_after_the_delay_and_then_at_the_interval() {
    let mut clock = clock("T", Handling::default());
    let pressed = 7;
    clock.button_down(pressed, Button::Left);
    assert_eq!(column_at(&mut clock, pressed), 3);
    assert_eq!(column_at(&mut clock, pressed + DAS - 1), 3);
    assert_eq!(column_at(&mut clock, pressed + DAS), 2);
    assert_eq!(column_at(&mut clock, pressed + DAS + ARR - 1), 2);
    assert_eq!(column_at(&mut clock, pressed + DAS + ARR), 1);
    assert_eq!(column_at(&mut clock, 900 * MS), 1, "the wall");
}

#[test]
fn a_direction_change_cuts_the_charge() {
    let mut clock = clock("T", Handling::default());
    clock.button_down(0, Button::Left);
    clock.button_down(100 * MS, Button::Right);
    assert_eq!(column_at(&mut clock, 100 * MS), 4);
    assert_eq!(column_at(&mut clock, 100 * MS + DAS - 1), 4, "the left key has lost its charge");
    assert_eq!(column_at(&mut clock, 100 * MS + DAS), 5, "the right key has its own");
}

#[test]
fn releasing_the_newer_direction_makes_the_older_charge_anew() {
    let mut clock = clock("T", Handling::default());
    clock.button_down(0, Button::Left);
    clock.button_down(100 * MS, Button::Right);
    clock.button_up(150 * MS, Button::Right);
    assert_eq!(column_at(&mut clock, 150 * MS + DAS - 1), 4, "the release itself moves nothing");
    assert_eq!(column_at(&mut clock, 150 * MS + DAS), 3);
}

#[test]
fn releasing_the_older_direction_leaves_the_newer_charged() {
    let mut clock = clock("T", Handling::default());
    clock.button_down(0, Button::Left);
    clock.button_down(100 * MS, Button::Right);
    clock.button_up(150 * MS, Button::Left);
    assert_eq!(column_at(&mut clock, 100 * MS + DAS), 5);
}

#[test]
fn an_interval_of_0_goes_to_the_wall_at_once() {
    let mut clock = clock("T", INSTANT_SHIFT);
    clock.button_down(0, Button::Right);
    assert_eq!(column_at(&mut clock, DAS - 1), 5);
    assert_eq!(column_at(&mut clock, DAS), 8);
}

#[test]
fn an_interval_of_0_presses_into_a_gap_that_the_piece_falls_past() {
    let mut board = Board::guideline();
    fill(&mut board, 0..4, 22);
    for (x, y) in [(2, 10), (3, 10), (2, 11), (3, 11)] {
        board.set(x, y, false);
    }
    let mut clock = Clock::new(game(Mode::Practice, "O").with_board(board), INSTANT_SHIFT);
    clock.button_down(0, Button::Left);
    assert_eq!(place_at(&mut clock, 9 * SECOND - 1), (4, 11));
    assert_eq!(place_at(&mut clock, 9 * SECOND), (2, 10));
}

#[test]
fn a_held_direction_carries_over_to_the_next_piece() {
    let mut clock = clock("T", Handling::default());
    clock.button_down(0, Button::Left);
    tap(&mut clock, 500 * MS, Button::HardDrop);
    assert_eq!(clock.active().unwrap().x, 4);
    assert_eq!(
        column_at(&mut clock, 500 * MS + ARR),
        3,
        "DAS is charged already, so it repeats within one ARR"
    );
    assert_eq!(column_at(&mut clock, 500 * MS + 3 * ARR), 1);
}

#[test]
fn with_an_interval_of_0_the_next_piece_is_at_the_wall_as_it_enters() {
    let mut clock = clock("T", INSTANT_SHIFT);
    clock.button_down(0, Button::Left);
    tap(&mut clock, 500 * MS, Button::HardDrop);
    assert_eq!(place_at(&mut clock, 500 * MS), (1, 19));
}

#[test]
fn das_stays_charged_while_the_next_piece_spawns() {
    let mut clock = clock("T", INSTANT_SHIFT);
    clock.button_down(0, Button::Left);
    tap(&mut clock, 100 * MS, Button::HardDrop);
    assert_eq!(column_at(&mut clock, DAS - 1), 4);
    assert_eq!(column_at(&mut clock, DAS), 1);
}

#[test]
fn a_button_that_is_down_already_takes_no_notice() {
    let mut clock = clock("T", Handling::default());
    clock.button_down(0, Button::Left);
    clock.button_down(10, Button::Left);
    clock.button_up(20, Button::Right);
    assert_eq!(column_at(&mut clock, 20), 3);
    assert_eq!(clock.inputs(), [Input { at: 0, action: Action::Down(Button::Left) }]);
}

// Gravity and soft drop.

#[test]
fn a_piece_falls_one_row_a_second() {
    let mut clock = clock("T", Handling::default());
    assert_eq!(place_at(&mut clock, 0), (4, 19));
    for rows in 1..=19 {
        let due = SECOND * rows as Micros;
        assert_eq!(row_at(&mut clock, due - 1), 20 - rows);
        assert_eq!(row_at(&mut clock, due), 19 - rows);
    }
}

#[test]
fn a_soft_drop_is_twenty_times_as_fast_and_scores_one_a_row() {
    let mut clock = clock("T", Handling::default());
    clock.button_down(0, Button::SoftDrop);
    let first = row_at(&mut clock, 0);
    for rows in 1..=first {
        let due = SOFT_DROP_ROW * rows as Micros;
        assert_eq!(row_at(&mut clock, due - 1), first - rows + 1);
        assert_eq!(row_at(&mut clock, due), first - rows);
    }
    clock.button_up(SECOND, Button::SoftDrop);
    tap(&mut clock, SECOND, Button::HardDrop);
    let event = clock.take_placed()[0];
    assert_eq!((event.soft_drop, event.hard_drop, event.points.drop), (19, 0, 19));
    assert_eq!(clock.game().score(), 19);
}

#[test]
fn only_rows_of_the_soft_drop_score() {
    let mut clock = clock("T", Handling::default());
    clock.button_down(2 * SECOND, Button::SoftDrop);
    clock.button_up(2 * SECOND + 4 * SOFT_DROP_ROW, Button::SoftDrop);
    assert_eq!(
        row_at(&mut clock, 2 * SECOND + 4 * SOFT_DROP_ROW),
        12,
        "two rows by gravity, five by soft drop"
    );
    tap(&mut clock, 2 * SECOND + 5 * SOFT_DROP_ROW, Button::HardDrop);
    let event = clock.take_placed()[0];
    assert_eq!((event.soft_drop, event.hard_drop, event.points.drop), (5, 12, 5 + 24));
}

#[test]
fn a_soft_drop_to_the_ground_locks_only_after_the_lock_delay() {
    let mut clock = clock("T", Handling::default());
    clock.button_down(0, Button::SoftDrop);
    let mut landed = 0;
    while row_at(&mut clock, landed) > 0 {
        landed += SOFT_DROP_ROW;
    }
    assert_locks_at(&mut clock, landed + LOCK_DELAY);
}

#[test]
fn a_soft_drop_factor_of_0_falls_to_the_ground_at_once_and_does_not_lock() {
    let mut clock = clock("T", INSTANT_DROP);
    clock.button_down(300 * MS, Button::SoftDrop);
    assert_eq!(row_at(&mut clock, 300 * MS), 0);
    assert_locks_at(&mut clock, 300 * MS + LOCK_DELAY);
    assert_eq!(clock.game().score(), 19);
}

#[test]
fn a_hard_drop_locks_at_once_and_scores_two_a_row() {
    let mut clock = clock("TO", Handling::default());
    clock.button_down(123, Button::HardDrop);
    let locked = clock.take_placed()[0];
    let lying = PieceLocation { piece: T, orientation: North, x: 4, y: 0 };
    assert_eq!((locked.at, locked.placement), (Some(123), Placement::new(lying, Spin::None)));
    assert_eq!((locked.hard_drop, locked.points.drop), (19, 38));
    assert_eq!(clock.active().unwrap().piece, O);
    clock.advance(900 * MS);
    assert!(clock.take_placed().is_empty(), "a held hard drop drops one piece only");
}

#[test]
fn keys_are_counted_beside_the_fewest_that_would_have_done() {
    let mut clock = clock("TO", Handling::default());
    for button in [Button::Left, Button::Left, Button::Right, Button::HardDrop] {
        tap(&mut clock, 0, button);
    }
    for button in [Button::Hold, Button::Right, Button::HardDrop] {
        tap(&mut clock, 0, button);
    }
    let keys: Vec<_> = clock
        .take_placed()
        .iter()
        .map(|placed| placed.keys.map(|keys| (keys.pressed, keys.fewest)).unwrap())
        .collect();
    assert_eq!(keys, [(4, 2), (3, 3)]);
}

// The lock delay.

#[test]
fn a_piece_locks_when_it_has_rested_half_a_second() {
    let mut clock = clock("T", Handling::default());
    assert_locks_at(&mut clock, 19 * SECOND + LOCK_DELAY);
}

#[test]
fn a_move_on_the_ground_restarts_the_lock_delay() {
    let mut clock = grounded(game(Mode::Practice, "O"));
    tap(&mut clock, 400 * MS, Button::Left);
    assert_locks_at(&mut clock, 400 * MS + LOCK_DELAY);
}

#[test]
fn a_move_that_fails_does_not_restart_the_lock_delay() {
    let mut board = Board::guideline();
    fill(&mut board, [3, 6], 5);
    let mut clock = grounded(game(Mode::Practice, "O").with_board(board));
    tap(&mut clock, 300 * MS, Button::Left);
    tap(&mut clock, 400 * MS, Button::Right);
    assert_locks_at(&mut clock, LOCK_DELAY);
}

#[test]
fn moves_restart_the_lock_delay_fifteen_times() {
    let mut clock = grounded(game(Mode::Practice, "O"));
    assert_fifteen_resets(&mut clock, 0, [Button::Left, Button::Right]);
}

#[test]
fn turns_restart_the_lock_delay_fifteen_times() {
    let mut clock = grounded(game(Mode::Practice, "O"));
    assert_fifteen_resets(&mut clock, 0, [Button::Clockwise, Button::CounterClockwise]);
}

#[test]
fn moves_in_the_air_use_up_no_resets() {
    let mut clock = clock("O", INSTANT_DROP);
    for _ in 0..20 {
        tap(&mut clock, 0, Button::Left);
        tap(&mut clock, 0, Button::Right);
    }
    tap(&mut clock, 100 * MS, Button::SoftDrop);
    assert_fifteen_resets(&mut clock, 100 * MS, [Button::Left, Button::Right]);
}

#[test]
fn the_next_piece_has_all_its_resets() {
    let mut clock = grounded(game(Mode::Practice, "O"));
    assert_fifteen_resets(&mut clock, 0, [Button::Left, Button::Right]);
    let spawned = clock.time();
    tap(&mut clock, spawned, Button::SoftDrop);
    assert_fifteen_resets(&mut clock, spawned, [Button::Left, Button::Right]);
}

#[test]
fn a_new_lowest_row_restores_the_resets() {
    let mut board = Board::guideline();
    fill(&mut board, 0..5, 2);
    let mut clock = grounded(game(Mode::Practice, "O").with_board(board));
    let mut time = 0;
    for button in [Button::Left, Button::Right].into_iter().cycle().take(15) {
        time += 100 * MS;
        tap(&mut clock, time, button);
    }
    tap(&mut clock, time, Button::Right);
    tap(&mut clock, time, Button::Right);
    assert_eq!(place_at(&mut clock, time), (5, 2), "over the edge");
    let landed = time + 2 * SECOND;
    assert_eq!(place_at(&mut clock, landed), (5, 0));
    assert_fifteen_resets(&mut clock, landed, [Button::Right, Button::Left]);
}

#[test]
fn time_in_the_air_does_not_use_the_lock_delay() {
    // Between two ledges of the same height is a gap as wide as the O.
    let mut board = Board::guideline();
    fill(&mut board, (0..5).chain(7..10), 2);
    let mut clock = grounded(game(Mode::Practice, "O").with_board(board));
    for button in [Button::Left, Button::Right].into_iter().cycle().take(16) {
        tap(&mut clock, 0, button);
    }
    assert_eq!(place_at(&mut clock, 0), (4, 2), "back on the edge, without resets");
    tap(&mut clock, 400 * MS, Button::Right);
    assert_eq!(place_at(&mut clock, 1_399 * MS), (5, 2), "in the air, with 100 ms left");
    tap(&mut clock, 1_399 * MS, Button::Right);
    assert_locks_at(&mut clock, 1_499 * MS);
}

// Hold.

#[test]
fn a_piece_can_be_held_as_soon_as_it_spawns() {
    let mut after_hard_drop = clock("TIO", Handling::default());
    tap(&mut after_hard_drop, SECOND, Button::HardDrop);
    tap(&mut after_hard_drop, SECOND, Button::Hold);

    let mut after_lock_delay = clock("TIO", Handling::default());
    tap(&mut after_lock_delay, 19 * SECOND + LOCK_DELAY, Button::Hold);

    for clock in [after_hard_drop, after_lock_delay] {
        assert_eq!((clock.game().placed(), clock.game().held()), (1, Some(I)));
        assert_eq!(clock.active().unwrap().piece, O);
    }
}

#[test]
fn a_second_hold_is_refused_until_a_piece_locks() {
    let mut clock = clock("TIO", Handling::default());
    tap(&mut clock, 0, Button::Hold);
    tap(&mut clock, 500 * MS, Button::Left);
    tap(&mut clock, 500 * MS, Button::Hold);
    assert_eq!(clock.game().held(), Some(T));
    assert_eq!(clock.active(), Some(PieceLocation { piece: I, orientation: North, x: 3, y: 19 }));
    tap(&mut clock, 500 * MS, Button::HardDrop);
    tap(&mut clock, 500 * MS, Button::Hold);
    assert_eq!((clock.game().held(), clock.active().unwrap().piece), (Some(O), T));
}

#[test]
fn a_piece_from_the_hold_spawns_at_the_top() {
    let mut clock = clock("TO", Handling::default());
    tap(&mut clock, 5 * SECOND, Button::Hold);
    assert_eq!(place_at(&mut clock, 6 * SECOND - 1), (4, 19));
    assert_eq!(place_at(&mut clock, 6 * SECOND), (4, 18));
}

#[test]
fn a_hold_without_room_to_spawn_ends_the_game() {
    let mut board = Board::guideline();
    board.set(3, 20, true);
    let mut clock = Clock::new(game(Mode::Sprint, "OT").with_board(board), Handling::default());
    tap(&mut clock, 10, Button::Hold);
    assert_eq!(clock.game().outcome(), Some(Outcome::TopOut(TopOut::BlockOut)));
    assert_eq!(clock.active(), None);
    clock.advance(SECOND);
    assert_eq!(clock.time(), 10, "the clock stops at the end");
}

// Pause, time limit, undo, half turns.

#[test]
fn a_pause_stops_the_time_and_releases_the_buttons() {
    let mut clock = clock("T", Handling::default());
    clock.button_down(100 * MS, Button::Left);
    clock.pause(150 * MS);
    assert!(clock.is_paused());
    clock.advance(3 * SECOND);
    tap(&mut clock, 4 * SECOND, Button::HardDrop);
    assert_eq!((clock.time(), clock.game().placed()), (150 * MS, 0));
    clock.resume(5 * SECOND + 150 * MS);
    assert!(!clock.is_paused());
    assert_eq!(place_at(&mut clock, 6 * SECOND - 1), (3, 19), "no auto-repeat: the key counts as released");
    assert_eq!(place_at(&mut clock, 6 * SECOND), (3, 18));
    assert_eq!(clock.time(), SECOND);
    let (down, up) = (Action::Down(Button::Left), Action::Up(Button::Left));
    assert_eq!(clock.inputs(), [Input { at: 100 * MS, action: down }, Input { at: 150 * MS, action: up }]);
    clock.button_down(6 * SECOND, Button::Left);
    assert_eq!(column_at(&mut clock, 6 * SECOND), 2, "and can be pressed again");
}

#[test]
fn without_gravity_a_piece_falls_and_locks_only_by_keys() {
    let mut clock = Clock::new(game(Mode::Zen, "T"), INSTANT_DROP);
    assert_eq!(place_at(&mut clock, 3_600 * SECOND), (4, 19), "it waits in the air");
    let hour = 3_600 * SECOND;
    tap(&mut clock, hour, Button::SoftDrop);
    assert_eq!(place_at(&mut clock, 2 * hour), (4, 0), "and on the ground");
    for key in 1..=100 {
        tap(&mut clock, 2 * hour + key * SECOND, Button::Clockwise);
    }
    clock.advance(3 * hour);
    assert_eq!(clock.game().placed(), 0, "however often it is turned");
    tap(&mut clock, 3 * hour, Button::HardDrop);
    assert_eq!((clock.game().placed(), clock.game().outcome()), (1, None));
}

#[test]
fn a_blitz_is_over_at_three_minutes_and_nothing_locks_at_that_moment() {
    for (mode, placed) in [(Mode::Blitz, 9), (Mode::Practice, 10)] {
        // On four columns each I clears its own line: one every 19.5 s, the tenth after 175.5 s.
        let rules = Ruleset { width: 4, randomizer: Randomizer::Fixed(vec![I]), ..Ruleset::new(mode) };
        let mut clock = Clock::new(Game::new(rules, 0).unwrap(), INSTANT_DROP);
        clock.button_down(180 * SECOND - LOCK_DELAY, Button::SoftDrop);
        assert_eq!(place_at(&mut clock, 180 * SECOND - 1), (1, 0));
        assert_eq!((clock.game().outcome(), clock.game().placed()), (None, 9));
        clock.button_down(180 * SECOND, Button::Left);
        assert_eq!(clock.game().placed(), placed);
        if mode == Mode::Blitz {
            assert_eq!(clock.game().outcome(), Some(Outcome::TimeUp));
            assert_eq!((clock.time(), clock.active()), (180 * SECOND, None));
            assert_eq!(clock.inputs().len(), 1, "a button at that moment comes too late");
            clock.advance(200 * SECOND);
            assert_eq!(clock.time(), 180 * SECOND);
        }
    }
}

#[test]
fn pauses_do_not_count_towards_three_minutes() {
    let rules = Ruleset { width: 4, randomizer: Randomizer::Fixed(vec![I]), ..Ruleset::new(Mode::Blitz) };
    let mut clock = Clock::new(Game::new(rules, 0).unwrap(), Handling::default());
    clock.pause(100 * SECOND);
    clock.resume(150 * SECOND);
    clock.advance(230 * SECOND - 1);
    assert_eq!(clock.game().outcome(), None);
    clock.advance(230 * SECOND);
    assert_eq!((clock.game().outcome(), clock.time()), (Some(Outcome::TimeUp), 180 * SECOND));
}

#[test]
fn practice_takes_placements_back_and_makes_them_again() {
    let mut clock = clock("TIO", Handling::default());
    let mut states = vec![clock.game().state_hash()];
    for _ in 0..3 {
        tap(&mut clock, 0, Button::HardDrop);
        states.push(clock.game().state_hash());
    }
    for placed in (0..3).rev() {
        tap(&mut clock, SECOND, Button::Undo);
        assert_eq!(clock.game().state_hash(), states[placed]);
        assert_eq!(clock.active().unwrap().piece, [T, I, O][placed], "the piece comes again");
        assert_eq!(clock.active().unwrap().y, 19);
    }
    tap(&mut clock, SECOND, Button::Undo);
    assert_eq!(clock.game().state_hash(), states[0], "there is nothing before the start");
    for state in &states[1..] {
        tap(&mut clock, SECOND, Button::Redo);
        assert_eq!(clock.game().state_hash(), *state);
    }
    tap(&mut clock, SECOND, Button::Redo);
    assert_eq!(clock.game().state_hash(), states[3], "there is nothing after the last");
}

#[test]
fn a_new_placement_forgets_what_was_undone() {
    let mut clock = clock("TIO", Handling::default());
    for button in [Button::HardDrop, Button::HardDrop, Button::Undo, Button::Left, Button::HardDrop] {
        tap(&mut clock, 0, button);
    }
    let state = clock.game().state_hash();
    tap(&mut clock, 0, Button::Redo);
    assert_eq!(clock.game().state_hash(), state);
}

#[test]
fn an_undo_takes_the_hold_of_the_current_piece_back_too() {
    let mut clock = clock("TIO", Handling::default());
    tap(&mut clock, 0, Button::HardDrop);
    tap(&mut clock, 0, Button::Hold);
    tap(&mut clock, 0, Button::Undo);
    assert_eq!((clock.game().placed(), clock.game().held(), clock.game().current()), (0, None, T));
}

#[test]
fn the_picture_goes_back_with_an_undo() {
    let mut clock = clock("T", Handling::default());
    tap(&mut clock, 0, Button::HardDrop);
    assert_eq!(clock.picture().cell(4, 0), Some(T));
    tap(&mut clock, 0, Button::Undo);
    assert_eq!(clock.picture().cell(4, 0), None);
}

#[test]
fn there_is_no_undo_in_sprint_and_blitz() {
    for mode in [Mode::Sprint, Mode::Blitz] {
        let mut clock = Clock::new(game(mode, "TIO"), Handling::default());
        tap(&mut clock, 0, Button::HardDrop);
        tap(&mut clock, 0, Button::Left);
        let (state, active) = (clock.game().state_hash(), clock.active());
        for button in [Button::Undo, Button::Redo] {
            tap(&mut clock, 0, button);
            assert_eq!((clock.game().state_hash(), clock.active()), (state, active));
        }
    }
}

#[test]
fn the_half_turn_button_needs_rules_that_allow_it() {
    for (half_turns, facing) in [(false, North), (true, South)] {
        let randomizer = Randomizer::Fixed(vec![T]);
        let rules = Ruleset { half_turns, randomizer, ..Ruleset::new(Mode::Practice) };
        let mut clock = Clock::new(Game::new(rules, 0).unwrap(), Handling::default());
        tap(&mut clock, 0, Button::HalfTurn);
        assert_eq!(clock.active().unwrap().orientation, facing);
    }
}

#[test]
fn a_game_that_is_over_before_it_starts_has_no_piece_and_no_time() {
    let mut board = Board::guideline();
    fill(&mut board, [4], 22);
    let mut clock = Clock::new(game(Mode::Practice, "T").with_board(board), Handling::default());
    tap(&mut clock, SECOND, Button::HardDrop);
    assert_eq!((clock.active(), clock.ghost(), clock.time()), (None, None, 0));
    assert!(clock.inputs().is_empty());
}

// Any inputs.

#[test]
fn a_turn_that_lowers_only_the_centre_is_no_new_lowest_row() {
    // Upright on the floor the T's centre is in row 1; laid flat it is in row 0, but the cells were there already.
    let mut clock = clock("T", INSTANT_DROP);
    tap(&mut clock, 0, Button::Clockwise);
    tap(&mut clock, 0, Button::SoftDrop);
    for _ in 0..8 {
        tap(&mut clock, 0, Button::Left);
        tap(&mut clock, 0, Button::Right);
    }
    tap(&mut clock, 400 * MS, Button::CounterClockwise);
    tap(&mut clock, 400 * MS, Button::SoftDrop);
    assert_locks_at(&mut clock, LOCK_DELAY);
}

#[test]
fn a_pause_with_both_directions_down_does_not_move_the_piece() {
    for (first, second) in [(Button::Right, Button::Left), (Button::Left, Button::Right)] {
        let handling = Handling { repeat_delay: 0, repeat_interval: 0, soft_drop_factor: 20 };
        let mut clock = clock("T", handling);
        clock.button_down(0, first);
        clock.button_down(10, second);
        let before = clock.active();
        clock.pause(30);
        assert_eq!(clock.active(), before);
    }
}

#[test]
fn a_kick_down_to_a_new_lowest_row_restores_the_resets() {
    // The well of a T-spin triple: a T that turns at its mouth is kicked down into it.
    let well = "##........\n#.........\n#.########\n#..#######\n#.########";
    let mut clock = grounded(game(Mode::Practice, "T").with_board(well.parse().unwrap()));
    for _ in 0..7 {
        tap(&mut clock, 0, Button::Left);
        tap(&mut clock, 0, Button::Right);
    }
    tap(&mut clock, 0, Button::Left);
    tap(&mut clock, 0, Button::Left);
    assert_eq!(place_at(&mut clock, 0), (2, 3), "all 15 resets are used");
    tap(&mut clock, 400 * MS, Button::Clockwise);
    assert_eq!(place_at(&mut clock, 400 * MS), (1, 1));
    assert_locks_at(&mut clock, 400 * MS + LOCK_DELAY);
}

#[test]
fn a_lost_practice_game_can_be_taken_back() {
    let mut clock = clock("O", Handling::default());
    let mut time = 0;
    while clock.game().outcome().is_none() {
        tap(&mut clock, time, Button::HardDrop);
        time += 1;
    }
    let placed = clock.game().placed();
    assert!(matches!(clock.game().outcome(), Some(Outcome::TopOut(_))));
    tap(&mut clock, time + 60 * SECOND, Button::Undo);
    assert_eq!(clock.game().outcome(), None);
    assert_eq!(clock.game().placed(), placed - 1);
    // The minute since the end did not count: the piece is still where it spawned, and locks when it is dropped.
    assert_eq!(row_at(&mut clock, time + 60 * SECOND + 10), clock.game().spawn(O).y);
    tap(&mut clock, time + 61 * SECOND, Button::HardDrop);
    assert_eq!(clock.game().placed(), placed);
}

#[test]
fn a_lost_sprint_stays_lost() {
    let mut clock = Clock::new(game(Mode::Sprint, "O"), Handling::default());
    for time in 0..30 {
        tap(&mut clock, time, Button::HardDrop);
    }
    let outcome = clock.game().outcome();
    assert!(outcome.is_some());
    tap(&mut clock, 40, Button::Undo);
    assert_eq!(clock.game().outcome(), outcome);
}

// Agents.

/// The first placement of the current piece.
fn first_move(clock: &Clock) -> Move {
    let game = clock.game();
    Move { hold: false, placement: game.placements(game.current()).iter().next().unwrap() }
}

#[test]
fn an_agent_places_the_piece_at_once_from_its_spawn() {
    let mut clock = clock("TOI", Handling::default());
    clock.advance(5 * SECOND);
    let play = first_move(&clock);
    let keys = clock.game().keys(play);
    clock.place(6 * SECOND, play).unwrap();
    let locked = clock.take_placed();
    assert_eq!(locked.len(), 1);
    assert_eq!((locked[0].at, locked[0].placement), (Some(6 * SECOND), play.placement));
    assert_eq!(locked[0].keys, Some(Keys::perfect(keys)));
    assert_eq!(clock.inputs(), [Input { at: 6 * SECOND, action: Action::Place(play) }]);
    assert_eq!(clock.active().unwrap().piece, O, "the next piece has spawned");
    assert_eq!(place_at(&mut clock, 7 * SECOND - 1).1, 19, "and falls after a full second");
}

#[test]
fn pieces_that_lock_in_one_long_moment_have_each_their_own_totals() {
    let mut clock = clock("TOI", Handling::default());
    clock.advance(60 * SECOND);
    let locked = clock.take_placed();
    let heights: Vec<_> = locked.iter().take(2).map(|placed| placed.totals.height).collect();
    assert_eq!(heights, [2, 4], "a T, and an O on top");
}

#[test]
fn an_agents_move_that_cannot_be_made_changes_nothing() {
    let mut clock = clock("TOI", Handling::default());
    let play = first_move(&clock);
    clock.button_down(0, Button::Hold);
    clock.button_up(1, Button::Hold);
    let held = clock.inputs().len();
    assert_eq!(clock.place(2, play), Err(IllegalMove::Piece { expected: O, found: T }));
    assert_eq!(clock.place(2, Move { hold: true, ..play }), Err(IllegalMove::Hold));
    clock.pause(3);
    let play = first_move(&clock);
    assert_eq!(clock.place(4, play), Err(IllegalMove::Paused));
    assert_eq!((clock.inputs().len(), clock.game().placed()), (held, 0));
    clock.resume(5);
    clock.place(5, play).unwrap();
    let locked = clock.take_placed();
    let keys = locked[0].keys.unwrap();
    assert!(!keys.is_fault());
    assert!(locked[0].held && keys.pressed >= 2, "the hold that was pressed counts");
}

#[test]
fn an_agents_move_is_taken_back_as_any_other() {
    let mut clock = Clock::new(Game::new(Ruleset::new(Mode::Practice), 1).unwrap(), Handling::default());
    let before = clock.game().state_hash();
    let play = first_move(&clock);
    clock.place(0, play).unwrap();
    clock.button_down(1, Button::Undo);
    assert_eq!(clock.game().state_hash(), before);
}
