//! What requests have in common: size limits, timeouts, blocking work and rate limits.

use crate::app::App;
use crate::refusal::Refusal;
use axum::body::{Bytes, HttpBody};
use axum::extract::{Extension, FromRequest, FromRequestParts, Path, Request, State};
use axum::http::request::Parts;
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;

/// The largest body.
pub(crate) const MAX_BODY_BYTES: usize = 1 << 20;

/// The client's address.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub(crate) IpAddr);

/// The whole body.
pub(crate) struct Body(pub(crate) Bytes);

impl<S: Send + Sync> FromRequest<S> for Body {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<Body, Refusal> {
        let too_large = || {
            let reason = format!("the body is too large: send at most {MAX_BODY_BYTES} bytes");
            Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, reason)
        };
        // If the client announces the size, it need not send the body.
        if request.body().size_hint().lower() > MAX_BODY_BYTES as u64 {
            return Err(too_large());
        }
        Bytes::from_request(request, state).await.map(Body).map_err(|error| match error.status() {
            StatusCode::PAYLOAD_TOO_LARGE => too_large(),
            status => Refusal::new(status, error.body_text()),
        })
    }
}

/// The number in a path: nothing else from a client ever selects a file or a row.
pub(crate) struct Id(pub(crate) u64);

impl<S: Send + Sync> FromRequestParts<S> for Id {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Id, Refusal> {
        let no_number = |_| Refusal::new(StatusCode::NOT_FOUND, "ids are whole numbers");
        Path::from_request_parts(parts, state).await.map(|Path(id)| Id(id)).map_err(no_number)
    }
}

/// Runs blocking work on a thread of its own.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Refusal> {
    tokio::task::spawn_blocking(work).await.map_err(Refusal::internal)
}

/// The same, limited to a number of permits. If the client disconnects, the work goes on and keeps its permit until it is done.
pub(crate) async fn blocking_with_permit<T: Send + 'static>(
    permits: &Arc<Semaphore>,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Refusal> {
    let permit = Arc::clone(permits).acquire_owned().await.map_err(Refusal::internal)?;
    blocking(move || {
        let _permit = permit;
        work()
    })
    .await
}

/// Refuses clients that change things too often.
pub(crate) async fn limit_rate(
    State(app): State<Arc<App>>,
    peer: Option<Extension<Peer>>,
    request: Request,
    next: Next,
) -> Response {
    let peer = peer.map_or(Ipv4Addr::UNSPECIFIED.into(), |Extension(Peer(peer))| peer);
    let changes = !matches!(*request.method(), Method::GET | Method::HEAD);
    match if changes { app.buckets.take(peer, Instant::now()) } else { Ok(()) } {
        Ok(()) => next.run(request).await,
        Err(wait) => Refusal::new(StatusCode::TOO_MANY_REQUESTS, "too many requests: wait a moment")
            .retry_after(wait)
            .into_response(),
    }
}

/// Gives up on requests that take too long.
pub(crate) async fn limit_time(State(timeout): State<Duration>, request: Request, next: Next) -> Response {
    let late = || Refusal::new(StatusCode::REQUEST_TIMEOUT, "this took too long: try again");
    tokio::time::timeout(timeout, next.run(request)).await.unwrap_or_else(|_| late().into_response())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[tokio::test]
    async fn work_keeps_its_permit_after_the_client_has_gone() {
        let permits = Arc::new(Semaphore::new(1));
        let (begun, has_begun) = tokio::sync::oneshot::channel();
        let (go_on, may_go_on) = mpsc::channel::<()>();
        let asked = tokio::spawn({
            let permits = Arc::clone(&permits);
            let work = move || {
                let _ = begun.send(());
                let _ = may_go_on.recv();
            };
            async move { blocking_with_permit(&permits, work).await.is_ok() }
        });
        has_begun.await.unwrap();
        asked.abort();
        assert!(asked.await.unwrap_err().is_cancelled());
        assert_eq!(permits.available_permits(), 0);
        drop(go_on);
        assert!(permits.acquire().await.is_ok());
    }
}
