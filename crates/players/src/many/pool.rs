//! The games under way, and which of them go through the kernel together.

use super::fall::{Fallen, MAX_STACK};
use super::field::{Field, LowField, Size};
use super::kernel::{Choice, Kernel};
use super::keys::OpenKeys;
use super::lanes::{LOW_WIDTH, Lanes};
use super::shape::Shape;
use super::{ClassicEnd, ClassicWeights, uniform_pieces};
use tetrion_engine::piece::Piece;
use tetrion_engine::randomizer::Pieces;
use wide::u16x32;

/// Boards side by side.
const LANES: usize = <u16x32 as Lanes>::COUNT;

/// The boards that may share a batch: same piece, and all with holes or all without.
const GROUPS: usize = 2 * Piece::ALL.len();

/// Games under way: so many that some group always fills all lanes.
const GAMES: usize = 512;
const _: () = assert!(GAMES > GROUPS * (LANES - 1));

/// With fewer games than this, those with holes and those without share a batch: it is slower, but fuller.
const MANY: usize = 256;

/// Fewer games than this go one after the other: most lanes would be empty.
const FEW: usize = 20;

/// What a game is besides its board.
struct Game {
    pieces: Pieces,
    piece: Piece,
    end: ClassicEnd,
    /// The place of its result.
    number: usize,
}

impl Game {
    fn new(seed: u64, number: usize) -> Game {
        let mut pieces = uniform_pieces(seed);
        Game { piece: pieces.draw(), pieces, end: ClassicEnd::START, number }
    }

    /// The shape of the current piece that was chosen.
    #[inline(always)]
    fn shape(&self, choice: Choice) -> &'static Shape {
        &Shape::all(self.piece)[choice.orientation as usize]
    }

    /// Goes on to the next piece.
    #[inline(always)]
    fn advance(&mut self, choice: Choice, lines: u32, keys: &OpenKeys) {
        self.end.lines += u64::from(lines);
        self.end.keys += keys.of(self.piece, choice.orientation.into(), choice.x.into());
        self.end.pieces += 1;
        self.piece = self.pieces.draw();
    }
}

/// Plays on boards of any size, with the kernel for one board.
struct Single {
    kernel: Kernel<u64>,
    keys: OpenKeys,
    max_pieces: u64,
}

impl Single {
    /// Plays one piece; says whether the game goes on.
    fn step(&mut self, game: &mut Game, field: &mut Field) -> bool {
        let mut choice = None;
        let boards = [&field.columns];
        if field.has_holes() {
            self.kernel.choose::<true>(game.piece, &boards, |_, chosen| choice = chosen);
        } else {
            self.kernel.choose::<false>(game.piece, &boards, |_, chosen| choice = chosen);
        }
        let Some(choice) = choice else {
            game.end.lost = true;
            return false;
        };
        let lines = field.drop(game.shape(choice), choice.x.into());
        game.advance(choice, lines, &self.keys);
        game.end.pieces < self.max_pieces
    }
}

/// Plays a game for every seed.
pub(super) fn play(
    size: Size,
    weights: &ClassicWeights,
    seeds: &[u64],
    max_pieces: Option<u64>,
    mut ended: impl FnMut(),
) -> Vec<ClassicEnd> {
    let mut ends = vec![ClassicEnd::START; seeds.len()];
    let max_pieces = max_pieces.unwrap_or(u64::MAX);
    if max_pieces == 0 {
        return ends;
    }
    let mut single = Single { kernel: Kernel::new(size, weights), keys: OpenKeys::new(size), max_pieces };
    if size.width == LOW_WIDTH && seeds.len() >= FEW {
        let mut pool = Pool {
            size,
            single,
            kernel: Kernel::new(size, weights),
            games: Vec::new(),
            playing: 0,
            fields: Vec::new(),
            groups: std::array::from_fn(|_| Vec::with_capacity(GAMES)),
            seeds: seeds.iter().copied().enumerate(),
            ends,
            ended,
        };
        pool.play_together();
        pool.finish_one_by_one();
        return pool.ends;
    }
    for (number, seed) in seeds.iter().enumerate() {
        let mut game = Game::new(*seed, number);
        let mut field = Field::new(size);
        while single.step(&mut game, &mut field) {}
        ends[number] = game.end;
        ended();
    }
    ends
}

