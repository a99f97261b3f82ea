//! A picture as PNG.

use crate::drawing::{Anchor, Colour, Drawing, Label, Pen, Point, Shape, WHITE};
use tiny_skia::{
    Color, FillRule, LineJoin, Paint, Path, PathBuilder, Pixmap, Rect, Stroke, StrokeDash, Transform,
};

/// Pixels per unit of the picture: sharp on any screen.
const SCALE: f64 = 2.0;
/// The longest side in pixels. Larger pictures are scaled down.
const MAX_PIXELS: f64 = 16_000.0;

/// Writes the file.
pub fn write(picture: &Drawing) -> Vec<u8> {
    let scale = SCALE.min(MAX_PIXELS / picture.width.max(picture.height));
    let pixels = |length: f64| (length * scale).round().max(1.0) as u32;
    let (width, height) = (pixels(picture.width), pixels(picture.height));
    let pixmap = Pixmap::new(width, height).expect("the size of a picture is positive and limited");
    let mut canvas = Canvas { pixmap, transform: Transform::from_scale(scale as f32, scale as f32) };
    canvas.pixmap.fill(colour(WHITE, 1.0));
    for shape in &picture.shapes {
        canvas.draw(shape);
    }
    canvas.pixmap.encode_png().expect("writing to memory can't fail")
}

struct Canvas {
    pixmap: Pixmap,
    transform: Transform,
}

impl Canvas {
    fn draw(&mut self, shape: &Shape) {
        match shape {
            Shape::Area { outline, colour, opacity } => {
                self.fill(path(outline, true), *colour, *opacity, self.transform);
            }
            Shape::Boxes { boxes, colour } => {
                let mut path = PathBuilder::new();
                for [x, y, width, height] in boxes.iter().map(|sides| sides.map(|side| side as f32)) {
                    if let Some(rect) = Rect::from_xywh(x, y, width, height) {
                        path.push_rect(rect);
                    }
                }
                self.fill(path.finish(), *colour, 1.0, self.transform);
            }
            Shape::Line { points, pen } => self.stroke(path(points, false), pen),
            Shape::Dots { centres, radius, colour, hollow } => {
                self.fill(discs(centres, *radius), *colour, 1.0, self.transform);
                if *hollow {
                    self.fill(discs(centres, radius - 1.2), WHITE, 1.0, self.transform);
                }
            }
            Shape::Text(label) => self.write(label),
        }
    }

    fn write(&mut self, label: &Label) {
        let width = label.face.width(&label.text);
        let start = match label.anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => -width / 2.0,
            Anchor::End => -width,
        };
        let turn = if label.upwards { -90.0 } else { 0.0 };
        let transform = self.transform.pre_translate(label.at.0 as f32, label.at.1 as f32);
        let transform = transform.pre_concat(Transform::from_rotate(turn)).pre_translate(start as f32, 0.0);
        self.fill(label.face.outline(&label.text), label.colour, 1.0, transform);
    }

    fn fill(&mut self, path: Option<Path>, colour: Colour, opacity: f64, transform: Transform) {
        if let Some(path) = path {
            self.pixmap.fill_path(&path, &paint(colour, opacity), FillRule::Winding, transform, None);
        }
    }

    fn stroke(&mut self, path: Option<Path>, pen: &Pen) {
        let stroke = Stroke {
            width: pen.width as f32,
            line_join: LineJoin::Round,
            dash: StrokeDash::new(pen.dashes.to_vec(), 0.0),
            ..Stroke::default()
        };
        if let Some(path) = path {
            let paint = paint(pen.colour, pen.opacity);
            self.pixmap.stroke_path(&path, &paint, &stroke, self.transform, None);
        }
    }
}

/// The path through points. `None` if there are fewer than two.
fn path(points: &[Point], is_closed: bool) -> Option<Path> {
    let mut path = PathBuilder::new();
    for (index, &(x, y)) in points.iter().enumerate() {
        match index {
            0 => path.move_to(x as f32, y as f32),
            _ => path.line_to(x as f32, y as f32),
        }
    }
    if is_closed {
        path.close();
    }
    path.finish()
}

fn discs(centres: &[Point], radius: f64) -> Option<Path> {
    let mut path = PathBuilder::new();
    for &(x, y) in centres {
        path.push_circle(x as f32, y as f32, radius as f32);
    }
    path.finish()
}

fn paint(ink: Colour, opacity: f64) -> Paint<'static> {
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color(colour(ink, opacity));
    paint
}

fn colour(Colour(code): Colour, opacity: f64) -> Color {
    let [_, red, green, blue] = code.to_be_bytes();
    Color::from_rgba8(red, green, blue, (opacity * 255.0).round() as u8)
}
