//! How series look: a palette that works for colour-blind readers.

use crate::chart::{Marks, Series};
use crate::drawing::{Colour, Pen};
use std::collections::{HashMap, HashSet};

/// The colours of Okabe and Ito with enough contrast on white, and two of Tol's muted ones.
const PALETTE: [Colour; 8] = [
    Colour(0x00_72_B2),
    Colour(0xD5_5E_00),
    Colour(0x00_9E_73),
    Colour(0xCC_79_A7),
    Colour(0xE6_9F_00),
    Colour(0x56_B4_E9),
    Colour(0x88_22_55),
    Colour(0x99_99_33),
];

/// The colour of the first reference line.
const REFERENCE: Colour = Colour(0x44_44_44);

/// The appearance of a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    pub colour: Colour,
    /// How often the palette was used up before. Later rounds have dashed lines and hollow dots.
    round: usize,
}

impl Look {
    /// The opacity of a band.
    pub const BAND: f64 = 0.18;

    /// The pen of a line.
    pub fn line(self) -> Pen {
        const DASHES: [&[f32]; 3] = [&[], &[8.0, 2.5, 2.0, 2.5], &[2.0, 2.5]];
        Pen { dashes: DASHES[self.round.min(2)], ..Pen::solid(self.colour, 1.8) }
    }

    /// The pen of a reference line.
    pub fn reference(self) -> Pen {
        Pen { dashes: &[6.0, 4.0], ..Pen::solid(self.colour, 1.5) }
    }

    /// Whether dots are hollow.
    pub fn is_hollow(self) -> bool {
        self.round > 0
    }
}

/// The look of each series. Series of the same name share it, and the first reference line is grey.
pub fn looks(series: &[Series]) -> Vec<Look> {
    let is_reference = |one: &Series| matches!(one.marks, Marks::Dashed(_));
    let data: HashSet<&str> = series.iter().filter(|one| !is_reference(one)).map(|one| &*one.name).collect();
    let mut palette =
        (0..).map(|used| Look { colour: PALETTE[used % PALETTE.len()], round: used / PALETTE.len() });
    let mut reference = Some(Look { colour: REFERENCE, round: 0 });
    let mut known: HashMap<&str, Look> = HashMap::new();
    let mut looks = Vec::new();
    for one in series {
        let only_reference = is_reference(one) && !data.contains(&*one.name);
        let shared = known.get(&*one.name).copied();
        looks.extend(shared.or_else(|| reference.take_if(|_| only_reference)).or_else(|| palette.next()));
        if let Some(look) = looks.last()
            && !one.name.is_empty()
        {
            known.insert(&one.name, *look);
        }
    }
    looks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_one_colour() {
        let named = |name: &str, marks| Series { name: name.to_owned(), marks };
        let looks = looks(&[
            named("cma-es", Marks::Line(Vec::new())),
            named("ce", Marks::Line(Vec::new())),
            named("cma-es", Marks::Band(Vec::new())),
            named("", Marks::Line(Vec::new())),
            named("", Marks::Line(Vec::new())),
            named("optimum", Marks::Dashed(Vec::new())),
        ]);
        assert_eq!(looks[0], looks[2]);
        assert_eq!(looks[5].colour, REFERENCE);
        for (a, b) in [(0, 1), (1, 3), (3, 4), (4, 5)] {
            assert_ne!(looks[a], looks[b]);
        }
    }

    #[test]
    fn two_dozen_series_with_no_two_alike() {
        let series = |index| Series { name: format!("{index}"), marks: Marks::Line(Vec::new()) };
        let looks = looks(&(0..24).map(series).collect::<Vec<_>>());
        assert!((0..24).all(|index| !looks[..index].contains(&looks[index])));
    }
}
