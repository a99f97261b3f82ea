//! The server: the page, its API, the leaderboards and training runs.
//!
//! [`Server::start`] opens the data folder and a port, and [`Server::run`] answers requests until a [`Stopper`] stops it.
//! [`Server::router`] does the same without a socket, for tests.
//!
//! Nothing that a client sends becomes a path, and scores count only if their replays verify: see [`verify`] and [`book`]. Ranked
//! games of people start with a ticket: see [`office`].

mod accounting;
mod app;
pub mod book;
mod buckets;
mod client_stream;
mod guard;
mod history;
mod host;
mod jobs;
mod listener;
mod metrics;
pub mod office;
mod page;
mod public_url;
mod quota;
mod refusal;
mod request;
mod request_log;
mod scores;
pub mod store;
mod tickets;
mod training;
#[cfg(test)]
mod types;
pub mod verify;

pub use host::{Host, HostError};
pub use public_url::{PublicUrl, PublicUrlError};

use app::App;
use axum::Router;
use guard::OwnNames;
use request_log::RequestLog;
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
    pub host: Host,
    /// The port, or the next free one if it is in use; 0 for any.
    pub port: u16,
    /// The URL under which a reverse proxy on this machine offers the server to others. Then the proxy is believed when it says who
    /// its clients are.
    pub public_url: Option<PublicUrl>,
    /// Where to log requests; `-` for standard output.
    pub log: Option<PathBuf>,
    /// How much the server does at once.
    pub limits: ServerLimits,
}

/// How much the server does at once, so that no client can block the others.
///
/// Clients share connections, bytes and places to follow runs. An address gets at most an eighth of what other addresses leave, so
/// that a few can't use everything up.
#[derive(Clone, Debug, PartialEq)]
pub struct ServerLimits {
    /// Requests that change something, for each address.
    pub changes_per_second: f64,
    /// As many of them may come at once after a pause.
    pub burst: f64,
    /// Open connections, and requests under way.
    pub connections: usize,
    /// Bytes of the bodies of requests and responses under way.
    pub bytes: usize,
    /// How long a client may take to send the headers of a request. A connection without a request is closed after this time.
    pub header_timeout: Duration,
    /// How long a request may take from its headers until the response begins.
    pub request_timeout: Duration,
    /// How long a client may read nothing of a response. What it reads earns it time, a second for each KiB.
    pub stall_timeout: Duration,
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
            // Most systems allow a program 1,024 open files. One address can have 96: sixteen browsers open that many for a page.
            connections: 768,
            bytes: 64 << 20,
            header_timeout: Duration::from_secs(30),
            request_timeout: Duration::from_secs(30),
            stall_timeout: Duration::from_secs(30),
            followers: 128,
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
    /// The log can't be written.
    #[error("can't write the log {}: {error}; choose another file with --log", path.display())]
    Log {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The port can't be opened.
    #[error("can't listen on {host}, port {port}: {error}; choose another host or port")]
    Listen {
        /// The host.
        host: Host,
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
    public_url: Option<PublicUrl>,
    limits: ServerLimits,
}

impl Server {
    /// Opens the data folder and the port.
    pub fn start(config: Config) -> Result<Server, StartError> {
        let Config { data, host, port, public_url, log, limits } = config;
        let open_log =
            |path: PathBuf| RequestLog::open(path.clone()).map_err(|error| StartError::Log { path, error });
        let log = log.map(open_log).transpose()?;
        let app = Arc::new(App::open(&data, &limits, log)?);
        let listener = listener::bind(&host, port);
        let bound = listener.and_then(|listener| Ok((listener.local_addr()?, listener)));
        let (address, listener) =
            bound.map_err(|error| StartError::Listen { host: host.clone(), port, error })?;
        Ok(Server { app, listener, address, host, public_url, limits })
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
        let names = OwnNames::new(self.host.clone(), self.address.port(), self.public_url.clone());
        app::router(Arc::clone(&self.app), names, self.limits.request_timeout)
    }

    /// Answers requests until the server is stopped. Training runs are then stopped and saved, and can be resumed.
    pub fn run(self) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        let router = self.router();
        runtime.block_on(async {
            let answered =
                listener::answer(self.listener, router, &self.app, &self.limits, self.public_url).await;
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
