//! What requests share, and the routes.

use crate::accounting::account;
use crate::book::FILE_NAME;
use crate::buckets::Buckets;
use crate::guard::{OwnNames, guard, secure};
use crate::jobs::Jobs;
use crate::metrics::{self, Counters};
use crate::office::TicketOffice;
use crate::quota::Quota;
use crate::refusal::Refusal;
use crate::request::{MAX_BODY_BYTES, blocking, limit_rate, limit_time};
use crate::request_log::RequestLog;
use crate::store::ScoreStore;
use crate::{ServerLimits, StartError, page, scores, tickets, training};
use axum::extract::{DefaultBodyLimit, State};
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, HeaderValue};
use axum::middleware::{from_fn_with_state, map_response};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Serialize;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tetrion_leaderboard::{Category, Competitor, Leaderboard};
use tokio::sync::{Semaphore, watch};
use tower_http::catch_panic::CatchPanicLayer;
use ts_rs::TS;

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What requests share.
pub(crate) struct App {
    pub(crate) scores: ScoreStore,
    pub(crate) office: TicketOffice,
    pub(crate) jobs: Jobs,
    pub(crate) buckets: Buckets,
    /// Permits to verify replays.
    pub(crate) verifying: Arc<Semaphore>,
    /// Open connections.
    pub(crate) connections: Arc<Quota>,
    /// Requests under way. Behind a proxy, connections don't tell how many a client has.
    pub(crate) requests: Arc<Quota>,
    /// Bytes of requests and responses under way.
    pub(crate) bytes: Arc<Quota>,
    /// Clients that follow training runs.
    pub(crate) followers: Arc<Quota>,
    pub(crate) counters: Counters,
    pub(crate) log: Option<RequestLog>,
    pub(crate) started: Instant,
    /// Whether the server is shutting down.
    pub(crate) closing: watch::Sender<bool>,
}

impl App {
    pub(crate) fn open(
        data: &Path,
        limits: &ServerLimits,
        log: Option<RequestLog>,
    ) -> Result<App, StartError> {
        let folder = |error| StartError::Folder { folder: data.to_owned(), error };
        fs::create_dir_all(data).map_err(folder)?;
        Ok(App {
            scores: ScoreStore::open(&data.join(FILE_NAME))?,
            office: TicketOffice::open(&data.join("tickets.key"))?,
            jobs: Jobs::open(data.join("training"), limits.running, limits.kept)?,
            buckets: Buckets::new(limits.changes_per_second, limits.burst),
            verifying: Arc::new(Semaphore::new(limits.verifying)),
            connections: Quota::new(limits.connections),
            requests: Quota::new(limits.connections),
            bytes: Quota::new(limits.bytes),
            followers: Quota::new(limits.followers),
            counters: Counters::default(),
            log,
            started: Instant::now(),
            closing: watch::Sender::new(false),
        })
    }
}

/// The page and its API.
pub(crate) fn router(app: Arc<App>, names: OwnNames, timeout: Duration) -> Router {
    let api = Router::new()
        .route("/about", get(about))
        .route("/health", get(health))
        .route("/scores", get(scores::list).post(scores::add))
        .route("/scores/{id}/replay", get(scores::replay))
        .route("/tickets", post(tickets::issue))
        .route("/tickets/pause", post(tickets::pause))
        .route("/tickets/resume", post(tickets::resume))
        .route("/recipes", get(training::recipes))
        .route("/training", get(training::list).post(training::start))
        .route("/training/{id}", get(training::show).delete(training::delete))
        .route("/training/{id}/stop", post(training::stop))
        .route("/training/{id}/resume", post(training::resume))
        .route("/training/{id}/best", get(training::best))
        .route("/training/{id}/events", get(training::events))
        .fallback(async || {
            Refusal::new(StatusCode::NOT_FOUND, "there is no such API endpoint: see docs/SERVER.md")
        })
        .method_not_allowed_fallback(async || {
            Refusal::new(
                StatusCode::METHOD_NOT_ALLOWED,
                "this endpoint has no such method: see docs/SERVER.md",
            )
        })
        .layer(DefaultBodyLimit::max(MAX_BODY_BYTES))
        .layer(from_fn_with_state(Arc::clone(&app), limit_rate))
        .layer(map_response(forbid_caching))
        .with_state(Arc::clone(&app));
    Router::new()
        .nest("/api", api)
        .route("/metrics", get(metrics::show))
        .fallback(page::file)
        .with_state(Arc::clone(&app))
        .layer(from_fn_with_state(timeout, limit_time))
        .layer(CatchPanicLayer::custom(|_| Refusal::internal("a request panicked").into_response()))
        .layer(from_fn_with_state(Arc::new(names), guard))
        .layer(from_fn_with_state(app, account))
        .layer(map_response(secure))
}

/// API responses are valid only now.
async fn forbid_caching(mut response: Response) -> Response {
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// The program behind the API.
#[derive(Serialize, TS)]
pub(crate) struct ServerAbout {
    /// Always "Tetrion".
    name: &'static str,
    version: &'static str,
    /// Whether it has leaderboards.
    scores: bool,
    /// Whether it trains agents.
    training: bool,
}

/// `GET /api/about`
async fn about() -> Json<ServerAbout> {
    Json(ServerAbout { name: "Tetrion", version: VERSION, scores: true, training: true })
}

/// Whether the server works.
#[derive(Serialize)]
struct Health {
    /// Whether the leaderboards can be read.
    ok: bool,
    version: &'static str,
    /// Seconds since it started.
    uptime: u64,
}

/// `GET /api/health`
async fn health(State(app): State<Arc<App>>) -> Result<(StatusCode, Json<Health>), Refusal> {
    let uptime = app.started.elapsed().as_secs();
    let some_leaderboard = Leaderboard { category: Category::Sprint40, competitor: Competitor::Person };
    let read = blocking(move || app.scores.best(some_leaderboard, true, 1)).await?;
    if let Err(error) = &read {
        eprintln!("the server is not healthy: {error}");
    }
    let status = if read.is_ok() { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    Ok((status, Json(Health { ok: read.is_ok(), version: VERSION, uptime })))
}
