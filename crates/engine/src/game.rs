//! A game: the board, the pieces to come, the hold, the score, and how it ends.

use crate::board::Board;
use crate::location::{PieceLocation, Placement, Spin};
use crate::moves::{self, MoveSet, Movement, path};
use crate::piece::Piece;
use crate::randomizer::PieceSource;
use crate::ruleset::{Goal, Ruleset, RulesetError};
use crate::scoring::{Clear, HARD_DROP, Points, SOFT_DROP, Streak};
use crate::view::View;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// A decision: a placement of the current piece, or of the one that a hold brings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Move {
    /// Whether the current piece is held first.
    pub hold: bool,
    /// Where the piece then goes.
    pub placement: Placement,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The lines to clear were cleared.
    Clear,
    /// It was lost.
    TopOut(TopOut),
    /// The time was up.
    TimeUp,
    /// The pieces to place were placed.
    PieceLimit,
}

/// How a game was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TopOut {
    /// A piece had no room to enter.
    BlockOut,
    /// A piece locked wholly above the visible rows.
    LockOut,
    /// In Classic, a piece came to rest with a cell above the board.
    Overflow,
}

impl Outcome {
    /// The outcome's name in results.
    pub const fn name(self) -> &'static str {
        match self {
            Outcome::Clear => "clear",
            Outcome::TopOut(_) => "top_out",
            Outcome::TimeUp => "time_up",
            Outcome::PieceLimit => "piece_limit",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Clear => f.write_str("Clear!"),
            Outcome::TopOut(how) => write!(f, "Top Out! ({how})"),
            Outcome::TimeUp => f.write_str("Time's Up!"),
            Outcome::PieceLimit => f.write_str("All pieces placed"),
        }
    }
}

impl fmt::Display for TopOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TopOut::BlockOut => "no room to enter",
            TopOut::LockOut => "locked above the visible rows",
            TopOut::Overflow => "came to rest above the board",
        })
    }
}

/// All that happened when a piece locked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// The number of the piece, from 1.
    pub number: u32,
    /// Whether the hold was used before it.
    pub held: bool,
    /// Where it went, and whether it spun in.
    pub placement: Placement,
    /// The set of rows that were full, as they stood before they were cleared.
    pub cleared_rows: u64,
    /// How many they were.
    pub lines: u32,
    /// Whether the clear followed another difficult one, and scored for it.
    pub back_to_back: bool,
    /// How many placements in a row had cleared lines before this one, if it cleared lines too: the combo shown.
    pub combo: u32,
    /// Whether the board was empty afterwards.
    pub perfect_clear: bool,
    /// Rows fallen by soft drop.
    pub soft_drop: u32,
    /// Rows fallen by hard drop.
    pub hard_drop: u32,
    /// What it scored.
    pub points: Points,
    /// How the game ended, if this ended it.
    pub outcome: Option<Outcome>,
}

/// Why a move can't be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalMove {
    /// The game is over.
    #[error("the game is over")]
    GameOver,
    /// There is no hold in these rules, or it was used for this piece already.
    #[error("the hold can't be used now")]
    Hold,
    /// Another piece is to be placed.
    #[error("the piece to place is {expected}, not {found}")]
    Piece {
        /// The piece that is due.
        expected: Piece,
        /// The piece of the move.
        found: Piece,
    },
    /// The held piece has no room to enter.
    #[error("the piece out of the hold has no room to enter")]
    Blocked,
    /// The piece can't get there.
    #[error("{0} can't be reached")]
    Unreachable(Placement),
    /// The clock is stopped.
    #[error("the game is paused")]
    Paused,
}

/// A game under way. To clone it is to remember it.
#[derive(Clone, Debug)]
pub struct Game {
    rules: Arc<Ruleset>,
    board: Board,
    pieces: PieceSource,
    /// The current piece, then those that are seen.
    queue: Vec<Piece>,
    hold: Option<Piece>,
    hold_used: bool,
    streak: Streak,
    placed: u32,
    lines: u32,
    score: u64,
    outcome: Option<Outcome>,
}

