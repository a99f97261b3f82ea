//! Positions in TBP.

use super::bot::BadMessage;
use super::message::{Cell, RandomizerState, Row, Start};
use std::collections::BTreeMap;
use tetrion_engine::board::Board;
use tetrion_engine::piece::Piece;
use tetrion_engine::position::{Position, View};
use tetrion_engine::randomizer::Bag;
use tetrion_engine::scoring::Streak;

/// Longer combos count as this one, so that counting on can't overflow.
const MAX_COMBO: u32 = 1_000_000;
/// The most pieces in a queue.
pub(super) const MAX_QUEUE: usize = 1_000;

impl Start {
    /// The position of a game. Filled cells have no colours.
    pub fn of(view: &View) -> Start {
        let Position { board, queue, hold, streak, bag, .. } = view.position;
        let cell = |x: usize, y: usize| Cell { filled: board.is_filled(x as i32, y as i32) };
        Start {
            hold: *hold,
            queue: queue.clone(),
            combo: streak.clears,
            back_to_back: streak.back_to_back,
            board: (0..board.height()).map(|y| (0..board.width()).map(|x| cell(x, y)).collect()).collect(),
            randomizer: Some(bag.map_or(RandomizerState::Unknown, RandomizerState::of_bag)),
        }
    }

    /// The position. Its queue may be empty, which the engine's positions never are: wait for a piece then.
    pub(super) fn position(self) -> Result<Position, BadMessage> {
        if self.queue.len() > MAX_QUEUE {
            return Err(BadMessage::Queue);
        }
        let mut board = Board::guideline();
        for (y, row) in self.board.iter().enumerate() {
            for x in filled_columns(row, y, board.width())? {
                if y >= board.height() {
                    return Err(BadMessage::TooHigh);
                }
                board.set(x, y, true);
            }
        }
        board.clear_rows(board.full_rows());
        let mut position = Position::new(board, vec![Piece::I]);
        position.queue = self.queue;
        position.hold = self.hold;
        position.streak = Streak { back_to_back: self.back_to_back, clears: self.combo.min(MAX_COMBO) };
        position.bag = self.randomizer.and_then(RandomizerState::bag);
        Ok(position)
    }
}

/// The columns of a row that are filled.
fn filled_columns(row: &Row, y: usize, width: usize) -> Result<impl Iterator<Item = usize>, BadMessage> {
    if row.len() != width {
        return Err(BadMessage::Row { row: y, columns: row.len() });
    }
    Ok(row.iter().enumerate().filter(|(_, cell)| cell.filled).map(|(x, _)| x))
}

/// The board with rows added below it, the lowest last. What no longer fits at the top is lost, and full rows are cleared.
pub(super) fn with_garbage(board: &Board, rows: &[Row]) -> Result<Board, BadMessage> {
    let height = board.height();
    let added = &rows[rows.len().saturating_sub(height)..];
    let visible = (1u64 << height) - 1;
    let mut columns: Vec<u64> =
        board.columns().iter().map(|column| column << added.len() & visible).collect();
    for (y, row) in added.iter().rev().enumerate() {
        for x in filled_columns(row, y, columns.len())? {
            columns[x] |= 1 << y;
        }
    }
    let mut board = Board::from_columns(&columns, height);
    board.clear_rows(board.full_rows());
    Ok(board)
}

impl RandomizerState {
    /// The state of a 7-bag.
    fn of_bag(left: Bag) -> RandomizerState {
        let bag = if left.is_empty() { Bag::FULL } else { left };
        RandomizerState::SevenBag { bag_state: bag.iter().collect() }
    }

    /// What is left of a 7-bag; empty just before a new one. `None` if pieces are not drawn from one.
    fn bag(self) -> Option<Bag> {
        let bag: Bag = match self {
            RandomizerState::SevenBag { bag_state } => bag_state.into_iter().collect(),
            RandomizerState::GeneralBag { current_bag, filled_bag } => {
                let all_once = Piece::ALL.iter().all(|piece| filled_bag.get(piece) == Some(&1));
                let left = |bag: BTreeMap<Piece, u32>| bag.into_iter().filter(|(_, count)| *count > 0);
                all_once.then(|| left(current_bag).map(|(piece, _)| piece).collect())?
            }
            RandomizerState::Uniform | RandomizerState::Unknown => return None,
        };
        Some(if bag == Bag::FULL { Bag::EMPTY } else { bag })
    }
}

/// What is left of a 7-bag after a piece was drawn. `None` if the bag did not have it.
pub(super) fn drawn(left: Bag, piece: Piece) -> Option<Bag> {
    let bag = if left.is_empty() { Bag::FULL } else { left };
    bag.contains(piece).then(|| bag.without(piece))
}

