//! Error responses: `{"error": "what is wrong and what to do"}`.

use axum::Json;
use axum::http::StatusCode;
use axum::http::header::RETRY_AFTER;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use std::fmt::Display;
use std::time::Duration;
use ts_rs::TS;

/// The longest reason that a client gets.
const MAX_REASON_CHARS: usize = 1_000;
/// The longest quote of what a client sent.
const MAX_QUOTE_CHARS: usize = 60;

/// The body of an error response.
#[derive(Serialize, TS)]
pub(crate) struct ErrorBody {
    /// What is wrong and what to do.
    error: String,
}

/// Why a request is refused.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    status: StatusCode,
    reason: String,
    retry_after: Option<Duration>,
}

impl Refusal {
    pub(crate) fn new(status: StatusCode, reason: impl Into<String>) -> Refusal {
        // It may quote what the client sent.
        Refusal { status, reason: cut(&reason.into(), MAX_REASON_CHARS), retry_after: None }
    }

    /// For requests that will work later.
    pub(crate) fn retry_after(self, wait: Duration) -> Refusal {
        Refusal { retry_after: Some(wait), ..self }
    }

    /// For bugs and broken files. The details are for whoever runs the server, not for the client.
    pub(crate) fn internal(error: impl Display) -> Refusal {
        eprintln!("internal error: {error}");
        let reason = "internal error: the request failed, but the server keeps running";
        Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, reason)
    }
}

/// What a client sent, cut to a length that fits into an error message.
pub(crate) fn short(sent: &str) -> String {
    cut(sent, MAX_QUOTE_CHARS)
}

fn cut(text: &str, max_chars: usize) -> String {
    match text.char_indices().nth(max_chars) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(ErrorBody { error: self.reason })).into_response();
        if let Some(wait) = self.retry_after {
            // The header is in whole seconds; 0 would mean to retry at once.
            let seconds = wait.as_secs_f64().ceil().max(1.0) as u64;
            response.headers_mut().insert(RETRY_AFTER, seconds.into());
        }
        response
    }
}
