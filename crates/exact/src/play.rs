//! Games played by a policy.

use crate::chain::Chain;
use crate::game::{Bits, Decision};
use crate::policy::Policy;
use std::borrow::Borrow;
use tetrion_engine::randomizer::Random;

/// A game under way. It borrows its policy, or owns a share of it.
#[derive(Clone, Debug)]
pub struct Match<P> {
    policy: P,
    random: Random,
    board: Bits,
    piece: usize,
    placed: u64,
    rows: u64,
    lost: bool,
}

/// A placement that was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PolicyMove {
    /// The board before it.
    pub board: Bits,
    /// The piece.
    pub piece: usize,
    /// Where it went; [`LOST`](crate::game::LOST) if it lost the game wherever it went.
    pub decision: Decision,
    /// The rows that it cleared.
    pub rows: u32,
}

impl<P: Borrow<Policy>> Match<P> {
    /// A game that starts with that piece, or with any.
    pub fn new(policy: P, first: Option<usize>, seed: u64) -> Match<P> {
        let mut random = Random::new(seed);
        let piece = first.unwrap_or_else(|| random.below(policy.borrow().chain().pieces() as u64) as usize);
        Match { policy, random, board: 0, piece, placed: 0, rows: 0, lost: false }
    }

    /// The board.
    pub fn board(&self) -> Bits {
        self.board
    }

    /// The piece to place.
    pub fn piece(&self) -> usize {
        self.piece
    }

    /// Pieces placed; one that lost the game was not.
    pub fn placed(&self) -> u64 {
        self.placed
    }

    /// Rows cleared.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Whether it was lost.
    pub fn is_lost(&self) -> bool {
        self.lost
    }

    /// What is done with the next piece; nothing if the game is over.
    pub fn next_decision(&self) -> Option<Decision> {
        let policy = self.policy.borrow();
        let over = self.lost || policy.stages() == Some(self.placed);
        (!over).then(|| policy.decide(self.board, self.piece, self.placed))
    }

    /// Plays on until the end.
    pub fn play_out(&mut self) {
        while self.step().is_some() {}
    }

    /// Makes one placement; nothing if the game is over.
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

/// The piece after another, as the chain draws it.
pub fn next_piece(chain: &Chain, before: usize, random: &mut Random) -> usize {
    let chances = chain.row(before);
    let mut left = random.fraction();
    for (piece, chance) in chances.iter().enumerate() {
        if left < *chance {
            return piece;
        }
        left -= chance;
    }
    // Rounding may leave a little: it goes to the last piece that can come.
    chances.iter().rposition(|chance| *chance > 0.0).unwrap_or(0)
}
