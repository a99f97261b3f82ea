//! `/api/scores`: the score book from the page.

use crate::app::App;
use crate::book::BookError;
use crate::ranked::{By, NotRanked, Ranked};
use crate::refusal::Refusal;
use crate::request::{Body, Id, blocking, blocking_in_turn};
use axum::Json;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde_json::json;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use tetrion_engine::ruleset::Mode;

/// Scores listed if nobody says how many, and at most.
const USUAL: usize = 100;
const MOST: usize = 10_000;

/// `GET /api/scores`
pub(crate) async fn list(
    State(app): State<Arc<App>>,
    Query(query): Query<HashMap<String, String>>,
) -> Result<Response, Refusal> {
    let wrong = |reason: &str| Refusal::new(StatusCode::BAD_REQUEST, reason);
    let given = |name: &str| query.get(name).map(String::as_str);
    let mode = match given("mode") {
        Some("sprint") => Mode::Sprint,
        Some("blitz") => Mode::Blitz,
        _ => return Err(wrong("say which ranking: mode=sprint or mode=blitz")),
    };
    let by = match given("by") {
        Some("people") => By::Person,
        Some("agents") => By::Agent,
        _ => return Err(wrong("say whose ranking: by=people or by=agents")),
    };
    let most = match given("limit").map(str::parse) {
        None => USUAL,
        Some(Ok(most)) if (1..=MOST).contains(&most) => most,
        Some(_) => return Err(wrong("limit is a number from 1 to 10000")),
    };
    let scores = blocking(move || app.book.best(mode, by, most)).await??;
    Ok(Json(json!({ "scores": scores })).into_response())
}

/// `POST /api/scores`
pub(crate) async fn add(State(app): State<Arc<App>>, Body(replay): Body) -> Result<Response, Refusal> {
    let bytes = replay.clone();
    // However many come at once, only so many are played again at a time.
    let game = blocking_in_turn(&app.verifying, move || Ranked::verify(&bytes)).await??;
    let kept = app.book.add(game, replay.into()).await?;
    Ok((StatusCode::CREATED, Json(kept)).into_response())
}

/// `GET /api/scores/{id}/replay`
pub(crate) async fn replay(State(app): State<Arc<App>>, Id(id): Id) -> Result<Response, Refusal> {
    let unknown =
        || Refusal::new(StatusCode::NOT_FOUND, "there is no such score: GET /api/scores lists them");
    let id = i64::try_from(id).map_err(|_| unknown())?;
    let replay = blocking(move || app.book.replay(id)).await??.ok_or_else(unknown)?;
    Ok(([(CONTENT_TYPE, "application/octet-stream")], replay).into_response())
}

impl From<NotRanked> for Refusal {
    fn from(error: NotRanked) -> Refusal {
        let status = match &error {
            NotRanked::Unreadable(_) => StatusCode::BAD_REQUEST,
            _ => StatusCode::UNPROCESSABLE_ENTITY,
        };
        Refusal::new(status, error.to_string())
    }
}

impl From<BookError> for Refusal {
    fn from(error: BookError) -> Refusal {
        let refusal = |status| Refusal::new(status, error.to_string());
        match &error {
            BookError::Again(_) => refusal(StatusCode::CONFLICT),
            BookError::Disk(_) => refusal(StatusCode::INSUFFICIENT_STORAGE),
            BookError::Held => refusal(StatusCode::SERVICE_UNAVAILABLE).until(Duration::from_secs(5)),
            BookError::Damaged(_) | BookError::Failed(_) => refusal(StatusCode::INTERNAL_SERVER_ERROR),
        }
    }
}
