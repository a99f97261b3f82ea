//! Which scores are taken, which are refused and why, and how they are ranked.

use crate::common::{Site, agent, dropped, open, person};
use axum::http::header::RETRY_AFTER;
use futures_util::future::join_all;
use std::fs;
use tetrion_engine::clock::{Action, Button, Clock, Handling, Input};
use tetrion_engine::game::{Game, Move};
use tetrion_engine::moves::Movement;
use tetrion_engine::replay::{Actions, Replay};
use tetrion_engine::ruleset::{Goal, Mode, Ruleset};
use tetrion_server::ServerLimits;

fn blitz(seed: u64, player: &str) -> Replay {
    dropped(Ruleset::new(Mode::Blitz), seed, player)
}

#[tokio::test]
async fn a_true_game_is_kept_with_its_replay() {
    let site = Site::new(ServerLimits::default());
    let replay = blitz(1, "Ada");
    let answer = site.post_replay(&replay).await;
    assert_eq!((answer.status.as_u16(), answer.json()["rank"].as_i64()), (201, Some(1)));
    let id = answer.json()["id"].as_i64().unwrap();
    let listed = site.get("/api/scores?mode=blitz&by=people&limit=1").await.json();
    let score = &listed["scores"][0];
    assert_eq!(score["id"], id);
    assert_eq!((&score["player"], &score["by"]), (&"Ada".into(), &"person".into()));
    assert_eq!((&score["outcome"], &score["pieces"]), (&"top_out".into(), &replay.result.pieces.into()));
    assert_eq!(
        (&score["keys"], &score["score"]),
        (&replay.result.pieces.into(), &replay.result.score.into())
    );
    let Actions::Inputs { end, .. } = replay.actions else { panic!() };
    assert_eq!((score["micros"].as_u64(), &score["unverified"]), (Some(end), &serde_json::Value::Null));
    assert!(score["at"].as_i64() > Some(1_700_000_000));
    assert_eq!(site.get(&format!("/api/scores/{id}/replay")).await.body, replay.to_bytes());
    site.get("/api/scores/999/replay").await.refuses(404, "no such score");
    for id in ["one", "%ff", "-1", "1.0"] {
        site.get(&format!("/api/scores/{id}/replay")).await.refuses(404, "whole numbers");
    }
}

#[tokio::test]
async fn what_is_no_replay_is_refused() {
    let site = Site::new(ServerLimits::default());
    let whole = blitz(1, "Ada").to_bytes();
    site.post("/api/scores", "").await.refuses(400, "not a Tetrion replay");
    site.post("/api/scores", "a fine score of 9000").await.refuses(400, "not a Tetrion replay");
    for length in [8, whole.len() / 2, whole.len() - 1] {
        site.post("/api/scores", whole[..length].to_vec()).await.refuses(400, "cut off");
    }
    let mut damaged = whole.clone();
    damaged[whole.len() / 2] ^= 1;
    site.post("/api/scores", damaged).await.refuses(400, "checksum");
    let mut newer = whole;
    newer[7] = 99;
    site.post("/api/scores", newer).await.refuses(400, "version 99");
    site.post("/api/scores", vec![0; (1 << 20) + 1]).await.refuses(413, "at most 1048576 bytes");
    assert!(site.ranking("blitz", "people").await.is_empty());
}

#[tokio::test]
async fn a_forged_result_is_found_out() {
    let site = Site::new(ServerLimits::default());
    let honest = blitz(1, "Eve");
    let mut forged = honest.clone();
    forged.result.score += 1;
    let answer = site.post_replay(&forged).await;
    answer.refuses(422, "does not verify: the recorded result is not the one that replaying gives");
    let text = String::from_utf8(answer.body).unwrap();
    assert!(!text.contains(&honest.result.score.to_string()), "the forger must not learn it: {text}");
    let mut other_seed = honest.clone();
    other_seed.seed += 1;
    site.post_replay(&other_seed).await.refuses(422, "does not verify");
    let mut fewer = agent(Ruleset::for_agents(Mode::Sprint), 1, "eve");
    let Actions::Moves(moves) = &mut fewer.actions else { panic!() };
    moves.remove(3);
    fewer.result.pieces -= 1;
    site.post_replay(&fewer).await.refuses(422, "does not verify");
    let mut disordered = honest;
    let Actions::Inputs { inputs, .. } = &mut disordered.actions else { panic!() };
    inputs.swap(0, 2);
    site.post_replay(&disordered).await.refuses(422, "out of order");
}

