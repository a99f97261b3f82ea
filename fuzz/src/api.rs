//! The server's API.

use crate::Verdict;
use crate::choices::Choices;
use crate::replay::replay_file;
use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, HOST, X_CONTENT_TYPE_OPTIONS};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response};
use axum::{Router, body};
use http_body_util::BodyExt;
use serde_json::Value;
use tempfile::TempDir;
use tetrion_leaderboard::{Category, Seal};
use tetrion_server::office::{TicketOffice, wall_time};
use tetrion_server::{Config, Server, ServerLimits};
use tetrion_training::recipe::{Recipe, named};
use tetrion_training::run::{Checkpoint, Run};
use tokio::runtime::{Builder, Runtime};
use tower::ServiceExt;

/// No response of the API is longer.
const MAX_RESPONSE_BYTES: usize = 1 << 20;
/// A reason has a thousand characters at most, and JSON writes some of them with six.
const MAX_ERROR_BYTES: usize = 8 << 10;
/// Bodies are repeated up to this length, which is beyond what the server reads.
const MAX_BODY_BYTES: usize = 3 << 19;

/// The server answers any request without an internal error. Errors have a reason, and every response its security headers.
///
/// An input looks like a request: a line such as `GET /api/about`, headers, an empty line and the body. `PORT` is the server's
/// port, and a request without a host gets the server's own. A body that starts like a replay gets the length and the
/// checksum of one. `repeat: N` repeats the body, so that the fuzzer reaches the limit of its size. `TICKET` and `PAUSED` are tickets of
/// the server, the second of a paused game. An input that does not look like a request
/// consists of choices.
pub fn api(data: &[u8]) -> Verdict {
    thread_local! {
        static SITE: Site = Site::open();
    }
    SITE.with(|site| site.answer(data))
}

