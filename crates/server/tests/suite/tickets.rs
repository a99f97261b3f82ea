//! Tickets: which games of people are verified, and which are set apart.

use crate::common::{self, Answer, Site, agent, dropped, person};
use serde_json::{Value, json};
use tetrion_engine::clock::{Button, Clock, Handling};
use tetrion_engine::game::Game;
use tetrion_engine::replay::{Actions, Replay};
use tetrion_engine::ruleset::{Micros, Mode, Ruleset};
use tetrion_leaderboard::{COUNTDOWN, Category, Competitor, Day, MAX_PAUSED, Seal};
use tetrion_players::typist;
use tetrion_server::ServerLimits;
use tetrion_server::office::{CLOCK_DRIFT, MAX_AGE, MAX_DELAY, MAX_PAUSES, Ticket, wall_time};

fn blitz(seed: u64) -> Replay {
    dropped(Ruleset::new(Mode::Blitz), seed, "Ada")
}

fn duration(replay: &Replay) -> Micros {
    let Actions::Inputs { end, .. } = replay.actions else { panic!() };
    end
}

/// A game counts, but is set apart for a reason with these words.
fn set_apart(answer: &Answer, words: &str) {
    let json = answer.json();
    assert_eq!(answer.status, 201, "{json}");
    assert!(json["unverified"].as_str().is_some_and(|reason| reason.contains(words)), "{json}");
}

fn verified(answer: &Answer) {
    assert_eq!(
        (answer.status.as_u16(), &answer.json()["unverified"]),
        (201, &Value::Null),
        "{}",
        answer.json()
    );
}

impl Site {
    /// Sends a game of a ticket that was issued so long before the game's start that it has waited `wait` after its end.
    async fn post_after(&self, replay: &Replay, wait: Micros, change: impl FnOnce(&mut Ticket)) -> Answer {
        let issued = wall_time() - duration(replay) - COUNTDOWN - wait;
        let mut ticket = Ticket { seed: replay.seed, issued, ..self.ticket(Category::Blitz) };
        change(&mut ticket);
        self.post_untimed(replay, Some(&self.office().sign(&ticket))).await
    }
}

