//! A picture as a list of shapes, which every output format draws in order.

use crate::text::{self, Face};

/// A point in the picture, from its top left corner.
pub type Point = (f64, f64);

/// A colour as 0xRRGGBB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour(pub u32);

pub const WHITE: Colour = Colour(0xFF_FF_FF);
/// Titles and names.
pub const INK: Colour = Colour(0x22_22_22);
/// Axes and their labels.
pub const SOFT_INK: Colour = Colour(0x55_55_55);
/// The grid, behind everything.
pub const FAINT: Colour = Colour(0xE4_E4_E4);

/// The style of a line.
#[derive(Clone, Debug)]
pub struct Pen {
    pub colour: Colour,
    pub width: f64,
    pub opacity: f64,
    /// Alternating lengths of dashes and gaps; empty for a solid line.
    pub dashes: &'static [f32],
}

impl Pen {
    /// A solid line.
    pub fn solid(colour: Colour, width: f64) -> Pen {
        Pen { colour, width, opacity: 1.0, dashes: &[] }
    }
}

/// Which part of a text is at its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

/// A line of text.
#[derive(Clone, Debug)]
pub struct Label {
    pub text: String,
    /// The position of the anchor on the baseline.
    pub at: Point,
    pub face: Face,
    pub colour: Colour,
    pub anchor: Anchor,
    /// Whether it reads upwards.
    pub upwards: bool,
}

/// A shape to draw.
#[derive(Clone, Debug)]
pub enum Shape {
    /// A translucent area.
    Area { outline: Vec<Point>, colour: Colour, opacity: f64 },
    /// Rectangles by their top left corner, width and height.
    Boxes { boxes: Vec<[f64; 4]>, colour: Colour },
    /// Lines from point to point.
    Line { points: Vec<Point>, pen: Pen },
    /// Discs, or rings if hollow.
    Dots { centres: Vec<Point>, radius: f64, colour: Colour, hollow: bool },
    /// Text.
    Text(Label),
}

/// Shapes on a white background.
pub struct Drawing {
    /// The title, also for screen readers.
    pub title: String,
    pub width: f64,
    pub height: f64,
    pub shapes: Vec<Shape>,
}

impl Drawing {
    /// The margin around everything.
    pub const MARGIN: f64 = 18.0;

    /// A picture with only its title, and the vertical position where the space below it starts.
    pub fn titled(title: &str, width: f64, height: f64) -> (Drawing, f64) {
        let mut picture = Drawing { title: printable(title), width, height, shapes: Vec::new() };
        let mut top = Self::MARGIN;
        for line in text::wrap(title, Face::TITLE, width - 2.0 * Self::MARGIN, 3) {
            picture.text((Self::MARGIN, top + 13.0), Anchor::Start, Face::TITLE, INK, &line);
            top += 21.0;
        }
        (picture, top)
    }

    /// Adds a line of text.
    pub fn text(&mut self, at: Point, anchor: Anchor, face: Face, colour: Colour, text: &str) {
        self.label(Label { text: text.to_owned(), at, face, colour, anchor, upwards: false });
    }

    /// Adds a line of text, possibly rotated.
    pub fn label(&mut self, mut label: Label) {
        label.text = printable(&label.text);
        if !label.text.is_empty() {
            self.shapes.push(Shape::Text(label));
        }
    }

    /// Adds a straight line.
    pub fn rule(&mut self, from: Point, to: Point, pen: Pen) {
        self.shapes.push(Shape::Line { points: vec![from, to], pen });
    }
}

/// Text without characters that XML and fonts can't have.
fn printable(text: &str) -> String {
    text.replace(|letter: char| letter.is_control() || matches!(letter, '\u{FFFE}' | '\u{FFFF}'), " ")
}

/// Moves a coordinate to the middle of a pixel, where a thin line is sharp.
pub fn crisp(coordinate: f64) -> f64 {
    coordinate.floor() + 0.5
}
