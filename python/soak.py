"""Sends mixed traffic to `tetrion serve` for an hour, and fails if its memory or its open files keep growing.

SOAK_MINUTES sets another duration. The release build must be there: cargo build --release
"""

import hashlib
import http.client
import itertools
import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

ROOT = Path(__file__).resolve().parents[1]
TETRION = ROOT / "target/release/tetrion"
# A score book with games of people.
BOOK = ROOT / "crates/server/tests/books/version-1-last.sqlite"
MINUTES = float(os.environ.get("SOAK_MINUTES", "60"))
# Samples of memory and open files. The first fifth is for warming up.
SAMPLES = 30
# How much more there may be at the end than after warming up.
MEMORY_MARGIN_MIB = 32
FILES_MARGIN = 20
# How long the server may take to close connections that clients have left.
QUIET_SECONDS = 60
GAMES = 500
PAUSES = 3
# The hash of a game without inputs: they are written as their number.
NO_INPUTS = hashlib.sha256(b"\0").hexdigest()
SLOW_CLIENTS = 40
SLOW_ADDRESSES = ("127.0.0.2", "127.0.0.3", "127.0.0.4", "127.0.0.5")
# How long a client pauses between requests.
PAUSE_SECONDS = 0.05
# A run that never ends by itself, with small generations.
TRAINING = (
    b'{"recipe": "capstone", "changes": {"population": "4", "games": "1", "generations": "1000000000"}}'
)
FOLLOW_SECONDS = 5
TRAINING_SECONDS = 30

Address = tuple[str, int]


@dataclass(frozen=True)
class Sample:
    """What the server uses at a moment."""

    seconds: float
    memory_mib: float
    files: int

    def __str__(self) -> str:
        return f"| {self.seconds / 60:.1f} | {self.memory_mib:.1f} | {self.files} |"


class Traffic:
    """Clients in threads, and how their requests were answered."""

    def __init__(self, server: Address) -> None:
        self.server = server
        self.over = threading.Event()
        self.answers: Counter[str] = Counter()
        self.failures: list[str] = []
        self.threads: list[threading.Thread] = []

    def start(self, client: Callable[["Traffic"], None], count: int = 1) -> None:
        for _ in range(count):
            thread = threading.Thread(target=self._run, args=(client,))
            thread.start()
            self.threads.append(thread)

    def _run(self, client: Callable[["Traffic"], None]) -> None:
        try:
            client(self)
        except Exception as error:
            self.failures.append(f"{client.__name__}: {error!r}")
            self.over.set()

    def stop(self) -> None:
        self.over.set()
        for thread in self.threads:
            thread.join()

    def pause(self, seconds: float = PAUSE_SECONDS) -> bool:
        """Waits, and says whether there is more to do."""
        return not self.over.wait(seconds)

    def connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection(*self.server, timeout=60)

    def ask(
        self,
        connection: http.client.HTTPConnection,
        method: str,
        path: str,
        body: bytes | None = None,
        ticket: str | None = None,
    ) -> tuple[int, bytes]:
        connection.request(method, path, body, {"Tetrion-Ticket": ticket} if ticket else {})
        answer = connection.getresponse()
        content = answer.read()
        self.answers[f"{method} {answer.status}"] += 1
        return answer.status, content


def read_pages(traffic: Traffic) -> None:
    """Opens the page with all its files, again and again."""
    assets = [f"/assets/{path.name}" for path in (ROOT / "web/dist/assets").iterdir()]
    while traffic.pause():
        connection = traffic.connect()
        for path in ["/", *assets, "/api/about", "/api/health", "/nothing"]:
            status, _ = traffic.ask(connection, "GET", path)
            assert status == (404 if path == "/nothing" else 200), (path, status)
        connection.close()


