//! What a field is worth: the points that it promises.

use super::field::{ALL, COLUMNS, Cells, FIRST_COLUMN, LAST_COLUMN, ROW, solid};
use crate::evaluator::Term;
use std::fmt;
use std::str::FromStr;
use tetrion_engine::piece::Piece;

macro_rules! measures {
    ($($measure:ident $name:literal $about:literal)+) => {
        /// What is measured of a field.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Measure {
            $(#[doc = $about] $measure),+
        }

        impl Measure {
            /// All measures.
            pub const ALL: &[Measure] = &[$(Measure::$measure),+];

            /// Its name in an agent file.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Measure::$measure => $name),+
                }
            }
        }
    };
}

measures! {
    Cells "cells" "Filled cells: what is not spent on lines can still be."
    Holes "holes" "Empty cells below a filled one. They cost."
    Cover "cover" "Filled cells in the two rows above a hole. They cost."
    Steps "steps" "Height differences between neighbouring columns. They cost."
    Height "height" "Rows above the sixth, squared. They cost."
    Transitions "transitions" "Changes between filled and empty along the rows. They cost."
    WellRows "well_rows" "Rows one above the other that lack only the same open cell, up to four."
    WholeWell "whole_well" "Whether there are four such rows."
    DeepWells "deep_wells" "Well cells with two more above them. They cost."
    BackToBack "back_to_back" "Whether a back-to-back is on."
    Slot "slot" "The points of a T in the best T-slot, when no T is in sight."
    SlotSoon "slot_soon" "The same, when a T comes within the bag."
    SlotHeld "slot_held" "The same, when a T is in hold."
    SecondSlot "second_slot" "The points of a T in the second-best T-slot."
    Triple "triple" "Like `Slot`, for a triple."
    TripleSoon "triple_soon" "Like `SlotSoon`, for a triple."
    TripleHeld "triple_held" "Like `SlotHeld`, for a triple."
    UnfinishedSlot "unfinished_slot" "How near a T-slot is to clearing all its rows: 4 if a cell is missing."
    Combo "combo" "Clears in a row so far."
    HeldT "held_t" "Whether a T is in hold."
    HeldI "held_i" "Whether an I is in hold."
    RowsWithHoles "rows_with_holes" "Rows with a hole. They cost."
}

/// There is no measure with this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no measure '{0}': choose from {list}", list = all_names())]
pub struct UnknownMeasure(pub String);

fn all_names() -> String {
    Measure::ALL.iter().map(|measure| measure.name()).collect::<Vec<_>>().join(", ")
}

impl FromStr for Measure {
    type Err = UnknownMeasure;

