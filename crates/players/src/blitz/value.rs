//! What a field is worth: the points that it promises.
//!
//! The value of a field is a sum of table entries. Each [`Aspect`] is a table, and looks at one side of the field: its rows, its
//! surface, its T-slots. The entries are learned (`learn`). [`Weights`] scale the tables of an agent.

use super::field::{COLUMNS, Cells, FULL_ROW, height, row, solid};
use super::layer::Incoming;
use super::perfect_clear;
use super::slots::{Slots, open_slot};
use super::tables::Tables;
use crate::evaluator::Term;
use std::fmt;
use std::str::FromStr;
use tetrion_engine::piece::Piece;
use tetrion_engine::randomizer::Bag;

/// The most rows that a field has in any game.
const MOST_ROWS: usize = 24;

macro_rules! aspects {
    ($($aspect:ident $name:literal $entries:expr, $brief:literal, $about:literal)+) => {
        /// A side of a field that is looked at.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Aspect {
            $(#[doc = $about] $aspect),+
        }

        impl Aspect {
            /// All aspects.
            pub const ALL: &[Aspect] = &[$(Aspect::$aspect),+];

            /// Its name in files.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Aspect::$aspect => $name),+
                }
            }

            /// What it is, in a few words.
            pub const fn brief(self) -> &'static str {
                match self {
                    $(Aspect::$aspect => $brief),+
                }
            }

            /// The number of entries in its table.
            pub const fn entries(self) -> usize {
                match self {
                    $(Aspect::$aspect => $entries),+
                }
            }
        }
    };
}

aspects! {
    Holes "holes" 1, "Empty cells below a filled one", "Empty cells below a filled one."
    Cover "cover" 1, "Filled cells above holes", "Filled cells in the two rows above a hole."
    Height "height" MOST_ROWS + 1, "How high the stack is", "The rows of the stack."
    Hold "hold" 8, "What the held piece is worth", "The held piece."
    BackToBack "back_to_back" 2 * Arrival::COUNT, "Whether back-to-back is on", "Whether a back-to-back is on, and when a T comes."
    Combo "combo" 2, "Clears in a row", "Whether the last piece cleared lines, and how many clears in a row came before it."
    Well "well" 5 * Arrival::COUNT, "Rows that an I in the well would clear", "Rows one above the other that lack only the same open cell, and when an I comes."
    Slot "slot" 6 * Arrival::COUNT, "A T-slot that clears lines", "The lines that a T would clear in the best T-slot, with or without back-to-back, and when it comes."
    UnfinishedSlot "unfinished_slot" 5 * Arrival::COUNT, "A T-slot whose rows still lack cells", "How near a T-slot is to clearing all its rows, and when a T comes."
    OpenSlot "open_slot" 5 * Arrival::COUNT, "A T-slot that still lacks its roof", "How near a T-slot without a roof is to clearing both rows, and when a T comes."
    PerfectClear "perfect_clear" perfect_clear::MOST_PIECES * Arrival::COUNT, "Four rows that a tetris could clear to an empty board", "The pieces that would fill four rows so that a tetris leaves an empty board, and when an I comes."
    Surface "surface" 125, "How well pieces fit on the surface", "The steps between four neighbouring columns, everywhere along the surface."
    Walls "walls" 7, "Steps beside the walls", "The steps beside both walls."
    Rows "rows" 1 << COLUMNS, "How the rows are filled", "Which cells of a row are filled, for each row."
    RowPairs "row_pairs" 1 << COLUMNS, "How each row fits on the one below", "Which cells of two rows are filled, for both halves of each row and the one below it."
    Waiting "waiting" Incoming::MOST as usize + 1, "Rows of garbage that wait", "In versus: the rows of garbage that wait."
    Unseen "unseen" Incoming::MOST as usize + 1, "Rows of garbage that rise on the way", "In versus: the rows of garbage that rise before this field, with holes that nobody knows yet."
    Buried "buried" MOST_ROWS + 1, "Rows with a covered cell", "In versus: the rows that have a hole."
    Depth "depth" 9, "Cells above the highest hole", "In versus: the filled cells above the highest hole."
}

