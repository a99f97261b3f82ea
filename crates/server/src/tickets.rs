//! `/api/tickets`: tickets for ranked games, and the pauses of these games. See [`office`](crate::office).

use crate::app::App;
use crate::office::{Ticket, TicketError, WallTime, day_of, from_hex, wall_time};
use crate::refusal::Refusal;
use crate::request::Body;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use tetrion_engine::ruleset::Micros;
use tetrion_leaderboard::{Category, Seal, UnknownCategory};
use ts_rs::TS;

/// The body of a request for a ticket.
#[derive(Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub(crate) struct TicketOrder {
    /// A category, or `daily` for that of today.
    #[ts(type = "Category | \"daily\"")]
    mode: String,
}

/// A ticket for a game.
#[derive(Serialize, TS)]
pub(crate) struct IssuedTicket {
    ticket: String,
    /// A text, because JavaScript's numbers are too short for it.
    seed: String,
}

/// The body of a request to pause a game.
#[derive(Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub(crate) struct PauseOrder {
    ticket: String,
    /// Time played.
    micros: Micros,
    /// The number of inputs so far.
    inputs: u32,
    /// Their hash: 64 hexadecimal digits.
    digest: String,
}

/// A ticket alone: that of a game to resume, or the one to go on with.
#[derive(Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub(crate) struct TicketText {
    ticket: String,
}

/// `POST /api/tickets`
pub(crate) async fn issue(
    State(app): State<Arc<App>>,
    body: Body,
) -> Result<(StatusCode, Json<IssuedTicket>), Refusal> {
    let TicketOrder { mode } = body.json(r#"{"mode": "sprint"}"#)?;
    let now = wall_time();
    let unprocessable = |reason: String| Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, reason);
    let category = named_category(&mode, now).map_err(|unknown| unprocessable(unknown.to_string()))?;
    if matches!(category, Category::Daily(day) if day != day_of(now)) {
        return Err(unprocessable("only the daily of today can be played".to_owned()));
    }
    let ticket = app.office.issue(category, now).map_err(Refusal::internal)?;
    let issued = IssuedTicket { ticket: app.office.sign(&ticket), seed: ticket.seed.to_string() };
    Ok((StatusCode::CREATED, Json(issued)))
}

/// The category that a client names; `daily` is that of today.
pub(crate) fn named_category(name: &str, now: WallTime) -> Result<Category, UnknownCategory> {
    if name == "daily" { Ok(Category::Daily(day_of(now))) } else { name.parse() }
}

/// `POST /api/tickets/pause`
pub(crate) async fn pause(State(app): State<Arc<App>>, body: Body) -> Result<Json<TicketText>, Refusal> {
    let example = r#"{"ticket": "…", "micros": 1000000, "inputs": 12, "digest": "…"}"#;
    let PauseOrder { ticket, micros, inputs, digest } = body.json(example)?;
    let digest = from_hex(&digest).and_then(|bytes| bytes.try_into().ok());
    let digest = digest
        .ok_or_else(|| Refusal::new(StatusCode::BAD_REQUEST, "the digest must have 64 hexadecimal digits"))?;
    renew(&app, &ticket, |ticket, now| ticket.pause(Seal { micros, inputs, digest }, now))
}

/// `POST /api/tickets/resume`
pub(crate) async fn resume(State(app): State<Arc<App>>, body: Body) -> Result<Json<TicketText>, Refusal> {
    let TicketText { ticket } = body.json(r#"{"ticket": "…"}"#)?;
    renew(&app, &ticket, Ticket::resume)
}

fn renew(
    app: &App,
    text: &str,
    change: impl FnOnce(&mut Ticket, WallTime) -> Result<(), TicketError>,
) -> Result<Json<TicketText>, Refusal> {
    let mut ticket = app.office.read(text)?;
    change(&mut ticket, wall_time())?;
    Ok(Json(TicketText { ticket: app.office.sign(&ticket) }))
}

impl From<TicketError> for Refusal {
    fn from(error: TicketError) -> Refusal {
        let status = match error {
            TicketError::Foreign => StatusCode::UNPROCESSABLE_ENTITY,
            TicketError::Paused | TicketError::NotPaused | TicketError::TooManyPauses => StatusCode::CONFLICT,
        };
        Refusal::new(status, error.to_string())
    }
}