    fn from_str(name: &str) -> Result<Measure, UnknownMeasure> {
        let known = Measure::ALL.iter().find(|measure| measure.name() == name);
        known.copied().ok_or_else(|| UnknownMeasure(name.to_owned()))
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What each measure of a field is worth, in points.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights([i32; Measure::ALL.len()]);

impl Weights {
    /// The largest weight, and the smallest below 0. Values of fields stay far within their type.
    pub const MAX: i32 = 100_000;

    /// These weights, cut off at [`Weights::MAX`]. Measures without a weight have 0.
    pub fn new(weights: impl IntoIterator<Item = (Measure, i32)>) -> Weights {
        let mut all = [0; Measure::ALL.len()];
        weights
            .into_iter()
            .for_each(|(measure, weight)| all[measure as usize] = weight.clamp(-Self::MAX, Self::MAX));
        Weights(all)
    }

    /// The weight of every measure.
    pub fn iter(&self) -> impl Iterator<Item = (Measure, i32)> {
        Measure::ALL.iter().copied().zip(self.0)
    }
}

/// The last pieces of a game are placed for points: positions count less and less.
const LAST_PIECES: u32 = 10;

/// A field and what matters beside it.
#[derive(Clone, Copy, Debug)]
pub struct Outlook {
    /// The field.
    pub field: Cells,
    /// The held piece.
    pub hold: Option<Piece>,
    /// Whether a back-to-back is on.
    pub back_to_back: bool,
    /// Clears in a row so far.
    pub combo: u32,
    /// Whether a T is among the pieces that are known to come, or left in the bag.
    pub t_soon: bool,
    /// Pieces left to place.
    pub pieces_left: u32,
}

impl Weights {
    /// What the field is worth.
    #[inline(never)]
    pub fn value(&self, outlook: &Outlook) -> i32 {
        if outlook.pieces_left == 0 {
            return 0;
        }
        let mut value = 0;
        outlook.measure(|measure, amount| value += self.0[measure as usize] * amount);
        if outlook.pieces_left < LAST_PIECES {
            value * outlook.pieces_left as i32 / LAST_PIECES as i32
        } else {
            value
        }
    }

    /// The parts of the value, as terms that add up to it, apart from rounding.
    pub fn terms(&self, outlook: &Outlook) -> Vec<Term> {
        let mut terms: Vec<Term> = Vec::new();
        let share = f64::from(outlook.pieces_left.min(LAST_PIECES)) / f64::from(LAST_PIECES);
        outlook.measure(|measure, amount| {
            let weight = share * f64::from(self.0[measure as usize]);
            if amount != 0 {
                terms.push(Term { label: measure.name().into(), value: amount.into(), weight });
            }
        });
        terms
    }
}

#[inline]
fn count(cells: Cells) -> i32 {
    cells.count_ones() as i32
}

/// The points of a T-spin by lines, in units of a hundredth of what it scores back-to-back or not.
const SPIN_POINTS: [i32; 4] = [0, 8, 12, 16];

impl Outlook {
    /// Calls `add` with everything that is measured. Costs are negative.
    #[inline]
    fn measure(&self, mut add: impl FnMut(Measure, i32)) {
        let field = self.field;
        let solid = solid(field);
        let holes = solid & !field;
        let height = (128 - field.leading_zeros() as i32 + COLUMNS as i32 - 1) / COLUMNS as i32;
        let wells = !solid & (solid << 1 | FIRST_COLUMN) & (solid >> 1 | LAST_COLUMN);
        add(Measure::Cells, count(field));
        add(Measure::Holes, -count(holes));
        add(Measure::Cover, -count(field & (holes << COLUMNS | holes << (2 * COLUMNS))));
        add(Measure::Steps, -count((solid ^ solid >> 1) & !LAST_COLUMN));
        add(Measure::Height, -(height - 6).max(0).pow(2));
        add(Measure::Transitions, -count((field ^ field >> 1) & !LAST_COLUMN));
        add(Measure::DeepWells, -count(wells & wells >> COLUMNS & wells >> (2 * COLUMNS)));
        add(Measure::BackToBack, i32::from(self.back_to_back));
        add(Measure::Combo, self.combo as i32);
        add(Measure::HeldT, i32::from(self.hold == Some(Piece::T)));
        add(Measure::HeldI, i32::from(self.hold == Some(Piece::I)));
        let (well, with_holes) = self.rows(solid, holes, height);
        add(Measure::WellRows, well.min(4));
        add(Measure::WholeWell, i32::from(well >= 4));
        add(Measure::RowsWithHoles, -with_holes);
        let slots = Slots::of(field, solid);
        add(Measure::UnfinishedSlot, slots.unfinished);
        if slots.best > 0 {
            let measure = match (slots.best == 3, self.hold == Some(Piece::T), self.t_soon) {
                (false, true, _) => Measure::SlotHeld,
                (false, false, true) => Measure::SlotSoon,
                (false, false, false) => Measure::Slot,
                (true, true, _) => Measure::TripleHeld,
                (true, false, true) => Measure::TripleSoon,
                (true, false, false) => Measure::Triple,
            };
            let points = |lines: u32| SPIN_POINTS[lines as usize] * if self.back_to_back { 3 } else { 2 } / 2;
            add(measure, points(slots.best));
            add(Measure::SecondSlot, points(slots.second));
        }
    }

    /// The most rows one above the other that lack only the same open cell, and the number of rows with holes.
    #[inline]
    fn rows(&self, solid: Cells, holes: Cells, height: i32) -> (i32, i32) {
        let (mut rows, mut solid, mut holes) = (self.field, solid, holes);
        let (mut ready, mut most, mut column, mut with_holes) = (0, 0, 0, 0);
        for _ in 0..height {
            let missing = !(rows as u64) & ROW as u64;
            with_holes += i32::from(holes as u64 & ROW as u64 != 0);
            if missing.is_power_of_two() && missing & solid as u64 == 0 {
                ready = if missing == column { ready + 1 } else { 1 };
                column = missing;
                most = most.max(ready);
            } else {
                (column, ready) = (0, 0);
            }
            rows >>= COLUMNS;
            solid >>= COLUMNS;
            holes >>= COLUMNS;
        }
        (most, with_holes)
    }
}

/// The T-slots of a field: where a T that spins in would clear lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Slots {
    /// The lines that a T would clear in the best slot.
    best: u32,
    /// The lines that it would clear in the second best.
    second: u32,
    /// How near an unfinished slot is to clearing all its rows: 5 less the cells missing, or 0.
    unfinished: i32,
}

const INNER_COLUMNS: Cells = ALL & !FIRST_COLUMN & !LAST_COLUMN;

impl Slots {
    /// Finds the usual slots, all at once: those that a T enters facing down, and those under a roof that take it upright, by
    /// the last kick.
    #[inline]
    fn of(field: Cells, solid: Cells) -> Slots {
        // Whether the cell at an offset of the centre is filled, or empty, for all centres.
        let (filled, empty) = (field, !field);
        let mut slots = Slots::default();
        let down = empty
            & empty << 1
            & empty >> 1
            & empty << 10
            & filled << 11
            & filled << 9
            & (filled >> 9 | filled >> 11)
            & !solid
            & !(solid << 1 & solid >> 1);
        for_each_row(down & INNER_COLUMNS & !ROW, |y| {
            slots.add(&[missing(field, y) - 3, missing(field, y - 1) - 1]);
        });
        let upright = empty & empty >> 10 & empty << 10 & empty >> 20 & filled >> 30 & !ROW;
        if upright != 0 {
            let nub_right = empty >> 1 & filled >> 11 & filled << 9 & !(solid >> 21) & !(solid >> 22);
            let nub_left = empty << 1 & filled >> 9 & filled << 11 & !(solid >> 19) & !(solid >> 18);
            let nub = nub_right & !LAST_COLUMN & !(LAST_COLUMN >> 1)
                | nub_left & !FIRST_COLUMN & !(FIRST_COLUMN << 1);
            for_each_row(upright & nub, |y| {
                slots.add(&[missing(field, y) - 2, missing(field, y - 1) - 1, missing(field, y + 1) - 1]);
            });
        }
        slots
    }

