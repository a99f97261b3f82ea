//! Charts of series of numbers.

use crate::axis::{Ruler, Tick};
use crate::drawing::{Anchor, Drawing, FAINT, INK, Label, Pen, Point, SOFT_INK, Shape, crisp};
use crate::legend::Legend;
use crate::look::{Look, looks};
use crate::text::{self, Face};
use crate::{png, svg, thin};

/// Series of numbers over two axes.
///
/// The ranges of the axes come from the data. Values that are infinite, not a number, or not positive on a logarithmic axis
/// are not drawn, and leave a gap in a line.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// What the chart shows.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The series. Their order determines their colours.
    pub series: Vec<Series>,
}

/// One of the two axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// The quantity and its unit.
    pub label: String,
    /// Linear or logarithmic.
    pub scale: Scale,
}

impl Axis {
    /// A linear axis.
    pub fn linear(label: impl Into<String>) -> Axis {
        Axis { label: label.into(), scale: Scale::Linear }
    }

    /// A logarithmic axis.
    pub fn log(label: impl Into<String>) -> Axis {
        Axis { label: label.into(), scale: Scale::Log }
    }
}

/// The scale of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Equal differences have equal lengths.
    Linear,
    /// Equal ratios have equal lengths.
    Log,
}

/// A data series.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Its name in the legend. Series of the same name share an entry and a colour; a series without a name has no entry.
    pub name: String,
    /// The data, and how to draw it.
    pub marks: Marks,
}

impl Series {
    /// A series.
    pub fn new(name: impl Into<String>, marks: Marks) -> Series {
        Series { name: name.into(), marks }
    }
}

/// Data, and how to draw it.
#[derive(Clone, Debug, PartialEq)]
pub enum Marks {
    /// A line through points (x, y).
    Line(Vec<(f64, f64)>),
    /// A dashed reference line through points (x, y).
    Dashed(Vec<(f64, f64)>),
    /// Dots at points (x, y).
    Points(Vec<(f64, f64)>),
    /// A translucent band through (x, low, high).
    Band(Vec<(f64, f64, f64)>),
}

impl Marks {
    /// The drawing order. Reference lines come last, so that nothing hides them.
    pub(crate) fn layer(&self) -> usize {
        match self {
            Marks::Band(_) => 0,
            Marks::Line(_) => 1,
            Marks::Points(_) => 2,
            Marks::Dashed(_) => 3,
        }
    }

    /// All points; of a band, both edges.
    fn points(&self) -> Box<dyn Iterator<Item = Point> + '_> {
        match self {
            Marks::Line(points) | Marks::Dashed(points) | Marks::Points(points) => {
                Box::new(points.iter().copied())
            }
            Marks::Band(band) => Box::new(band.iter().flat_map(|&(x, low, high)| [(x, low), (x, high)])),
        }
    }
}

/// The plot area inside the axes.
#[derive(Clone, Copy)]
struct Frame {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

impl Chart {
    const WIDTH: f64 = 800.0;
    const HEIGHT: f64 = 500.0;

    /// The chart as an SVG document of 800 by 500.
    pub fn svg(&self) -> String {
        svg::write(&self.picture())
    }

    /// The chart as a PNG file of 1600 by 1000 pixels.
    pub fn png(&self) -> Vec<u8> {
        png::write(&self.picture())
    }

    fn picture(&self) -> Drawing {
        let (mut picture, mut top) = Drawing::titled(&self.title, Self::WIDTH, Self::HEIGHT);
        let looks = looks(&self.series);
        let legend = Legend::new(&self.series, &looks, Self::WIDTH - 2.0 * Drawing::MARGIN);
        legend.draw(&mut picture, Drawing::MARGIN, top + 2.0);
        top += legend.height() + 8.0;

        let below = if self.x.label.is_empty() { 24.0 } else { 46.0 };
        let (top, bottom) = (crisp(top), crisp(Self::HEIGHT - Drawing::MARGIN + 6.0 - below));
        let (x, y) = self.rulers();
        let y = y.between(bottom, top);
        let y_ticks = y.ticks(((bottom - top) / 55.0).round() as usize);
        let beside = if self.y.label.is_empty() { 0.0 } else { 22.0 };
        let left = crisp(Drawing::MARGIN + beside + widest(&y_ticks) + 6.0);
        let right = crisp(Self::WIDTH - Drawing::MARGIN - 6.0);
        let frame = Frame { left, right, top, bottom };
        let x = x.between(left, right);
        let x_ticks = x_ticks(&x, right - left);

        frame.draw_grid(&mut picture, &x_ticks, &y_ticks);
        self.draw_labels(&mut picture, frame);
        let count = picture.shapes.len();
        let mut order: Vec<_> = self.series.iter().zip(looks).collect();
        order.sort_by_key(|(series, _)| series.marks.layer());
        for (series, look) in order {
            draw(&mut picture, &series.marks, look, &x, &y);
        }
        if picture.shapes.len() == count {
            let middle = ((left + right) / 2.0, (top + bottom) / 2.0);
            picture.text(middle, Anchor::Middle, Face::LABEL, SOFT_INK, "no data");
        }
        picture
    }

