//! T-slots: where a T that spins in clears lines.

use super::field::{COLUMNS, Cells, FULL_ROW, row};

/// The T-slots of a field: where a T that spins in would clear lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Slots {
    /// The lines that a T would clear in the best slot.
    pub best: usize,
    /// How near an unfinished slot is to clearing all its rows: 5 less the cells missing, or 0.
    pub unfinished: usize,
}

/// All cells but those of the first and the last column, and of the bottom row.
#[inline]
fn inner<C: Cells>() -> C {
    C::ALL & !C::FIRST_COLUMN & !C::LAST_COLUMN & !C::ROW
}

impl Slots {
    /// Finds the usual slots, all at once: those that a T enters facing down, and those under a roof that take it upright, by
    /// the last kick.
    #[inline]
    pub fn of<C: Cells>(field: C, solid: C) -> Slots {
        let mut slots = Slots::default();
        for_each_row(slots_facing_down(field, solid), |y| {
            slots.add(&[missing(field, y) - 3, missing(field, y - 1) - 1]);
        });
        for nub in slots_upright(field, solid) {
            for_each_row(nub, |y| {
                slots.add(&[missing(field, y) - 2, missing(field, y - 1) - 1, missing(field, y + 1) - 1]);
            });
        }
        slots
    }

    /// Adds a slot, given the cells that are missing in each of its rows beside its own.
    #[inline]
    fn add(&mut self, missing: &[i32]) {
        let lines = missing.iter().filter(|missing| **missing == 0).count();
        self.best = self.best.max(lines);
        if lines < missing.len() {
            self.unfinished = self.unfinished.max((5 - missing.iter().sum::<i32>()).max(0) as usize);
        }
    }
}

// In the masks of centres below, a shift asks for all centres whether the cell at an offset is filled, or empty.

/// The centres of the T-slots that a T enters facing down.
#[inline]
pub fn slots_facing_down<C: Cells>(field: C, solid: C) -> C {
    let (filled, empty) = (field, !field);
    let down = empty
        & empty << 1
        & empty >> 1
        & empty << 10
        & filled << 11
        & filled << 9
        & (filled >> 9 | filled >> 11)
        & !solid
        & !(solid << 1 & solid >> 1);
    down & inner()
}

/// The centres of the T-slots under a roof that take a T upright: those with its nub to the right, and to the left.
#[inline]
pub fn slots_upright<C: Cells>(field: C, solid: C) -> [C; 2] {
    let (filled, empty) = (field, !field);
    let upright = empty & empty >> 10 & empty << 10 & empty >> 20 & filled >> 30 & !C::ROW;
    if upright == C::NONE {
        return [C::NONE; 2];
    }
    let right = empty >> 1 & filled >> 11 & filled << 9 & !(solid >> 21) & !(solid >> 22);
    let left = empty << 1 & filled >> 9 & filled << 11 & !(solid >> 19) & !(solid >> 18);
    [
        upright & right & !C::LAST_COLUMN & !(C::LAST_COLUMN >> 1),
        upright & left & !C::FIRST_COLUMN & !(C::FIRST_COLUMN << 1),
    ]
}

/// The centres of the T-slots without a roof.
#[inline]
pub fn open_slots<C: Cells>(field: C, solid: C) -> C {
    let open = !solid & !(solid << 1) & !(solid >> 1) & !(field << 10) & field << 11 & field << 9;
    open & inner()
}

/// The cells missing in the rows of the best T-slot without a roof, beside those of the T.
#[inline]
pub fn open_slot<C: Cells>(field: C, solid: C) -> Option<usize> {
    let mut least = None;
    for_each_row(open_slots(field, solid), |y| {
        let lacking = (missing(field, y) - 3 + missing(field, y - 1) - 1) as usize;
        least = Some(least.map_or(lacking, |least: usize| least.min(lacking)));
    });
    least
}

/// Calls `visit` with the row of each cell.
#[inline]
fn for_each_row<C: Cells>(mut cells: C, mut visit: impl FnMut(usize)) {
    while cells != C::NONE {
        visit(cells.lowest() / COLUMNS);
        cells = cells.without_lowest();
    }
}

/// The empty cells of a row.
#[inline]
pub fn missing<C: Cells>(field: C, y: usize) -> i32 {
    (!row(field, y) & FULL_ROW).count_ones() as i32
}

#[cfg(test)]
mod tests {
    use super::super::field::{of_board, solid};
    use super::*;
    use tetrion_engine::board::Board;
    use tetrion_engine::location::Spin;
    use tetrion_engine::piece::Piece;
    use tetrion_engine::randomizer::Random;
    use tetrion_engine::ruleset::{Mode, Ruleset};

    /// The T-slots of a drawn board, and the most lines that a real T-spin clears on it.
    fn slots(rows: &str) -> (Slots, usize) {
        let board: Board = rows.parse().unwrap();
        let rules = Ruleset::for_agents(Mode::Blitz);
        let placements =
            tetrion_engine::moves::generate(&board, rules.spawn(Piece::T, &board), rules.move_rules());
        let spins = placements.iter().filter(|placement| placement.spin() == Spin::Full);
        let lines = spins.map(|placement| board.after(placement).1.count_ones() as usize).max().unwrap_or(0);
        let field = of_board::<u128>(&board).unwrap();
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

    #[test]
    fn an_open_slot_lacks_its_roof() {
        let lacking = |rows: &str| {
            let field = of_board::<u128>(&rows.parse::<Board>().unwrap()).unwrap();
            open_slot(field, solid(field))
        };
        assert_eq!(lacking("#...######\n##.#######"), Some(0));
        assert_eq!(lacking("#...####..\n##.#######"), Some(2));
        assert_eq!(lacking("##........\n#...######\n##.#######"), None, "it has a roof");
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
}
