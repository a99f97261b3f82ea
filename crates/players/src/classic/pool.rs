//! Keeps many games in progress and groups them into batches for the kernel.

use super::ClassicWeights;
use super::fall::{Fallen, MAX_STACK};
use super::features::Weights;
use super::field::{Field, LowField, Size};
use super::game::{ClassicEnd, StopReason, StopWhen};
use super::kernel::{Kernel, KernelChoice};
use super::keys::OpenKeys;
use super::lanes::{LOW_WIDTH, Lanes, Scores};
use super::lookahead::{Lookahead, MAX_HIGH_STACK};
use super::shape::KernelShape;
use tetrion_engine::board::Board;
use tetrion_engine::piece::Piece;
use tetrion_engine::randomizer::PieceSource;
use wide::{f64x8, i32x16, u16x32, u32x16};

/// Boards side by side.
const LANES: usize = <u16x32 as Lanes>::COUNT;
/// High boards side by side.
const HIGH_LANES: usize = <u32x16 as Lanes>::COUNT;

/// The low boards that may share a batch: same piece, and all with holes or all without.
const GROUP_COUNT: usize = 2 * Piece::ALL.len();

/// Games in progress: enough that some group always fills all lanes.
const GAMES_IN_PROGRESS: usize = 512;
const _: () = assert!(GAMES_IN_PROGRESS > GROUP_COUNT * (LANES - 1));

/// A high board counts as much as this many low ones when a batch is chosen. High boards are rare in most games, and should not wait
/// until they fill all lanes.
const HIGH_PRIORITY: usize = 4;

/// With fewer games than this, boards with and without holes share a batch: it is slower per batch, but fuller.
const MIN_GAMES_TO_SPLIT_HOLES: usize = 256;

/// Fewer games than this are played one after the other: most lanes would be empty.
const MIN_GAMES_FOR_LANES: usize = 20;

/// The state of a game, apart from its board.
struct GameInFlight {
    pieces: PieceSource,
    piece: Piece,
    placed: u64,
    lines: u64,
    keys: u64,
    /// The index of its result.
    number: usize,
}

impl GameInFlight {
    fn new(mut pieces: PieceSource, number: usize) -> GameInFlight {
        GameInFlight { piece: pieces.draw(), pieces, placed: 0, lines: 0, keys: 0, number }
    }

    /// The chosen shape of the current piece.
    #[inline(always)]
    fn shape(&self, choice: KernelChoice) -> &'static KernelShape {
        &KernelShape::all(self.piece)[choice.orientation as usize]
    }

    /// Counts the placement and draws the next piece.
    #[inline(always)]
    fn advance(&mut self, choice: KernelChoice, lines: u32, keys: &OpenKeys) {
        self.lines += u64::from(lines);
        self.keys += keys.of(self.piece, choice.orientation.into(), choice.x.into());
        self.placed += 1;
        self.piece = self.pieces.draw();
    }

    /// Writes how the game ended into `end`, which has its starting board.
    fn write_end(&self, reason: StopReason, field: &Field, end: &mut ClassicEnd) {
        (end.reason, end.pieces, end.lines, end.keys) = (reason, self.placed, self.lines, self.keys);
        field.draw_over(&mut end.board);
    }
}

/// Plays one game at a time, on a board of any size.
struct SinglePlayer<'p> {
    kernel: Kernel<u64, f64>,
    lookahead: Option<Lookahead>,
    keys: OpenKeys,
    stop: StopWhen,
    cancelled: &'p dyn Fn() -> bool,
}

