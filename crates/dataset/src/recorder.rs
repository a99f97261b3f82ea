//! Recording games as they are played, several at a time.
//!
//! The tables are the same however many games are played at once: rows are written in the order of the games, and wait if an
//! earlier game is not over yet.

use crate::games::{GameRow, GameTotals, games};
use crate::placements::{
    Choice, FeatureValues, GameIdentity, MoreColumns, PlacementRow, features_before, placements,
};
use crate::table::{TableWriter, WriteError};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use tetrion_engine::board::Board;
use tetrion_engine::game::Game;
use tetrion_engine::record::{GameResult, PlacementRecord};
use tetrion_engine::scoring::{Clear, Streak};
use tetrion_players::afterstate::{Afterstate, Judged, PlacementContext};
use tetrion_players::features::Feature;
use tetrion_study::opportunity::Mistakes;
use tetrion_study::stack::{HoleChange, Stacking, Well, hole_count};

/// A game hands over its rows when it has this many, and at its end.
const ROWS_AT_A_TIME: usize = 8_192;
/// Games pause while more rows than this wait for an earlier game.
const MAX_WAITING_ROWS: usize = 1 << 17;

/// Writes the placements of games into one file and their results into another.
///
/// Games are numbered from 0. They may be recorded on several threads, if each is begun before any later one.
pub struct Recorder {
    more: MoreColumns,
    paths: RecordedFiles,
    state: Mutex<State>,
    turn_changed: Condvar,
}

/// The files of a recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedFiles {
    /// One row for each placement.
    pub placements: PathBuf,
    /// One row for each game.
    pub games: PathBuf,
}

impl RecordedFiles {
    /// The file of the games is named after that of the placements: `NAME-games.parquet`.
    pub fn of(placements: &Path) -> RecordedFiles {
        let mut name = placements.file_stem().unwrap_or_default().to_owned();
        name.push("-games.");
        name.push(placements.extension().unwrap_or_default());
        RecordedFiles { placements: placements.to_owned(), games: placements.with_file_name(name) }
    }
}

/// What a recording holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recorded {
    /// The files.
    pub files: RecordedFiles,
    /// The rows of the first.
    pub placements: u64,
    /// The rows of the second.
    pub games: u64,
}

struct State {
    /// The first game that is not over.
    turn: u64,
    /// What later games have handed over.
    waiting: BTreeMap<u64, Part>,
    waiting_rows: usize,
    placements: TableWriter<PlacementRow>,
    games: TableWriter<GameRow>,
    /// The first error. Nothing is written after it.
    error: Option<WriteError>,
}

/// A part of a game.
struct Part {
    rows: Vec<PlacementRow>,
    end: Option<End>,
}

/// How the recording of a game ended.
enum End {
    Finished(GameRow),
    /// It was stopped. `None` if nothing of it was handed over before: then it is left out.
    Abandoned(Option<GameRow>),
}

impl Recorder {
    /// Starts both files.
    pub fn create(path: &Path, more: MoreColumns) -> Result<Recorder, WriteError> {
        let paths = RecordedFiles::of(path);
        let state = State {
            turn: 0,
            waiting: BTreeMap::new(),
            waiting_rows: 0,
            placements: TableWriter::create(&paths.placements, placements(more))?,
            games: TableWriter::create(&paths.games, games())?,
            error: None,
        };
        Ok(Recorder { more, paths, state: Mutex::new(state), turn_changed: Condvar::new() })
    }

    /// Which columns it records.
    pub fn columns(&self) -> MoreColumns {
        self.more
    }

    /// Begins to record a game, which is at its start.
    pub fn game(&self, identity: GameIdentity, game: &Game) -> GameLog<'_> {
        GameLog {
            recorder: self,
            identity: Arc::new(identity),
            board: *game.board(),
            streak: game.position().streak,
            rows: Vec::new(),
            totals: GameTotals::default(),
            so_far: game.result(),
            has_parts: false,
            is_over: false,
        }
    }

    /// Whether something could not be written. [`Recorder::finish`] says why; recording more games is useless.
    pub fn has_failed(&self) -> bool {
        self.lock().error.is_some()
    }

    /// Completes both files.
    pub fn finish(self) -> Result<Recorded, WriteError> {
        let State { placements, games, error, .. } =
            self.state.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(error) = error {
            return Err(error);
        }
        let recorded = Recorded { files: self.paths, placements: placements.rows(), games: games.rows() };
        placements.finish()?;
        games.finish()?;
        Ok(recorded)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // A thread that panicked while it wrote leaves rows out, but its run fails anyway.
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Takes a part of a game. If too much waits already, the caller waits until it is this game's turn.
    fn take(&self, game: u64, part: Part) {
        let mut state = self.lock();
        while state.turn != game && state.waiting_rows > MAX_WAITING_ROWS {
            state = self.turn_changed.wait(state).unwrap_or_else(|poisoned| poisoned.into_inner());
        }
        state.take(game, part);
        drop(state);
        self.turn_changed.notify_all();
    }
}

