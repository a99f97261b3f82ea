//! How an agent plays: which keys it takes, where it keeps its well, what its stack looks like.
//!
//! A game is watched placement by placement; the [`Habits`] are those of any number of games.

use serde::Serialize;
use std::collections::BTreeMap;
use tetrion_engine::board::Board;
use tetrion_engine::game::Event;
use tetrion_engine::piece::Orientation;

/// What was counted in one game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Watched {
    placements: u64,
    holds: u64,
    /// By the keys before the drop; the last is for all that take more.
    keys: [u64; 5],
    as_entered: u64,
    clears: BTreeMap<String, u64>,
    /// The sums over the boards that placements left.
    heights: Vec<u64>,
    stack_heights: u64,
    holes: u64,
    /// How often each column was a well, and how deep they were in all.
    wells: Vec<u64>,
    well_depths: u64,
}

impl Watched {
    /// Counts a placement: the keys that it took, hold and drop included, what happened, and the board that it left.
    pub fn add(&mut self, keys: u32, event: &Event, board: &Board) {
        self.placements += 1;
        self.holds += u64::from(event.held);
        let before_the_drop = keys.saturating_sub(1 + u32::from(event.held)) as usize;
        self.keys[before_the_drop.min(self.keys.len() - 1)] += 1;
        self.as_entered += u64::from(event.placement.location().orientation == Orientation::North);
        if let Some(name) = event.clear_name() {
            *self.clears.entry(name).or_default() += 1;
        }
        self.heights.resize(board.width(), 0);
        self.wells.resize(board.width(), 0);
        for x in 0..board.width() {
            let height = board.column_height(x) as u64;
            self.heights[x] += height;
            self.holes += height - u64::from(board.columns()[x].count_ones());
        }
        self.stack_heights += board.stack_height() as u64;
        if let Some((column, depth)) = well(board) {
            self.wells[column] += 1;
            self.well_depths += depth as u64;
        }
    }

    /// Whether the same column was a well most of the time.
    fn kept_one_well(&self) -> bool {
        self.wells.iter().any(|count| 2 * count > self.placements)
    }
}

/// The column that is lower than every other, and by how many rows.
fn well(board: &Board) -> Option<(usize, usize)> {
    let mut heights: Vec<(usize, usize)> = (0..board.width()).map(|x| (board.column_height(x), x)).collect();
    heights.sort_unstable();
    let (lowest, next) = (heights[0], heights[1]);
    (lowest.0 < next.0).then(|| (lowest.1, next.0 - lowest.0))
}

/// How games were played. Shares are from 0 to 1; boards are those that placements left, with full rows cleared.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Habits {
    /// The share of placements that took 0, 1, 2, 3, and 4 or more keys before the drop, the hold not counted.
    pub keys_before_the_drop: [f64; 5],
    /// Holds a game.
    pub holds: f64,
    /// The share of placements in the orientation in which the piece entered.
    pub as_entered: f64,
    /// Clears and spins a game, by name.
    pub clears: BTreeMap<String, f64>,
    /// The mean height of the highest column.
    pub stack_height: f64,
    /// Empty cells with a filled one above them.
    pub holes: f64,
    /// The mean height of each column.
    pub heights: Vec<f64>,
    /// How often each column was the well: the one that is lower than every other.
    pub wells: Vec<f64>,
    /// By how many rows a well was lower than the next column, where there was one.
    pub well_depth: f64,
    /// The share of games in which the same column was the well more than half of the time.
    pub kept_one_well: f64,
}