#[tokio::test]
async fn a_ticket_is_issued_for_ranked_modes_with_a_seed() {
    let site = Site::new(ServerLimits::default());
    let issued = async || {
        let answer = site.post("/api/tickets", r#"{"mode": "blitz"}"#).await;
        assert_eq!(answer.status, 201);
        let ticket = site.office().read(answer.json()["ticket"].as_str().unwrap()).unwrap();
        assert_eq!(answer.json()["seed"], ticket.seed.to_string());
        assert_eq!((ticket.category, ticket.pauses.len()), (Category::Blitz, 0));
        ticket
    };
    let (one, other) = (issued().await, issued().await);
    assert_ne!((one.number, one.seed), (other.number, other.seed));
    for mode in ["practice", "golf", "sprint-30"] {
        let body = json!({ "mode": mode }).to_string();
        site.post("/api/tickets", body).await.refuses(422, "choose sprint (40 lines), sprint-20");
    }
    for body in ["", "{}", "[]", r#"{"mode": "blitz", "seed": 7}"#] {
        site.post("/api/tickets", body).await.refuses(400, r#"such as {"mode": "sprint"}"#);
    }
}

#[tokio::test]
async fn every_length_of_a_sprint_has_a_leaderboard_of_its_own() {
    let site = Site::new(ServerLimits::default());
    for (category, player) in Category::LASTING.into_iter().zip(["Ada", "Bea", "Cleo", "Dora", "Eve"]) {
        let replay = typist::play(category.rules(Competitor::Person), 1, player, 500_000);
        verified(&site.post_replay(&replay).await);
    }
    for (category, player) in Category::LASTING.into_iter().zip(["Ada", "Bea", "Cleo", "Dora", "Eve"]) {
        assert_eq!(site.ranking(&category.to_string(), "people").await, [player]);
    }
    // A ticket of one length is no good for another.
    let short = typist::play(Category::Sprint20.rules(Competitor::Person), 2, "Eve", 500_000);
    let issued = wall_time() - duration(&short) - COUNTDOWN;
    let ticket = Ticket { seed: 2, issued, ..site.ticket(Category::Sprint40) };
    let answer = site.post_untimed(&short, Some(&site.office().sign(&ticket))).await;
    set_apart(&answer, "for another game");
}

#[tokio::test]
async fn a_daily_has_the_pieces_of_the_day_and_counts_only_if_it_is_verified() {
    let site = Site::new(ServerLimits::default());
    let day = |ticket: &Ticket| Day::at(ticket.issued / 1_000_000);
    let answer = site.post("/api/tickets", r#"{"mode": "daily"}"#).await;
    let ticket = site.office().read(answer.json()["ticket"].as_str().unwrap()).unwrap();
    assert_eq!((answer.status.as_u16(), ticket.seed), (201, day(&ticket).seed()));
    assert_eq!(answer.json()["seed"], ticket.seed.to_string());
    let replay = person(Mode::Sprint, ticket.seed, "Ada", 500_000);
    let words = "a daily counts only if it is verified: the server did not deal its pieces";
    site.post_untimed(&replay, None).await.refuses(422, words);
    verified(&site.post_replay(&replay).await);
    let name = ticket.category.to_string();
    assert_eq!(site.ranking(&name, "people").await, ["Ada"]);
    assert!(site.ranking("sprint", "people").await.is_empty());
    // An agent's game with the pieces of a day is a Sprint like any other.
    let robot = agent(Ruleset::for_agents(Mode::Sprint), Day::at(0).seed(), "capstone");
    assert_eq!(site.post_replay(&robot).await.status, 201);
    assert_eq!(site.ranking("sprint", "agents").await, ["capstone"]);
    // No ticket is given for another day.
    let body = json!({ "mode": "daily-2020-02-29" }).to_string();
    site.post("/api/tickets", body).await.refuses(422, "only the daily of today");
}

#[tokio::test]
async fn a_game_that_fits_its_ticket_is_verified_and_the_ticket_is_used_up() {
    let site = Site::new(ServerLimits::default());
    let answer = site.post("/api/tickets", r#"{"mode": "sprint"}"#).await.json();
    let ticket = site.office().read(answer["ticket"].as_str().unwrap()).unwrap();
    let replay = person(Mode::Sprint, ticket.seed, "Ada", 500_000);
    // As if it had been issued before the game.
    let issued = ticket.issued - duration(&replay) - COUNTDOWN - 100_000;
    let text = site.office().sign(&Ticket { issued, ..ticket });
    verified(&site.post_untimed(&replay, Some(&text)).await);
    assert_eq!(site.ranking("sprint", "people").await, ["Ada"]);
    // A faster game with the same placements is no duplicate.
    let again = person(Mode::Sprint, replay.seed, "Ada", 450_000);
    site.post_untimed(&again, Some(&text)).await.refuses(409, "ticket");
    let site = site.restarted();
    site.post_untimed(&again, Some(&text)).await.refuses(409, "ticket");
}

#[tokio::test]
async fn a_game_without_a_ticket_of_its_own_is_set_apart() {
    let site = Site::new(ServerLimits::default());
    set_apart(&site.post_untimed(&blitz(1), None).await, "did not deal its pieces");
    for text in ["", "7", "zz", "00", &"0".repeat(5_000)] {
        let seed = 10 + text.len() as u64 + u64::from(text == "zz");
        set_apart(&site.post_untimed(&blitz(seed), Some(text)).await, "not from this server");
    }
    let elsewhere = Site::new(ServerLimits::default());
    let ticket = Ticket { seed: 2, ..elsewhere.ticket(Category::Blitz) };
    let foreign = elsewhere.office().sign(&ticket);
    set_apart(&site.post_untimed(&blitz(2), Some(&foreign)).await, "not from this server");
    let changed = site.office().sign(&ticket).replacen("02", "03", 1);
    set_apart(&site.post_untimed(&blitz(3), Some(&changed)).await, "not from this server");
    set_apart(&site.post_after(&blitz(4), 0, |ticket| ticket.seed += 1).await, "for another game");
    set_apart(
        &site.post_after(&blitz(5), 0, |ticket| ticket.category = Category::Sprint40).await,
        "for another game",
    );
    assert!(site.ranking("blitz", "people").await.is_empty());
    let apart = site.get("/api/scores?mode=blitz&by=people&unverified=true").await.json();
    assert_eq!(apart["scores"].as_array().unwrap().len(), 10);
}

#[tokio::test]
async fn the_time_that_a_game_claims_is_the_time_that_has_passed() {
    let site = Site::new(ServerLimits::default());
    verified(&site.post_after(&blitz(1), 0, |_| {}).await);
    verified(&site.post_after(&blitz(2), MAX_DELAY / 2, |_| {}).await);
    let fast = |ticket: &mut Ticket| ticket.issued += 2 * CLOCK_DRIFT + 1_000_000;
    set_apart(&site.post_after(&blitz(3), 0, fast).await, "longer than the time since it began");
    set_apart(
        &site.post_after(&blitz(4), 0, |ticket| ticket.issued = wall_time()).await,
        "longer than the time since it began",
    );
    set_apart(&site.post_after(&blitz(5), MAX_DELAY + 1, |_| {}).await, "s after its end");
    set_apart(&site.post_after(&blitz(6), MAX_AGE, |_| {}).await, "too long ago");
}

/// A pause after so many inputs of a game.
fn pause(replay: &Replay, inputs: usize, ticket: &mut Ticket, length: Micros) {
    let Actions::Inputs { inputs: all, .. } = &replay.actions else { panic!() };
    let at = all[inputs - 1].at;
    let from = ticket.issued + COUNTDOWN + at;
    ticket.pause(Seal::new(&all[..inputs], at), from).unwrap();
    ticket.resume(from + length).unwrap();
}

#[tokio::test]
async fn pauses_count_for_the_time_but_the_game_stands_still() {
    let site = Site::new(ServerLimits::default());
    let minute = 60_000_000;
    let pauses = |replay: &Replay, ticket: &mut Ticket| {
        pause(replay, 4, ticket, minute);
        pause(replay, 10, ticket, minute);
    };
    verified(&site.post_after(&blitz(1), 2 * minute, |ticket| pauses(&blitz(1), ticket)).await);
    // Without the pauses it is late.
    set_apart(&site.post_after(&blitz(2), 2 * minute, |_| {}).await, "after its end");
    // Together the pauses may take some time, but not more.
    let halves = |replay: &Replay, ticket: &mut Ticket, second: Micros| {
        pause(replay, 4, ticket, MAX_PAUSED / 2);
        pause(replay, 10, ticket, second);
    };
    let half = MAX_PAUSED / 2;
    verified(&site.post_after(&blitz(6), MAX_PAUSED, |ticket| halves(&blitz(6), ticket, half)).await);
    let longer = half + 1_000_000;
    let long = site.post_after(&blitz(7), half + longer, |ticket| halves(&blitz(7), ticket, longer)).await;
    set_apart(&long, "paused for 301.0 s in total, and 300 s");
    // What was sealed is not what the game began with.
    let replay = blitz(3);
    let Actions::Inputs { inputs, .. } = &replay.actions else { panic!() };
    let played_on = |ticket: &mut Ticket| {
        let from = ticket.issued + COUNTDOWN + inputs[5].at;
        ticket.pause(Seal::new(&inputs[..4], inputs[5].at), from).unwrap();
        ticket.resume(from + minute).unwrap();
    };
    set_apart(&site.post_after(&replay, minute, played_on).await, "went on during a pause");
    // Still paused.
    let open = |ticket: &mut Ticket| ticket.pause(Seal::new(&[], 0), ticket.issued).unwrap();
    set_apart(&site.post_after(&blitz(4), 0, open).await, "paused");
    // A pause in the countdown starts it again.
    let in_countdown = |ticket: &mut Ticket| {
        let from = ticket.issued + COUNTDOWN;
        ticket.pause(Seal::new(&[], 0), from).unwrap();
        ticket.resume(from + minute).unwrap();
    };
    verified(&site.post_after(&blitz(5), COUNTDOWN + minute, in_countdown).await);
}

#[tokio::test]
async fn the_page_pauses_and_resumes_with_its_ticket() {
    let site = Site::new(ServerLimits::default());
    let ticket = site.post("/api/tickets", r#"{"mode": "blitz"}"#).await.json()["ticket"].clone();
    let Seal { micros, inputs, digest } = Seal::new(&[], 7);
    let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    let pause = |ticket: &Value| {
        json!({ "ticket": ticket, "micros": micros, "inputs": inputs, "digest": hex }).to_string()
    };
    let resume = |ticket: &Value| json!({ "ticket": ticket }).to_string();
    site.post("/api/tickets/resume", resume(&ticket)).await.refuses(409, "not paused");
    let mut ticket = ticket;
    for _ in 0..MAX_PAUSES {
        let paused = site.post("/api/tickets/pause", pause(&ticket)).await.json()["ticket"].clone();
        site.post("/api/tickets/pause", pause(&paused)).await.refuses(409, "already paused");
        ticket = site.post("/api/tickets/resume", resume(&paused)).await.json()["ticket"].clone();
    }
    site.post("/api/tickets/pause", pause(&ticket)).await.refuses(409, "at most 10 pauses");
    let read = site.office().read(ticket.as_str().unwrap()).unwrap();
    assert_eq!(read.pauses.len(), MAX_PAUSES);
    assert!(read.pauses.iter().all(|pause| pause.until >= Some(pause.from) && pause.seal.micros == 7));
    site.post("/api/tickets/pause", pause(&"beef".into())).await.refuses(422, "not from this server");
    site.post("/api/tickets/resume", resume(&"beef".into())).await.refuses(422, "not from this server");
    let short = json!({ "ticket": ticket, "micros": 1, "inputs": 1, "digest": "ab" }).to_string();
    site.post("/api/tickets/pause", short).await.refuses(400, "64 hexadecimal digits");
    site.post("/api/tickets/resume", "{}").await.refuses(400, "missing field");
}

#[tokio::test]
async fn games_that_no_hand_can_play_are_set_apart() {
    let site = Site::new(ServerLimits::default());
    let timed = |seed: u64, gap: &dyn Fn(u64) -> Micros, hold: Micros| {
        let rules = Ruleset::new(Mode::Blitz);
        let mut clock = Clock::new(Game::new(rules, seed).unwrap(), Handling::default());
        let (mut time, mut piece) = (0, 0);
        while clock.game().outcome().is_none() {
            time += gap(piece);
            piece += 1;
            // Left and right again, so that there are enough keys to judge by.
            for button in [Button::Left, Button::Right, Button::HardDrop] {
                clock.button_down(time, button);
                time += hold;
                clock.button_up(time, button);
                time += hold;
            }
        }
        Replay::of_clock(&clock, seed, "Eve")
    };
    set_apart(&site.post_replay(&timed(1, &|_| 0, 0)).await, "pieces per second");
    set_apart(&site.post_replay(&timed(2, &|_| 300_000, 0)).await, "within a millisecond");
    set_apart(
        &site.post_replay(&timed(3, &|piece| 200_000 + piece % 3 * 90_000, 2_000)).await,
        "released within",
    );
    set_apart(&site.post_replay(&timed(4, &|_| 0, 60_000)).await, "regularly");
    verified(&site.post_replay(&timed(5, &|piece| 200_000 + piece % 3 * 90_000, 30_000)).await);
}

#[tokio::test]
async fn agents_need_no_ticket() {
    let site = Site::new(ServerLimits::default());
    let game = agent(Ruleset::for_agents(Mode::Sprint), 1, "capstone");
    verified(&site.post_untimed(&game, None).await);
    assert_eq!(site.ranking("sprint", "agents").await, ["capstone"]);
}

#[test]
fn a_key_that_is_none_is_left_alone_and_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tickets.key");
    std::fs::write(&file, "short").unwrap();
    let message = common::open(folder.path(), ServerLimits::default()).err().unwrap().to_string();
    assert!(message.contains("tickets.key") && message.contains("delete it"), "{message}");
    assert_eq!(std::fs::read(&file).unwrap(), b"short");
}
