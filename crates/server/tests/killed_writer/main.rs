//! What is left of the score book if the server dies while it writes, at each moment at which it waits for the disk.
//!
//! A child process stores games on a [disk] that fails. It says which games were acknowledged, until it is killed.
#![cfg(unix)]
#![allow(clippy::unwrap_used)]

#[path = "../common/mod.rs"]
mod common;
mod disk;

use common::{dropped, person};
use disk::Failure;
use std::env;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Output};
use tetrion_engine::replay::Replay;
use tetrion_engine::ruleset::{Mode, Ruleset};
use tetrion_server::book::Book;
use tetrion_server::store::ScoreStore;
use tetrion_server::verify::ReplayedGame;

/// The child's book, its failure and the number of the sync that fails.
const CHILD: &str = "TETRION_TEST_CHILD";
const SIGKILL: i32 = 9;

/// Games for each of two runs of a server. The last game of a run takes several pages.
fn runs() -> Vec<Vec<Replay>> {
    let small = |seed| dropped(Ruleset::new(Mode::Blitz), seed, "Ada");
    let large = |seed| person(Mode::Blitz, seed, "Eve", 500_000);
    (0..2).map(|run| vec![small(10 * run), small(10 * run + 1), large(10 * run + 2)]).collect()
}

async fn add(store: &ScoreStore, replay: &Replay) {
    let bytes = replay.to_bytes();
    store.add(ReplayedGame::verify(&bytes).unwrap(), bytes).await.unwrap();
}

/// Stores all games. When a store closes, SQLite copies its log to the book.
async fn write_games(path: &Path) {
    for games in runs() {
        let store = ScoreStore::open(path).unwrap();
        for game in &games {
            add(&store, game).await;
            eprintln!("acknowledged");
        }
    }
}

fn run_child(path: &Path, failure: Failure, at_sync: u32) -> Output {
    let name = "acknowledged_games_survive_at_every_sync";
    Command::new(env::current_exe().unwrap())
        .args(["--exact", name, "--nocapture"])
        .env(CHILD, format!("{}\n{failure:?}\n{at_sync}", path.display()))
        .output()
        .unwrap()
}

/// Opens the book, and returns how many games are in it. They must be the first ones, in their order and unchanged.
async fn recovered(path: &Path, games: &[Replay], case: &str) -> usize {
    let store = ScoreStore::open(path).unwrap_or_else(|error| panic!("{case}: {error}"));
    let kept = (1..).map_while(|id| store.replay(id).unwrap()).collect::<Vec<_>>();
    for (index, replay) in kept.iter().enumerate() {
        assert!(*replay == games[index].to_bytes(), "{case}: game {index} has changed");
    }
    // It can be written to.
    add(&store, &dropped(Ruleset::new(Mode::Blitz), 100, "Bob")).await;
    drop(store);
    let book = Book::read(path).unwrap();
    assert_eq!(book.damage().unwrap(), [""; 0], "{case}");
    assert_eq!(book.games().unwrap(), kept.len() as u64 + 1, "{case}");
    kept.len()
}

#[tokio::test]
async fn acknowledged_games_survive_at_every_sync() {
    if let Ok(order) = env::var(CHILD) {
        let [path, failure, at_sync] = order.lines().collect::<Vec<_>>().try_into().unwrap();
        disk::fail(Failure::named(failure).unwrap(), at_sync.parse().unwrap());
        return write_games(Path::new(path)).await;
    }
    let games = runs().concat();
    for failure in [Failure::Lost, Failure::Torn, Failure::Kept] {
        let mut unacknowledged = 0;
        let mut syncs = 0;
        for at_sync in 1.. {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("scores.sqlite");
            let child = run_child(&path, failure, at_sync);
            let messages = String::from_utf8(child.stderr).unwrap();
            let acknowledged = messages.lines().filter(|line| *line == "acknowledged").count();
            let case = format!("{failure:?}, sync {at_sync}, {acknowledged} acknowledged");
            let kept = recovered(&path, &games, &case).await;
            assert!((acknowledged..=acknowledged + 1).contains(&kept), "{case}, {kept} kept");
            unacknowledged += kept - acknowledged;
            if child.status.success() {
                assert_eq!(acknowledged, games.len(), "{case}");
                break;
            }
            assert_eq!(child.status.signal(), Some(SIGKILL), "{case}: {messages}");
            syncs = at_sync as usize;
        }
        println!("{failure:?}: {syncs} syncs, {unacknowledged} games kept without being acknowledged");
        // Each game waits for the disk, and so does each run that closes.
        assert!(syncs > games.len() + runs().len(), "{failure:?}: only {syncs} syncs");
        // When the sync of a game fails, the game is in the log, but perhaps not on the disk.
        match failure {
            Failure::Kept => assert_eq!(unacknowledged, games.len()),
            Failure::Lost => assert_eq!(unacknowledged, 0),
            Failure::Torn => {}
        }
    }
}
