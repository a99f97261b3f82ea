//! The cells of a field that an aspect is about, so that an explanation can point at them.

use super::field::{COLUMNS, Cells, FULL_ROW, height, row, solid};
use super::perfect_clear::FOUR_ROWS;
use super::slots::{missing, open_slots, slots_facing_down, slots_upright};
use super::value::Aspect;
use crate::subject::Cell;

impl Aspect {
    /// The cells that it is about; none if it is about all of them, or about other things.
    pub fn cells<C: Cells>(self, field: C) -> Vec<Cell> {
        let solid = solid(field);
        let holes = solid & !field;
        let cells = match self {
            Aspect::Holes => holes,
            Aspect::Cover => field & (holes << COLUMNS | holes << (2 * COLUMNS)),
            Aspect::Height => C::ROW << (COLUMNS * height(field).saturating_sub(1)) & field,
            Aspect::Well => well(field, solid),
            Aspect::Slot => best(&roofed_slots(field, solid), |slot| slot.lines()),
            Aspect::UnfinishedSlot => {
                let unfinished = |slot: &&Slot<C>| slot.lines() < slot.missing.len();
                let slots: Vec<Slot<C>> =
                    roofed_slots(field, solid).iter().filter(unfinished).cloned().collect();
                best(&slots, |slot| 5 - slot.missing.iter().sum::<i32>())
            }
            Aspect::OpenSlot => {
                let slots: Vec<Slot<C>> =
                    bits(open_slots(field, solid)).map(|at| Slot::down(field, at)).collect();
                best(&slots, |slot| -slot.missing.iter().sum::<i32>())
            }
            Aspect::PerfectClear => C::from_low(FOUR_ROWS) & !field,
            Aspect::Surface => surface(solid),
            Aspect::Walls => {
                let beside_walls =
                    C::FIRST_COLUMN | C::FIRST_COLUMN << 1 | C::LAST_COLUMN | C::LAST_COLUMN >> 1;
                surface(solid) & beside_walls
            }
            Aspect::Buried => rows_with(field, |y| row(holes, y) != 0),
            Aspect::Depth => above_highest(field, holes),
            Aspect::Hold
            | Aspect::BackToBack
            | Aspect::Combo
            | Aspect::Rows
            | Aspect::RowPairs
            | Aspect::Waiting
            | Aspect::Unseen => C::NONE,
        };
        bits(cells & C::ALL).map(|at| ((at % COLUMNS) as i32, (at / COLUMNS) as i32)).collect()
    }
}

/// A T-slot: the cells of the T, and the cells that its rows lack beside them.
#[derive(Clone)]
struct Slot<C> {
    cells: C,
    missing: Vec<i32>,
}

impl<C: Cells> Slot<C> {
    /// That of a T facing down, with its centre at this bit.
    fn down(field: C, at: usize) -> Slot<C> {
        let y = at / COLUMNS;
        let cells = C::from_low(0b111 << COLUMNS | 0b10) << (at - COLUMNS - 1);
        Slot { cells, missing: vec![missing(field, y) - 3, missing(field, y - 1) - 1] }
    }

    /// That of an upright T, with its centre at this bit and its nub at another.
    fn upright(field: C, at: usize, nub: usize) -> Slot<C> {
        let y = at / COLUMNS;
        let cells = C::cell(at) | C::cell(nub) | C::cell(at - COLUMNS) | C::cell(at + COLUMNS);
        let missing = vec![missing(field, y) - 2, missing(field, y - 1) - 1, missing(field, y + 1) - 1];
        Slot { cells, missing }
    }

    /// The lines that a T would clear.
    fn lines(&self) -> usize {
        self.missing.iter().filter(|missing| **missing == 0).count()
    }
}

/// All T-slots with a roof.
fn roofed_slots<C: Cells>(field: C, solid: C) -> Vec<Slot<C>> {
    let down = bits(slots_facing_down(field, solid)).map(|at| Slot::down(field, at));
    let [right, left] = slots_upright(field, solid);
    let right = bits(right).map(|at| Slot::upright(field, at, at + 1));
    let left = bits(left).map(|at| Slot::upright(field, at, at - 1));
    down.chain(right).chain(left).collect()
}

