//! Key paths: the fewest keys that bring a piece to a placement.
//!
//! A key is a tap, an auto-repeat held until the piece is stopped, a turn, a soft drop held for some rows, or the hard drop
//! that ends every path.

use super::flood::{Flood, Planes, WALL};
use super::{MoveRules, Movement, spawns_freely};
use crate::board::Board;
use crate::location::{LastAction, PieceLocation, Placement, Spin};
use crate::piece::{Orientation, Piece};
use crate::rotation::{Turn, kicks};
use std::fmt;
use std::sync::OnceLock;

/// A key press. Some keys are held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    /// One column to the left.
    Left,
    /// One column to the right.
    Right,
    /// Held: left until something blocks the piece.
    FarLeft,
    /// Held: right until something blocks the piece.
    FarRight,
    /// Turn clockwise.
    Clockwise,
    /// Turn counter-clockwise.
    CounterClockwise,
    /// Half turn (180°).
    Half,
    /// Held: soft drop by this many rows.
    SoftDrop(u8),
    /// Hard drop: fall to the ground and lock.
    HardDrop,
}

impl Key {
    /// The piece after the key, and what moved it. `None` if it does not move, except by a hard drop.
    pub fn press(self, location: PieceLocation, board: &Board) -> Option<(PieceLocation, LastAction)> {
        let turned =
            |turn| location.turn(turn, board).map(|(turned, test)| (turned, LastAction::of_turn(turn, test)));
        let moved = match self {
            Key::Clockwise => return turned(Turn::Clockwise),
            Key::CounterClockwise => return turned(Turn::CounterClockwise),
            Key::Half => return turned(Turn::Half),
            Key::Left => location.step((-1, 0), board)?,
            Key::Right => location.step((1, 0), board)?,
            Key::FarLeft => as_far_as(location, (-1, 0), usize::MAX, board),
            Key::FarRight => as_far_as(location, (1, 0), usize::MAX, board),
            Key::SoftDrop(rows) => as_far_as(location, (0, -1), rows.into(), board),
            Key::HardDrop => location.dropped(board),
        };
        (moved != location).then_some((moved, LastAction::Moved))
    }
}

fn as_far_as(from: PieceLocation, by: (i8, i8), steps: usize, board: &Board) -> PieceLocation {
    std::iter::successors(Some(from), |location| location.step(by, board))
        .take(steps.saturating_add(1))
        .last()
        .unwrap_or(from)
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Key::Left => f.write_str("left"),
            Key::Right => f.write_str("right"),
            Key::FarLeft => f.write_str("far left"),
            Key::FarRight => f.write_str("far right"),
            Key::Clockwise => f.write_str("clockwise"),
            Key::CounterClockwise => f.write_str("counter-clockwise"),
            Key::Half => f.write_str("half turn"),
            Key::SoftDrop(rows) => write!(f, "soft drop {rows}"),
            Key::HardDrop => f.write_str("hard drop"),
        }
    }
}

/// The shortest path from `start` to a placement, including the hard drop. `None` if it can't be reached. Among paths of equal
/// length, one without soft drops is preferred.
pub fn keys_to(
    board: &Board,
    start: PieceLocation,
    placement: Placement,
    rules: MoveRules,
) -> Option<Vec<Key>> {
    let search = Search::run(board, start, placement, rules, usize::MAX)?;
    let mut keys = vec![Key::HardDrop];
    keys.extend(search.keys_backwards());
    keys.reverse();
    Some(keys)
}

/// The number of keys of the shortest path, including the hard drop. `None` if the placement can't be reached.
///
/// [`Movement::Straight`] has no keys, so it counts those on an empty board.
pub fn fewest_keys(
    board: &Board,
    start: PieceLocation,
    placement: Placement,
    rules: MoveRules,
) -> Option<u32> {
    let mut limit = usize::MAX;
    let mut open = None;
    if is_open_drop(board, start, placement, rules) {
        let keys = u32::from(open_way(board, placement, rules).keys);
        // Any other path has a soft drop, something after it, and the hard drop: three keys.
        if keys <= 3 || rules.movement != Movement::Full {
            return Some(keys);
        }
        // Only a shorter path matters.
        limit = keys as usize - 2;
        open = Some(keys);
    }
    let search = Search::run(board, start, placement, rules, limit);
    search.map(|search| 1 + search.keys_backwards().count() as u32).or(open)
}

/// Whether a piece can shift and turn freely at its spawn and then drop straight to a placement. Such a placement is legal; others
/// may be legal too.
#[inline]
pub(crate) fn is_open_drop(
    board: &Board,
    start: PieceLocation,
    placement: Placement,
    rules: MoveRules,
) -> bool {
    let cells = placement.location().cells();
    placement.spin() == Spin::None
        && (rules.movement == Movement::Straight || spawns_freely(board, start))
        && is_open_above(board, cells)
        && cells.into_iter().any(|(x, y)| board.is_filled(x, y - 1))
}

