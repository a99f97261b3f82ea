//! Training from the page: runs that are followed, stopped, resumed, kept and deleted.

use crate::common::{Site, open};
use axum::body::{Body, BodyDataStream};
use axum::http::{Method, StatusCode};
use futures_util::StreamExt;
use serde_json::{Value, json};
use std::fs;
use std::thread;
use std::time::Duration;
use tetrion_server::ServerLimits;
use tower::ServiceExt;

/// What to train by: small games, and so many generations.
fn order(generations: u64) -> String {
    json!({ "recipe": "capstone", "changes": {
        "population": "4", "games": "1", "generations": generations.to_string(), "finals": "2", "judge-games": "3",
    } })
    .to_string()
}

/// A run that nobody lives to see the end of.
const ENDLESS: u64 = 1_000_000_000;

async fn start(site: &Site, generations: u64) -> u64 {
    let answer = site.post("/api/training", order(generations)).await;
    assert_eq!(answer.status, 201, "{}", String::from_utf8_lossy(&answer.body));
    answer.json()["id"].as_u64().unwrap()
}

async fn show(site: &Site, id: u64) -> Value {
    site.get(&format!("/api/training/{id}")).await.json()
}

async fn ask(site: &Site, id: u64, what: &str) -> StatusCode {
    site.post(&format!("/api/training/{id}/{what}"), "").await.status
}

/// The events of a run as they come.
struct Events {
    body: BodyDataStream,
    text: String,
}

impl Events {
    async fn of(site: &Site, id: u64) -> Events {
        let request = site.request(Method::GET, &format!("/api/training/{id}/events"), Body::empty());
        let response = site.router.clone().oneshot(request).await.unwrap();
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        Events { body: response.into_body().into_data_stream(), text: String::new() }
    }

    /// The next event's name and data; nothing when there will be no more.
    async fn next(&mut self) -> Option<(String, Value)> {
        loop {
            if let Some((event, rest)) = self.text.split_once("\n\n") {
                let field = |name: &str| event.lines().find_map(|line| line.strip_prefix(name));
                let found = field("event: ").zip(field("data: "));
                let found = found.map(|(name, data)| (name.to_owned(), serde_json::from_str(data).unwrap()));
                self.text = rest.to_owned();
                match found {
                    Some(found) => return Some(found),
                    // A heartbeat.
                    None => continue,
                }
            }
            let part = self.body.next().await?.unwrap();
            self.text.push_str(std::str::from_utf8(&part).unwrap());
        }
    }

    /// The rows until a state comes, and the state.
    async fn until(&mut self, state: &str) -> (Vec<Value>, Value) {
        let mut rows = Vec::new();
        while let Some((name, data)) = self.next().await {
            match name.as_str() {
                "row" => rows.push(data),
                _ if data["state"] == state => return (rows, data),
                _ => {}
            }
        }
        panic!("the run never was {state}: {rows:?}");
    }
}

#[tokio::test]
async fn a_run_is_followed_to_its_end() {
    let site = Site::new(ServerLimits::default());
    let id = start(&site, 6).await;
    let mut events = Events::of(&site, id).await;
    let (name, first) = events.next().await.unwrap();
    assert_eq!((name.as_str(), &first["id"], &first["recipe"]), ("state", &id.into(), &"capstone".into()));
    let known = first["rows"].as_array().unwrap().len();
    if first["state"] == "running" {
        let (rows, last) = events.until("finished").await;
        assert_eq!(rows.len(), 6 - known);
        for (number, row) in (known + 1..).zip(&rows) {
            assert_eq!(row["row"]["generation"], number);
            assert_eq!(row["weights"].as_array().unwrap().len(), 4);
        }
        assert_eq!((&last["generation"], &last["generations"]), (&6.into(), &6.into()));
        assert_eq!(last["game"], json!({ "mode": "sprint", "width": 10, "height": 20 }));
    }
    let shown = show(&site, id).await;
    assert_eq!((&shown["state"], &shown["generation"]), (&"finished".into(), &6.into()));
    assert_eq!(shown["rows"].as_array().unwrap().len(), 6);
    assert_eq!(shown["rows"][5]["games"], shown["games"]);
    assert_eq!(shown["weights"]["names"][2], "holes");
    assert_eq!(shown["weights"]["values"].as_array().unwrap().len(), 6);
    assert_eq!(shown["judgement"]["verdicts"][0]["agent"], "best");
    assert!(shown["best"].is_number() && shown["error"].is_null());
    let best = site.get(&format!("/api/training/{id}/best")).await;
    assert!(String::from_utf8(best.body).unwrap().contains("capstone-best"));
    // Whoever comes later is told everything at once.
    let (name, all) = Events::of(&site, id).await.next().await.unwrap();
    assert_eq!((name.as_str(), &all), ("state", &shown));
    let listed = site.get("/api/training").await.json();
    assert_eq!((&listed[0]["id"], &listed[0]["state"]), (&id.into(), &"finished".into()));
    site.post(&format!("/api/training/{id}/resume"), "").await.refuses(409, "finished");
    site.post(&format!("/api/training/{id}/stop"), "").await.refuses(409, "not running");
}

