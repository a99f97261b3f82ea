//! Reads glyphs from a TrueType font: as much of the format as the built-in fonts use.
//!
//! Libraries for fonts read dozens of tables, and compiling them takes longer than all our charts.

/// A TrueType font.
pub struct TrueType {
    bytes: &'static [u8],
    /// Where the tables start.
    character_map: usize,
    locations: usize,
    glyphs: usize,
    metrics: usize,
    /// Whether glyph locations have four bytes, not two.
    long_locations: bool,
    /// Glyphs that have a width of their own. Those after them are as wide as the last.
    widths: usize,
    /// The size of the square that glyphs are drawn on.
    pub units_per_em: u16,
}

/// The number of a glyph.
pub type GlyphId = u16;

/// The box for characters that the font doesn't have.
pub const NO_GLYPH: GlyphId = 0;

/// A part of an outline, in units of the font; y points up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Segment {
    Move(Point),
    Line(Point),
    /// A curve with one control point.
    Curve(Point, Point),
    Close,
}

/// A place on the square that glyphs are drawn on.
pub type Point = (f32, f32);

/// A change of the points of a glyph that is part of another: a matrix by columns, and an offset.
#[derive(Clone, Copy)]
struct Transform {
    x: Point,
    y: Point,
    offset: Point,
}

impl Transform {
    const NONE: Transform = Transform { x: (1.0, 0.0), y: (0.0, 1.0), offset: (0.0, 0.0) };

    fn apply(self, (x, y): Point) -> Point {
        (x * self.x.0 + y * self.y.0 + self.offset.0, x * self.x.1 + y * self.y.1 + self.offset.1)
    }
}

/// Glyphs that consist of others have at most this many levels.
const MAX_DEPTH: u32 = 4;

impl TrueType {
    /// Finds the tables of a font.
    pub fn parse(bytes: &'static [u8]) -> Option<TrueType> {
        let table = |name: &[u8; 4]| {
            let entry = |index| bytes.get(12 + 16 * index..28 + 16 * index);
            let found =
                (0..usize::from(u16_at(bytes, 4)?)).filter_map(entry).find(|entry| entry.starts_with(name));
            u32_at(found?, 8)
        };
        let (head, character_map) = (table(b"head")?, table(b"cmap")?);
        let unicode = (0..usize::from(u16_at(bytes, character_map + 2)?)).find_map(|index| {
            let subtable = character_map + u32_at(bytes, character_map + 8 + 8 * index)?;
            (u16_at(bytes, subtable)? == 4).then_some(subtable)
        });
        Some(TrueType {
            bytes,
            character_map: unicode?,
            locations: table(b"loca")?,
            glyphs: table(b"glyf")?,
            metrics: table(b"hmtx")?,
            long_locations: u16_at(bytes, head + 50)? == 1,
            widths: u16_at(bytes, table(b"hhea")? + 34)?.into(),
            units_per_em: u16_at(bytes, head + 18)?,
        })
    }

    /// The glyph of a character.
    pub fn glyph(&self, letter: char) -> Option<GlyphId> {
        let letter = u16::try_from(u32::from(letter)).ok()?;
        let number = |offset| u16_at(self.bytes, self.character_map + offset);
        // Four lists with an entry for each range of characters; a padding of two bytes follows the first.
        let ranges = usize::from(number(6)? / 2);
        let [last, first, shift, list] = [14, 16 + 2 * ranges, 16 + 4 * ranges, 16 + 6 * ranges];
        let range = (0..ranges).find(|range| number(last + 2 * range).is_some_and(|last| letter <= last))?;
        let into = letter.checked_sub(number(first + 2 * range)?)?;
        let shift = number(shift + 2 * range)?;
        let glyph = match number(list + 2 * range)? {
            0 => letter.wrapping_add(shift),
            distance => match number(list + 2 * range + usize::from(distance) + 2 * usize::from(into))? {
                NO_GLYPH => NO_GLYPH,
                glyph => glyph.wrapping_add(shift),
            },
        };
        Some(glyph).filter(|glyph| *glyph != NO_GLYPH)
    }

    /// The width of a glyph with the space around it.
    pub fn advance(&self, glyph: GlyphId) -> u16 {
        let entry = usize::from(glyph).min(self.widths.saturating_sub(1));
        u16_at(self.bytes, self.metrics + 4 * entry).unwrap_or(0)
    }

    /// Draws a glyph, if there is anything to see.
    pub fn draw(&self, glyph: GlyphId, draw: &mut impl FnMut(Segment)) {
        self.draw_part(glyph, Transform::NONE, MAX_DEPTH, draw);
    }

