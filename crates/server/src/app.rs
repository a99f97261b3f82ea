//! All that requests share, and which of them goes where.

use crate::book::Book;
use crate::buckets::Buckets;
use crate::guard::{Names, guard};
use crate::jobs::Jobs;
use crate::refusal::Refusal;
use crate::request::{LARGEST, in_time, limit};
use crate::{Limits, StartError, page, scores, training};
use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, HeaderValue};
use axum::middleware::{from_fn_with_state, map_response};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde_json::json;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Semaphore, watch};
use tower_http::catch_panic::CatchPanicLayer;

/// What requests share.
pub(crate) struct App {
    pub(crate) book: Book,
    pub(crate) jobs: Jobs,
    pub(crate) buckets: Buckets,
    /// Turns for playing replays again.
    pub(crate) verifying: Arc<Semaphore>,
    /// Places for those who follow training runs.
    pub(crate) followers: Arc<Semaphore>,
    /// Whether the server is about to end.
    pub(crate) closing: watch::Sender<bool>,
}

impl App {
    pub(crate) fn open(data: &Path, limits: &Limits) -> Result<App, StartError> {
        let folder = |error| StartError::Folder { folder: data.to_owned(), error };
        fs::create_dir_all(data).map_err(folder)?;
        Ok(App {
            book: Book::open(&data.join("scores.sqlite"))?,
            jobs: Jobs::open(data.join("training"), limits.running, limits.kept)?,
            buckets: Buckets::new(limits.changes_per_second, limits.burst),
            verifying: Arc::new(Semaphore::new(limits.verifying)),
            followers: Arc::new(Semaphore::new(limits.followers)),
            closing: watch::Sender::new(false),
        })
    }
}

/// The page and its API, under a name.
pub(crate) fn router(app: Arc<App>, names: Names, patience: Duration) -> Router {
    let api = Router::new()
        .route("/about", get(about))
        .route("/scores", get(scores::list).post(scores::add))
        .route("/scores/{id}/replay", get(scores::replay))
        .route("/recipes", get(training::recipes))
        .route("/training", get(training::list).post(training::start))
        .route("/training/{id}", get(training::show).delete(training::delete))
        .route("/training/{id}/stop", post(training::stop))
        .route("/training/{id}/resume", post(training::resume))
        .route("/training/{id}/best", get(training::best))
        .route("/training/{id}/events", get(training::events))
        .fallback(async || Refusal::new(StatusCode::NOT_FOUND, "there is nothing of that name under /api"))
        .method_not_allowed_fallback(async || {
            Refusal::new(StatusCode::METHOD_NOT_ALLOWED, "this can't be done here: see docs/SERVER.md")
        })
        .layer(DefaultBodyLimit::max(LARGEST))
        .layer(from_fn_with_state(Arc::clone(&app), limit))
        .layer(map_response(fresh))
        .with_state(app);
    Router::new()
        .nest("/api", api)
        .fallback(page::file)
        .layer(from_fn_with_state(patience, in_time))
        .layer(CatchPanicLayer::custom(|_| Refusal::fault("a panic in a request").into_response()))
        .layer(from_fn_with_state(Arc::new(names), guard))
}

/// What the API tells is of this moment.
async fn fresh(mut response: Response) -> Response {
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// `GET /api/about`
async fn about() -> Response {
    let version = env!("CARGO_PKG_VERSION");
    Json(json!({ "name": "Tetrion", "version": version, "scores": true, "training": true })).into_response()
}