    /// Adds a slot, given the cells that are missing in each of its rows beside its own.
    #[inline]
    fn add(&mut self, missing: &[i32]) {
        let lines = missing.iter().filter(|missing| **missing == 0).count();
        if lines as u32 > self.best {
            (self.best, self.second) = (lines as u32, self.best);
        } else {
            self.second = self.second.max(lines as u32);
        }
        if lines < missing.len() {
            self.unfinished = self.unfinished.max(5 - missing.iter().sum::<i32>());
        }
    }
}

/// Calls `visit` with the row of each cell.
#[inline]
fn for_each_row(mut cells: Cells, mut visit: impl FnMut(usize)) {
    while cells != 0 {
        visit(cells.trailing_zeros() as usize / COLUMNS);
        cells &= cells - 1;
    }
}

/// The empty cells of a row.
#[inline]
fn missing(field: Cells, y: usize) -> i32 {
    count(!(field >> (y * COLUMNS)) & ROW)
}

#[cfg(test)]
mod tests {
    use super::super::field::{ROWS, of_board};
    use super::*;
    use tetrion_engine::board::Board;
    use tetrion_engine::location::Spin;
    use tetrion_engine::randomizer::Random;
    use tetrion_engine::ruleset::{Mode, Ruleset};

    fn outlook(field: Cells) -> Outlook {
        Outlook { field, hold: None, back_to_back: true, combo: 0, t_soon: false, pieces_left: 100 }
    }

    fn measured(outlook: &Outlook, wanted: Measure) -> i32 {
        let mut found = 0;
        outlook.measure(|measure, amount| found += if measure == wanted { amount } else { 0 });
        found
    }

    /// The T-slots of a drawn board, and the most lines that a real T-spin clears on it.
    fn slots(rows: &str) -> (Slots, u32) {
        let board: Board = rows.parse().unwrap();
        let rules = Ruleset::for_agents(Mode::Blitz);
        let placements =
            tetrion_engine::moves::generate(&board, rules.spawn(Piece::T, &board), rules.move_rules());
        let spins = placements.iter().filter(|placement| placement.spin() == Spin::Full);
        let lines = spins.map(|placement| board.after(placement).1.count_ones()).max().unwrap_or(0);
        let field = of_board(&board).unwrap();
        (Slots::of(field, solid(field)), lines)
    }

    #[test]
    fn a_double_is_found_on_both_sides_and_not_if_it_is_closed() {
        for rows in ["##........\n#...######\n##.#######", "........##\n######...#\n#######.##"] {
            let (slots, lines) = slots(rows);
            assert_eq!((slots.best, lines), (2, 2), "{rows}");
        }
        let (closed, lines) = slots("####......\n#...######\n##.#######");
        assert_eq!((closed.best, lines), (0, 0));
    }

    #[test]
    fn a_triple_is_found_on_both_sides() {
        for rows in [
            "#.........\n..........\n.#########\n..########\n.#########",
            ".........#\n..........\n#########.\n########..\n#########.",
        ] {
            let (slots, lines) = slots(rows);
            assert_eq!((slots.best, lines), (3, 3), "{rows}");
        }
    }

