//! A watched game of an exact policy whose pieces or board the engine doesn't have.

use super::WatchedGame;
use super::screen::{Scene, TerminalSize};
use crate::draw::{Line, Style};
use crate::output::{counted, thousands};
use anyhow::Result;
use std::sync::Arc;
use tetrion_engine::randomizer::game_seed;
use tetrion_exact::Policy;
use tetrion_exact::game::LOST;
use tetrion_exact::play::Match;

/// A watched game of a policy.
pub struct PolicyGame {
    policy: Arc<Policy>,
    /// Placements in a game, if not until loss.
    stages: Option<u64>,
    seed: u64,
    index: u64,
    game: Match<Arc<Policy>>,
    last_clear: Option<u32>,
}

impl PolicyGame {
    /// The game of this index in the run.
    pub fn start(policy: Arc<Policy>, stages: Option<u64>, seed: u64, index: u64) -> PolicyGame {
        let game = Match::new(policy.clone(), None, game_seed(seed, index)).limited(stages);
        PolicyGame { policy, stages, seed, index, game, last_clear: None }
    }

    /// The cells that the next piece will fill, or `None` if the game is over.
    fn ghost(&self) -> Option<Vec<(usize, usize)>> {
        let decision = self.game.next_decision()?;
        // A piece that loses wherever it goes is shown in its first place.
        let decision = if decision == LOST { 0 } else { decision };
        self.policy.game().resting_cells(self.game.board(), self.game.piece(), decision)
    }
}

impl WatchedGame for PolicyGame {
    fn step(&mut self) -> Result<()> {
        let rows = self.game.step().map_or(0, |placed| placed.rows);
        self.last_clear = Some(rows).filter(|rows| *rows > 0).or(self.last_clear);
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.game.result().outcome.is_some()
    }

    fn next_game(&mut self) -> Result<()> {
        *self = PolicyGame::start(self.policy.clone(), self.stages, self.seed, self.index + 1);
        Ok(())
    }

    fn scene(&self, _explained: bool) -> Box<dyn Scene + '_> {
        Box::new(PolicyScene { watched: self, ghost: self.ghost().unwrap_or_default() })
    }
}

/// A moment of a policy's game.
struct PolicyScene<'a> {
    watched: &'a PolicyGame,
    ghost: Vec<(usize, usize)>,
}

impl PolicyScene<'_> {
    fn is_filled(&self, x: usize, y: usize) -> bool {
        y < self.visible_height() && self.watched.game.board() >> (x + y * self.width()) & 1 == 1
    }

    fn width(&self) -> usize {
        self.watched.policy.game().width()
    }
}

impl Scene for PolicyScene<'_> {
    fn title(&self) -> String {
        let game = self.watched.policy.game();
        let (width, height) = (game.width(), game.height());
        format!("exact, {width}x{height}, seed {}, game {}", self.watched.seed, self.watched.index)
    }

    fn outcome(&self) -> Option<String> {
        self.watched.game.result().outcome.map(|outcome| outcome.to_string())
    }

    fn result(&self) -> String {
        let (pieces, lines) = (self.watched.game.placed(), self.watched.game.rows());
        format!("pieces {}, lines {}", thousands(pieces), thousands(lines))
    }

    fn visible_height(&self) -> usize {
        self.watched.policy.game().height()
    }

    fn stack_height(&self) -> usize {
        let filled = |y: &usize| (0..self.width()).any(|x| self.is_filled(x, *y));
        let stack = (0..self.visible_height()).rev().find(filled).map_or(0, |y| y + 1);
        self.ghost.iter().map(|(_, y)| y + 1).fold(stack, usize::max)
    }

    fn row(&self, y: usize) -> Line {
        let wall = if y < self.visible_height() { "|" } else { " " };
        let mut line = Line::new(Style::Plain, wall);
        for x in 0..self.width() {
            match self.is_filled(x, y) {
                true => line.push(Style::Garbage, " #"),
                false if self.ghost.contains(&(x, y)) => line.push(Style::Strong, "[]"),
                false => line.push(Style::Dim, " ."),
            }
        }
        line.push(Style::Plain, format!(" {wall}"));
        line
    }

    fn floor(&self) -> Line {
        Line::new(Style::Plain, format!("+{}+", "-".repeat(2 * self.width() + 1)))
    }

    fn side(&self, _size: TerminalSize) -> Vec<Line> {
        let PolicyGame { policy, game, last_clear, .. } = self.watched;
        let now = match self.watched.is_over() {
            true => "-",
            false => policy.game().pieces().kinds()[game.piece()].name(),
        };
        let (pieces, lines) = (thousands(game.placed()), thousands(game.rows()));
        let last_clear = last_clear.map_or("-".to_owned(), |rows| counted(rows.into(), "row"));
        [
            format!("now {now}"),
            format!("pieces {pieces}   lines {lines}"),
            format!("last clear {last_clear}"),
            String::new(),
            format!("expected lines of a game {:.6}", policy.expected().mean()),
        ]
        .map(|text| Line::new(Style::Plain, text))
        .into()
    }
}
