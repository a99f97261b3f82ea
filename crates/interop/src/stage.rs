//! A replayed game before each placement: the board, the hold and the queue.

use tetrion_engine::game::Game;
use tetrion_engine::location::PieceLocation;
use tetrion_engine::moves::Movement;
use tetrion_engine::picture::Picture;
use tetrion_engine::piece::Piece;
use tetrion_engine::record::PlacementRecord;
use tetrion_engine::replay::{PlayError, Replay};
use tetrion_engine::ruleset::{Ruleset, RulesetError};

/// A game between two placements, with its colours.
#[derive(Clone, Debug)]
pub struct Stage {
    game: Game,
    picture: Picture,
}

impl Stage {
    /// The start of a replay's game.
    pub fn new(replay: &Replay) -> Result<Stage, RulesetError> {
        let game = Game::new(replay.rules.clone(), replay.seed)?;
        Ok(Stage { picture: Picture::of_opening(&replay.rules.opening), game })
    }

    /// A game, with the colours of its board.
    pub fn of(game: Game, picture: Picture) -> Stage {
        Stage { game, picture }
    }

    /// The rules of the game.
    pub fn rules(&self) -> &Ruleset {
        self.game.rules()
    }

    /// `None` if a cell is empty; otherwise the piece that filled it, if that is known.
    pub fn block(&self, x: usize, y: usize) -> Option<Option<Piece>> {
        self.game.board().is_filled(x as i32, y as i32).then(|| self.picture.cell(x, y))
    }

    /// The held piece.
    pub fn hold(&self) -> Option<Piece> {
        self.game.held()
    }

    /// The current piece, then the previews.
    pub fn queue(&self) -> impl Iterator<Item = Piece> {
        std::iter::once(self.game.current()).chain(self.game.previews().iter().copied())
    }

    /// Where the current piece spawns, unless the game is over or pieces only drop straight down: those have no place to spawn.
    pub fn spawned(&self) -> Option<PieceLocation> {
        let spawns = self.game.outcome().is_none() && self.rules().movement != Movement::Straight;
        spawns.then(|| self.game.spawn(self.game.current()))
    }

    /// All pieces to come, the current one first, without end.
    pub fn pieces(&self) -> impl Iterator<Item = Piece> {
        self.game.pieces_to_come()
    }

    /// Pieces placed.
    pub fn placed(&self) -> u32 {
        self.game.placed()
    }

    /// Lines cleared.
    pub fn lines(&self) -> u32 {
        self.game.lines()
    }

    /// Points.
    pub fn score(&self) -> u64 {
        self.game.score()
    }
}

/// Plays a replay and calls `placed` with the stage before each placement that was not undone. Returns the last stage.
pub fn play(replay: &Replay, mut placed: impl FnMut(&Stage, &PlacementRecord)) -> Result<Stage, PlayError> {
    let mut stage = Stage::new(replay)?;
    for moment in replay.moments()? {
        placed(&stage, &moment.record);
        stage = Stage { game: moment.game, picture: moment.picture };
    }
    Ok(stage)
}
