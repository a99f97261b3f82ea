//! What a power failure leaves of the score book.
//!
//! SQLite appends each transaction to a second file, the write-ahead log, and syncs it before the transaction counts as
//! committed. Later it copies the pages to the book (a checkpoint) and syncs that before it starts the log anew. So if the power
//! fails, everything up to the last acknowledged transaction is in the log as it was written. What was written after it may be
//! there or not, in any order, or be garbage. The tests build such files.

use crate::common::{dropped, person};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use tetrion_engine::replay::Replay;
use tetrion_engine::ruleset::{Mode, Ruleset};
use tetrion_leaderboard::{Category, Competitor, Leaderboard};
use tetrion_server::book::Book;
use tetrion_server::store::ScoreStore;
use tetrion_server::verify::ReplayedGame;

const BLITZ: Leaderboard = Leaderboard { category: Category::Blitz, competitor: Competitor::Person };

/// The bytes of a book and of its log.
#[derive(Clone)]
struct Files {
    book: Vec<u8>,
    log: Vec<u8>,
}

fn log_of(path: &Path) -> PathBuf {
    path.with_file_name("scores.sqlite-wal")
}

impl Files {
    fn read(path: &Path) -> Files {
        Files { book: fs::read(path).unwrap(), log: fs::read(log_of(path)).unwrap_or_default() }
    }

    /// The same files on a machine that has just started.
    fn write(&self) -> (TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("scores.sqlite");
        fs::write(&path, &self.book).unwrap();
        fs::write(log_of(&path), &self.log).unwrap();
        (folder, path)
    }
}

/// Small games, and some that take several pages.
fn games() -> Vec<Replay> {
    let small = (0..12).map(|seed| dropped(Ruleset::new(Mode::Blitz), seed, "Ada"));
    let large = (12..16).map(|seed| person(Mode::Blitz, seed, "Eve", 500_000));
    let mut games: Vec<Replay> = small.chain(large).collect();
    games.sort_by_key(|game| game.seed % 4);
    games
}

async fn add(store: &ScoreStore, replay: &Replay) -> i64 {
    let bytes = replay.to_bytes();
    store.add(ReplayedGame::verify(&bytes).unwrap(), bytes).await.unwrap().id
}

/// Opens the book, checks that the first `acknowledged` games are there and the others whole or absent, and adds one more.
async fn assert_recovers(files: &Files, games: &[Replay], acknowledged: usize, case: &str) {
    let (_folder, path) = files.write();
    let store = ScoreStore::open(&path).unwrap_or_else(|error| panic!("{case}: {error}"));
    for (index, game) in games.iter().enumerate() {
        let found = store.replay(index as i64 + 1).unwrap();
        let whole = found.as_ref() == Some(&game.to_bytes());
        assert!(whole || (found.is_none() && index >= acknowledged), "{case}: game {index}");
    }
    let kept = store.best(BLITZ, true, 100).unwrap().len();
    assert!((acknowledged..=games.len()).contains(&kept), "{case}: {kept} games");
    add(&store, &dropped(Ruleset::new(Mode::Blitz), 100, "Bob")).await;
    drop(store);
    let book = Book::read(&path).unwrap();
    assert_eq!(book.damage().unwrap(), [""; 0], "{case}");
    assert_eq!(book.games().unwrap(), kept as u64 + 1, "{case}");
}

#[tokio::test]
async fn whatever_happens_to_the_unsynced_end_of_the_log_acknowledged_games_are_there() {
    let games = games();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scores.sqlite");
    let store = ScoreStore::open(&path).unwrap();
    let mut lengths = Vec::new();
    for (index, game) in games.iter().enumerate() {
        assert_eq!(add(&store, game).await, index as i64 + 1);
        lengths.push(fs::metadata(log_of(&path)).unwrap().len() as usize);
    }
    let files = Files::read(&path);
    assert!(lengths.is_sorted(), "no checkpoint has happened: {lengths:?}");
    assert_eq!(lengths.last(), Some(&files.log.len()));
    for (acknowledged, &synced) in (1..).zip(&lengths) {
        let case = |what: &str, at: usize| format!("{acknowledged} acknowledged, {what} at {at} of {synced}");
        // The log ends anywhere: at the synced part, within the next frame, frames later.
        for cut in [synced, synced + 1, synced + 24, synced + 4_000, synced + 9_999, synced + 30_000] {
            let cut = cut.min(files.log.len());
            let log = files.log[..cut].to_vec();
            assert_recovers(&Files { log, ..files.clone() }, &games, acknowledged, &case("cut", cut)).await;
            // Its length arrived on the disk, but its contents did not.
            let mut blank = files.log.clone();
            blank[cut..].fill(0);
            assert_recovers(
                &Files { log: blank, ..files.clone() },
                &games,
                acknowledged,
                &case("blank", cut),
            )
            .await;
        }
        // A block in the middle did not arrive, although later ones did.
        let mut torn = files.log.clone();
        torn[synced..].iter_mut().take(512).for_each(|byte| *byte ^= 0x5a);
        assert_recovers(&Files { log: torn, ..files.clone() }, &games, acknowledged, &case("torn", synced))
            .await;
    }
}

#[tokio::test]
async fn a_checkpoint_that_was_cut_off_does_no_harm() {
    let games = games();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scores.sqlite");
    let store = ScoreStore::open(&path).unwrap();
    for game in &games {
        add(&store, game).await;
    }
    let before = Files::read(&path);
    // The last connection copies the log to the book when it closes.
    drop(store);
    let after = fs::read(&path).unwrap();
    assert!(!log_of(&path).exists() && after.len() > before.book.len());
    for block in [512, 4_096] {
        for kept in 0..4 {
            // Some blocks arrived and some did not, and one that was being written is garbage.
            let mut book = after.clone();
            for (index, part) in book.chunks_mut(block).enumerate().filter(|(index, _)| index % 4 != kept) {
                match before.book.get(index * block..index * block + part.len()) {
                    Some(old) => part.copy_from_slice(old),
                    None => part.fill(0x5a),
                }
            }
            let files = Files { book, log: before.log.clone() };
            assert_recovers(&files, &games, games.len(), &format!("blocks of {block}, {kept}")).await;
        }
    }
}

#[test]
fn a_migration_that_was_cut_off_starts_again() {
    let old = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/books/version-1-last.sqlite");
    let (_folder, path) = Files { book: fs::read(&old).unwrap(), log: Vec::new() }.write();
    let store = ScoreStore::open(&path).unwrap();
    let after = Files::read(&path);
    drop(store);
    for cut in [0, 24, 32, 5_000, after.log.len() / 2, after.log.len() - 1] {
        let (_folder, path) = Files { log: after.log[..cut].to_vec(), ..after.clone() }.write();
        assert_eq!(Book::read(&path).unwrap().games().unwrap(), 9, "cut at {cut}");
        drop(ScoreStore::open(&path).unwrap_or_else(|error| panic!("cut at {cut}: {error}")));
        let book = Book::read(&path).unwrap();
        assert_eq!((book.games().unwrap(), book.damage().unwrap()), (9, Vec::new()), "cut at {cut}");
        assert!(path.with_file_name("scores-version-1.sqlite").exists(), "cut at {cut}");
    }
}