impl Aspect {
    /// The index of the first entry of its table when all tables follow one another.
    pub const fn start(self) -> usize {
        let (mut start, mut at) = (0, 0);
        while at < self as usize {
            start += Aspect::ALL[at].entries();
            at += 1;
        }
        start
    }
}

/// The entries of all tables.
pub const ENTRIES: usize = Aspect::Depth.start() + Aspect::Depth.entries();

impl fmt::Display for Aspect {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// There is no aspect with this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no aspect '{0}': choose from {list}", list = Aspect::ALL.iter().map(|aspect| aspect.name()).collect::<Vec<_>>().join(", "))]
pub struct UnknownAspect(pub String);

impl FromStr for Aspect {
    type Err = UnknownAspect;

    fn from_str(name: &str) -> Result<Aspect, UnknownAspect> {
        let known = Aspect::ALL.iter().find(|aspect| aspect.name() == name);
        known.copied().ok_or_else(|| UnknownAspect(name.to_owned()))
    }
}

/// How much each aspect counts, in percent of its learned table.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights([i32; Aspect::ALL.len()]);

impl Weights {
    /// The largest weight, and the smallest below 0. Values of fields stay far within their type.
    pub const MAX: i32 = 1_000;

    /// These weights, cut off at [`Weights::MAX`]. Measures without a weight have 0.
    pub fn new(weights: impl IntoIterator<Item = (Aspect, i32)>) -> Weights {
        let mut all = [0; Aspect::ALL.len()];
        weights
            .into_iter()
            .for_each(|(aspect, weight)| all[aspect as usize] = weight.clamp(-Self::MAX, Self::MAX));
        Weights(all)
    }

    /// The weight of every aspect.
    pub fn iter(&self) -> impl Iterator<Item = (Aspect, i32)> {
        Aspect::ALL.iter().copied().zip(self.0)
    }

    /// Every table as it was learned.
    pub fn learned() -> Weights {
        Weights([100; Aspect::ALL.len()])
    }
}

/// When a piece comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// It is in hold.
    Held,
    /// It is known to come, or one of the last three pieces in the bag.
    Soon,
    /// It is in the bag.
    InBag,
    /// It comes with the next bag, which starts after at most three pieces.
    NextBag,
    /// It comes later.
    Late,
}

impl Arrival {
    /// The number of variants.
    pub const COUNT: usize = 5;

    /// When a piece comes that is not held, after these known pieces and with this bag after them.
    pub fn of(piece: Piece, known: &[Piece], bag: Bag) -> Arrival {
        match (known.contains(&piece) || bag.contains(piece), bag.len() <= 3) {
            (true, _) if known.contains(&piece) => Arrival::Soon,
            (true, true) => Arrival::Soon,
            (true, false) => Arrival::InBag,
            (false, true) => Arrival::NextBag,
            (false, false) => Arrival::Late,
        }
    }
}

/// The last pieces of a game are placed for points: positions count less and less.
const LAST_PIECES: i32 = 10;

/// A field and what matters beside it.
#[derive(Clone, Copy, Debug)]
pub struct Outlook<C> {
    /// The field.
    pub field: C,
    /// The held piece.
    pub hold: Option<Piece>,
    /// Whether a back-to-back is on.
    pub back_to_back: bool,
    /// Clears in a row so far.
    pub combo: u32,
    /// When a T comes, if none is held.
    pub next_t: Arrival,
    /// When an I comes, if none is held.
    pub next_i: Arrival,
    /// Pieces left to place.
    pub pieces_left: u32,
    /// Garbage on its way.
    pub garbage: Incoming,
}

impl<C: Cells> Outlook<C> {
    fn arrival_of_t(&self) -> usize {
        if self.hold == Some(Piece::T) { Arrival::Held as usize } else { self.next_t as usize }
    }

