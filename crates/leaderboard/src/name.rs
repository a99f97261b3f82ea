//! Names of players: visible, short, and harmless to the text around them.

use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

/// The longest name.
pub const MAX_NAME_CHARS: usize = 24;
/// As many marks as any language puts on a letter, and too few to cover the lines around it.
const MAX_MARKS_PER_LETTER: usize = 2;

/// Why a name can't be on a leaderboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the name {reason}: choose 1 to {MAX_NAME_CHARS} visible characters")]
pub struct NameError {
    reason: &'static str,
}

/// The name that somebody typed: what the leaderboards get, without the spaces around it.
pub fn typed_name(typed: &str) -> Result<&str, NameError> {
    let name = typed.trim();
    check_name(name).map(|()| name)
}

/// Checks that a name can be shown.
pub fn check_name(name: &str) -> Result<(), NameError> {
    let wrong = |reason| Err(NameError { reason });
    match name {
        _ if name.trim().is_empty() => wrong("is empty"),
        _ if name.trim() != name => wrong("starts or ends with a space"),
        _ if name.chars().count() > MAX_NAME_CHARS => wrong("is too long"),
        _ if name.chars().any(is_invisible) => wrong("contains invisible characters"),
        _ if marks_in_a_row(name) > MAX_MARKS_PER_LETTER => wrong("has too many marks on a letter"),
        _ => Ok(()),
    }
}

/// Whether a character draws nothing, or turns or breaks the text around it.
fn is_invisible(c: char) -> bool {
    let blank = matches!(
        c,
        '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}' | '\u{2800}' | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{ffa0}' | '\u{e0100}'..='\u{e01ef}'
    );
    let category = c.general_category_group();
    blank || category == GeneralCategoryGroup::Other || matches!(c, '\u{2028}' | '\u{2029}')
}

/// The most marks, such as accents, that follow each other.
fn marks_in_a_row(name: &str) -> usize {
    let is_letter = |c: char| c.general_category_group() != GeneralCategoryGroup::Mark;
    name.split(is_letter).map(|marks| marks.chars().count()).max().unwrap_or(0)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn spaces_around_a_typed_name_do_not_matter() {
        // What counts as a space is decided here only: browsers have other ideas.
        for typed in ["Ada", " Ada", "Ada\u{a0}\t", "\u{85}Ada"] {
            assert_eq!(typed_name(typed), Ok("Ada"), "{typed:?}");
        }
        for typed in ["", "  ", "\u{feff}Ada", "A\u{85}da", &"A".repeat(25)] {
            assert!(typed_name(typed).is_err(), "{typed:?}");
        }
    }

    #[test]
    fn names_are_visible_and_short() {
        for (name, words) in [
            ("", "is empty"),
            ("   ", "is empty"),
            ("1234567890123456789012345", "is too long"),
            (" Ada", "ends with a space"),
            ("Ada\u{a0}", "ends with a space"),
            ("Ada\u{0}", "invisible"),
            ("\u{202e}adA", "invisible"),
            ("A\u{2028}da", "invisible"),
            ("\u{200b}", "invisible"),
            ("\u{2060}", "invisible"),
            ("\u{fe0f}", "invisible"),
            ("\u{3164}", "invisible"),
            ("\u{2800}", "invisible"),
            ("\u{feff}Ada", "invisible"),
            ("Ada\u{200f}", "invisible"),
            ("A\u{61c}da", "invisible"),
            ("A\u{ad}da", "invisible"),
            ("Ada\u{e0041}", "invisible"),
            ("Ada\u{ffff}", "invisible"),
            ("Ada\u{e000}", "invisible"),
            (&format!("A{}", "\u{301}".repeat(23)), "too many marks"),
        ] {
            let message = check_name(name).unwrap_err().to_string();
            assert!(message.contains(words), "{name:?}: {message}");
        }
        for name in [
            "123456789012345678901234",
            "Ærøskøbing åäö 俄罗斯方块",
            "<b>Ada</b>",
            "Nguye\u{302}\u{303}n อยู่ नमस्ते 🎲",
        ] {
            assert_eq!(check_name(name), Ok(()), "{name}");
        }
    }
}
