//! A replay's game at each placement: what stands on the board, and what waits beside it.

use std::collections::VecDeque;
use tetrion_engine::board::Board;
use tetrion_engine::game::{Event, Game, Outcome, TopOut};
use tetrion_engine::picture::Picture;
use tetrion_engine::piece::Piece;
use tetrion_engine::randomizer::Pieces;
use tetrion_engine::replay::{PlayError, Replay};
use tetrion_engine::ruleset::RulesetError;

/// A game between two placements, as one sees it.
#[derive(Clone, Debug)]
pub struct Stage {
    board: Board,
    picture: Picture,
    hold: Option<Piece>,
    /// The current piece, then those that are seen.
    queue: VecDeque<Piece>,
    pieces: Pieces,
    placed: u32,
    lines: u32,
    score: u64,
}

impl Stage {
    /// The start of a replay's game.
    pub fn new(replay: &Replay) -> Result<Stage, RulesetError> {
        let game = Game::new(replay.rules.clone(), replay.seed)?;
        let mut pieces = replay.rules.randomizer.pieces(replay.seed)?;
        let queue = (0..=replay.rules.previews).map(|_| pieces.draw()).collect();
        Ok(Stage {
            board: *game.board(),
            picture: Picture::default(),
            hold: None,
            queue,
            pieces,
            placed: 0,
            lines: 0,
            score: 0,
        })
    }

    /// Goes on to after a placement.
    pub fn apply(&mut self, event: &Event) {
        if event.outcome == Some(Outcome::TopOut(TopOut::Overflow)) {
            // It was not placed.
            return;
        }
        if event.held {
            let current = self.queue[0];
            match self.hold.replace(current) {
                Some(held) => self.queue[0] = held,
                None => self.next_piece(),
            }
        }
        debug_assert_eq!(self.queue[0], event.placement.piece());
        self.next_piece();
        self.picture.apply(event);
        self.board.place(event.placement);
        self.board.clear_rows(event.cleared_rows);
        self.placed += 1;
        self.lines += event.lines;
        self.score += u64::from(event.points.total());
    }

    fn next_piece(&mut self) {
        self.queue.pop_front();
        self.queue.push_back(self.pieces.draw());
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Whether a cell is filled, and by which piece if that is known.
    pub fn block(&self, x: usize, y: usize) -> Option<Option<Piece>> {
        self.board.is_filled(x as i32, y as i32).then(|| self.picture.cell(x, y))
    }

    /// The held piece.
    pub fn hold(&self) -> Option<Piece> {
        self.hold
    }

    /// The piece to place, then those that are seen.
    pub fn queue(&self) -> impl ExactSizeIterator<Item = Piece> {
        self.queue.iter().copied()
    }

    /// All pieces to come, the current one first. There is no end of them.
    pub fn pieces(&self) -> impl Iterator<Item = Piece> {
        let mut pieces = self.pieces.clone();
        self.queue().chain(std::iter::repeat_with(move || pieces.draw()))
    }

    /// Pieces placed.
    pub fn placed(&self) -> u32 {
        self.placed
    }

    /// Lines cleared.
    pub fn lines(&self) -> u32 {
        self.lines
    }

    /// Points; none in games that count lines only.
    pub fn score(&self) -> u64 {
        self.score
    }
}

/// Plays a replay, and shows the stage before each placement. The last stage is given back.
pub fn play(replay: &Replay, mut placed: impl FnMut(&Stage, &Event)) -> Result<Stage, PlayError> {
    let mut stage = Stage::new(replay)?;
    replay.play(|event| {
        placed(&stage, event);
        stage.apply(event);
    })?;
    Ok(stage)
}
