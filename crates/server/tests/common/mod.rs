//! A server without a socket, and games to send to it.
#![allow(dead_code)]

pub mod socket;

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Method, Request, StatusCode};
use http_body_util::BodyExt;
use serde_json::Value;
use std::path::Path;
use tempfile::TempDir;
use tetrion_engine::clock::{Button, Clock, Handling};
use tetrion_engine::game::Game;
use tetrion_engine::replay::{Actions, Replay};
use tetrion_engine::ruleset::{Micros, Mode, Ruleset};
use tetrion_leaderboard::{COUNTDOWN, Category, Competitor};
use tetrion_players::{catalogue, typist};
use tetrion_server::office::{Ticket, TicketOffice, wall_time};
use tetrion_server::{Config, Server, ServerLimits, StartError};
use tower::ServiceExt;

/// A server's router, with a folder for its data.
pub struct Site {
    pub server: Server,
    pub router: Router,
    pub folder: TempDir,
}

/// An answer, read to its end.
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    /// It is a refusal with that status, whose reason holds these words.
    pub fn refuses(&self, status: u16, words: &str) {
        let text = String::from_utf8_lossy(&self.body);
        assert_eq!(self.status, status, "{text}");
        assert!(self.json()["error"].as_str().unwrap().contains(words), "{text}");
    }
}

pub fn open(data: &Path, limits: ServerLimits) -> Result<Server, StartError> {
    let host = "127.0.0.1".parse().unwrap();
    Server::start(Config { data: data.to_owned(), host, port: 0, public_url: None, log: None, limits })
}

impl Site {
    pub fn new(limits: ServerLimits) -> Site {
        Site::at(tempfile::tempdir().unwrap(), limits)
    }

    pub fn at(folder: TempDir, limits: ServerLimits) -> Site {
        let server = open(folder.path(), limits).unwrap();
        let router = server.router();
        Site { server, router, folder }
    }

    /// The same after the server has ended and started again.
    pub fn restarted(self) -> Site {
        let Site { server, router, folder } = self;
        drop((server, router));
        Site::at(folder, ServerLimits::default())
    }

    /// A request as the page makes it.
    pub fn request(&self, method: Method, path: &str, body: impl Into<Body>) -> Request<Body> {
        let host = self.server.address().to_string();
        Request::builder().method(method).uri(path).header("host", host).body(body.into()).unwrap()
    }

    pub async fn send(&self, request: Request<Body>) -> Answer {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (head, body) = response.into_parts();
        let body = body.collect().await.unwrap().to_bytes().to_vec();
        Answer { status: head.status, headers: head.headers, body }
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.send(self.request(Method::GET, path, Body::empty())).await
    }

    pub async fn post(&self, path: &str, body: impl Into<Body>) -> Answer {
        self.send(self.request(Method::POST, path, body)).await
    }

    /// Sends a replay as the page does: a game of a person with its ticket, right after its end.
    pub async fn post_replay(&self, replay: &Replay) -> Answer {
        self.post_untimed(replay, self.fitting_ticket(replay).as_deref()).await
    }

    /// The signed ticket of a person's game that has just ended. Games of agents have none.
    pub fn fitting_ticket(&self, replay: &Replay) -> Option<String> {
        let Actions::Inputs { end, .. } = replay.actions else { return None };
        let issued = wall_time() - end - COUNTDOWN - 500_000;
        // A game with other rules does not count, whatever its ticket.
        let category = Category::of(&replay.rules, replay.seed, Competitor::Person);
        let ticket = self.ticket(category.unwrap_or(Category::Sprint40));
        let ticket = Ticket { issued, seed: replay.seed, ..ticket };
        Some(self.office().sign(&ticket))
    }

    /// Sends a replay with any ticket.
    pub async fn post_untimed(&self, replay: &Replay, ticket: Option<&str>) -> Answer {
        let mut request = self.request(Method::POST, "/api/scores", replay.to_bytes());
        if let Some(ticket) = ticket {
            request.headers_mut().insert("tetrion-ticket", ticket.parse().unwrap());
        }
        self.send(request).await
    }

    /// The server's ticket office. With its key, tests can write tickets of any time.
    pub fn office(&self) -> TicketOffice {
        TicketOffice::open(&self.folder.path().join("tickets.key")).unwrap()
    }

    /// A ticket that is issued now.
    pub fn ticket(&self, category: Category) -> Ticket {
        self.office().issue(category, wall_time()).unwrap()
    }

    /// The players of a ranking, best first.
    pub async fn ranking(&self, mode: &str, by: &str) -> Vec<String> {
        let listed = self.get(&format!("/api/scores?mode={mode}&by={by}")).await.json();
        let scores = listed["scores"].as_array().unwrap();
        for (index, score) in scores.iter().enumerate() {
            assert_eq!((&score["rank"], &score["mode"]), (&(index + 1).into(), &mode.into()));
        }
        scores.iter().map(|score| score["player"].as_str().unwrap().to_owned()).collect()
    }
}

/// A person who drops pieces where they come, until there is no room.
pub fn dropped(rules: Ruleset, seed: u64, player: &str) -> Replay {
    let mut clock = Clock::new(Game::new(rules, seed).unwrap(), Handling::default());
    let (mut time, mut piece) = (0, 0);
    while clock.game().outcome().is_none() {
        time += typist::time_for(piece, 300_000);
        piece += 1;
        typist::tap(&mut clock, time, Button::HardDrop);
    }
    Replay::of_clock(&clock, seed, player)
}

/// An agent's game.
pub fn agent(rules: Ruleset, seed: u64, player: &str) -> Replay {
    let mut agent = catalogue::find("capstone").unwrap().agent(seed);
    let mut game = Game::new(rules, seed).unwrap();
    let mut moves = Vec::new();
    while game.outcome().is_none() {
        let play = agent.choose(&game.view().unwrap()).unwrap();
        game.play(play).unwrap();
        moves.push(play);
    }
    Replay::of_moves(&game, seed, player, moves)
}

/// A person who plays what an agent would.
pub fn person(mode: Mode, seed: u64, player: &str, mean: Micros) -> Replay {
    typist::play(Ruleset::new(mode), seed, player, mean)
}