/// What is left of a 7-bag after these pieces, if they can be divided into bags in one way only.
pub(super) fn inferred_bag(seen: &[Piece]) -> Option<Bag> {
    let bag = |pieces: &[Piece]| pieces.iter().copied().collect::<Bag>();
    // By how many pieces of the first bag were seen. If only pieces of that bag were seen, nobody knows what is left of it.
    let mut explanations = (0..7).filter_map(|first| {
        let (begun, rest) = seen.split_at_checked(first).unwrap_or((seen, &[]));
        let distinct = |pieces: &[Piece]| bag(pieces).len() == pieces.len();
        let possible = distinct(begun) && rest.chunks(7).all(distinct);
        let left = || {
            rest.chunks(7).last().map(|last| last.iter().fold(Bag::FULL, |bag, piece| bag.without(*piece)))
        };
        possible.then(left)
    });
    explanations.next().filter(|_| explanations.next().is_none()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tetrion_engine::piece::parse_queue;
    use tetrion_engine::ruleset::{Mode, Ruleset};

    fn bag(letters: &str) -> Bag {
        parse_queue(letters).unwrap().into_iter().collect()
    }

    fn counts(letters: &str) -> BTreeMap<Piece, u32> {
        let mut counts = BTreeMap::new();
        parse_queue(letters).unwrap().into_iter().for_each(|piece| *counts.entry(piece).or_default() += 1);
        counts
    }

    fn row(cells: &str) -> Row {
        cells.chars().map(|cell| Cell { filled: cell == '#' }).collect()
    }

    #[test]
    fn a_position_survives_the_way_to_tbp_and_back() {
        let board = "#...\n##.#".replace('\n', "......\n") + "######";
        let board: Board = board.parse().unwrap();
        for left in ["TZ", ""] {
            let mut position = Position::new(board, vec![Piece::S, Piece::I]);
            position.hold = Some(Piece::O);
            position.streak = Streak { back_to_back: true, clears: 3 };
            position.bag = Some(bag(left));
            let start = Start::of(&View { rules: &Ruleset::new(Mode::Practice), position: &position });
            assert_eq!((start.board.len(), start.board[0].len()), (40, 10));
            assert_eq!(start.position().unwrap(), position);
        }
    }

    #[test]
    fn bags_of_other_pieces_are_no_seven_bags() {
        let general = |current: &str, filled: &str| {
            RandomizerState::GeneralBag { current_bag: counts(current), filled_bag: counts(filled) }.bag()
        };
        assert_eq!(general("TZ", "IJLOSTZ"), Some(bag("TZ")));
        assert_eq!(general("TZ", "IIJLOSTZ"), None);
        assert_eq!(RandomizerState::Uniform.bag(), None);
        assert_eq!(RandomizerState::SevenBag { bag_state: Vec::new() }.bag(), Some(Bag::EMPTY));
    }

    #[test]
    fn a_bag_is_inferred_only_if_nothing_else_is_possible() {
        let inferred = |seen: &str| inferred_bag(&parse_queue(seen).unwrap());
        assert_eq!(inferred("IJLOST"), None);
        // Two equal neighbours are the end of a bag and the start of the next.
        assert_eq!(inferred("IJLLOSTI"), Some(bag("JZ")));
        assert_eq!(inferred("II"), Some(bag("JLOSTZ")));
        assert_eq!(inferred("III"), None, "not from bags");
    }

    #[test]
    fn garbage_lifts_the_board_and_its_last_row_is_the_lowest() {
        let board: Board = ".#........".parse().unwrap();
        let rows = [row("#########."), row(".#########"), row("##########")];
        let lifted = with_garbage(&board, &rows).unwrap();
        assert_eq!(lifted.to_string(), ".#........\n#########.\n.#########");
        let many = vec![row(".#########"); 100];
        assert_eq!(with_garbage(&board, &many).unwrap().stack_height(), 40);
        assert!(with_garbage(&board, &[row("#")]).is_err());
    }

    #[test]
    fn absurd_boards_are_refused_and_full_rows_cleared() {
        let position = |board: Vec<Row>| {
            let (queue, randomizer) = (vec![Piece::I], None);
            Start { hold: None, queue, combo: u32::MAX, back_to_back: false, board, randomizer }.position()
        };
        assert_eq!(position(Vec::new()).unwrap().board, Board::guideline());
        assert_eq!(position(vec![row("##########"); 40]).unwrap().board, Board::guideline());
        assert_eq!(position(vec![row("..........."); 40]), Err(BadMessage::Row { row: 0, columns: 11 }));
        assert!(position(vec![row(".........."); 90]).is_ok());
        assert_eq!(position(vec![row(".#........"); 41]), Err(BadMessage::TooHigh));
    }
}