struct Pool<S, E> {
    size: Size,
    single: Single,
    kernel: Kernel<u16x32>,
    games: Vec<Game>,
    /// How many of them are not over.
    playing: usize,
    /// The boards of the games.
    fields: Vec<LowField>,
    /// The games of each group, by their index.
    groups: [Vec<u16>; GROUPS],
    /// The games that have not begun.
    seeds: S,
    ends: Vec<ClassicEnd>,
    /// Called at the end of each game.
    ended: E,
}

impl<S: Iterator<Item = (usize, u64)>, E: FnMut()> Pool<S, E> {
    /// Plays until few games are left.
    fn play_together(&mut self) {
        let first = self.seeds.by_ref().take(GAMES);
        self.games = first.map(|(number, seed)| Game::new(seed, number)).collect();
        self.fields = vec![LowField::EMPTY; self.games.len()];
        self.playing = self.games.len();
        for index in 0..self.games.len() {
            self.sort_in(index, false);
        }
        let mut batch = Vec::with_capacity(LANES);
        while self.playing >= FEW {
            // The largest group: while games are many, one that fills the lanes.
            let sizes = self.groups.iter().map(Vec::len);
            let group = sizes.enumerate().max_by_key(|(_, len)| *len).map_or(0, |(group, _)| group);
            let members = &mut self.groups[group];
            batch.clear();
            batch.extend(members.drain(members.len().saturating_sub(LANES)..));
            self.play_batch(group, &batch);
        }
    }

    /// The choices for some games of a group.
    fn choose(&mut self, group: usize, batch: &[u16]) -> [Option<Choice>; LANES] {
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
                game.end.lost = true;
                self.start_next(index);
                continue;
            };
            self.fields[index] = fallen.fields[lane];
            game.advance(choice, fallen.lines[lane].into(), &self.single.keys);
            let mut goes_on = game.end.pieces < self.single.max_pieces;
            let mut has_holes = fallen.with_holes >> lane & 1 == 1;
            if goes_on && fallen.too_high >> lane & 1 == 1 {
                goes_on = self.play_high(index);
                has_holes = self.fields[index].has_holes();
            }
            if goes_on {
                self.sort_in(index, has_holes);
            } else {
                self.start_next(index);
            }
        }
    }

    /// Plays alone until the stack is low again; says whether the game goes on.
    #[cold]
    fn play_high(&mut self, index: usize) -> bool {
        let mut field = self.fields[index].to_field(self.size);
        let mut goes_on = true;
        while goes_on && field.stack_height() > MAX_STACK {
            goes_on = self.single.step(&mut self.games[index], &mut field);
        }
        self.fields[index] = LowField::of(&field);
        goes_on
    }

    /// Puts a game into its group.
    #[inline(always)]
    fn sort_in(&mut self, index: usize, has_holes: bool) {
        let group = 2 * self.games[index].piece as usize + usize::from(has_holes || self.playing < MANY);
        self.groups[group].push(index as u16);
    }

    /// Puts the next game, if there is one, in the place of one that is over.
    fn start_next(&mut self, index: usize) {
        self.ends[self.games[index].number] = self.games[index].end;
        (self.ended)();
        let Some((number, seed)) = self.seeds.next() else {
            self.playing -= 1;
            return;
        };
        self.games[index] = Game::new(seed, number);
        self.fields[index] = LowField::EMPTY;
        self.sort_in(index, false);
    }

    /// Plays the games that are left.
    fn finish_one_by_one(&mut self) {
        for index in self.groups.iter_mut().flat_map(|group| group.drain(..)) {
            let game = &mut self.games[usize::from(index)];
            let mut field = self.fields[usize::from(index)].to_field(self.size);
            while self.single.step(game, &mut field) {}
            self.ends[game.number] = game.end;
            (self.ended)();
        }
    }
}
