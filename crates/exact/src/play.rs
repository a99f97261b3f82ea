//! Games played by a policy.

use crate::chain::Chain;
use crate::game::{Bits, PlacementIndex};
use crate::policy::Policy;
use std::borrow::Borrow;
use tetrion_engine::randomizer::Random;

/// A game in progress. `P` borrows or owns the policy.
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

    /// Pieces placed, not counting one that lost the game.
    pub fn placed(&self) -> u64 {
        self.placed
    }

    /// Rows cleared.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Whether the game is lost.
    pub fn is_lost(&self) -> bool {
        self.lost
    }

    /// The policy's decision for the current piece, or `None` if the game is over.
    pub fn next_decision(&self) -> Option<PlacementIndex> {
        let policy = self.policy.borrow();
        let over = self.lost || policy.stages() == Some(self.placed);
        (!over).then(|| policy.decide(self.board, self.piece, self.placed))
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