#[tokio::test]
async fn replays_larger_than_any_real_game_are_refused() {
    let site = Site::new(ServerLimits::default());
    let honest = blitz(1, "Eve");
    let pieces = honest.result.pieces;
    let with_idle_keys = |presses: u64| {
        let mut clock = Clock::new(Game::new(Ruleset::new(Mode::Blitz), 1).unwrap(), Handling::default());
        let mut time = 0;
        for button in std::iter::repeat_n(Button::Clockwise, presses as usize) {
            clock.button_down(0, button);
            clock.button_up(0, button);
        }
        while clock.game().outcome().is_none() {
            time += 1_000;
            clock.button_down(time, Button::HardDrop);
            clock.button_up(time, Button::HardDrop);
        }
        Replay::of_clock(&clock, 1, "Eve")
    };
    // Each piece takes two inputs, and each idle key two.
    let most = 64 * pieces + 256;
    let spare = (most - 2 * pieces) / 2 / 4 * 4;
    assert_eq!(with_idle_keys(spare).result.pieces, pieces);
    let words = format!("for {pieces} pieces, at most {most} are accepted");
    site.post_replay(&with_idle_keys(spare + 4)).await.refuses(422, &words);
    assert_eq!(site.post_replay(&with_idle_keys(spare)).await.status, 201);
    site.post_replay(&with_idle_keys(50_000)).await.refuses(413, "at most 262144 are accepted");
}

#[tokio::test]
async fn keys_that_the_game_ignores_are_refused_not_counted() {
    let site = Site::new(ServerLimits::default());
    let honest = blitz(1, "Eve");
    let Actions::Inputs { inputs, .. } = &honest.actions else { panic!() };
    let last = *inputs.last().unwrap();
    let press = |action| Input { action, ..last };
    let after_the_end = [press(Action::Down(Button::Left)), press(Action::Up(Button::Left))];
    let again = [inputs[0], Input { action: inputs[0].action, ..inputs[1] }];
    for (at, more) in [(inputs.len(), after_the_end), (1, again)] {
        let mut padded = honest.clone();
        let Actions::Inputs { inputs, .. } = &mut padded.actions else { panic!() };
        inputs.splice(at..at, more);
        site.post_replay(&padded).await.refuses(422, "ignores input");
    }
    assert_eq!(site.post_replay(&honest).await.status, 201);
}

#[tokio::test]
async fn only_ranked_games_that_came_to_their_end_count() {
    let site = Site::new(ServerLimits::default());
    let refused = async |rules: Ruleset, words| {
        site.post_replay(&dropped(rules, 1, "Ada")).await.refuses(422, words);
    };
    let [sprint, blitz] = [Mode::Sprint, Mode::Blitz].map(Ruleset::new);
    refused(Ruleset::new(Mode::Practice), "practice has no leaderboard: play sprint or blitz").await;
    refused(sprint.clone(), "only if it clears all its lines").await;
    refused(Ruleset { width: 9, ..blitz.clone() }, "did not use the rules of a ranked blitz").await;
    refused(Ruleset { previews: 6, ..blitz.clone() }, "did not use the rules").await;
    refused(Ruleset { hold: false, ..blitz.clone() }, "did not use the rules").await;
    refused(Ruleset::for_agents(Mode::Blitz), "did not use the rules").await;
    let easy = Goal { lines: Some(1), ..Goal::default() };
    let easy = agent(Ruleset { goal: easy, ..sprint.clone() }, 1, "capstone");
    site.post_replay(&easy).await.refuses(422, "did not use the rules of a ranked sprint");
    let straight = Ruleset { movement: Movement::Straight, ..sprint };
    let mut replay = agent(Ruleset::for_agents(Mode::Sprint), 1, "capstone");
    replay.rules = straight;
    site.post_replay(&replay).await.refuses(422, "did not use the rules");
    let mut left = self::blitz(1, "Ada");
    left.result.outcome = None;
    site.post_replay(&left).await.refuses(422, "left before it ended");

    let half_turns = dropped(Ruleset { half_turns: true, ..blitz }, 1, "Ada");
    assert_eq!(site.post_replay(&half_turns).await.status, 201);
    let hard = Ruleset { movement: Movement::HardDrop, ..Ruleset::for_agents(Mode::Sprint) };
    assert_eq!(site.post_replay(&agent(hard, 1, "capstone")).await.status, 201);
}

