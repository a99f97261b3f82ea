//! The reachable boards, numbered.
//!
//! One bit for every arrangement of cells says whether it is reachable. Every 64 bits come with the number of reachable boards
//! before them. So one lookup finds a board's number, at a quarter of a byte per arrangement. Of two mirror images, one is kept.

use crate::game::{Bits, SmallGame};
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use tetrion_players::monitor::{Monitor, Stopped};

/// The reachable boards.
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

/// A board's number, which it may share with its mirror image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardNumber {
    /// The number.
    pub number: usize,
    /// Whether its mirror image is the board that is kept.
    pub mirrored: bool,
}

/// The greatest number of cells for which a table of all arrangements is built.
const MAX_CELLS: usize = 34;

/// Why boards can't be numbered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardsError {
    /// Too many arrangements of cells.
    #[error("a board of {0} cells is too large to solve: the limit is {MAX_CELLS} cells")]
    TooLarge(usize),
    /// The search was stopped.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// The memory, in bytes, needed to find and number the boards with this many cells.
pub fn bytes_to_find(cells: usize) -> usize {
    // Two tables of bits; later one of words replaces the first.
    (1usize << cells.min(MAX_CELLS)).div_ceil(64) * (size_of::<Word>() + 8)
}

impl Boards {
    /// All boards that any play can reach from the empty one. With `folded`, one of two mirror images is kept.
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
        // A board may lead to one already passed in this round: repeat until nothing is new.
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
            monitor.add(new as u64);
        }
        drop(seen);
        Ok(Boards::of_bits(game, &done, folded))
    }

    /// These boards alone.
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

    /// The number of boards kept.
    pub fn kept(&self) -> usize {
        self.kept
    }

    /// The number of reachable boards, counting both of two mirror images.
    pub fn reachable_count(&self) -> usize {
        self.reachable
    }

    /// Whether only one of two mirror images is kept.
    pub fn are_folded(&self) -> bool {
        self.folded
    }

    /// The memory of the numbering, in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.words[..])
    }

    /// The number of a reachable board.
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

    /// Whether a board is reachable.
    pub fn contains(&self, game: &SmallGame, board: Bits) -> bool {
        let board = if self.folded { board.min(game.mirrored(board)) } else { board };
        self.words.get((board / 64) as usize).is_some_and(|word| word.bits >> (board % 64) & 1 == 1)
    }

    /// Parts of about the same size, to work on in parallel. They do not depend on the number of threads.
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

    /// The number of boards in a part.
    pub fn count(&self, part: &Range<usize>) -> usize {
        let before = |at: usize| self.words.get(at).map_or(self.kept, |word| word.before as usize);
        before(part.end) - before(part.start)
    }

    /// The boards in a part, by number.
    pub fn iter(&self, part: Range<usize>) -> impl Iterator<Item = Bits> {
        part.flat_map(|word| ones(self.words[word].bits, word))
    }

    /// A kept board, and its mirror image if that is another board that was not kept.
    pub fn unfolded(&self, game: &SmallGame, kept: Bits) -> impl Iterator<Item = Bits> + use<> {
        let mirror = game.mirrored(kept);
        std::iter::once(kept).chain((self.folded && mirror != kept).then_some(mirror))
    }

    /// All kept boards, by number.
    pub fn all(&self) -> impl Iterator<Item = Bits> {
        self.iter(0..self.words.len())
    }
}

/// The number of parts for parallel work.
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
