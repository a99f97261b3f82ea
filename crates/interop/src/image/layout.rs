//! The layout of an image: board, hold, queue and counts.

use super::canvas::{Area, Canvas};
use super::letters;
use super::palette::{self, BACKGROUND, BOARD, FRAME, GRID, LABEL, TEXT};
use crate::stage::Stage;
use tetrion_engine::location::PieceLocation;
use tetrion_engine::piece::{Orientation, Piece};
use tetrion_engine::record::PlacementRecord;
use tetrion_engine::ruleset::{Mode, Ruleset};

/// Pixels of a cell of the board, with its grid line.
const CELL_PIXELS: usize = 16;
/// The same for pieces at the sides.
const SMALL_CELL_PIXELS: usize = 12;
/// Around everything.
const MARGIN: usize = 14;
/// The width of the columns beside the board: a bit more than four small cells.
const SIDE_WIDTH: usize = 64;
/// Rows above the visible ones, drawn if anything is in them.
const ROWS_ABOVE: usize = 1;
/// The height of a count with its label: digits twice as high as letters, and a gap.
const COUNT_HEIGHT: usize = 3 * letters::HEIGHT + 5;
/// The most pieces shown at the side.
const MAX_PREVIEWS: usize = 5;

/// The layout for one set of rules.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    columns: usize,
    rows: usize,
    has_hold: bool,
    has_score: bool,
}

impl Layout {
    /// The layout for games of these rules.
    pub fn new(rules: &Ruleset) -> Layout {
        Layout {
            columns: rules.width.into(),
            rows: rules.visible_height.into(),
            has_hold: rules.hold,
            has_score: rules.mode != Mode::Classic,
        }
    }

    /// The board with its grid lines: one before each cell, and one at the end.
    fn board(&self) -> Area {
        let side = MARGIN + SIDE_WIDTH + MARGIN;
        let (width, height) = (self.columns * CELL_PIXELS + 1, self.rows * CELL_PIXELS + 1);
        Area { x: side, y: MARGIN + ROWS_ABOVE * CELL_PIXELS, width, height }
    }

    /// Draws a stage, with the piece being placed and the rows it fills, if any.
    pub fn draw(&self, stage: &Stage, placed: Option<&PlacementRecord>) -> Canvas {
        let piece = placed.map(|event| event.placement.location());
        self.draw_all(stage, piece, placed.map_or(0, |event| event.cleared_rows), stage.queue())
    }

    /// Draws a stage with its current piece in the air; if it is not there, it is the first of the queue.
    pub fn draw_active(&self, stage: &Stage, active: Option<PieceLocation>) -> Canvas {
        self.draw_all(stage, active, 0, stage.queue().skip(active.iter().count()))
    }

    fn draw_all(
        &self,
        stage: &Stage,
        piece: Option<PieceLocation>,
        full_rows: u64,
        queue: impl Iterator<Item = Piece>,
    ) -> Canvas {
        let board = self.board();
        // A low board leaves too little room at the sides: add some below.
        let height = (board.y + board.height)
            .max(MARGIN + MAX_PREVIEWS * 3 * SMALL_CELL_PIXELS + 2 * CELL_PIXELS)
            + MARGIN;
        let mut canvas =
            Canvas::new(board.x + board.width + MARGIN + SIDE_WIDTH + MARGIN, height, BACKGROUND);
        self.draw_grid(&mut canvas);
        self.draw_blocks(&mut canvas, stage, piece, full_rows);
        self.draw_left(&mut canvas, stage);
        let right = board.x + board.width + MARGIN;
        canvas.write(right, board.y, "NEXT", LABEL, 1);
        for (index, piece) in queue.take(MAX_PREVIEWS).enumerate() {
            draw_piece(&mut canvas, right, board.y + CELL_PIXELS + index * 3 * SMALL_CELL_PIXELS, piece);
        }
        canvas
    }

    fn draw_grid(&self, canvas: &mut Canvas) {
        let board = self.board();
        let Area { x, y, width, height } = board;
        canvas.fill(Area { x: x - 1, y: y - 1, width: width + 2, height: height + 2 }, FRAME);
        canvas.fill(board, BOARD);
        for column in 1..self.columns {
            canvas.fill(Area { x: x + column * CELL_PIXELS, y, width: 1, height }, GRID);
        }
        for row in 1..self.rows {
            canvas.fill(Area { x, y: y + row * CELL_PIXELS, width, height: 1 }, GRID);
        }
    }

    fn draw_blocks(&self, canvas: &mut Canvas, stage: &Stage, piece: Option<PieceLocation>, full_rows: u64) {
        let board = self.board();
        let piece_at = |x: usize, y: usize| {
            let own = piece.filter(|piece| piece.cells().contains(&(x as i32, y as i32)));
            own.map_or_else(|| stage.block(x, y), |own| Some(Some(own.piece)))
        };
        for y in 0..self.rows + ROWS_ABOVE {
            let is_full = full_rows >> y & 1 == 1;
            let shades = if is_full { palette::bright } else { palette::shades };
            for x in 0..self.columns {
                if let Some(piece) = piece_at(x, y) {
                    let (left, top) = (
                        board.x + x * CELL_PIXELS + 1,
                        board.y + self.rows * CELL_PIXELS + 1 - (y + 1) * CELL_PIXELS,
                    );
                    canvas.block(left, top, CELL_PIXELS - 1, shades(piece));
                }
            }
        }
    }

    /// The hold, and the counts at the bottom.
    fn draw_left(&self, canvas: &mut Canvas, stage: &Stage) {
        let board = self.board();
        if self.has_hold {
            canvas.write(MARGIN, board.y, "HOLD", LABEL, 1);
            if let Some(piece) = stage.hold() {
                draw_piece(canvas, MARGIN, board.y + CELL_PIXELS, piece);
            }
        }
        let score = self.has_score.then(|| ("SCORE", stage.score()));
        let counts = [("PIECES", stage.placed().into()), ("LINES", stage.lines().into())];
        let mut bottom = canvas.height() - MARGIN;
        for (label, count) in score.into_iter().chain(counts) {
            let digits = count.to_string();
            let scale = if digits.len() * 2 * (letters::WIDTH + 1) <= SIDE_WIDTH { 2 } else { 1 };
            canvas.write(MARGIN, bottom - scale * letters::HEIGHT, &digits, TEXT, scale);
            canvas.write(MARGIN, bottom - COUNT_HEIGHT, label, LABEL, 1);
            bottom -= COUNT_HEIGHT + CELL_PIXELS;
        }
    }
}

/// Draws a piece in its spawn orientation, with small blocks.
fn draw_piece(canvas: &mut Canvas, x: usize, y: usize, piece: Piece) {
    for (column, row) in piece.shape(Orientation::North) {
        canvas.block(
            x + column * SMALL_CELL_PIXELS,
            y + (1 - row) * SMALL_CELL_PIXELS,
            SMALL_CELL_PIXELS - 1,
            palette::shades(Some(piece)),
        );
    }
}