    fn arrival_of_i(&self) -> usize {
        if self.hold == Some(Piece::I) { Arrival::Held as usize } else { self.next_i as usize }
    }

    /// What is left of a value, for the number of pieces left.
    pub fn fade(&self, value: i32) -> i32 {
        if self.pieces_left < LAST_PIECES as u32 {
            value * self.pieces_left as i32 / LAST_PIECES
        } else {
            value
        }
    }

    /// Calls `add` with everything that is measured except the rows and the surface: the aspect, the entry of its table, and
    /// how often it counts.
    #[inline]
    fn measure_most(&self, solid: C, well: usize, mut add: impl FnMut(Aspect, usize, i32)) {
        let field = self.field;
        let holes = solid & !field;
        let (t, i) = (self.arrival_of_t(), self.arrival_of_i());
        let back_to_back = usize::from(self.back_to_back);
        add(Aspect::Holes, 0, count(holes));
        add(Aspect::Cover, 0, count(field & (holes << COLUMNS | holes << (2 * COLUMNS))));
        add(Aspect::Height, (height(field) + self.garbage.floor as usize).min(C::ROWS), 1);
        add(Aspect::Hold, self.hold.map_or(7, |piece| piece as usize), 1);
        add(Aspect::BackToBack, back_to_back * Arrival::COUNT + t, 1);
        add(Aspect::Combo, 0, i32::from(self.combo > 0));
        add(Aspect::Combo, 1, self.combo.clamp(1, 6) as i32 - 1);
        if well > 0 {
            add(Aspect::Well, (well.min(5) - 1) * Arrival::COUNT + i, 1);
        }
        let slots = Slots::of(field, solid);
        if slots.best > 0 {
            add(Aspect::Slot, ((slots.best - 1) * 2 + back_to_back) * Arrival::COUNT + t, 1);
        }
        if slots.unfinished > 0 {
            add(Aspect::UnfinishedSlot, (slots.unfinished - 1) * Arrival::COUNT + t, 1);
        }
        if let Some(pieces) = perfect_clear::pieces_missing(field, solid) {
            add(Aspect::PerfectClear, (pieces - 1) * Arrival::COUNT + i, 1);
        }
        if let Some(lacking) = open_slot(field, solid) {
            add(Aspect::OpenSlot, lacking.min(4) * Arrival::COUNT + t, 1);
        }
        if C::HAVE_GARBAGE {
            let Incoming { waiting, floor } = self.garbage;
            add(Aspect::Waiting, waiting as usize, 1);
            add(Aspect::Unseen, floor as usize, 1);
            add(Aspect::Buried, rows_of(holes), 1);
            if let Some(highest) = holes.end().checked_sub(1) {
                let above = count(C::FIRST_COLUMN << highest & field) as usize;
                add(Aspect::Depth, above.min(Aspect::Depth.entries() - 1), 1);
            }
        }
    }

    /// Calls `add` with everything that is measured: the aspect, the entry of its table, and how often it counts. This is the
    /// obvious version of [`Value`].
    #[inline]
    pub fn measure(&self, mut add: impl FnMut(Aspect, usize, i32)) {
        let solid = solid(self.field);
        let rows: Vec<usize> =
            (0..=C::ROWS).map(|y| if y < C::ROWS { row(self.field, y) } else { 0 }).collect();
        let mut below = FULL_ROW;
        for &row in &rows[..=height(self.field)] {
            add(Aspect::RowPairs, (below & HALF) | (row & HALF) << 5, 1);
            add(Aspect::RowPairs, mirrored(below) & HALF | (mirrored(row) & HALF) << 5, 1);
            below = row;
        }
        let filled = &rows[..height(self.field)];
        filled.iter().for_each(|row| add(Aspect::Rows, (*row).min(mirrored(*row)), 1));
        let steps = steps(solid);
        steps
            .windows(3)
            .for_each(|steps| add(Aspect::Surface, surface_entry([steps[0], steps[1], steps[2]]), 1));
        add(Aspect::Walls, wall_entry(steps[0]), 1);
        add(Aspect::Walls, wall_entry(-steps[COLUMNS - 2]), 1);
        self.measure_most(solid, well_rows(filled, solid), add);
    }
}

