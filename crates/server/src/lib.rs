//! The page and its API, and the score book.
//!
//! [`Server::start`] opens the data and a port, [`Server::run`] answers until a [`Stopper`] says so. [`Server::router`] is the
//! same without a socket, for tests.
//!
//! Nothing that a client sends becomes a path, and a score counts only as a replay that was played again: see [`ranked`]
//! and [`book`].

mod app;
pub mod book;
mod buckets;
mod guard;
mod jobs;
mod listener;
mod page;
pub mod ranked;
mod refusal;
mod request;
mod scores;
mod training;

use app::App;
use axum::Router;
use guard::Names;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Duration;
use tetrion_training::file::FileError;
use tokio::sync::watch;

/// The port that is tried first.
pub const PORT: u16 = 7421;

/// How to serve.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where scores and training runs are kept.
    pub data: PathBuf,
    /// The address or name to listen at.
    pub host: String,
    /// The port; if it is in use, the next that is free; 0 for any.
    pub port: u16,
    /// How much is done at once.
    pub limits: Limits,
}

/// How much is done at once, so that nobody can take the machine.
#[derive(Clone, Debug, PartialEq)]
pub struct Limits {
    /// Requests other than to read, for each address.
    pub changes_per_second: f64,
    /// As many of them can come at once after a quiet time.
    pub burst: f64,
    /// Connections.
    pub connections: usize,
    /// Connections from one address, so that nobody can have them all.
    pub connections_each: usize,
    /// How long a connection may stay without a whole head of a request.
    pub head: Duration,
    /// How long a request may take until its answer begins, with the time in which its body comes in.
    pub patience: Duration,
    /// Those who follow training runs: each has a connection for as long as they like.
    pub followers: usize,
    /// Replays that are played again at a time.
    pub verifying: usize,
    /// Training runs under way.
    pub running: usize,
    /// Training runs kept.
    pub kept: usize,
}

impl Default for Limits {
    /// Enough for a room full of people behind one address, and far below what one program in an endless loop would ask.
    fn default() -> Limits {
        let cores = available_parallelism().map_or(1, usize::from);
        Limits {
            changes_per_second: 2_000.0,
            burst: 5_000.0,
            connections: 256,
            connections_each: 128,
            head: Duration::from_secs(30),
            patience: Duration::from_secs(30),
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
    /// Its folder can't be made.
    #[error("can't use the folder {} for data: {error}; choose another", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The score book can't be used.
    #[error(transparent)]
    Book(#[from] book::OpenError),
    /// The training runs can't be read.
    #[error(transparent)]
    Training(#[from] FileError),
    /// It can't listen.
    #[error("can't listen at {host}, port {port}: {error}; choose another host or port")]
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
    host: String,
    limits: Limits,
}

impl Server {
    /// Opens the data and the port.
    pub fn start(config: Config) -> Result<Server, StartError> {
        let Config { data, host, port, limits } = config;
        let app = Arc::new(App::open(&data, &limits)?);
        let listener = listener::bind(&host, port);
        let bound = listener.and_then(|listener| Ok((listener.local_addr()?, listener)));
        let (address, listener) =
            bound.map_err(|error| StartError::Listen { host: host.clone(), port, error })?;
        Ok(Server { app, listener, address, host, limits })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What to open in a browser on this machine.
    pub fn url(&self) -> String {
        let address = match self.address.ip() {
            IpAddr::V4(address) if address.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
            IpAddr::V6(address) if address.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
            address => address,
        };
        let port = self.address.port();
        match self.host.parse::<IpAddr>() {
            Ok(_) => format!("http://{}/", SocketAddr::new(address, port)),
            // The name that was given is the one that is answered to.
            Err(_) => format!("http://{}:{port}/", self.host),
        }
    }

    /// What ends it.
    pub fn stopper(&self) -> Stopper {
        Stopper(self.app.closing.clone())
    }

    /// What answers requests.
    pub fn router(&self) -> Router {
        let names = Names::new(&self.host, self.address.port());
        app::router(Arc::clone(&self.app), names, self.limits.patience)
    }

    /// Answers until it is stopped. Then training runs are stopped too; they are saved, and can be resumed.
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

/// Ends a server, from wherever.
#[derive(Clone)]
pub struct Stopper(watch::Sender<bool>);

impl Stopper {
    /// Lets [`Server::run`] come to its end.
    pub fn stop(&self) {
        self.0.send_replace(true);
    }
}
