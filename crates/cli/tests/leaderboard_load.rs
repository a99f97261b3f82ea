//! The leaderboards under load: 50 clients send 10,000 games, and the server is killed halfway.
#![cfg(unix)]
#![allow(clippy::unwrap_used)]

mod common;

use common::serving::{Client, Serving};
use common::stacked;
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc;
use std::thread;
use std::time::Instant;

const CLIENTS: usize = 50;
const GAMES: usize = 10_000;

fn replay(seed: u64) -> Vec<u8> {
    stacked(seed, &format!("agent {}", seed / 50))
}

/// What happened to a game that was sent.
enum Sent {
    /// The server stored it as score `id`.
    Acknowledged { game: usize, id: i64 },
    /// The server had it already.
    Known { game: usize },
    /// The server died, so the client does not know.
    Lost { game: usize },
}

/// 50 clients send games, always the next unsent one, until all are sent or the server dies. The channel reports each game at
/// once.
fn send(address: &str, games: &[usize], replays: &[Vec<u8>], hear: impl FnMut(Sent)) {
    let next = &AtomicUsize::new(0);
    let (told, news) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..CLIENTS {
            let told = told.clone();
            scope.spawn(move || {
                let Ok(mut client) = Client::connect(address) else { return };
                while let Some(&game) = games.get(next.fetch_add(1, Relaxed)) {
                    let Ok(answer) = client.post("/api/scores", &replays[game]) else {
                        return told.send(Sent::Lost { game }).unwrap();
                    };
                    let sent = match answer.status {
                        201 => Sent::Acknowledged { game, id: answer.json()["id"].as_i64().unwrap() },
                        409 => Sent::Known { game },
                        status => panic!("{status}: {}", answer.json()),
                    };
                    told.send(sent).unwrap();
                }
            });
        }
        drop(told);
        news.into_iter().for_each(hear);
    });
}

#[test]
fn every_acknowledged_score_is_there_once_after_a_kill_in_the_middle() {
    let folder = tempfile::tempdir().unwrap();
    let serve = || Serving::start(&["serve", "--port", "0"], folder.path());
    let replays: Vec<Vec<u8>> = (0..GAMES as u64).map(replay).collect();
    let mut acknowledged = HashMap::new();
    let mut lost = HashSet::new();
    let began = Instant::now();

    let serving = serve();
    let address = serving.address.clone();
    let mut serving = Some(serving);
    send(&address, &(0..GAMES).collect::<Vec<_>>(), &replays, |sent| match sent {
        Sent::Acknowledged { game, id } => {
            assert_eq!(acknowledged.insert(game, id), None);
            if acknowledged.len() == GAMES / 2 {
                serving.take().unwrap().kill();
            }
        }
        Sent::Known { game } => panic!("game {game} was sent for the first time"),
        Sent::Lost { game } => assert!(lost.insert(game)),
    });
    let (before, unknown) = (acknowledged.len(), lost.len());
    assert!(serving.is_none() && before < GAMES && unknown > 0);

    let serving = serve();
    let rest: Vec<usize> = (0..GAMES).filter(|game| !acknowledged.contains_key(game)).collect();
    let mut arrived = 0;
    send(&serving.address, &rest, &replays, |sent| match sent {
        Sent::Acknowledged { game, id } => assert_eq!(acknowledged.insert(game, id), None),
        Sent::Known { game } => {
            assert!(lost.contains(&game), "game {game} had not been sent");
            arrived += 1;
        }
        Sent::Lost { game } => panic!("the server went away at game {game}"),
    });
    let seconds = began.elapsed().as_secs_f64();

    let mut client = serving.client().unwrap();
    let listed = client.get(&format!("/api/scores?mode=blitz&by=agents&limit={GAMES}")).unwrap().json();
    let ids: HashSet<i64> =
        listed["scores"].as_array().unwrap().iter().filter_map(|score| score["id"].as_i64()).collect();
    assert_eq!(ids.len(), GAMES);
    let mut kept = |id: &i64| client.get(&format!("/api/scores/{id}/replay")).unwrap().body;
    for (game, id) in &acknowledged {
        assert!(ids.contains(id) && kept(id) == replays[*game], "score {id}, game {game}");
    }
    // 10,000 scores are listed. If they contain 10,000 different games, each game is there once.
    let all: HashSet<Vec<u8>> = ids.iter().map(kept).collect();
    assert!(replays.iter().all(|replay| all.contains(replay)));
    let known: Value = serving.client().unwrap().post("/api/scores", &replays[0]).unwrap().json();
    assert!(known["error"].as_str().unwrap().contains("already"));
    println!(
        "{GAMES} games from {CLIENTS} clients in {seconds:.1} s, {:.0} a second, the restart included; killed after \
         {before} acknowledgements, with {unknown} under way, of which {arrived} had arrived",
        GAMES as f64 / seconds
    );
}

#[test]
fn a_full_disk_is_told_and_what_was_acknowledged_stays() {
    let folder = tempfile::tempdir().unwrap();
    // No file may grow beyond 512 KiB.
    let script = "trap '' XFSZ; ulimit -f 512; exec \"$0\" serve --port 0";
    let mut limited = Command::new("bash");
    limited.args(["-c", script, env!("CARGO_BIN_EXE_tetrion")]).env("TETRION_DATA", folder.path());
    let serving = Serving::of(&mut limited);
    let mut client = serving.client().unwrap();
    let mut acknowledged = Vec::new();
    let refused = (0..).map(replay).find_map(|replay| {
        let answer = client.post("/api/scores", &replay).unwrap();
        if answer.status != 201 {
            return Some((replay, answer));
        }
        acknowledged.push((answer.json()["id"].clone(), replay));
        None
    });
    let (refused, answer) = refused.unwrap();
    assert_eq!(answer.status, 507, "{}", answer.json());
    assert!(answer.json()["error"].as_str().unwrap().contains("make room on the disk and send it again"));
    assert_eq!(client.get("/api/about").unwrap().status, 200);
    serving.kill();

    let serving = Serving::start(&["serve", "--port", "0"], folder.path());
    let mut client = serving.client().unwrap();
    assert!(!acknowledged.is_empty());
    for (id, replay) in acknowledged {
        assert!(client.get(&format!("/api/scores/{id}/replay")).unwrap().body == replay, "score {id}");
    }
    assert_eq!(client.post("/api/scores", &refused).unwrap().status, 201);
}
