//! Games played by a policy.

use crate::chain::Chain;
use crate::game::{Bits, PlacementIndex};
use crate::policy::Policy;
use std::borrow::Borrow;
use tetrion_engine::randomizer::Random;
use tetrion_engine::record::{GameResult, Outcome, TopOut};

/// A game in progress. `P` borrows or owns the policy.
#[derive(Clone, Debug)]
pub struct Match<P> {
    policy: P,
    /// Placements in the game, if not until loss.
    stages: Option<u64>,
    random: Random,
    board: Bits,
    piece: usize,
    placed: u64,
    rows: u64,
    lost: bool,
}

/// A placement in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PolicyMove {
    /// The board before it.
    pub board: Bits,
    /// The piece.
    pub piece: usize,
    /// Where it went, or [`LOST`](crate::game::LOST) if every placement lost.
    pub decision: PlacementIndex,
    /// Rows cleared.
    pub rows: u32,
}

impl<P: Borrow<Policy>> Match<P> {
    /// A game that starts with this piece, or with a random one.
    pub fn new(policy: P, first: Option<usize>, seed: u64) -> Match<P> {
        let mut random = Random::new(seed);
        let piece = first.unwrap_or_else(|| random.below(policy.borrow().chain().pieces() as u64) as usize);
        let stages = policy.borrow().stages();
        Match { policy, stages, random, board: 0, piece, placed: 0, rows: 0, lost: false }
    }

    /// The same game, ending after at most this many placements.
    pub fn limited(self, placements: Option<u64>) -> Match<P> {
        Match { stages: self.stages.into_iter().chain(placements).min(), ..self }
    }

    /// The board.
    pub fn board(&self) -> Bits {
        self.board
    }

    /// The piece to place.
    pub fn piece(&self) -> usize {
        self.piece
    }

    /// Pieces placed, not counting one that lost the game.
    pub fn placed(&self) -> u64 {
        self.placed
    }

    /// Rows cleared.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// The result so far. A row counts as a line and scores one point.
    pub fn result(&self) -> GameResult {
        let outcome = match () {
            _ if self.lost => Some(Outcome::TopOut(TopOut::Overflow)),
            _ if self.stages == Some(self.placed) => Some(Outcome::PieceLimit),
            _ => None,
        };
        GameResult { outcome, pieces: self.placed, lines: self.rows, score: self.rows, keys: None }
    }

    /// The policy's decision for the current piece, or `None` if the game is over.
    pub fn next_decision(&self) -> Option<PlacementIndex> {
        let goes_on = self.result().outcome.is_none();
        goes_on.then(|| self.policy.borrow().decide(self.board, self.piece, self.placed))
    }

    /// Plays to the end.
    pub fn play_out(&mut self) {
        while self.step().is_some() {}
    }

    /// Places one piece, unless the game is over.
    pub fn step(&mut self) -> Option<PolicyMove> {
        let decision = self.next_decision()?;
        let (policy, board, piece) = (self.policy.borrow(), self.board, self.piece);
        let successor = policy.game().successor(board, piece, decision);
        let rows = successor.map_or(0, |successor| successor.rows);
        match successor {
            None => self.lost = true,
            Some(successor) => {
                self.board = successor.board;
                self.placed += 1;
                self.rows += u64::from(rows);
                self.piece = next_piece(policy.chain(), piece, &mut self.random);
            }
        }
        Some(PolicyMove { board, piece, decision, rows })
    }
}

/// Draws the next piece from the chain.
pub fn next_piece(chain: &Chain, before: usize, random: &mut Random) -> usize {
    let chances = chain.row(before);
    let mut left = random.fraction();
    for (piece, chance) in chances.iter().enumerate() {
        if left < *chance {
            return piece;
        }
        left -= chance;
    }
    // What rounding leaves goes to the last possible piece.
    chances.iter().rposition(|chance| *chance > 0.0).unwrap_or(0)
}
