//! A bitmap with few colours.

use super::letters;
use super::palette::{Ink, Shades};

/// A rectangle of pixels; (0, 0) is the top left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Canvas {
    width: usize,
    pixels: Vec<u8>,
}

/// A rectangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Area {
    pub x: usize,
    pub y: usize,
    pub width: usize,
    pub height: usize,
}

impl Canvas {
    /// A canvas in one colour.
    pub fn new(width: usize, height: usize, ink: Ink) -> Canvas {
        Canvas { width, pixels: vec![ink.0; width * height] }
    }

    pub fn width(&self) -> usize {
        self.width
    }

    pub fn height(&self) -> usize {
        self.pixels.len() / self.width
    }

    /// The colours' numbers, row by row.
    pub fn pixels(&self) -> &[u8] {
        &self.pixels
    }

    /// The pixels of a rectangle.
    pub fn part(&self, area: Area) -> impl Iterator<Item = u8> {
        (area.y..area.y + area.height)
            .flat_map(move |y| &self.pixels[y * self.width + area.x..][..area.width])
            .copied()
    }

    /// Fills a rectangle.
    pub fn fill(&mut self, area: Area, Ink(ink): Ink) {
        for y in area.y..area.y + area.height {
            self.pixels[y * self.width + area.x..][..area.width].fill(ink);
        }
    }

    /// Draws a block of this many pixels, without its corners.
    pub fn block(&mut self, x: usize, y: usize, size: usize, shades: Shades) {
        let edge = size / 8;
        self.fill(Area { x, y: y + 1, width: size, height: size - 2 }, shades.body);
        self.fill(Area { x: x + 1, y, width: size - 2, height: edge }, shades.light);
        self.fill(Area { x: x + 1, y: y + size - edge, width: size - 2, height: edge }, shades.dark);
    }

    /// Writes text with each pixel of a letter `scale` pixels large.
    pub fn write(&mut self, x: usize, y: usize, text: &str, ink: Ink, scale: usize) {
        for (index, letter) in text.chars().enumerate() {
            for (row, bits) in letters::rows(letter).into_iter().enumerate() {
                for column in
                    (0..letters::WIDTH).filter(|column| bits >> (letters::WIDTH - 1 - column) & 1 == 1)
                {
                    let x = x + scale * (index * (letters::WIDTH + 1) + column);
                    self.fill(Area { x, y: y + scale * row, width: scale, height: scale }, ink);
                }
            }
        }
    }

    /// The smallest rectangle that contains all differences between two canvases of one size, if they differ.
    pub fn difference(&self, other: &Canvas) -> Option<Area> {
        let differs = |index: usize| self.pixels[index] != other.pixels[index];
        let places = (0..self.pixels.len()).filter(|index| differs(*index));
        let (mut left, mut right, mut top, mut bottom) = (usize::MAX, 0, usize::MAX, 0);
        for (x, y) in places.map(|index| (index % self.width, index / self.width)) {
            (left, right) = (left.min(x), right.max(x));
            (top, bottom) = (top.min(y), bottom.max(y));
        }
        (left <= right).then(|| Area { x: left, y: top, width: right - left + 1, height: bottom - top + 1 })
    }

    /// The canvas with every pixel `scale` pixels large.
    pub fn enlarged(&self, scale: usize) -> Canvas {
        let rows = self.pixels.chunks(self.width).flat_map(|row| std::iter::repeat_n(row, scale));
        let pixels = rows.flatten().flat_map(|pixel| std::iter::repeat_n(*pixel, scale)).collect();
        Canvas { width: self.width * scale, pixels }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_difference_is_the_smallest_rectangle_around_all_that_changed() {
        let before = Canvas::new(7, 5, Ink(1));
        assert_eq!(before.difference(&before), None);
        let mut after = before.clone();
        after.fill(Area { x: 2, y: 1, width: 1, height: 1 }, Ink(2));
        after.fill(Area { x: 4, y: 3, width: 2, height: 1 }, Ink(2));
        assert_eq!(before.difference(&after), Some(Area { x: 2, y: 1, width: 4, height: 3 }));
    }

    #[test]
    fn an_enlarged_canvas_has_larger_pixels() {
        let mut canvas = Canvas::new(2, 1, Ink(1));
        canvas.fill(Area { x: 1, y: 0, width: 1, height: 1 }, Ink(2));
        assert_eq!(canvas.enlarged(2).pixels(), [1, 1, 2, 2, 1, 1, 2, 2]);
    }
}
