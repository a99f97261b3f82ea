//! The digits of a diagram: 64 characters, in little-endian groups.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The largest digit.
pub const LARGEST_DIGIT: u8 = 63;

/// The value of a digit.
pub fn value(character: char) -> Option<u8> {
    ALPHABET.iter().position(|digit| char::from(*digit) == character).map(|value| value as u8)
}

/// Reads numbers from digits.
pub struct Reader<'a> {
    digits: &'a [u8],
}

impl<'a> Reader<'a> {
    /// A reader of all the digits.
    pub fn new(digits: &'a [u8]) -> Reader<'a> {
        Reader { digits }
    }

    /// Whether no digits are left.
    pub fn is_empty(&self) -> bool {
        self.digits.is_empty()
    }

    /// The next number of this many digits, at most five, if enough are left.
    pub fn take(&mut self, digits: usize) -> Option<u32> {
        let (number, rest) = self.digits.split_at_checked(digits)?;
        self.digits = rest;
        Some(number.iter().rev().fold(0, |value, digit| value * 64 + u32::from(*digit)))
    }
}

/// Writes numbers as digits.
#[derive(Default)]
pub struct Writer {
    digits: Vec<u8>,
}

impl Writer {
    /// Adds a number of this many digits.
    pub fn put(&mut self, number: u32, digits: usize) {
        debug_assert!(number < 1 << (6 * digits));
        self.digits.extend((0..digits).map(|digit| (number >> (6 * digit) & 63) as u8));
    }

    /// The number of digits.
    pub fn len(&self) -> usize {
        self.digits.len()
    }

    /// A written digit, to change it.
    pub fn digit_mut(&mut self, index: usize) -> &mut u8 {
        &mut self.digits[index]
    }

    /// The digits as characters.
    pub fn text(&self) -> String {
        self.digits.iter().map(|digit| char::from(ALPHABET[usize::from(*digit)])).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_little_endian() {
        let digits: Vec<u8> = "vhA".chars().map(|digit| value(digit).unwrap()).collect();
        assert_eq!(Reader::new(&digits).take(2), Some(8 * 240 + 239));
        assert_eq!(Reader::new(&digits).take(4), None);
        let mut writer = Writer::default();
        writer.put(8 * 240 + 239, 2);
        assert_eq!(writer.text(), "vh");
    }
}
