//! Perfect clears against a plain search, against played games, and against published figures.

use std::collections::BTreeSet;
use std::ops::Range;
use tetrion_engine::board::Board;
use tetrion_engine::game::{Game, Move};
use tetrion_engine::location::{PieceLocation, Placement};
use tetrion_engine::moves::{MoveRules, Movement, generate};
use tetrion_engine::piece::{Orientation, Piece, parse_queue};
use tetrion_engine::randomizer::{Bag, Random, Randomizer};
use tetrion_engine::ruleset::{Mode, Ruleset};
use tetrion_players::field::bits;
use tetrion_players::monitor::Monitor;
use tetrion_players::perfect::{
    PerfectError, PieceSupply, Problem, Solution, SolutionStep, Solver, bag_after, clears,
};

/// Which piece filled which cells of the board before any row was cleared.
type Filled = BTreeSet<(Piece, [(i32, i32); 4])>;

fn board(rows: &str) -> Board {
    rows.replace('/', "\n").parse().unwrap()
}

fn solver(board: &Board, rows: usize, pieces: &PieceSupply, movement: Movement) -> Solver {
    Solver::new(Problem::new(board, rows, pieces.clone(), movement).unwrap())
}

/// Solved orders and orders, with full movement.
fn chance(board: &Board, rows: usize, pieces: &PieceSupply) -> (u64, u64) {
    let mut solver = solver(board, rows, pieces, Movement::Full);
    (solver.solved_orders(&Monitor::default()).unwrap(), solver.problem().orders())
}

fn unknown() -> PieceSupply {
    PieceSupply::known(vec![])
}

fn filled(solution: &Solution) -> Filled {
    let cells = |origin| {
        let cells: Vec<_> = bits(origin).map(|at| (at as i32 % 10, at as i32 / 10)).collect();
        cells.try_into().unwrap()
    };
    solution.steps.iter().map(|step| (step.piece, cells(step.origin))).collect()
}

/// The game as one would explain it: every placement of every piece, with the hold as it is used, and nothing left out early.
struct Plain<'q> {
    queue: &'q [Piece],
    hold: bool,
    movement: Movement,
    found: BTreeSet<Filled>,
}

