//! The socket: the port, the limits on connections, and shutdown.

use crate::ServerLimits;
use crate::app::App;
use crate::client_stream::ClientStream;
use crate::host::Host;
use crate::public_url::PublicUrl;
use crate::request::Peer;
use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use socket2::SockRef;
use std::io::{self, ErrorKind};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;
use tower::ServiceExt;

/// Ports to try, from the one that was asked for.
const PORTS_TO_TRY: u16 = 100;
/// Bytes of a response that the system holds for a client. If it took more, it would take long to notice that a client does not read.
const SEND_BUFFER_BYTES: usize = 64 << 10;
/// How long responses under way may take after the server is stopped.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(5);

/// The response to a client with too many connections.
const TOO_MANY_CONNECTIONS: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

/// Listens on a port, or on the next that is free.
pub(crate) fn bind(host: &Host, port: u16) -> io::Result<TcpListener> {
    let last = if port == 0 { 0 } else { port.saturating_add(PORTS_TO_TRY - 1) };
    let mut result = Err(io::Error::from(ErrorKind::AddrInUse));
    for port in port..=last {
        result = match host {
            Host::Address(address) => TcpListener::bind((*address, port)),
            Host::Name(name) => TcpListener::bind((name.as_str(), port)),
        };
        if !result.as_ref().is_err_and(|error| error.kind() == ErrorKind::AddrInUse) {
            break;
        }
    }
    let listener = result?;
    listener.set_nonblocking(true)?;
    Ok(listener)
}

/// Answers requests until the server is closing.
pub(crate) async fn answer(
    listener: TcpListener,
    router: Router,
    app: &App,
    limits: &ServerLimits,
    public: Option<PublicUrl>,
) -> io::Result<()> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let public = Arc::new(public);
    let mut closing = app.closing.subscribe();
    let graceful = GracefulShutdown::new();
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(limits.header_timeout).max_buf_size(64 << 10);
    loop {
        let (stream, peer) = tokio::select! {
            _ = closing.wait_for(|closing| *closing) => break,
            accepted = listener.accept() => match accepted {
                Ok(accepted) => accepted,
                Err(_) => {
                    // A connection that went away at once, or too many open files: neither is the end.
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
            },
        };
        let is_proxy = public.is_some() && peer.ip().to_canonical().is_loopback();
        let place =
            if is_proxy { app.connections.take_for_proxy(1) } else { app.connections.take(peer.ip(), 1) };
        let Some(place) = place else {
            // A client that waits for a place would not know why.
            app.counters.connections_refused.fetch_add(1, Relaxed);
            let _ = stream.try_write(TOO_MANY_CONNECTIONS);
            continue;
        };
        // Responses are small, and should not wait for more data.
        let _ = stream.set_nodelay(true);
        let _ = SockRef::from(&stream).set_send_buffer_size(SEND_BUFFER_BYTES);
        let (router, public) = (router.clone(), Arc::clone(&public));
        let service = service_fn(move |request: Request<Incoming>| {
            let mut request = request.map(Body::new);
            let client = Peer::of(peer.ip(), request.headers(), public.as_ref().as_ref());
            request.extensions_mut().insert(client);
            router.clone().oneshot(request)
        });
        let stream = TokioIo::new(ClientStream::new(stream, limits.stall_timeout));
        let connection = graceful.watch(http.serve_connection(stream, service));
        tokio::spawn(async move {
            // A client may disconnect at any time.
            let _ = connection.await;
            drop(place);
        });
    }
    drop(listener);
    let _ = tokio::time::timeout(SHUTDOWN_TIMEOUT, graceful.shutdown()).await;
    Ok(())
}
