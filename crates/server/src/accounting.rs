//! Accounts for every request: the share that its client has of the server, the counters and the log.

use crate::app::App;
use crate::buckets::household;
use crate::quota::{Quota, Share};
use crate::refusal::{Refusal, short};
use crate::request::{MAX_BODY_BYTES, Peer};
use crate::request_log::utc;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{MatchedPath, Request, State};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use hyper::body::{Frame, SizeHint};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant, SystemTime};

/// When to try again if a client has too much under way.
const RETRY: Duration = Duration::from_secs(1);
/// The most of a response that is handed over at once.
const PORTION_BYTES: usize = 16 << 10;

/// Lets a client have its share of the server, and records what becomes of its request.
pub(crate) async fn account(
    State(app): State<Arc<App>>,
    peer: Peer,
    route: Option<MatchedPath>,
    request: Request,
    next: Next,
) -> Response {
    let mut record = Record::of(&app, peer, &request);
    let is_page = route.is_none() && !request.uri().path().starts_with("/api/");
    let (response, shares) = match answer(&app, peer, is_page, request, next).await {
        Ok((response, shares)) => (response, Some(shares)),
        Err(refusal) => (refusal.into_response(), None),
    };
    let status = response.status();
    record.status = Some(status);
    let route = match &route {
        Some(route) => route.as_str(),
        None if is_page => "page",
        None => "unknown",
    };
    app.counters.requests.add((route.to_owned(), class(status)));
    app.counters.request_time.add(record.began.elapsed());
    response.map(|body| Body::new(Portions { body, rest: Bytes::new(), record, _shares: shares }))
}

/// The response, and the shares that it needs until it is sent.
async fn answer(
    app: &App,
    peer: Peer,
    is_page: bool,
    request: Request,
    next: Next,
) -> Result<(Response, [Share; 2]), Refusal> {
    let take = |quota: &Arc<Quota>, amount: usize| {
        let reason = "too many requests are under way: wait a moment";
        let refusal = || Refusal::new(StatusCode::SERVICE_UNAVAILABLE, reason).retry_after(RETRY);
        quota.take(peer.address, amount).ok_or_else(refusal)
    };
    let place = take(&app.requests, 1)?;
    // What may come if the client does not announce it.
    let announced = request.body().size_hint().upper().unwrap_or(u64::MAX);
    let received = take(&app.bytes, announced.min(MAX_BODY_BYTES as u64) as usize)?;
    let response = next.run(request).await;
    drop(received);
    // The files of the page are in memory only once.
    let size = if is_page { None } else { response.body().size_hint().exact() };
    let sent = take(&app.bytes, size.unwrap_or(0) as usize)?;
    Ok((response, [place, sent]))
}

fn class(status: StatusCode) -> &'static str {
    match status.as_u16() / 100 {
        1 => "1xx",
        2 => "2xx",
        3 => "3xx",
        4 => "4xx",
        _ => "5xx",
    }
}

/// A request for the log. It is logged when its response has been sent, or the client has gone.
struct Record {
    app: Arc<App>,
    time: SystemTime,
    began: Instant,
    peer: Peer,
    method: Method,
    path: String,
    /// `None` until the response begins.
    status: Option<StatusCode>,
    bytes: u64,
}

impl Record {
    fn of(app: &Arc<App>, peer: Peer, request: &Request) -> Record {
        Record {
            app: Arc::clone(app),
            time: SystemTime::now(),
            began: Instant::now(),
            peer,
            method: request.method().clone(),
            // The query may hold what the client would not like to be kept.
            path: short(request.uri().path()),
            status: None,
            bytes: 0,
        }
    }
}

impl Drop for Record {
    fn drop(&mut self) {
        let Some(log) = &self.app.log else { return };
        let address = household(self.peer.address);
        let (time, path) = (utc(self.time), self.path.escape_debug());
        let method = short(self.method.as_str());
        let status = self.status.map_or("-".to_owned(), |status| status.as_u16().to_string());
        let (bytes, millis) = (self.bytes, self.began.elapsed().as_millis());
        log.add(format!("{time} {address} {method} {path} {status} {bytes} {millis}"));
    }
}

/// The body of a response, with what is kept until it is sent. It is handed over in portions: the connection takes the next one when
/// the client has read most of the last, so that a body counts for as long as it is in memory.
struct Portions {
    body: Body,
    /// What is left of a part of the body.
    rest: Bytes,
    record: Record,
    _shares: Option<[Share; 2]>,
}

impl HttpBody for Portions {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if self.rest.is_empty() {
            let frame = match ready!(Pin::new(&mut self.body).poll_frame(context)) {
                Some(Ok(frame)) => frame,
                end => return Poll::Ready(end),
            };
            match frame.into_data() {
                Ok(data) if data.len() <= PORTION_BYTES => {
                    self.record.bytes += data.len() as u64;
                    return Poll::Ready(Some(Ok(Frame::data(data))));
                }
                Ok(data) => self.rest = data,
                Err(trailers) => return Poll::Ready(Some(Ok(trailers))),
            }
        }
        let length = self.rest.len().min(PORTION_BYTES);
        // A copy, because a part of the bytes would keep all of them in memory.
        let portion = Bytes::copy_from_slice(&self.rest.split_to(length));
        self.record.bytes += length as u64;
        Poll::Ready(Some(Ok(Frame::data(portion))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let (rest, body) = (self.rest.len() as u64, self.body.size_hint());
        let mut hint = SizeHint::new();
        hint.set_lower(rest + body.lower());
        if let Some(upper) = body.upper() {
            hint.set_upper(rest + upper);
        }
        hint
    }
}
