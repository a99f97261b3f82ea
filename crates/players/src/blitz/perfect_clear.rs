//! Perfect clears on purpose: tetrises that leave an empty board.
//!
//! A plan fills some rows completely with known pieces. Only T-spins clear rows on the way, so back-to-back stays on, and the last four
//! rows go with an I. Such lines are rare among all lines, and the beam would drop most of them before their points come.

use super::field::{COLUMNS, Cells, FULL_ROW};
use super::layer::{Node, Sieve};
use super::search::{Child, Expansion};
use tetrion_engine::game::Move;
use tetrion_engine::location::Spin;
use tetrion_engine::piece::Piece;

/// The rows of a tetris.
const ROWS: usize = 4;
/// The cells of these rows.
pub const FOUR_ROWS: u64 = (1 << (ROWS * COLUMNS)) - 1;
/// Column 0 of these rows.
const FIRST_COLUMN: u64 = FOUR_ROWS / FULL_ROW as u64;
/// The last column of these rows.
const LAST_COLUMN: u64 = FIRST_COLUMN << (COLUMNS - 1);
/// The pieces that fill four rows.
pub const MOST_PIECES: usize = ROWS * COLUMNS / 4;
/// States kept after each piece.
const WIDTH: usize = 4_096;

/// How many pieces would fill four rows so that the last of them, an I, clears them all and leaves nothing. `None` if the stack is
/// higher or has holes, or if no number of pieces fits on both sides of an empty column.
#[inline]
pub fn pieces_missing<C: Cells>(field: C, solid: C) -> Option<usize> {
    if field != solid || field >> (ROWS * COLUMNS) != C::NONE || !field.count().is_multiple_of(4) {
        return None;
    }
    let field = field.low();
    let fits = |x: usize| field & 1 << x == 0 && (field & LEFT_OF[x]).count_ones().is_multiple_of(4);
    (0..COLUMNS).any(fits).then(|| MOST_PIECES - field.count_ones() as usize / 4)
}

/// The cells of four rows to the left of each column.
const LEFT_OF: [u64; COLUMNS] = {
    let mut columns = [0; COLUMNS];
    let mut x = 1;
    while x < COLUMNS {
        let row = FULL_ROW as u64 >> (COLUMNS - x);
        columns[x] = row | row << COLUMNS | row << (2 * COLUMNS) | row << (3 * COLUMNS);
        x += 1;
    }
    columns
};

/// Whether four rows may still be filled by pieces around an empty column: every connected part of the rest must have room for a whole
/// number of pieces.
fn can_be_filled(field: u64) -> bool {
    let empty = FOUR_ROWS & !field;
    (0..COLUMNS).map(|x| FIRST_COLUMN << x).any(|well| field & well == 0 && parts_fit(empty & !well))
}

fn parts_fit(mut empty: u64) -> bool {
    while empty != 0 {
        let mut part = empty & empty.wrapping_neg();
        loop {
            let sides = (part & !LAST_COLUMN) << 1 | (part & !FIRST_COLUMN) >> 1;
            let grown = (part | sides | part << COLUMNS | part >> COLUMNS) & empty;
            if grown == part {
                break;
            }
            part = grown;
        }
        if !part.count_ones().is_multiple_of(4) {
            return false;
        }
        empty &= !part;
    }
    true
}

/// How far a plan is before a placement.
#[derive(Clone, Copy)]
struct Progress {
    /// The cells of the field.
    cells: u32,
    /// The pieces to place, this one included.
    pieces: u32,
}

impl Progress {
    /// Whether a placement can be part of the plan.
    fn allows<C: Cells>(self, field: C, spin: Spin) -> bool {
        let lines = (self.cells + 4 - field.count()) / COLUMNS as u32;
        if self.pieces == 1 {
            return field == C::NONE && lines == ROWS as u32;
        }
        let rows = ((self.cells + 4 * self.pieces) / COLUMNS as u32 - lines) as usize;
        (lines == 0 || spin != Spin::None)
            && rows >= ROWS
            && field >> (COLUMNS * rows) == C::NONE
            && (rows > ROWS || can_be_filled(field.low()))
    }
}

