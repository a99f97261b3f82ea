//! The legend: one row of names between the title and the plot, or several rows in columns.

use crate::chart::{Marks, Series};
use crate::drawing::{Anchor, Drawing, INK, Shape};
use crate::look::Look;
use crate::text::{self, Face};

const SWATCH: f64 = 24.0;
const GAP: f64 = 14.0;
const ROW: f64 = 18.0;
const MAX_ROWS: usize = 6;

/// The series that share a name.
struct Entry<'a> {
    name: String,
    marks: Vec<(&'a Marks, Look)>,
}

impl Entry<'_> {
    fn width(&self) -> f64 {
        SWATCH + 7.0 + Face::NAME.room(&self.name)
    }
}

/// The entries and their layout.
pub struct Legend<'a> {
    entries: Vec<Entry<'a>>,
    /// Where each column starts.
    columns: Vec<f64>,
}

impl<'a> Legend<'a> {
    /// Lays out the names of all named series.
    pub fn new(series: &'a [Series], looks: &[Look], room: f64) -> Legend<'a> {
        let mut entries: Vec<Entry> = Vec::new();
        let mut names: Vec<&str> = Vec::new();
        for (one, &look) in series.iter().zip(looks).filter(|(one, _)| !one.name.is_empty()) {
            let index = names.iter().position(|&name| name == one.name).unwrap_or_else(|| {
                names.push(&one.name);
                let name = text::fit(&one.name, Face::NAME, room / 2.0 - SWATCH - GAP);
                entries.push(Entry { name, marks: Vec::new() });
                names.len() - 1
            });
            entries[index].marks.push((&one.marks, look));
        }
        for entry in &mut entries {
            entry.marks.sort_by_key(|(marks, _)| marks.layer());
        }
        let columns = columns(&entries, room);
        let most = MAX_ROWS * columns.len();
        if entries.len() > most {
            let name = format!("and {} more", entries.len() - most + 1);
            entries.truncate(most - 1);
            entries.push(Entry { name, marks: Vec::new() });
        }
        Legend { entries, columns }
    }

    /// Its height.
    pub fn height(&self) -> f64 {
        match self.entries.len() {
            0 => 0.0,
            count => 6.0 + ROW * count.div_ceil(self.columns.len()) as f64,
        }
    }

    /// Draws it.
    pub fn draw(&self, picture: &mut Drawing, left: f64, top: f64) {
        for (index, entry) in self.entries.iter().enumerate() {
            let x = left + self.columns[index % self.columns.len()];
            let y = top + ROW * ((index / self.columns.len()) as f64 + 0.5);
            for (marks, look) in &entry.marks {
                picture.shapes.push(swatch(marks, *look, x, y));
            }
            let indent = if entry.marks.is_empty() { 0.0 } else { SWATCH + 7.0 };
            let at = (x + indent, y + Face::NAME.middle());
            picture.text(at, Anchor::Start, Face::NAME, INK, &entry.name);
        }
    }
}

/// Where columns start: as close as possible if one row is enough, else at equal distances.
fn columns(entries: &[Entry], room: f64) -> Vec<f64> {
    let widths = || entries.iter().map(|entry| entry.width() + GAP);
    if widths().sum::<f64>() <= room + GAP {
        let starts = widths().scan(0.0, |next, width| Some(std::mem::replace(next, *next + width)));
        return starts.collect();
    }
    let widest = widths().fold(1.0, f64::max);
    let most = ((room + GAP) / widest).floor().max(1.0) as usize;
    // Use no more columns than needed, so that the last row isn't nearly empty.
    let count = entries.len().div_ceil(entries.len().div_ceil(most));
    (0..count).map(|column| column as f64 * widest).collect()
}

fn swatch(marks: &Marks, look: Look, x: f64, y: f64) -> Shape {
    let points = vec![(x, y), (x + SWATCH, y)];
    match marks {
        Marks::Line(_) => Shape::Line { points, pen: look.line() },
        Marks::Dashed(_) => Shape::Line { points, pen: look.reference() },
        Marks::Points(_) => Shape::Dots {
            centres: vec![(x + SWATCH / 2.0, y)],
            radius: 3.0,
            colour: look.colour,
            hollow: look.is_hollow(),
        },
        Marks::Band(_) => Shape::Area {
            outline: vec![(x, y - 5.0), (x + SWATCH, y - 5.0), (x + SWATCH, y + 5.0), (x, y + 5.0)],
            colour: look.colour,
            opacity: Look::BAND,
        },
    }
}
