//! Text to pages.

use super::action::{PageActionCodec, PageActionError};
use super::digits::{self, Reader};
use super::field::{FumenCell, FumenField};
use super::quiz::Caption;
use super::{Flags, FumenError, MAX_PAGES, Page, comment};

/// Reads a diagram: `v115@` or `v110@` (or with `m` or `d` for `v`) and its data, alone or in a URL.
pub fn decode(text: &str) -> Result<Vec<Page>, FumenError> {
    let (height, data) = extract(text)?;
    let digits = digits_of(data)?;
    let mut decoder = Decoder::new(Reader::new(&digits), height);
    let mut pages = Vec::new();
    while !decoder.reader.is_empty() {
        if pages.len() == MAX_PAGES {
            return Err(FumenError::TooManyPages);
        }
        let page = decoder.page()?;
        pages.push(page);
    }
    match (pages.len(), decoder.unchanged) {
        (0, _) => Err(FumenError::NoPages),
        (_, 0) => Ok(pages),
        (found, missing) => Err(FumenError::MissingPages { found, missing: missing as usize }),
    }
}

/// The number of rows in a diagram's version, and its data.
fn extract(text: &str) -> Result<(usize, &str), FumenError> {
    let mut other = None;
    for (at, _) in text.match_indices('@') {
        let Some(start) = at.checked_sub(4).filter(|start| text.is_char_boundary(*start)) else { continue };
        let Some(version) = text[start..at].strip_prefix(['v', 'm', 'd']) else { continue };
        let data = text[at + 1..].split('&').next().unwrap_or_default();
        match version {
            "115" => return Ok((FumenField::HEIGHT, data)),
            "110" => return Ok((21, data)),
            _ if version.bytes().all(|byte| byte.is_ascii_digit()) => {
                other.get_or_insert(version);
            }
            _ => {}
        }
    }
    Err(other.map_or(FumenError::NotAFumen, |version| FumenError::Version(version.to_owned())))
}

/// The digits of the data. Skips white space and question marks, which only allow line breaks.
fn digits_of(data: &str) -> Result<Vec<u8>, FumenError> {
    data.chars()
        .enumerate()
        .filter(|(_, character)| *character != '?' && !character.is_whitespace())
        .map(|(index, character)| {
            digits::value(character).ok_or(FumenError::Character { position: index + 1, character })
        })
        .collect()
}

/// Reads one page after another.
struct Decoder<'a> {
    reader: Reader<'a>,
    /// Rows of the field in the diagram's version, without the garbage row.
    height: usize,
    /// The page's number, from 1.
    number: usize,
    /// The field that the last page left.
    field: FumenField,
    /// The number of pages that still use that field unchanged.
    unchanged: u32,
    caption: Caption,
}

impl<'a> Decoder<'a> {
    fn new(reader: Reader<'a>, height: usize) -> Decoder<'a> {
        let (field, caption) = (FumenField::default(), Caption::default());
        Decoder { reader, height, number: 0, field, unchanged: 0, caption }
    }

    fn take(&mut self, digits: usize) -> Result<u32, FumenError> {
        self.reader.take(digits).ok_or(FumenError::BreaksOff { page: self.number })
    }

    fn page(&mut self) -> Result<Page, FumenError> {
        self.number += 1;
        let page = self.number;
        match self.unchanged.checked_sub(1) {
            Some(left) => self.unchanged = left,
            None => self.change_field()?,
        }
        let number = self.take(3)?;
        let action = PageActionCodec::new(self.height).decode(number).map_err(|error| match error {
            PageActionError::TooLarge => FumenError::PageAction { page },
            PageActionError::Outside => FumenError::Outside { page },
        })?;
        let comment = if action.comment {
            let comment = self.comment()?;
            self.caption = Caption::new(&comment);
            comment
        } else {
            self.caption.comment()
        };
        let flags = Flags {
            lock: action.lock,
            mirror: action.mirror,
            colorize: action.colorize,
            rise: action.rise,
            quiz: self.caption.is_quiz(),
        };
        if flags.lock {
            self.caption.advance(action.operation.map(|operation| operation.piece));
        }
        let page = Page { field: self.field, operation: action.operation, comment, flags };
        self.field = page.field_after();
        Ok(page)
    }

    /// Reads the differences from the last field, as runs of cells.
    fn change_field(&mut self) -> Result<(), FumenError> {
        let page = self.number;
        let cells = FumenField::WIDTH * (self.height + 1);
        let mut field = self.field;
        let mut left = field.in_order_mut(self.height + 1);
        let mut done = 0;
        while done < cells {
            let number = self.reader.take(2).ok_or(FumenError::BreaksOff { page })?;
            let (difference, run) = (number as i32 / cells as i32 - 8, number as usize % cells + 1);
            if done + run > cells {
                return Err(FumenError::Run { page });
            }
            for cell in left.by_ref().take(run) {
                let colour = cell.number() + difference;
                *cell = FumenCell::from_number(colour).ok_or(FumenError::Colour { page, colour })?;
            }
            if run == cells && difference == 0 {
                self.unchanged = self.reader.take(1).ok_or(FumenError::BreaksOff { page })?;
            }
            done += run;
        }
        drop(left);
        self.field = field;
        Ok(())
    }

    fn comment(&mut self) -> Result<String, FumenError> {
        let length = self.take(2)? as usize;
        let mut escaped = String::new();
        for _ in 0..length.div_ceil(4) {
            let number = self.take(5)?;
            let characters = comment::unpack(number).ok_or(FumenError::Comment { page: self.number })?;
            escaped.extend(characters);
        }
        escaped.truncate(length);
        Ok(comment::unescape(&escaped))
    }
}
