//! Score books of every version are brought to the newest one, and nothing is lost.
//!
//! The programs of their time wrote the files in `books`. They never change. When there is a new version, add a book of the
//! version before it.

use crate::common::Site;
use rusqlite::Connection;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use tetrion_engine::replay::Replay;
use tetrion_server::ServerLimits;
use tetrion_server::book::{Book, import};
use tetrion_server::store::ScoreStore;

/// Books of version 1: of the first program, with replays of version 2, and of the last one, with replays of version 3.
const BOOKS: [&str; 2] = ["version-1-first.sqlite", "version-1-last.sqlite"];

fn copy_of(book: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scores.sqlite");
    fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/books").join(book), &path).unwrap();
    (folder, path)
}

/// What a migration keeps of each score.
type Kept = (i64, String, String, String, Option<i64>, i64, i64, i64, Vec<u8>);

fn scores(path: &Path) -> Vec<Kept> {
    let connection = Connection::open(path).unwrap();
    let sql = "SELECT id, mode, played_by, player, micros, pieces, score, at, replay FROM score ORDER BY id";
    let mut query = connection.prepare(sql).unwrap();
    let rows = query.query_map([], |row| {
        Ok((
            row.get(0)?,
            row.get(1)?,
            row.get(2)?,
            row.get(3)?,
            row.get(4)?,
            row.get(5)?,
            row.get(6)?,
            row.get(7)?,
            row.get(8)?,
        ))
    });
    rows.unwrap().map(Result::unwrap).collect()
}

fn version(path: &Path) -> i32 {
    Connection::open(path).unwrap().pragma_query_value(None, "user_version", |row| row.get(0)).unwrap()
}

fn marks(path: &Path) -> Vec<Option<String>> {
    let connection = Connection::open(path).unwrap();
    let mut query = connection.prepare("SELECT unverified FROM score ORDER BY id").unwrap();
    query.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

#[tokio::test]
async fn every_score_of_an_old_book_is_kept_and_games_of_people_are_ranked_apart() {
    for book in BOOKS {
        let (folder, path) = copy_of(book);
        let before = scores(&path);
        assert_eq!((version(&path), before.len()), (1, 9), "{book}");
        let site = Site::at(folder, ServerLimits::default());
        assert_eq!(site.ranking("sprint", "agents").await, ["capstone", "capstone"]);
        assert!(site.ranking("sprint", "people").await.is_empty());
        let apart = site.get("/api/scores?mode=sprint&by=people&unverified=true").await.json();
        assert_eq!(apart["scores"][0]["player"], "Eve");
        assert_eq!(apart["scores"][0]["unverified"], "played before this server gave tickets");
        for (.., replay) in &before {
            site.post("/api/scores", replay.clone()).await.refuses(409, "already");
        }
        assert_eq!(scores(&path), before, "{book}");
        assert_eq!(version(&path), 2);

        // Which games are the same did not depend on hold any more.
        let people = Some("played before this server gave tickets".to_owned());
        let same = Some("the same placements as score 8".to_owned());
        let [p, q, r, s] = [&people; 4].map(Clone::clone);
        assert_eq!(marks(&path), [p, q, r, s, None, None, None, None, same], "{book}");
        let book = Book::read(&path).unwrap();
        assert_eq!(book.damage().unwrap(), [""; 0]);
        let verified = book.verify(|| ()).unwrap();
        assert_eq!((verified.games, verified.wrong.len()), (9, 0));

        let copy = path.with_file_name("scores-version-1.sqlite");
        assert_eq!((version(&copy), scores(&copy)), (1, before));
        fs::remove_file(&copy).unwrap();
        let _site = site.restarted();
        assert!(!copy.exists(), "a book is migrated once");
    }
}

#[test]
fn a_game_whose_replay_does_not_verify_any_more_is_ranked_apart() {
    let (_folder, path) = copy_of(BOOKS[0]);
    let change = |id: i64, change: &dyn Fn(&mut Vec<u8>)| {
        let connection = Connection::open(&path).unwrap();
        let replay = connection.query_row("SELECT replay FROM score WHERE id = ?1", [id], |row| row.get(0));
        let mut replay: Vec<u8> = replay.unwrap();
        change(&mut replay);
        connection.execute("UPDATE score SET replay = ?2 WHERE id = ?1", (id, replay)).unwrap();
    };
    change(5, &|replay| replay[60] ^= 1);
    change(6, &|bytes| {
        let mut replay = Replay::from_bytes(bytes).unwrap();
        replay.result.score += 1;
        *bytes = replay.to_bytes();
    });
    let before = scores(&path);
    drop(ScoreStore::open(&path).unwrap());
    assert_eq!(scores(&path), before);
    let gone = Some("its replay no longer verifies".to_owned());
    assert_eq!(marks(&path)[4..7], [gone.clone(), gone, None]);
    let verified = Book::read(&path).unwrap().verify(|| ()).unwrap();
    assert_eq!((verified.games, verified.known, verified.wrong.len()), (7, 2, 0));
}

#[test]
fn without_a_copy_nothing_is_migrated() {
    let (folder, path) = copy_of(BOOKS[0]);
    let before = scores(&path);
    fs::create_dir(folder.path().join("scores-version-1.sqlite")).unwrap();
    let error = ScoreStore::open(&path).unwrap_err().to_string();
    assert!(error.contains("scores-version-1.sqlite: it is a folder"), "{error}");
    assert_eq!((version(&path), scores(&path)), (1, before));
}

#[test]
fn a_damaged_book_of_an_earlier_version_is_not_migrated_but_can_be_exported() {
    let (folder, path) = copy_of(BOOKS[0]);
    let mut bytes = fs::read(&path).unwrap();
    let root: usize = {
        let connection = Connection::open(&path).unwrap();
        let sql = "SELECT rootpage FROM sqlite_schema WHERE name = 'ranking'";
        connection.query_row(sql, [], |row| row.get::<_, u32>(0)).unwrap() as usize
    };
    bytes[(root - 1) * 4096..root * 4096].fill(0);
    fs::write(&path, &bytes).unwrap();
    let error = ScoreStore::open(&path).unwrap_err().to_string();
    assert!(error.contains("is damaged") && error.contains("'tetrion book export'"), "{error}");
    assert!(!folder.path().join("scores-version-1.sqlite").exists());

    let mut lines = Vec::new();
    assert_eq!(
        Book::read(&path).unwrap().export(&mut lines, || ()).unwrap(),
        [""; 0],
        "only an index is damaged"
    );
    let other = folder.path().join("other.sqlite");
    let imported = import(&other, lines.as_slice(), || ()).unwrap();
    assert_eq!(
        (imported.added, imported.known),
        (8, 1),
        "the last game differs from another in the use of hold only"
    );
    let people = Some("played before this server gave tickets".to_owned());
    assert_eq!(marks(&other).iter().filter(|mark| **mark == people).count(), 4);
}
