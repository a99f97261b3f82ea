//! Reading lines up to a length, and showing a little of them.

use std::io::{self, BufRead, Read};

/// What was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// A line without its end. Bytes that are not UTF-8 are replaced.
    Text(String),
    /// A line that is too long. The rest of it was not read.
    TooLong,
    /// There is nothing more to read.
    End,
}

/// Reads a line of at most this many bytes.
pub fn read_line(reader: &mut impl BufRead, max_bytes: usize) -> io::Result<Line> {
    let mut line = Vec::new();
    reader.take(max_bytes as u64 + 1).read_until(b'\n', &mut line)?;
    Ok(match line.strip_suffix(b"\n") {
        Some(line) => Line::Text(String::from_utf8_lossy(line).into_owned()),
        None if line.is_empty() => Line::End,
        None if line.len() > max_bytes => Line::TooLong,
        // The last line may lack its end.
        None => Line::Text(String::from_utf8_lossy(&line).into_owned()),
    })
}

/// The start of a text, in one line without control characters.
pub fn excerpt(text: &str) -> String {
    const MAX_CHARACTERS: usize = 160;
    let plain = |character: char| if character.is_control() { ' ' } else { character };
    let short: String = text.chars().take(MAX_CHARACTERS).map(plain).collect();
    if text.chars().nth(MAX_CHARACTERS).is_some() { short + "…" } else { short }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_with_a_line_feed_or_with_the_text() {
        let mut reader = &b"one\n\n\xff!\nlast"[..];
        let mut next = || read_line(&mut reader, 10).unwrap();
        let text = |text: &str| Line::Text(text.to_owned());
        assert_eq!([next(), next(), next()], [text("one"), text(""), text("\u{fffd}!")]);
        assert_eq!([next(), next()], [text("last"), Line::End]);
    }

    #[test]
    fn a_long_line_is_not_read_to_its_end() {
        let read = |bytes| read_line(&mut format!("{}\n", "x".repeat(bytes)).as_bytes(), 10).unwrap();
        assert_eq!(read(10), Line::Text("x".repeat(10)));
        assert_eq!(read(11), Line::TooLong);
        assert_eq!(read_line(&mut io::BufReader::new(io::repeat(b'x')), 10).unwrap(), Line::TooLong);
    }

    #[test]
    fn an_excerpt_is_one_short_line() {
        assert_eq!(excerpt("a\n\u{1b}b"), "a  b");
        assert_eq!(excerpt(&"x".repeat(1000)).chars().count(), 161);
    }
}