#[tokio::test]
async fn a_name_that_can_not_be_shown_is_refused() {
    let site = Site::new(ServerLimits::default());
    site.post_replay(&blitz(1, "Ada\u{200f}")).await.refuses(422, "invisible characters");
    site.post_replay(&blitz(1, "")).await.refuses(422, "choose 1 to 24 visible characters");
    assert_eq!(site.post_replay(&blitz(1, "Nguye\u{302}\u{303}n 🎲")).await.status, 201);
}

#[tokio::test]
async fn a_game_counts_once_whatever_it_is_called_and_however_it_is_timed() {
    let site = Site::new(ServerLimits::default());
    let replay = blitz(1, "Ada");
    assert_eq!(site.post_replay(&replay).await.status, 201);
    site.post_replay(&replay).await.refuses(409, "already");
    site.post_replay(&Replay { player: "Eve".to_owned(), ..replay.clone() }).await.refuses(409, "already");
    let mut faster = replay.clone();
    let Actions::Inputs { inputs, end, handling } = &mut faster.actions else { panic!() };
    inputs.iter_mut().for_each(|input| input.at -= 1);
    *end += 7;
    *handling = Handling { repeat_delay: 1, ..*handling };
    site.post_replay(&faster).await.refuses(409, "already");
    assert_eq!(site.ranking("blitz", "people").await, ["Ada"]);
    assert_eq!(site.post_replay(&blitz(2, "Ada")).await.status, 201);
}

#[tokio::test]
async fn people_may_improve_on_a_game_of_their_own() {
    let site = Site::new(ServerLimits::default());
    let sprint = |player, pace| person(Mode::Sprint, 1, player, pace);
    assert_eq!(site.post_replay(&sprint("Ada", 500_000)).await.status, 201);
    site.post_replay(&sprint("Ada", 500_000)).await.refuses(409, "already");
    site.post_replay(&sprint("Ada", 550_000)).await.refuses(409, "already");
    site.post_replay(&sprint("Eve", 470_000)).await.refuses(409, "already");
    assert_eq!(site.post_replay(&sprint("Ada", 470_000)).await.json()["rank"], 1);
    site.post_replay(&sprint("Ada", 470_000)).await.refuses(409, "already");
    assert_eq!(site.ranking("sprint", "people").await, ["Ada", "Ada"]);
}

#[tokio::test]
async fn holding_a_piece_to_get_the_same_piece_back_does_not_make_a_new_game() {
    let site = Site::new(ServerLimits::default());
    let [plain, held] = [false, true].map(|trick| {
        let mut game = Game::new(Ruleset::for_agents(Mode::Blitz), 1).unwrap();
        let mut moves = Vec::new();
        while game.outcome().is_none() {
            let first = moves.is_empty();
            let hold = first || (trick && game.held() == Some(game.current()));
            let piece = if first { game.previews()[0] } else { game.current() };
            let placement = game.placements(piece).iter().next().unwrap();
            moves.push(Move { hold, placement });
            game.play(Move { hold, placement }).unwrap();
        }
        Replay::of_moves(&game, 1, "stacker", moves)
    });
    assert_ne!(plain.actions, held.actions);
    assert_eq!(site.post_replay(&plain).await.status, 201);
    site.post_replay(&held).await.refuses(409, "already");
}

#[tokio::test]
async fn of_the_same_game_sent_many_times_at_once_one_is_taken() {
    let site = Site::new(ServerLimits::default());
    let replay = blitz(1, "Ada");
    let answers = join_all((0..20).map(|_| site.post_replay(&replay))).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 201).count(), 1);
    assert_eq!(answers.iter().filter(|answer| answer.status == 409).count(), 19);
    assert_eq!(site.ranking("blitz", "people").await, ["Ada"]);
}