/// How many rows have any of the cells.
#[inline]
fn rows_of<C: Cells>(mut cells: C) -> usize {
    let mut rows = 0;
    while cells != C::NONE {
        let y = cells.lowest() / COLUMNS;
        cells &= !(C::ROW << (y * COLUMNS));
        rows += 1;
    }
    rows
}

/// The left half of a row.
const HALF: usize = (1 << (COLUMNS / 2)) - 1;

/// A row seen from the other side.
#[inline]
fn mirrored(row: usize) -> usize {
    static MIRRORED: [u16; 1 << COLUMNS] = {
        let (mut rows, mut row) = ([0; 1 << COLUMNS], 0);
        while row < rows.len() {
            rows[row] = (row as u16).reverse_bits() >> (16 - COLUMNS);
            row += 1;
        }
        rows
    };
    MIRRORED[row].into()
}

/// The steps of the surface from column to column.
#[inline]
fn steps<C: Cells>(solid: C) -> [i32; COLUMNS - 1] {
    let heights: [i32; COLUMNS] = std::array::from_fn(|x| count(solid & C::FIRST_COLUMN << x));
    std::array::from_fn(|x| heights[x + 1] - heights[x])
}

/// Higher steps count as this one.
const MAX_STEP: i32 = 2;
/// And this one beside a wall.
const MAX_WALL_STEP: i32 = 3;

/// The entry of three steps. A surface and its mirror image have the same entries.
#[inline]
fn surface_entry([one, two, three]: [i32; 3]) -> usize {
    let digit = |step: i32| step.clamp(-MAX_STEP, MAX_STEP);
    let (one, two, three) = (digit(one), digit(two), digit(three));
    let entry = |one: i32, two: i32, three: i32| (one * 25 + two * 5 + three + 31 * MAX_STEP) as usize;
    entry(one, two, three).min(entry(-three, -two, -one))
}

/// The entry of the step from a wall's column to the next.
#[inline]
fn wall_entry(step: i32) -> usize {
    (step.clamp(-MAX_WALL_STEP, MAX_WALL_STEP) + MAX_WALL_STEP) as usize
}

/// The most rows one above the other that lack only the same open cell.
pub(super) fn well_rows<C: Cells>(rows: &[usize], solid: C) -> usize {
    let (mut ready, mut most, mut column) = (0, 0, 0);
    for (y, cells) in rows.iter().enumerate() {
        let missing = FULL_ROW & !cells;
        if missing.is_power_of_two() && row(solid, y) & missing == 0 {
            ready = if missing == column { ready + 1 } else { 1 };
            column = missing;
            most = most.max(ready);
        } else {
            (ready, column) = (0, 0);
        }
    }
    most
}

/// Says what fields are worth to a search.
pub trait Judge<C>: Send + Sync {
    /// What a field is worth, in points.
    fn worth(&self, outlook: &Outlook<C>) -> i32;

    /// The same, except that anything below `floor` is as good as any other: a judge may then answer sooner.
    #[inline]
    fn worth_from(&self, outlook: &Outlook<C>, _floor: i32) -> i32 {
        self.worth(outlook)
    }

    /// The parts of what it is worth, as terms that add up to it, apart from rounding.
    fn terms(&self, outlook: &Outlook<C>) -> Vec<Term> {
        vec![Term::new("worth", self.worth(outlook).into(), 1.0)]
    }
}

