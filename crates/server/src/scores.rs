//! `/api/scores`: the leaderboards.

use crate::app::App;
use crate::office::wall_time;
use crate::refusal::Refusal;
use crate::request::{Body, Id, blocking, blocking_with_permit};
use crate::store::{AcceptedScore, Score, StoreError};
use crate::tickets::named_category;
use crate::verify::{Rejection, ReplayedGame};
use axum::Json;
use axum::extract::{Query, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tetrion_leaderboard::{Category, Competitor, Leaderboard};
use ts_rs::TS;

/// Scores listed if the request gives no limit.
const DEFAULT_LIMIT: usize = 100;
const MAX_LIMIT: usize = 10_000;
/// Carries the ticket of a person's game.
const TICKET_HEADER: &str = "tetrion-ticket";
/// When to try again if another program has locked the leaderboards.
const RETRY_WHEN_LOCKED: Duration = Duration::from_secs(5);

/// A leaderboard, best score first.
#[derive(Serialize, TS)]
pub(crate) struct ScoreList {
    scores: Vec<Score>,
}

/// `GET /api/scores`
pub(crate) async fn list(
    State(app): State<Arc<App>>,
    Query(query): Query<HashMap<String, String>>,
) -> Result<Json<ScoreList>, Refusal> {
    let wrong = |reason: &str| Refusal::new(StatusCode::BAD_REQUEST, reason);
    let given = |name: &str| query.get(name).map(String::as_str);
    let mode = given("mode").ok_or_else(|| wrong("give the leaderboard's mode, such as mode=sprint"))?;
    let category = named_category(mode, wall_time()).map_err(|unknown| wrong(&format!("mode: {unknown}")))?;
    let competitor = match given("by") {
        Some("people") => Competitor::Person,
        Some("agents") => Competitor::Agent,
        _ => return Err(wrong("say who plays: by=people or by=agents")),
    };
    let limit = match given("limit").map(str::parse) {
        None => DEFAULT_LIMIT,
        Some(Ok(limit)) if (1..=MAX_LIMIT).contains(&limit) => limit,
        Some(_) => return Err(wrong(&format!("limit must be a number from 1 to {MAX_LIMIT}"))),
    };
    let verified = match given("unverified") {
        None | Some("false") => true,
        Some("true") => false,
        Some(_) => return Err(wrong("unverified must be true or false")),
    };
    let leaderboard = Leaderboard { category, competitor };
    let scores = blocking(move || app.scores.best(leaderboard, verified, limit)).await??;
    Ok(Json(ScoreList { scores }))
}

/// `POST /api/scores`
pub(crate) async fn add(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    Body(replay): Body,
) -> Result<(StatusCode, Json<AcceptedScore>), Refusal> {
    // Before it waits for its turn.
    let arrived = wall_time();
    let ticket = headers.get(TICKET_HEADER).map(|text| text.to_str().unwrap_or_default().to_owned());
    let (bytes, judge) = (replay.clone(), Arc::clone(&app));
    let verify = move || -> Result<ReplayedGame, Rejection> {
        let began = Instant::now();
        let verified = ReplayedGame::verify(&bytes);
        judge.counters.verification_time.add(began.elapsed());
        let mut game = verified?;
        judge.office.judge(&mut game, ticket.as_deref(), arrived);
        match (game.leaderboard.category, &game.unverified) {
            // Otherwise anybody could open a leaderboard for any day.
            (Category::Daily(_), Some(reason)) => Err(Rejection::UnverifiedDaily(reason.clone())),
            _ => Ok(game),
        }
    };
    let count = |result| app.counters.scores.add(result);
    let game = blocking_with_permit(&app.verifying, verify).await?.inspect_err(|_| count("refused"))?;
    let accepted = app.scores.add(game, replay.into()).await;
    count(match &accepted {
        Ok(AcceptedScore { unverified: None, .. }) => "verified",
        Ok(AcceptedScore { unverified: Some(_), .. }) => "unverified",
        Err(StoreError::Duplicate(_) | StoreError::TicketUsed) => "duplicate",
        Err(StoreError::NotAmongBest | StoreError::NotAmongOwnBest) => "not_among_best",
        Err(_) => "failed",
    });
    Ok((StatusCode::CREATED, Json(accepted?)))
}

/// `GET /api/scores/{id}/replay`
pub(crate) async fn replay(State(app): State<Arc<App>>, Id(id): Id) -> Result<Response, Refusal> {
    let unknown =
        || Refusal::new(StatusCode::NOT_FOUND, "there is no such score: GET /api/scores lists them");
    let id = i64::try_from(id).map_err(|_| unknown())?;
    let replay = blocking(move || app.scores.replay(id)).await??.ok_or_else(unknown)?;
    Ok(([(CONTENT_TYPE, "application/octet-stream")], replay).into_response())
}

impl From<Rejection> for Refusal {
    fn from(rejection: Rejection) -> Refusal {
        let status = match &rejection {
            Rejection::Unreadable(_) => StatusCode::BAD_REQUEST,
            Rejection::TooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
            Rejection::NotRanked(_)
            | Rejection::TooManyInputs { .. }
            | Rejection::Unplayable(_)
            | Rejection::Differs
            | Rejection::UnverifiedDaily(_) => StatusCode::UNPROCESSABLE_ENTITY,
        };
        Refusal::new(status, rejection.to_string())
    }
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Refusal {
        let refusal = |status| Refusal::new(status, error.to_string());
        match &error {
            StoreError::Duplicate(_)
            | StoreError::TicketUsed
            | StoreError::NotAmongBest
            | StoreError::NotAmongOwnBest => refusal(StatusCode::CONFLICT),
            StoreError::Disk(_) => refusal(StatusCode::INSUFFICIENT_STORAGE),
            StoreError::Locked => refusal(StatusCode::SERVICE_UNAVAILABLE).retry_after(RETRY_WHEN_LOCKED),
            StoreError::Damaged(_) | StoreError::Failed(_) => refusal(StatusCode::INTERNAL_SERVER_ERROR),
        }
    }
}
