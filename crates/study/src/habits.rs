//! How an agent plays: how many keys it presses, where it keeps its well, what its stack looks like, what it scores with.
//!
//! [`HabitCounts`] counts one game, placement by placement; [`Habits`] sums up any number of games.

use crate::stack::Well;
use serde::Serialize;
use std::collections::BTreeMap;
use tetrion_engine::game::Game;
use tetrion_engine::piece::Orientation;
use tetrion_engine::record::PlacementRecord;
use tetrion_engine::scoring::{Clear, Scoring, Streak};

/// The counts of one game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HabitCounts {
    placements: u64,
    holds: u64,
    /// Placements by their keys before the drop. The last one counts all placements with more keys.
    keys: [u64; 5],
    as_entered: u64,
    clears: BTreeMap<&'static str, ClearCounts>,
    /// What was scored beside the clears. `None` if the rules count only lines.
    bonuses: Option<BonusCounts>,
    /// Column heights, summed over the boards after each placement, as are the next two.
    heights: Vec<u64>,
    stack_heights: u64,
    holes: u64,
    /// How often each column was a well, and the sum of all their depths.
    wells: Vec<u64>,
    well_depths: u64,
}

/// The clears of one kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct ClearCounts {
    count: u64,
    lines: u64,
    /// Points without bonuses.
    points: u64,
}

/// Points by the bonus that they come from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct BonusCounts {
    /// Below zero under rules by which a back-to-back is worth less.
    back_to_back: i64,
    combo: i64,
    perfect_clear: i64,
    soft_drop: i64,
    hard_drop: i64,
}

impl HabitCounts {
    /// Counts a placement, given the game after it.
    pub fn add(&mut self, record: &PlacementRecord, game: &Game) {
        let board = game.board();
        let keys = record.keys.map_or(0, |keys| keys.pressed);
        self.placements += 1;
        self.holds += u64::from(record.held);
        let before_the_drop = keys.saturating_sub(1 + u32::from(record.held)) as usize;
        self.keys[before_the_drop.min(self.keys.len() - 1)] += 1;
        self.as_entered += u64::from(record.placement.location().orientation == Orientation::North);
        self.add_points(record, &game.rules().scoring);
        self.heights.resize(board.width(), 0);
        self.wells.resize(board.width(), 0);
        for x in 0..board.width() {
            let height = board.column_height(x) as u64;
            self.heights[x] += height;
            self.holes += height - u64::from(board.columns()[x].count_ones());
        }
        self.stack_heights += board.stack_height() as u64;
        if let Some(well) = Well::of(board) {
            self.wells[well.column] += 1;
            self.well_depths += well.depth as u64;
        }
    }

    fn add_points(&mut self, record: &PlacementRecord, scoring: &Scoring) {
        let clear = Clear { lines: record.lines, spin: record.placement.spin(), perfect: false };
        // The same clear without a streak scores no bonus.
        let base = scoring.score(&mut Streak::default(), clear).points.clear;
        if let Some(name) = record.clear_name() {
            let counts = self.clears.entry(name).or_default();
            counts.count += 1;
            counts.lines += u64::from(record.lines);
            counts.points += u64::from(base);
        }
        if let Scoring::Points(_) = scoring {
            let bonuses = self.bonuses.get_or_insert_default();
            bonuses.back_to_back += i64::from(record.points.clear) - i64::from(base);
            bonuses.combo += i64::from(record.points.combo);
            bonuses.perfect_clear += i64::from(record.points.perfect_clear);
            let soft_drop = scoring.drop(record.soft_drop, 0);
            bonuses.soft_drop += i64::from(soft_drop);
            bonuses.hard_drop += i64::from(record.points.drop - soft_drop);
        }
    }

    /// Whether the same column was a well most of the time.
    fn kept_one_well(&self) -> bool {
        self.wells.iter().any(|count| 2 * count > self.placements)
    }
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
    /// Where the points came from. `None` if the rules count only lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<PointSources>,
}

/// Where the points of games came from, per game. All points together are the mean score.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PointSources {
    /// The clears and spins, by name.
    pub clears: BTreeMap<String, ClearSource>,
    /// The points that back-to-backs added.
    pub back_to_back: f64,
    /// The points of combos.
    pub combo: f64,
    /// The points that perfect clears (all clears) added.
    pub perfect_clear: f64,
    /// The points of soft drops.
    pub soft_drop: f64,
    /// The points of hard drops.
    pub hard_drop: f64,
    /// The pieces that no clear used: their cells are on the board at the end.
    pub pieces_left: f64,
}

/// The clears of one kind, per game.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ClearSource {
    /// How many there were.
    pub count: f64,
    /// Their points without bonuses.
    pub points: f64,
    /// The pieces that they used: a row has as many cells as a quarter of the width has pieces, so a tetris uses 10.
    pub pieces: f64,
}

impl PointSources {
    /// The points of all sources: the mean score.
    pub fn total(&self) -> f64 {
        self.clears.values().map(|clear| clear.points).sum::<f64>()
            + self.back_to_back
            + self.combo
            + self.perfect_clear
            + self.soft_drop
            + self.hard_drop
    }