/// What fields are worth to an agent: the learned tables, weighted, and laid out for speed.
pub struct Value {
    entries: [i32; ENTRIES],
    /// The surface from column 0 to 6, and from column 4 to 9: the sum of their entries by their steps.
    left_surface: Vec<i16>,
    right_surface: Vec<i16>,
    /// Both halves of a row and the one below it, where the right half is not mirrored.
    right_pairs: Vec<i16>,
}

const LEFT_STEPS: usize = 6;
const RIGHT_STEPS: usize = 5;

impl Value {
    /// The learned tables with these weights.
    pub fn new(tables: &Tables, weights: &Weights) -> Value {
        let mut entries = tables.entries();
        for (aspect, weight) in weights.iter() {
            for entry in &mut entries[aspect.start()..][..aspect.entries()] {
                *entry = *entry * weight / 100;
            }
        }
        // Every row is looked up as it is.
        for row in 0..Aspect::Rows.entries() {
            entries[Aspect::Rows.start() + row] = entries[Aspect::Rows.start() + row.min(mirrored(row))];
        }
        let surface = |count: usize, steps: usize| -> Vec<i16> {
            let step = |number: usize, at: usize| {
                (number / 5usize.pow((steps - 1 - at) as u32) % 5) as i32 - MAX_STEP
            };
            let entry =
                |number, at| surface_entry([step(number, at), step(number, at + 1), step(number, at + 2)]);
            let sum =
                |number| (0..count).map(|at| entries[Aspect::Surface.start() + entry(number, at)]).sum();
            (0..5usize.pow(steps as u32)).map(|number| saturating(sum(number))).collect()
        };
        let pair = |rows: usize| mirrored(rows & HALF) >> 5 | mirrored(rows >> 5);
        let right_pairs = (0..Aspect::RowPairs.entries())
            .map(|rows| saturating(entries[Aspect::RowPairs.start() + (pair(rows) & FULL_ROW)]));
        Value {
            left_surface: surface(4, LEFT_STEPS),
            right_surface: surface(3, RIGHT_STEPS),
            right_pairs: right_pairs.collect(),
            entries,
        }
    }

    #[inline]
    fn entry(&self, aspect: Aspect, at: usize) -> i32 {
        self.entries[aspect.start() + at]
    }

    /// What the rows are worth, and the most rows one above the other that lack only the same open cell.
    #[inline]
    fn rows<C: Cells>(&self, field: C, solid: C) -> (i32, usize) {
        let (mut rest, mut rest_solid) = (field, solid);
        let (mut ready, mut most, mut column) = (0, 0, 0);
        let (mut value, mut below) = (0, FULL_ROW);
        let pairs = |below: usize, row: usize| {
            let left = below & HALF | (row & HALF) << 5;
            let right = below >> 5 | row & !HALF;
            self.entry(Aspect::RowPairs, left) + i32::from(self.right_pairs[right])
        };
        for _ in 0..height(field) {
            let row = rest.low() as usize & FULL_ROW;
            value += self.entry(Aspect::Rows, row) + pairs(below, row);
            let missing = FULL_ROW & !row;
            if missing & (missing - 1) == 0 && missing & rest_solid.low() as usize == 0 {
                ready = if missing == column { ready + 1 } else { 1 };
                column = missing;
                most = most.max(ready);
            } else {
                (ready, column) = (0, 0);
            }
            below = row;
            rest = rest >> COLUMNS;
            rest_solid = rest_solid >> COLUMNS;
        }
        (value + pairs(below, 0), most)
    }

    /// What the surface is worth.
    #[inline]
    fn surface<C: Cells>(&self, solid: C) -> i32 {
        let steps = steps(solid);
        let number = |steps: &[i32]| {
            steps
                .iter()
                .fold(0, |number, step| number * 5 + (step.clamp(&-MAX_STEP, &MAX_STEP) + MAX_STEP) as usize)
        };
        i32::from(self.left_surface[number(&steps[..LEFT_STEPS])])
            + i32::from(self.right_surface[number(&steps[COLUMNS - 1 - RIGHT_STEPS..])])
            + self.entry(Aspect::Walls, wall_entry(steps[0]))
            + self.entry(Aspect::Walls, wall_entry(-steps[COLUMNS - 2]))
    }
}

