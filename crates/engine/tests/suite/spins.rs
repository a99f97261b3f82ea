//! The spins and kicks that players know, each on its own board.
//!
//! Locations and kick tests are worked out by hand from the SRS tables. Columns count from 0 at the left, rows
//! from 0 at the bottom, kick tests from 0: the "fifth kick" is test 4.

use tetrion_engine::board::Board;
use tetrion_engine::game::{Game, Move};
use tetrion_engine::location::{LastAction, PieceLocation, Placement, Spin};
use tetrion_engine::moves::path;
use tetrion_engine::moves::{self, MoveRules, MoveSet};
use tetrion_engine::piece::Orientation::{self, East, North, South, West};
use tetrion_engine::piece::Piece::{self, I, J, L, S, T, Z};
use tetrion_engine::randomizer::Randomizer;
use tetrion_engine::record::PlacementRecord;
use tetrion_engine::rotation::Turn::{self, Clockwise, CounterClockwise, Half};
use tetrion_engine::ruleset::{Mode, Ruleset};

fn board(drawn: &str) -> Board {
    drawn.parse().unwrap()
}

fn at(piece: Piece, orientation: Orientation, x: i8, y: i8) -> PieceLocation {
    PieceLocation { piece, orientation, x, y }
}

/// Every placement of a piece that spawns in row 19, as in perft.
fn placements(board: &Board, piece: Piece) -> MoveSet {
    moves::generate(board, spawn(board, piece), MoveRules::GUIDELINE)
}

fn spawn(board: &Board, piece: Piece) -> PieceLocation {
    PieceLocation::spawning(piece, board, 19)
}

/// Where the keys to a placement take the piece, and its spin there.
fn follow_keys(board: &Board, placement: Placement) -> Placement {
    let start = spawn(board, placement.piece());
    let keys = path::keys_to(board, start, placement, MoveRules::GUIDELINE).expect("a path");
    let reached =
        keys.iter().fold((start, LastAction::Moved), |at, key| key.press(at.0, board).unwrap_or(at));
    Placement::new(reached.0, Spin::of(reached.0, reached.1, board))
}

/// The record of a placement as the first move.
fn played(board: &Board, placement: Placement) -> PlacementRecord {
    let randomizer = Randomizer::Fixed(vec![placement.piece()]);
    let mut game =
        Game::new(Ruleset { randomizer, ..Ruleset::new(Mode::Practice) }, 0).unwrap().with_board(*board);
    game.play(Move { hold: false, placement }).unwrap()
}

/// The last turn of a piece before it locks.
#[derive(Clone, Copy)]
struct Twist {
    from: PieceLocation,
    turn: Turn,
    kick_test: usize,
    to: PieceLocation,
    spin: Spin,
}

fn twist(from: PieceLocation, turn: Turn, kick_test: usize, to: PieceLocation, spin: Spin) -> Twist {
    Twist { from, turn, kick_test, to, spin }
}

impl Twist {
    fn placement(self) -> Placement {
        Placement::new(self.to, self.spin)
    }

    /// The mirror image. Not for I and O, whose centres are not in their middle.
    fn mirrored(self, board: &Board) -> Twist {
        let mirror = |location: PieceLocation| PieceLocation {
            piece: match location.piece {
                J => L,
                L => J,
                S => Z,
                Z => S,
                piece => piece,
            },
            orientation: [North, West, South, East][location.orientation as usize],
            x: board.width() as i8 - 1 - location.x,
            y: location.y,
        };
        let turn = match self.turn {
            Clockwise => CounterClockwise,
            CounterClockwise => Clockwise,
            Half => Half,
        };
        Twist { from: mirror(self.from), turn, to: mirror(self.to), ..self }
    }