/// The cells of the best slots.
fn best<C: Cells, K: Ord>(slots: &[Slot<C>], by: impl Fn(&Slot<C>) -> K) -> C {
    let most = slots.iter().map(&by).max();
    slots.iter().filter(|slot| Some(by(slot)) == most).fold(C::NONE, |cells, slot| cells | slot.cells)
}

/// The open cells that the most rows one above the other lack alone.
fn well<C: Cells>(field: C, solid: C) -> C {
    let (mut run, mut longest) = (C::NONE, C::NONE);
    let mut column = 0;
    for y in 0..height(field) {
        let lacking = FULL_ROW & !row(field, y);
        let ready = lacking.is_power_of_two() && row(solid, y) & lacking == 0;
        run = match ready {
            true if lacking == column => run,
            _ => C::NONE,
        };
        column = if ready { lacking } else { 0 };
        run |= C::from_low(column as u64) << (y * COLUMNS);
        if run.count() > longest.count() {
            longest = run;
        }
    }
    longest
}

/// The rows for which something holds.
fn rows_with<C: Cells>(field: C, holds: impl Fn(usize) -> bool) -> C {
    (0..height(field)).filter(|y| holds(*y)).fold(C::NONE, |rows, y| rows | field & C::ROW << (y * COLUMNS))
}

/// The cells above the highest hole.
fn above_highest<C: Cells>(field: C, holes: C) -> C {
    holes.end().checked_sub(1).map_or(C::NONE, |at| C::FIRST_COLUMN << at & field)
}

/// The highest cell of each column.
fn surface<C: Cells>(solid: C) -> C {
    solid & !(solid >> COLUMNS)
}

/// The numbers of the bits that are set.
fn bits<C: Cells>(cells: C) -> impl Iterator<Item = usize> {
    (0..COLUMNS * C::ROWS).filter(move |at| cells & C::cell(*at) != C::NONE)
}

#[cfg(test)]
mod tests {
    use super::super::field::of_board;
    use super::super::field::tests::random_board;
    use super::super::slots::{Slots, open_slot};
    use super::super::value::well_rows;
    use super::*;
    use tetrion_engine::board::Board;
    use tetrion_engine::randomizer::Random;

    fn field(drawing: &str) -> u128 {
        of_board(&drawing.parse::<Board>().expect("a drawing")).expect("a low stack")
    }

    #[test]
    fn a_t_slot_is_the_t_that_fits_into_it() {
        let drawing = "
            ...X......
            XXX...XXXX
            XXXX.XXXXX";
        let found = Aspect::Slot.cells(field(drawing));
        assert_eq!(found, [(4, 0), (3, 1), (4, 1), (5, 1)]);
    }

    #[test]
    fn a_well_is_where_an_i_would_clear_the_most() {
        let drawing = "
            XXXXXXX...
            XXXXXXXXX.
            XXXXXXXXX.
            X.XXXXXXXX";
        assert_eq!(Aspect::Well.cells(field(drawing)), [(9, 1), (9, 2)]);
    }

    #[test]
    fn cells_agree_with_what_is_measured() {
        let mut random = Random::new(5);
        let mut slots_seen = 0;
        for _ in 0..20_000 {
            let field: u128 = of_board(&random_board(&mut random, 8)).expect("a low stack");
            let solid = solid(field);
            let rows: Vec<usize> = (0..height(field)).map(|y| row(field, y)).collect();
            assert_eq!(Aspect::Well.cells(field).len(), well_rows(&rows, solid));
            assert_eq!(Aspect::Holes.cells(field).len(), (solid & !field).count_ones() as usize);
            let slots = Slots::of(field, solid);
            let all = roofed_slots(field, solid);
            assert_eq!(all.iter().map(Slot::lines).max().unwrap_or(0), slots.best);
            assert_eq!(Aspect::OpenSlot.cells(field).is_empty(), open_slot(field, solid).is_none());
            slots_seen += usize::from(slots.best > 0);
            for slot in all {
                assert_eq!((slot.cells.count_ones(), slot.cells & field), (4, 0));
            }
        }
        assert!(slots_seen > 0);
    }
}
