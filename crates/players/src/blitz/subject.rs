//! The cells of a field that an aspect is about, so that an explanation can point at them.

use super::field::{ALL, COLUMNS, Cells, FIRST_COLUMN, LAST_COLUMN, ROW, ROWS, solid};
use super::perfect_clear::FOUR_ROWS;
use super::slots::{missing, open_slots, slots_facing_down, slots_upright};
use super::value::{Aspect, height, row};
use crate::subject::Cell;

impl Aspect {
    /// The cells that it is about; none if it is about all of them, or about other things.
    pub fn cells(self, field: Cells) -> Vec<Cell> {
        let solid = solid(field);
        let holes = solid & !field;
        let cells = match self {
            Aspect::Holes => holes,
            Aspect::Cover => field & (holes << COLUMNS | holes << (2 * COLUMNS)),
            Aspect::Height => ROW << (COLUMNS * height(field).saturating_sub(1)) & field,
            Aspect::Well => well(field, solid),
            Aspect::Slot => best(&roofed_slots(field, solid), |slot| slot.lines()),
            Aspect::UnfinishedSlot => {
                let unfinished = |slot: &&Slot| slot.lines() < slot.missing.len();
                let slots: Vec<Slot> =
                    roofed_slots(field, solid).iter().filter(unfinished).cloned().collect();
                best(&slots, |slot| 5 - slot.missing.iter().sum::<i32>())
            }
            Aspect::OpenSlot => {
                let slots: Vec<Slot> =
                    bits(open_slots(field, solid)).map(|at| Slot::down(field, at)).collect();
                best(&slots, |slot| -slot.missing.iter().sum::<i32>())
            }
            Aspect::PerfectClear => FOUR_ROWS & !field,
            Aspect::Surface => surface(solid),
            Aspect::Walls => {
                let beside_walls = FIRST_COLUMN | FIRST_COLUMN << 1 | LAST_COLUMN | LAST_COLUMN >> 1;
                surface(solid) & beside_walls
            }
            Aspect::Hold | Aspect::BackToBack | Aspect::Combo | Aspect::Rows | Aspect::RowPairs => 0,
        };
        bits(cells & ALL).map(|at| ((at % COLUMNS) as i32, (at / COLUMNS) as i32)).collect()
    }
}

/// A T-slot: the cells of the T, and the cells that its rows lack beside them.
#[derive(Clone)]
struct Slot {
    cells: Cells,
    missing: Vec<i32>,
}

impl Slot {
    /// That of a T facing down, with its centre at this bit.
    fn down(field: Cells, at: usize) -> Slot {
        let y = at / COLUMNS;
        let cells = (0b111 << COLUMNS | 0b10) << (at - COLUMNS - 1);
        Slot { cells, missing: vec![missing(field, y) - 3, missing(field, y - 1) - 1] }
    }

    /// That of an upright T, with its centre at this bit and its nub at another.
    fn upright(field: Cells, at: usize, nub: usize) -> Slot {
        let y = at / COLUMNS;
        let cells = 1 << at | 1 << nub | 1 << (at - COLUMNS) | 1 << (at + COLUMNS);
        let missing = vec![missing(field, y) - 2, missing(field, y - 1) - 1, missing(field, y + 1) - 1];
        Slot { cells, missing }
    }

    /// The lines that a T would clear.
    fn lines(&self) -> usize {
        self.missing.iter().filter(|missing| **missing == 0).count()
    }
}

/// All T-slots with a roof.
fn roofed_slots(field: Cells, solid: Cells) -> Vec<Slot> {
    let down = bits(slots_facing_down(field, solid)).map(|at| Slot::down(field, at));
    let [right, left] = slots_upright(field, solid);
    let right = bits(right).map(|at| Slot::upright(field, at, at + 1));
    let left = bits(left).map(|at| Slot::upright(field, at, at - 1));
    down.chain(right).chain(left).collect()
}

/// The cells of the best slots.
fn best<K: Ord>(slots: &[Slot], by: impl Fn(&Slot) -> K) -> Cells {
    let most = slots.iter().map(&by).max();
    slots.iter().filter(|slot| Some(by(slot)) == most).fold(0, |cells, slot| cells | slot.cells)
}

/// The open cells that the most rows one above the other lack alone.
fn well(field: Cells, solid: Cells) -> Cells {
    let (mut run, mut longest): (Cells, Cells) = (0, 0);
    let mut column = 0;
    for y in 0..height(field) {
        let lacking = ROW as usize & !row(field, y);
        let ready = lacking.is_power_of_two() && row(solid, y) & lacking == 0;
        run = match ready {
            true if lacking == column => run,
            _ => 0,
        };
        column = if ready { lacking } else { 0 };
        run |= (column as Cells) << (y * COLUMNS);
        if run.count_ones() > longest.count_ones() {
            longest = run;
        }
    }
    longest
}

/// The highest cell of each column.
fn surface(solid: Cells) -> Cells {
    solid & !(solid >> COLUMNS)
}

/// The numbers of the bits that are set.
fn bits(cells: Cells) -> impl Iterator<Item = usize> {
    (0..COLUMNS * ROWS).filter(move |at| cells >> at & 1 == 1)
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

    fn field(drawing: &str) -> Cells {
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
            let field = of_board(&random_board(&mut random, 8)).expect("a low stack");
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