#[tokio::test]
async fn judging_is_told_in_games_played_of_all() {
    let site = Site::new(ServerLimits::default());
    // More games than anybody waits for: judging ends when it is stopped.
    let order = json!({ "recipe": "capstone", "changes": {
        "population": "4", "games": "1", "generations": "1", "finals": "2", "judge-games": "1000000",
    } });
    let id = site.post("/api/training", order.to_string()).await.json()["id"].as_u64().unwrap();
    let mut events = Events::of(&site, id).await;
    let mut done = 0;
    while done == 0 {
        let (_, told) = events.next().await.unwrap();
        let Some(now) = told["judging"]["done"].as_u64() else { continue };
        let total = told["judging"]["total"].as_u64().unwrap();
        // The best and the agent beside it, after the games that choose the best.
        assert!(total > 2_000_000 && total <= 2_000_000 + 2 * 5, "{total}");
        assert!(now >= done);
        done = now;
    }
    assert_eq!(ask(&site, id, "stop").await, 202);
    let (_, stopped) = events.until("stopped").await;
    assert_eq!((&stopped["judging"], &stopped["generation"]), (&Value::Null, &1.into()));
    assert!(stopped["seconds"].is_number());
    assert_eq!(stopped["objective"], "sprint reward");
}

#[tokio::test]
async fn a_run_is_stopped_and_goes_on_where_it_was() {
    let site = Site::new(ServerLimits::default());
    let id = start(&site, ENDLESS).await;
    let mut events = Events::of(&site, id).await;
    while events.next().await.unwrap().0 != "row" {}
    site.post(&format!("/api/training/{id}/resume"), "").await.refuses(409, "running");
    assert_eq!(ask(&site, id, "stop").await, 202);
    let (_, stopped) = events.until("stopped").await;
    let done = stopped["generation"].as_u64().unwrap();
    assert_eq!(show(&site, id).await["rows"].as_array().unwrap().len() as u64, done);

    assert_eq!(ask(&site, id, "resume").await, 202);
    let (name, row) = loop {
        let event = events.next().await.unwrap();
        if event.0 == "row" {
            break event;
        }
    };
    assert_eq!((name.as_str(), &row["row"]["generation"]), ("row", &(done + 1).into()));
    assert_eq!(ask(&site, id, "stop").await, 202);
    events.until("stopped").await;
}

