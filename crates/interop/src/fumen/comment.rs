//! Encoded comments: escaped like JavaScript's `escape`, with four characters to a number.

use super::FumenError;

/// The greatest length of an escaped comment.
pub const MAX_ESCAPED_LENGTH: usize = 4095;

/// The base of the numbers: the printable ASCII characters, and one that is not used.
const BASE: u32 = 96;
const FIRST_CHARACTER: u8 = b' ';

/// Escapes text like JavaScript's `escape`. The result is ASCII.
pub fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for unit in text.encode_utf16() {
        match u8::try_from(unit) {
            Ok(byte) if byte.is_ascii_alphanumeric() || b"@*_+-./".contains(&byte) => {
                escaped.push(char::from(byte));
            }
            Ok(byte) => escaped.push_str(&format!("%{byte:02X}")),
            Err(_) => escaped.push_str(&format!("%u{unit:04X}")),
        }
    }
    escaped
}

/// Escapes the comment of a page, if it is short enough.
pub fn escape_page(page: usize, text: &str) -> Result<String, FumenError> {
    let escaped = escape(text);
    match escaped.len() {
        0..=MAX_ESCAPED_LENGTH => Ok(escaped),
        length => Err(FumenError::CommentLength { page, length }),
    }
}

/// Undoes [`escape`] like JavaScript's `unescape`. Anything that is not an escape stays. Half of a surrogate pair, as at the end
/// of a truncated comment, becomes the replacement character.
pub fn unescape(escaped: &str) -> String {
    let mut units = Vec::new();
    let mut rest = escaped;
    while let Some(first) = rest.chars().next() {
        let (unit, length) = match code(rest) {
            Some((unit, length)) => (vec![unit], length),
            None => (first.encode_utf16(&mut [0; 2]).to_vec(), first.len_utf8()),
        };
        units.extend(unit);
        rest = &rest[length..];
    }
    String::from_utf16_lossy(&units)
}

/// The code of the escape at the start of the text, and its length.
fn code(text: &str) -> Option<(u16, usize)> {
    let (digits, length) = if text.starts_with("%u") { (text.get(2..6)?, 6) } else { (text.get(1..3)?, 3) };
    let all_hexadecimal = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    (text.starts_with('%') && all_hexadecimal)
        .then(|| u16::from_str_radix(digits, 16).ok())
        .flatten()
        .map(|unit| (unit, length))
}

/// Up to four characters of escaped text as a number.
pub fn pack(characters: &[u8]) -> u32 {
    characters
        .iter()
        .rev()
        .fold(0, |number, character| number * BASE + u32::from(character - FIRST_CHARACTER))
}

/// The four characters of a number, if it is valid.
pub fn unpack(number: u32) -> Option<[char; 4]> {
    let mut characters = [' '; 4];
    let mut rest = number;
    for character in &mut characters {
        let index = (rest % BASE) as u8;
        *character = (index < BASE as u8 - 1).then(|| char::from(FIRST_CHARACTER + index))?;
        rest /= BASE;
    }
    (rest == 0).then_some(characters)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped_as_javascript_does() {
        assert_eq!(escape("az AZ 09 @*_+-./"), "az%20AZ%2009%20@*_+-./");
        assert_eq!(escape("é~%\n"), "%E9%7E%25%0A");
        assert_eq!(escape("日😀"), "%u65E5%uD83D%uDE00");
    }

    #[test]
    fn escapes_are_undone_and_what_is_none_stays() {
        for text in ["", "hello", "日本語 😀 100%", "é\u{7f}\u{0}", "#Q=[](T)IJ"] {
            assert_eq!(unescape(&escape(text)), text);
        }
        for text in ["%", "%u", "%u12", "%g1", "%u12g4", "100%", "%+1", "%é", "%u+123"] {
            assert_eq!(unescape(text), text);
        }
        assert_eq!(unescape("%41%u0042%u004"), "AB%u004");
        assert_eq!(unescape("%uD83D%uDE0"), "\u{fffd}%uDE0");
    }

    #[test]
    fn characters_are_packed_by_fours() {
        assert_eq!(unpack(pack(b"%23Q")), Some(['%', '2', '3', 'Q']));
        assert_eq!(unpack(pack(b"~")), Some(['~', ' ', ' ', ' ']));
        assert_eq!((unpack(95), unpack(BASE.pow(4))), (None, None));
    }
}