    /// The axes, whose ranges include all points that can be drawn. Both coordinates of a point must be drawable.
    fn rulers(&self) -> (Ruler, Ruler) {
        let any = |scale| Ruler::new(scale, std::iter::empty());
        let (any_x, any_y) = (any(self.x.scale), any(self.y.scale));
        let points = || {
            let points = self.series.iter().flat_map(|series| series.marks.points());
            points.filter(|point| any_x.place(point.0).is_some() && any_y.place(point.1).is_some())
        };
        let x = Ruler::new(self.x.scale, points().map(|point| point.0));
        (x, Ruler::new(self.y.scale, points().map(|point| point.1)))
    }

    fn draw_labels(&self, picture: &mut Drawing, frame: Frame) {
        let mut write = |text: &str, at, upwards, room| {
            let text = text::fit(text, Face::LABEL, room);
            let (face, anchor) = (Face::LABEL, Anchor::Middle);
            picture.label(Label { text, at, face, colour: INK, anchor, upwards });
        };
        let Frame { left, right, top, bottom } = frame;
        let at = ((left + right) / 2.0, Self::HEIGHT - Drawing::MARGIN + 2.0);
        write(&self.x.label, at, false, right - left);
        let at = (Drawing::MARGIN + 9.0, (top + bottom) / 2.0);
        write(&self.y.label, at, true, bottom - top);
    }
}

impl Frame {
    fn draw_grid(self, picture: &mut Drawing, x_ticks: &[Tick], y_ticks: &[Tick]) {
        let Frame { left, right, top, bottom } = self;
        let (grid, axis) = (Pen::solid(FAINT, 1.0), Pen::solid(SOFT_INK, 1.0));
        let length = |tick: &Tick| if tick.label.is_empty() { 3.0 } else { 5.0 };
        // A grid line close to an axis would blur it.
        let in_grid = |tick: &&Tick, axis: f64| !tick.label.is_empty() && (tick.at - axis).abs() > 3.0;
        for x in x_ticks.iter().filter(|tick| in_grid(tick, left)).map(|tick| crisp(tick.at)) {
            picture.rule((x, top), (x, bottom), grid.clone());
        }
        for y in y_ticks.iter().filter(|tick| in_grid(tick, bottom)).map(|tick| crisp(tick.at)) {
            picture.rule((left, y), (right, y), grid.clone());
        }
        for tick in x_ticks {
            let x = crisp(tick.at);
            picture.rule((x, bottom), (x, bottom + length(tick)), axis.clone());
            // Keep the labels at the ends inside the picture.
            let room = Face::TICK.room(&tick.label) / 2.0 + 4.0;
            let at = (x.min(picture.width - room), bottom + 18.0);
            picture.text(at, Anchor::Middle, Face::TICK, SOFT_INK, &tick.label);
        }
        for tick in y_ticks {
            let y = crisp(tick.at);
            picture.rule((left - length(tick), y), (left, y), axis.clone());
            let at = (left - 8.0, y + Face::TICK.middle());
            picture.text(at, Anchor::End, Face::TICK, SOFT_INK, &tick.label);
        }
        let points = vec![(left, top), (left, bottom), (right, bottom)];
        picture.shapes.push(Shape::Line { points, pen: axis });
    }
}

/// The number of ticks that fit.
fn x_ticks(x: &Ruler, room: f64) -> Vec<Tick> {
    let has_room = |ticks: &[Tick]| {
        let mut places: Vec<f64> =
            ticks.iter().filter(|tick| !tick.label.is_empty()).map(|tick| tick.at).collect();
        places.sort_by(f64::total_cmp);
        let closest = places.windows(2).map(|pair| pair[1] - pair[0]).fold(room, f64::min);
        closest >= widest(ticks) + 12.0
    };
    let mut choices = (1..=8).rev().map(|most| x.ticks(most));
    choices.find(|ticks| has_room(ticks)).unwrap_or_default()
}

fn widest(ticks: &[Tick]) -> f64 {
    ticks.iter().map(|tick| Face::TICK.room(&tick.label)).fold(0.0, f64::max)
}

fn draw(picture: &mut Drawing, marks: &Marks, look: Look, x: &Ruler, y: &Ruler) {
    let place = |&(at, value): &Point| Some((x.place(at)?, y.place(value)?));
    match marks {
        Marks::Line(points) => draw_line(picture, points.iter().map(place), look, look.line()),
        Marks::Dashed(points) => draw_line(picture, points.iter().map(place), look, look.reference()),
        Marks::Points(points) => draw_dots(picture, points.iter().filter_map(place).collect(), look),
        Marks::Band(band) => {
            let place = |&(at, low, high): &(f64, f64, f64)| {
                let (low, high) = if low > high { (high, low) } else { (low, high) };
                Some((x.place(at)?, y.place_low(low)?, y.place(high)?))
            };
            draw_band(picture, band.iter().map(place), look);
        }
    }
}

fn draw_line(picture: &mut Drawing, points: impl Iterator<Item = Option<Point>>, look: Look, pen: Pen) {
    // A single point makes no line, so draw a dot.
    let mut alone = Vec::new();
    for run in runs(points) {
        match run[..] {
            [point] => alone.push(point),
            _ => picture.shapes.push(Shape::Line { points: thin::line(&run), pen: pen.clone() }),
        }
    }
    draw_dots(picture, alone, look);
}

fn draw_dots(picture: &mut Drawing, points: Vec<Point>, look: Look) {
    // If there are many dots, draw them smaller.
    let radius = match points.len() {
        0 => return,
        1..=100 => 3.0,
        101..=1_000 => 2.2,
        _ => 1.5,
    };
    let centres = thin::dots(points);
    picture.shapes.push(Shape::Dots { centres, radius, colour: look.colour, hollow: look.is_hollow() });
}

fn draw_band(picture: &mut Drawing, band: impl Iterator<Item = Option<(f64, f64, f64)>>, look: Look) {
    for run in runs(band) {
        if let [(x, low, high)] = run[..] {
            let pen = Pen { opacity: 2.0 * Look::BAND, ..Pen::solid(look.colour, 4.0) };
            picture.rule((x, low), (x, high), pen);
            continue;
        }
        let edge = |height: fn(&(f64, f64, f64)) -> f64| {
            thin::line(&run.iter().map(|part| (part.0, height(part))).collect::<Vec<_>>())
        };
        let mut outline = edge(|part| part.2);
        outline.extend(edge(|part| part.1).into_iter().rev());
        picture.shapes.push(Shape::Area { outline, colour: look.colour, opacity: Look::BAND });
    }
}

/// Splits a line at points that can't be drawn.
fn runs<T>(items: impl Iterator<Item = Option<T>>) -> Vec<Vec<T>> {
    let mut runs = vec![Vec::new()];
    for item in items {
        match (item, runs.last_mut()) {
            (Some(item), Some(run)) => run.push(item),
            _ => runs.push(Vec::new()),
        }
    }
    runs.retain(|run| !run.is_empty());
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_lies_within_the_plot() {
        let wave = |index: i32| (f64::from(index) - 40.0, (f64::from(index) * 0.7).sin() * 1e6);
        let points: Vec<_> = (0..200).map(wave).collect();
        let band = points.iter().map(|&(x, y)| (x, y - 5e5, y * 2.0));
        let series =
            [Marks::Line(points.clone()), Marks::Points(points.clone()), Marks::Band(band.collect())];
        for scale in [Scale::Linear, Scale::Log] {
            let axis = || Axis { label: "label".to_owned(), scale };
            let series = series.iter().map(|marks| Series::new("", marks.clone())).collect();
            let picture = Chart { title: "title".to_owned(), x: axis(), y: axis(), series }.picture();
            // The axes are the line through three points before the data.
            let is_axes = |shape: &Shape| matches!(shape, Shape::Line { points, .. } if points.len() == 3);
            let index = picture.shapes.iter().position(is_axes).unwrap();
            let Shape::Line { points: axes, .. } = &picture.shapes[index] else { unreachable!() };
            let ((left, top), (right, bottom)) = (axes[0], axes[2]);
            let mut count = 0;
            for shape in &picture.shapes[index + 1..] {
                let (Shape::Line { points, .. }
                | Shape::Area { outline: points, .. }
                | Shape::Dots { centres: points, .. }) = shape
                else {
                    continue;
                };
                for (x, y) in points {
                    assert!((left..=right).contains(x) && (top..=bottom).contains(y), "{x} {y}");
                    count += 1;
                }
            }
            assert!(count > 100);
        }
    }
}
