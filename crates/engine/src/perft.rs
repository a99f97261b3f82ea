//! Perft: how many ways there are to place a queue of pieces, one after the other.
//!
//! Pieces have full movement from where bots spawn them (the centre in row 19), without hold or half turns. Placements are
//! distinct by their cells; lines clear; a piece that can't spawn has no placement.

use crate::board::Board;
use crate::location::PieceLocation;
use crate::moves::batch::{self, Batch, SmallBoard};
use crate::moves::{self, MoveRules, Movement, plain};
use crate::piece::Piece;

/// The row in which the rotation centre spawns.
const SPAWN_ROW: usize = 19;

const RULES: MoveRules = MoveRules { movement: Movement::Full, half_turns: false, spins: false };

/// Counts the ways to place the whole queue.
pub fn perft(board: &Board, queue: &[Piece]) -> u64 {
    let fits_a_batch = board.width() == batch::WIDTH && board.stack_height() as u32 <= batch::MAX_STACK;
    if !fits_a_batch || board.height() < SPAWN_ROW + 3 || queue.is_empty() {
        return one_by_one(board, queue);
    }
    let mut waiting = vec![Batch::new(); queue.len() + 1];
    let mut nodes = 0;
    waiting[0].push(narrow(board));
    for depth in 0..queue.len() {
        nodes += place_next(&queue[depth..], &mut waiting[depth..]);
    }
    nodes + waiting[queue.len()].take(|_| ()).count_landings(queue[queue.len() - 1])
}

/// Places the first piece of the queue on the boards of its batch, and counts the finished ones. The boards after it go to the
/// next batch, which is processed when it is full. Boards before the last piece that need a full search go to the batch after
/// the last: they are cheaper together than among easy ones.
fn place_next(queue: &[Piece], waiting: &mut [Batch]) -> u64 {
    let [batch, next @ ..] = waiting else { return 0 };
    let mut nodes = 0;
    let boards = batch.take(|high| nodes += one_by_one(&widen(high), queue));
    if let [last] = queue {
        let easy = boards.count_easy_landings(*last, |hard| {
            if next[0].push(hard) {
                nodes += next[0].take(|_| ()).count_landings(*last);
            }
        });
        easy + nodes
    } else {
        boards.place(queue[0], |board| {
            if next[0].push(board) {
                nodes += place_next(&queue[1..], next);
            }
        });
        nodes
    }
}

/// The same one board at a time.
fn one_by_one(board: &Board, queue: &[Piece]) -> u64 {
    let moves = |piece| moves::generate(board, PieceLocation::spawning(piece, board, SPAWN_ROW), RULES);
    match queue {
        [] => 1,
        [last] => moves(*last).len() as u64,
        [piece, rest @ ..] => {
            moves(*piece).iter().map(|placement| one_by_one(&board.after(placement).0, rest)).sum()
        }
    }
}

/// The same with the plain generator.
pub fn perft_plain(board: &Board, queue: &[Piece]) -> u64 {
    let Some((piece, rest)) = queue.split_first() else {
        return 1;
    };
    plain::generate(board, PieceLocation::spawning(*piece, board, SPAWN_ROW), RULES)
        .into_iter()
        .map(|placement| perft_plain(&board.after(placement).0, rest))
        .sum()
}

fn narrow(board: &Board) -> SmallBoard {
    let mut small = [0; 16];
    for (small, column) in small.iter_mut().zip(board.columns()) {
        *small = *column as u16;
    }
    small
}

fn widen(small: SmallBoard) -> Board {
    let mut board = Board::guideline();
    for (x, column) in small[..batch::WIDTH].iter().enumerate() {
        for y in (0..16).filter(|y| column >> y & 1 == 1) {
            board.set(x, y, true);
        }
    }
    board
}
