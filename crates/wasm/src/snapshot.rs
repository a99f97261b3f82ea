//! What an agent in another thread is told of a game: what a player sees, as bytes.

use serde::{Deserialize, Serialize};
use tetrion_engine::board::Board;
use tetrion_engine::piece::Piece;
use tetrion_engine::randomizer::Bag;
use tetrion_engine::ruleset::Ruleset;
use tetrion_engine::scoring::Streak;
use tetrion_engine::view::View;

/// A [`View`] that owns what it shows.
#[derive(Serialize, Deserialize)]
pub struct Snapshot {
    rules: Ruleset,
    height: usize,
    columns: Vec<u64>,
    current: Piece,
    previews: Vec<Piece>,
    hold: Option<Piece>,
    can_hold: bool,
    bag: Option<Bag>,
    streak: Streak,
    placed: u32,
    lines: u32,
}

impl Snapshot {
    /// What a view shows.
    pub fn of(view: &View) -> Snapshot {
        Snapshot {
            rules: view.rules.clone(),
            height: view.board.height(),
            columns: view.board.columns().to_vec(),
            current: view.current,
            previews: view.previews.to_vec(),
            hold: view.hold,
            can_hold: view.can_hold,
            bag: view.bag,
            streak: view.streak,
            placed: view.placed,
            lines: view.lines,
        }
    }

    /// Calls `see` with the view.
    pub fn with_view<T>(&self, see: impl FnOnce(&View) -> T) -> Result<T, tetrion_engine::board::BoardError> {
        let mut board = Board::new(self.columns.len(), self.height)?;
        for (x, column) in self.columns.iter().enumerate() {
            for y in (0..self.height).filter(|y| column >> y & 1 == 1) {
                board.set(x, y, true);
            }
        }
        Ok(see(&View {
            rules: &self.rules,
            board: &board,
            current: self.current,
            previews: &self.previews,
            hold: self.hold,
            can_hold: self.can_hold,
            bag: self.bag,
            streak: self.streak,
            placed: self.placed,
            lines: self.lines,
        }))
    }

    /// As bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        postcard::to_allocvec(self).expect("a snapshot in memory can be written to memory")
    }
}
