//! The fast generator: finds the positions that a piece can reach, for all positions of a column at once.
//!
//! A *plane* has a set of rows for every column of the rotation centre, so one operation moves the piece from all its positions
//! in a column at once. The planes of one orientation are:
//! - *free*: the piece fits;
//! - *landing*: it is free and rests on something;
//! - *reached*: the moves lead there.
//!
//! On almost every board, pieces reach all landings from above without turning under an overhang. Turns and kicks are followed
//! only if a landing is left over.

use super::column::Column;
use crate::piece::{CELLS, Offset, Orientation, Piece};
use crate::rotation::{Turn, kicks};

/// Columns of wall on both sides of a plane. No cell or kick reaches beyond them, so no access needs a bounds check.
pub(crate) const WALL: usize = 3;

/// A set of rows for every column, including the walls.
pub(crate) type Plane<C, const N: usize> = [C; N];

/// One plane for each orientation.
pub(crate) type Planes<C, const N: usize> = [Plane<C, N>; 4];

/// The columns of a plane without its walls.
#[inline(always)]
pub(super) fn inside<const N: usize>() -> std::ops::Range<usize> {
    WALL..N - WALL
}

/// Repeats a block for each orientation of piece `$p` that differs in shape, with its number as a constant.
macro_rules! for_each_shape {
    ($p:ident, $shape:ident => $block:block) => {
        for_each_shape!($p, $shape => $block; 0 1 2 3);
    };
    ($p:ident, $shape:ident => $block:block; $($number:literal)*) => {$(
        if $number < shapes::<$p>() {
            const $shape: usize = $number;
            $block
        }
    )*};
}
pub(super) use for_each_shape;

/// A plane made column by column, with nothing in its walls.
#[inline(always)]
fn plane<C: Column, const N: usize>(column: impl Fn(usize) -> C) -> Plane<C, N> {
    std::array::from_fn(
        #[inline(always)]
        |x| {
            if inside::<N>().contains(&x) { column(x) } else { C::NONE }
        },
    )
}

/// Where piece `P` in orientation `R` does not touch a filled cell.
#[inline(always)]
pub(crate) fn free<C: Column, const N: usize, const P: usize, const R: usize>(
    board: &Plane<C, N>,
) -> Plane<C, N> {
    plane(
        #[inline(always)]
        |x| {
            let seen = |(dx, dy): Offset| board[x.wrapping_add_signed(dx as isize)].seen_from(dy);
            let [a, b, c, d] = const { CELLS[P][R] };
            !(seen(a) | seen(b) | seen(c) | seen(d))
        },
    )
}

/// Where a piece rests: it fits there, but not one row lower.
#[inline(always)]
pub(crate) fn landing<C: Column, const N: usize>(free: &Plane<C, N>) -> Plane<C, N> {
    plane(
        #[inline(always)]
        |x| free[x] & !free[x].up(1),
    )
}

/// Where a piece can drop straight from above.
#[inline(always)]
pub(crate) fn open_to_the_sky<C: Column, const N: usize>(free: &Plane<C, N>) -> Plane<C, N> {
    plane(
        #[inline(always)]
        |x| !(!free[x]).and_below(),
    )
}

/// Adds the positions reached by shifting left and right.
#[inline(always)]
fn slide<C: Column, const N: usize>(reached: &mut Plane<C, N>, free: &Plane<C, N>) {
    for x in inside::<N>() {
        let from_left = reached[x - 1];
        reached[x] |= from_left & free[x];
    }
    for x in inside::<N>().rev() {
        let from_right = reached[x + 1];
        reached[x] |= from_right & free[x];
    }
}

/// Adds the positions reached by falling one row. Returns whether any were new.
#[inline(always)]
fn sink<C: Column, const N: usize>(reached: &mut Plane<C, N>, free: &Plane<C, N>) -> bool {
    let mut added = C::NONE;
    for x in inside::<N>() {
        let new = reached[x].down(1) & free[x] & !reached[x];
        reached[x] |= new;
        added |= new;
    }
    added.any()
}

/// Adds all rows that a fall reaches, however far.
#[inline(always)]
fn fall<C: Column, const N: usize>(reached: &mut Plane<C, N>, free: &Plane<C, N>) {
    for x in inside::<N>() {
        // After each round, `through` holds the rows that are free for twice as many rows upwards.
        let (mut rows, mut through) = (reached[x], free[x]);
        let mut distance = 1;
        while distance < C::ROWS {
            rows |= through & rows.down(distance);
            through &= through.down(distance);
            distance *= 2;
        }
        reached[x] = rows;
    }
}