#[tokio::test]
async fn sprints_of_people_are_ranked_by_time_and_the_first_of_equals_stays_ahead() {
    let site = Site::new(ServerLimits::default());
    // A piece takes the same time in all games but one, so that those of as many pieces are equals.
    let mut games: Vec<Replay> = (0..12)
        .map(|seed| {
            let pace = if seed == 11 { 450_000 } else { 500_000 };
            person(Mode::Sprint, seed, &format!("player {seed}"), pace)
        })
        .collect();
    for game in &games {
        assert_eq!(site.post_replay(game).await.status, 201);
    }
    let time = |game: &Replay| game.play(|_| {}).unwrap().time.unwrap();
    games.sort_by_key(|game| (time(game), game.seed));
    let times: Vec<u64> = games.iter().map(time).collect();
    assert!(times.windows(2).any(|pair| pair[0] == pair[1]), "some should be equal: {times:?}");
    let expected: Vec<&str> = games.iter().map(|game| game.player.as_str()).collect();
    assert_eq!(expected[0], "player 11");
    assert_eq!(site.ranking("sprint", "people").await, expected);
    assert!(site.ranking("sprint", "agents").await.is_empty());
}

#[tokio::test]
async fn sprints_of_agents_are_ranked_by_pieces_then_by_score() {
    let site = Site::new(ServerLimits::default());
    let mut games: Vec<Replay> = (0..12)
        .map(|seed| agent(Ruleset::for_agents(Mode::Sprint), seed, &format!("agent {seed}")))
        .collect();
    for game in &games {
        assert_eq!(site.post_replay(game).await.status, 201);
    }
    games.sort_by_key(|game| (game.result.pieces, std::cmp::Reverse(game.result.score), game.seed));
    let pieces: Vec<u64> = games.iter().map(|game| game.result.pieces).collect();
    assert!(pieces.windows(2).any(|pair| pair[0] == pair[1]), "some should be equal: {pieces:?}");
    let expected: Vec<&str> = games.iter().map(|game| game.player.as_str()).collect();
    assert_eq!(site.ranking("sprint", "agents").await, expected);
    let listed = site.get("/api/scores?mode=sprint&by=agents").await.json();
    assert!(listed["scores"][0]["micros"].is_null() && listed["scores"][0]["keys"].is_null());
}

#[tokio::test]
async fn blitz_is_ranked_by_score_people_and_agents_apart() {
    let site = Site::new(ServerLimits::default());
    let mut games: Vec<Replay> = (0..6).map(|seed| blitz(seed, &format!("player {seed}"))).collect();
    for (index, game) in games.iter().enumerate() {
        let better = games[..index].iter().filter(|other| other.result.score >= game.result.score).count();
        assert_eq!(site.post_replay(game).await.json()["rank"], better + 1);
    }
    let machine = agent(Ruleset::for_agents(Mode::Blitz), 1, "capstone");
    assert_eq!(site.post_replay(&machine).await.json()["rank"], 1);
    games.sort_by_key(|game| (std::cmp::Reverse(game.result.score), game.seed));
    let expected: Vec<&str> = games.iter().map(|game| game.player.as_str()).collect();
    assert_eq!(site.ranking("blitz", "people").await, expected);
    assert_eq!(site.ranking("blitz", "agents").await, ["capstone"]);
}

#[tokio::test]
async fn an_unknown_leaderboard_is_refused() {
    let site = Site::new(ServerLimits::default());
    site.get("/api/scores").await.refuses(400, "mode=sprint");
    for mode in ["classic", "sprint-40", "daily-2026-02-30"] {
        let list = format!("/api/scores?mode={mode}&by=people");
        site.get(&list).await.refuses(400, "choose sprint (40 lines), sprint-20");
    }
    site.get("/api/scores?mode=blitz&by=cats").await.refuses(400, "by=people or by=agents");
    for limit in ["0", "10001", "-1", "many"] {
        site.get(&format!("/api/scores?mode=blitz&by=people&limit={limit}")).await.refuses(400, "1 to 10000");
    }
    site.get("/api/scores?mode=blitz&by=people&unverified=maybe").await.refuses(400, "true or false");
}

