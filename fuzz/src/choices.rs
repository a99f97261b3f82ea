//! Inputs as choices. Hardly any text that the fuzzer makes up is a valid file or request. So an input can also be a list of choices
//! from which a text is written: most of them are valid, and changing a byte changes a choice.

/// The choices that are left. After the last one, all are the first of what there is to choose from.
pub(crate) struct Choices<'d>(&'d [u8]);

impl<'d> Choices<'d> {
    /// The choices of an input that is no text. The first byte is none of them: in the corpus it is one that no text contains.
    pub(crate) fn of(data: &'d [u8]) -> Choices<'d> {
        Choices(data.get(1..).unwrap_or_default())
    }

    pub(crate) fn byte(&mut self) -> u8 {
        let Some((byte, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *byte
    }

    pub(crate) fn one_of<'c, T>(&mut self, choices: &'c [T]) -> &'c T {
        &choices[usize::from(self.byte()) % choices.len()]
    }

    /// Yes in one case of this many.
    pub(crate) fn one_in(&mut self, cases: u8) -> bool {
        self.byte() % cases == cases - 1
    }

    /// A number as text: small and short in most cases.
    pub(crate) fn number(&mut self) -> String {
        let (whole, part) = (i16::from(self.byte() as i8), self.byte());
        match part {
            0..100 => whole.to_string(),
            100..250 => format!("{whole}.{part}"),
            _ => (*self.one_of(&["0.0", "-0.0", "1e-300", "1e100", "-1e100", "1e101", "nan", "inf"]))
                .to_owned(),
        }
    }

    /// What is left.
    pub(crate) fn rest(self) -> &'d [u8] {
        self.0
    }
}