    fn draw_part(
        &self,
        glyph: GlyphId,
        transform: Transform,
        depth: u32,
        draw: &mut impl FnMut(Segment),
    ) -> Option<()> {
        let location = |index: usize| match self.long_locations {
            true => u32_at(self.bytes, self.locations + 4 * index),
            false => u16_at(self.bytes, self.locations + 2 * index).map(|half| 2 * usize::from(half)),
        };
        let (start, end) = (location(glyph.into())?, location(usize::from(glyph) + 1)?);
        let data = self.bytes.get(self.glyphs + start..self.glyphs + end)?;
        // After the number of contours, the bounding box has eight bytes.
        let mut reader = Reader { bytes: data, at: 10 };
        match i16_at(data, 0)? {
            contours @ 0.. => draw_contours(&mut reader, contours as usize, transform, draw),
            _ => self.draw_parts(&mut reader, transform, depth.checked_sub(1)?, draw),
        }
    }

    /// Draws a glyph that consists of others, such as a letter and its accent.
    fn draw_parts(
        &self,
        reader: &mut Reader,
        outer: Transform,
        depth: u32,
        draw: &mut impl FnMut(Segment),
    ) -> Option<()> {
        const WORDS: u16 = 1;
        const SCALE: u16 = 8;
        const MORE: u16 = 0x20;
        const TWO_SCALES: u16 = 0x40;
        const MATRIX: u16 = 0x80;
        loop {
            let flags = reader.u16()?;
            let glyph = reader.u16()?;
            let offset: Point = match flags & WORDS != 0 {
                true => (reader.i16()?.into(), reader.i16()?.into()),
                false => (f32::from(reader.u8()? as i8), f32::from(reader.u8()? as i8)),
            };
            let mut part = Transform { offset, ..Transform::NONE };
            if flags & SCALE != 0 {
                let scale = reader.fraction()?;
                (part.x.0, part.y.1) = (scale, scale);
            } else if flags & TWO_SCALES != 0 {
                (part.x.0, part.y.1) = (reader.fraction()?, reader.fraction()?);
            } else if flags & MATRIX != 0 {
                part.x = (reader.fraction()?, reader.fraction()?);
                part.y = (reader.fraction()?, reader.fraction()?);
            }
            let turn = Transform { offset: (0.0, 0.0), ..outer };
            let part =
                Transform { x: turn.apply(part.x), y: turn.apply(part.y), offset: outer.apply(part.offset) };
            self.draw_part(glyph, part, depth, draw)?;
            if flags & MORE == 0 {
                return Some(());
            }
        }
    }
}

/// A point of an outline, and whether the outline goes through it.
type OutlinePoint = (Point, bool);

fn draw_contours(
    reader: &mut Reader,
    contours: usize,
    transform: Transform,
    draw: &mut impl FnMut(Segment),
) -> Option<()> {
    let ends = (0..contours).map(|_| reader.u16().map(usize::from)).collect::<Option<Vec<_>>>()?;
    let count = ends.last().map_or(0, |last| last + 1);
    // Instructions for coarse screens.
    reader.at += usize::from(reader.u16()?);
    let points = points(reader, count)?;
    let mut first = 0;
    for end in ends {
        let contour: Vec<OutlinePoint> =
            points.get(first..=end)?.iter().map(|(point, on)| (transform.apply(*point), *on)).collect();
        draw_contour(&contour, draw);
        first = end + 1;
    }
    Some(())
}

/// Reads the points of a simple glyph: flags, then all distances in x, then in y.
fn points(reader: &mut Reader, count: usize) -> Option<Vec<OutlinePoint>> {
    const ON_CURVE: u8 = 1;
    const REPEAT: u8 = 8;
    let mut flags = Vec::with_capacity(count);
    while flags.len() < count {
        let flag = reader.u8()?;
        let times = if flag & REPEAT != 0 { usize::from(reader.u8()?) + 1 } else { 1 };
        flags.extend(std::iter::repeat_n(flag, times));
    }
    flags.truncate(count);
    // A distance has one byte and a sign in the flags, or two bytes, or is 0.
    let mut distances = |one_byte: u8, same_or_positive: u8| {
        let mut sum = 0;
        let next = |flag: &u8| {
            sum += match (flag & one_byte != 0, flag & same_or_positive != 0) {
                (true, true) => i32::from(reader.u8()?),
                (true, false) => -i32::from(reader.u8()?),
                (false, true) => 0,
                (false, false) => reader.i16()?.into(),
            };
            Some(sum as f32)
        };
        flags.iter().map(next).collect::<Option<Vec<f32>>>()
    };
    let (x, y) = (distances(2, 0x10)?, distances(4, 0x20)?);
    Some(flags.iter().zip(x.into_iter().zip(y)).map(|(flag, point)| (point, flag & ON_CURVE != 0)).collect())
}