/// A server without a socket, with a training run that can't be resumed or deleted.
struct Site {
    runtime: Runtime,
    server: Server,
    router: Router,
    /// What stands for something of this server in an input.
    names: [(&'static str, String); 3],
    /// Dropped before its folder.
    _run: Run,
    _folder: TempDir,
}

impl Site {
    fn open() -> Site {
        let folder = tempfile::tempdir().expect("there is a folder for temporary files");
        let run = folder.path().join("training/1");
        let recipe = Recipe::parse(named("lee").expect("it is built in"), &[]).expect("it is valid");
        drop(Run::start(&run, recipe).expect("the folder is empty"));
        let limits =
            ServerLimits { running: 0, changes_per_second: 1e9, burst: 1e9, ..ServerLimits::default() };
        let data = folder.path().to_owned();
        let host = "127.0.0.1".parse().expect("this is an address");
        let server = Server::start(Config { data, host, port: 0, public_url: None, log: None, limits })
            .expect("the server can start");
        let office = TicketOffice::open(&folder.path().join("tickets.key")).expect("the server has a key");
        let mut ticket = office.issue(Category::Sprint40, wall_time()).expect("there are random numbers");
        let open = office.sign(&ticket);
        ticket.pause(Seal::new(&[], 0), wall_time()).expect("it is not paused");
        let port = server.address().port().to_string();
        Site {
            names: [("PORT", port), ("TICKET", open), ("PAUSED", office.sign(&ticket))],
            // The run is in use from now on: inputs leave nothing behind but scores.
            _run: Run::resume(&run, Checkpoint::Newest, None).expect("the run was saved"),
            _folder: folder,
            router: server.router(),
            server,
            runtime: Builder::new_current_thread().enable_all().build().expect("a runtime can be made"),
        }
    }

    fn answer(&self, data: &[u8]) -> Verdict {
        let chosen = || self.request(&request(Choices::of(data)));
        let Some(request) = self.request(data).or_else(chosen) else { return Verdict::Refused };
        let (method, path) = (request.method().clone(), request.uri().path().to_owned());
        self.runtime.block_on(async {
            let response = self.router.clone().oneshot(request).await.expect("a router never fails");
            check(&method, &path, response).await
        })
    }

    /// The request that an input describes, if there is one.
    fn request(&self, data: &[u8]) -> Option<Request<Body>> {
        let end = data.windows(2).position(|two| two == b"\n\n");
        let (head, body) = end.map_or((data, &[][..]), |end| (&data[..end], &data[end + 2..]));
        let address = self.server.address();
        let fill = |text: &str| {
            self.names.iter().fold(text.to_owned(), |text, (name, value)| text.replace(name, value))
        };
        let head = fill(str::from_utf8(head).ok()?);
        let mut lines = head.split('\n');
        let (method, uri) = lines.next()?.split_once(' ')?;
        let mut headers = HeaderMap::new();
        for line in lines {
            let (name, value) = line.split_once(": ")?;
            headers.append(HeaderName::try_from(name).ok()?, HeaderValue::try_from(value).ok()?);
        }
        headers.entry(HOST).or_insert(HeaderValue::try_from(address.to_string()).ok()?);
        let mut body = match body.strip_prefix(b"TETRION") {
            Some([version, body @ ..]) => replay_file(*version, body),
            _ => str::from_utf8(body).map_or(body.to_vec(), |text| fill(text).into_bytes()),
        };
        if let Some(times) = headers.get("repeat") {
            let most = MAX_BODY_BYTES / body.len().max(1);
            body = body.repeat(times.to_str().ok()?.parse::<usize>().ok()?.min(most));
        }
        let mut request = Request::builder().method(method).uri(uri).body(body.into()).ok()?;
        *request.headers_mut() = headers;
        Some(request)
    }
}

/// A request to one of the endpoints, as text.
fn request(mut choices: Choices) -> Vec<u8> {
    let mode = *choices.one_of(&["sprint", "blitz", "practice"]);
    let id = *choices.one_of(&["1", "2", "0", "01", "%31", "18446744073709551616"]);
    let digest = "5a".repeat(if choices.one_in(8) { 31 } else { 32 });
    let number = choices.byte();
    let (line, body) = match choices.byte() % 16 {
        0 => ("GET /".to_owned(), String::new()),
        1 => ("GET /api/about".to_owned(), String::new()),
        2 => ("GET /api/health".to_owned(), String::new()),
        3..=5 => {
            let by = choices.one_of(&["people", "agents", "%70eople", ""]);
            let unverified = choices.one_of(&["true", "false", "TRUE"]);
            let query = format!("mode={mode}&by={by}&limit={number}&unverified={unverified}");
            (format!("GET /api/scores?{query}"), String::new())
        }
        6 => (format!("GET /api/scores/{id}/replay"), String::new()),
        7 => ("GET /api/recipes".to_owned(), String::new()),
        8 => (format!("GET /api/training/{id}"), String::new()),
        9 => (format!("GET /api/training/{id}/{}", choices.one_of(&["best", "events"])), String::new()),
        10..=11 => ("POST /api/tickets".to_owned(), format!(r#"{{"mode": "{mode}"}}"#)),
        12..=13 => {
            let ticket = choices.one_of(&["TICKET", "PAUSED", ""]);
            let seal = format!(r#""micros": {number}, "inputs": {}, "digest": "{digest}""#, choices.byte());
            ("POST /api/tickets/pause".to_owned(), format!(r#"{{"ticket": "{ticket}", {seal}}}"#))
        }
        14 => {
            let ticket = choices.one_of(&["PAUSED", "TICKET", ""]);
            ("POST /api/tickets/resume".to_owned(), format!(r#"{{"ticket": "{ticket}"}}"#))
        }
        _ => (
            format!("POST /api/scores\ntetrion-ticket: {}", choices.one_of(&["TICKET", "PAUSED"])),
            String::new(),
        ),
    };
    let header =
        choices.one_of(&["", "\norigin: http://127.0.0.1:PORT", "\nhost: localhost:PORT", "\norigin: null"]);
    let head = format!("{line}{header}\n\n{body}");
    // A score has a body of bytes; anything after the JSON of another request makes it invalid.
    let rest = if line.starts_with("POST /api/scores") { choices.rest() } else { &[] };
    [head.as_bytes(), rest].concat()
}

async fn check(method: &Method, path: &str, response: Response<Body>) -> Verdict {
    let (head, mut content) = response.into_parts();
    let (status, headers) = (head.status, head.headers);
    assert!(!status.is_server_error(), "{status}");
    assert!(headers.contains_key(X_CONTENT_TYPE_OPTIONS));
    if headers.get(CONTENT_TYPE).is_some_and(|kind| kind == "text/event-stream") {
        // The stream goes on as long as the server.
        if *method == Method::GET {
            content.frame().await.expect("there is a first event").expect("it can be sent");
        }
        return Verdict::Accepted;
    }
    let is_error = status.is_client_error();
    let limit = match is_error {
        true => MAX_ERROR_BYTES,
        false if path.starts_with("/api/") => MAX_RESPONSE_BYTES,
        false => usize::MAX,
    };
    let content = body::to_bytes(content, limit).await.expect("the response is not too long");
    if !is_error {
        return Verdict::Accepted;
    }
    if *method != Method::HEAD {
        let error: Value = serde_json::from_slice(&content).expect("errors are JSON");
        assert!(error["error"].as_str().is_some_and(|reason| !reason.is_empty()));
    }
    Verdict::Refused
}
