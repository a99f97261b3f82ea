//! The 3×3 game, with the value of each move.

use crate::error;
use serde::Serialize;
use tetrion_engine::randomizer::Random;
use tetrion_exact::game::{Bits, PlacementIndex};
use tetrion_exact::play::next_piece;
use tetrion_exact::{Chain, Model, Monitor, PieceSet, SmallGame, solve};
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

/// The precision of the values.
const TOLERANCE: f64 = 1e-9;
const SIDE: usize = 3;

/// The game with its solution.
#[wasm_bindgen]
pub struct Tiny {
    model: Model,
    values: Vec<f64>,
    optimum: f64,
    random: Random,
    board: Bits,
    piece: usize,
    placed: u32,
    rows: u32,
    lost: bool,
}

/// What the page draws.
#[derive(Serialize, Tsify)]
#[tsify(missing_as_null)]
pub struct TinyView {
    /// From the top.
    rows: Vec<Vec<bool>>,
    /// The piece to place.
    piece: String,
    moves: Vec<TinyMove>,
    placed: u32,
    cleared: u32,
    lost: bool,
    /// Rows that optimal play clears on average over the first pieces.
    optimum: f64,
}

/// A placement of the piece.
#[derive(Serialize, Tsify)]
pub struct TinyMove {
    #[tsify(type = "number")]
    decision: PlacementIndex,
    /// The cells of the rotated piece, from its bottom left corner.
    #[tsify(type = "Cell[]")]
    shape: Vec<(usize, usize)>,
    /// Where it comes to rest; some may be above the board.
    #[tsify(type = "Cell[]")]
    cells: Vec<(usize, usize)>,
    column: usize,
    /// Rows cleared at once.
    clears: u32,
    loses: bool,
    /// Expected rows with this move and optimal play after it.
    value: f64,
    best: bool,
}

#[wasm_bindgen]
impl Tiny {
    /// Solves the game, which takes a moment, and starts one.
    #[wasm_bindgen(constructor)]
    pub fn new(seed: u64) -> Result<Tiny, JsError> {
        let pieces = PieceSet::tiny();
        let count = pieces.count();
        let game = SmallGame::new(pieces, SIDE, SIDE).map_err(error)?;
        let monitor = Monitor::default();
        let model = Model::new(game, Chain::uniform(count), &monitor).map_err(error)?;
        let (mut values, mut decisions) = (Vec::new(), Vec::new());
        let expected = solve::until_loss(&model, TOLERANCE, &mut values, &mut decisions, &monitor, |_| {})
            .map_err(error)?;
        let optimum = expected.mean();
        let random = Random::new(0);
        let mut tiny =
            Tiny { model, values, optimum, random, board: 0, piece: 0, placed: 0, rows: 0, lost: false };
        tiny.restart(seed);
        Ok(tiny)
    }

    /// Starts another game.
    pub fn restart(&mut self, seed: u64) {
        self.random = Random::new(seed);
        self.piece = self.random.below(self.model.chain().pieces() as u64) as usize;
        (self.board, self.placed, self.rows, self.lost) = (0, 0, 0, false);
    }

    /// What the page draws, with every move and its value.
    pub fn view(&self) -> Result<Ts<TinyView>, JsError> {
        let game = self.model.game();
        let view = TinyView {
            rows: game.rows(self.board),
            piece: game.pieces().kinds()[self.piece].name().to_owned(),
            moves: if self.lost { Vec::new() } else { self.moves() },
            placed: self.placed,
            cleared: self.rows,
            lost: self.lost,
            optimum: self.optimum,
        };
        Ok(view.into_ts()?)
    }

    /// Places the piece. A move that loses ends the game.
    pub fn place(&mut self, decision: PlacementIndex) -> Result<(), JsError> {
        let game = self.model.game();
        if self.lost || usize::from(decision) >= game.placements(self.piece) {
            return Err(error("there is no such move"));
        }
        match game.successor(self.board, self.piece, decision) {
            None => self.lost = true,
            Some(successor) => {
                self.board = successor.board;
                self.rows += successor.rows;
                self.placed += 1;
                self.piece = next_piece(self.model.chain(), self.piece, &mut self.random);
            }
        }
        Ok(())
    }

    /// What the optimal policy would play; nothing if every move loses.
    pub fn best(&self) -> Option<PlacementIndex> {
        let (decision, _) = self.model.best(&self.values, self.board, self.piece);
        (decision != tetrion_exact::game::LOST && !self.lost).then_some(decision)
    }
}

impl Tiny {
    fn moves(&self) -> Vec<TinyMove> {
        let game = self.model.game();
        let class = self.model.chain().class(self.piece);
        let (_, most) = self.model.best(&self.values, self.board, self.piece);
        let placement = |decision: PlacementIndex| {
            let cells = game.resting_cells(self.board, self.piece, decision)?;
            let successor = game.successor(self.board, self.piece, decision);
            let (clears, value) = successor.map_or((0, 0.0), |successor| {
                (
                    successor.rows,
                    f64::from(successor.rows) + self.values[self.model.place(successor.board, class)],
                )
            });
            let left = cells.iter().map(|cell| cell.0).min()?;
            let bottom = cells.iter().map(|cell| cell.1).min()?;
            Some(TinyMove {
                decision,
                shape: cells.iter().map(|(x, y)| (x - left, y - bottom)).collect(),
                column: left,
                clears,
                loses: successor.is_none(),
                value,
                best: successor.is_some() && value >= most - TOLERANCE,
                cells,
            })
        };
        (0..game.placements(self.piece))
            .filter_map(|decision| placement(decision as PlacementIndex))
            .collect()
    }
}