/// Draws a closed contour. Between two control points, the outline goes through their middle.
fn draw_contour(points: &[OutlinePoint], draw: &mut impl FnMut(Segment)) {
    let [(first, first_is_on), ..] = *points else { return };
    let (last, last_is_on) = points[points.len() - 1];
    let start = match (first_is_on, last_is_on) {
        (true, _) => first,
        (false, true) => last,
        (false, false) => middle(first, last),
    };
    draw(Segment::Move(start));
    let mut control = None;
    for &(point, on) in points.iter().skip(usize::from(first_is_on)) {
        match (control, on) {
            (None, true) => draw(Segment::Line(point)),
            (Some(control), true) => draw(Segment::Curve(control, point)),
            (Some(control), false) => draw(Segment::Curve(control, middle(control, point))),
            (None, false) => {}
        }
        control = (!on).then_some(point);
    }
    if let Some(control) = control {
        draw(Segment::Curve(control, start));
    }
    draw(Segment::Close);
}

fn middle(one: Point, other: Point) -> Point {
    ((one.0 + other.0) / 2.0, (one.1 + other.1) / 2.0)
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..)?.first_chunk().map(|two| u16::from_be_bytes(*two))
}

fn i16_at(bytes: &[u8], at: usize) -> Option<i16> {
    u16_at(bytes, at).map(u16::cast_signed)
}

fn u32_at(bytes: &[u8], at: usize) -> Option<usize> {
    let number = bytes.get(at..)?.first_chunk().map(|four| u32::from_be_bytes(*four))?;
    usize::try_from(number).ok()
}

/// Reads numbers one after the other.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn u8(&mut self) -> Option<u8> {
        self.at += 1;
        self.bytes.get(self.at - 1).copied()
    }

    fn u16(&mut self) -> Option<u16> {
        self.at += 2;
        u16_at(self.bytes, self.at - 2)
    }

    fn i16(&mut self) -> Option<i16> {
        self.u16().map(u16::cast_signed)
    }

    /// A number with 14 binary places.
    fn fraction(&mut self) -> Option<f32> {
        self.i16().map(|number| f32::from(number) / 16_384.0)
    }
}
#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn drawn(font: &TrueType, letter: char) -> Vec<Segment> {
        let mut segments = Vec::new();
        font.draw(font.glyph(letter).unwrap(), &mut |segment| segments.push(segment));
        segments
    }

    #[test]
    fn an_outline_has_the_lines_and_curves_of_the_font() {
        use Segment::{Close, Curve, Line, Move};
        let font = TrueType::parse(notosans::BOLD_TTF).unwrap();
        let expected = [
            Move((416.0, 485.0)),
            Line((172.0, 485.0)),
            Line((121.0, 1462.0)),
            Line((467.0, 1462.0)),
            Close,
            Move((117.0, 143.0)),
            Curve((117.0, 227.0), (162.0, 270.0)),
        ];
        assert_eq!(drawn(&font, '!')[..7], expected);
    }

    #[test]
    fn a_letter_with_an_accent_is_both_of_them() {
        let font = TrueType::parse(notosans::REGULAR_TTF).unwrap();
        let (whole, letter) = (drawn(&font, 'ä'), drawn(&font, 'a'));
        assert!(whole.len() > letter.len());
        assert!(letter.iter().all(|segment| whole.contains(segment)));
        assert_eq!(font.advance(font.glyph('ä').unwrap()), font.advance(font.glyph('a').unwrap()));
    }

    #[test]
    fn what_is_no_font_or_is_cut_off_draws_nothing_and_never_fails() {
        assert!(TrueType::parse(b"").is_none() && TrueType::parse(&[0; 100]).is_none());
        for end in (0..notosans::REGULAR_TTF.len()).step_by(997) {
            if let Some(font) = TrueType::parse(&notosans::REGULAR_TTF[..end]) {
                let glyph = font.glyph('a').unwrap_or(NO_GLYPH);
                font.draw(glyph, &mut |_| {});
                font.advance(glyph);
            }
        }
    }
}