def send_scores(replays: Iterator[bytes]) -> Callable[[Traffic], None]:
    """Sends games, of which most are known before long, and reads the leaderboard."""

    def send(traffic: Traffic) -> None:
        while traffic.pause():
            connection = traffic.connect()
            status, _ = traffic.ask(connection, "POST", "/api/scores", next(replays))
            assert status in (201, 409), status
            status, _ = traffic.ask(connection, "POST", "/api/scores", b"not a replay")
            assert status == 400, status
            status, _ = traffic.ask(connection, "GET", "/api/scores?mode=sprint&by=agents&limit=1000")
            assert status == 200, status
            status, _ = traffic.ask(connection, "GET", "/api/scores/1/replay")
            assert status in (200, 404), status
            connection.close()

    return send


def play_ranked(replays: Iterator[bytes]) -> Callable[[Traffic], None]:
    """Gets a ticket, pauses and resumes as the page does, and sends an old game, which can't be verified."""

    def play(traffic: Traffic) -> None:
        while traffic.pause():
            connection = traffic.connect()
            ticket = get_ticket(traffic, connection, "", mode="blitz")
            for _ in range(PAUSES):
                seal = {"micros": 0, "inputs": 0, "digest": NO_INPUTS}
                ticket = get_ticket(traffic, connection, "/pause", ticket=ticket, **seal)
                ticket = get_ticket(traffic, connection, "/resume", ticket=ticket)
            status, _ = traffic.ask(connection, "POST", "/api/scores", next(replays), ticket)
            assert status in (201, 409), status
            connection.close()

    return play


def get_ticket(
    traffic: Traffic, connection: http.client.HTTPConnection, what: str, **order: str | int
) -> str:
    status, answer = traffic.ask(connection, "POST", f"/api/tickets{what}", json.dumps(order).encode())
    assert status in (200, 201), (what, status, answer)
    return json.loads(answer)["ticket"]


def train(traffic: Traffic) -> None:
    """Trains, follows the run, stops and deletes it, and begins again."""
    more = True
    while more:
        connection = traffic.connect()
        status, started = traffic.ask(connection, "POST", "/api/training", TRAINING)
        assert status == 201, started
        run = f"/api/training/{int(re.findall(rb'[0-9]+', started)[0])}"
        ends = time.monotonic() + TRAINING_SECONDS
        while more and time.monotonic() < ends:
            follow(traffic, run)
            more = traffic.pause()
        # The connection was idle for long.
        connection = traffic.connect()
        traffic.ask(connection, "POST", f"{run}/stop")
        while traffic.ask(connection, "DELETE", run)[0] != 204:
            time.sleep(PAUSE_SECONDS)
        connection.close()


def follow(traffic: Traffic, run: str) -> None:
    """Reads the events of a run for a while."""
    connection = traffic.connect()
    connection.request("GET", f"{run}/events")
    answer = connection.getresponse()
    assert answer.status == 200, answer.status
    ends = time.monotonic() + FOLLOW_SECONDS
    while time.monotonic() < ends and answer.readline() and not traffic.over.is_set():
        pass
    traffic.answers["events"] += 1
    answer.close()
    connection.close()


def be_slow(traffic: Traffic) -> None:
    """Clients that don't read what they asked for, or don't send what they announced, and come back."""
    host, port = traffic.server
    largest = max((ROOT / "web/dist/assets").iterdir(), key=lambda path: path.stat().st_size)
    requests = (
        f"GET /assets/{largest.name} HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n",
        f"POST /api/scores HTTP/1.1\r\nHost: {host}:{port}\r\nContent-Length: 1000000\r\n\r\nx",
        "GET / HTTP/1.1\r\nHost: ",
    )
    clients: list[socket.socket | None] = [None] * SLOW_CLIENTS
    while traffic.pause(0.5):
        for index, client in enumerate(clients):
            if client is None:
                source = SLOW_ADDRESSES[index % len(SLOW_ADDRESSES)]
                client = socket.create_connection(traffic.server, source_address=(source, 0))
                client.sendall(requests[index % len(requests)].encode())
                client.setblocking(False)
                clients[index] = client
            elif was_let_go(client):
                traffic.answers["slow clients let go"] += 1
                client.close()
                clients[index] = None
    for client in clients:
        if client is not None:
            client.close()


