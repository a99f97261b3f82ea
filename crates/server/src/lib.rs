//! The server: the page, its API, the leaderboards and training runs.
//!
//! [`Server::start`] opens the data folder and a port, and [`Server::run`] answers requests until a [`Stopper`] stops it.
//! [`Server::router`] does the same without a socket, for tests.
//!
//! Nothing that a client sends becomes a path, and scores count only if their replays verify: see [`verify`] and [`book`]. Ranked
//! games of people start with a ticket: see [`office`].

mod app;
pub mod book;
mod buckets;
mod guard;
mod history;
mod host;
mod jobs;
mod listener;
pub mod office;
mod page;
mod refusal;
mod request;
mod scores;
pub mod store;
mod tickets;
mod training;
#[cfg(test)]
mod types;
pub mod verify;

use app::App;
use axum::Router;
use guard::OwnNames;
use host::Host;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Duration;
use tetrion_files::FileError;
use tokio::sync::watch;

/// The default port.
pub const DEFAULT_PORT: u16 = 7421;

/// How to start a server.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where scores and training runs are kept.
    pub data: PathBuf,
    /// The address or name to listen on.
    pub host: String,
    /// The port, or the next free one if it is in use; 0 for any.
    pub port: u16,
    /// How much the server does at once.
    pub limits: ServerLimits,
}

/// How much the server does at once, so that no client can block the others.
#[derive(Clone, Debug, PartialEq)]
pub struct ServerLimits {
    /// Requests that change something, for each address.
    pub changes_per_second: f64,
    /// As many of them may come at once after a pause.
    pub burst: f64,
    /// Open connections.
    pub connections: usize,
    /// Open connections of one address.
    pub connections_per_address: usize,
    /// How long a client may take to send the headers of a request.
    pub header_timeout: Duration,
    /// How long a request may take from its first byte until the response begins.
    pub request_timeout: Duration,
    /// Clients that follow training runs: each keeps a connection for as long as it likes.
    pub followers: usize,
    /// Replays verified at the same time.
    pub verifying: usize,
    /// Training runs at the same time.
    pub running: usize,
    /// Training runs on disk.
    pub kept: usize,
}

impl Default for ServerLimits {
    /// Enough for a room full of people behind one address, and far below what a program in an endless loop would send.
    fn default() -> ServerLimits {
        let cores = available_parallelism().map_or(1, usize::from);
        ServerLimits {
            changes_per_second: 2_000.0,
            burst: 5_000.0,
            connections: 256,
            connections_per_address: 128,
            header_timeout: Duration::from_secs(30),
            request_timeout: Duration::from_secs(30),
            followers: 64,
            verifying: cores.saturating_sub(1).max(1),
            running: 2,
            kept: 50,
        }
    }
}

/// Why the server can't start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The data folder can't be created.
    #[error("can't use {} as the data folder: {error}; choose another with --data", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The leaderboards can't be used.
    #[error(transparent)]
    Scores(#[from] book::OpenError),
    /// The key of the tickets or the training runs can't be used.
    #[error(transparent)]
    File(#[from] FileError),
    /// The host is neither an address nor a name.
    #[error(
        "'{0}' is not a host: give an IP address or a name without a port, such as 127.0.0.1, [::1] or localhost"
    )]
    Host(String),
    /// The port can't be opened.
    #[error("can't listen on {host}, port {port}: {error}; choose another host or port")]
    Listen {
        /// The host.
        host: String,
        /// The port.
        port: u16,
        /// Why.
        error: io::Error,
    },
}

/// A server, ready to run.
pub struct Server {
    app: Arc<App>,
    listener: TcpListener,
    address: SocketAddr,
    host: Host,
    limits: ServerLimits,
}

impl Server {
    /// Opens the data folder and the port.
    pub fn start(config: Config) -> Result<Server, StartError> {
        let Config { data, host: given, port, limits } = config;
        let host = Host::parse(&given).ok_or_else(|| StartError::Host(given.clone()))?;
        let app = Arc::new(App::open(&data, &limits)?);
        let listener = listener::bind(&host, port);
        let bound = listener.and_then(|listener| Ok((listener.local_addr()?, listener)));
        let (address, listener) = bound.map_err(|error| StartError::Listen { host: given, port, error })?;
        Ok(Server { app, listener, address, host, limits })
    }

    /// The address that it listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The page's URL for browsers on this machine.
    pub fn url(&self) -> String {
        let host = match (&self.host, self.address.ip()) {
            (Host::Address(_), IpAddr::V4(ip)) if ip.is_unspecified() => {
                Host::Address(Ipv4Addr::LOCALHOST.into())
            }
            (Host::Address(_), IpAddr::V6(ip)) if ip.is_unspecified() => {
                Host::Address(Ipv6Addr::LOCALHOST.into())
            }
            (host, _) => host.clone(),
        };
        host.url(self.address.port())
    }

    /// Stops the server from another thread.
    pub fn stopper(&self) -> Stopper {
        Stopper(self.app.closing.clone())
    }

    /// Answers requests.
    pub fn router(&self) -> Router {
        let names = OwnNames::new(self.host.clone(), self.address.port());
        app::router(Arc::clone(&self.app), names, self.limits.request_timeout)
    }

    /// Answers requests until the server is stopped. Training runs are then stopped and saved, and can be resumed.
    pub fn run(self) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        let router = self.router();
        runtime.block_on(async {
            let closing = self.app.closing.subscribe();
            let answered = listener::answer(self.listener, router, &self.limits, closing).await;
            self.app.jobs.stop_all().await;
            answered
        })
    }
}

/// Stops a server.
#[derive(Clone)]
pub struct Stopper(watch::Sender<bool>);

impl Stopper {
    /// Makes [`Server::run`] return.
    pub fn stop(&self) {
        self.0.send_replace(true);
    }
}
