//! Plays very long games, many parts of one game side by side.
//!
//! A game of a hundred million pieces is a chain: no piece can be placed before the one before it. But a controller forgets.
//! Two different boards that get the same pieces become the same board after a while: on 10×20 after about thirty
//! thousand pieces. So the parts of a game, its *legs*, can start at the same time, each from the empty board, a warm-up before the
//! place where it begins. A leg counts only if the board after its warm-up is the very board with which the leg before it ended; if
//! not, it is run again from that board. So the result is exactly that of the game played from its beginning to its end.
//!
//! ```
//! use tetrion_players::classic::{ClassicWeights, LongGame, RelayPlan, play_classic};
//! use tetrion_players::features::Feature;
//!
//! let weights = [(Feature::LandingHeight, -1.0), (Feature::ColumnTransitions, -2.0), (Feature::Holes, -4.0)];
//! let weights = ClassicWeights::new(weights).expect("the kernel knows these features");
//! let mut games = vec![LongGame::new(10, 10, 7)];
//! let plan = RelayPlan { legs: 4, leg: 50, warm_up: 50 };
//! while !games[0].end().lost() {
//!     let legs = plan.legs(&games);
//!     let finished = plan.run(&weights, &legs, || false).expect("it is never cancelled");
//!     plan.join(&mut games, finished);
//! }
//! assert_eq!(*games[0].end(), play_classic(10, 10, &weights, &[7], None)[0]);
//! ```

use super::field::Size;
use super::game::{ClassicEnd, StopWhen};
use super::{ClassicWeights, pool, uniform_pieces};
use tetrion_engine::board::Board;
use tetrion_engine::randomizer::PieceSource;

/// A game from the empty board, as far as it is known.
#[derive(Clone, Debug)]
pub struct LongGame {
    empty: Board,
    end: ClassicEnd,
    /// The pieces after those placed so far.
    pieces: PieceSource,
}

impl LongGame {
    /// A game in which no piece is placed yet.
    ///
    /// # Panics
    /// If the board is not 4 to 16 columns wide and 4 to 40 rows high.
    pub fn new(width: usize, height: usize, seed: u64) -> LongGame {
        Size::checked(width, height);
        let empty = Board::new(width, height).expect("the size was checked");
        LongGame { empty, end: ClassicEnd::before(empty), pieces: uniform_pieces(seed) }
    }

    /// A game that was played this far. Its pieces are drawn again, which takes a second for some hundred millions.
    ///
    /// # Panics
    /// If the board is not 4 to 16 columns wide and 4 to 40 rows high.
    pub fn resumed(end: ClassicEnd, seed: u64) -> LongGame {
        let mut game = LongGame::new(end.board.width(), end.board.height(), seed);
        draw(&mut game.pieces, end.pieces);
        LongGame { end, ..game }
    }

    /// How far it is: its end, if it is lost.
    pub fn end(&self) -> &ClassicEnd {
        &self.end
    }
}

/// How games are cut into legs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RelayPlan {
    /// Legs of each game that are run at the same time.
    pub legs: usize,
    /// Pieces in a leg, at least as many as in a warm-up. Both are rounded up to multiples of the board's width.
    pub leg: u64,
    /// Pieces in a warm-up.
    pub warm_up: u64,
}

/// A part of a game that is still to be run.
#[derive(Clone, Debug)]
pub struct Leg {
    /// The index of its game.
    game: usize,
    /// Where the leg starts: the board of the game, or the empty board a warm-up earlier.
    board: Board,
    /// The pieces of the warm-up, if there is one, of the leg, and of what follows.
    warm_up: Option<PieceSource>,
    pieces: PieceSource,
    rest: PieceSource,
}

/// A leg that has been run.
#[derive(Clone, Debug)]
pub struct FinishedLeg {
    game: usize,
    /// The board with which it began.
    beginning: Board,
    end: ClassicEnd,
    /// The pieces that follow.
    rest: PieceSource,
}

