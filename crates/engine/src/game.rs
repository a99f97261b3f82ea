//! A game: the board, the pieces to come, the hold, the score, and how it ends.

use crate::board::Board;
use crate::location::{PieceLocation, Placement};
use crate::moves::{self, MoveSet, Movement, path};
use crate::opening::Opening;
use crate::piece::Piece;
use crate::position::{Position, View};
use crate::randomizer::PieceSource;
use crate::record::{GameResult, Outcome, PlacementRecord, TopOut, Totals};
use crate::ruleset::{Goal, Micros, Ruleset, RulesetError};
use crate::scoring::{Clear, Points, Streak};
use crate::versus::{Attack, Garbage};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A decision: a placement of the current piece, or of the piece that a hold brings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Move {
    /// Whether to hold first.
    pub hold: bool,
    /// Where the piece goes.
    pub placement: Placement,
}

/// Why a move can't be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalMove {
    /// The game is over.
    #[error("the game is over")]
    GameOver,
    /// These rules have no hold, or it was already used for this piece.
    #[error("hold is not available now")]
    Hold,
    /// The move places the wrong piece.
    #[error("the piece to place is {expected}, not {found}")]
    Piece {
        /// The piece to place.
        expected: Piece,
        /// The piece of the move.
        found: Piece,
    },
    /// The piece from the hold has no room to spawn.
    #[error("the piece from the hold has no room to spawn")]
    Blocked,
    /// The piece can't get there.
    #[error("{0} can't be reached")]
    Unreachable(Placement),
    /// The game is paused.
    #[error("the game is paused")]
    Paused,
}

/// A game under way. Clone it to take a snapshot.
#[derive(Clone, Debug)]
pub struct Game {
    rules: Arc<Ruleset>,
    position: Position,
    /// Where the pieces after the queue come from.
    source: PieceSource,
    outcome: Option<Outcome>,
    /// What waits for the player in versus, and the time.
    incoming: Option<Box<Garbage>>,
    now: Micros,
}

impl Game {
    /// A new game. The same rules and seed give the same game.
    pub fn new(rules: Ruleset, seed: u64) -> Result<Game, RulesetError> {
        let board = rules.start()?;
        let opening = &rules.opening;
        let mut source = rules.randomizer.pieces(seed)?.after(opening.queue.clone());
        if let Some(bag) = opening.bag {
            source = source.with_bag(bag);
        }
        let position = Position {
            hold: opening.hold,
            hold_used: opening.hold_used,
            streak: opening.streak,
            placed: opening.placed,
            lines: opening.lines,
            score: opening.score,
            ..Position::new(board, (0..=rules.previews).map(|_| source.draw()).collect())
        };
        let incoming = rules.versus.as_ref().map(|_| Box::new(Garbage::new(seed, 0, board.width())));
        let mut game = Game { rules: Arc::new(rules), position, source, outcome: None, incoming, now: 0 };
        game.position.bag = game.source.bag();
        game.check_spawn();
        Ok(game)
    }

    /// A game that starts from a position. Its bag and the seed determine the pieces after its queue. The position replaces the
    /// opening of the rules, so a replay of the game starts from it too.
    pub fn from_position(rules: Ruleset, position: &Position, seed: u64) -> Result<Game, RulesetError> {
        let board = &position.board;
        let game = Game::new(Ruleset { opening: Opening::from(position), ..rules }, seed)?;
        let size = |board: &Board| (board.width(), board.height());
        if size(board) != size(&game.position.board) {
            return Err(RulesetError::BoardSize { found: size(board), expected: size(&game.position.board) });
        }
        Ok(game)
    }

    /// The game with another board. Everything else stays, except that the current piece may now have room to spawn, or none.
    ///
    /// # Panics
    /// If the board does not have the size that the rules require.
    pub fn with_board(mut self, board: Board) -> Game {
        let size = |board: &Board| (board.width(), board.height());
        assert_eq!(size(&board), size(&self.position.board), "the board must have the size of the rules");
        self.position.board = board;
        self.outcome = None;
        self.check_spawn();
        self
    }

    /// All that a player can see.
    #[inline]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The rules.
    pub fn rules(&self) -> &Ruleset {
        &self.rules
    }