/// Whether the cells, and all cells above them, are empty.
#[inline]
fn is_open_above(board: &Board, cells: [(i32, i32); 4]) -> bool {
    cells.into_iter().all(|(x, y)| {
        (0..board.width() as i32).contains(&x)
            && (0..60).contains(&y)
            && board.columns()[x as usize] >> y == 0
    })
}

/// The rows that a piece falls to a placement, by soft drop and by hard drop. It hard drops if nothing is above the placement,
/// else it soft drops and then slides or spins in.
#[inline]
pub(crate) fn rows_fallen(
    board: &Board,
    start: PieceLocation,
    placement: Placement,
    rules: MoveRules,
) -> (u32, u32) {
    let cells = placement.location().cells();
    let top = i32::from(start.y) + i32::from(open_way(board, placement, rules).bottom);
    let rows = (top - placement.location().bottom()).max(0) as u32;
    if is_open_above(board, cells) { (0, rows) } else { (rows, 0) }
}

#[inline]
fn open_way(board: &Board, placement: Placement, rules: MoveRules) -> OpenWay {
    let PieceLocation { piece, orientation, x, .. } = placement.location();
    open_board(board.width(), rules.half_turns).ways[piece as usize][orientation as usize][x as usize & 15]
}

/// The path to a column and orientation on an empty board.
#[derive(Clone, Copy, Default)]
struct OpenWay {
    /// Keys, including the hard drop.
    keys: u8,
    /// The piece's lowest row before the drop, relative to its spawn row.
    bottom: i8,
}

/// The paths on an empty board of some width.
struct OpenBoard {
    /// By piece, orientation and column of the centre.
    ways: [[[OpenWay; Board::MAX_WIDTH]; 4]; 7],
}

fn open_board(width: usize, half_turns: bool) -> &'static OpenBoard {
    static BOARDS: [[OnceLock<OpenBoard>; 2]; Board::MAX_WIDTH + 1] =
        [const { [const { OnceLock::new() }; 2] }; Board::MAX_WIDTH + 1];
    BOARDS[width][usize::from(half_turns)].get_or_init(|| OpenBoard::new(width, half_turns))
}

impl OpenBoard {
    fn new(width: usize, half_turns: bool) -> OpenBoard {
        let mut open = OpenBoard { ways: [[[OpenWay::default(); Board::MAX_WIDTH]; 4]; 7] };
        let Ok(board) = Board::new(width, Board::MAX_HEIGHT) else {
            return open;
        };
        let rules = MoveRules { movement: Movement::HardDrop, half_turns, spins: false };
        for piece in Piece::ALL {
            let start = PieceLocation::spawning(piece, &board, 20);
            for placement in super::generate(&board, start, rules).iter() {
                let Some(search) = Search::run(&board, start, placement, rules, usize::MAX) else {
                    continue;
                };
                let PieceLocation { orientation, x, .. } = placement.location();
                open.ways[piece as usize][orientation as usize][x as usize] = OpenWay {
                    keys: 1 + search.keys_backwards().count() as u8,
                    bottom: search.hard_drop as i8 - start.y,
                };
            }
        }
        open
    }
}

/// Places of a centre: 16 columns and 64 rows in four orientations, each after three kinds of last action.
const STATES: usize = 16 * 64 * 4 * 3;

/// A state as a number.
fn number(location: PieceLocation, last: LastAction) -> u16 {
    let place = (location.orientation as usize * 16 + location.x as usize) * 64 + location.y as usize;
    (place * 3 + last as usize) as u16
}

fn state(piece: Piece, number: u16) -> (PieceLocation, LastAction) {
    let (place, last) = (number as usize / 3, number % 3);
    let orientation = Orientation::ALL[place / 64 / 16];
    let location = PieceLocation { piece, orientation, x: (place / 64 % 16) as i8, y: (place % 64) as i8 };
    (location, [LastAction::Moved, LastAction::Turned, LastAction::Kicked][last as usize])
}

/// Where a piece fits, computed for all positions at once, so that each step tests only one bit.
struct Room {
    piece: Piece,
    free: Planes<u64, ROOM>,
}

/// Columns of the widest board, with its walls.
const ROOM: usize = Board::MAX_WIDTH + 2 * WALL;

impl Room {
    fn new(piece: Piece, board: &Board) -> Room {
        let ceiling = u64::MAX << board.height();
        let board = super::walled::<ROOM>(board).map(|column| column | ceiling);
        let free = match piece {
            Piece::I => Flood::new::<0>(&board).free,
            Piece::J => Flood::new::<1>(&board).free,
            Piece::L => Flood::new::<2>(&board).free,
            Piece::O => Flood::new::<3>(&board).free,
            Piece::S => Flood::new::<4>(&board).free,
            Piece::T => Flood::new::<5>(&board).free,
            Piece::Z => Flood::new::<6>(&board).free,
        };
        Room { piece, free }
    }