impl Game {
    /// A new game: the same for the same rules and seed.
    pub fn new(rules: Ruleset, seed: u64) -> Result<Game, RulesetError> {
        let board = rules.start()?;
        let pieces = rules.randomizer.pieces(seed)?.after(rules.opening.queue.clone());
        Ok(Game::from_parts(Arc::new(rules), board, pieces))
    }

    fn from_parts(rules: Arc<Ruleset>, board: Board, mut pieces: PieceSource) -> Game {
        let queue = (0..=rules.previews).map(|_| pieces.draw()).collect();
        let mut game = Game {
            hold: rules.opening.hold,
            rules,
            board,
            pieces,
            queue,
            hold_used: false,
            streak: Streak::default(),
            placed: 0,
            lines: 0,
            score: 0,
            outcome: None,
        };
        game.check_entry();
        game
    }

    /// The game with another board. Everything else stays as it is, but whether the current piece has room to enter.
    ///
    /// # Panics
    /// If the board has not the size that the rules ask for.
    pub fn with_board(self, board: Board) -> Game {
        let size = |board: &Board| (board.width(), board.height());
        assert_eq!(size(&board), size(&self.board), "the board must have the size of the rules");
        let mut game = Game { board, outcome: None, ..self };
        game.check_entry();
        game
    }

    /// The rules.
    pub fn rules(&self) -> &Ruleset {
        &self.rules
    }

    /// The board.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The piece to place. After the end, the piece that was to come.
    #[inline]
    pub fn current(&self) -> Piece {
        self.queue[0]
    }

    /// The next pieces, as far as they are seen.
    pub fn previews(&self) -> &[Piece] {
        &self.queue[1..]
    }

    /// All pieces to come, the current one first: more than a player knows. There is no end of them.
    pub fn pieces_to_come(&self) -> impl Iterator<Item = Piece> + use<> {
        let mut pieces = self.pieces.clone();
        self.queue.clone().into_iter().chain(std::iter::repeat_with(move || pieces.draw()))
    }

    /// The pieces to come that are seen, and those after them until the bag is empty, if they are drawn from one.
    pub(crate) fn pieces_to_end_of_bag(&self) -> Vec<Piece> {
        let unseen = self.pieces.bag().map_or(0, |left| left.iter().count());
        self.pieces_to_come().take(self.queue.len() + unseen).collect()
    }

