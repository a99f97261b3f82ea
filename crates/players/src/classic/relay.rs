//! Plays very long games, many parts of one game side by side.
//!
//! A game of a hundred million pieces is a chain: no piece can be placed before the one before it. But a controller forgets.
//! Two different boards that get the same pieces mostly become the same board after some ten thousand pieces. So the parts of a game,
//! its *legs*, can be run at the same time, each from the empty board, a warm-up before the place where it begins. A leg counts only if
//! it begins with the very board with which the leg before it ended. If not, it is run again from that board, which mostly leads to the
//! same end. So the result is exactly that of the game played from its beginning to its end.
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
use std::collections::VecDeque;
use tetrion_engine::board::Board;
use tetrion_engine::randomizer::PieceSource;

/// A game from the empty board, as far as it is known.
#[derive(Clone, Debug)]
pub struct LongGame {
    empty: Board,
    end: ClassicEnd,
    /// The pieces after those placed so far.
    pieces: PieceSource,
    /// The legs that follow, as far as they have been run. The first one begins with another board than the one reached.
    ahead: VecDeque<FinishedLeg>,
}

impl LongGame {
    /// A game in which no piece is placed yet.
    ///
    /// # Panics
    /// If the board is not 4 to 16 columns wide and 4 to 40 rows high.
    pub fn new(width: usize, height: usize, seed: u64) -> LongGame {
        Size::checked(width, height);
        let empty = Board::new(width, height).expect("the size was checked");
        let end = ClassicEnd::before(empty);
        LongGame { empty, end, pieces: uniform_pieces(seed), ahead: VecDeque::new() }
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

    /// Adds the legs ahead, as long as each begins where the one before it ended.
    fn advance(&mut self) {
        while let Some(leg) = self.ahead.pop_front() {
            if self.end.lost() || leg.beginning != self.end.board {
                self.ahead.push_front(leg);
                return;
            }
            let ClassicEnd { pieces, lines, keys, .. } = self.end;
            self.end = ClassicEnd {
                pieces: pieces + leg.end.pieces,
                lines: lines + leg.end.lines,
                keys: keys + leg.end.keys,
                ..leg.end
            };
            self.pieces = leg.rest;
        }
    }
}

/// How games are cut into legs. All legs of a game must be equally long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RelayPlan {
    /// New legs of each game that are run at the same time.
    pub legs: usize,
    /// Pieces in a leg, at least as many as in a warm-up. Both are rounded up to multiples of the board's width.
    pub leg: u64,
    /// Pieces in a warm-up.
    pub warm_up: u64,
}

/// A part of a game that is still to be run.
#[derive(Clone, Debug)]
pub struct Leg {
    /// The index of its game, and its place among the legs ahead.
    game: usize,
    place: usize,
    /// Where the leg starts: a board that the game may reach, or the empty board a warm-up earlier.
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
    place: usize,
    /// The board with which it began.
    beginning: Board,
    end: ClassicEnd,
    /// The pieces of the leg, and of what follows.
    pieces: PieceSource,
    rest: PieceSource,
}

impl RelayPlan {
    /// The pieces in a leg and in a warm-up. Only after whole rows of cells can two boards have the same number of cells.
    fn pieces(&self, width: usize) -> (u64, u64) {
        let rounded = |pieces: u64| pieces.max(1).next_multiple_of(width as u64);
        (rounded(self.leg.max(self.warm_up)), rounded(self.warm_up))
    }

    /// The legs to run next, of all games that are not lost, in the order of the games: those that began with a wrong board, and new ones.
    pub fn legs(&self, games: &[LongGame]) -> Vec<Leg> {
        let mut legs = Vec::new();
        for (index, game) in games.iter().enumerate().filter(|(_, game)| !game.end.lost()) {
            let (mut board, mut is_lost, mut pieces) = (game.end.board, false, game.pieces.clone());
            for (place, leg) in game.ahead.iter().enumerate() {
                if leg.beginning != board {
                    let FinishedLeg { pieces, rest, .. } = leg.clone();
                    legs.push(Leg { game: index, place, board, warm_up: None, pieces, rest });
                }
                (board, pieces) = (leg.end.board, leg.rest.clone());
                is_lost = leg.end.lost();
                if is_lost {
                    break;
                }
            }
            // A controller that forgets slowly must not get further and further ahead of what is known.
            if !is_lost && game.ahead.len() < 2 * self.legs.max(1) {
                self.new_legs(index, game, board, pieces, &mut legs);
            }
        }
        legs
    }

    /// New legs of a game, after those that are ahead. The first one starts from the board that they lead to.
    fn new_legs(
        &self,
        index: usize,
        game: &LongGame,
        board: Board,
        mut pieces: PieceSource,
        legs: &mut Vec<Leg>,
    ) {
        let (leg, warm_up) = self.pieces(game.empty.width());
        let mut next_warm_up = None;
        for number in 0..self.legs.max(1) {
            let mut rest = pieces.clone();
            draw(&mut rest, leg - warm_up);
            let warm_up_of_next = rest.clone();
            draw(&mut rest, warm_up);
            legs.push(Leg {
                game: index,
                place: game.ahead.len() + number,
                board: if number == 0 { board } else { game.empty },
                warm_up: next_warm_up.replace(warm_up_of_next),
                pieces: std::mem::replace(&mut pieces, rest.clone()),
                rest,
            });
        }
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
        let finished = legs.iter().zip(beginnings).zip(ends).map(|((leg, beginning), end)| {
            let Leg { game, place, pieces, rest, .. } = leg.clone();
            FinishedLeg { game, place, beginning, end, pieces, rest }
        });
        Some(finished.collect())
    }

    /// Adds legs to their games, as far as each begins where the one before it ended. The legs must be in the order in which
    /// [`legs`](RelayPlan::legs) returned them.
    pub fn join(&self, games: &mut [LongGame], legs: impl IntoIterator<Item = FinishedLeg>) {
        for leg in legs {
            let ahead = &mut games[leg.game].ahead;
            match ahead.get_mut(leg.place) {
                Some(wrong) => *wrong = leg,
                None => ahead.push_back(leg),
            }
        }
        games.iter_mut().for_each(LongGame::advance);
    }
}

/// Draws pieces and drops them.
fn draw(pieces: &mut PieceSource, count: u64) {
    for _ in 0..count {
        pieces.draw();
    }
}