impl<C: Cells> Judge<C> for Value {
    #[inline(never)]
    fn worth(&self, outlook: &Outlook<C>) -> i32 {
        if outlook.pieces_left == 0 {
            return 0;
        }
        let solid = solid(outlook.field);
        let (rows_value, well) = self.rows(outlook.field, solid);
        let mut value = rows_value + self.surface(solid);
        outlook.measure_most(solid, well, |aspect, at, times| value += self.entry(aspect, at) * times);
        outlook.fade(value)
    }

    fn terms(&self, outlook: &Outlook<C>) -> Vec<Term> {
        let mut points = [0; Aspect::ALL.len()];
        outlook.measure(|aspect, at, times| points[aspect as usize] += self.entry(aspect, at) * times);
        let share = f64::from(outlook.pieces_left.min(LAST_PIECES as u32)) / f64::from(LAST_PIECES);
        let terms = Aspect::ALL.iter().zip(points).filter(|(_, points)| *points != 0 && share > 0.0);
        terms
            .map(|(aspect, points)| Term {
                brief: aspect.brief(),
                cells: aspect.cells(outlook.field),
                ..Term::new(aspect.name(), points.into(), share)
            })
            .collect()
    }
}

fn saturating(value: i32) -> i16 {
    value.clamp(i16::MIN.into(), i16::MAX.into()) as i16
}

#[inline]
fn count<C: Cells>(cells: C) -> i32 {
    cells.count() as i32
}

#[cfg(test)]
mod tests {
    use super::super::field::of_board;
    use super::*;
    use tetrion_engine::board::Board;
    use tetrion_engine::randomizer::Random;

    fn outlook(field: u128) -> Outlook<u128> {
        Outlook {
            field,
            hold: None,
            back_to_back: true,
            combo: 0,
            next_t: Arrival::InBag,
            next_i: Arrival::Late,
            pieces_left: 100,
            garbage: Incoming::default(),
        }
    }

    fn field_of(rows: &str) -> u128 {
        of_board(&rows.parse::<Board>().unwrap()).unwrap()
    }

    /// The entries of a aspect, each with how often it counts.
    fn measured(field: u128, wanted: Aspect) -> Vec<(usize, i32)> {
        let mut found = Vec::new();
        outlook(field).measure(|aspect, at, times| {
            if aspect == wanted && times != 0 {
                found.push((at, times));
            }
        });
        found
    }

    /// Random fields and what matters beside them.
    fn random_outlooks() -> impl Iterator<Item = Outlook<u128>> {
        let rows_of_field = u128::ROWS;
        let mut random = Random::new(2);
        (0..2_000).map(move |round| {
            let (low, high) = (random.below(u64::MAX), random.below(u64::MAX));
            // Mostly filled, so that there are holes, wells and slots, but no full rows.
            let cells = u128::from(low | high) | u128::from(high | random.below(u64::MAX)) << 64;
            let gaps =
                (0..rows_of_field).fold(0, |gaps, y| gaps | 1 << (y * COLUMNS + random.below(10) as usize));
            let rows = random.below(rows_of_field as u64 + 1) as usize;
            let arrivals = [Arrival::Soon, Arrival::InBag, Arrival::NextBag, Arrival::Late];
            Outlook {
                field: cells & !gaps & ((1 << (rows * COLUMNS)) - 1),
                hold: Piece::ALL.get(random.below(8) as usize).copied(),
                back_to_back: round % 2 == 0,
                combo: random.below(9) as u32,
                next_t: arrivals[random.below(4) as usize],
                next_i: arrivals[random.below(4) as usize],
                pieces_left: random.below(20) as u32,
                garbage: Incoming::default(),
            }
        })
    }

