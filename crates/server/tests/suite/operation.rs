//! The log, health and metrics, and a server behind a reverse proxy.

use crate::common::Site;
use crate::common::socket::{get, speak};
use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::thread;
use tetrion_server::{Config, PublicUrl, Server, ServerLimits, StartError};

/// How to start a server with its data in a folder.
fn config(folder: &Path) -> Config {
    let host = "127.0.0.1".parse().unwrap();
    let limits = ServerLimits::default();
    Config { data: folder.join("data"), host, port: 0, public_url: None, log: None, limits }
}

/// A server for as long as something is done with it.
fn serve(config: Config, with: impl FnOnce(SocketAddr)) {
    let server = Server::start(config).unwrap();
    let (address, stopper) = (server.address(), server.stopper());
    let running = thread::spawn(move || server.run());
    with(address);
    stopper.stop();
    running.join().unwrap().unwrap();
}

/// A request with one more header.
fn with_header(request: String, header: &str) -> String {
    request.replace("\r\nConnection:", &format!("\r\n{header}\r\nConnection:"))
}

#[test]
fn every_request_is_a_line_in_the_log_without_its_query() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("requests.log");
    serve(Config { log: Some(path.clone()), ..config(folder.path()) }, |address| {
        speak(address, get(address, "/api/about?who=me"));
        speak(address, get(address, "/nothing"));
        speak(address, get(address, "/").replace(&address.to_string(), "evil.example"));
        speak(
            address,
            format!(
                "POST /api/scores HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Length: 3\r\n\r\nabc"
            ),
        );
    });
    let log = fs::read_to_string(&path).unwrap();
    let mut lines: Vec<Vec<&str>> = log.lines().map(|line| line.split(' ').collect()).collect();
    lines.sort_by_key(|fields| fields[0]);
    let requests: Vec<String> = lines.iter().map(|fields| fields[1..5].join(" ")).collect();
    assert_eq!(
        requests,
        [
            "127.0.0.1 GET /api/about 200",
            "127.0.0.1 GET /nothing 404",
            "127.0.0.1 GET / 403",
            "127.0.0.1 POST /api/scores 400"
        ]
    );
    for fields in lines {
        assert!(fields.len() == 7 && fields[0].ends_with('Z'), "{fields:?}");
        assert!(fields[5].parse::<u64>().unwrap() > 10 && fields[6].parse::<u64>().is_ok(), "{fields:?}");
    }
}

#[test]
fn a_log_that_can_not_be_written_is_refused_at_the_start() {
    let folder = tempfile::tempdir().unwrap();
    let log = Some(folder.path().to_owned());
    let refused = Server::start(Config { log, ..config(folder.path()) });
    assert!(matches!(refused, Err(StartError::Log { .. })));
}

#[tokio::test]
async fn a_healthy_server_says_so_and_one_without_its_scores_does_not() {
    let site = Site::new(ServerLimits::default());
    let healthy = site.get("/api/health").await;
    assert_eq!(healthy.status, 200);
    assert_eq!(healthy.json()["ok"], true);
    assert!(healthy.json()["version"].is_string() && healthy.json()["uptime"].is_u64());
    // Another program deletes the tables.
    let database = rusqlite::Connection::open(site.folder.path().join("scores.sqlite")).unwrap();
    let tables = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'";
    let mut query = database.prepare(tables).unwrap();
    let names: Vec<String> = query.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    for name in names {
        database.execute_batch(&format!("DROP TABLE {name}")).unwrap();
    }
    let broken = site.get("/api/health").await;
    assert_eq!((broken.status.as_u16(), &broken.json()["ok"]), (503, &false.into()));
}

#[test]
fn metrics_are_for_programs_on_this_machine_only() {
    let folder = tempfile::tempdir().unwrap();
    serve(config(folder.path()), |address| {
        speak(address, get(address, "/api/about"));
        speak(address, get(address, "/api/scores/17/replay"));
        speak(address, get(address, "/api/nothing"));
        speak(address, get(address, "/"));
        let metrics = speak(address, get(address, "/metrics"));
        for line in [
            "tetrion_requests_total{route=\"/api/about\",status=\"2xx\"} 1",
            "tetrion_requests_total{route=\"/api/scores/{id}/replay\",status=\"4xx\"} 1",
            "tetrion_requests_total{route=\"unknown\",status=\"4xx\"} 1",
            "tetrion_requests_total{route=\"page\",status=\"2xx\"} 1",
            "tetrion_request_seconds_count 4",
            "tetrion_requests_open 1",
            "tetrion_connections_refused_total 0",
            "tetrion_training_runs{state=\"running\"} 0",
        ] {
            assert!(metrics.lines().any(|found| found == line), "{line} in {metrics}");
        }
        let passed_on = with_header(get(address, "/metrics"), "X-Forwarded-For: 127.0.0.1");
        assert!(speak(address, passed_on).starts_with("HTTP/1.1 403"));
    });
}

#[test]
fn behind_a_proxy_the_log_names_the_client_and_the_public_name_is_answered() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("requests.log");
    let public_url: PublicUrl = "https://tetris.example/".parse().unwrap();
    let config = Config { public_url: Some(public_url), log: Some(path.clone()), ..config(folder.path()) };
    serve(config, |address| {
        let asked = |path: &str| {
            let request = get(address, path).replace(&address.to_string(), "tetris.example");
            with_header(request, "X-Forwarded-For: 198.51.100.1, 192.0.2.7\r\nOrigin: https://tetris.example")
        };
        assert!(speak(address, asked("/api/about")).starts_with("HTTP/1.1 200"));
        assert!(speak(address, asked("/metrics")).starts_with("HTTP/1.1 403"));
    });
    let log = fs::read_to_string(&path).unwrap();
    assert!(
        log.lines().count() == 2 && log.lines().all(|line| line.split(' ').nth(1) == Some("192.0.2.7")),
        "{log}"
    );
}