impl RelayPlan {
    /// The pieces in a leg and in a warm-up. Only after whole rows of cells can two boards have the same number of cells.
    fn pieces(&self, width: usize) -> (u64, u64) {
        let rounded = |pieces: u64| pieces.max(1).next_multiple_of(width as u64);
        (rounded(self.leg.max(self.warm_up)), rounded(self.warm_up))
    }

    /// The next legs of all games that are not lost, in the order of the games.
    pub fn legs(&self, games: &[LongGame]) -> Vec<Leg> {
        let mut legs = Vec::new();
        for (index, game) in games.iter().enumerate().filter(|(_, game)| !game.end.lost()) {
            let (leg, warm_up) = self.pieces(game.empty.width());
            let mut pieces = game.pieces.clone();
            let mut next_warm_up = None;
            for number in 0..self.legs.max(1) {
                let mut rest = pieces.clone();
                draw(&mut rest, leg - warm_up);
                let warm_up_of_next = rest.clone();
                draw(&mut rest, warm_up);
                legs.push(Leg {
                    game: index,
                    board: if number == 0 { game.end.board } else { game.empty },
                    warm_up: next_warm_up.replace(warm_up_of_next),
                    pieces: std::mem::replace(&mut pieces, rest.clone()),
                    rest,
                });
            }
        }
        legs
    }

    /// Runs legs of games on boards of the same size. Returns `None` if `cancelled` becomes true; once true, it must stay true.
    pub fn run(
        &self,
        weights: &ClassicWeights,
        legs: &[Leg],
        cancelled: impl Fn() -> bool,
    ) -> Option<Vec<FinishedLeg>> {
        let Some(Leg { board, .. }) = legs.first() else { return Some(Vec::new()) };
        let size = Size::checked(board.width(), board.height());
        let (leg_pieces, warm_up_pieces) = self.pieces(size.width);
        let play = |starts: Vec<(Board, PieceSource)>, pieces: u64| {
            let stop = StopWhen { pieces: Some(pieces), ..StopWhen::default() };
            pool::play(size, weights, &mut starts.into_iter(), stop, &cancelled, &mut || ())
        };
        let warm_ups = legs.iter().filter_map(|leg| Some((leg.board, leg.warm_up.clone()?)));
        let mut warm = play(warm_ups.collect(), warm_up_pieces)?.into_iter();
        // Whatever board a warm-up leads to is only a guess, even if it was lost.
        let beginning = |leg: &Leg| match &leg.warm_up {
            None => leg.board,
            Some(_) => warm.next().expect("every warm-up was played").board,
        };
        let beginnings: Vec<Board> = legs.iter().map(beginning).collect();
        let starts = beginnings.iter().zip(legs).map(|(board, leg)| (*board, leg.pieces.clone()));
        let ends = play(starts.collect(), leg_pieces)?;
        let finished = legs.iter().zip(beginnings).zip(ends).map(|((leg, beginning), end)| FinishedLeg {
            game: leg.game,
            beginning,
            end,
            rest: leg.rest.clone(),
        });
        Some(finished.collect())
    }

    /// Adds legs to their games, as far as each begins where the one before it ended. The legs of a game must be in order.
    pub fn join(&self, games: &mut [LongGame], legs: impl IntoIterator<Item = FinishedLeg>) {
        let mut is_broken = vec![false; games.len()];
        for leg in legs {
            let LongGame { end, pieces, .. } = &mut games[leg.game];
            is_broken[leg.game] |= end.lost() || leg.beginning != end.board;
            if !is_broken[leg.game] {
                *end = ClassicEnd {
                    pieces: end.pieces + leg.end.pieces,
                    lines: end.lines + leg.end.lines,
                    keys: end.keys + leg.end.keys,
                    ..leg.end
                };
                *pieces = leg.rest;
            }
        }
    }
}

/// Draws pieces and drops them.
fn draw(pieces: &mut PieceSource, count: u64) {
    for _ in 0..count {
        pieces.draw();
    }
}
