//! The font: the widths and outlines of text.

use crate::truetype::{GlyphId, NO_GLYPH, Point, Segment, TrueType};
use std::sync::LazyLock;
use tiny_skia::{Path, PathBuilder};

static REGULAR: LazyLock<TrueType> = LazyLock::new(|| parse(notosans::REGULAR_TTF));
static BOLD: LazyLock<TrueType> = LazyLock::new(|| parse(notosans::BOLD_TTF));

fn parse(bytes: &'static [u8]) -> TrueType {
    TrueType::parse(bytes).expect("the built-in font is valid")
}

/// How much wider than ours the font of an SVG viewer may be.
const SLACK: f64 = 1.18;

/// A size and weight of text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Face {
    pub size: f64,
    pub bold: bool,
}

impl Face {
    pub const TITLE: Face = Face { size: 15.0, bold: true };
    pub const LABEL: Face = Face { size: 12.5, bold: false };
    pub const NAME: Face = Face { size: 12.0, bold: false };
    pub const TICK: Face = Face { size: 11.0, bold: false };

    /// The distance from the baseline to the middle of a capital letter.
    pub fn middle(self) -> f64 {
        0.36 * self.size
    }

    fn font(self) -> &'static TrueType {
        if self.bold { &BOLD } else { &REGULAR }
    }

    /// The size of one unit of the font.
    fn scale(self) -> f64 {
        self.size / f64::from(self.font().units_per_em)
    }

    /// The glyph of a character, its scale and how far it is raised. Characters that the font doesn't have become a box.
    fn glyph(self, letter: char) -> (GlyphId, f64, f64) {
        let find = |letter| self.font().glyph(letter).unwrap_or(NO_GLYPH);
        match letter {
            // The font has superscript digits but no superscript minus.
            '⁻' => (find('−'), 0.6 * self.scale(), 0.33 * self.size),
            _ => (find(letter), self.scale(), 0.0),
        }
    }

    fn advance(self, letter: char) -> f64 {
        let (glyph, scale, _) = self.glyph(letter);
        f64::from(self.font().advance(glyph)) * scale
    }

    /// The width of a text.
    pub fn width(self, text: &str) -> f64 {
        text.chars().map(|letter| self.advance(letter)).sum()
    }

    /// The space to reserve for a text.
    pub fn room(self, text: &str) -> f64 {
        SLACK * self.width(text)
    }

    /// The outline of a text that starts at the origin of its baseline. `None` if there is nothing to see.
    pub fn outline(self, text: &str) -> Option<Path> {
        let mut path = PathBuilder::new();
        let mut x = 0.0;
        for letter in text.chars() {
            let (glyph, scale, rise) = self.glyph(letter);
            // In fonts y points up, in pictures down.
            let place = |(right, up): Point| {
                let (right, up) = (f64::from(right) * scale, f64::from(up) * scale);
                ((x + right) as f32, -(rise + up) as f32)
            };
            self.font().draw(glyph, &mut |segment| match segment {
                Segment::Move(to) => path.move_to(place(to).0, place(to).1),
                Segment::Line(to) => path.line_to(place(to).0, place(to).1),
                Segment::Curve(control, to) => {
                    let ((x1, y1), (x, y)) = (place(control), place(to));
                    path.quad_to(x1, y1, x, y);
                }
                Segment::Close => path.close(),
            });
            x += self.advance(letter);
        }
        path.finish()
    }
}

/// The text, cut to fit the given space.
pub fn fit(text: &str, face: Face, room: f64) -> String {
    let mut width = 0.0;
    // Where to cut the text if it is too long.
    let mut cut = 0;
    for (index, letter) in text.char_indices() {
        width += SLACK * face.advance(letter);
        if width + face.room("…") <= room {
            cut = index + letter.len_utf8();
        } else if width > room {
            return format!("{}…", text[..cut].trim_end());
        }
    }
    text.to_owned()
}

/// The text in lines, wrapped between words. The last line is cut to fit.
pub fn wrap(text: &str, face: Face, room: f64, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut width = 0.0;
    for word in text.split_whitespace() {
        let longer = width + face.room(" ") + face.room(word);
        let is_last = lines.len() == most;
        match lines.last_mut() {
            Some(line) if longer <= room || is_last => {
                line.push(' ');
                line.push_str(word);
                width = longer;
            }
            _ => {
                lines.push(word.to_owned());
                width = face.room(word);
            }
        }
    }
    lines.iter().map(|line| fit(line, face, room)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_that_fits_is_left_alone() {
        let face = Face::NAME;
        let room = face.room("landing height") + 1e-9;
        assert_eq!(fit("landing height", face, room), "landing height");
        assert_eq!(fit("", face, 0.0), "");
    }

    #[test]
    fn text_that_does_not_fit_is_cut() {
        let (face, text) = (Face::NAME, "rows with holes, ".repeat(100));
        for room in [20.0, 50.0, 333.0] {
            let cut = fit(&text, face, room);
            assert!(cut.ends_with('…') && face.room(&cut) <= room, "{cut}");
        }
    }

    #[test]
    fn lines_are_broken_between_words() {
        let (face, text) = (Face::TITLE, "one two three four five six seven eight nine ten");
        let lines = wrap(text, face, 120.0, 9);
        assert!(lines.len() > 2 && lines.iter().all(|line| face.room(line) <= 120.0));
        assert_eq!(lines.join(" "), text);
        let lines = wrap(text, face, 120.0, 2);
        assert!(lines.len() == 2 && lines[1].ends_with('…'));
    }

    #[test]
    fn the_font_has_what_labels_are_made_of() {
        for letter in "0123456789,.−×…⁰¹²³⁴⁵⁶⁷⁸⁹⁻±%–≤≥∞äλμ".chars() {
            assert_ne!(Face::TICK.glyph(letter).0, NO_GLYPH, "{letter}");
        }
    }
}
