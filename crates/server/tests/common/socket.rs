//! A server with a socket, and clients that speak to it byte by byte.

use super::open;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread;
use tetrion_server::ServerLimits;

/// What a server answers to bytes on a socket. It may hang up before it has read them all.
pub fn speak(address: SocketAddr, bytes: impl AsRef<[u8]>) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    let _ = stream.write_all(bytes.as_ref());
    rest(stream)
}

/// Everything that still comes, until the server hangs up.
pub fn rest(mut stream: TcpStream) -> String {
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8(answer).unwrap()
}

/// A server at a socket, with some limits, for as long as something is done with it.
pub fn serve(limits: ServerLimits, with: impl FnOnce(SocketAddr)) {
    let folder = tempfile::tempdir().unwrap();
    let server = open(folder.path(), limits).unwrap();
    let (address, stopper) = (server.address(), server.stopper());
    let running = thread::spawn(move || server.run());
    with(address);
    stopper.stop();
    running.join().unwrap().unwrap();
}

/// A request for something small, after which the connection is closed.
pub fn about(address: SocketAddr) -> String {
    get(address, "/api/about")
}

/// A request for a path, after which the connection is closed.
pub fn get(address: SocketAddr, path: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")
}
