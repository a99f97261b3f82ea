//! Undo and redo: earlier and later states of a game.

use std::collections::VecDeque;

/// The states before and after the present one.
#[derive(Clone, Debug)]
pub struct History<S> {
    past: VecDeque<S>,
    future: VecDeque<S>,
}

impl<S> Default for History<S> {
    fn default() -> Self {
        History { past: VecDeque::new(), future: VecDeque::new() }
    }
}

impl<S> History<S> {
    /// How many moves can be undone.
    pub const LENGTH: usize = 1_000;

    /// Remembers the state before a move, and forgets the oldest if there are too many. Moves undone before can't be redone.
    pub fn remember(&mut self, before: S) {
        if self.past.len() == Self::LENGTH {
            self.past.pop_front();
        }
        self.past.push_back(before);
        self.future.clear();
    }

    /// Undoes the last move. Returns whether there was one.
    pub fn undo(&mut self, present: &mut S) -> bool {
        Self::swap(present, &mut self.past, &mut self.future)
    }

    /// Redoes the move that was undone last. Returns whether there was one.
    pub fn redo(&mut self, present: &mut S) -> bool {
        Self::swap(present, &mut self.future, &mut self.past)
    }

    fn swap(present: &mut S, from: &mut VecDeque<S>, to: &mut VecDeque<S>) -> bool {
        let Some(state) = from.pop_back() else {
            return false;
        };
        to.push_back(std::mem::replace(present, state));
        true
    }
}