#[tokio::test]
async fn runs_survive_a_restart() {
    let site = Site::new(ServerLimits::default());
    let [finished, stopped] = [start(&site, 2).await, start(&site, ENDLESS).await];
    Events::of(&site, finished).await.until("finished").await;
    let mut events = Events::of(&site, stopped).await;
    while events.next().await.unwrap().0 != "row" {}
    ask(&site, stopped, "stop").await;
    events.until("stopped").await;
    drop(events);
    let before = [show(&site, finished).await, show(&site, stopped).await];
    // What is no run of ours is left alone.
    fs::create_dir(site.folder.path().join("training/mine")).unwrap();
    fs::create_dir(site.folder.path().join("training/77")).unwrap();

    let site = site.restarted();
    // Seconds are kept to the millisecond.
    let rounded = |mut run: Value| {
        for row in run["rows"].as_array_mut().unwrap() {
            row["seconds"] = 0.into();
        }
        run["seconds"] = 0.into();
        run
    };
    let after = [show(&site, finished).await, show(&site, stopped).await];
    assert_eq!(after.map(rounded), before.map(rounded));
    assert_eq!(site.get("/api/training").await.json().as_array().unwrap().len(), 2);
    assert_eq!(ask(&site, stopped, "resume").await, 202);
    let mut events = Events::of(&site, stopped).await;
    while events.next().await.unwrap().0 != "row" {}
    ask(&site, stopped, "stop").await;
    events.until("stopped").await;
    assert!(start(&site, 1).await > stopped);
}

#[test]
fn a_server_that_ends_stops_its_runs_and_those_who_follow_them() {
    let site = Site::new(ServerLimits::default());
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let (id, mut events) = runtime.block_on(async {
        let id = start(&site, ENDLESS).await;
        let mut events = Events::of(&site, id).await;
        while events.next().await.unwrap().0 != "row" {}
        (id, events)
    });
    let Site { server, router, folder } = site;
    let stopper = server.stopper();
    let running = thread::spawn(move || server.run());
    stopper.stop();
    running.join().unwrap().unwrap();
    runtime.block_on(async { while events.next().await.is_some() {} });
    drop((events, router));
    let site = Site::at(folder, ServerLimits::default());
    let shown = runtime.block_on(show(&site, id));
    assert_eq!((&shown["state"], &shown["error"]), (&"stopped".into(), &Value::Null));
    assert!(shown["generation"].as_u64() >= Some(1));
}

#[tokio::test]
async fn runs_are_bounded_in_number() {
    let site = Site::new(ServerLimits { running: 1, kept: 2, ..ServerLimits::default() });
    let first = start(&site, ENDLESS).await;
    site.post("/api/training", order(1)).await.refuses(409, "at most 1 training run can run");
    let mut events = Events::of(&site, first).await;
    ask(&site, first, "stop").await;
    events.until("stopped").await;
    let second = start(&site, 1).await;
    Events::of(&site, second).await.until("finished").await;
    site.post("/api/training", order(1)).await.refuses(409, "at most 2 training runs can be stored");

    let delete = async |id: u64| {
        site.send(site.request(Method::DELETE, &format!("/api/training/{id}"), Body::empty())).await
    };
    ask(&site, first, "resume").await;
    events.until("running").await;
    delete(first).await.refuses(409, "stop it first");
    ask(&site, first, "stop").await;
    events.until("stopped").await;
    assert_eq!(delete(first).await.status, 204);
    assert!(!site.folder.path().join(format!("training/{first}")).exists());
    site.get(&format!("/api/training/{first}")).await.refuses(404, "no training run");
    // Those who followed it are told no more.
    assert!(events.next().await.is_none());
    let third = start(&site, 1).await;
    assert!(third != first && third != second);
    Events::of(&site, third).await.until("finished").await;
}

/// Starts a run and deletes it when it has finished. Returns its number.
async fn start_and_delete(site: &Site) -> u64 {
    let id = start(site, 1).await;
    Events::of(site, id).await.until("finished").await;
    let delete = site.request(Method::DELETE, &format!("/api/training/{id}"), Body::empty());
    assert_eq!(site.send(delete).await.status, 204);
    id
}

#[tokio::test]
async fn the_number_of_a_deleted_run_is_never_used_again() {
    let site = Site::new(ServerLimits::default());
    assert_eq!(start_and_delete(&site).await, 1);
    let site = site.restarted();
    assert_eq!(start_and_delete(&site).await, 2);
    // Two servers with the same data.
    let server = open(site.folder.path(), ServerLimits::default()).unwrap();
    let other = Site { router: server.router(), server, folder: tempfile::tempdir().unwrap() };
    assert_eq!(start_and_delete(&other).await, 3);
    assert_eq!(start_and_delete(&site).await, 4);
    // If the file is damaged, the runs that are there still count.
    let kept = start(&site, 1).await;
    Events::of(&site, kept).await.until("finished").await;
    fs::write(site.folder.path().join("training/last-number"), "torn").unwrap();
    let site = site.restarted();
    assert_eq!((kept, start_and_delete(&site).await), (5, 6));
}