impl SinglePlayer<'_> {
    /// Plays one piece. Returns why the game ends, if it does.
    fn step(&mut self, game: &mut GameInFlight, field: &mut Field) -> Option<StopReason> {
        if (self.cancelled)() {
            // Any reason will do: a cancelled run reports no games.
            return Some(StopReason::Pieces);
        }
        let mut choices = [None];
        let boards = [&field.columns];
        if field.has_holes() {
            self.kernel.choose::<true>(game.piece, &boards, |_, chosen| choices[0] = chosen);
        } else {
            self.kernel.choose::<false>(game.piece, &boards, |_, chosen| choices[0] = chosen);
        }
        if let Some(lookahead) = &mut self.lookahead {
            lookahead.choose(game.piece, [*field].into_iter(), &self.kernel, &mut choices);
        }
        let Some(choice) = choices[0] else { return Some(StopReason::Lost) };
        let drop = field.drop(game.shape(choice), choice.x.into());
        game.advance(choice, drop.lines, &self.keys);
        self.stop.reason(field.stack_height(), game.placed)
    }

    /// Plays until the stack is low enough for the lanes. Returns why the game ends, if it ends before that.
    fn play_high(&mut self, game: &mut GameInFlight, field: &mut Field) -> Option<StopReason> {
        while field.stack_height() > MAX_HIGH_STACK {
            let reason = self.step(game, field);
            if reason.is_some() {
                return reason;
            }
        }
        None
    }

    /// Plays to the end.
    fn finish(&mut self, game: &mut GameInFlight, field: &mut Field, end: &mut ClassicEnd) {
        let reason = loop {
            if let Some(reason) = self.step(game, field) {
                break reason;
            }
        };
        game.write_end(reason, field, end);
    }
}

/// Where games start: a board without full rows, and the pieces to come.
pub(super) type Starts<'p> = &'p mut dyn ExactSizeIterator<Item = (Board, PieceSource)>;

/// Plays a game from every start. Returns `None` if cancelled, which it checks before each piece or batch.
pub(super) fn play(
    size: Size,
    weights: &ClassicWeights,
    starts: Starts,
    stop: StopWhen,
    cancelled: &dyn Fn() -> bool,
    ended: &mut dyn FnMut(),
) -> Option<Vec<ClassicEnd>> {
    if stop.pieces == Some(0) {
        return Some(starts.map(|(board, _)| ClassicEnd::before(board)).collect());
    }
    let mut single = SinglePlayer {
        kernel: Kernel::new(size, weights),
        lookahead: Lookahead::of(size, weights),
        keys: OpenKeys::new(size),
        stop,
        cancelled,
    };
    if size.width == LOW_WIDTH && starts.len() >= MIN_GAMES_FOR_LANES {
        return match Weights::new(weights).are_whole() {
            true => Pool::<[i32x16; 2]>::new(size, weights, single, starts, ended).play(),
            false => Pool::<[f64x8; 4]>::new(size, weights, single, starts, ended).play(),
        };
    }
    let mut ends = Vec::with_capacity(starts.len());
    for (number, (board, pieces)) in starts.enumerate() {
        let mut game = GameInFlight::new(pieces, number);
        let mut end = ClassicEnd::before(board);
        single.finish(&mut game, &mut Field::of(&board), &mut end);
        if (single.cancelled)() {
            return None;
        }
        ends.push(end);
        ended();
    }
    Some(ends)
}

/// Games in progress, whose scores are kept in an `S`.
struct Pool<'p, S: Scores<u16x32>> {
    size: Size,
    single: SinglePlayer<'p>,
    kernel: Kernel<u16x32, S>,
    high_kernel: Kernel<u32x16, [f64x8; 2]>,
    games: Vec<GameInFlight>,
    /// How many games are not over.
    playing: usize,
    /// The boards of the games whose stacks are low.
    fields: Vec<LowField>,
    /// The boards of the other games.
    high_fields: Vec<Field>,
    /// The games of each group, by their index.
    groups: [Vec<u16>; GROUP_COUNT],
    /// The games with high stacks, by the piece to place.
    high_groups: [Vec<u16>; Piece::ALL.len()],
    /// The games that have not started.
    starts: Starts<'p>,
    ends: Vec<ClassicEnd>,
    /// Called at the end of each game.
    ended: &'p mut dyn FnMut(),
}

