//! A game, its chain of pieces and its reachable boards: one sweep of dynamic programming over all of them.
//!
//! A *value* belongs to a board and the class of the piece placed last. It is the number of rows to expect from there on,
//! before the next piece is known. [`improve`](Model::improve) looks one placement further ahead and chooses the best
//! placement; [`follow`](Model::follow) does the same for given decisions. Both work on parts of the boards in parallel, and
//! the result does not depend on the number of threads.

use crate::boards::{Boards, BoardsError};
use crate::chain::Chain;
use crate::game::{Bits, LOST, PlacementIndex, SmallGame};
use crate::pieces::MAX_PIECES;
use rayon::prelude::*;
use std::ops::Range;
use tetrion_players::monitor::{Monitor, Stopped};

/// A game with its chain of pieces and its boards.
#[derive(Clone, Debug)]
pub struct Model {
    game: SmallGame,
    chain: Chain,
    boards: Boards,
    /// What a class becomes on a mirrored board.
    mirrored_classes: Vec<usize>,
}

/// Which values are reachable, or `None` if all are. A chain may never bring some pieces to some boards.
pub type Possible = Option<Vec<bool>>;

/// The result of a sweep over all boards, counting only reachable values.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Swept {
    /// The largest change of any value.
    pub change: f64,
    /// The largest value.
    pub largest: f64,
}

impl Swept {
    fn and(self, other: Swept) -> Swept {
        Swept { change: self.change.max(other.change), largest: self.largest.max(other.largest) }
    }
}

/// A part of the boards, with their values and decisions.
struct BoardsPart<'p> {
    words: Range<usize>,
    /// The number of its first board.
    first: usize,
    values: &'p mut [f64],
    decisions: &'p mut [PlacementIndex],
}

impl Model {
    /// The model of all reachable boards.
    pub fn new(game: SmallGame, chain: Chain, monitor: &Monitor) -> Result<Model, BoardsError> {
        let mirrored = game.pieces().mirrors().and_then(|mirrors| chain.mirrored_classes(&mirrors));
        let boards = Boards::reachable(&game, mirrored.is_some(), monitor)?;
        Ok(Model { game, chain, boards, mirrored_classes: mirrored.unwrap_or_default() })
    }

    /// The model of these boards alone, which must include every board that the decisions lead to.
    pub(crate) fn of_boards(game: SmallGame, chain: Chain, boards: Boards) -> Model {
        Model { game, chain, boards, mirrored_classes: Vec::new() }
    }

    pub(crate) fn into_parts(self) -> (SmallGame, Chain, Boards) {
        (self.game, self.chain, self.boards)
    }

    /// The game.
    pub fn game(&self) -> &SmallGame {
        &self.game
    }

    /// How pieces are drawn.
    pub fn chain(&self) -> &Chain {
        &self.chain
    }

    /// The boards.
    pub fn boards(&self) -> &Boards {
        &self.boards
    }

    /// The number of values.
    pub fn values(&self) -> usize {
        self.boards.kept() * self.chain.classes()
    }

    /// The number of decisions: one for each kept board and each piece.
    pub fn decisions(&self) -> usize {
        self.boards.kept() * self.chain.pieces()
    }

    /// The index of the value of a board after a piece of this class.
    #[inline]
    pub fn place(&self, board: Bits, class: usize) -> usize {
        let found = self.boards.find(&self.game, board);
        let class = if found.mirrored { self.mirrored_classes[class] } else { class };
        found.number * self.chain.classes() + class
    }

    /// The best placement of a piece and its value, given the values of the boards after it. The first wins a tie.
    #[inline]
    pub fn best(&self, values: &[f64], board: Bits, piece: usize) -> (PlacementIndex, f64) {
        let class = self.chain.class(piece);
        let (mut decision, mut best) = (LOST, 0.0);
        self.game.for_each_successor(board, piece, |number, successor| {
            let value = f64::from(successor.rows) + values[self.place(successor.board, class)];
            if value > best || decision == LOST {
                (decision, best) = (number, value);
            }
        });
        (decision, best)
    }