    /// The rows that are free in a column.
    fn column(&self, location: PieceLocation) -> u64 {
        self.free[location.orientation as usize][(i32::from(location.x) + WALL as i32) as usize]
    }

    fn fits(&self, location: PieceLocation) -> bool {
        location.y >= 0 && self.column(location) >> location.y & 1 == 1
    }

    /// How far the piece falls.
    fn rows_below(&self, location: PieceLocation) -> i8 {
        let from_here_down = self.column(location) << (63 - location.y);
        from_here_down.leading_ones() as i8 - 1
    }

    /// The piece shifted, once or for as long as there is room.
    fn shifted(&self, location: PieceLocation, direction: i8, far: bool) -> Option<PieceLocation> {
        let step =
            |location: &PieceLocation| Some(location.moved((direction, 0))).filter(|moved| self.fits(*moved));
        let once = step(&location)?;
        if far { std::iter::successors(Some(once), step).last() } else { Some(once) }
    }

    fn turned(&self, location: PieceLocation, turn: Turn) -> Option<(PieceLocation, LastAction)> {
        let turned = PieceLocation { orientation: location.orientation.turned(turn as u8), ..location };
        kicks(self.piece, location.orientation, turn).iter().enumerate().find_map(|(test, kick)| {
            let kicked = turned.moved(*kick);
            self.fits(kicked).then_some((kicked, LastAction::of_turn(turn, test)))
        })
    }
}

/// A finished breadth-first search.
struct Search {
    /// By state: the state before it and the key between them, if it was reached.
    came_from: [Option<(u16, Key)>; STATES],
    first: u16,
    last: u16,
    /// Rows that the hard drop falls from the last state.
    hard_drop: u32,
}

impl Search {
    /// Looks for the shortest path of at most `limit` keys before the hard drop.
    fn run(
        board: &Board,
        start: PieceLocation,
        placement: Placement,
        rules: MoveRules,
        limit: usize,
    ) -> Option<Search> {
        if !start.fits(board) {
            return None;
        }
        let room = Room::new(start.piece, board);
        let first = number(start, LastAction::Moved);
        let mut search = Search { came_from: [None; STATES], first, last: first, hard_drop: 0 };
        let mut queue = [first; STATES];
        let mut queued = 1;
        // Where the states with one more key start.
        let (mut keys, mut next_layer) = (0, 1);
        let mut next = 0;
        while next < queued {
            if next == next_layer {
                (keys, next_layer) = (keys + 1, queued);
            }
            let (location, last) = state(start.piece, queue[next]);
            let rows_below = room.rows_below(location);
            let resting = location.moved((0, -rows_below));
            if resting.canonical() == placement.location() {
                let last_at_rest = if rows_below == 0 { last } else { LastAction::Moved };
                let spin = if rules.spins { Spin::of(resting, last_at_rest, board) } else { Spin::None };
                if spin == placement.spin() {
                    search.last = queue[next];
                    search.hard_drop = rows_below as u32;
                    return Some(search);
                }
            }
            if keys < limit {
                let mut reach = |key: Key, (location, last): (PieceLocation, LastAction)| {
                    let reached = number(location, last);
                    if reached != first && search.came_from[reached as usize].is_none() {
                        search.came_from[reached as usize] = Some((queue[next], key));
                        queue[queued] = reached;
                        queued += 1;
                    }
                };
                for (key, direction, far) in [
                    (Key::Left, -1, false),
                    (Key::Right, 1, false),
                    (Key::FarLeft, -1, true),
                    (Key::FarRight, 1, true),
                ] {
                    let moved = room.shifted(location, direction, far);
                    moved.into_iter().for_each(|moved| reach(key, (moved, LastAction::Moved)));
                }
                for &turn in Turn::allowed(rules.half_turns) {
                    let key = [Key::Clockwise, Key::Half, Key::CounterClockwise][turn as usize - 1];
                    room.turned(location, turn).into_iter().for_each(|turned| reach(key, turned));
                }
                if rules.movement == Movement::Full {
                    for rows in 1..=rows_below {
                        reach(Key::SoftDrop(rows as u8), (location.moved((0, -rows)), LastAction::Moved));
                    }
                }
            }
            next += 1;
        }
        None
    }

    /// The keys from the last state back to the first, without the hard drop.
    fn keys_backwards(&self) -> impl Iterator<Item = Key> + '_ {
        let mut at = self.last;
        std::iter::from_fn(move || {
            if at == self.first {
                return None;
            }
            let (before, key) = self.came_from[at as usize]?;
            at = before;
            Some(key)
        })
    }
}
