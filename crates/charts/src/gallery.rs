//! Galleries of boards.

use crate::drawing::{Anchor, Colour, Drawing, FAINT, INK, Pen, SOFT_INK, Shape};
use crate::text::{self, Face};
use crate::{png, svg};

/// Small boards in a grid, with a caption below each.
#[derive(Clone, Debug, PartialEq)]
pub struct Gallery {
    /// What the gallery shows.
    pub title: String,
    /// The boards in reading order.
    pub boards: Vec<Drawn>,
}

/// A board with its caption.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawn {
    /// Which cells are filled, row by row from the top.
    pub rows: Vec<Vec<bool>>,
    /// The text below it.
    pub caption: String,
}

impl Drawn {
    fn columns(&self) -> usize {
        self.rows.iter().map(Vec::len).max().unwrap_or(0)
    }
}

const FILLED: Colour = Colour(0x4A_6F_A5);
const WIDTH: f64 = 800.0;
/// The largest cell.
const MAX_CELL: f64 = 16.0;
/// The largest board.
const MAX_BOARD: (f64, f64) = (128.0, 240.0);
const GAP: (f64, f64) = (28.0, 22.0);
/// Captions wider than this and than the boards are wrapped.
const CAPTION_WIDTH: f64 = 100.0;
const CAPTION_LINE_HEIGHT: f64 = 16.0;
const MAX_CAPTION_LINES: usize = 3;

impl Gallery {
    /// The gallery as an SVG document, as high as it needs to be.
    pub fn svg(&self) -> String {
        svg::write(&self.picture())
    }

    /// The gallery as a PNG file, with two pixels for each unit of the SVG.
    pub fn png(&self) -> Vec<u8> {
        png::write(&self.picture())
    }

    fn picture(&self) -> Drawing {
        let most = |size: fn(&Drawn) -> usize| self.boards.iter().map(size).max().unwrap_or(0).max(1) as f64;
        let (columns, rows) = (most(Drawn::columns), most(|board| board.rows.len()));
        // All cells have the same size, so that boards can be compared.
        let cell = MAX_CELL.min(MAX_BOARD.0 / columns).min(MAX_BOARD.1 / rows);
        let caption_width = |board: &Drawn| Face::NAME.room(&board.caption).min(CAPTION_WIDTH);
        let item = self.boards.iter().map(caption_width).fold(cell * columns, f64::max);

        let room = WIDTH - 2.0 * Drawing::MARGIN;
        let beside = ((room + GAP.0) / (item + GAP.0)).floor().max(1.0) as usize;
        // Spread the boards evenly over the rows.
        let beside = self.boards.len().div_ceil(self.boards.len().div_ceil(beside).max(1)).max(1);
        let inside = beside as f64 * (item + GAP.0) - GAP.0;
        let width = inside.max(Face::TITLE.room(&self.title)).min(room) + 2.0 * Drawing::MARGIN;

        let (mut picture, top) = Drawing::titled(&self.title, width.ceil(), 0.0);
        let mut y = top + 8.0;
        for boards in self.boards.chunks(beside) {
            // The boards of a row share one floor.
            let height = boards.iter().map(|board| board.rows.len()).max().unwrap_or(0) as f64 * cell;
            let mut below = 0;
            for (index, board) in boards.iter().enumerate() {
                let middle = Drawing::MARGIN + index as f64 * (item + GAP.0) + item / 2.0;
                draw_board(&mut picture, board, cell, (middle, y + height));
                let lines = text::wrap(&board.caption, Face::NAME, item + GAP.0 / 2.0, MAX_CAPTION_LINES);
                for (line, text) in lines.iter().enumerate() {
                    let at = (middle, y + height + CAPTION_LINE_HEIGHT * (line as f64 + 1.0) + 2.0);
                    picture.text(at, Anchor::Middle, Face::NAME, INK, text);
                }
                below = below.max(lines.len());
            }
            y += height + CAPTION_LINE_HEIGHT * below as f64 + GAP.1;
        }
        picture.height = (y + Drawing::MARGIN - GAP.1 + 6.0).ceil();
        picture
    }
}

/// Draws a board, given the middle of its floor.
fn draw_board(picture: &mut Drawing, board: &Drawn, cell: f64, (middle, floor): (f64, f64)) {
    let (columns, rows) = (board.columns(), board.rows.len());
    if columns == 0 {
        return;
    }
    let (width, height) = (cell * columns as f64, cell * rows as f64);
    let (left, top) = ((middle - width / 2.0).round(), (floor - height).round());
    for column in 1..columns {
        let x = left + cell * column as f64;
        picture.rule((x, top), (x, top + height), Pen::solid(FAINT, 0.5));
    }
    for row in 1..rows {
        let y = top + cell * row as f64;
        picture.rule((left, y), (left + width, y), Pen::solid(FAINT, 0.5));
    }
    let gap = cell * 0.05;
    let cells = board.rows.iter().enumerate().flat_map(|(row, cells)| {
        let filled = cells.iter().enumerate().filter(|(_, filled)| **filled);
        filled.map(move |(column, _)| {
            let (x, y) = (left + cell * column as f64, top + cell * row as f64);
            [x + gap, y + gap, cell - 2.0 * gap, cell - 2.0 * gap]
        })
    });
    picture.shapes.push(Shape::Boxes { boxes: cells.collect(), colour: FILLED });
    let (right, bottom) = (left + width, top + height);
    let points = vec![(left, top), (left, bottom), (right, bottom), (right, top)];
    picture.shapes.push(Shape::Line { points, pen: Pen::solid(SOFT_INK, 1.0) });
}
