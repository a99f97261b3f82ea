//! `tetrion serve` as a user types it.
#![cfg(unix)]

use crate::common::serving::Serving;
use crate::common::{self, fails};
use std::fs;
use std::net::TcpListener;

#[test]
fn the_printed_address_answers_and_ctrl_c_stops_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("some/where");
    let serving = Serving::start(&["serve", "--port", "0", "--data", data.to_str().unwrap()], folder.path());
    assert!(serving.address.starts_with("127.0.0.1:"));
    let mut client = serving.client().unwrap();
    assert_eq!(client.get("/api/about").unwrap().json()["name"], "Tetrion");
    let page = client.get("/").unwrap();
    assert!(String::from_utf8(page.body).unwrap().contains("<title>Tetrion"));
    let output = serving.interrupt();
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(data.join("scores.sqlite").exists());
}

#[test]
fn without_a_command_the_page_is_served() {
    let folder = tempfile::tempdir().unwrap();
    let serving = Serving::start(&[], folder.path());
    assert_eq!(serving.client().unwrap().get("/").unwrap().status, 200);
    assert_eq!(serving.interrupt().status.code(), Some(0));
    assert!(folder.path().join("scores.sqlite").exists());
}

#[test]
#[cfg(target_os = "linux")]
fn data_is_kept_where_users_keep_it_if_nobody_says() {
    let folder = tempfile::tempdir().unwrap();
    let [shared, home] = ["shared", "home"].map(|name| folder.path().join(name));
    let serve = |set: &[(&str, &std::path::Path)]| {
        let mut command = common::command(&["serve", "--port", "0"]);
        command.env_remove("TETRION_DATA").env_remove("XDG_DATA_HOME").envs(set.iter().copied());
        assert_eq!(Serving::of(&mut command).interrupt().status.code(), Some(0));
    };
    serve(&[("XDG_DATA_HOME", &shared), ("HOME", &home)]);
    assert!(shared.join("tetrion/scores.sqlite").exists() && !home.exists());
    serve(&[("HOME", &home)]);
    assert!(home.join(".local/share/tetrion/scores.sqlite").exists());
}

#[test]
fn if_a_port_is_in_use_the_next_free_one_is_used() {
    let folder = tempfile::tempdir().unwrap();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let serving = Serving::start(&["serve", "--no-open", "--port", &port.to_string()], folder.path());
    let next = serving.address.rsplit(':').next().unwrap().to_owned();
    assert_ne!(next, port.to_string());
    assert_eq!(serving.client().unwrap().get("/api/about").unwrap().status, 200);
    let said = serving.interrupt().stderr;
    assert_eq!(String::from_utf8(said).unwrap(), format!("port {port} is in use: using {next} instead\n"));
}

#[test]
fn what_can_not_be_used_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("scores.sqlite");
    fs::write(&file, "a text of mine, and not a database of any kind").unwrap();
    let inside = file.join("data");
    let folder = folder.path().to_str().unwrap();
    fails(&["serve", "--data", inside.to_str().unwrap()], 1, "as the data folder");
    fails(&["serve", "--data", "/dev/null"], 1, "can't use /dev/null as the data folder");
    fails(&["serve", "--data", folder], 1, "is not a score book: move it away");
    fails(&["serve", "--data", "/proc/tetrion"], 1, "can't use /proc/tetrion as the data folder");
    let data = tempfile::tempdir().unwrap();
    let data = data.path().to_str().unwrap();
    fails(&["serve", "--data", data, "--host", "192.0.2.1"], 1, "can't listen on 192.0.2.1");
    fails(&["serve", "--data", data, "--port", "70000"], 2, "70000");
    fails(&["serve", "--data", data, "--log", data], 1, "choose another file with --log");
    let public = ["serve", "--data", data, "--public-url"];
    fails(&[&public[..], &["https://tetris.example/play"]].concat(), 2, "a path is not supported");
    fails(&[&public[..], &["tetris.example"]].concat(), 2, "give the URL of the site");
    for host in ["[::1", "::1]", "[localhost]", "localhost:80", ""] {
        fails(
            &["serve", "--data", data, "--host", host],
            2,
            &format!("invalid value '{host}' for '--host <HOST>'"),
        );
    }
}

#[test]
fn training_is_stopped_by_ctrl_c_and_by_termination_and_can_be_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let serve = || Serving::start(&["serve", "--port", "0"], folder.path());
    let serving = serve();
    let mut client = serving.client().unwrap();
    let endless = r#"{"recipe": "capstone", "changes": {"population": "4", "generations": "1000000000"}}"#;
    assert_eq!(client.post("/api/training", endless.as_bytes()).unwrap().status, 201);
    // Send requests until there is something to save.
    while client.get("/api/training/1").unwrap().json()["generation"] == 0 {}
    assert_eq!(serving.interrupt().status.code(), Some(0));

    let serving = serve();
    let mut client = serving.client().unwrap();
    let before = client.get("/api/training/1").unwrap().json();
    assert_eq!((&before["state"], &before["error"]), (&"stopped".into(), &serde_json::Value::Null));
    assert_eq!(client.post("/api/training/1/resume", b"").unwrap().status, 202);
    while client.get("/api/training/1").unwrap().json()["generation"] == before["generation"] {}
    assert_eq!(serving.terminate().status.code(), Some(0));
    let shown = serve().client().unwrap().get("/api/training/1").unwrap().json();
    assert_eq!((&shown["state"], &shown["error"]), (&"stopped".into(), &serde_json::Value::Null));
}
