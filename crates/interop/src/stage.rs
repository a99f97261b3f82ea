//! A replay's game at each placement that stands: what is on the board, and what waits beside it.

use tetrion_engine::game::Game;
use tetrion_engine::picture::Picture;
use tetrion_engine::piece::Piece;
use tetrion_engine::record::PlacementRecord;
use tetrion_engine::replay::{PlayError, Replay};
use tetrion_engine::ruleset::{Ruleset, RulesetError};

/// A game between two placements, as one sees it.
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

    /// A game as it stands, with what its board looks like.
    pub fn of(game: Game, picture: Picture) -> Stage {
        Stage { game, picture }
    }

    /// The rules of the game.
    pub fn rules(&self) -> &Ruleset {
        self.game.rules()
    }

    /// Whether a cell is filled, and by which piece if that is known.
    pub fn block(&self, x: usize, y: usize) -> Option<Option<Piece>> {
        self.game.board().is_filled(x as i32, y as i32).then(|| self.picture.cell(x, y))
    }

    /// The held piece.
    pub fn hold(&self) -> Option<Piece> {
        self.game.held()
    }

    /// The piece to place, then those that are seen.
    pub fn queue(&self) -> impl Iterator<Item = Piece> {
        std::iter::once(self.game.current()).chain(self.game.previews().iter().copied())
    }

    /// All pieces to come, the current one first. There is no end of them.
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

/// Plays a replay, and shows the stage before each placement that was not taken back. The last stage is given back.
pub fn play(replay: &Replay, mut placed: impl FnMut(&Stage, &PlacementRecord)) -> Result<Stage, PlayError> {
    let mut stage = Stage::new(replay)?;
    for moment in replay.moments()? {
        placed(&stage, &moment.record);
        stage = Stage { game: moment.game, picture: moment.picture };
    }
    Ok(stage)
}