/// Follows a turn from every position in `reached`, and calls `found` with the number of each kick test and the column and
/// rows that it leads to.
///
/// The piece, orientation, turn and test are known when compiling, so every shift is by a constant.
#[inline(always)]
pub(super) fn follow_turn<C: Column, const N: usize, const P: usize, const FROM: usize, const TURN: usize>(
    reached: &Plane<C, N>,
    free_after: &Plane<C, N>,
    mut found: impl FnMut(usize, usize, C),
) {
    for x in inside::<N>() {
        let mut trying = reached[x];
        macro_rules! try_kicks {
            ($($test:literal)*) => {$(
                if let Some((dx, dy)) = const { nth_kick(P, FROM, TURN, $test) } {
                    let to = x.wrapping_add_signed(dx as isize);
                    let fits = trying.moved(dy) & free_after[to];
                    trying &= !fits.moved(-dy);
                    found($test, to, fits);
                }
            )*};
        }
        try_kicks!(0 1 2 3 4 5);
    }
}

const fn nth_kick(piece: usize, from: usize, turn: usize, test: usize) -> Option<Offset> {
    let turn = [Turn::Clockwise, Turn::Half, Turn::CounterClockwise][turn - 1];
    let kicks = kicks(Piece::ALL[piece], Orientation::ALL[from], turn);
    if test < kicks.len() { Some(kicks[test]) } else { None }
}

/// What the flood may do.
#[derive(Clone, Copy)]
pub(crate) struct Steps {
    /// Fall by one row at a time.
    pub(crate) fall: bool,
    /// Turn by 180°.
    pub(crate) half_turns: bool,
}

/// The planes of a piece on a board.
pub(crate) struct Flood<C, const N: usize> {
    pub(crate) free: Planes<C, N>,
    pub(crate) reached: Planes<C, N>,
}

impl<C: Column, const N: usize> Flood<C, N> {
    /// Nothing reached yet.
    #[inline(always)]
    pub(crate) fn new<const P: usize>(board: &Plane<C, N>) -> Self {
        let free = [
            free::<C, N, P, 0>(board),
            free::<C, N, P, 1>(board),
            free::<C, N, P, 2>(board),
            free::<C, N, P, 3>(board),
        ];
        Flood { free, reached: [[C::NONE; N]; 4] }
    }

    /// Follows every step from the reached positions in the orientations of `unfollowed` (a bit each). If the wanted landings
    /// are given, it stops as soon as all of them are reached.
    #[inline(always)]
    pub(crate) fn run<const P: usize>(
        &mut self,
        steps: Steps,
        unfollowed: u8,
        looked_for: Option<&Planes<C, N>>,
    ) {
        if C::INLINE_FLOODS {
            self.follow::<P>(steps, unfollowed, looked_for);
        } else {
            self.follow_shared::<P>(steps, unfollowed, looked_for);
        }
    }

    /// The unrolled kicks are long: here every caller shares them.
    #[inline(never)]
    fn follow_shared<const P: usize>(
        &mut self,
        steps: Steps,
        unfollowed: u8,
        looked_for: Option<&Planes<C, N>>,
    ) {
        self.follow::<P>(steps, unfollowed, looked_for);
    }

    #[inline(always)]
    fn follow<const P: usize>(
        &mut self,
        steps: Steps,
        mut unfollowed: u8,
        looked_for: Option<&Planes<C, N>>,
    ) {
        while unfollowed != 0 {
            macro_rules! follow_orientations {
                ($($from:literal)*) => {$(
                    if unfollowed & 1 << $from != 0 {
                        unfollowed &= !(1 << $from);
                        self.shift_and_fall::<$from>(steps.fall);
                        if looked_for.is_some_and(|landings| self.has_reached::<P>(landings)) {
                            return;
                        }
                        unfollowed |= u8::from(self.turn::<P, $from, 1>()) << (($from + 1) % 4);
                        unfollowed |= u8::from(self.turn::<P, $from, 3>()) << (($from + 3) % 4);
                        if steps.half_turns {
                            unfollowed |= u8::from(self.turn::<P, $from, 2>()) << (($from + 2) % 4);
                        }
                    }
                )*};
            }
            follow_orientations!(0 1 2 3);
        }
    }

