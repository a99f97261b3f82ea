//! What is told when a request can't be done: `{"error": "what is wrong and what to do"}`.

use axum::Json;
use axum::http::StatusCode;
use axum::http::header::RETRY_AFTER;
use axum::response::{IntoResponse, Response};
use serde_json::json;
use std::fmt::Display;
use std::time::Duration;

/// Why a request is not done.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    status: StatusCode,
    reason: String,
    retry_after: Option<Duration>,
}

impl Refusal {
    pub(crate) fn new(status: StatusCode, reason: impl Into<String>) -> Refusal {
        // Whatever was sent may be in it.
        Refusal { status, reason: cut(&reason.into(), 1_000), retry_after: None }
    }

    /// For what will work later.
    pub(crate) fn until(self, wait: Duration) -> Refusal {
        Refusal { retry_after: Some(wait), ..self }
    }

    /// For what should not have happened. What it was is for whoever runs the server, not for whoever asked.
    pub(crate) fn fault(what: impl Display) -> Refusal {
        eprintln!("a fault: {what}");
        let reason = "a fault in the program: it goes on, but this was not done";
        Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, reason)
    }
}

/// What somebody sent, as it is told back to them: no longer than a line.
pub(crate) fn short(sent: &str) -> String {
    cut(sent, 60)
}

fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(json!({ "error": self.reason }))).into_response();
        if let Some(wait) = self.retry_after {
            // The header is in whole seconds; none of them would ask to try at once.
            let seconds = wait.as_secs_f64().ceil().max(1.0) as u64;
            response.headers_mut().insert(RETRY_AFTER, seconds.into());
        }
        response
    }
}