    #[test]
    fn an_unfinished_slot_counts_the_cells_that_are_missing() {
        let (slots, _) = slots("##........\n#...####..\n##.#######");
        assert_eq!((slots.best, slots.unfinished), (1, 3));
    }

    /// The patterns see only the cells around a slot, so on rough boards a few slots can't be entered.
    #[test]
    fn nearly_every_slot_that_is_promised_is_there() {
        let mut random = Random::new(3);
        let (mut promised, mut real) = (0, 0);
        for _ in 0..5_000 {
            // The lower rows of a double or of a triple, with anything above.
            let gap = 1 + random.below(8);
            let (one, two, three) = (1 << gap, 0b11 << gap, 0b111 << (gap - 1));
            let lower = if random.below(2) == 0 { [one, three, random.below(1024)] } else { [one, two, one] };
            let anything = [random.below(1024), random.below(1024)];
            let rows = [lower.map(|gaps| 1023 & !gaps).as_slice(), &anything].concat();
            let text: Vec<String> = rows
                .iter()
                .rev()
                .map(|row| (0..10).map(|x| if row >> x & 1 == 1 { '#' } else { '.' }).collect())
                .collect();
            if rows.contains(&1023) {
                continue;
            }
            let (slots, lines) = slots(&text.join("\n"));
            promised += u32::from(slots.best > 0);
            real += u32::from(slots.best > 0 && slots.best <= lines);
        }
        assert!(promised > 100 && real * 100 >= promised * 90, "{real} of {promised} are real");
    }

    #[test]
    fn measures_are_those_of_plain_counting() {
        let mut random = Random::new(2);
        for _ in 0..500 {
            let field = (u128::from(random.below(u64::MAX)) << 40 | u128::from(random.below(1 << 40)))
                & ((1 << 90) - 1);
            let filled = |x: usize, y: usize| field >> (x + COLUMNS * y) & 1 == 1;
            let height = |x: usize| (0..ROWS).rev().find(|y| filled(x, *y)).map_or(0, |y| y as i32 + 1);
            let holes: i32 =
                (0..COLUMNS).map(|x| (0..height(x) as usize).filter(|y| !filled(x, *y)).count() as i32).sum();
            let steps: i32 = (1..COLUMNS).map(|x| (height(x) - height(x - 1)).abs()).sum();
            let tallest = (0..COLUMNS).map(height).max().unwrap_or(0);
            let outlook = outlook(field);
            assert_eq!(measured(&outlook, Measure::Holes), -holes);
            assert_eq!(measured(&outlook, Measure::Steps), -steps);
            assert_eq!(measured(&outlook, Measure::Height), -(tallest - 6).max(0).pow(2));
            assert_eq!(measured(&outlook, Measure::Cells), field.count_ones() as i32);
        }
    }

    #[test]
    fn a_well_counts_the_rows_that_lack_only_its_cell() {
        let board: Board = "####.####.\n#########.\n#########.\n#########.".parse().unwrap();
        assert_eq!(measured(&outlook(of_board(&board).unwrap()), Measure::WellRows), 3);
        let covered: Board = "#########.\n.........#\n#########.".parse().unwrap();
        assert_eq!(measured(&outlook(of_board(&covered).unwrap()), Measure::WellRows), 1);
    }

    #[test]
    fn terms_add_up_to_the_value_and_the_last_pieces_count_only_points() {
        let weights = Weights::new(Measure::ALL.iter().map(|measure| (*measure, 10 + *measure as i32)));
        let field = of_board(&"##........\n#...######\n##.#######".parse().unwrap()).unwrap();
        for pieces_left in [0, 3, 9, 10, 300] {
            let outlook = Outlook { pieces_left, hold: Some(Piece::T), ..outlook(field) };
            let sum: f64 = weights.terms(&outlook).iter().map(Term::contribution).sum();
            assert!((sum - f64::from(weights.value(&outlook))).abs() < 1.0, "{pieces_left}");
        }
        assert_eq!(weights.value(&Outlook { pieces_left: 0, ..outlook(field) }), 0);
    }

    #[test]
    fn weights_have_an_end_and_measures_without_one_have_none() {
        let weights = Weights::new([(Measure::Combo, i32::MIN), (Measure::Holes, 7)]);
        let given: Vec<_> = weights.iter().filter(|(_, weight)| *weight != 0).collect();
        assert_eq!(given, [(Measure::Holes, 7), (Measure::Combo, -Weights::MAX)]);
    }
}