    /// The board.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.position.board
    }

    /// The piece to place. After the end, the piece that would have been next.
    #[inline]
    pub fn current(&self) -> Piece {
        self.position.current()
    }

    /// The visible next pieces.
    pub fn previews(&self) -> &[Piece] {
        self.position.previews()
    }

    /// All pieces to come, the current one first, without end. A player does not know them all.
    pub fn pieces_to_come(&self) -> impl Iterator<Item = Piece> + use<> {
        let mut source = self.source.clone();
        self.position.queue.clone().into_iter().chain(std::iter::repeat_with(move || source.draw()))
    }

    /// The current piece and the previews, and the rest of the bag, if pieces come from one.
    pub(crate) fn pieces_to_end_of_bag(&self) -> Vec<Piece> {
        let unseen = self.position.bag.map_or(0, |left| left.len());
        self.pieces_to_come().take(self.position.queue.len() + unseen).collect()
    }

    /// The position with its rules, as agents see it. `None` if the game is over.
    #[inline]
    pub fn view(&self) -> Option<View<'_>> {
        self.outcome.is_none().then(|| View { rules: &self.rules, position: &self.position })
    }

    /// The result so far. It has no key count.
    pub fn result(&self) -> GameResult {
        GameResult {
            outcome: self.outcome,
            pieces: self.position.placed.into(),
            lines: self.position.lines.into(),
            score: self.position.score,
            keys: None,
        }
    }

    /// The held piece.
    #[inline]
    pub fn held(&self) -> Option<Piece> {
        self.position.hold
    }

    /// Whether hold is available now.
    #[inline]
    pub fn can_hold(&self) -> bool {
        self.view().is_some_and(|view| view.can_hold())
    }

    /// The current back-to-back and combo.
    pub fn streak(&self) -> Streak {
        self.position.streak
    }

    /// Pieces placed.
    #[inline]
    pub fn placed(&self) -> u32 {
        self.position.placed
    }

    /// Lines cleared.
    #[inline]
    pub fn lines(&self) -> u32 {
        self.position.lines
    }

    /// The score; in Classic, lines.
    #[inline]
    pub fn score(&self) -> u64 {
        self.position.score
    }

    /// How the game ended, if it did.
    #[inline]
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// Whether a Classic game ended because a piece came to rest above the board.
    pub fn has_overflowed(&self) -> bool {
        self.outcome == Some(Outcome::TopOut(TopOut::Overflow))
    }

    /// Where a piece spawns.
    pub fn spawn(&self, piece: Piece) -> PieceLocation {
        self.rules.spawn(piece, &self.position.board)
    }

    /// Every placement of a piece.
    #[inline]
    pub fn placements(&self, piece: Piece) -> MoveSet {
        moves::generate(&self.position.board, self.spawn(piece), self.rules.move_rules())
    }

    /// The fewest keys to a placement, including the hard drop but not the hold. `None` if it can't be reached.
    pub fn fewest_keys(&self, placement: Placement) -> Option<u32> {
        let start = self.spawn(placement.piece());
        path::fewest_keys(&self.position.board, start, placement, self.rules.move_rules())
    }

    /// The fewest keys for a move, including the hold and the hard drop. A piece that would come to rest above a Classic board
    /// is not placed, and takes none.
    pub fn keys(&self, play: Move) -> u32 {
        if self.overflows(play.placement) {
            return 0;
        }
        self.fewest_keys(play.placement).unwrap_or(0) + u32::from(play.hold)
    }

    /// Whether this is Classic and the placement comes to rest above the board.
    fn overflows(&self, placement: Placement) -> bool {
        let visible = i32::from(self.rules.visible_height);
        self.rules.movement == Movement::Straight
            && placement.location().cells().into_iter().any(|(_, y)| y >= visible)
    }

    /// Makes a move if it is legal.
    ///
    /// The piece scores for its fall from the spawn: as a hard drop if nothing is above its place, else as a soft drop.
    pub fn play(&mut self, play: Move) -> Result<PlacementRecord, IllegalMove> {
        self.check(play)?;
        Ok(self.play_generated(play))
    }

    /// Checks that a move is legal.
    pub fn check(&self, play: Move) -> Result<(), IllegalMove> {
        let Move { hold, placement } = play;
        let (expected, found) = (self.piece_of(play)?, placement.piece());
        if expected != found {
            return Err(IllegalMove::Piece { expected, found });
        }
        let (start, rules) = (self.spawn(found), self.rules.move_rules());
        let reachable = path::is_open_drop(&self.position.board, start, placement, rules)
            || moves::generate(&self.position.board, start, rules).contains(placement);
        match reachable {
            true => Ok(()),
            false if hold && !self.rules.can_spawn(found, &self.position.board) => Err(IllegalMove::Blocked),
            false => Err(IllegalMove::Unreachable(placement)),
        }
    }

    /// Makes a move from this state's [`placements`](Game::placements), without checking again that it is legal.
    pub fn play_generated(&mut self, play: Move) -> PlacementRecord {
        debug_assert_eq!(self.check(play), Ok(()), "{play:?}");
        let Move { hold, placement } = play;
        let start = self.spawn(placement.piece());
        let (soft, hard) = path::rows_fallen(&self.position.board, start, placement, self.rules.move_rules());
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
            // Without previews the next piece is not drawn yet, so look it up in a copy of the source.
            true => {
                let known = self.position.hold.or(self.position.previews().first().copied());
                Ok(known.unwrap_or_else(|| self.source.clone().draw()))
            }
        }
    }

    /// Swaps the current piece with the held one, or with the next if none is held. A block out ends the game.
    pub fn hold(&mut self) -> Result<(), IllegalMove> {
        if self.outcome.is_some() {
            return Err(IllegalMove::GameOver);
        }
        if !self.can_hold() {
            return Err(IllegalMove::Hold);
        }
        self.hold_current();
        self.check_spawn();
        Ok(())
    }

    fn hold_current(&mut self) {
        let current = self.current();
        match self.position.hold.replace(current) {
            Some(held) => self.position.queue[0] = held,
            None => self.next_piece(),
        }
        self.position.hold_used = true;
    }

    fn next_piece(&mut self) {
        self.position.queue.remove(0);
        self.position.queue.push(self.source.draw());
        self.position.bag = self.source.bag();
    }

    /// Locks the current piece, however it got there. The caller has checked that it can rest there.
    pub(crate) fn lock(&mut self, placement: Placement, soft_drop: u32, hard_drop: u32) -> PlacementRecord {
        let mut record = PlacementRecord {
            number: self.position.placed + 1,
            at: None,
            held: self.position.hold_used,
            placement,
            cleared_rows: 0,
            lines: 0,
            back_to_back: false,
            combo: 0,
            perfect_clear: false,
            soft_drop,
            hard_drop,
            points: Points::default(),
            attack: 0,
            sent: 0,
            garbage: 0,
            keys: None,
            totals: Totals::default(),
            outcome: None,
        };
        if self.overflows(placement) {
            // The piece is not placed: the board and the counts stay as they were after the last good move.
            self.outcome = Some(Outcome::TopOut(TopOut::Overflow));
        } else {
            self.position.placed += 1;
            if self.locks_out(placement) {
                self.position.board.place(placement);
                self.outcome = Some(Outcome::TopOut(TopOut::LockOut));
            } else {
                let before = self.position.streak;
                self.clear_and_score(&mut record);
                self.position.hold_used = false;
                self.next_piece();
                let has_room = self.exchange_garbage(before, &mut record);
                self.check_goal();
                if !has_room {
                    self.outcome = Some(Outcome::TopOut(TopOut::BlockOut));
                }
            }
        }
        let Position { board, lines, score, .. } = &self.position;
        record.totals = Totals { lines: *lines, score: *score, height: board.stack_height() as u8 };
        record.outcome = self.outcome;
        record
    }

    /// Whether a placement rests wholly above the visible rows.
    fn locks_out(&self, placement: Placement) -> bool {
        self.rules.movement != Movement::Straight
            && placement.location().bottom() >= i32::from(self.rules.visible_height)
    }

    /// Places the piece of a record, clears full rows and scores.
    fn clear_and_score(&mut self, record: &mut PlacementRecord) {
        let position = &mut self.position;
        record.cleared_rows = position.board.place_and_clear(record.placement);
        record.lines = record.cleared_rows.count_ones();
        if record.lines > 0 {
            record.perfect_clear = position.board.is_empty();
            record.combo = position.streak.clears;
        }
        let clear =
            Clear { lines: record.lines, spin: record.placement.spin(), perfect: record.perfect_clear };
        let scored = self.rules.scoring.score(&mut position.streak, clear);
        (record.points, record.back_to_back) = (scored.points, scored.back_to_back);
        record.points.drop = self.rules.scoring.drop(record.soft_drop, record.hard_drop);
        position.lines += record.lines;
        position.score += u64::from(record.points.total());
    }

    /// The lines of all attacks so far, in versus.
    pub fn attack(&self) -> u32 {
        self.position.attack
    }

    /// The attacks that wait for the player, the next to rise first.
    pub fn waiting(&self) -> impl Iterator<Item = &Attack> {
        self.incoming.iter().flat_map(|incoming| incoming.waiting())
    }

    /// An attack comes in.
    pub(crate) fn receive(&mut self, attack: Attack) {
        if let Some(incoming) = &mut self.incoming {
            incoming.receive(attack);
            self.show_garbage();
        }
    }

    /// Draws the holes of the garbage for a side, 0 or 1, of a match with this seed.
    pub(crate) fn play_side(&mut self, seed: u64, side: u64) {
        let width = self.position.board.width();
        self.incoming = self.incoming.take().map(|_| Box::new(Garbage::new(seed, side, width)));
    }

    /// Tells the game the time. Only garbage depends on it.
    pub(crate) fn pass_time(&mut self, now: Micros) {
        self.now = now;
    }

    /// Shows the waiting garbage in the position.
    fn show_garbage(&mut self) {
        if let Some(incoming) = &self.incoming {
            self.position.garbage.clear();
            self.position.garbage.extend(incoming.waiting().map(|attack| attack.rows));
        }
    }

    /// Attacks with the clear of a record, which came after this streak, and lets the garbage rise that is due. Returns whether
    /// the board had room for it.
    fn exchange_garbage(&mut self, before: Streak, record: &mut PlacementRecord) -> bool {
        let (Some(incoming), Some(versus)) = (&mut self.incoming, &self.rules.versus) else { return true };
        let clear =
            Clear { lines: record.lines, spin: record.placement.spin(), perfect: record.perfect_clear };
        record.attack = versus.attack.attack(before, clear);
        self.position.attack = self.position.attack.saturating_add(record.attack);
        record.sent = match versus.garbage.cancels {
            true => incoming.cancel(record.attack, self.now),
            false => record.attack,
        };
        let is_held_back = versus.garbage.blocks && record.lines > 0;
        let risen = match is_held_back {
            true => Some(0),
            false => incoming.rise(&mut self.position.board, &versus.garbage, self.now),
        };
        record.garbage = risen.unwrap_or(0);
        self.show_garbage();
        risen.is_some()
    }

    /// Ends the game if its goal is reached, or if the next piece has no room to spawn.
    fn check_goal(&mut self) {
        let Goal { lines, pieces, time: _ } = self.rules.goal;
        if lines.is_some_and(|goal| self.position.lines >= goal) {
            self.outcome = Some(Outcome::Clear);
        } else if pieces.is_some_and(|goal| self.position.placed >= goal) {
            self.outcome = Some(Outcome::PieceLimit);
        } else {
            self.check_spawn();
        }
    }

    /// Ends the game if the current piece has no room to spawn.
    fn check_spawn(&mut self) {
        if !self.rules.can_spawn(self.current(), &self.position.board) {
            self.outcome = Some(Outcome::TopOut(TopOut::BlockOut));
        }
    }

    /// Ends the game because its time is up.
    pub(crate) fn time_up(&mut self) {
        self.outcome.get_or_insert(Outcome::TimeUp);
    }

    /// A hash of the visible state, the same on every machine. Two games that look different share a hash with a chance of one
    /// in 2⁶⁴.
    pub fn state_hash(&self) -> u64 {
        let Position { board, queue, hold, hold_used, streak, placed, lines, score, attack, garbage, bag: _ } =
            &self.position;
        let mut hash = Fnv::default();
        for column in board.columns() {
            hash.add(*column);
        }
        for piece in queue.iter().copied().map(Some).chain([*hold]) {
            hash.add(piece.map_or(7, |piece| piece as u64));
        }
        hash.add(u64::from(*hold_used));
        hash.add(u64::from(streak.back_to_back));
        for number in [streak.clears, *placed, *lines] {
            hash.add(number.into());
        }
        hash.add(*score);
        let outcome = match self.outcome {
            None => 0,
            Some(Outcome::Clear) => 1,
            Some(Outcome::TimeUp) => 2,
            Some(Outcome::PieceLimit) => 3,
            Some(Outcome::TopOut(how)) => 4 + how as u64,
        };
        hash.add(outcome);
        if self.incoming.is_some() {
            [*attack].iter().chain(garbage).for_each(|number| hash.add((*number).into()));
        }
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