    /// Looks one placement further ahead than `old`. Writes the values to `new`, and the decisions if `decisions` is not empty.
    /// Unreachable values stay as they are.
    pub fn improve(
        &self,
        old: &[f64],
        new: &mut [f64],
        decisions: &mut [PlacementIndex],
        possible: &Possible,
        monitor: &Monitor,
    ) -> Result<Swept, Stopped> {
        let pieces = self.chain.pieces();
        self.sweep(old, new, decisions, possible, monitor, |board, _, decisions, worth| {
            for piece in 0..pieces {
                let (decision, value) = self.best(old, board, piece);
                worth[piece] = value;
                if let Some(place) = decisions.get_mut(piece) {
                    *place = decision;
                }
            }
        })
    }

    /// Looks one placement further ahead than `old` with these decisions. Each cleared row counts as `row`.
    pub fn follow(
        &self,
        decisions: &[PlacementIndex],
        row: f64,
        old: &[f64],
        new: &mut [f64],
        possible: &Possible,
        monitor: &Monitor,
    ) -> Result<Swept, Stopped> {
        let pieces = self.chain.pieces();
        self.sweep(old, new, &mut [], possible, monitor, |board, number, _, worth| {
            for (piece, decision) in decisions[number * pieces..][..pieces].iter().enumerate() {
                worth[piece] = self.game.successor(board, piece, *decision).map_or(0.0, |successor| {
                    row * f64::from(successor.rows)
                        + old[self.place(successor.board, self.chain.class(piece))]
                });
            }
        })
    }

    /// Visits all boards. `worth` finds the value of each piece on a board, given the board, its number, and room for
    /// decisions.
    fn sweep(
        &self,
        old: &[f64],
        new: &mut [f64],
        decisions: &mut [PlacementIndex],
        possible: &Possible,
        monitor: &Monitor,
        worth: impl Fn(Bits, usize, &mut [PlacementIndex], &mut [f64; MAX_PIECES]) + Sync,
    ) -> Result<Swept, Stopped> {
        let (classes, pieces) = (self.chain.classes(), self.chain.pieces());
        let swept = self
            .parts(new, decisions)
            .into_par_iter()
            .map(|part| {
                let mut swept = Swept::default();
                if monitor.is_stopped() {
                    return swept;
                }
                let (mut values, mut decisions) = (part.values.chunks_exact_mut(classes), part.decisions);
                let mut pieces_worth = [0.0; MAX_PIECES];
                for (offset, board) in self.boards.iter(part.words.clone()).enumerate() {
                    let number = part.first + offset;
                    let here;
                    (here, decisions) = decisions.split_at_mut(pieces.min(decisions.len()));
                    worth(board, number, here, &mut pieces_worth);
                    let Some(values) = values.next() else { break };
                    for (class, value) in values.iter_mut().enumerate() {
                        let place = number * classes + class;
                        if possible.as_ref().is_some_and(|possible| !possible[place]) {
                            continue;
                        }
                        let chances = self.chain.after(class);
                        *value =
                            chances.iter().zip(&pieces_worth).map(|(chance, worth)| chance * worth).sum();
                        swept =
                            swept.and(Swept { change: (*value - old[place]).abs(), largest: value.abs() });
                    }
                }
                monitor.add(self.boards.count(&part.words) as u64);
                swept
            })
            .reduce(Swept::default, Swept::and);
        monitor.check()?;
        Ok(swept)
    }

