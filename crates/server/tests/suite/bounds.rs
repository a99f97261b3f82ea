//! Limits that hold on a socket: time, connections and memory.

use crate::common::Site;
use crate::common::socket::{about, get, rest, serve, speak};
use std::fs;
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;
use tetrion_server::ServerLimits;

const SHORT: Duration = Duration::from_millis(200);

/// The largest file of the page and its path: more than the system buffers for a client that does not read.
fn large_file() -> (String, Vec<u8>) {
    let files = fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/dist/assets")).unwrap();
    let largest = files.map(Result::unwrap).max_by_key(|file| file.metadata().unwrap().len()).unwrap();
    let bytes = fs::read(largest.path()).unwrap();
    assert!(bytes.len() > 1_000_000);
    (format!("/assets/{}", largest.file_name().to_str().unwrap()), bytes)
}

/// A connection that stays open after a request for something small.
fn keep_alive(address: SocketAddr) -> io::Result<TcpStream> {
    let mut stream = TcpStream::connect(address)?;
    write!(stream, "GET /api/about HTTP/1.1\r\nHost: {address}\r\n\r\n")?;
    let mut begin = [0; 12];
    stream.read_exact(&mut begin)?;
    if &begin == b"HTTP/1.1 200" { Ok(stream) } else { Err(io::ErrorKind::ConnectionRefused.into()) }
}

#[test]
fn a_client_that_does_not_read_is_let_go() {
    serve(ServerLimits { stall_timeout: SHORT, ..ServerLimits::default() }, |address| {
        let mut stream = TcpStream::connect(address).unwrap();
        write!(stream, "GET {} HTTP/1.1\r\nHost: {address}\r\n\r\n", large_file().0).unwrap();
        // Nobody takes this either, until the connection is closed.
        while stream.write(&[b' '; 1 << 16]).is_ok() {}
    });
}

#[test]
fn a_client_that_reads_gets_everything() {
    serve(ServerLimits::default(), |address| {
        let (path, bytes) = large_file();
        let mut stream = TcpStream::connect(address).unwrap();
        write!(stream, "{}", get(address, &path)).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        assert!(answer.starts_with(b"HTTP/1.1 200") && answer.ends_with(&bytes));
    });
}

#[test]
fn a_body_that_comes_byte_by_byte_is_not_waited_for() {
    serve(ServerLimits { request_timeout: SHORT, ..ServerLimits::default() }, |address| {
        let mut slow = TcpStream::connect(address).unwrap();
        write!(slow, "POST /api/scores HTTP/1.1\r\nHost: {address}\r\nContent-Length: 1000000\r\n\r\n")
            .unwrap();
        // A byte after each answer that another client gets.
        while slow.write_all(b"x").is_ok() {
            assert!(speak(address, about(address)).starts_with("HTTP/1.1 200"));
        }
    });
}

#[test]
fn bodies_that_do_not_come_are_not_waited_for() {
    serve(ServerLimits { request_timeout: SHORT, ..ServerLimits::default() }, |address| {
        let part = format!("POST /api/scores HTTP/1.1\r\nHost: {address}\r\nContent-Length: 9\r\n\r\nhalf");
        assert!(speak(address, part).starts_with("HTTP/1.1 408"));
    });
}

#[test]
fn requests_that_do_not_come_are_not_waited_for() {
    serve(ServerLimits { header_timeout: SHORT, ..ServerLimits::default() }, |address| {
        assert!(!speak(address, "GET / HTTP/1.1\r\nHost: ").starts_with("HTTP/1.1 200"));
        // The first one may be too late as well.
        let open = std::iter::repeat_with(|| keep_alive(address)).find_map(Result::ok).unwrap();
        assert!(!rest(open).contains("HTTP/1.1 200"));
    });
}

#[test]
fn one_address_can_not_have_all_connections() {
    serve(ServerLimits { connections: 8, ..ServerLimits::default() }, |address| {
        let first = keep_alive(address).unwrap();
        assert!(speak(address, "").starts_with("HTTP/1.1 503"));
        drop(first);
        // As soon as that is noticed, there is a place again.
        while !speak(address, about(address)).starts_with("HTTP/1.1 200") {}
    });
}

#[test]
#[cfg(target_os = "linux")]
fn when_an_address_has_its_share_others_are_still_answered() {
    serve(ServerLimits { connections: 8, ..ServerLimits::default() }, |address| {
        let _first = keep_alive(address).unwrap();
        assert!(speak(address, "").starts_with("HTTP/1.1 503"));
        let socket = socket2::Socket::new(socket2::Domain::IPV4, socket2::Type::STREAM, None).unwrap();
        socket.bind(&SocketAddr::from(([127, 0, 0, 2], 0)).into()).unwrap();
        socket.connect(&address.into()).unwrap();
        let mut other = TcpStream::from(socket);
        write!(other, "{}", about(address)).unwrap();
        assert!(rest(other).starts_with("HTTP/1.1 200"));
    });
}

#[test]
fn when_all_connections_are_taken_nobody_waits_for_one() {
    serve(ServerLimits { connections: 1, ..ServerLimits::default() }, |address| {
        let _only = keep_alive(address).unwrap();
        let refused = speak(address, "");
        assert!(refused.starts_with("HTTP/1.1 503") && refused.contains("Retry-After: 1"), "{refused}");
    });
}

#[test]
fn one_address_can_not_have_all_memory() {
    serve(ServerLimits { bytes: 1_000_000, ..ServerLimits::default() }, |address| {
        let post = |bytes: usize| {
            format!(
                "POST /api/scores HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Length: {bytes}\r\n\r\n"
            )
        };
        // It counts from its announcement. When the server says that it waits for the body, the announcement has arrived.
        let mut slow = TcpStream::connect(address).unwrap();
        let announced = post(500_000).replace("Connection: close", "Expect: 100-continue");
        slow.write_all(announced.as_bytes()).unwrap();
        let mut begin = [0; 12];
        slow.read_exact(&mut begin).unwrap();
        assert_eq!(&begin, b"HTTP/1.1 100");
        let refused = speak(address, post(10));
        assert!(
            refused.starts_with("HTTP/1.1 503") && refused.contains("too many requests are under way"),
            "{refused}"
        );
        drop(slow);
        // As soon as that is noticed, there is room again.
        while speak(address, format!("{}0123456789", post(10))).starts_with("HTTP/1.1 503") {}
    });
}

#[tokio::test]
async fn responses_count_as_memory_but_the_files_of_the_page_do_not() {
    let site = Site::new(ServerLimits { bytes: 1_000, ..ServerLimits::default() });
    site.get("/api/recipes").await.refuses(503, "too many requests are under way");
    assert_eq!(site.get("/api/about").await.status, 200);
    let (path, bytes) = large_file();
    assert!(site.get(&path).await.body == bytes);
}