impl<'p, S: Scores<u16x32>> Pool<'p, S> {
    fn new(
        size: Size,
        weights: &ClassicWeights,
        single: SinglePlayer<'p>,
        starts: Starts<'p>,
        ended: &'p mut dyn FnMut(),
    ) -> Pool<'p, S> {
        Pool {
            size,
            single,
            kernel: Kernel::new(size, weights),
            high_kernel: Kernel::new(size, weights),
            games: Vec::with_capacity(GAMES_IN_PROGRESS),
            playing: 0,
            fields: Vec::with_capacity(GAMES_IN_PROGRESS),
            high_fields: Vec::with_capacity(GAMES_IN_PROGRESS),
            groups: std::array::from_fn(|_| Vec::with_capacity(GAMES_IN_PROGRESS)),
            high_groups: std::array::from_fn(|_| Vec::new()),
            ends: Vec::with_capacity(starts.len()),
            starts,
            ended,
        }
    }

    fn play(mut self) -> Option<Vec<ClassicEnd>> {
        self.play_together();
        self.finish_one_by_one();
        if (self.single.cancelled)() { None } else { Some(self.ends) }
    }

    /// Plays until few games are left.
    fn play_together(&mut self) {
        while self.games.len() < GAMES_IN_PROGRESS
            && let Some((game, field)) = self.begin()
        {
            self.games.push(game);
            self.fields.push(LowField::EMPTY);
            self.high_fields.push(field);
        }
        self.playing = self.games.len();
        for index in 0..self.games.len() {
            self.sort_in_high(index);
        }
        let mut batch = Vec::with_capacity(LANES);
        while self.playing >= MIN_GAMES_FOR_LANES && !(self.single.cancelled)() {
            // The largest group: while there are many games, it fills the lanes. Those that have waited longest come first, so that
            // games of the same length end together.
            let low = self.groups.iter().map(Vec::len);
            let high = self.high_groups.iter().map(|group| HIGH_PRIORITY * group.len());
            let group = low.chain(high).enumerate().max_by_key(|(_, len)| *len).map_or(0, |(group, _)| group);
            batch.clear();
            if group < GROUP_COUNT {
                let members = &mut self.groups[group];
                batch.extend(members.drain(..members.len().min(LANES)));
                self.play_batch(group, &batch);
            } else {
                let members = &mut self.high_groups[group - GROUP_COUNT];
                batch.extend(members.drain(..members.len().min(HIGH_LANES)));
                self.play_high_batch(Piece::ALL[group - GROUP_COUNT], &batch);
            }
        }
    }

    /// Starts the next game, and plays it alone until its stack is low enough for lanes. `None` if no such game is left.
    fn begin(&mut self) -> Option<(GameInFlight, Field)> {
        loop {
            let (board, pieces) = self.starts.next()?;
            let number = self.ends.len();
            self.ends.push(ClassicEnd::before(board));
            let mut game = GameInFlight::new(pieces, number);
            let mut field = Field::of(&board);
            let Some(reason) = self.single.play_high(&mut game, &mut field) else {
                return Some((game, field));
            };
            game.write_end(reason, &field, &mut self.ends[number]);
            (self.ended)();
        }
    }

    /// The choices for some games of a group.
    fn choose(&mut self, group: usize, batch: &[u16]) -> [Option<KernelChoice>; LANES] {
        let mut boards = [&LowField::EMPTY.0; LANES];
        for (board, index) in boards.iter_mut().zip(batch) {
            *board = &self.fields[usize::from(*index)].0;
        }
        let boards = &boards[..batch.len()];
        let mut choices = [None; LANES];
        let piece = Piece::ALL[group / 2];
        if group % 2 == 1 {
            self.kernel.choose::<true>(piece, boards, |lane, choice| choices[lane] = choice);
        } else {
            self.kernel.choose::<false>(piece, boards, |lane, choice| choices[lane] = choice);
        }
        if let Some(lookahead) = &mut self.single.lookahead {
            let fields = batch.iter().map(|index| self.fields[usize::from(*index)].to_field(self.size));
            lookahead.choose(piece, fields, &self.kernel, &mut choices);
        }
        choices
    }

    /// Plays a piece in some games of a group.
    fn play_batch(&mut self, group: usize, batch: &[u16]) {
        let choices = self.choose(group, batch);
        let fallen = Fallen::new(self.kernel.stack(), Piece::ALL[group / 2], &choices);
        for (lane, index) in batch.iter().enumerate() {
            let index = usize::from(*index);
            let game = &mut self.games[index];
            let Some(choice) = choices[lane] else {
                self.end(index, StopReason::Lost, &self.fields[index].to_field(self.size));
                continue;
            };
            self.fields[index] = fallen.fields[lane];
            game.advance(choice, fallen.lines[lane].into(), &self.single.keys);
            let height = u32::from(fallen.heights[lane]);
            if let Some(reason) = self.single.stop.reason(height, game.placed) {
                self.end(index, reason, &self.fields[index].to_field(self.size));
            } else if height > MAX_STACK {
                self.high_fields[index] = self.fields[index].to_field(self.size);
                self.sort_in_high(index);
            } else {
                self.sort_in(index, fallen.with_holes >> lane & 1 == 1);
            }
        }
    }

    /// Plays a piece in some games with high stacks.
    #[cold]
    fn play_high_batch(&mut self, piece: Piece, batch: &[u16]) {
        let mut choices = [None; HIGH_LANES];
        let boards: Vec<_> =
            batch.iter().map(|index| &self.high_fields[usize::from(*index)].columns).collect();
        self.high_kernel.choose::<true>(piece, &boards, |lane, choice| choices[lane] = choice);
        if let Some(lookahead) = &mut self.single.lookahead {
            let fields = batch.iter().map(|index| self.high_fields[usize::from(*index)]);
            lookahead.choose(piece, fields, &self.high_kernel, &mut choices);
        }
        for (index, choice) in batch.iter().zip(choices) {
            let index = usize::from(*index);
            let (game, field) = (&mut self.games[index], &mut self.high_fields[index]);
            let reason = match choice {
                None => Some(StopReason::Lost),
                Some(choice) => {
                    let drop = field.drop(game.shape(choice), choice.x.into());
                    game.advance(choice, drop.lines, &self.single.keys);
                    let reason = self.single.stop.reason(field.stack_height(), game.placed);
                    reason.or_else(|| self.single.play_high(game, field))
                }
            };
            match reason {
                Some(reason) => self.end(index, reason, &self.high_fields[index].clone()),
                None => self.sort_in_high(index),
            }
        }
    }

    /// Puts a game whose board is among the high ones into its group, which may be one of the low ones.
    fn sort_in_high(&mut self, index: usize) {
        let field = &self.high_fields[index];
        if field.stack_height() > MAX_STACK {
            self.high_groups[self.games[index].piece as usize].push(index as u16);
        } else {
            let has_holes = field.has_holes();
            self.fields[index] = LowField::of(field);
            self.sort_in(index, has_holes);
        }
    }

    /// Puts a game into its group.
    #[inline(always)]
    fn sort_in(&mut self, index: usize, has_holes: bool) {
        let group = 2 * self.games[index].piece as usize
            + usize::from(has_holes || self.playing < MIN_GAMES_TO_SPLIT_HOLES);
        self.groups[group].push(index as u16);
    }

    /// Ends a game and starts the next one in its place, if there is one.
    fn end(&mut self, index: usize, reason: StopReason, field: &Field) {
        let game = &self.games[index];
        game.write_end(reason, field, &mut self.ends[game.number]);
        (self.ended)();
        match self.begin() {
            Some((game, field)) => {
                (self.games[index], self.high_fields[index]) = (game, field);
                self.sort_in_high(index);
            }
            None => self.playing -= 1,
        }
    }

    /// Plays the remaining games.
    fn finish_one_by_one(&mut self) {
        for index in self.groups.iter_mut().flat_map(|group| group.drain(..)) {
            self.high_fields[usize::from(index)] = self.fields[usize::from(index)].to_field(self.size);
            self.high_groups[0].push(index);
        }
        for index in self.high_groups.iter_mut().flat_map(|group| group.drain(..)) {
            let game = &mut self.games[usize::from(index)];
            let field = &mut self.high_fields[usize::from(index)];
            self.single.finish(game, field, &mut self.ends[game.number]);
            if (self.single.cancelled)() {
                return;
            }
            (self.ended)();
        }
    }
}
