//! What requests have in common: bodies of some size, an end to waiting, work that would block, and how often one may ask.

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
pub(crate) const LARGEST: usize = 1 << 20;

/// Who asks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub(crate) IpAddr);

/// The whole body.
pub(crate) struct Body(pub(crate) Bytes);

impl<S: Send + Sync> FromRequest<S> for Body {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<Body, Refusal> {
        let too_large = || {
            let reason = format!("the body is too large: send at most {LARGEST} bytes");
            Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, reason)
        };
        // Whoever says so beforehand need not send it.
        if request.body().size_hint().lower() > LARGEST as u64 {
            return Err(too_large());
        }
        Bytes::from_request(request, state).await.map(Body).map_err(|error| match error.status() {
            StatusCode::PAYLOAD_TOO_LARGE => too_large(),
            status => Refusal::new(status, error.body_text()),
        })
    }
}

/// The number in a path: all that ever comes from a client to find something by.
pub(crate) struct Id(pub(crate) u64);

impl<S: Send + Sync> FromRequestParts<S> for Id {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Id, Refusal> {
        let no_number = |_| Refusal::new(StatusCode::NOT_FOUND, "what is asked for has a number: give that");
        Path::from_request_parts(parts, state).await.map(|Path(id)| Id(id)).map_err(no_number)
    }
}

/// Does what would block others somewhere else.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Refusal> {
    tokio::task::spawn_blocking(work).await.map_err(Refusal::fault)
}

/// The same, but only so many at a time. Work goes on when whoever asked for it is gone, and has its turn until it is done.
pub(crate) async fn blocking_in_turn<T: Send + 'static>(
    turns: &Arc<Semaphore>,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Refusal> {
    let turn = Arc::clone(turns).acquire_owned().await.map_err(Refusal::fault)?;
    blocking(move || {
        let _turn = turn;
        work()
    })
    .await
}

/// Refuses whoever changes things too often.
pub(crate) async fn limit(
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
            .until(wait)
            .into_response(),
    }
}

/// Does not wait for ever.
pub(crate) async fn in_time(State(patience): State<Duration>, request: Request, next: Next) -> Response {
    let late = || Refusal::new(StatusCode::REQUEST_TIMEOUT, "this took too long: try again");
    tokio::time::timeout(patience, next.run(request)).await.unwrap_or_else(|_| late().into_response())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[tokio::test]
    async fn work_keeps_its_turn_when_nobody_waits_for_it_any_more() {
        let turns = Arc::new(Semaphore::new(1));
        let (begun, has_begun) = tokio::sync::oneshot::channel();
        let (go_on, may_go_on) = mpsc::channel::<()>();
        let asked = tokio::spawn({
            let turns = Arc::clone(&turns);
            let work = move || {
                let _ = begun.send(());
                let _ = may_go_on.recv();
            };
            async move { blocking_in_turn(&turns, work).await.is_ok() }
        });
        has_begun.await.unwrap();
        asked.abort();
        assert!(asked.await.unwrap_err().is_cancelled());
        assert_eq!(turns.available_permits(), 0);
        drop(go_on);
        assert!(turns.acquire().await.is_ok());
    }
}