    /// Checks that the turn ends there with that kick test, that the generator lists the placement, and that keys lead to it.
    fn check(self, board: &Board) {
        assert_eq!(self.from.turn(self.turn, board), Some((self.to, self.kick_test)), "{board:?}");
        assert!(self.to.is_grounded(board));
        let last = LastAction::of_turn(self.turn, self.kick_test);
        assert_eq!(Spin::of(self.to, last, board), self.spin, "{board:?}");
        assert!(
            placements(board, self.to.piece).contains(self.placement()),
            "{} on {board:?}",
            self.placement()
        );
        assert_eq!(follow_keys(board, self.placement()), self.placement(), "{board:?}");
    }

    /// Checks the same, and the lines and points, here and in the mirror image.
    fn check_clear(self, board: &Board, lines: u32, points: u32) {
        let (mirror, mirrored) = (board.mirrored(), self.mirrored(board));
        for (board, twist) in [(board, self), (&mirror, mirrored)] {
            twist.check(board);
            let event = played(board, twist.placement());
            assert_eq!((event.lines, event.points.clear), (lines, points), "{board:?}");
        }
    }
}

/// The T of the classic T-spin slot: it faces east in the slot and turns to fill it.
fn into_the_slot() -> Twist {
    twist(at(T, East, 4, 1), Clockwise, 0, at(T, South, 4, 1), Spin::Full)
}

#[test]
fn a_t_spin_double_is_full_and_scores_1200() {
    let slot = board(
        "...#......
         ###...####
         ####.#####",
    );
    into_the_slot().check_clear(&slot, 2, 1200);
    let without_spin = Placement::new(into_the_slot().to, Spin::None);
    assert!(!placements(&slot, T).contains(without_spin), "there is no other way in under the overhang");
    let event = played(&slot, into_the_slot().placement());
    assert_eq!(event.clear_name(), Some("T-Spin Double"));
    assert_eq!(event.cleared_rows, 0b11);
}

#[test]
fn a_t_spin_single_scores_800() {
    let slot = board(
        "...#......
         ###...###.
         ####.#####",
    );
    into_the_slot().check_clear(&slot, 1, 800);
}

#[test]
fn a_t_spin_without_lines_scores_400() {
    let slot = board(
        "...#......
         ###...###.
         ####.####.",
    );
    into_the_slot().check_clear(&slot, 0, 400);
}

#[test]
fn a_t_spin_triple_takes_the_fifth_kick() {
    let well = board(
        "##........
         #.........
         #.########
         #..#######
         #.########",
    );
    let twist = twist(at(T, North, 2, 3), Clockwise, 4, at(T, East, 1, 1), Spin::Full);
    twist.check_clear(&well, 3, 1600);
    assert_eq!(played(&well, twist.placement()).clear_name(), Some("T-Spin Triple"));
}

#[test]
fn a_fin_has_the_corners_of_a_mini_and_is_full_by_its_fifth_kick() {
    let fin = board(
        "###.......
         #.........
         #.........
         #..#######
         #.########",
    );
    let twist = twist(at(T, South, 2, 3), CounterClockwise, 4, at(T, East, 1, 1), Spin::Full);
    twist.check_clear(&fin, 2, 1200);
    assert_eq!(Spin::of(twist.to, LastAction::Turned, &fin), Spin::Mini, "by any other kick");
    assert!(!placements(&fin, T).contains(Placement::new(twist.to, Spin::Mini)));
}

#[test]
fn an_upward_fifth_kick_makes_a_mini_full_too() {
    let cave = board(
        "####.#####
         #...######
         #..#######
         #..#######
         #.########",
    );
    let (from, to) = (at(T, East, 1, 1), at(T, South, 2, 3));
    assert_eq!(from.turn(Clockwise, &cave), Some((to, 4)));
    assert_eq!(Spin::of(to, LastAction::Turned, &cave), Spin::Mini, "by any other kick");
    let inside = moves::generate(&cave, from, MoveRules::GUIDELINE);
    assert!(inside.contains(Placement::new(to, Spin::Full)));
    assert!(!inside.contains(Placement::new(to, Spin::Mini)));
}

/// An upright T at the left wall that turns flat under an overhang.
fn down_from_the_left_wall() -> Twist {
    twist(at(T, East, 0, 1), CounterClockwise, 2, at(T, North, 1, 0), Spin::Mini)
}

