//! The socket: which port, how many connections, and how it all ends.

use crate::Limits;
use crate::buckets::household;
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
use std::net::{IpAddr, TcpListener, ToSocketAddrs};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{Semaphore, watch};
use tower::ServiceExt;

/// Ports that are tried, from the one that was asked for.
const TRIES: u16 = 100;
/// How long answers under way have left at the end.
const FAREWELL: Duration = Duration::from_secs(5);

/// What somebody hears who has too many connections.
const TOO_MANY: &[u8] =
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

    /// A place for one more, if there is any left for this address.
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

/// Listens at a port, or at the next that is free.
pub(crate) fn bind(host: &str, port: u16) -> io::Result<TcpListener> {
    let last = if port == 0 { 0 } else { port.saturating_add(TRIES - 1) };
    let mut result = Err(io::Error::from(ErrorKind::AddrInUse));
    for port in port..=last {
        let addresses = (host.trim_matches(['[', ']']), port).to_socket_addrs()?;
        result = TcpListener::bind(addresses.collect::<Vec<_>>().as_slice());
        if !result.as_ref().is_err_and(|error| error.kind() == ErrorKind::AddrInUse) {
            break;
        }
    }
    let listener = result?;
    listener.set_nonblocking(true)?;
    Ok(listener)
}

/// Answers until it is closing.
pub(crate) async fn answer(
    listener: TcpListener,
    router: Router,
    limits: &Limits,
    mut closing: watch::Receiver<bool>,
) -> io::Result<()> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let slots = Arc::new(Semaphore::new(limits.connections));
    let peers = Arc::new(Peers::new(limits.connections_each));
    let graceful = GracefulShutdown::new();
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(limits.head).max_buf_size(64 << 10);
    loop {
        let accepted = async {
            // Whoever comes when all are taken waits.
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
            // They have connections enough to hear why by themselves.
            let _ = stream.try_write(TOO_MANY);
            continue;
        };
        // Answers are small, and should not wait for more.
        let _ = stream.set_nodelay(true);
        let router = router.clone();
        let service = service_fn(move |request: Request<Incoming>| {
            let mut request = request.map(Body::new);
            request.extensions_mut().insert(Peer(peer.ip()));
            router.clone().oneshot(request)
        });
        let connection = graceful.watch(http.serve_connection(TokioIo::new(stream), service));
        tokio::spawn(async move {
            // A client that breaks off is no concern of ours.
            let _ = connection.await;
            drop((slot, place));
        });
    }
    drop(listener);
    let _ = tokio::time::timeout(FAREWELL, graceful.shutdown()).await;
    Ok(())
}