    #[test]
    fn the_value_is_the_sum_of_the_entries_that_are_looked_up() {
        // Tables in which every entry is different.
        let mut random = Random::new(9);
        let tables = Tables::new(std::array::from_fn(|_| random.below(2_000) as i32 - 1_000));
        let weights =
            Weights::new(Aspect::ALL.iter().enumerate().map(|(at, aspect)| (*aspect, 60 + 10 * at as i32)));
        let value = Value::new(&tables, &weights);
        for outlook in random_outlooks() {
            let mut sum = 0;
            outlook.measure(|aspect, at, times| {
                let (_, weight) = weights.iter().find(|(weighted, _)| *weighted == aspect).unwrap();
                sum += tables.entries()[aspect.start() + at] * weight / 100 * times;
            });
            let share = outlook.pieces_left.min(10) as i32;
            assert_eq!(value.worth(&outlook), sum * share / 10, "{outlook:?}");
            let terms: f64 = value.terms(&outlook).iter().map(Term::contribution).sum();
            assert!((terms - f64::from(value.worth(&outlook))).abs() < 1.0, "{outlook:?}");
        }
    }

    #[test]
    fn mirrored_fields_are_worth_the_same() {
        let value = Value::new(Tables::learned(), &Weights::learned());
        let rows = "##........\n#...######\n##.#######";
        let mirrored: Vec<String> = rows.lines().map(|row| row.chars().rev().collect()).collect();
        assert_eq!(
            value.worth(&outlook(field_of(rows))),
            value.worth(&outlook(field_of(&mirrored.join("\n"))))
        );
    }

    #[test]
    fn measures_are_those_of_plain_counting() {
        for outlook in random_outlooks() {
            let field = outlook.field;
            let filled = |x: usize, y: usize| field >> (x + COLUMNS * y) & 1 == 1;
            let height = |x: usize| (0..u128::ROWS).rev().find(|y| filled(x, *y)).map_or(0, |y| y + 1);
            let holes: usize = (0..COLUMNS).map(|x| (0..height(x)).filter(|y| !filled(x, *y)).count()).sum();
            let tallest = (0..COLUMNS).map(height).max().unwrap();
            let times =
                |aspect| measured(field, aspect).iter().map(|(_, times)| *times as usize).sum::<usize>();
            assert_eq!(times(Aspect::Holes), holes);
            assert_eq!(measured(field, Aspect::Height), [(tallest, 1)]);
            assert_eq!(times(Aspect::Rows), tallest);
            assert_eq!(times(Aspect::RowPairs), 2 * (tallest + 1));
            assert_eq!(times(Aspect::Surface), COLUMNS - 3);
        }
    }

    #[test]
    fn a_well_counts_the_rows_that_lack_only_its_cell() {
        let late = Arrival::Late as usize;
        let three = field_of("####.####.\n#########.\n#########.\n#########.");
        assert_eq!(measured(three, Aspect::Well), [(2 * Arrival::COUNT + late, 1)]);
        let covered = field_of("#########.\n.........#\n#########.");
        assert_eq!(measured(covered, Aspect::Well), [(late, 1)]);
    }

    #[test]
    fn pieces_come_when_the_queue_and_the_bag_say() {
        let bag = |pieces: &[Piece]| {
            Piece::ALL
                .iter()
                .filter(|piece| !pieces.contains(piece))
                .fold(Bag::FULL, |bag, piece| bag.without(*piece))
        };
        use Piece::{I, J, L, O, S, T};
        assert_eq!(Arrival::of(T, &[I, T], bag(&[])), Arrival::Soon);
        assert_eq!(Arrival::of(T, &[I], bag(&[T, O, S])), Arrival::Soon);
        assert_eq!(Arrival::of(T, &[I], bag(&[T, O, S, L])), Arrival::InBag);
        assert_eq!(Arrival::of(T, &[I], bag(&[O, S])), Arrival::NextBag);
        assert_eq!(Arrival::of(T, &[I], bag(&[J, O, S, L])), Arrival::Late);
    }
}