impl Plain<'_> {
    fn search(
        &mut self,
        board: Board,
        rows: &[i32],
        next: usize,
        held: Option<Piece>,
        left: usize,
        so_far: &Filled,
    ) {
        if left == 0 {
            if board.is_empty() {
                self.found.insert(so_far.clone());
            }
            return;
        }
        let queue = self.queue;
        if let Some(current) = queue.get(next) {
            self.place(board, rows, *current, next + 1, held, left, so_far);
        }
        if self.hold {
            // After the pieces that are given there is always another to swap with.
            match (held, queue.get(next), queue.get(next + 1)) {
                (Some(held), current, _) => {
                    self.place(board, rows, held, next + 1, current.copied(), left, so_far);
                }
                (None, Some(current), Some(after)) => {
                    self.place(board, rows, *after, next + 2, Some(*current), left, so_far);
                }
                _ => {}
            }
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn place(
        &mut self,
        board: Board,
        rows: &[i32],
        piece: Piece,
        next: usize,
        held: Option<Piece>,
        left: usize,
        so_far: &Filled,
    ) {
        let rules = MoveRules { movement: self.movement, half_turns: false, spins: false };
        for placement in generate(&board, PieceLocation::spawning(piece, &board, 19), rules).iter() {
            let mut cells = placement.location().cells().map(|(x, y)| (x, rows[y as usize]));
            cells.sort_by_key(|(x, y)| (*y, *x));
            let (mut after, mut filled) = (board, so_far.clone());
            after.place(placement);
            let full = after.full_rows();
            after.clear_rows(full);
            let rows: Vec<_> = (0..rows.len()).filter(|y| full >> y & 1 == 0).map(|y| rows[y]).collect();
            filled.insert((piece, cells));
            self.search(after, &rows, next, held, left - 1, &filled);
        }
    }
}

fn plain(board: &Board, count: usize, pieces: &PieceSupply, movement: Movement) -> BTreeSet<Filled> {
    let mut plain = Plain { queue: &pieces.queue, hold: pieces.hold, movement, found: BTreeSet::new() };
    let rows: Vec<_> = (0..40).collect();
    plain.search(*board, &rows, 0, pieces.held, count, &Filled::new());
    plain.found
}

/// Full rows out of which some pieces were taken: often there is a way to put them back.
fn holed(random: &mut Random, rows: usize, pieces: usize) -> (Board, Vec<Piece>) {
    (0..).find_map(|_| try_holed(random, rows, pieces)).unwrap()
}

fn try_holed(random: &mut Random, rows: usize, pieces: usize) -> Option<(Board, Vec<Piece>)> {
    let mut board = Board::guideline();
    for at in 0..10 * rows {
        board.set(at % 10, at / 10, true);
    }
    let mut taken = Vec::new();
    for _ in 0..200 {
        let piece = Piece::ALL[random.below(7) as usize];
        let orientation = Orientation::ALL[random.below(4) as usize];
        // Not too far from each other.
        let (x, y) = (3 + random.below(4) as i8, random.below(rows as u64) as i8);
        let cells = PieceLocation { piece, orientation, x, y }.cells();
        let fits = |&(x, y): &(i32, i32)| (0..rows as i32).contains(&y) && board.is_filled(x, y);
        if taken.len() < pieces && cells.iter().all(fits) {
            cells.iter().for_each(|(x, y)| board.set(*x as usize, *y as usize, false));
            taken.push(piece);
        }
    }
    (taken.len() == pieces && board.full_rows() == 0).then_some((board, taken))
}

/// So many pieces: half the time the given ones in some order, as far as they go, and others.
fn random_queue(random: &mut Random, given: &[Piece], length: usize) -> Vec<Piece> {
    let mut given = given.to_vec();
    let mut queue: Vec<_> = (0..length).map(|_| Piece::ALL[random.below(7) as usize]).collect();
    if random.below(2) == 0 {
        for place in &mut queue {
            if !given.is_empty() {
                *place = given.swap_remove(random.below(given.len() as u64) as usize);
            }
        }
    }
    queue
}

/// All solutions for known pieces are those of the plain search; the number of solvable ones.
fn agrees_with_plain_search(seed: u64, count: usize, hold: bool, cases: usize) -> usize {
    let mut random = Random::new(seed);
    let mut solvable = 0;
    for case in 0..cases {
        let movement = [Movement::Full, Movement::HardDrop][case % 2];
        let rows = (1 + count + random.below(2) as usize).min(4);
        let (board, taken) = holed(&mut random, rows, count);
        let held = (hold && random.below(2) == 0).then(|| Piece::ALL[random.below(7) as usize]);
        // Every piece that could be used is known.
        let length = count + usize::from(hold && held.is_none());
        let pieces =
            PieceSupply { queue: random_queue(&mut random, &taken, length), held, hold, bag: Bag::EMPTY };
        let mut solver = solver(&board, rows, &pieces, movement);
        let solved = solver.solved_orders(&Monitor::default()).unwrap();
        let listing = solver.solutions(&Monitor::default());
        let expected = plain(&board, count, &pieces, movement);
        let found: BTreeSet<_> = listing.solutions.iter().map(filled).collect();
        assert_eq!(found, expected, "{board:?} {pieces:?} {movement:?}");
        assert_eq!((found.len(), listing.complete), (listing.solutions.len(), true));
        assert_eq!(solved, u64::from(!expected.is_empty()));
        for solution in &listing.solutions {
            replay(&board, &pieces, movement, solution);
        }
        solvable += usize::from(!expected.is_empty());
    }
    solvable
}

/// Whether a placement is that of a step.
fn is_step(step: &SolutionStep, placement: &Placement) -> bool {
    let cells = placement.location().cells();
    cells.iter().all(|(x, y)| *y < 6 && step.cells >> (x + 10 * y) & 1 == 1)
}

/// Plays a solution: every piece is there when it is placed, can be placed so, and the board is empty in the end.
fn replay(board: &Board, pieces: &PieceSupply, movement: Movement, solution: &Solution) {
    let (mut board, mut held) = (*board, pieces.held);
    let mut queue = pieces.queue.iter().copied();
    for step in &solution.steps {
        assert!(pieces.hold || !step.hold);
        let current = queue.next();
        let piece = match (step.hold, held) {
            (false, _) => current,
            (true, None) => {
                held = current;
                queue.next()
            }
            (true, Some(piece)) => {
                held = current;
                Some(piece)
            }
        };
        assert_eq!(piece, Some(step.piece), "{}", solution.order());
        let rules = MoveRules { movement, half_turns: false, spins: false };
        let moves = generate(&board, PieceLocation::spawning(step.piece, &board, 19), rules);
        board.place(moves.iter().find(|placement| is_step(step, placement)).unwrap());
        board.clear_rows(board.full_rows());
    }
    assert!(board.is_empty());
}

#[test]
fn all_solutions_are_those_of_a_plain_search() {
    let solvable = [
        agrees_with_plain_search(1, 1, false, 200),
        agrees_with_plain_search(2, 1, true, 200),
        agrees_with_plain_search(3, 2, false, 200),
        agrees_with_plain_search(4, 2, true, 200),
        agrees_with_plain_search(5, 3, false, 200),
        agrees_with_plain_search(6, 3, true, 60),
        agrees_with_plain_search(11, 4, false, 6),
    ];
    assert!(solvable.iter().all(|count| *count > 0), "{solvable:?}");
}

#[test]
#[ignore = "minutes: the plain search of four pieces looks at millions of boards"]
fn all_solutions_of_four_pieces_are_those_of_a_plain_search() {
    let solvable = [agrees_with_plain_search(7, 4, false, 60), agrees_with_plain_search(8, 4, true, 20)];
    assert!(solvable.iter().all(|count| *count > 0), "{solvable:?}");
}

/// Every order of so many pieces from a bag.
fn all_orders(bag: Bag, length: usize) -> Vec<Vec<Piece>> {
    if length == 0 {
        return vec![vec![]];
    }
    let bag = if bag.is_empty() { Bag::FULL } else { bag };
    let with = |first| {
        let rest = all_orders(bag.without(first), length - 1);
        rest.into_iter().map(move |rest| [vec![first], rest].concat())
    };
    bag.iter().flat_map(with).collect()
}

#[test]
fn the_chance_is_that_of_solving_every_order_by_itself() {
    let mut random = Random::new(9);
    // Boards that can be cleared for some orders and not for others.
    let mut some = 0;
    for case in 0..60 {
        let count = 2 + case % 2;
        let (board, taken) = holed(&mut random, 4, count);
        let hold = case % 3 > 0;
        let held = (case % 3 > 1).then_some(Piece::ALL[case % 7]);
        let bag: Bag = Piece::ALL.into_iter().filter(|_| random.below(2) == 0).collect();
        let known = random.below(2) as usize;
        let pieces = PieceSupply { queue: random_queue(&mut random, &taken, known), held, hold, bag };
        let (solved, orders) = chance(&board, 4, &pieces);
        let missing = count + usize::from(hold) - known - usize::from(held.is_some());
        let all = all_orders(bag, missing);
        assert_eq!(all.len() as u64, orders);
        let by_order: Vec<_> = all
            .iter()
            .map(|order| {
                let queue = [&pieces.queue[..], order].concat();
                let known = PieceSupply { queue, ..pieces.clone() };
                let found = solver(&board, 4, &known, Movement::Full).solutions(&Monitor::default());
                found.solutions.iter().map(filled).collect::<BTreeSet<_>>()
            })
            .collect();
        let expected = by_order.iter().filter(|found| !found.is_empty()).count() as u64;
        assert_eq!(solved, expected, "{board:?} {pieces:?}");
        let listing = solver(&board, 4, &pieces, Movement::Full).solutions(&Monitor::default());
        for solution in &listing.solutions {
            let orders = by_order.iter().filter(|found| found.contains(&filled(solution))).count() as u64;
            assert_eq!(solution.orders, orders, "{board:?} {pieces:?} {}", solution.order());
        }
        let all: BTreeSet<_> = by_order.into_iter().flatten().collect();
        assert_eq!(listing.solutions.len(), all.len());
        some += usize::from(solved > 0 && solved < orders);
    }
    assert!(some > 5, "{some}");
}

/// A player who sees the current piece and some previews, as one would explain it.
struct Plainly {
    previews: usize,
    hold: bool,
}

#[derive(Clone)]
struct Table {
    board: Board,
    /// Rows and pieces to go.
    rows: u32,
    left: usize,
    /// The current piece and those after it, as far as they are seen; the bag after them.
    seen: Vec<Piece>,
    bag: Bag,
    held: Option<Piece>,
    /// Whether the hold was used since the last placement.
    swapped: bool,
}

impl Plainly {
    /// The chance that the best decisions leave nothing.
    fn chance(&self, table: &Table) -> f64 {
        if table.left == 0 {
            return f64::from(u8::from(table.board.is_empty()));
        }
        if table.seen.len() < 1 + self.previews {
            let bag = if table.bag.is_empty() { Bag::FULL } else { table.bag };
            let with = |piece| {
                let seen = [&table.seen[..], &[piece]].concat();
                self.chance(&Table { seen, bag: bag.without(piece), ..table.clone() })
            };
            return bag.iter().map(with).sum::<f64>() / bag.len() as f64;
        }
        let (current, rest) = table.seen.split_first().unwrap();
        let mut best = 0.0;
        let start = PieceLocation::spawning(*current, &table.board, 19);
        let rules = MoveRules { movement: Movement::Full, half_turns: false, spins: false };
        for placement in generate(&table.board, start, rules).iter() {
            let mut board = table.board;
            board.place(placement);
            let full = board.full_rows();
            board.clear_rows(full);
            let rows = table.rows.saturating_sub(full.count_ones());
            if board.stack_height() <= rows as usize {
                let (left, seen) = (table.left - 1, rest.to_vec());
                let then = Table { board, rows, left, seen, swapped: false, ..table.clone() };
                best = f64::max(best, self.chance(&then));
            }
        }
        if self.hold && !table.swapped {
            let seen: Vec<_> = table.held.iter().chain(rest).copied().collect();
            let then = Table { seen, held: Some(*current), swapped: true, ..table.clone() };
            best = f64::max(best, self.chance(&then));
        }
        best
    }
}

#[test]
fn the_chance_of_a_player_is_that_of_deciding_plainly() {
    let mut random = Random::new(10);
    // Boards on which it matters how much is seen.
    let mut differ = 0;
    for case in 0..60 {
        let left = 2 + case % 2;
        let (board, taken) = holed(&mut random, 4, left);
        let hold = case % 5 > 0;
        let held = (case % 5 > 2).then_some(Piece::ALL[case % 7]);
        // The pieces that fit and few others, so that there are few orders.
        let mut bag: Bag = taken.iter().copied().collect();
        if bag.len() < 3 {
            bag = bag.iter().chain([Piece::ALL[random.below(7) as usize]]).collect();
        }
        let known = random.below(2) as usize;
        let pieces = PieceSupply { queue: random_queue(&mut random, &taken, known), held, hold, bag };
        let mut by_previews = Vec::new();
        for previews in 0..3 {
            let mut solver = solver(&board, 4, &pieces, Movement::Full);
            let orders = solver.problem().orders() as f64;
            let chance = solver.won_orders(previews, &Monitor::default()).unwrap() as f64 / orders;
            let seen = pieces.queue.clone();
            let table = Table { board, rows: 4, left, seen, bag, held, swapped: false };
            let plainly = Plainly { previews, hold }.chance(&table);
            assert!((chance - plainly).abs() < 1e-9, "{chance} {plainly} {previews} {pieces:?}\n{board}");
            by_previews.push(chance);
        }
        assert!(by_previews.is_sorted(), "{by_previews:?}");
        differ += usize::from(by_previews[0] < by_previews[2]);
    }
    assert!(differ > 3, "{differ}");
}

#[test]
fn who_sees_all_pieces_clears_whatever_can_be_cleared() {
    let opener = board("###.....##/###....###/###...####/###....###");
    let held = PieceSupply { held: Some(Piece::I), ..unknown() };
    let won = |previews| {
        let mut solver = solver(&opener, 4, &held, Movement::Full);
        solver.won_orders(previews, &Monitor::default()).unwrap()
    };
    assert_eq!(won(usize::MAX), 711);
    // The current piece and three previews are all four that matter.
    assert_eq!([won(3), won(5)], [711, 711]);
    let fewer = [won(0), won(1), won(2)];
    assert!(fewer.is_sorted() && fewer[0] > 0 && fewer[2] < 711, "{fewer:?}");
}

/// From the tests of solution-finder: its commands `percent` and `path`, with hold and soft drops, and with seven pieces that
/// come in any order.
#[test]
fn chances_and_solutions_are_those_that_solution_finder_publishes() {
    for (rows, solved) in [
        ("X........./XXXX....../XXXXX...../XXXXXX....", 4636),
        ("......XXXX/......XXXX/.....XXXXX/.......XXX", 4784),
        ("XXX......./XX......../XXXX....../XXXXXXX...", 4524),
        (".......XXX/.......XXX/XX.....XXX/XX.....XXX", 5038),
        ("I........./I...Z...../IOOZZSS.../IOOZSS....", 4736),
    ] {
        assert_eq!(chance(&board(rows), 4, &unknown()), (solved, 5040), "{rows}");
    }
    assert_eq!(chance(&board("XXXXXX..../XXXXXX..../XXXXXX.X../XXXXXXXXX."), 4, &unknown()), (312, 840));
    let without_hold = PieceSupply { hold: false, ..unknown() };
    assert_eq!(chance(&board(".......X../......XX../....XXXXXX/...XXXXXXX"), 4, &without_hold), (744, 5040));
    for (rows, solutions) in [
        ("XX......../XXX......./XXXXX...../XXXXXX....", 35),
        ("XX......../XXX......./XXX.....XX/XXXX....XX", 54),
        ("______XXXX/_______XXX/_____XXXXX/______XXXX", 83),
    ] {
        let listing = solver(&board(rows), 4, &unknown(), Movement::Full).solutions(&Monitor::default());
        assert_eq!(listing.solutions.len(), solutions, "{rows}");
    }
}

/// From the Hard Drop wiki's page on the perfect clear opener: with the I in the hold, and with the I placed.
#[test]
fn the_perfect_clear_opener_is_as_good_as_published() {
    let held = PieceSupply { held: Some(Piece::I), ..unknown() };
    assert_eq!(chance(&board("###.....##/###....###/###...####/###....###"), 4, &held), (711, 840));
    assert_eq!(chance(&board("####....##/####...###/####..####/####...###"), 4, &unknown()), (514, 840));
}

/// Four rows from an empty board take ten pieces, of which eleven are seen: 7! orders of the first bag and 7·6·5·4 of the
/// second, 4,233,600, all of which have a solution.
fn openings_have_a_perfect_clear(seeds: Range<u64>) {
    for seed in seeds {
        let mut bags = Randomizer::SevenBag.pieces(seed).unwrap();
        let queue: Vec<_> = (0..11).map(|_| bags.draw()).collect();
        let pieces = PieceSupply::known(queue.clone());
        let mut solver = solver(&Board::guideline(), 4, &pieces, Movement::Full);
        assert_eq!(solver.problem().unknown(), 0);
        assert_eq!(solver.solved_orders(&Monitor::default()), Ok(1), "{queue:?}");
        // The first that is found is played by the rules.
        solver.limit(solver.searched() + 1_000);
        let listing = solver.solutions(&Monitor::default());
        let solution = &listing.solutions[0];
        let rules = Ruleset { randomizer: Randomizer::Fixed(queue), ..Ruleset::for_agents(Mode::Practice) };
        let mut game = Game::new(rules, 0).unwrap();
        let mut perfect = false;
        for step in &solution.steps {
            let placement =
                game.placements(step.piece).iter().find(|placement| is_step(step, placement)).unwrap();
            perfect = game.play(Move { hold: step.hold, placement }).unwrap().perfect_clear;
        }
        assert!(perfect && game.board().is_empty());
    }
}

#[test]
fn four_rows_are_cleared_from_many_openings() {
    openings_have_a_perfect_clear(0..300);
    let (solved, orders) =
        chance(&Board::guideline(), 4, &PieceSupply::known(parse_queue("SZOTLJI").unwrap()));
    assert_eq!((solved, orders), (840, 840));
}

#[test]
#[ignore = "minutes, and 1.4 GB of memory: every opening"]
fn four_rows_are_cleared_from_all_openings() {
    assert_eq!(chance(&Board::guideline(), 4, &unknown()), (4_233_600, 4_233_600));
}

#[test]
fn two_rows_are_cleared_from_no_opening() {
    // Five pieces, of which six are seen: all their orders.
    assert_eq!(chance(&Board::guideline(), 2, &unknown()), (0, 5040));
    // With other pieces than a bag's there are some.
    let pieces = PieceSupply::known(parse_queue("OOOOOI").unwrap());
    assert_eq!(chance(&Board::guideline(), 2, &pieces), (1, 1));
}

#[test]
fn unsolvable_questions_are_refused_with_the_reason() {
    let ask = |rows: &str, lines| {
        let pieces = PieceSupply { held: Some(Piece::I), hold: rows != "..........", ..unknown() };
        Problem::new(&board(rows), lines, pieces, Movement::Full).map(|_| ()).unwrap_err()
    };
    assert_eq!(ask("#..........", 1), PerfectError::Width(11));
    assert_eq!(ask("#........./#........./#........./#........./#........./#........./#.........", 4), {
        PerfectError::Height(7)
    });
    assert_eq!(ask("###.......", 1), PerfectError::Odd(3));
    assert_eq!(ask("..........", 2), PerfectError::Hold);
    let told = ask("##........", 2).to_string();
    assert!(told.ends_with("try 1 with 2 pieces, 3 with 7 pieces, 5 with 12 pieces"), "{told}");
    assert_eq!(clears(&Board::guideline()), Ok(vec![(2, 5), (4, 10), (6, 15)]));
}

#[test]
fn a_bag_goes_on_after_the_queue() {
    let after =
        |queue: &str| bag_after(&parse_queue(queue).unwrap()).iter().map(Piece::letter).collect::<String>();
    assert_eq!([after(""), after("IJLOSTZ")], ["", ""]);
    assert_eq!([after("IJL"), after("IJLOSTZI"), after("IJI")], ["OSTZ", "JLOSTZ", "JLOSTZ"]);
}
