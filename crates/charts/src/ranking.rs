//! Rankings: named values with their intervals, one below the other.

use crate::axis::Ruler;
use crate::chart::Scale;
use crate::drawing::{Anchor, Colour, Drawing, FAINT, INK, Pen, SOFT_INK, Shape, crisp};
use crate::text::{self, Face};
use crate::{png, svg};

/// Named values with their intervals, one below the other.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranking {
    /// What the ranking shows.
    pub title: String,
    /// The name and the unit of the values.
    pub label: String,
    /// The values, from the top.
    pub rows: Vec<Ranked>,
}

/// A value in a ranking.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranked {
    /// Whose value it is.
    pub name: String,
    /// The value.
    pub value: f64,
    /// Its interval.
    pub interval: [f64; 2],
}

const WIDTH: f64 = 640.0;
const ROW: f64 = 26.0;
const MARK: Colour = Colour(0x4A_6F_A5);
/// The widest name; longer ones are cut.
const NAME_WIDTH: f64 = 200.0;
const BELOW: f64 = 46.0;

impl Ranking {
    /// The ranking as an SVG document.
    pub fn svg(&self) -> String {
        svg::write(&self.picture())
    }

    /// The ranking as a PNG file, with two pixels for each unit of the SVG.
    pub fn png(&self) -> Vec<u8> {
        png::write(&self.picture())
    }

    fn picture(&self) -> Drawing {
        let (mut picture, top) = Drawing::titled(&self.title, WIDTH, 0.0);
        let floor = top + 8.0 + ROW * self.rows.len() as f64;
        picture.height = (floor + BELOW).ceil();
        let names: Vec<String> =
            self.rows.iter().map(|row| text::fit(&row.name, Face::NAME, NAME_WIDTH)).collect();
        let widest = names.iter().map(|name| Face::NAME.room(name)).fold(0.0, f64::max);
        let (left, right) = (Drawing::MARGIN + widest + 12.0, WIDTH - Drawing::MARGIN);
        let values = self.rows.iter().flat_map(|row| [row.value, row.interval[0], row.interval[1]]);
        let ruler = Ruler::new(Scale::Linear, values).between(left, right);
        for tick in ruler.ticks(7) {
            let x = crisp(tick.at);
            picture.rule((x, top), (x, floor), Pen::solid(FAINT, 1.0));
            picture.text((x, floor + 16.0), Anchor::Middle, Face::TICK, SOFT_INK, &tick.label);
        }
        picture.rule((left, crisp(floor)), (right, crisp(floor)), Pen::solid(SOFT_INK, 1.0));
        let middle = (left + right) / 2.0;
        picture.text((middle, floor + 36.0), Anchor::Middle, Face::LABEL, INK, &self.label);
        for (index, (row, name)) in self.rows.iter().zip(&names).enumerate() {
            let y = top + 8.0 + ROW * (index as f64 + 0.5);
            let at = (Drawing::MARGIN + widest, y + Face::NAME.middle());
            picture.text(at, Anchor::End, Face::NAME, INK, name);
            let [low, high] = row.interval.map(|end| ruler.place(end));
            if let (Some(low), Some(high)) = (low, high) {
                picture.rule((low, crisp(y)), (high, crisp(y)), Pen::solid(MARK, 2.0));
            }
            if let Some(x) = ruler.place(row.value) {
                let centres = vec![(x, crisp(y))];
                picture.shapes.push(Shape::Dots { centres, radius: 4.5, colour: MARK, hollow: false });
            }
        }
        picture
    }
}