#[test]
fn a_mini_single_at_the_left_wall_scores_200() {
    let ledge = board(
        "..#.......
         ...#######",
    );
    down_from_the_left_wall().check(&ledge);
    let event = played(&ledge, down_from_the_left_wall().placement());
    assert_eq!((event.lines, event.points.clear), (1, 200));
    assert_eq!(event.clear_name(), Some("Mini T-Spin Single"));
}

#[test]
fn a_mini_single_at_the_right_wall_scores_200() {
    let ledge = board(
        ".......#..
         #######...",
    );
    let twist = twist(at(T, West, 9, 1), Clockwise, 2, at(T, North, 8, 0), Spin::Mini);
    twist.check(&ledge);
    let event = played(&ledge, twist.placement());
    assert_eq!((event.lines, event.points.clear), (1, 200));
}

#[test]
fn a_mini_without_lines_scores_100() {
    let ledge = board(
        "..#.......
         ...####.##",
    );
    down_from_the_left_wall().check_clear(&ledge, 0, 100);
    assert_eq!(played(&ledge, down_from_the_left_wall().placement()).clear_name(), Some("Mini T-Spin"));
}

#[test]
fn a_t_that_drops_in_beside_three_filled_corners_is_no_spin() {
    // Two corners are in the wall, and a front one is filled.
    let well = board(
        "..########
         .#########",
    );
    let resting = at(T, East, 0, 1);
    assert_eq!(Spin::of(resting, LastAction::Turned, &well), Spin::Mini, "three corners are filled");
    assert_eq!(Spin::of(resting, LastAction::Moved, &well), Spin::None);

    let dropped = Placement::new(resting, Spin::None);
    assert!(placements(&well, T).contains(dropped));
    assert_eq!(follow_keys(&well, dropped), dropped);
    for spin in [Spin::Mini, Spin::Full] {
        assert!(!placements(&well, T).contains(Placement::new(resting, spin)), "no turn leads there");
    }
    let event = played(&well, dropped);
    assert_eq!((event.lines, event.points.clear), (2, 300));
}

#[test]
fn a_turn_with_two_filled_corners_is_no_spin() {
    let open_slot = board(
        "###...####
         ####.#####",
    );
    let twist = Twist { spin: Spin::None, ..into_the_slot() };
    twist.check_clear(&open_slot, 2, 300);
}

#[test]
fn only_a_t_spins() {
    // All four corners around (3, 1) are filled.
    let cross = board(
        "###.######
         ##...#####
         ###.######",
    );
    for orientation in Orientation::ALL {
        for piece in Piece::ALL {
            let spin = Spin::of(at(piece, orientation, 3, 1), LastAction::Kicked, &cross);
            assert_eq!(spin, if piece == T { Spin::Full } else { Spin::None });
        }
    }
}

#[test]
fn an_s_twists_in_under_an_overhang() {
    let cave = board(
        "####..####
         #####..###
         ####..####",
    );
    let twist = twist(at(S, East, 4, 2), Clockwise, 2, at(S, South, 5, 1), Spin::None);
    twist.check_clear(&cave, 2, 300);
}

#[test]
fn a_z_twists_in_under_an_overhang() {
    let cave = board(
        "####..####
         ###..#####
         ####..####",
    );
    let twist = twist(at(Z, West, 5, 2), CounterClockwise, 2, at(Z, South, 4, 1), Spin::None);
    twist.check_clear(&cave, 2, 300);
}

#[test]
fn a_j_twists_its_tail_in_under_an_overhang() {
    let cave = board(
        "###.######
         ###...####
         #####.####",
    );
    let twist = twist(at(J, East, 3, 2), Clockwise, 2, at(J, South, 4, 1), Spin::None);
    twist.check_clear(&cave, 2, 300);
}

#[test]
fn an_l_twists_into_a_triple_by_the_fifth_kick() {
    let well = board(
        "##........
         #.........
         #.########
         #.########
         #..#######",
    );
    let twist = twist(at(L, North, 2, 3), Clockwise, 4, at(L, East, 1, 1), Spin::None);
    twist.check_clear(&well, 3, 500);
}