    fn parts<'p>(
        &self,
        mut values: &'p mut [f64],
        mut decisions: &'p mut [PlacementIndex],
    ) -> Vec<BoardsPart<'p>> {
        let mut first = 0;
        let mut parts = Vec::new();
        for words in self.boards.parts() {
            let count = self.boards.count(&words);
            let (values_here, decisions_here);
            (values_here, values) = values.split_at_mut(count * self.chain.classes());
            (decisions_here, decisions) =
                decisions.split_at_mut((count * self.chain.pieces()).min(decisions.len()));
            parts.push(BoardsPart { words, first, values: values_here, decisions: decisions_here });
            first += count;
        }
        parts
    }

    /// The reachable values: all, if every piece can follow every other. With decisions, only those that they lead to.
    pub fn possible(&self, decisions: Option<&[PlacementIndex]>) -> Possible {
        let (classes, pieces) = (self.chain.classes(), self.chain.pieces());
        if (0..classes).all(|class| self.chain.after(class).iter().all(|chance| *chance > 0.0)) {
            return None;
        }
        let mut possible = vec![false; self.values()];
        // Kept boards, with the class of the piece placed last, whose successors are still to be visited.
        let mut pending = Vec::new();
        let mut reach = |board: Bits, class: usize, pending: &mut Vec<(Bits, usize)>| {
            let found = self.boards.find(&self.game, board);
            let mirrored = |class: usize| self.mirrored_classes.get(class).copied().unwrap_or(class);
            let mirror = self.game.mirrored(board);
            let (kept, class) = if found.mirrored { (mirror, mirrored(class)) } else { (board, class) };
            // A board that is its own mirror image stands for both classes.
            let both = if mirror == board { mirrored(class) } else { class };
            for class in [class, both] {
                if !std::mem::replace(&mut possible[found.number * classes + class], true) {
                    pending.push((kept, class));
                }
            }
        };
        let mut place = |board: Bits, piece: usize, pending: &mut Vec<(Bits, usize)>| {
            let class = self.chain.class(piece);
            match decisions {
                None => self
                    .game
                    .for_each_successor(board, piece, |_, successor| reach(successor.board, class, pending)),
                Some(decisions) => {
                    let number = self.boards.find(&self.game, board).number;
                    let successor = self.game.successor(board, piece, decisions[number * pieces + piece]);
                    successor.into_iter().for_each(|successor| reach(successor.board, class, pending));
                }
            }
        };
        // Every piece may be the first.
        (0..pieces).for_each(|piece| place(0, piece, &mut pending));
        while let Some((board, class)) = pending.pop() {
            for (piece, chance) in self.chain.after(class).iter().enumerate() {
                if *chance > 0.0 {
                    place(board, piece, &mut pending);
                }
            }
        }
        Some(possible)
    }

    /// Whether this board with this piece to place is reachable.
    pub fn can_come_up(&self, possible: &Possible, board: Bits, piece: usize) -> bool {
        let Some(possible) = possible else { return self.boards.contains(&self.game, board) };
        let before = (0..self.chain.classes()).filter(|class| self.chain.after(*class)[piece] > 0.0);
        let mut places = before.map(|class| self.place(board, class));
        board == 0 || self.boards.contains(&self.game, board) && places.any(|place| possible[place])
    }

    /// Whether some play never loses, whatever pieces come.
    pub fn is_endless(&self, possible: &Possible, monitor: &Monitor) -> Result<bool, Stopped> {
        let (classes, pieces) = (self.chain.classes(), self.chain.pieces());
        // 1 where the game can survive this many placements, 0 where some pieces end it earlier.
        let mut values: Vec<f64> = match possible {
            Some(possible) => possible.iter().map(|possible| f64::from(u8::from(*possible))).collect(),
            None => vec![1.0; self.values()],
        };
        let mut alive = values.iter().filter(|value| **value > 0.0).count();
        loop {
            let old = values.clone();
            self.parts(&mut values, &mut []).into_par_iter().for_each(|part| {
                if monitor.is_stopped() {
                    return;
                }
                for (offset, board) in self.boards.iter(part.words.clone()).enumerate() {
                    let here = &mut part.values[offset * classes..][..classes];
                    if here.iter().all(|value| *value == 0.0) {
                        continue;
                    }
                    let mut survives = [false; MAX_PIECES];
                    for piece in 0..pieces {
                        let class = self.chain.class(piece);
                        self.game.for_each_successor(board, piece, |_, successor| {
                            survives[piece] |= old[self.place(successor.board, class)] > 0.0;
                        });
                    }
                    for (class, value) in here.iter_mut().enumerate() {
                        let chances = self.chain.after(class);
                        let ends =
                            chances.iter().zip(survives).any(|(chance, survives)| *chance > 0.0 && !survives);
                        if ends {
                            *value = 0.0;
                        }
                    }
                }
            });
            monitor.check()?;
            let left = values.iter().filter(|value| **value > 0.0).count();
            if left == alive || left == 0 {
                return Ok(left > 0);
            }
            alive = left;
        }
    }
}
