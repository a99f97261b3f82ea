//! What is told when a request can't be done: `{"error": "what is wrong and what to do"}`.

use axum::Json;
use axum::http::StatusCode;
use axum::http::header::RETRY_AFTER;
use axum::response::{IntoResponse, Response};
use serde_json::json;
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
        Refusal { status, reason: reason.into(), retry_after: None }
    }

    /// For what will work later.
    pub(crate) fn until(self, wait: Duration) -> Refusal {
        Refusal { retry_after: Some(wait), ..self }
    }

    /// For what should not have happened.
    pub(crate) fn fault(reason: impl ToString) -> Refusal {
        Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, reason.to_string())
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
