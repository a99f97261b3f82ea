//! Who is answered, what browsers are told, and that no path leads out of the page.

use crate::common::socket::{about, serve, speak};
use crate::common::{Answer, Site, open};
use axum::body::Body;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, HOST, IF_NONE_MATCH, ORIGIN};
use axum::http::{HeaderValue, Method, Request};
use std::net::TcpStream;
use std::thread;
use tetrion_server::ServerLimits;

const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
    img-src 'self' data: blob:; connect-src 'self'; worker-src 'self' blob:; font-src 'self'; media-src 'self' blob:; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

fn is_guarded(answer: &Answer) {
    for (name, value) in [
        ("content-security-policy", POLICY),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
    ] {
        assert_eq!(answer.headers[name], value);
    }
    assert!(!answer.headers.contains_key("access-control-allow-origin"));
}

/// A request with other headers than the page's.
fn with(site: &Site, path: &str, changes: &[(&'static str, &str)]) -> Request<Body> {
    let mut request = site.request(Method::GET, path, Body::empty());
    for (name, value) in changes {
        request.headers_mut().insert(*name, HeaderValue::from_str(value).unwrap());
    }
    request
}

#[tokio::test]
async fn every_answer_says_what_browsers_must_keep_to() {
    let site = Site::new(ServerLimits::default());
    for (path, status) in [
        ("/", 200),
        ("/index.html", 200),
        ("/nothing.js", 404),
        ("/api/about", 200),
        ("/api/nothing", 404),
        ("/api/scores", 400),
        ("/api/training/1", 404),
    ] {
        let answer = site.get(path).await;
        assert_eq!(answer.status, status, "{path}");
        is_guarded(&answer);
    }
    let large = site.post("/api/scores", vec![0; 2 << 20]).await;
    assert_eq!(large.status, 413);
    is_guarded(&large);
    let stranger = site.send(with(&site, "/", &[("host", "evil.example")])).await;
    assert_eq!(stranger.status, 403);
    is_guarded(&stranger);
}

#[tokio::test]
async fn other_hosts_are_refused_for_the_page_and_for_the_api() {
    let site = Site::new(ServerLimits::default());
    let port = site.server.address().port();
    for path in ["/", "/api/about", "/api/scores?mode=blitz&by=people"] {
        for host in [format!("127.0.0.1:{port}"), format!("localhost:{port}"), format!("[::1]:{port}")] {
            assert_eq!(site.send(with(&site, path, &[("host", &host)])).await.status, 200, "{host} {path}");
        }
        for host in ["evil.example".to_owned(), format!("evil.example:{port}"), "localhost:1".to_owned()] {
            site.send(with(&site, path, &[("host", &host)])).await.refuses(403, "this server is not");
        }
        let mut nameless = with(&site, path, &[]);
        nameless.headers_mut().remove(HOST);
        site.send(nameless).await.refuses(403, "exactly one Host header");
        let mut two = with(&site, path, &[]);
        two.headers_mut().append(HOST, HeaderValue::from_static("evil.example"));
        site.send(two).await.refuses(403, "exactly one Host header");
        let mut absolute = with(&site, path, &[]);
        *absolute.uri_mut() = format!("http://evil.example:{port}{path}").parse().unwrap();
        site.send(absolute).await.refuses(403, "this server is not");
    }
}

#[tokio::test]
async fn pages_from_elsewhere_are_refused() {
    let site = Site::new(ServerLimits::default());
    let host = site.server.address().to_string();
    for path in ["/", "/api/about", "/api/training"] {
        let own = format!("http://{host}");
        assert_eq!(site.send(with(&site, path, &[("origin", &own)])).await.status, 200);
        let secure = format!("https://{host}");
        let neighbour = format!("http://localhost:{}", site.server.address().port());
        for origin in ["http://evil.example", "null", "", "http://127.0.0.1", &secure, &neighbour] {
            let request = with(&site, path, &[("origin", origin)]);
            site.send(request).await.refuses(403, "other pages can't use this server");
        }
    }
    let mut post = site.request(Method::POST, "/api/scores", "replay");
    post.headers_mut().insert(ORIGIN, HeaderValue::from_static("http://evil.example"));
    site.send(post).await.refuses(403, "other pages can't use this server");
}

#[tokio::test]
async fn the_page_is_html_and_asked_again_it_is_not_sent_again() {
    let site = Site::new(ServerLimits::default());
    let page = site.get("/").await;
    assert_eq!(page.headers[CONTENT_TYPE], "text/html; charset=utf-8");
    assert_eq!(page.headers[CACHE_CONTROL], "no-cache");
    assert!(String::from_utf8(page.body).unwrap().contains("<title>Tetrion"));
    let tag = page.headers[ETAG].to_str().unwrap().to_owned();
    let mut again = site.request(Method::GET, "/", Body::empty());
    again.headers_mut().insert(IF_NONE_MATCH, HeaderValue::from_str(&tag).unwrap());
    let again = site.send(again).await;
    assert_eq!((again.status.as_u16(), again.body.len()), (304, 0));
    assert_eq!(again.headers[ETAG], tag);
}

#[tokio::test]
async fn no_path_leads_out_of_the_page() {
    let site = Site::new(ServerLimits::default());
    for path in [
        "/../Cargo.toml",
        "/../../Cargo.toml",
        "/%2e%2e/%2e%2e/Cargo.toml",
        "/..%2fCargo.toml",
        "//etc/passwd",
        "/assets/../../Cargo.toml",
        "/.",
        "/assets/",
        "/%00",
    ] {
        assert_eq!(site.get(path).await.status, 404, "{path}");
    }
    for id in ["..", "%2e%2e", "..%2f..%2fscores.sqlite", "1%2f..", "-1", "+1x", "99999999999999999999999"] {
        for end in ["", "/best", "/events"] {
            assert_eq!(site.get(&format!("/api/training/{id}{end}")).await.status, 404, "{id}{end}");
        }
        let delete = site.request(Method::DELETE, &format!("/api/training/{id}"), Body::empty());
        assert_eq!(site.send(delete).await.status, 404, "{id}");
    }
    assert!(site.folder.path().join("scores.sqlite").exists());
}

#[tokio::test]
async fn what_can_not_be_done_is_told_as_json() {
    let site = Site::new(ServerLimits::default());
    site.post("/", "").await.refuses(405, "use GET");
    site.post("/api/about", "").await.refuses(405, "no such method");
    site.get("/api/nothing/at/all").await.refuses(404, "no such API endpoint");
    let about = site.get("/api/about").await;
    assert_eq!((&about.json()["name"], &about.json()["scores"]), (&"Tetrion".into(), &true.into()));
    assert_eq!(about.headers[CACHE_CONTROL], "no-store");
}

#[test]
fn on_a_socket_it_is_the_same_and_it_ends_when_it_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let server = open(folder.path(), ServerLimits::default()).unwrap();
    let (address, stopper) = (server.address(), server.stopper());
    let running = thread::spawn(move || server.run());
    let ask = |host: &str| {
        speak(address, format!("GET /api/about HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"))
    };
    assert!(ask(&address.to_string()).starts_with("HTTP/1.1 200"));
    assert!(ask("evil.example").starts_with("HTTP/1.1 403"));
    assert!(speak(address, "this is not HTTP\r\n\r\n").starts_with("HTTP/1.1 400"));
    // A connection that says nothing does not keep it from ending.
    let silent = TcpStream::connect(address).unwrap();
    stopper.stop();
    running.join().unwrap().unwrap();
    drop(silent);
    assert!(TcpStream::connect(address).is_err());
}

#[test]
fn bodies_and_heads_that_are_too_large_are_refused() {
    serve(ServerLimits::default(), |address| {
        let post = format!("POST /api/scores HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n");
        // It need not be sent to be refused.
        let answer = speak(address, format!("{post}Content-Length: 99999999999\r\n\r\n"));
        assert!(answer.starts_with("HTTP/1.1 413") && answer.contains("at most 1048576 bytes"), "{answer}");
        // Without its length it is read as far as it may be.
        let head = format!("{post}Transfer-Encoding: chunked\r\n\r\n");
        let body = [b"100001\r\n".as_slice(), &[0; 0x10_0001]].concat();
        let answer = speak(address, [head.as_bytes(), &body].concat());
        assert!(answer.starts_with("HTTP/1.1 413"), "{answer}");
        let long = "x".repeat(1 << 20);
        let answer = speak(address, format!("GET / HTTP/1.1\r\nHost: {address}\r\nX: {long}\r\n\r\n"));
        // It may hang up before that is heard.
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 431"), "{answer}");
        assert!(speak(address, about(address)).starts_with("HTTP/1.1 200"));
    });
}
