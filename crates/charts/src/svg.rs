//! A picture as SVG.

use crate::drawing::{Anchor, Colour, Drawing, Label, Pen, Point, Shape, WHITE};
use std::fmt::{self, Display, Write};

/// Writes the document.
pub fn write(picture: &Drawing) -> String {
    let mut text = String::new();
    document(&mut text, picture).expect("writing to a string can't fail");
    text
}

fn document(out: &mut String, picture: &Drawing) -> fmt::Result {
    let (width, height) = (Number(picture.width), Number(picture.height));
    write!(out, r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" "#)?;
    writeln!(out, r#"viewBox="0 0 {width} {height}" font-family="Noto Sans, sans-serif" role="img">"#)?;
    writeln!(out, "<title>{}</title>", Escaped(&picture.title))?;
    writeln!(out, r##"<rect width="{width}" height="{height}" fill="{WHITE}"/>"##)?;
    for shape in &picture.shapes {
        write_shape(out, shape)?;
    }
    writeln!(out, "</svg>")
}

fn write_shape(out: &mut String, shape: &Shape) -> fmt::Result {
    match shape {
        Shape::Area { outline, colour, opacity } => {
            write!(out, r#"<path d=""#)?;
            write_path(out, outline)?;
            writeln!(out, r#"Z" fill="{colour}" fill-opacity="{opacity}"/>"#)
        }
        Shape::Boxes { boxes, colour } => {
            write!(out, r#"<path d=""#)?;
            for [x, y, width, height] in boxes.iter().map(|sides| sides.map(Number)) {
                write!(out, "M{x} {y}h{width}v{height}h-{width}z")?;
            }
            writeln!(out, r#"" fill="{colour}"/>"#)
        }
        Shape::Line { points, pen } => write_line(out, points, pen),
        Shape::Dots { centres, radius, colour, hollow } => {
            write_dots(out, centres, *radius, *colour)?;
            if *hollow { write_dots(out, centres, radius - 1.2, WHITE) } else { Ok(()) }
        }
        Shape::Text(label) => write_text(out, label),
    }
}

fn write_line(out: &mut String, points: &[Point], pen: &Pen) -> fmt::Result {
    write!(out, r#"<path d=""#)?;
    write_path(out, points)?;
    let Pen { colour, width, opacity, dashes } = pen;
    write!(out, r#"" fill="none" stroke="{colour}" stroke-width="{width}" stroke-linejoin="round""#)?;
    if *opacity < 1.0 {
        write!(out, r#" stroke-opacity="{opacity}""#)?;
    }
    if !dashes.is_empty() {
        let dashes: Vec<String> = dashes.iter().map(f32::to_string).collect();
        write!(out, r#" stroke-dasharray="{}""#, dashes.join(" "))?;
    }
    writeln!(out, "/>")
}

/// Draws dots as lines of length zero with round ends: the shortest way to write thousands of them.
fn write_dots(out: &mut String, centres: &[Point], radius: f64, colour: Colour) -> fmt::Result {
    write!(out, r#"<path d=""#)?;
    for (x, y) in centres {
        write!(out, "M{} {}h0", Number(*x), Number(*y))?;
    }
    let width = Number(2.0 * radius);
    writeln!(out, r#"" fill="none" stroke="{colour}" stroke-width="{width}" stroke-linecap="round"/>"#)
}

fn write_path(out: &mut String, points: &[Point]) -> fmt::Result {
    for (index, (x, y)) in points.iter().enumerate() {
        write!(out, "{}{} {}", if index == 0 { 'M' } else { 'L' }, Number(*x), Number(*y))?;
    }
    Ok(())
}

fn write_text(out: &mut String, label: &Label) -> fmt::Result {
    let (x, y) = (Number(label.at.0), Number(label.at.1));
    write!(out, r#"<text x="{x}" y="{y}" font-size="{}" fill="{}""#, label.face.size, label.colour)?;
    if label.face.bold {
        write!(out, r#" font-weight="bold""#)?;
    }
    match label.anchor {
        Anchor::Start => {}
        Anchor::Middle => write!(out, r#" text-anchor="middle""#)?,
        Anchor::End => write!(out, r#" text-anchor="end""#)?,
    }
    if label.upwards {
        write!(out, r#" transform="rotate(-90 {x} {y})""#)?;
    }
    writeln!(out, ">{}</text>", Escaped(&label.text))
}

impl Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "#{:06x}", self.0)
    }
}

/// A coordinate with two decimals, which is finer than anyone can see.
#[derive(Clone, Copy)]
struct Number(f64);

impl Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        // Adding zero turns a negative zero into a positive one.
        write!(f, "{}", (self.0 * 100.0).round() / 100.0 + 0.0)
    }
}

/// Text with markup characters escaped.
struct Escaped<'a>(&'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for letter in self.0.chars() {
            match letter {
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '&' => f.write_str("&amp;")?,
                letter => f.write_char(letter)?,
            }
        }
        Ok(())
    }
}
