//! What the score book keeps, and what it refuses, whatever the verifier says about a game.

use crate::common::{Site, dropped, person};
use futures_util::future::join_all;
use tempfile::TempDir;
use tetrion_engine::record::Outcome;
use tetrion_engine::replay::Replay;
use tetrion_engine::ruleset::{Mode, Ruleset};
use tetrion_leaderboard::{Category, Competitor, Day, Leaderboard};
use tetrion_server::ServerLimits;
use tetrion_server::book::{MAX_GAMES, MAX_GAMES_PER_PLAYER};
use tetrion_server::store::{AcceptedScore, ScoreStore, StoreError};
use tetrion_server::verify::ReplayedGame;

const SPRINT: Leaderboard = Leaderboard { category: Category::Sprint40, competitor: Competitor::Person };
const BLITZ: Leaderboard = Leaderboard { category: Category::Blitz, competitor: Competitor::Person };

fn store() -> (TempDir, ScoreStore) {
    let folder = tempfile::tempdir().unwrap();
    let store = ScoreStore::open(&folder.path().join("scores.sqlite")).unwrap();
    (folder, store)
}

fn blitz(seed: u64, player: &str) -> Replay {
    dropped(Ruleset::new(Mode::Blitz), seed, player)
}

/// Stores a game with a ticket and a mark.
async fn add(
    store: &ScoreStore,
    replay: &Replay,
    ticket: Option<u8>,
    unverified: Option<&str>,
) -> Result<AcceptedScore, StoreError> {
    let bytes = replay.to_bytes();
    let game = ReplayedGame::verify(&bytes).unwrap();
    let (ticket, unverified) = (ticket.map(|number| [number; 16]), unverified.map(str::to_owned));
    store.add(ReplayedGame { ticket, unverified, ..game }, bytes).await
}

#[tokio::test]
async fn the_leaderboard_of_a_daily_is_kept_for_thirty_days() {
    let (_folder, store) = store();
    let day = |days: u64| Day::at(days * 86_400);
    let games = |days| {
        let board = Leaderboard { category: Category::Daily(day(days)), competitor: Competitor::Person };
        store.best(board, true, 10).unwrap().len()
    };
    add(&store, &blitz(1, "Ada"), None, None).await.unwrap();
    for days in [20_000, 20_001, 20_030] {
        add(&store, &person(Mode::Sprint, day(days).seed(), "Ada", 500_000), None, None).await.unwrap();
    }
    assert_eq!([20_000, 20_001, 20_030].map(games), [0, 1, 1]);
    assert_eq!(store.best(BLITZ, true, 10).unwrap().len(), 1);
}

