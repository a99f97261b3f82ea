//! What requests share, and the routes.

use crate::book::FILE_NAME;
use crate::buckets::Buckets;
use crate::guard::{OwnNames, guard};
use crate::jobs::Jobs;
use crate::office::TicketOffice;
use crate::refusal::Refusal;
use crate::request::{MAX_BODY_BYTES, limit_rate, limit_time};
use crate::store::ScoreStore;
use crate::{ServerLimits, StartError, page, scores, tickets, training};
use axum::extract::DefaultBodyLimit;
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
use std::time::Duration;
use tokio::sync::{Semaphore, watch};
use tower_http::catch_panic::CatchPanicLayer;
use ts_rs::TS;

/// What requests share.
pub(crate) struct App {
    pub(crate) scores: ScoreStore,
    pub(crate) office: TicketOffice,
    pub(crate) jobs: Jobs,
    pub(crate) buckets: Buckets,
    /// Permits to verify replays.
    pub(crate) verifying: Arc<Semaphore>,
    /// Permits to follow training runs.
    pub(crate) followers: Arc<Semaphore>,
    /// Whether the server is shutting down.
    pub(crate) closing: watch::Sender<bool>,
}

impl App {
    pub(crate) fn open(data: &Path, limits: &ServerLimits) -> Result<App, StartError> {
        let folder = |error| StartError::Folder { folder: data.to_owned(), error };
        fs::create_dir_all(data).map_err(folder)?;
        Ok(App {
            scores: ScoreStore::open(&data.join(FILE_NAME))?,
            office: TicketOffice::open(&data.join("tickets.key"))?,
            jobs: Jobs::open(data.join("training"), limits.running, limits.kept)?,
            buckets: Buckets::new(limits.changes_per_second, limits.burst),
            verifying: Arc::new(Semaphore::new(limits.verifying)),
            followers: Arc::new(Semaphore::new(limits.followers)),
            closing: watch::Sender::new(false),
        })
    }
}

/// The page and its API.
pub(crate) fn router(app: Arc<App>, names: OwnNames, timeout: Duration) -> Router {
    let api = Router::new()
        .route("/about", get(about))
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
        .with_state(app);
    Router::new()
        .nest("/api", api)
        .fallback(page::file)
        .layer(from_fn_with_state(timeout, limit_time))
        .layer(CatchPanicLayer::custom(|_| Refusal::internal("a request panicked").into_response()))
        .layer(from_fn_with_state(Arc::new(names), guard))
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
    let version = env!("CARGO_PKG_VERSION");
    Json(ServerAbout { name: "Tetrion", version, scores: true, training: true })
}
