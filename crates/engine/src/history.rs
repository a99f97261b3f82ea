//! Undo and redo: the states of a game that were left behind.

/// The states before and after the present one.
#[derive(Clone, Debug)]
pub struct History<S> {
    past: Vec<S>,
    future: Vec<S>,
}

impl<S> Default for History<S> {
    fn default() -> Self {
        History {
            past: Vec::new(),
            future: Vec::new(),
        }
    }
}

impl<S> History<S> {
    /// Remembers the state before a move. What was undone can't be redone any more.
    pub fn remember(&mut self, before: S) {
        self.past.push(before);
        self.future.clear();
    }

    /// Goes back to before the last move; says whether there was one.
    pub fn undo(&mut self, present: &mut S) -> bool {
        Self::swap(present, &mut self.past, &mut self.future)
    }

    /// Makes the move again that was undone last; says whether there was one.
    pub fn redo(&mut self, present: &mut S) -> bool {
        Self::swap(present, &mut self.future, &mut self.past)
    }

    fn swap(present: &mut S, from: &mut Vec<S>, to: &mut Vec<S>) -> bool {
        let Some(state) = from.pop() else { return false };
        to.push(std::mem::replace(present, state));
        true
    }
}
