//! How an agent plays: how many keys it presses, where it keeps its well, what its stack looks like.
//!
//! [`HabitCounts`] counts one game, placement by placement; [`Habits`] sums up any number of games.

use serde::Serialize;
use std::collections::BTreeMap;
use tetrion_engine::board::Board;
use tetrion_engine::piece::Orientation;
use tetrion_engine::record::PlacementRecord;

/// The counts of one game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HabitCounts {
    placements: u64,
    holds: u64,
    /// Placements by their keys before the drop. The last one counts all placements with more keys.
    keys: [u64; 5],
    as_entered: u64,
    clears: BTreeMap<&'static str, u64>,
    /// Column heights, summed over the boards after each placement, as are the next two.
    heights: Vec<u64>,
    stack_heights: u64,
    holes: u64,
    /// How often each column was a well, and the sum of all their depths.
    wells: Vec<u64>,
    well_depths: u64,
}

impl HabitCounts {
    /// Counts a placement, and the board after it.
    pub fn add(&mut self, record: &PlacementRecord, board: &Board) {
        let keys = record.keys.map_or(0, |keys| keys.pressed);
        self.placements += 1;
        self.holds += u64::from(record.held);
        let before_the_drop = keys.saturating_sub(1 + u32::from(record.held)) as usize;
        self.keys[before_the_drop.min(self.keys.len() - 1)] += 1;
        self.as_entered += u64::from(record.placement.location().orientation == Orientation::North);
        if let Some(name) = record.clear_name() {
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

/// The column that is lower than every other column, and by how many rows.
fn well(board: &Board) -> Option<(usize, usize)> {
    let mut heights: Vec<(usize, usize)> = (0..board.width()).map(|x| (board.column_height(x), x)).collect();
    heights.sort_unstable();
    let (lowest, next) = (heights[0], heights[1]);
    (lowest.0 < next.0).then(|| (lowest.1, next.0 - lowest.0))
}

/// How games were played. Shares are from 0 to 1. Boards are those after each placement, with full rows cleared.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Habits {
    /// The shares of placements with 0, 1, 2, 3, and 4 or more keys before the drop, not counting the hold.
    pub keys_before_the_drop: [f64; 5],
    /// Holds per game.
    pub holds: f64,
    /// The share of placements in the spawn orientation.
    pub as_entered: f64,
    /// Clears and spins per game, by name.
    pub clears: BTreeMap<String, f64>,
    /// The mean height of the highest column.
    pub stack_height: f64,
    /// The mean number of holes: empty cells with a filled cell above them.
    pub holes: f64,
    /// The mean height of each column.
    pub heights: Vec<f64>,
    /// The share of boards on which each column was the well: lower than every other column.
    pub wells: Vec<f64>,
    /// The mean depth of a well: how many rows it was below the next column.
    pub well_depth: f64,
    /// The share of games in which one column was the well more than half of the time.
    pub kept_one_well: f64,
}

impl Habits {
    /// Sums up games on boards of the same width.
    pub fn of(games: &[HabitCounts]) -> Habits {
        let total = |count: fn(&HabitCounts) -> u64| games.iter().map(count).sum::<u64>() as f64;
        let columns = |counts: fn(&HabitCounts) -> &[u64]| {
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
            *clears.entry((*name).to_owned()).or_insert(0.0) += *count as f64 / games.len() as f64;
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
    use tetrion_engine::record::Keys;
    use tetrion_engine::ruleset::{Mode, Ruleset};

    fn drawn(rows: &str) -> Board {
        let mut board = Board::guideline();
        for (y, row) in rows.split_whitespace().rev().enumerate() {
            row.bytes().enumerate().for_each(|(x, cell)| board.set(x, y, cell == b'#'));
        }
        board
    }

    /// Plays these pieces on a drawn board and counts. Each placement: whether to hold first, the orientation, and the column of
    /// the piece's centre.
    fn play(board: &str, pieces: &[Piece], places: &[(bool, Orientation, i8)]) -> HabitCounts {
        let rules =
            Ruleset { randomizer: Randomizer::Fixed(pieces.to_vec()), ..Ruleset::for_agents(Mode::Sprint) };
        let mut game = Game::new(rules, 1).unwrap().with_board(drawn(board));
        let mut counts = HabitCounts::default();
        for &(hold, orientation, x) in places {
            let piece = if hold { game.view().unwrap().piece_after_hold().unwrap() } else { game.current() };
            let spawn = game.spawn(piece);
            let over = PieceLocation { orientation, x, ..spawn };
            let play = Move { hold, placement: Placement::new(over.dropped(game.board()), Spin::None) };
            let keys = Some(Keys::perfect(game.keys(play)));
            let record = PlacementRecord { keys, ..game.play(play).unwrap() };
            counts.add(&record, game.board());
        }
        counts
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
        // The I turned into the well on the right leaves an empty board; then an O drops as it spawns.
        let well = "#########. #########. #########. #########.";
        let counts =
            play(well, &[Piece::I, Piece::O, Piece::L, Piece::T], &[(false, East, 9), (false, North, 4)]);
        let habits = Habits::of(&[counts]);
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
        // The O is held for the I, which drops flat over columns 3 to 6 and covers three empty cells. Only column 0 is empty.
        let counts = play(".###...### .#########", &[Piece::O, Piece::I], &[(true, Orientation::North, 4)]);
        let habits = Habits::of(&[counts.clone(), counts]);
        assert_eq!((habits.holds, habits.holes, habits.stack_height), (1.0, 3.0, 3.0));
        assert_eq!((habits.wells[0], habits.well_depth, habits.kept_one_well), (1.0, 2.0, 1.0));
        assert_eq!(habits.keys_before_the_drop, [1.0, 0.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn no_games_give_zeros_not_a_division_by_zero() {
        assert_eq!(Habits::of(&[]).as_entered, 0.0);
        assert_eq!(Habits::of(&[HabitCounts::default()]).well_depth, 0.0);
    }
}
