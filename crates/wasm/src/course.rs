//! A game in the page, with time or without, and its placements.

use crate::view::{GameView, PieceView, PlacementView};
use tetrion_engine::clock::{Clock, Handling};
use tetrion_engine::game::{Game, IllegalMove, Move};
use tetrion_engine::location::PieceLocation;
use tetrion_engine::moves::Movement;
use tetrion_engine::picture::Picture;
use tetrion_engine::record::{Keys, PlacementRecord};
use tetrion_engine::replay::Replay;
use tetrion_engine::ruleset::{Micros, Ruleset, RulesetError};
use tetrion_leaderboard::Seal;

/// A game and its placements.
#[derive(Clone)]
pub struct Course {
    driver: Driver,
    placed: Vec<PlacementView>,
}

#[derive(Clone)]
enum Driver {
    /// Keys and moves, in real time.
    Clock(Box<Clock>),
    /// Moves without time.
    Moves(Box<Moves>),
}

/// A game without real time, since pieces drop straight. The page supplies the time.
#[derive(Clone)]
struct Moves {
    game: Game,
    picture: Picture,
    moves: Vec<Move>,
    time: Micros,
}

impl Course {
    /// A new game.
    pub fn new(rules: Ruleset, seed: u64, handling: Handling) -> Result<Course, RulesetError> {
        let game = Game::new(rules, seed)?;
        Ok(match game.rules().movement {
            Movement::Straight => Course::of_moves(game),
            _ => Course { driver: Driver::Clock(Box::new(Clock::new(game, handling))), placed: Vec::new() },
        })
    }

    /// A game of moves without time.
    pub fn of_moves(game: Game) -> Course {
        let picture = Picture::of_opening(&game.rules().opening);
        let moves = Moves { game, picture, moves: Vec::new(), time: 0 };
        Course { driver: Driver::Moves(Box::new(moves)), placed: Vec::new() }
    }

    /// The game.
    pub fn game(&self) -> &Game {
        match &self.driver {
            Driver::Clock(clock) => clock.game(),
            Driver::Moves(moves) => &moves.game,
        }
    }

    /// The colours of its board.
    pub fn picture(&self) -> &Picture {
        match &self.driver {
            Driver::Clock(clock) => clock.picture(),
            Driver::Moves(moves) => &moves.picture,
        }
    }

    /// Time played.
    pub fn time(&self) -> Micros {
        match &self.driver {
            Driver::Clock(clock) => clock.time(),
            Driver::Moves(moves) => moves.time,
        }
    }

    /// A seal of the inputs so far.
    pub fn seal(&self) -> Seal {
        match &self.driver {
            Driver::Clock(clock) => Seal::new(clock.inputs(), clock.time()),
            Driver::Moves(moves) => Seal::new(&[], moves.time),
        }
    }

    /// Uses the clock, if there is one.
    pub fn with_clock<R>(&mut self, act: impl FnOnce(&mut Clock) -> R) -> Option<R> {
        let Driver::Clock(clock) = &mut self.driver else { return None };
        let result = act(clock);
        self.take_placed();
        Some(result)
    }

    /// Lets the time pass.
    pub fn advance(&mut self, to: Micros) {
        match &mut self.driver {
            Driver::Clock(clock) => clock.advance(to),
            Driver::Moves(moves) if moves.game.outcome().is_none() => moves.time = to.max(moves.time),
            Driver::Moves(_) => {}
        }
        self.take_placed();
    }

    /// An agent's move.
    pub fn place(&mut self, at: Micros, play: Move) -> Result<(), IllegalMove> {
        self.advance(at);
        match &mut self.driver {
            Driver::Clock(clock) => clock.place(at, play)?,
            Driver::Moves(play_by_moves) => {
                let Moves { game, picture, moves, time } = &mut **play_by_moves;
                let keys = Some(Keys::perfect(game.keys(play)));
                let record = PlacementRecord { at: Some(*time), keys, ..game.play(play)? };
                picture.apply(&record);
                moves.push(play);
                self.placed.push(PlacementView::new(&record, self.placed.last()));
            }
        }
        self.take_placed();
        Ok(())
    }

    /// Where the current piece is, unless the game is over. Without real time it is where it spawns.
    pub fn active(&self) -> Option<PieceLocation> {
        match &self.driver {
            Driver::Clock(clock) => clock.active(),
            Driver::Moves(moves) => {
                let game = &moves.game;
                game.outcome().is_none().then(|| game.spawn(game.current()))
            }
        }
    }

    /// The placements that were not undone.
    pub fn placed(&self) -> &[PlacementView] {
        &self.placed[..self.placed.len().min(self.game().placed() as usize)]
    }

    /// What the page draws.
    pub fn view(&self) -> GameView {
        let last = self.placed().last();
        match &self.driver {
            Driver::Clock(clock) => GameView::of_clock(clock, last),
            Driver::Moves(moves) => GameView {
                active: self.active().map(PieceView::from),
                ..GameView::new(&moves.game, &moves.picture, moves.time, last)
            },
        }
    }

    /// The replay so far.
    pub fn replay(&self, seed: u64, player: &str) -> Replay {
        match &self.driver {
            Driver::Clock(clock) => Replay::of_clock(clock, seed, player),
            Driver::Moves(play) => Replay::of_moves(&play.game, seed, player, play.moves.clone()),
        }
    }

    fn take_placed(&mut self) {
        let Driver::Clock(clock) = &mut self.driver else { return };
        for record in clock.take_placed() {
            // Placements that were undone are gone.
            self.placed.truncate(record.number as usize - 1);
            self.placed.push(PlacementView::new(&record, self.placed.last()));
        }
    }
}