impl State {
    fn take(&mut self, game: u64, part: Part) {
        if game != self.turn {
            self.waiting_rows += part.rows.len();
            let waiting = self.waiting.entry(game).or_insert(Part { rows: Vec::new(), end: None });
            waiting.rows.extend(part.rows);
            waiting.end = part.end;
            return;
        }
        let mut next = Some(part);
        while let Some(Part { rows, end }) = next.take() {
            if self.error.is_none() {
                self.error = self.write(rows, &end).err();
            }
            if let Some(end) = end {
                if let (End::Finished(row) | End::Abandoned(Some(row)), None) = (end, &self.error) {
                    self.error = self.games.write(row).err();
                }
                self.turn += 1;
                next = self.waiting.remove(&self.turn);
                self.waiting_rows -= next.as_ref().map_or(0, |part| part.rows.len());
            }
        }
    }

    fn write(&mut self, rows: Vec<PlacementRow>, end: &Option<End>) -> Result<(), WriteError> {
        if matches!(end, Some(End::Abandoned(None))) {
            return Ok(());
        }
        rows.into_iter().try_for_each(|row| self.placements.write(row))
    }
}

/// The recording of one game. If it is dropped before the game is [finished](GameLog::finish), the game is left out. Only of a
/// game that is too long to be kept in memory, what is already in the file stays there, and the game counts as unfinished.
pub struct GameLog<'r> {
    recorder: &'r Recorder,
    identity: Arc<GameIdentity>,
    /// The board and the streak before the next placement.
    board: Board,
    streak: Streak,
    rows: Vec<PlacementRow>,
    totals: GameTotals,
    so_far: GameResult,
    /// Whether rows were handed over.
    has_parts: bool,
    is_over: bool,
}

impl GameLog<'_> {
    /// Adds a placement, given the game after it, and the agent's choice if it is known.
    pub fn add(&mut self, record: &PlacementRecord, game: &Game, choice: Option<Choice>) {
        // The piece that overflows a Classic board is not placed.
        if game.has_overflowed() {
            return;
        }
        let placement = record.placement;
        let hole_change = HoleChange::of(&self.board, placement);
        let clear = Clear { lines: record.lines, spin: placement.spin(), perfect: false };
        let features = self.recorder.more.features.then(|| Box::new(self.features(record)));
        self.totals.add(record, hole_change);
        self.totals.stacking.add(game.board());
        self.rows.push(PlacementRow {
            game: Arc::clone(&self.identity),
            record: *record,
            // The same clear without a streak scores no bonus.
            clear_points: game.rules().scoring.score(&mut Streak::default(), clear).points.clear,
            holes: hole_count(game.board()),
            hole_change,
            well: Well::of(game.board()),
            stacking: Stacking::of(game.board()),
            mistakes: Mistakes::of(&self.board, record, game.rules()),
            choice,
            features,
        });
        (self.board, self.streak, self.so_far) = (*game.board(), game.position().streak, game.result());
        if self.rows.len() == ROWS_AT_A_TIME {
            let rows = std::mem::take(&mut self.rows);
            self.recorder.take(self.identity.number, Part { rows, end: None });
            self.has_parts = true;
        }
    }

    fn features(&self, record: &PlacementRecord) -> FeatureValues {
        let rules = &self.identity.rules;
        let rest = Afterstate::at_rest(&self.board, rules);
        let context = PlacementContext { board: &self.board, streak: self.streak, pieces_left: None };
        let after = Afterstate::new(context, record.placement, Judged::AfterClearing, rules);
        FeatureValues {
            before: features_before().map(|feature| feature.value(&rest) as f32).collect(),
            after: after
                .map(|after| Feature::ALL.iter().map(|feature| feature.value(&after) as f32).collect()),
        }
    }

    /// Ends the recording with the game's result.
    pub fn finish(mut self, result: GameResult) {
        let end = End::Finished(self.row(result));
        self.end(end);
    }

    fn row(&self, result: GameResult) -> GameRow {
        GameRow { game: Arc::clone(&self.identity), result, totals: self.totals.clone() }
    }

    fn end(&mut self, end: End) {
        self.is_over = true;
        let rows = std::mem::take(&mut self.rows);
        self.recorder.take(self.identity.number, Part { rows, end: Some(end) });
    }
}

impl Drop for GameLog<'_> {
    fn drop(&mut self) {
        if self.is_over {
            return;
        }
        let row = self.has_parts.then(|| self.row(GameResult { outcome: None, ..self.so_far }));
        self.end(End::Abandoned(row));
    }
}