/// The first moves of a position.
pub struct FirstMoves<'m, C> {
    /// The cells of the field before them.
    pub cells: u32,
    /// The nodes after them.
    pub nodes: &'m [Node<C>],
    /// The moves, by the roots of the nodes.
    pub plays: &'m [Move],
    /// The known pieces after the first one.
    pub draws: &'m [Piece],
}

/// Looks for plans. Its memory is used again for the next search.
pub struct Planner<C> {
    layers: Vec<Vec<Node<C>>>,
    sieve: Sieve,
}

impl<C> Default for Planner<C> {
    fn default() -> Planner<C> {
        Planner { layers: Vec::new(), sieve: Sieve::default() }
    }
}

impl<C: Cells> Planner<C> {
    /// The best plan for each number of pieces, as the nodes from a first move to the tetris.
    pub fn plans(&mut self, expansion: &mut Expansion<C>, first_moves: &FirstMoves<C>) -> Vec<Vec<Node<C>>> {
        let counts = 2..=first_moves.draws.len() as u32 + 1;
        let fills_rows = |pieces: &u32| (first_moves.cells + 4 * pieces).is_multiple_of(COLUMNS as u32);
        counts.filter(fills_rows).filter_map(|pieces| self.plan(expansion, first_moves, pieces)).collect()
    }

    fn plan(
        &mut self,
        expansion: &mut Expansion<C>,
        first_moves: &FirstMoves<C>,
        pieces: u32,
    ) -> Option<Vec<Node<C>>> {
        let start = Progress { cells: first_moves.cells, pieces };
        let is_allowed = |node: &&Node<C>| {
            let spin = first_moves.plays[node.root as usize].placement.spin();
            start.allows(node.state.field(), spin)
        };
        self.layers.resize_with(self.layers.len().max(pieces as usize), Vec::new);
        self.layers[0].clear();
        self.layers[0].extend(first_moves.nodes.iter().filter(is_allowed));
        for placed in 1..pieces as usize {
            let (before, after) = self.layers.split_at_mut(placed);
            let (before, after) = (&before[placed - 1], &mut after[0]);
            after.clear();
            self.sieve.start(WIDTH, 0);
            for (parent, node) in before.iter().enumerate() {
                if expansion.is_spent() {
                    return None;
                }
                let progress = Progress { cells: node.state.field().count(), pieces: pieces - placed as u32 };
                expansion.expand(
                    node,
                    first_moves.draws[placed - 1],
                    &mut |Child { placement, state, points }| {
                        if progress.allows(state.field(), placement.spin()) {
                            let node =
                                Node { state, points, score: points, root: node.root, parent: parent as u32 };
                            self.sieve.add(after, node, |_| 0);
                        }
                    },
                );
            }
            self.sieve.finish(after);
        }
        let best = self.layers[pieces as usize - 1].iter().min_by(|a, b| a.order(b))?;
        let mut line = vec![*best];
        for layer in self.layers[..pieces as usize - 1].iter().rev() {
            line.push(layer[line[line.len() - 1].parent as usize]);
        }
        line.reverse();
        Some(line)
    }
}

#[cfg(test)]
mod tests {
    use super::super::field::{of_board, solid};
    use super::super::goal::Goal;
    use super::super::layer::State;
    use super::super::tables::Tables;
    use super::super::value::{Value, Weights};
    use super::*;
    use crate::search::choices::choices_with_full_hold;
    use tetrion_engine::board::Board;
    use tetrion_engine::moves::generate;
    use tetrion_engine::position::{Position, View};
    use tetrion_engine::randomizer::Random;
    use tetrion_engine::ruleset::{Mode, Ruleset};

    fn missing(rows: &str) -> Option<usize> {
        let field = of_board::<u128>(&rows.parse::<Board>().unwrap()).unwrap();
        pieces_missing(field, solid(field))
    }

    #[test]
    fn pieces_must_fit_on_both_sides_of_an_empty_column() {
        assert_eq!(pieces_missing(0u128, 0), Some(10));
        assert_eq!(missing(&"#########.\n".repeat(4)), Some(1));
        assert_eq!(missing("####......\n####......"), Some(8));
        assert_eq!(missing("###.......\n###.######"), None, "six cells on both sides");
        assert_eq!(missing(".##.######"), Some(8));
    }

