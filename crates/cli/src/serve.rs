//! `tetrion serve`, and `tetrion` without a command: serves the page and its API.

use crate::interrupt::on_interrupt;
use crate::{data, output};
use anyhow::{Context, Result};
use std::io::{IsTerminal, stdout};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::path::PathBuf;
use tetrion_server::{Config, DEFAULT_PORT, Host, PublicUrl, Server, ServerLimits};

/// Only this machine can connect.
const LOCAL: Host = Host::Address(IpAddr::V4(Ipv4Addr::LOCALHOST));

/// The options of `tetrion serve`.
#[derive(clap::Args)]
pub struct Options {
    /// Port to listen on; if it is in use, the next free one is used
    #[arg(long, default_value_t = DEFAULT_PORT)]
    port: u16,
    /// Address or host name to listen on; 0.0.0.0 lets other machines connect
    #[arg(long, default_value_t = LOCAL)]
    host: Host,
    /// URL under which a reverse proxy on this machine offers the server to others, such as `https://tetris.example/`
    #[arg(long, value_name = "URL")]
    public_url: Option<PublicUrl>,
    /// File to append a line for each request to, or - for standard output
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Folder for scores and training runs [default: $TETRION_DATA, or tetrion in your user data folder]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Don't open the page in a browser
    #[arg(long)]
    no_open: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { port: DEFAULT_PORT, host: LOCAL, public_url: None, log: None, data: None, no_open: false }
    }
}

/// Runs the command.
pub fn run(options: Options) -> Result<()> {
    let data = data::folder(options.data)?;
    let Options { port, host, public_url, log, no_open, .. } = options;
    let limits = ServerLimits::default();
    let server = Server::start(Config { data, host, port, public_url, log, limits })?;
    let stopper = server.stopper();
    on_interrupt(move || stopper.stop())?;
    let (address, url) = (server.address(), server.url());
    if ![0, address.port()].contains(&port) {
        eprintln!("port {port} is in use: using {} instead", address.port());
    }
    if !address.ip().is_loopback() {
        let ip = if address.ip().is_unspecified() { address_for_others() } else { Some(address.ip()) };
        let place =
            ip.map_or(String::new(), |ip| format!(" at http://{}/", SocketAddr::new(ip, address.port())));
        eprintln!("other machines can reach this server{place}: anyone who does can add scores and train");
    }
    output::line(format!("Tetrion is at {url} (Ctrl-C stops it)"))?;
    if !no_open && stdout().is_terminal() {
        // Without a browser, the user still has the printed address.
        let _ = open::that_detached(&url);
    }
    server.run().context("the server failed")
}

/// This machine's address for other machines. This sends nothing: the system only picks a route.
fn address_for_others() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    // This address is reserved for documentation.
    socket.connect(("192.0.2.1", 9)).ok()?;
    Some(socket.local_addr().ok()?.ip())
}