#[test]
fn an_i_kicks_off_the_walls() {
    let empty = Board::guideline();
    let turns = [
        (at(I, East, 0, 5), CounterClockwise, at(I, North, 1, 5), 1),
        (at(I, East, 0, 5), Clockwise, at(I, South, 2, 4), 2),
        (at(I, West, 9, 5), Clockwise, at(I, North, 7, 6), 2),
        (at(I, West, 9, 5), CounterClockwise, at(I, South, 8, 5), 1),
    ];
    for (from, turn, to, kick_test) in turns {
        assert_eq!(from.turn(turn, &empty), Some((to, kick_test)), "{from:?} {turn:?}");
    }
}

#[test]
fn an_i_kicks_off_the_floor() {
    let empty = Board::guideline();
    let lying = at(I, North, 4, 0);
    assert_eq!(lying.turn(Clockwise, &empty), Some((at(I, East, 6, 2), 4)));
    assert_eq!(lying.turn(CounterClockwise, &empty), Some((at(I, West, 3, 1), 3)));
}

#[test]
fn an_i_twists_in_under_an_overhang() {
    let slot = board(
        "#########.
         #########.
         #########.
         ######....",
    );
    let twist = twist(at(I, East, 9, 2), CounterClockwise, 4, at(I, North, 7, 0), Spin::None);
    twist.check(&slot);
    let event = played(&slot, twist.placement());
    assert_eq!((event.lines, event.cleared_rows, event.points.clear), (1, 0b1, 100));
}

#[test]
fn a_kick_is_blocked_by_the_ceiling_of_a_cavity() {
    let cavity = board(
        "#######...
         ##........
         ##........",
    );
    let without_ceiling = board(
        "##........
         ##........",
    );
    let lying = at(T, North, 4, 0);
    assert!(placements(&cavity, T).contains(Placement::new(lying, Spin::None)), "it slides in");
    assert_eq!(lying.turn(Clockwise, &cavity), None);
    assert_eq!(lying.turn(CounterClockwise, &cavity), None);
    assert_eq!(lying.turn(Clockwise, &without_ceiling), Some((at(T, East, 3, 1), 2)));
    assert_eq!(lying.turn(CounterClockwise, &without_ceiling), Some((at(T, West, 5, 1), 2)));
}

#[test]
fn a_kick_is_blocked_by_the_top_of_the_matrix() {
    let lying = at(T, North, 4, 0);
    let (two_rows, three_rows) = (Board::new(10, 2).unwrap(), Board::new(10, 3).unwrap());
    for (turn, to) in [(Clockwise, at(T, East, 3, 1)), (CounterClockwise, at(T, West, 5, 1))] {
        assert_eq!(lying.turn(turn, &two_rows), None);
        assert_eq!(lying.turn(turn, &three_rows), Some((to, 2)));
    }
    let reached: Vec<_> = moves::generate(&two_rows, lying, MoveRules::GUIDELINE).iter().collect();
    let lying_anywhere: Vec<_> = (1..=8).map(|x| Placement::new(at(T, North, x, 0), Spin::None)).collect();
    assert_eq!(reached, lying_anywhere);
}

#[test]
fn a_half_turn_needs_rules_that_allow_it() {
    // A T can't make a quarter turn in two rows, so only a half turn turns it upside down.
    let two_rows = Board::new(10, 2).unwrap();
    let lying = at(T, North, 4, 0);
    let on_its_head = at(T, South, 4, 1);
    assert_eq!(lying.turn(Half, &two_rows), Some((on_its_head, 1)), "the floor kicks it up one row");
    for half_turns in [false, true] {
        let rules = MoveRules { half_turns, ..MoveRules::GUIDELINE };
        let target = Placement::new(on_its_head, Spin::None);
        assert_eq!(moves::generate(&two_rows, lying, rules).contains(target), half_turns);
        assert_eq!(path::keys_to(&two_rows, lying, target, rules).is_some(), half_turns);
    }
}
