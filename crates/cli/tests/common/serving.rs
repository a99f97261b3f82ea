//! `tetrion serve` as a child process, and a client for it.

use super::command;
use serde_json::Value;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

/// A server in its own process, which ends with the test.
pub struct Serving {
    child: Option<Child>,
    /// Its address, such as `127.0.0.1:7421`.
    pub address: String,
}

impl Serving {
    /// Starts it with some arguments and data in a folder.
    pub fn start(arguments: &[&str], data: &Path) -> Serving {
        Serving::of(command(arguments).env("TETRION_DATA", data))
    }

    /// Runs the command, and waits for its address.
    pub fn of(command: &mut Command) -> Serving {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let address = line.strip_prefix("Tetrion is at http://").and_then(|rest| rest.split_once('/'));
        let Some((address, _)) = address else {
            let output = child.wait_with_output().unwrap();
            panic!("no address in '{line}': {}", String::from_utf8_lossy(&output.stderr));
        };
        Serving { address: address.to_owned(), child: Some(child) }
    }

    pub fn client(&self) -> io::Result<Client> {
        Client::connect(&self.address)
    }

    /// Stops it like Ctrl-C, and returns its output.
    pub fn interrupt(self) -> Output {
        self.signal("-INT")
    }

    /// Stops it like a service manager.
    pub fn terminate(self) -> Output {
        self.signal("-TERM")
    }

    fn signal(mut self, signal: &str) -> Output {
        let child = self.child.take().unwrap();
        let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        child.wait_with_output().unwrap()
    }

    /// Stops it like `kill -9`.
    pub fn kill(mut self) {
        let mut child = self.child.take().unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// A connection that stays open.
pub struct Client {
    address: String,
    stream: BufReader<TcpStream>,
}

/// An answer's status and body.
pub struct Answer {
    pub status: u16,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }
}

impl Client {
    pub fn connect(address: &str) -> io::Result<Client> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        Ok(Client { address: address.to_owned(), stream: BufReader::new(stream) })
    }

    pub fn get(&mut self, path: &str) -> io::Result<Answer> {
        self.send("GET", path, b"")
    }

    pub fn post(&mut self, path: &str, body: &[u8]) -> io::Result<Answer> {
        self.send("POST", path, body)
    }

    fn send(&mut self, method: &str, path: &str, body: &[u8]) -> io::Result<Answer> {
        let (host, length) = (&self.address, body.len());
        let head = format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {length}\r\n\r\n");
        self.stream.get_mut().write_all(&[head.as_bytes(), body].concat())?;
        let status = self.line()?;
        let cut_off = || io::Error::from(io::ErrorKind::UnexpectedEof);
        let status = status.split(' ').nth(1).and_then(|status| status.parse().ok()).ok_or_else(cut_off)?;
        let mut length = 0;
        loop {
            let line = self.line()?.to_ascii_lowercase();
            if line.is_empty() {
                break;
            }
            if let Some(value) = line.strip_prefix("content-length: ") {
                length = value.parse().map_err(io::Error::other)?;
            }
        }
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body)?;
        Ok(Answer { status, body })
    }

    /// A line without its line end. A line without one is an error: a server that was killed may send half a line.
    fn line(&mut self) -> io::Result<String> {
        let mut line = String::new();
        self.stream.read_line(&mut line)?;
        let whole = line.strip_suffix("\r\n").ok_or(io::ErrorKind::UnexpectedEof)?;
        Ok(whole.to_owned())
    }
}