#[tokio::test]
async fn unverified_games_are_ranked_apart() {
    let (folder, store) = store();
    let fast = add(&store, &person(Mode::Sprint, 1, "Eve", 480_000), None, Some("too fast")).await.unwrap();
    let slow = add(&store, &person(Mode::Sprint, 2, "Ada", 600_000), None, None).await.unwrap();
    let other = add(&store, &person(Mode::Sprint, 3, "Eve", 540_000), None, Some("no ticket")).await.unwrap();
    assert_eq!((fast.rank, slow.rank, other.rank), (1, 1, 2));
    assert_eq!((fast.unverified.as_deref(), slow.unverified), (Some("too fast"), None));
    let marks = |verified| {
        let scores = store.best(SPRINT, verified, 10).unwrap();
        scores.into_iter().map(|score| (score.rank, score.id, score.unverified)).collect::<Vec<_>>()
    };
    assert_eq!(marks(true), [(1, slow.id, None)]);
    let apart = [(1, fast.id, Some("too fast".to_owned())), (2, other.id, Some("no ticket".to_owned()))];
    assert_eq!(marks(false), apart);

    drop(store);
    let site = Site::at(folder, ServerLimits::default());
    assert_eq!(site.ranking("sprint", "people").await, ["Ada"]);
    let listed = site.get("/api/scores?mode=sprint&by=people&unverified=true").await.json();
    assert_eq!(listed["scores"][0]["unverified"], "too fast");
    assert_eq!(listed["scores"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn a_ticket_is_good_for_one_game() {
    let (_folder, store) = store();
    let first = add(&store, &blitz(1, "Ada"), Some(1), None).await.unwrap();
    assert_eq!(add(&store, &blitz(2, "Ada"), Some(1), None).await, Err(StoreError::TicketUsed));
    assert_eq!(add(&store, &blitz(1, "Ada"), Some(1), None).await, Err(StoreError::Duplicate(first.id)));
    add(&store, &blitz(2, "Ada"), Some(2), None).await.unwrap();
    for seed in [3, 4] {
        add(&store, &blitz(seed, "Ada"), None, Some("no ticket")).await.unwrap();
    }
    assert_eq!(store.best(BLITZ, true, 10).unwrap().len(), 2);
}

/// A made-up Sprint of so many microseconds. Its replay is never read.
fn made_up(number: u64, player: &str, micros: u64) -> ReplayedGame {
    let mut digest = [0; 32];
    digest[..8].copy_from_slice(&number.to_le_bytes());
    ReplayedGame {
        seed: 1,
        inputs: Vec::new(),
        leaderboard: SPRINT,
        player: player.to_owned(),
        outcome: Outcome::Clear,
        micros: Some(micros),
        pieces: 100,
        lines: 40,
        score: 0,
        keys: Some(300),
        digest,
        ticket: None,
        unverified: None,
    }
}

#[tokio::test]
async fn a_leaderboard_keeps_its_best_games() {
    let (_folder, store) = store();
    let add = |number: u64, micros: u64| {
        store.add(made_up(number, &format!("player {}", number / 50), micros), vec![1; 300])
    };
    let full = join_all((0..MAX_GAMES as u64).map(|number| add(number, 1_000 + number))).await;
    assert!(full.iter().all(Result::is_ok));
    assert_eq!(add(20_000, 500_000).await, Err(StoreError::NotAmongBest));
    assert_eq!(
        add(20_001, 1_000 + MAX_GAMES as u64 - 1).await,
        Err(StoreError::NotAmongBest),
        "the earlier is ahead"
    );
    assert_eq!(add(20_002, 1).await.unwrap().rank, 1);
    let kept = store.best(SPRINT, true, 20_000).unwrap();
    assert_eq!(kept.len() as i64, MAX_GAMES);
    assert_eq!(kept.last().unwrap().micros, Some(1_000 + MAX_GAMES - 2), "the last one has left");

    let mut apart = made_up(20_003, "Eve", 900_000);
    apart.unverified = Some("no ticket".to_owned());
    assert_eq!(store.add(apart, vec![1]).await.unwrap().rank, 1, "those ranked apart have room of their own");
}

#[tokio::test]
async fn a_leaderboard_keeps_the_best_games_of_each_player() {
    let (_folder, store) = store();
    let add = |number: u64, player, micros: u64| store.add(made_up(number, player, micros), vec![1]);
    for number in 0..MAX_GAMES_PER_PLAYER as u64 {
        add(number, "Ada", 1_000 + number).await.unwrap();
    }
    assert_eq!(add(200, "Ada", 5_000).await, Err(StoreError::NotAmongOwnBest));
    assert_eq!(add(201, "Eve", 5_000).await.unwrap().rank, MAX_GAMES_PER_PLAYER + 1);
    assert_eq!(add(202, "Ada", 1).await.unwrap().rank, 1);
    let kept = store.best(SPRINT, true, 1_000).unwrap();
    assert_eq!(kept.iter().filter(|score| score.player == "Ada").count() as i64, MAX_GAMES_PER_PLAYER);
    assert!(!kept.iter().any(|score| score.micros == Some(1_000 + MAX_GAMES_PER_PLAYER - 1)));
    assert_eq!(add(200, "Ada", 500).await.unwrap().rank, 2, "a game that was not kept may come again");
}
