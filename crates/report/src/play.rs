//! Plays the games of a study into tables. A run that was played before is not played again.

use crate::study_file::{Run, StudyFile, StudyFileError};
use rayon::prelude::*;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tetrion::Player;
use tetrion_dataset::{GameIdentity, MoreColumns, RecordedFiles, Recorder, SCHEMA_VERSION, WriteError};
use tetrion_engine::game::{Game, Move};
use tetrion_engine::randomizer::game_seed;
use tetrion_engine::record::PlacementRecord;
use tetrion_engine::ruleset::Ruleset;
use tetrion_files::{FileError, OfFile};
use tetrion_players::monitor::Monitor;
use tetrion_players::play::{PlayGameError, PlayOptions, play_game};

/// The folder of a report.
#[derive(Clone, Debug)]
pub struct ReportFolder(pub PathBuf);

impl ReportFolder {
    /// The tables of a run.
    pub fn tables(&self, run: &Run) -> RecordedFiles {
        RecordedFiles::of(&self.data().join(format!("{}.parquet", run.slug())))
    }

    /// The folder of the tables.
    pub fn data(&self) -> PathBuf {
        self.0.join("data")
    }

    /// What a run's tables were made with. It is written after them.
    fn stamp(&self, run: &Run) -> PathBuf {
        self.data().join(format!("{}.json", run.slug()))
    }
}

/// Everything that the tables of a run depend on.
#[derive(Serialize)]
struct Stamp<'s> {
    program: &'static str,
    schema: u8,
    games: u64,
    seed: u64,
    run: &'s Run,
    rules: &'s Ruleset,
}

/// Why a study was not played.
#[derive(Debug, thiserror::Error)]
pub enum PlayStudyError {
    /// A run is not valid.
    #[error(transparent)]
    Study(#[from] StudyFileError),
    /// A table can't be written.
    #[error(transparent)]
    Table(#[from] WriteError),
    /// A file can't be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// An agent made an illegal move.
    #[error("run '{run}', game {game}: {error}")]
    Game {
        /// The run.
        run: String,
        /// The game's number.
        game: u64,
        /// Why.
        error: PlayGameError,
    },
    /// The monitor asked to stop.
    #[error("stopped")]
    Stopped,
}

/// Plays all runs that were not played yet. Calls `ended` after each game with the number of the run.
pub fn play(
    study: &StudyFile,
    folder: &ReportFolder,
    monitor: &Monitor,
    ended: impl Fn(usize) + Sync,
) -> Result<(), PlayStudyError> {
    std::fs::create_dir_all(folder.data()).of("create", &folder.data())?;
    for (number, run) in study.runs.iter().enumerate() {
        let player = run.player()?;
        let rules = run.rules(&player)?;
        let stamp = Stamp {
            program: env!("CARGO_PKG_VERSION"),
            schema: SCHEMA_VERSION,
            games: study.games,
            seed: study.seed,
            run,
            rules: &rules,
        };
        let stamp = serde_json::to_vec_pretty(&stamp).expect("a stamp can be written as JSON");
        if is_played(folder, run, &stamp) {
            (0..study.games).for_each(|_| ended(number));
            continue;
        }
        let job = RunJob { study, run, player: &player, rules: &Arc::new(rules.clone()), monitor };
        job.play(&folder.tables(run).placements, || ended(number))?;
        tetrion_files::write_whole(&folder.stamp(run), &stamp)?;
    }
    Ok(())
}

fn is_played(folder: &ReportFolder, run: &Run, stamp: &[u8]) -> bool {
    let RecordedFiles { placements, games } = folder.tables(run);
    let same = std::fs::read(folder.stamp(run)).is_ok_and(|found| found == stamp);
    same && [&placements, &games].into_iter().all(|path| path.exists())
}

/// A run that is being played.
struct RunJob<'j> {
    study: &'j StudyFile,
    run: &'j Run,
    player: &'j Player,
    rules: &'j Arc<Ruleset>,
    monitor: &'j Monitor,
}

impl RunJob<'_> {
    fn play(&self, path: &Path, ended: impl Fn() + Sync) -> Result<(), PlayStudyError> {
        let recorder = Recorder::create(path, MoreColumns::default())?;
        // Games begin in their order, so that the recording never waits for a game that has not begun.
        (0..self.study.games)
            .par_bridge()
            .try_for_each(|number| {
                self.play_one(number, &recorder)?;
                ended();
                if recorder.has_failed() { Err(PlayStudyError::Stopped) } else { Ok(()) }
            })
            .or_else(|error| if recorder.has_failed() { Ok(()) } else { Err(error) })?;
        recorder.finish()?;
        Ok(())
    }

    fn play_one(&self, number: u64, recorder: &Recorder) -> Result<(), PlayStudyError> {
        let seed = game_seed(self.study.seed, number);
        let mut game = Game::new(Ruleset::clone(self.rules), seed).expect("the rules were checked");
        let mut agent = self.run.agent(self.player, seed);
        let identity = GameIdentity {
            number,
            seed,
            agent: self.run.name.as_str().into(),
            rules: Arc::clone(self.rules),
        };
        let mut log = recorder.game(identity, &game);
        let mut add = |_: Move, record: &PlacementRecord, game: &Game| log.add(record, game, None);
        let mut options = PlayOptions {
            observers: vec![&mut add],
            count_keys: true,
            monitor: Some(self.monitor),
            ..PlayOptions::default()
        };
        match play_game(&mut game, agent.as_mut(), &mut options) {
            Ok(result) => {
                log.finish(result);
                Ok(())
            }
            Err(PlayGameError::Stopped) => Err(PlayStudyError::Stopped),
            Err(error) => Err(PlayStudyError::Game { run: self.run.name.clone(), game: number, error }),
        }
    }
}