    fn of(games: &[HabitCounts]) -> Option<PointSources> {
        let bonuses: Vec<&BonusCounts> = games.iter().filter_map(|game| game.bonuses.as_ref()).collect();
        if bonuses.is_empty() {
            return None;
        }
        let per_game = |sum: u64| sum as f64 / games.len() as f64;
        let bonus = |points: fn(&BonusCounts) -> i64| {
            bonuses.iter().map(|game| points(game)).sum::<i64>() as f64 / games.len() as f64
        };
        let mut sums: BTreeMap<&str, ClearCounts> = BTreeMap::new();
        for (name, ClearCounts { count, lines, points }) in games.iter().flat_map(|game| &game.clears) {
            let sum = sums.entry(name).or_default();
            sum.count += count;
            sum.lines += lines;
            sum.points += points;
        }
        let pieces = |lines: u64| per_game(lines) * games[0].heights.len() as f64 / 4.0;
        let placements: u64 = games.iter().map(|game| game.placements).sum();
        let lines: u64 = sums.values().map(|sum| sum.lines).sum();
        let source = |sum: ClearCounts| ClearSource {
            count: per_game(sum.count),
            points: per_game(sum.points),
            pieces: pieces(sum.lines),
        };
        Some(PointSources {
            clears: sums.into_iter().map(|(name, sum)| (name.to_owned(), source(sum))).collect(),
            back_to_back: bonus(|game| game.back_to_back),
            combo: bonus(|game| game.combo),
            perfect_clear: bonus(|game| game.perfect_clear),
            soft_drop: bonus(|game| game.soft_drop),
            hard_drop: bonus(|game| game.hard_drop),
            pieces_left: per_game(placements) - pieces(lines),
        })
    }
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
        for (name, counts) in games.iter().flat_map(|game| &game.clears) {
            *clears.entry((*name).to_owned()).or_insert(0.0) += counts.count as f64 / games.len() as f64;
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
            points: PointSources::of(games),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::drawn;
    use tetrion_engine::game::{Game, Move};
    use tetrion_engine::location::{PieceLocation, Placement, Spin};
    use tetrion_engine::piece::Piece;
    use tetrion_engine::randomizer::Randomizer;
    use tetrion_engine::record::Keys;
    use tetrion_engine::ruleset::{Mode, Ruleset};

    /// Plays these pieces on a drawn board and counts. Each placement: whether to hold first, the orientation, and the column of
    /// the piece's centre.
    fn play(board: &str, pieces: &[Piece], places: &[(bool, Orientation, i8)]) -> HabitCounts {
        let rules =
            Ruleset { randomizer: Randomizer::Fixed(pieces.to_vec()), ..Ruleset::for_agents(Mode::Sprint) };
        play_by(rules, board, places).0
    }

    /// The same with other rules. Returns the score as well.
    fn play_by(rules: Ruleset, board: &str, places: &[(bool, Orientation, i8)]) -> (HabitCounts, u64) {
        let mut game = Game::new(rules, 1).unwrap().with_board(drawn::board(board));
        let mut counts = HabitCounts::default();
        for &(hold, orientation, x) in places {
            let piece = if hold { game.view().unwrap().piece_after_hold().unwrap() } else { game.current() };
            let spawn = game.spawn(piece);
            let over = PieceLocation { orientation, x, ..spawn };
            let play = Move { hold, placement: Placement::new(over.dropped(game.board()), Spin::None) };
            let keys = Some(Keys::perfect(game.keys(play)));
            let record = PlacementRecord { keys, ..game.play(play).unwrap() };
            counts.add(&record, &game);
        }
        (counts, game.score())
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
    fn points_are_told_by_their_sources() {
        use Orientation::{East, North};
        let rules = Ruleset {
            randomizer: Randomizer::Fixed(vec![Piece::I, Piece::I, Piece::O]),
            ..Ruleset::for_agents(Mode::Blitz)
        };
        // Two tetrises in a row; the second leaves the board empty. Then an O that clears nothing.
        let well = "#########. ".repeat(8);
        let places = [(false, East, 9), (false, East, 9), (false, North, 4)];
        let (counts, score) = play_by(rules.clone(), &well, &places);
        let points = Habits::of(std::slice::from_ref(&counts)).points.unwrap();
        let tetrises = ClearSource { count: 2.0, points: 1600.0, pieces: 20.0 };
        assert_eq!(points.clears, BTreeMap::from([("Tetris".to_owned(), tetrises)]));
        assert_eq!((points.back_to_back, points.combo, points.perfect_clear), (400.0, 50.0, 3200.0));
        // 80 cells are cleared, of which 72 were there before: 3 pieces less 20.
        assert_eq!(points.pieces_left, -17.0);
        assert_eq!((points.soft_drop, points.total()), (0.0, score as f64));

        let (nothing, _) = play_by(rules, "", &[(false, North, 4)]);
        let points = Habits::of(&[counts, nothing]).points.unwrap();
        assert_eq!((points.clears["Tetris"].count, points.back_to_back), (1.0, 200.0));
    }

    #[test]
    fn games_that_count_only_lines_have_no_points() {
        let rules = Ruleset { scoring: Scoring::Lines, ..Ruleset::for_agents(Mode::Blitz) };
        let (counts, _) = play_by(rules, "", &[(false, Orientation::North, 4)]);
        assert_eq!(Habits::of(&[counts]).points, None);
    }

    #[test]
    fn no_games_give_zeros_not_a_division_by_zero() {
        assert_eq!(Habits::of(&[]).as_entered, 0.0);
        assert_eq!(Habits::of(&[HabitCounts::default()]).well_depth, 0.0);
    }
}
