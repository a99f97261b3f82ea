//! Honest clients beside thousands of slow ones, which send or read a byte now and then and come back when they are let go.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

mod common;

use common::serving::{Client, Serving};
use socket2::{Domain, Socket, Type};
use std::fs;
use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};
use tetrion_engine::game::Game;
use tetrion_engine::replay::Replay;
use tetrion_engine::ruleset::{Mode, Ruleset};
use tetrion_players::catalogue;
use tetrion_server::{Config, Server, ServerLimits};

/// Slow clients come from 127.0.0.2 to 127.0.0.9, honest ones from 127.0.0.1.
const SLOW_ADDRESSES: [u8; 8] = [2, 3, 4, 5, 6, 7, 8, 9];
const GAMES_EACH: usize = 10;
/// The most memory that the server may take.
const MAX_MEMORY: u64 = 200 << 20;

/// An agent's Sprint, different for each seed.
fn replay(seed: u64) -> Vec<u8> {
    let mut agent = catalogue::find("capstone").unwrap().agent(seed);
    let mut game = Game::new(Ruleset::for_agents(Mode::Sprint), seed).unwrap();
    let mut moves = Vec::new();
    while game.outcome().is_none() {
        let play = agent.choose(&game.view().unwrap()).unwrap();
        game.play(play).unwrap();
        moves.push(play);
    }
    Replay::of_moves(&game, seed, "capstone", moves).to_bytes()
}

/// The path of the largest file of the page: more than the system buffers for a client that does not read.
fn large_file() -> String {
    let files = fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/dist/assets")).unwrap();
    let largest = files.map(Result::unwrap).max_by_key(|entry| entry.metadata().unwrap().len()).unwrap();
    format!("/assets/{}", largest.file_name().to_str().unwrap())
}

/// What a slow client does.
#[derive(Clone, Copy, PartialEq)]
enum Habit {
    /// Asks for a large file, and hardly reads it.
    Reads,
    /// Sends half of a large body, and hardly goes on.
    Writes,
}

/// A slow client. It comes back when it is refused or let go.
struct SlowClient {
    habit: Habit,
    address: u8,
    stream: Option<TcpStream>,
}

impl SlowClient {
    fn connect(&mut self, server: SocketAddr, request: &str) {
        let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
        socket.bind(&SocketAddr::from(([127, 0, 0, self.address], 0)).into()).unwrap();
        socket.connect(&server.into()).unwrap();
        let mut stream = TcpStream::from(socket);
        // It may have been refused already.
        let _ = stream.write_all(request.as_bytes());
        stream.set_nonblocking(true).unwrap();
        self.stream = Some(stream);
    }

    /// Reads or sends a byte. Without a connection, it makes a new one.
    fn go_on(&mut self, server: SocketAddr, request: &str) {
        let Some(stream) = &mut self.stream else { return self.connect(server, request) };
        let mut refusal = [0; 12];
        let gone = match self.habit {
            Habit::Writes => {
                // Whatever the answer is, it is not what it came for.
                let answered = stream
                    .peek(&mut refusal)
                    .map_or_else(|error| error.kind() != ErrorKind::WouldBlock, |_| true);
                answered || stream.write(b"x").is_err_and(|error| error.kind() != ErrorKind::WouldBlock)
            }
            Habit::Reads => match stream.peek(&mut refusal) {
                Ok(_) if refusal.starts_with(b"HTTP/1.1 503") => true,
                Ok(_) => stream.read(&mut refusal[..1]).is_ok_and(|bytes| bytes == 0),
                Err(error) => error.kind() != ErrorKind::WouldBlock,
            },
        };
        if gone {
            self.stream = None;
        }
    }

    /// Waits until the server lets it go.
    fn wait(self) {
        let Some(mut stream) = self.stream else { return };
        stream.set_nonblocking(false).unwrap();
        match self.habit {
            Habit::Writes => while stream.read(&mut [0; 1 << 10]).is_ok_and(|bytes| bytes > 0) {},
            // The server takes nothing more as long as the client does not read.
            Habit::Reads => while stream.write(&[b' '; 1 << 16]).is_ok() {},
        }
    }
}

/// Slow clients of one address: each honest answer lets a tenth of them go on. In the end they wait until they are let go.
fn be_slow(
    address: u8,
    count: usize,
    server: SocketAddr,
    ready: mpsc::Sender<()>,
    answers: mpsc::Receiver<()>,
) {
    let read = format!("GET {} HTTP/1.1\r\nHost: {server}\r\n\r\n", large_file());
    let half = "x".repeat(500_000);
    let write =
        format!("POST /api/scores HTTP/1.1\r\nHost: {server}\r\nContent-Length: 1000000\r\n\r\n{half}");
    let request = |habit: Habit| if habit == Habit::Reads { read.as_str() } else { write.as_str() };
    let habits = [Habit::Reads, Habit::Writes].into_iter().cycle();
    let mut clients: Vec<SlowClient> =
        habits.take(count).map(|habit| SlowClient { habit, address, stream: None }).collect();
    for client in &mut clients {
        client.go_on(server, request(client.habit));
    }
    ready.send(()).unwrap();
    let (mut next, tenth) = (0, count.div_ceil(10));
    for () in answers {
        for _ in 0..tenth {
            let client = &mut clients[next];
            client.go_on(server, request(client.habit));
            next = (next + 1) % count;
        }
    }
    clients.into_iter().for_each(SlowClient::wait);
}

