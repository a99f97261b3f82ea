//! Keeps many games in progress and groups them into batches for the kernel.

use super::fall::{Fallen, MAX_STACK};
use super::field::{Field, LowField, Size};
use super::game::{ClassicEnd, ClassicStart, StopReason, StopWhen};
use super::kernel::{Kernel, KernelChoice};
use super::keys::OpenKeys;
use super::lanes::{LOW_WIDTH, Lanes};
use super::shape::KernelShape;
use super::{ClassicWeights, uniform_pieces};
use tetrion_engine::piece::Piece;
use tetrion_engine::randomizer::PieceSource;
use wide::u16x32;

/// Boards side by side.
const LANES: usize = <u16x32 as Lanes>::COUNT;

/// The boards that may share a batch: same piece, and all with holes or all without.
const GROUP_COUNT: usize = 2 * Piece::ALL.len();

/// Games in progress: enough that some group always fills all lanes.
const GAMES_IN_PROGRESS: usize = 512;
const _: () = assert!(GAMES_IN_PROGRESS > GROUP_COUNT * (LANES - 1));

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
    fn new(seed: u64, number: usize) -> GameInFlight {
        let mut pieces = uniform_pieces(seed);
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
    kernel: Kernel<u64>,
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
        let mut choice = None;
        let boards = [&field.columns];
        if field.has_holes() {
            self.kernel.choose::<true>(game.piece, &boards, |_, chosen| choice = chosen);
        } else {
            self.kernel.choose::<false>(game.piece, &boards, |_, chosen| choice = chosen);
        }
        let Some(choice) = choice else { return Some(StopReason::Lost) };
        let lines = field.drop(game.shape(choice), choice.x.into());
        game.advance(choice, lines, &self.keys);
        self.stop.reason(field.stack_height(), game.placed)
    }

    /// Plays until the stack is low enough for the lanes. Returns why the game ends, if it ends before that.
    fn play_high(&mut self, game: &mut GameInFlight, field: &mut Field) -> Option<StopReason> {
        while field.stack_height() > MAX_STACK {
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

/// Plays a game from every start. Returns `None` if cancelled, which it checks before each piece or batch.
pub(super) fn play(
    size: Size,
    weights: &ClassicWeights,
    starts: &[ClassicStart],
    stop: StopWhen,
    cancelled: &dyn Fn() -> bool,
    ended: &mut dyn FnMut(),
) -> Option<Vec<ClassicEnd>> {
    let mut ends: Vec<ClassicEnd> = starts.iter().map(ClassicEnd::before).collect();
    if stop.pieces == Some(0) {
        return Some(ends);
    }
    let mut single =
        SinglePlayer { kernel: Kernel::new(size, weights), keys: OpenKeys::new(size), stop, cancelled };
    if size.width == LOW_WIDTH && ends.len() >= MIN_GAMES_FOR_LANES {
        let mut pool = Pool {
            size,
            single,
            kernel: Kernel::new(size, weights),
            games: Vec::with_capacity(GAMES_IN_PROGRESS),
            playing: 0,
            fields: Vec::with_capacity(GAMES_IN_PROGRESS),
            groups: std::array::from_fn(|_| Vec::with_capacity(GAMES_IN_PROGRESS)),
            starts: starts.iter().enumerate(),
            ends,
            ended,
        };
        pool.play_together();
        pool.finish_one_by_one();
        return if (pool.single.cancelled)() { None } else { Some(pool.ends) };
    }
    for (number, start) in starts.iter().enumerate() {
        let mut game = GameInFlight::new(start.seed, number);
        single.finish(&mut game, &mut Field::of(&start.board), &mut ends[number]);
        if (single.cancelled)() {
            return None;
        }
        ended();
    }
    Some(ends)
}

struct Pool<'p> {
    size: Size,
    single: SinglePlayer<'p>,
    kernel: Kernel<u16x32>,
    games: Vec<GameInFlight>,
    /// How many games are not over.
    playing: usize,
    /// The boards of the games.
    fields: Vec<LowField>,
    /// The games of each group, by their index.
    groups: [Vec<u16>; GROUP_COUNT],
    /// The games that have not started.
    starts: std::iter::Enumerate<std::slice::Iter<'p, ClassicStart>>,
    ends: Vec<ClassicEnd>,
    /// Called at the end of each game.
    ended: &'p mut dyn FnMut(),
}

impl Pool<'_> {
    /// Plays until few games are left.
    fn play_together(&mut self) {
        while self.games.len() < GAMES_IN_PROGRESS
            && let Some((game, field)) = self.begin()
        {
            self.games.push(game);
            self.fields.push(field);
        }
        self.playing = self.games.len();
        for index in 0..self.games.len() {
            self.sort_in(index, self.fields[index].has_holes());
        }
        let mut batch = Vec::with_capacity(LANES);
        while self.playing >= MIN_GAMES_FOR_LANES && !(self.single.cancelled)() {
            // The largest group: while there are many games, it fills the lanes.
            let sizes = self.groups.iter().map(Vec::len);
            let group = sizes.enumerate().max_by_key(|(_, len)| *len).map_or(0, |(group, _)| group);
            let members = &mut self.groups[group];
            batch.clear();
            batch.extend(members.drain(members.len().saturating_sub(LANES)..));
            self.play_batch(group, &batch);
        }
    }

    /// Starts the next game, and plays it alone until its stack is low enough for the lanes. `None` if no such game is left.
    fn begin(&mut self) -> Option<(GameInFlight, LowField)> {
        loop {
            let (number, start) = self.starts.next()?;
            let mut game = GameInFlight::new(start.seed, number);
            let mut field = Field::of(&start.board);
            let Some(reason) = self.single.play_high(&mut game, &mut field) else {
                return Some((game, LowField::of(&field)));
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
                self.play_high(index);
            } else {
                self.sort_in(index, fallen.with_holes >> lane & 1 == 1);
            }
        }
    }

    /// Plays a game alone until its stack is low enough for the lanes.
    #[cold]
    fn play_high(&mut self, index: usize) {
        let mut field = self.fields[index].to_field(self.size);
        if let Some(reason) = self.single.play_high(&mut self.games[index], &mut field) {
            self.end(index, reason, &field);
        } else {
            self.fields[index] = LowField::of(&field);
            self.sort_in(index, field.has_holes());
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
                (self.games[index], self.fields[index]) = (game, field);
                self.sort_in(index, field.has_holes());
            }
            None => self.playing -= 1,
        }
    }

    /// Plays the remaining games.
    fn finish_one_by_one(&mut self) {
        for index in self.groups.iter_mut().flat_map(|group| group.drain(..)) {
            let game = &mut self.games[usize::from(index)];
            let mut field = self.fields[usize::from(index)].to_field(self.size);
            let end = &mut self.ends[game.number];
            self.single.finish(game, &mut field, end);
            if (self.single.cancelled)() {
                return;
            }
            (self.ended)();
        }
    }
}
