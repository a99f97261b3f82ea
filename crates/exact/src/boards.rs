//! The boards that can come up, numbered.
//!
//! A bit for every arrangement of cells says whether it can, and with each 64 of them stands how many came before: so a
//! board's number is found with one look, at a quarter of a byte for each arrangement. Of two mirror images one is kept.

use crate::game::{Bits, SmallGame};
use crate::monitor::{Monitor, Stopped};
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The boards that can come up.
#[derive(Clone, Debug)]
pub struct Boards {
    words: Vec<Word>,
    folded: bool,
    kept: usize,
    reachable: usize,
}

#[derive(Clone, Copy, Debug, Default)]
struct Word {
    bits: u64,
    before: u64,
}

/// A board's number, and whether it is that of its mirror image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardNumber {
    /// The number.
    pub number: usize,
    /// Whether the board that is kept is its mirror image.
    pub mirrored: bool,
}

/// What a table of all arrangements may take.
const MAX_CELLS: usize = 34;

/// Why boards can't be numbered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardsError {
    /// Too many arrangements of cells.
    #[error("a board of {0} cells is too large to be solved: {MAX_CELLS} cells are the most")]
    TooLarge(usize),
    /// Stopped on the way.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// The bytes that it takes to find and number boards of so many cells.
pub fn bytes_to_find(cells: usize) -> usize {
    // Two tables of bits, then one of words in the place of the first.
    (1usize << cells.min(MAX_CELLS)).div_ceil(64) * (size_of::<Word>() + 8)
}

impl Boards {
    /// All boards that can come up from the empty one, whatever is played. With `folded`, mirror images are one.
    pub fn reachable(game: &SmallGame, folded: bool, monitor: &Monitor) -> Result<Boards, BoardsError> {
        let cells = game.cells();
        if cells > MAX_CELLS {
            return Err(BoardsError::TooLarge(cells));
        }
        let words = (1usize << cells).div_ceil(64);
        let seen: Vec<AtomicU64> = (0..words).map(|_| AtomicU64::new(0)).collect();
        let mut done = vec![0u64; words];
        let see = |board: Bits| {
            let board = if folded { board.min(game.mirrored(board)) } else { board };
            let (word, bit) = (&seen[(board / 64) as usize], 1 << (board % 64));
            if word.load(Relaxed) & bit == 0 {
                word.fetch_or(bit, Relaxed);
            }
        };
        see(0);
        // What comes of a board may be a board that was passed: go through them until nothing is new.
        loop {
            let part = words.div_ceil(PART_COUNT);
            let new =
                done.par_chunks_mut(part)
                    .enumerate()
                    .map(|(chunk, done)| {
                        let mut new = 0;
                        if monitor.is_stopped() {
                            return new;
                        }
                        for (offset, done) in done.iter_mut().enumerate() {
                            let word = chunk * part + offset;
                            loop {
                                let pending = seen[word].load(Relaxed) & !*done;
                                if pending == 0 {
                                    break;
                                }
                                *done |= pending;
                                new += pending.count_ones() as usize;
                                for board in ones(pending, word) {
                                    for piece in 0..game.pieces().count() {
                                        game.for_each_successor(board, piece, |_, successor| {
                                            see(successor.board)
                                        });
                                    }
                                }
                            }
                        }
                        new
                    })
                    .sum::<usize>();
            monitor.check()?;
            if new == 0 {
                break;
            }
            monitor.boards(new);
        }
        drop(seen);
        Ok(Boards::of_bits(game, &done, folded))
    }

    /// These boards, in order.
    pub fn of(game: &SmallGame, boards: impl Iterator<Item = Bits>) -> Boards {
        let mut bits = vec![0; (1usize << game.cells()).div_ceil(64)];
        for board in boards {
            bits[(board / 64) as usize] |= 1 << (board % 64);
        }
        Boards::of_bits(game, &bits, false)
    }

    fn of_bits(game: &SmallGame, bits: &[u64], folded: bool) -> Boards {
        let mut before = 0;
        let words: Vec<Word> = bits
            .iter()
            .map(|&bits| {
                let word = Word { bits, before };
                before += u64::from(bits.count_ones());
                word
            })
            .collect();
        let kept = before as usize;
        let mut boards = Boards { words, folded, kept, reachable: kept };
        if folded {
            let alone = |words: &Range<usize>| {
                boards.iter(words.clone()).filter(|board| game.mirrored(*board) == *board).count()
            };
            let own_mirrors: usize = boards.parts().par_iter().map(alone).sum();
            boards.reachable = 2 * kept - own_mirrors;
        }
        boards
    }

    /// How many boards are kept.
    pub fn kept(&self) -> usize {
        self.kept
    }

    /// How many boards can come up: mirror images count.
    pub fn reachable_count(&self) -> usize {
        self.reachable
    }

    /// Whether mirror images are one.
    pub fn are_folded(&self) -> bool {
        self.folded
    }

    /// The bytes that the numbering takes.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.words[..])
    }

    /// The number of a board that can come up.
    #[inline]
    pub fn find(&self, game: &SmallGame, board: Bits) -> BoardNumber {
        let (board, mirrored) = if self.folded {
            let mirror = game.mirrored(board);
            (board.min(mirror), mirror < board)
        } else {
            (board, false)
        };
        let Word { bits, before } = self.words[(board / 64) as usize];
        let lower = bits & ((1 << (board % 64)) - 1);
        BoardNumber { number: before as usize + lower.count_ones() as usize, mirrored }
    }

    /// Whether a board can come up.
    pub fn contains(&self, game: &SmallGame, board: Bits) -> bool {
        let board = if self.folded { board.min(game.mirrored(board)) } else { board };
        self.words.get((board / 64) as usize).is_some_and(|word| word.bits >> (board % 64) & 1 == 1)
    }

    /// Parts of about the same size, to be worked on at once. They do not depend on how many do.
    pub fn parts(&self) -> Vec<Range<usize>> {
        let mut parts = Vec::new();
        let mut start = 0;
        for part in 1..=PART_COUNT {
            let until = (self.kept * part / PART_COUNT) as u64;
            let end = self.words.partition_point(|word| word.before < until);
            let end = if part == PART_COUNT { self.words.len() } else { end };
            if end > start {
                parts.push(start..end);
                start = end;
            }
        }
        parts
    }

    /// How many boards a part has.
    pub fn count(&self, part: &Range<usize>) -> usize {
        let before = |at: usize| self.words.get(at).map_or(self.kept, |word| word.before as usize);
        before(part.end) - before(part.start)
    }

    /// The boards of a part, in order of their numbers.
    pub fn iter(&self, part: Range<usize>) -> impl Iterator<Item = Bits> {
        part.flat_map(|word| ones(self.words[word].bits, word))
    }

    /// A kept board, and its mirror image if it was folded into it.
    pub fn unfolded(&self, game: &SmallGame, kept: Bits) -> impl Iterator<Item = Bits> + use<> {
        let mirror = game.mirrored(kept);
        std::iter::once(kept).chain((self.folded && mirror != kept).then_some(mirror))
    }

    /// All boards, in order of their numbers.
    pub fn all(&self) -> impl Iterator<Item = Bits> {
        self.iter(0..self.words.len())
    }
}

/// Into how many parts the boards are split.
const PART_COUNT: usize = 512;

/// The boards of a word.
fn ones(mut bits: u64, word: usize) -> impl Iterator<Item = Bits> {
    std::iter::from_fn(move || {
        let lowest = bits.trailing_zeros();
        (bits != 0).then(|| {
            bits &= bits - 1;
            word as u64 * 64 + u64::from(lowest)
        })
    })
}