#[tokio::test]
async fn whoever_asks_too_often_is_told_to_wait() {
    let site = Site::new(ServerLimits { changes_per_second: 0.001, burst: 2.0, ..ServerLimits::default() });
    for seed in 1..=2 {
        assert_eq!(site.post_replay(&blitz(seed, "Ada")).await.status, 201);
    }
    let answer = site.post_replay(&blitz(3, "Ada")).await;
    answer.refuses(429, "too many requests");
    assert!(answer.headers[RETRY_AFTER].to_str().unwrap().parse::<u64>().unwrap() >= 1);
    assert_eq!(site.ranking("blitz", "people").await.len(), 2);
}

#[tokio::test]
async fn scores_are_there_after_a_restart() {
    let site = Site::new(ServerLimits::default());
    let replay = blitz(1, "Ada");
    let id = site.post_replay(&replay).await.json()["id"].clone();
    let site = site.restarted();
    assert_eq!(site.ranking("blitz", "people").await, ["Ada"]);
    assert_eq!(site.get(&format!("/api/scores/{id}/replay")).await.body, replay.to_bytes());
    site.post_replay(&replay).await.refuses(409, "already");
}

#[tokio::test]
async fn two_servers_share_the_leaderboards() {
    let site = Site::new(ServerLimits::default());
    let other = open(site.folder.path(), ServerLimits::default()).unwrap();
    let other = Site { router: other.router(), server: other, folder: tempfile::tempdir().unwrap() };
    // One ticket for both: the key is in the folder that they share.
    let game = blitz(1, "Ada");
    let ticket = site.fitting_ticket(&game);
    let both = join_all([&site, &other].map(|site| site.post_untimed(&game, ticket.as_deref()))).await;
    let mut statuses = both.iter().map(|answer| answer.status.as_u16()).collect::<Vec<_>>();
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 409]);
    assert_eq!(other.ranking("blitz", "people").await, ["Ada"]);
}

#[test]
fn a_file_that_holds_no_leaderboards_is_left_alone() {
    let refused = |prepare: &dyn Fn(&std::path::Path), words: &str| {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("scores.sqlite");
        prepare(&file);
        let before = fs::read(&file).unwrap_or_default();
        let message = open(folder.path(), ServerLimits::default()).err().unwrap().to_string();
        assert!(message.contains("scores.sqlite") && message.contains(words), "{message}");
        assert_eq!(fs::read(&file).unwrap_or_default(), before);
    };
    refused(
        &|file| fs::write(file, "a text of mine, which is long enough to be a head").unwrap(),
        "not a score book",
    );
    let sql = |file: &std::path::Path, text: &str| {
        rusqlite::Connection::open(file).unwrap().execute_batch(text).unwrap();
    };
    refused(&|file| sql(file, "CREATE TABLE mine (x)"), "not a score book");
    refused(
        &|file| sql(file, "PRAGMA application_id = 1414742863; PRAGMA user_version = 3"),
        "newer program",
    );
    refused(
        &|file| {
            sql(file, "CREATE TABLE score (id); PRAGMA application_id = 1414742863; PRAGMA user_version = 2")
        },
        "no such column",
    );
    refused(&|file| fs::create_dir(file).unwrap(), "can't open the score book");
}

#[tokio::test]
async fn leaderboards_that_another_program_has_locked_are_waited_for() {
    let site = Site::new(ServerLimits::default());
    let other = rusqlite::Connection::open(site.folder.path().join("scores.sqlite")).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let answer = site.post_replay(&blitz(1, "Ada")).await;
    answer.refuses(503, "another program has locked the leaderboards");
    assert!(answer.headers.contains_key(RETRY_AFTER));
    other.execute_batch("ROLLBACK").unwrap();
    assert_eq!(site.post_replay(&blitz(1, "Ada")).await.status, 201);
}

#[test]
fn a_read_only_file_is_refused_at_the_start() {
    let site = Site::new(ServerLimits::default());
    let file = site.folder.path().join("scores.sqlite");
    let Site { server, router, folder } = site;
    drop((server, router));
    let mut permissions = fs::metadata(&file).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&file, permissions).unwrap();
    // Some users may write all the same.
    let writable = fs::OpenOptions::new().write(true).open(&file).is_ok();
    match open(folder.path(), ServerLimits::default()) {
        Ok(_) => assert!(writable),
        Err(error) => assert!(!writable && error.to_string().contains("it is read-only"), "{error}"),
    }
}