#[tokio::test]
async fn what_makes_no_run_is_refused_with_a_reason() {
    let site = Site::new(ServerLimits::default());
    let refused = async |body: Value, status, words| {
        site.post("/api/training", body.to_string()).await.refuses(status, words);
    };
    site.post("/api/training", "lee, please").await.refuses(400, "such as");
    refused(json!({ "changes": {} }), 400, "recipe").await;
    refused(json!({ "recipe": "lee", "folder": "/tmp" }), 400, "unknown field").await;
    refused(json!({ "recipe": "../../etc/passwd" }), 422, "no recipe").await;
    refused(json!({ "recipe": "mine.toml" }), 422, "no recipe").await;
    refused(json!({ "recipe": "lee", "changes": { "luck": "1" } }), 422, "no hyper-parameter 'luck'").await;
    refused(json!({ "recipe": "lee", "changes": { "population": "1" } }), 422, "give at least 2").await;
    refused(json!({ "recipe": "lee", "changes": { "seed": "1000000" } }), 422, "final evaluations").await;
    let many = json!({ "population": "1000", "games": "10000000" });
    refused(json!({ "recipe": "lee", "changes": many }), 422, "10000000000 games in a generation").await;
    let noisy = json!({ "max-effort": "1e18" });
    refused(json!({ "recipe": "cma-es", "changes": noisy }), 422, "games in a generation").await;
    let crowd = json!({ "population": "1000000" });
    refused(json!({ "recipe": "cma-es", "changes": crowd }), 422, "give at most 100000").await;
    let long = site.post("/api/training", json!({ "recipe": "x".repeat(10_000) }).to_string()).await;
    assert!((long.status.as_u16(), long.body.len() < 200) == (422, true));
    assert_eq!(fs::read_dir(site.folder.path().join("training")).unwrap().count(), 0);
    for path in ["/api/training/1", "/api/training/1/best", "/api/training/1/events"] {
        site.get(path).await.refuses(404, "no training run 1");
    }
}

#[tokio::test]
async fn a_run_is_stopped_in_the_middle_of_a_game_without_end() {
    let site = Site::new(ServerLimits::default());
    // Weights of a player who does not lose on a board of that height.
    let start = "-2.18,2.42,-2.17,-3.31,0.95,-2.22,-0.81,-9.65,1.27";
    let changes = json!({ "board": "10x20", "start": start, "sigma": "0.001" });
    let order = json!({ "recipe": "cma-es", "changes": changes });
    let answer = site.post("/api/training", order.to_string()).await;
    assert_eq!(answer.status, 201, "{}", String::from_utf8_lossy(&answer.body));
    let id = answer.json()["id"].as_u64().unwrap();
    let mut events = Events::of(&site, id).await;
    events.next().await.unwrap();
    assert_eq!(ask(&site, id, "stop").await, 202);
    let stopped = tokio::time::timeout(Duration::from_secs(60), events.until("stopped")).await;
    assert_eq!(stopped.unwrap().1["generation"], 0);
}

#[tokio::test]
async fn those_who_follow_runs_are_bounded_in_number() {
    let site = Site::new(ServerLimits { followers: 1, ..ServerLimits::default() });
    let id = start(&site, 1).await;
    let follower = Events::of(&site, id).await;
    site.get(&format!("/api/training/{id}/events")).await.refuses(503, "too many clients follow");
    drop(follower);
    Events::of(&site, id).await.until("finished").await;
}

