//! What requests have in common: their clients, size limits, timeouts, blocking work and rate limits.

use crate::app::App;
use crate::public_url::PublicUrl;
use crate::refusal::Refusal;
use axum::body::{Bytes, HttpBody};
use axum::extract::{FromRequest, FromRequestParts, Path, Request, State};
use axum::http::header::HOST;
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde::de::DeserializeOwned;
use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;

/// The largest body.
pub(crate) const MAX_BODY_BYTES: usize = 1 << 20;

/// Headers that proxies add to the requests that they pass on.
const PROXY_HEADERS: [&str; 3] = [FORWARDED_FOR, "forwarded", "via"];
/// The addresses that a request came from. Each proxy adds one to the end.
const FORWARDED_FOR: &str = "x-forwarded-for";

/// The client that sent a request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer {
    pub(crate) address: IpAddr,
    /// Whether it sent the request from this machine, and not through a proxy on this machine.
    pub(crate) is_local: bool,
}

impl Peer {
    /// The client of a request that came over a connection from an address. Only a proxy on this machine is believed when it names
    /// its client, and only if the server is behind one.
    pub(crate) fn of(connected: IpAddr, headers: &HeaderMap, public: Option<&PublicUrl>) -> Peer {
        let loopback = connected.to_canonical().is_loopback();
        let last = headers.get_all(FORWARDED_FOR).iter().next_back();
        let last = last.and_then(|list| list.to_str().ok()?.rsplit(',').next()?.trim().parse().ok());
        let host = headers.get(HOST).and_then(|host| host.to_str().ok()?.parse().ok());
        let for_others = public.zip(host).is_some_and(|(public, host)| public.has(&host));
        let passed_on = for_others || PROXY_HEADERS.iter().any(|name| headers.contains_key(*name));
        Peer {
            address: last.filter(|_| loopback && public.is_some()).unwrap_or(connected),
            is_local: loopback && !passed_on,
        }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Peer {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Peer, Infallible> {
        let unknown = Peer { address: Ipv4Addr::UNSPECIFIED.into(), is_local: false };
        Ok(parts.extensions.get().copied().unwrap_or(unknown))
    }
}

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

impl Body {
    /// Reads the body as JSON. The error shows an example of what to send.
    pub(crate) fn json<T: DeserializeOwned>(&self, example: &str) -> Result<T, Refusal> {
        serde_json::from_slice(&self.0).map_err(|error| {
            Refusal::new(StatusCode::BAD_REQUEST, format!("{error}: send a JSON object such as {example}"))
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
    peer: Peer,
    request: Request,
    next: Next,
) -> Response {
    let changes = !matches!(*request.method(), Method::GET | Method::HEAD);
    match if changes { app.buckets.take(peer.address, Instant::now()) } else { Ok(()) } {
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

    /// The client's address, and whether it is local, of a request with these headers.
    fn peer(connected: &str, public: bool, headers: &[(&'static str, &'static str)]) -> (String, bool) {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(*name, value.parse().unwrap());
        }
        let public = public.then(|| "https://tetris.example/".parse().unwrap());
        let peer = Peer::of(connected.parse().unwrap(), &map, public.as_ref());
        (peer.address.to_string(), peer.is_local)
    }

    #[test]
    fn only_a_proxy_on_this_machine_may_name_its_client() {
        let named = [(FORWARDED_FOR, "198.51.100.1, 192.0.2.7")];
        let is = |address: &str, local: bool| (address.to_owned(), local);
        assert_eq!(peer("127.0.0.1", true, &named), is("192.0.2.7", false));
        assert_eq!(peer("::ffff:127.0.0.1", true, &named), is("192.0.2.7", false));
        assert_eq!(peer("127.0.0.1", false, &named), is("127.0.0.1", false));
        assert_eq!(peer("203.0.113.9", true, &named), is("203.0.113.9", false));
        let two_lines = [(FORWARDED_FOR, "198.51.100.1"), (FORWARDED_FOR, "2001:db8::7")];
        assert_eq!(peer("::1", true, &two_lines), is("2001:db8::7", false));
        assert_eq!(peer("127.0.0.1", true, &[(FORWARDED_FOR, "unknown")]), is("127.0.0.1", false));
    }

    #[test]
    fn whoever_comes_through_a_proxy_is_not_local() {
        for public in [false, true] {
            assert!(peer("127.0.0.1", public, &[]).1);
            assert!(peer("::1", public, &[("host", "localhost:7421")]).1);
            assert!(!peer("127.0.0.1", public, &[("via", "1.1 proxy")]).1);
            assert!(!peer("127.0.0.1", public, &[("forwarded", "for=192.0.2.7")]).1);
            assert!(!peer("203.0.113.9", public, &[]).1);
        }
        assert!(!peer("127.0.0.1", true, &[("host", "tetris.example")]).1);
    }

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