impl Habits {
    /// The habits in some games on boards of the same width.
    pub fn of(games: &[Watched]) -> Habits {
        let total = |count: fn(&Watched) -> u64| games.iter().map(count).sum::<u64>() as f64;
        let columns = |counts: fn(&Watched) -> &[u64]| {
            let width = games.iter().map(|game| counts(game).len()).max().unwrap_or(0);
            let sum = |x: usize| games.iter().filter_map(|game| counts(game).get(x)).sum::<u64>() as f64;
            (0..width).map(sum).collect::<Vec<f64>>()
        };
        let share = |count: f64, all: f64| if all > 0.0 { count / all } else { 0.0 };
        let placements = total(|game| game.placements);
        let a_placement = |sums: Vec<f64>| sums.into_iter().map(|sum| share(sum, placements)).collect();
        let wells = columns(|game| &game.wells);
        let mut clears = BTreeMap::new();
        for (name, count) in games.iter().flat_map(|game| &game.clears) {
            *clears.entry(name.clone()).or_insert(0.0) += *count as f64 / games.len() as f64;
        }
        let keys = columns(|game| &game.keys);
        Habits {
            keys_before_the_drop: std::array::from_fn(|count| {
                share(keys.get(count).copied().unwrap_or(0.0), placements)
            }),
            holds: share(total(|game| game.holds), games.len() as f64),
            as_entered: share(total(|game| game.as_entered), placements),
            clears,
            stack_height: share(total(|game| game.stack_heights), placements),
            holes: share(total(|game| game.holes), placements),
            heights: a_placement(columns(|game| &game.heights)),
            well_depth: share(total(|game| game.well_depths), wells.iter().sum()),
            wells: a_placement(wells),
            kept_one_well: share(total(|game| u64::from(game.kept_one_well())), games.len() as f64),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use tetrion_engine::game::{Game, Move};
    use tetrion_engine::location::{PieceLocation, Placement, Spin};
    use tetrion_engine::piece::Piece;
    use tetrion_engine::randomizer::Randomizer;
    use tetrion_engine::ruleset::{Mode, Ruleset};

    fn drawn(rows: &str) -> Board {
        let mut board = Board::guideline();
        for (y, row) in rows.split_whitespace().rev().enumerate() {
            row.bytes().enumerate().for_each(|(x, cell)| board.set(x, y, cell == b'#'));
        }
        board
    }

    /// A game of these pieces on a drawn board, watched; each is placed with its centre in a column, `hold` before the last.
    fn watch(board: &str, pieces: &[Piece], places: &[(bool, Orientation, i8)]) -> Watched {
        let rules =
            Ruleset { randomizer: Randomizer::Fixed(pieces.to_vec()), ..Ruleset::for_agents(Mode::Sprint) };
        let mut game = Game::new(rules, 1).unwrap().with_board(drawn(board));
        let mut watched = Watched::default();
        for &(hold, orientation, x) in places {
            let piece = if hold { game.view().unwrap().piece_after_hold().unwrap() } else { game.current() };
            let entry = game.entry(piece);
            let over = PieceLocation { orientation, x, ..entry };
            let play = Move { hold, placement: Placement::new(over.dropped(game.board()), Spin::None) };
            let keys = game.keys(play);
            let event = game.play(play).unwrap();
            watched.add(keys, &event, game.board());
        }
        watched
    }

    #[test]
    fn a_well_is_the_one_column_below_all_others() {
        assert_eq!(well(&drawn("#.######## #.######## #.########")), Some((1, 3)));
        assert_eq!(well(&drawn(".########. .########.")), None);
        assert_eq!(well(&drawn("#.######.# ########.#")), Some((8, 1)));
        assert_eq!(well(&Board::guideline()), None);
    }

    #[test]
    fn a_game_worked_by_hand() {
        use Orientation::{East, North};
        // The I turned into the well on the right leaves nothing; then an O as it enters, and a T out of the hold beside it.
        let well = "#########. #########. #########. #########.";
        let watched =
            watch(well, &[Piece::I, Piece::O, Piece::L, Piece::T], &[(false, East, 9), (false, North, 4)]);
        let habits = Habits::of(&[watched]);
        assert_eq!(habits.clears, BTreeMap::from([("Tetris".to_owned(), 1.0)]));
        assert_eq!(habits.keys_before_the_drop, [0.5, 0.0, 0.5, 0.0, 0.0]);
        assert_eq!((habits.as_entered, habits.holds), (0.5, 0.0));
        assert_eq!((habits.stack_height, habits.holes), (1.0, 0.0));
        assert_eq!(habits.heights, [0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0]);
        assert_eq!(
            (habits.wells.iter().sum::<f64>(), habits.well_depth, habits.kept_one_well),
            (0.0, 0.0, 0.0)
        );
    }

    #[test]
    fn holes_holds_and_wells_are_counted_after_each_placement() {
        // An O held for the I, which lies down over columns 3 to 6: three empty cells below it; column 0 alone is empty.
        let watched = watch(".###...### .#########", &[Piece::O, Piece::I], &[(true, Orientation::North, 4)]);
        let habits = Habits::of(&[watched.clone(), watched]);
        assert_eq!((habits.holds, habits.holes, habits.stack_height), (1.0, 3.0, 3.0));
        assert_eq!((habits.wells[0], habits.well_depth, habits.kept_one_well), (1.0, 2.0, 1.0));
        assert_eq!(habits.keys_before_the_drop, [1.0, 0.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn nothing_played_has_no_habits_to_divide_by() {
        assert_eq!(Habits::of(&[]).as_entered, 0.0);
        assert_eq!(Habits::of(&[Watched::default()]).well_depth, 0.0);
    }
}