    #[test]
    fn holes_high_stacks_and_odd_cells_are_no_start() {
        assert_eq!(missing("####......\n###......."), None, "seven cells");
        assert_eq!(missing("####......\n###.#....."), None, "a hole");
        assert_eq!(missing(&"#.........\n".repeat(8)), None, "eight rows");
    }

    /// Whether a tetris can leave an empty board, tried with every placement. Only T-spins may clear rows before it.
    fn is_possible(board: &Board, hold: Piece, draws: &[Piece]) -> bool {
        let Some((&draw, draws)) = draws.split_first() else { return false };
        let rules = Ruleset::for_agents(Mode::Blitz);
        choices_with_full_hold(draw, hold).any(|(piece, hold)| {
            generate(board, rules.spawn(piece, board), rules.move_rules()).iter().any(|placement| {
                let (after, full) = board.after(placement);
                let is_tetris = full.count_ones() == 4;
                let goes_on = full == 0 || placement.spin() != Spin::None;
                after.is_empty() && is_tetris || goes_on && is_possible(&after, hold, draws)
            })
        })
    }

    /// Four rows with an empty column, less two pieces that could be taken away from above.
    fn unfinished_rows(random: &mut Random) -> (Board, Vec<Piece>) {
        let well = random.below(10) as usize;
        let mut board = Board::guideline();
        (0..40).filter(|at| at % 10 != well).for_each(|at| board.set(at % 10, at / 10, true));
        let mut pieces = vec![Piece::I];
        while pieces.len() < 3 {
            let piece = Piece::ALL[random.below(7) as usize];
            let empty = Board::guideline();
            let rules = Ruleset::for_agents(Mode::Blitz);
            let placements = generate(&empty, rules.spawn(piece, &empty), rules.move_rules());
            let nth = random.below(placements.len() as u64) as usize;
            let Some(placement) = placements.iter().nth(nth) else { continue };
            let rise = random.below(4) as i32;
            let cells = placement.location().cells().map(|(x, y)| (x as usize, (y + rise) as usize));
            let is_open = |(x, y): (usize, usize)| {
                let column = board.columns()[x];
                column >> y & 1 == 1 && (y + 1..4).all(|y| column >> y & 1 == 0 || cells.contains(&(x, y)))
            };
            if cells.into_iter().all(is_open) {
                cells.into_iter().for_each(|(x, y)| board.set(x, y, false));
                pieces.push(piece);
            }
        }
        (board, pieces)
    }

    #[test]
    fn plans_are_found_exactly_where_trying_everything_finds_one() {
        let mut random = Random::new(11);
        let rules = Ruleset::for_agents(Mode::Blitz);
        let value = Value::new(Tables::learned(), &Weights::learned());
        let goal = Goal::points(&rules);
        let mut planner = Planner::default();
        let (mut with, mut without) = (0, 0);
        for _ in 0..40 {
            let (board, mut draws) = unfinished_rows(&mut random);
            draws.rotate_left(random.below(3) as usize);
            let spare = Piece::ALL[random.below(7) as usize];
            let position = Position::new(board, draws.clone());
            let mut expansion =
                Expansion::new(&View { rules: &rules, position: &position }, &value, &goal, u64::MAX, None);
            let field: u128 = of_board(&position.board).unwrap();
            let state = State::new(field, Some(spare), true, 0);
            let (mut nodes, mut plays) = (Vec::new(), Vec::new());
            let start = Node { state, points: 0, score: 0, root: 0, parent: 0 };
            expansion.expand(&start, draws[0], &mut |Child { placement, state, points }| {
                nodes.push(Node { state, points, root: plays.len() as u32, ..start });
                plays.push(Move { hold: false, placement });
            });
            let first_moves =
                FirstMoves { cells: field.count_ones(), nodes: &nodes, plays: &plays, draws: &draws[1..] };
            let plans = planner.plans(&mut expansion, &first_moves);
            let expected = is_possible(&position.board, spare, &draws);
            assert_eq!(!plans.is_empty(), expected, "{draws:?} with {spare} held on\n{}", position.board);
            assert!(plans.iter().all(|plan| plan.len() == 3 && plan[2].state.field() == 0));
            (with, without) = (with + u32::from(expected), without + u32::from(!expected));
        }
        assert!(with >= 10 && without >= 10, "{with} {without}");
    }
}
