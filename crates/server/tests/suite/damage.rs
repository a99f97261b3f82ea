//! A damaged score book is refused at the start. If it is not, nothing is lost or wrong.

use crate::common::{agent, dropped, person};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use tetrion_engine::replay::Replay;
use tetrion_engine::ruleset::{Mode, Ruleset};
use tetrion_leaderboard::Leaderboard;
use tetrion_server::book::{Book, OpenError, Selection, remove};
use tetrion_server::store::{AcceptedScore, Score, ScoreStore};
use tetrion_server::verify::ReplayedGame;

const PAGE: usize = 4096;

async fn add(store: &ScoreStore, replay: &Replay) -> AcceptedScore {
    let bytes = replay.to_bytes();
    let game = ReplayedGame::verify(&bytes).unwrap();
    let unverified = (replay.player == "Eve").then(|| "no ticket".to_owned());
    let ticket = (replay.player == "Ada").then(|| u128::from(replay.seed).to_le_bytes());
    store.add(ReplayedGame { unverified, ticket, ..game }, bytes).await.unwrap()
}

/// Everything in a book: the scores as they are listed, each with its replay.
fn contents(store: &ScoreStore) -> Option<BTreeMap<i64, (Score, Vec<u8>)>> {
    let mut contents = BTreeMap::new();
    for leaderboard in Leaderboard::lasting() {
        for verified in [true, false] {
            for score in store.best(leaderboard, verified, 1_000).ok()? {
                let replay = store.replay(score.id).ok()??;
                contents.insert(score.id, (score, replay));
            }
        }
    }
    Some(contents)
}

/// A book with large and small games, indexes of several pages, and pages that are not used any more.
async fn book() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scores.sqlite");
    let store = ScoreStore::open(&path).unwrap();
    let mut gone = Vec::new();
    for seed in 0..60 {
        let player = ["Ada", "Eve", "Ada with a long name"][seed as usize % 3];
        add(&store, &dropped(Ruleset::new(Mode::Blitz), seed, player)).await;
        if seed % 30 == 0 {
            // More than fits into a page.
            add(&store, &person(Mode::Blitz, 1_000 + seed, player, 500_000)).await;
            add(&store, &agent(Ruleset::for_agents(Mode::Sprint), seed, "capstone")).await;
            gone.push(add(&store, &person(Mode::Blitz, 2_000 + seed, "gone", 500_000)).await.id);
        }
    }
    drop(store);
    remove(&path, &Selection::Ids(&gone)).unwrap();
    (folder, path)
}

/// Opens a copy of a book whose bytes were changed.
fn opened(bytes: &[u8]) -> (TempDir, Result<ScoreStore, OpenError>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scores.sqlite");
    fs::write(&path, bytes).unwrap();
    let store = ScoreStore::open(&path);
    (folder, store)
}

fn count(path: &Path, sql: &str) -> i64 {
    rusqlite::Connection::open(path).unwrap().query_row(sql, [], |row| row.get(0)).unwrap()
}

#[tokio::test]
async fn a_damaged_page_is_refused_at_the_start_or_does_no_harm() {
    let (_folder, path) = book().await;
    assert!(count(&path, "PRAGMA freelist_count") > 2);
    let whole = fs::read(&path).unwrap();
    let before = contents(&ScoreStore::open(&path).unwrap()).unwrap();
    assert!(before.values().any(|(_, replay)| replay.len() > PAGE));
    let pages = whole.len() / PAGE;
    assert!(pages > 20, "{pages} pages");
    let mut refused = 0;
    // The kind of page, how cells lie on it, a value somewhere, the end of a value, and most of the page.
    let damages = [0..1, 3..5, 12..14, 100..101, PAGE / 2..PAGE / 2 + 1, PAGE - 1..PAGE, 8..PAGE];
    for page in 0..pages {
        for place in &damages {
            let mut bytes = whole.clone();
            bytes[page * PAGE..][place.clone()].iter_mut().for_each(|byte| *byte ^= 0xa5);
            let (folder, store) = opened(&bytes);
            let Ok(store) = store else {
                refused += 1;
                continue;
            };
            let found = contents(&store);
            assert!(found.as_ref() == Some(&before), "page {page} of {pages}, {place:?}");
            let new = add(&store, &dropped(Ruleset::new(Mode::Blitz), 5_000, "Eve")).await;
            drop(store);
            let again = ScoreStore::open(&folder.path().join("scores.sqlite")).unwrap();
            let mut after = contents(&again).unwrap();
            assert!(after.remove(&new.id).is_some());
            assert!(after.keys().eq(before.keys()), "page {page} of {pages}, {place:?}");
        }
    }
    assert!(refused > 3 * pages, "{refused} of {} were refused", pages * damages.len());
}

#[tokio::test]
async fn a_changed_byte_in_a_replay_is_noticed_and_the_message_says_what_to_do() {
    let (_folder, path) = book().await;
    let replay = ScoreStore::open(&path).unwrap().replay(7).unwrap().unwrap();
    let mut bytes = fs::read(&path).unwrap();
    let at = bytes.windows(replay.len()).position(|part| part == replay).unwrap();
    bytes[at + replay.len() / 2] ^= 1;
    let (folder, refused) = opened(&bytes);
    let message = refused.unwrap_err().to_string();
    for words in ["score 7 has changed", "restore a backup", "'tetrion book export'", "'tetrion book import'"]
    {
        assert!(message.contains(words), "{message}");
    }
    let book = Book::read(&folder.path().join("scores.sqlite")).unwrap();
    assert_eq!(book.damage().unwrap(), ["score 7 has changed: its checksum does not match"]);
    let verified = book.verify(|| ()).unwrap();
    assert_eq!(verified.wrong.len(), 1);
    assert!(verified.wrong[0].contains("score 7") && verified.wrong[0].contains("checksum"));
}

#[tokio::test]
async fn what_is_left_of_a_damaged_book_can_be_saved() {
    let (_folder, path) = book().await;
    let whole = fs::read(&path).unwrap();
    let games = Book::read(&path).unwrap().games().unwrap();
    let replay = ScoreStore::open(&path).unwrap().replay(50).unwrap().unwrap();
    let at = whole.windows(replay.len()).position(|part| part == replay).unwrap();
    let mut bytes = whole;
    let page = at / PAGE * PAGE;
    bytes[page..page + PAGE].fill(0xff);
    let (folder, refused) = opened(&bytes);
    assert!(matches!(refused, Err(OpenError::Damaged { .. })), "{refused:?}");

    let book = Book::read(&folder.path().join("scores.sqlite")).unwrap();
    let mut lines = Vec::new();
    let damage = book.export(&mut lines, || ()).unwrap();
    assert!(damage.iter().any(|report| report.contains("can't be read")), "{damage:?}");
    let other = tempfile::tempdir().unwrap();
    let other = other.path().join("scores.sqlite");
    let imported = tetrion_server::book::import(&other, lines.as_slice(), || ()).unwrap();
    assert!(imported.added < games && imported.added + 30 > games, "{} of {games}", imported.added);
    assert_eq!(Book::read(&other).unwrap().damage().unwrap(), [""; 0]);
}