/// Honest clients send games and look at the leaderboard, beside slow clients. All of them are answered. Returns the longest time
/// that an answer took.
fn besiege(server: SocketAddr, slow_clients: usize, honest_clients: usize) -> Duration {
    let replays: Vec<Vec<u8>> = (0..(honest_clients * GAMES_EACH) as u64).map(replay).collect();
    let (slow_are_ready, ready) = mpsc::channel();
    thread::scope(|scope| {
        let ticks: Vec<_> = SLOW_ADDRESSES
            .map(|address| {
                let (tick, answers) = mpsc::channel();
                let ready = slow_are_ready.clone();
                scope.spawn(move || {
                    be_slow(address, slow_clients / SLOW_ADDRESSES.len(), server, ready, answers)
                });
                tick
            })
            .into();
        SLOW_ADDRESSES.iter().for_each(|_| ready.recv().unwrap());
        let honest: Vec<_> = replays
            .chunks(GAMES_EACH)
            .map(|games| {
                let ticks = ticks.clone();
                scope.spawn(move || {
                    let mut slowest = Duration::ZERO;
                    let mut client = Client::connect(&server.to_string()).unwrap();
                    for game in games {
                        let began = Instant::now();
                        let sent = client.post("/api/scores", game).unwrap();
                        slowest = slowest.max(began.elapsed());
                        assert_eq!(sent.status, 201, "{}", sent.json());
                        let began = Instant::now();
                        let listed = client.get("/api/scores?mode=sprint&by=agents").unwrap();
                        slowest = slowest.max(began.elapsed());
                        assert_eq!(listed.status, 200);
                        ticks.iter().for_each(|tick| tick.send(()).unwrap());
                    }
                    slowest
                })
            })
            .collect();
        drop(ticks);
        honest.into_iter().map(|client| client.join().unwrap()).max().unwrap()
    })
}

/// A metric of a server.
fn metric(server: SocketAddr, name: &str) -> u64 {
    let metrics = Client::connect(&server.to_string()).unwrap().get("/metrics").unwrap().body;
    let metrics = String::from_utf8(metrics).unwrap();
    let value = metrics.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    value.unwrap().parse().unwrap()
}

/// Waits until the server has nothing under way but our own question.
fn wait_until_free(server: SocketAddr) {
    while metric(server, "tetrion_connections_open") > 1 || metric(server, "tetrion_requests_open") > 1 {}
    while metric(server, "tetrion_bytes_open") > 0 {}
}

#[test]
fn slow_clients_do_not_keep_honest_ones_from_being_answered() {
    let folder = tempfile::tempdir().unwrap();
    let short = Duration::from_secs(5);
    // With fewer connections than clients, as in the large test.
    let limits = ServerLimits {
        connections: 256,
        request_timeout: short,
        stall_timeout: short,
        ..ServerLimits::default()
    };
    let host = "127.0.0.1".parse().unwrap();
    let config =
        Config { data: folder.path().to_owned(), host, port: 0, public_url: None, log: None, limits };
    let server = Server::start(config).unwrap();
    let (address, stopper) = (server.address(), server.stopper());
    let running = thread::spawn(move || server.run());
    let (slow_clients, honest_clients) = (240, 8);
    let slowest = besiege(address, slow_clients, honest_clients);
    wait_until_free(address);
    println!("{slow_clients} slow and {honest_clients} honest clients: the slowest answer took {slowest:?}");
    stopper.stop();
    running.join().unwrap().unwrap();
}

/// The soft limit of open files.
fn open_files() -> usize {
    let limits = fs::read_to_string("/proc/self/limits").unwrap();
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files")).unwrap();
    line.split_whitespace().next().unwrap().parse().unwrap_or(usize::MAX)
}

#[test]
#[ignore = "takes a minute"]
fn two_thousand_slow_clients_take_little_memory_and_give_everything_back() {
    let folder = tempfile::tempdir().unwrap();
    let serving = Serving::start(&["serve", "--port", "0"], folder.path());
    let address = serving.address.parse().unwrap();
    let slow_clients = open_files().saturating_sub(200).min(2_000);
    if slow_clients < 2_000 {
        println!(
            "only {slow_clients} slow clients, because of the limit of open files: raise it with ulimit -n"
        );
    }
    let memory = |name: &str| metric(address, name);
    let before = memory("process_resident_memory_bytes");
    let honest_clients = 20;
    let slowest = besiege(address, slow_clients, honest_clients);
    wait_until_free(address);
    let most = memory("process_resident_memory_max_bytes");
    let mib = |bytes: u64| bytes >> 20;
    println!(
        "{slow_clients} slow and {honest_clients} honest clients: the slowest honest answer took {slowest:?} (the goal is 2 s); \
         {} connections refused; memory {} MiB before, at most {} MiB, {} MiB after",
        metric(address, "tetrion_connections_refused_total"),
        mib(before),
        mib(most),
        mib(memory("process_resident_memory_bytes")),
    );
    assert!(most < MAX_MEMORY, "{most} bytes");
}