    /// What a player sees; nothing if the game is over.
    pub fn view(&self) -> Option<View<'_>> {
        self.outcome.is_none().then(|| View {
            rules: &self.rules,
            board: &self.board,
            current: self.current(),
            previews: self.previews(),
            hold: self.hold,
            can_hold: self.can_hold(),
            bag: self.pieces.bag(),
            streak: self.streak,
            placed: self.placed,
            lines: self.lines,
        })
    }

    /// The held piece.
    #[inline]
    pub fn held(&self) -> Option<Piece> {
        self.hold
    }

    /// Whether the hold can be used now.
    #[inline]
    pub fn can_hold(&self) -> bool {
        self.rules.hold && !self.hold_used && self.outcome.is_none()
    }

    /// The back-to-back and combo under way.
    pub fn streak(&self) -> Streak {
        self.streak
    }

    /// Pieces placed.
    #[inline]
    pub fn placed(&self) -> u32 {
        self.placed
    }

    /// Lines cleared.
    #[inline]
    pub fn lines(&self) -> u32 {
        self.lines
    }

    /// Points; in Classic, lines.
    #[inline]
    pub fn score(&self) -> u64 {
        self.score
    }

    /// How the game ended, if it did.
    #[inline]
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// Whether a piece that came to rest above a Classic board has ended it.
    pub fn has_overflowed(&self) -> bool {
        self.outcome == Some(Outcome::TopOut(TopOut::Overflow))
    }

    /// Where the piece starts to move.
    pub fn entry(&self, piece: Piece) -> PieceLocation {
        self.rules.entry(piece, &self.board)
    }

    /// Every placement of a piece.
    #[inline]
    pub fn placements(&self, piece: Piece) -> MoveSet {
        moves::generate(&self.board, self.entry(piece), self.rules.move_rules())
    }

    /// The fewest keys to a placement, the hard drop included and the hold not.
    pub fn fewest_keys(&self, placement: Placement) -> Option<u32> {
        let start = self.entry(placement.piece());
        path::fewest_keys(&self.board, start, placement, self.rules.move_rules())
    }

    /// The fewest keys that make a move, the hold and the hard drop included. A piece that would come to rest above a
    /// Classic board is not placed, and takes none.
    pub fn keys(&self, play: Move) -> u32 {
        if self.overflows(play.placement) {
            return 0;
        }
        self.fewest_keys(play.placement).unwrap_or(0) + u32::from(play.hold)
    }

    /// Whether a placement in Classic comes to rest above the board.
    fn overflows(&self, placement: Placement) -> bool {
        let visible = i32::from(self.rules.visible_height);
        self.rules.movement == Movement::Straight
            && placement.location().cells().into_iter().any(|(_, y)| y >= visible)
    }

    /// Makes a move, if it can be made.
    ///
    /// The piece scores for its fall from where it enters: as a hard drop if nothing is above its place, else as a soft drop.
    pub fn play(&mut self, play: Move) -> Result<Event, IllegalMove> {
        self.check(play)?;
        Ok(self.play_generated(play))
    }

    /// Whether a move can be made.
    pub fn check(&self, play: Move) -> Result<(), IllegalMove> {
        let Move { hold, placement } = play;
        let (expected, found) = (self.piece_of(play)?, placement.piece());
        if expected != found {
            return Err(IllegalMove::Piece { expected, found });
        }
        let (start, rules) = (self.entry(found), self.rules.move_rules());
        let reachable = path::is_open_drop(&self.board, start, placement, rules)
            || moves::generate(&self.board, start, rules).contains(placement);
        match reachable {
            true => Ok(()),
            false if hold && !self.rules.can_enter(found, &self.board) => Err(IllegalMove::Blocked),
            false => Err(IllegalMove::Unreachable(placement)),
        }
    }

    /// Makes a move out of the [`placements`](Game::placements) of this state, without checking again that it can be made.
    pub fn play_generated(&mut self, play: Move) -> Event {
        debug_assert_eq!(self.check(play), Ok(()), "{play:?}");
        let Move { hold, placement } = play;
        let start = self.entry(placement.piece());
        let (soft, hard) = path::rows_fallen(&self.board, start, placement, self.rules.move_rules());
        if hold {
            self.hold_current();
        }
        self.lock(placement, soft, hard)
    }

    /// The piece that a move places.
    fn piece_of(&self, play: Move) -> Result<Piece, IllegalMove> {
        if self.outcome.is_some() {
            return Err(IllegalMove::GameOver);
        }
        match play.hold {
            false => Ok(self.current()),
            true if !self.can_hold() => Err(IllegalMove::Hold),
            // Without previews the next piece is drawn only when it is needed: here, to be told.
            true => {
                Ok(self.hold.or(self.queue.get(1).copied()).unwrap_or_else(|| self.pieces.clone().draw()))
            }
        }
    }

    /// Holds the current piece, and brings the held or the next one. It may have no room to enter: that ends the game.
    pub fn hold(&mut self) -> Result<(), IllegalMove> {
        if self.outcome.is_some() {
            return Err(IllegalMove::GameOver);
        }
        if !self.can_hold() {
            return Err(IllegalMove::Hold);
        }
        self.hold_current();
        self.check_entry();
        Ok(())
    }

    fn hold_current(&mut self) {
        let current = self.current();
        match self.hold.replace(current) {
            Some(held) => self.queue[0] = held,
            None => self.next_piece(),
        }
        self.hold_used = true;
    }

    fn next_piece(&mut self) {
        self.queue.remove(0);
        self.queue.push(self.pieces.draw());
    }

    /// Locks the current piece, wherever it came from. The caller knows that it can be there.
    pub(crate) fn lock(&mut self, placement: Placement, soft_drop: u32, hard_drop: u32) -> Event {
        let classic = self.rules.movement == Movement::Straight;
        let mut event = Event {
            number: self.placed + 1,
            held: self.hold_used,
            placement,
            cleared_rows: 0,
            lines: 0,
            back_to_back: false,
            combo: 0,
            perfect_clear: false,
            soft_drop,
            hard_drop,
            points: Points::default(),
            outcome: None,
        };
        if self.overflows(placement) {
            // The piece is not placed, so that the board and the counts stay those of the last good move.
            self.outcome = Some(Outcome::TopOut(TopOut::Overflow));
            event.outcome = self.outcome;
            return event;
        }
        self.placed += 1;
        self.board.place(placement);
        if !classic && placement.location().bottom() >= i32::from(self.rules.visible_height) {
            self.outcome = Some(Outcome::TopOut(TopOut::LockOut));
            event.outcome = self.outcome;
            return event;
        }

        event.cleared_rows = self.board.full_rows();
        event.lines = event.cleared_rows.count_ones();
        if event.lines > 0 {
            self.board.clear_rows(event.cleared_rows);
            event.perfect_clear = self.board.is_empty();
            event.combo = self.streak.clears;
        }
        self.lines += event.lines;
        if classic {
            self.score += u64::from(event.lines);
        } else {
            let clear = Clear { lines: event.lines, spin: placement.spin(), perfect: event.perfect_clear };
            (event.points, event.back_to_back) = self.streak.score(clear);
            event.points.drop = SOFT_DROP * soft_drop + HARD_DROP * hard_drop;
            self.score += u64::from(event.points.total());
        }

        self.hold_used = false;
        self.next_piece();
        let Goal { lines, pieces, time: _ } = self.rules.goal;
        if lines.is_some_and(|goal| self.lines >= goal) {
            self.outcome = Some(Outcome::Clear);
        } else if pieces.is_some_and(|goal| self.placed >= goal) {
            self.outcome = Some(Outcome::PieceLimit);
        } else {
            self.check_entry();
        }
        event.outcome = self.outcome;
        event
    }

    /// Ends the game if the current piece has no room to enter.
    fn check_entry(&mut self) {
        if !self.rules.can_enter(self.current(), &self.board) {
            self.outcome = Some(Outcome::TopOut(TopOut::BlockOut));
        }
    }

    /// Ends the game because its time is up.
    pub(crate) fn time_up(&mut self) {
        self.outcome.get_or_insert(Outcome::TimeUp);
    }

    /// A number for what can be seen of a game, the same on every machine: two games that look different have different ones,
    /// but for a chance of one in 2⁶⁴.
    pub fn state_hash(&self) -> u64 {
        let mut hash = Fnv::default();
        for column in self.board.columns() {
            hash.add(*column);
        }
        for piece in self.queue.iter().copied().map(Some).chain([self.hold]) {
            hash.add(piece.map_or(7, |piece| piece as u64));
        }
        hash.add(u64::from(self.hold_used));
        hash.add(u64::from(self.streak.back_to_back));
        for number in [self.streak.clears, self.placed, self.lines] {
            hash.add(number.into());
        }
        hash.add(self.score);
        let outcome = match self.outcome {
            None => 0,
            Some(Outcome::Clear) => 1,
            Some(Outcome::TimeUp) => 2,
            Some(Outcome::PieceLimit) => 3,
            Some(Outcome::TopOut(how)) => 4 + how as u64,
        };
        hash.add(outcome);
        hash.0
    }
}

/// The FNV-1a hash.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    fn add(&mut self, number: u64) {
        for byte in number.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

impl Event {
    /// What players call it: "Double", "T-Spin Triple", "Mini T-Spin"; nothing if nothing was cleared or spun.
    pub fn clear_name(&self) -> Option<String> {
        let spin = match self.placement.spin() {
            Spin::None => "",
            Spin::Mini => "Mini T-Spin ",
            Spin::Full => "T-Spin ",
        };
        let lines = ["", "Single", "Double", "Triple", "Tetris"][self.lines as usize];
        let name = format!("{spin}{lines}");
        (!name.is_empty()).then(|| name.trim_end().to_owned())
    }
}