def was_let_go(client: socket.socket) -> bool:
    """Whether the server closed the connection. Reads so little that the server won't wait for more."""
    try:
        return client.recv(64) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


def measure(process: int, began: float) -> Sample:
    status = Path(f"/proc/{process}/status").read_text()
    kilobytes = re.search(r"VmRSS:\s+(\d+)", status)
    assert kilobytes, status
    files = len(os.listdir(f"/proc/{process}/fd"))
    return Sample(time.monotonic() - began, int(kilobytes[1]) / 1024, files)


def play_games(folder: Path) -> list[bytes]:
    command = [TETRION, "run", "capstone", "--mode", "sprint", "--games", str(GAMES), "--replays", folder]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return [path.read_bytes() for path in sorted(folder.iterdir())]


def games_of_people() -> list[bytes]:
    with closing(sqlite3.connect(f"{BOOK.as_uri()}?immutable=1", uri=True)) as book:
        return [replay for (replay,) in book.execute("SELECT replay FROM score WHERE played_by = 'person'")]


def soak(server: subprocess.Popen[str], address: Address, replays: list[bytes]) -> list[str]:
    """Sends traffic and measures. Returns what is wrong."""
    began = time.monotonic()
    idle = measure(server.pid, began)
    print("| minutes | memory (MiB) | open files |\n|---|---|---|")
    print(idle, flush=True)
    traffic = Traffic(address)
    send = send_scores(itertools.cycle(replays))
    play = play_ranked(itertools.cycle(games_of_people()))
    for client, count in ((read_pages, 2), (send, 1), (play, 1), (train, 1), (be_slow, 1)):
        traffic.start(client, count)
    samples = []
    for _ in range(SAMPLES):
        if not traffic.pause(MINUTES * 60 / SAMPLES):
            break
        samples.append(measure(server.pid, began))
        print(samples[-1], flush=True)
    traffic.stop()
    ends = time.monotonic() + QUIET_SECONDS
    while (quiet := measure(server.pid, began)).files > idle.files + FILES_MARGIN and time.monotonic() < ends:
        time.sleep(1)
    print(quiet)
    print(", ".join(f"{kind}: {count:,}" for kind, count in sorted(traffic.answers.items())))
    wrong = list(traffic.failures)
    if quiet.files > idle.files + FILES_MARGIN:
        wrong.append(f"{quiet.files} files are open without clients, {idle.files} at the beginning")
    if len(samples) == SAMPLES:
        fifth = SAMPLES // 5
        warm, last = samples[fifth : 2 * fifth], samples[-fifth:]
        memory = fmean(sample.memory_mib for sample in last) - fmean(sample.memory_mib for sample in warm)
        files = fmean(sample.files for sample in last) - fmean(sample.files for sample in warm)
        print(f"From the second fifth to the last: memory {memory:+.1f} MiB, open files {files:+.1f}")
        if memory > MEMORY_MARGIN_MIB:
            wrong.append(f"memory grew by {memory:.1f} MiB: at most {MEMORY_MARGIN_MIB} MiB are allowed")
        if files > FILES_MARGIN:
            wrong.append(f"open files grew by {files:.1f}: at most {FILES_MARGIN} are allowed")
    return wrong


def main() -> int:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        replays = play_games(folder / "replays")
        command = [TETRION, "serve", "--port", "0", "--data", folder / "data", "--log", folder / "log"]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout
            address = re.search(r"http://([^:]+):(\d+)/", server.stdout.readline())
            assert address, "the server did not start"
            wrong = soak(server, (address[1], int(address[2])), replays)
        finally:
            server.send_signal(signal.SIGTERM)
            status = server.wait()
        if status != 0:
            wrong.append(f"the server ended with status {status}")
    for reason in wrong:
        print(f"error: {reason}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