#[tokio::test]
async fn a_run_with_a_damaged_checkpoint_goes_on_from_the_one_before_it() {
    let site = Site::new(ServerLimits::default());
    let id = start(&site, ENDLESS).await;
    let mut events = Events::of(&site, id).await;
    for _ in 0..2 {
        while events.next().await.unwrap().0 != "row" {}
    }
    ask(&site, id, "stop").await;
    let (_, stopped) = events.until("stopped").await;
    let done = stopped["generation"].as_u64().unwrap();
    drop(events);
    fs::write(site.folder.path().join(format!("training/{id}/checkpoint")), "torn").unwrap();

    let site = site.restarted();
    let shown = show(&site, id).await;
    assert_eq!((&shown["state"], &shown["generation"]), (&"stopped".into(), &(done - 1).into()));
    let told = format!(
        "can't resume from {id}/checkpoint: the file is damaged; the previous checkpoint, after generation {}",
        done - 1
    );
    assert!(shown["error"].as_str().unwrap().starts_with(&told), "{}", shown["error"]);
    assert_eq!(ask(&site, id, "resume").await, 202);
    let mut events = Events::of(&site, id).await;
    while show(&site, id).await["generation"].as_u64().unwrap() < done {}
    ask(&site, id, "stop").await;
    assert!(events.until("stopped").await.1["error"].is_null());
}

#[tokio::test]
async fn a_run_that_can_not_be_read_has_a_name_and_tells_no_path() {
    let site = Site::new(ServerLimits::default());
    let folder = site.folder.path().join("training/5");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("checkpoint"), "torn").unwrap();
    // A number that is too large is no run of ours.
    fs::create_dir(site.folder.path().join(format!("training/{}", u64::MAX))).unwrap();
    fs::write(site.folder.path().join(format!("training/{}/checkpoint", u64::MAX)), "torn").unwrap();
    let site = site.restarted();
    let listed = site.get("/api/training").await.json();
    assert_eq!(listed.as_array().unwrap().len(), 1);
    assert_eq!((&listed[0]["name"], &listed[0]["state"]), (&"run 5".into(), &"failed".into()));
    assert_eq!(listed[0]["error"], "can't resume from 5/checkpoint: the file is damaged");
    site.post("/api/training/5/resume", "")
        .await
        .refuses(500, "can't resume from 5/checkpoint: the file is damaged");
    let [sixth] = [start(&site, 1).await];
    assert_eq!(sixth, 6);
    Events::of(&site, sixth).await.until("finished").await;
}

#[tokio::test]
async fn runs_whose_folder_is_gone_are_gone() {
    let site = Site::new(ServerLimits::default());
    let [first, second] = [start(&site, 1).await, start(&site, 1).await];
    for id in [first, second] {
        Events::of(&site, id).await.until("finished").await;
        fs::remove_dir_all(site.folder.path().join(format!("training/{id}"))).unwrap();
    }
    let delete = site.request(Method::DELETE, &format!("/api/training/{first}"), Body::empty());
    assert_eq!(site.send(delete).await.status, 204);
    assert_eq!(site.get("/api/training").await.json(), json!([]));
    site.get(&format!("/api/training/{second}")).await.refuses(404, "no training run");
    // Their numbers are not given again.
    assert_eq!(start(&site, ENDLESS).await, second + 1);
}

#[tokio::test]
async fn recipes_are_listed_with_the_values_of_their_parameters() {
    let site = Site::new(ServerLimits::default());
    let recipes = site.get("/api/recipes").await.json();
    let lee = recipes.as_array().unwrap().iter().find(|recipe| recipe["name"] == "lee").unwrap();
    assert!(
        lee["about"].as_str().unwrap().contains("Survival")
            && lee["text"].as_str().unwrap().contains("[stop]")
    );
    let parameter = |name: &str| {
        let parameters = lee["parameters"].as_array().unwrap();
        parameters.iter().find(|parameter| parameter["name"] == name).unwrap()
    };
    assert_eq!(parameter("randomizer")["about"], "How pieces are drawn");
    assert_eq!(parameter("randomizer")["choices"], json!(["bag", "uniform"]));
    assert_eq!(parameter("population")["choices"], json!([]));
    let value = |name: &str| parameter(name)["value"].clone();
    assert_eq!(value("population"), "100");
    assert_eq!(value("tournament"), "0.1");
    assert_eq!(value("hold"), "false");
    assert_eq!(value("features"), "aggregate_height,complete_lines,holes,bumpiness");
    assert_eq!(value("elite"), Value::Null);
}
