//! Pages to text.

use super::action::{PageAction, PageActionCodec};
use super::digits::{self, Writer};
use super::field::FumenField;
use super::quiz::Caption;
use super::{FumenError, MAX_PAGES, Page, comment};

/// Writes a diagram of version 115, with its `v115@`.
pub fn encode(pages: &[Page]) -> Result<String, FumenError> {
    if pages.is_empty() {
        return Err(FumenError::NoPages);
    }
    if pages.len() > MAX_PAGES {
        return Err(FumenError::TooManyPages);
    }
    let mut encoder = Encoder::default();
    for (index, page) in pages.iter().enumerate() {
        encoder.page(index + 1, page)?;
    }
    Ok(broken(&format!("v115@{}", encoder.writer.text())))
}

/// The text with question marks after every 47 characters, where a line can break.
fn broken(text: &str) -> String {
    let pieces: Vec<_> = text.as_bytes().chunks(47).map(|piece| String::from_utf8_lossy(piece)).collect();
    pieces.join("?")
}

/// Writes one page after another.
#[derive(Default)]
struct Encoder {
    writer: Writer,
    /// The field that the last page left.
    field: FumenField,
    /// The index of the digit that counts the pages with an unchanged field.
    unchanged: Option<usize>,
    /// The comment as a reader would continue it.
    caption: Caption,
}

impl Encoder {
    fn page(&mut self, number: usize, page: &Page) -> Result<(), FumenError> {
        if self.field == page.field {
            self.keep_field();
        } else {
            self.change_field(&page.field);
        }
        self.field = page.field_after();

        let own = Caption::new(&page.comment);
        let has_comment = page.comment != self.caption.comment()
            || page.flags.quiz != self.caption.is_quiz() && page.flags.quiz == own.is_quiz();
        if has_comment {
            self.caption = own;
        }
        if page.flags.lock {
            self.caption.advance(page.operation.map(|operation| operation.piece));
        }
        let action = PageAction::new(page.operation, page.flags, has_comment);
        let action = PageActionCodec::new(FumenField::HEIGHT)
            .encode(action)
            .map_err(|_| FumenError::Outside { page: number })?;
        self.writer.put(action, 3);
        if has_comment { self.comment(number, &page.comment) } else { Ok(()) }
    }

    /// Counts one more page with an unchanged field.
    fn keep_field(&mut self) {
        if let Some(index) = self.unchanged {
            let count = self.writer.digit_mut(index);
            if *count < digits::LARGEST_DIGIT {
                *count += 1;
                return;
            }
        }
        self.put_run(0, FumenField::WIDTH * (FumenField::HEIGHT + 1));
        self.unchanged = Some(self.writer.len());
        self.writer.put(0, 1);
    }

    /// Writes the differences from the last field, as runs of cells.
    fn change_field(&mut self, field: &FumenField) {
        let before = self.field;
        let differences =
            field.in_order().zip(before.in_order()).map(|(new, old)| new.number() - old.number());
        let mut run: Option<(i32, usize)> = None;
        for difference in differences {
            run = match run {
                Some((same, length)) if same == difference => Some((same, length + 1)),
                finished => {
                    if let Some((difference, length)) = finished {
                        self.put_run(difference, length);
                    }
                    Some((difference, 1))
                }
            };
        }
        if let Some((difference, length)) = run {
            self.put_run(difference, length);
        }
        self.unchanged = None;
    }

    fn put_run(&mut self, difference: i32, length: usize) {
        let cells = FumenField::WIDTH * (FumenField::HEIGHT + 1);
        self.writer.put((difference + 8) as u32 * cells as u32 + length as u32 - 1, 2);
    }

    fn comment(&mut self, page: usize, text: &str) -> Result<(), FumenError> {
        let escaped = comment::escape_page(page, text)?;
        self.writer.put(escaped.len() as u32, 2);
        for characters in escaped.as_bytes().chunks(4) {
            self.writer.put(comment::pack(characters), 5);
        }
        Ok(())
    }
}