    #[inline(always)]
    fn has_reached<const P: usize>(&self, landings: &Planes<C, N>) -> bool {
        let mut left_over = C::NONE;
        for shape in 0..shapes::<P>() {
            for x in inside::<N>() {
                left_over |= landings[shape][x] & !self.reached_as::<P>(shape, x);
            }
        }
        !left_over.any()
    }

    /// Adds the positions that shifts and falls reach without a turn.
    #[inline(always)]
    fn shift_and_fall<const FROM: usize>(&mut self, fall: bool) {
        let (reached, free) = (&mut self.reached[FROM], &self.free[FROM]);
        slide(reached, free);
        while fall && sink(reached, free) {
            slide(reached, free);
        }
    }

    /// Adds the positions that a turn reaches. Returns whether any were new.
    #[inline(always)]
    fn turn<const P: usize, const FROM: usize, const TURN: usize>(&mut self) -> bool {
        let to = (FROM + TURN) % 4;
        let [from_plane, to_plane] =
            self.reached.get_disjoint_mut([FROM, to]).expect("a turn changes the orientation");
        let mut added = C::NONE;
        follow_turn::<C, N, P, FROM, TURN>(
            from_plane,
            &self.free[to],
            #[inline(always)]
            |_, x, rows| {
                added |= rows & !to_plane[x];
                to_plane[x] |= rows;
            },
        );
        added.any()
    }

    /// The landings reached after a final drop, each in the first orientation of its shape.
    #[inline(always)]
    pub(crate) fn landings<const P: usize>(&mut self) -> Planes<C, N> {
        self.drop();
        let mut landings = [[C::NONE; N]; 4];
        for shape in 0..shapes::<P>() {
            let landing = landing(&self.free[shape]);
            for x in inside::<N>() {
                landings[shape][x] = landing[x] & self.reached_as::<P>(shape, x);
            }
        }
        landings
    }

    /// The rows of a column that are reached in any orientation of that shape.
    #[inline(always)]
    fn reached_as<const P: usize>(&self, shape: usize, x: usize) -> C {
        let mut rows = self.reached[shape][x];
        let mut orientation = shape + shapes::<P>();
        while orientation < 4 {
            let (_, (dx, dy)) = Piece::ALL[P].canonical(Orientation::ALL[orientation]);
            rows |= self.reached[orientation][x.wrapping_add_signed(-dx as isize)].moved(dy);
            orientation += shapes::<P>();
        }
        rows
    }

    /// Adds all rows that the piece can fall to from where it is.
    #[inline(always)]
    pub(crate) fn drop(&mut self) {
        for orientation in 0..4 {
            fall(&mut self.reached[orientation], &self.free[orientation]);
        }
    }
}

/// How many orientations differ in shape.
#[inline(always)]
pub(super) const fn shapes<const P: usize>() -> usize {
    Piece::ALL[P].distinct_orientations().len()
}

/// All landings of one shape of a piece that spawns well above the stack, where it can turn and shift freely before it falls;
/// and those of them, in all columns together, that need more than shifts to reach.
#[inline(always)]
pub(crate) fn landings_from_above<C: Column, const N: usize, const P: usize, const SHAPE: usize>(
    board: &Plane<C, N>,
) -> (Plane<C, N>, C) {
    let free = free::<C, N, P, SHAPE>(board);
    let mut reached = open_to_the_sky(&free);
    slide(&mut reached, &free);
    let landings = landing(&free);
    let mut left_over = C::NONE;
    for x in inside::<N>() {
        left_over |= landings[x] & !reached[x];
    }
    (landings, left_over)
}

/// The landings that the piece can reach from well above the stack by any movement.
#[inline(always)]
pub(crate) fn reach_from_above<C: Column, const N: usize, const P: usize>(
    board: &Plane<C, N>,
    half_turns: bool,
) -> Planes<C, N> {
    let mut landings = [[C::NONE; N]; 4];
    let mut left_over = C::NONE;
    for_each_shape!(P, SHAPE => {
        let (of_shape, left_over_of_shape) = landings_from_above::<C, N, P, SHAPE>(board);
        landings[SHAPE] = of_shape;
        left_over |= left_over_of_shape;
    });
    if left_over.any() {
        let mut flood = Flood::new::<P>(board);
        for orientation in 0..4 {
            flood.reached[orientation] = open_to_the_sky(&flood.free[orientation]);
        }
        flood.run::<P>(Steps { fall: true, half_turns }, 0b1111, Some(&landings));
        for shape in 0..shapes::<P>() {
            for x in inside::<N>() {
                landings[shape][x] &= flood.reached_as::<P>(shape, x);
            }
        }
    }
    landings
}
