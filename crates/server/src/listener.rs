//! The socket: the port, the limits on connections, and shutdown.

use crate::ServerLimits;
use crate::buckets::household;
use crate::host::Host;
use crate::request::Peer;
use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use std::collections::HashMap;
use std::io::{self, ErrorKind};
use std::net::{IpAddr, TcpListener};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{Semaphore, watch};
use tower::ServiceExt;

/// Ports to try, from the one that was asked for.
const PORTS_TO_TRY: u16 = 100;
/// How long responses under way may take after the server is stopped.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(5);

/// The response to a client with too many connections.
const TOO_MANY_CONNECTIONS: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

/// How many connections each address has.
struct Peers {
    most: usize,
    connections: Mutex<HashMap<IpAddr, usize>>,
}

impl Peers {
    fn new(most: usize) -> Peers {
        Peers { most, connections: Mutex::default() }
    }

    /// Counts one more connection of an address, if it may have one.
    fn enter(self: &Arc<Peers>, peer: IpAddr) -> Option<Place> {
        let peer = household(peer);
        let mut connections = self.connections.lock().unwrap_or_else(PoisonError::into_inner);
        let count = connections.entry(peer).or_default();
        if *count >= self.most {
            return None;
        }
        *count += 1;
        Some(Place { peers: Arc::clone(self), peer })
    }
}

/// A connection among those of its address.
struct Place {
    peers: Arc<Peers>,
    peer: IpAddr,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut connections = self.peers.connections.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = connections.get_mut(&self.peer) {
            *count -= 1;
            if *count == 0 {
                connections.remove(&self.peer);
            }
        }
    }
}

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
    limits: &ServerLimits,
    mut closing: watch::Receiver<bool>,
) -> io::Result<()> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let slots = Arc::new(Semaphore::new(limits.connections));
    let peers = Arc::new(Peers::new(limits.connections_per_address));
    let graceful = GracefulShutdown::new();
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(limits.header_timeout).max_buf_size(64 << 10);
    loop {
        let accepted = async {
            // When all are taken, a new client waits.
            let slot = Arc::clone(&slots).acquire_owned().await.map_err(io::Error::other)?;
            Ok::<_, io::Error>((slot, listener.accept().await?))
        };
        let (slot, (stream, peer)) = tokio::select! {
            _ = closing.wait_for(|closing| *closing) => break,
            accepted = accepted => match accepted {
                Ok(accepted) => accepted,
                Err(_) => {
                    // A connection that went away at once, or too many open files: neither is the end.
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
            },
        };
        let Some(place) = peers.enter(peer.ip()) else {
            // The client has enough connections to find out why.
            let _ = stream.try_write(TOO_MANY_CONNECTIONS);
            continue;
        };
        // Responses are small, and should not wait for more data.
        let _ = stream.set_nodelay(true);
        let router = router.clone();
        let service = service_fn(move |request: Request<Incoming>| {
            let mut request = request.map(Body::new);
            request.extensions_mut().insert(Peer(peer.ip()));
            router.clone().oneshot(request)
        });
        let connection = graceful.watch(http.serve_connection(TokioIo::new(stream), service));
        tokio::spawn(async move {
            // A client may disconnect at any time.
            let _ = connection.await;
            drop((slot, place));
        });
    }
    drop(listener);
    let _ = tokio::time::timeout(SHUTDOWN_TIMEOUT, graceful.shutdown()).await;
    Ok(())
}
