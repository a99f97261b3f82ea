"""`tetrion watch` in a terminal: signals restore it, and a dumb terminal gets no escape codes."""

import fcntl
import os
import pty
import signal
import struct
import subprocess
import termios
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TETRION = os.environ.get("TETRION", str(ROOT / "target/debug/tetrion"))
LEAVES_ALTERNATE_SCREEN = b"\x1b[?1049l"


class Terminal:
    """Both ends of a pseudo-terminal of 80x24 characters."""

    def __init__(self) -> None:
        self.ours, self.theirs = pty.openpty()
        fcntl.ioctl(self.theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.seen = b""

    def start(self, arguments: list[str], term: str) -> subprocess.Popen:
        environment = {**os.environ, "TERM": term}
        ends = {"stdin": self.theirs, "stdout": self.theirs, "stderr": self.theirs}
        return subprocess.Popen([TETRION, *arguments], env=environment, **ends)

    def settings(self) -> list:
        return termios.tcgetattr(self.theirs)

    def read_until(self, words: bytes) -> None:
        while words not in self.seen:
            self.seen += os.read(self.ours, 4096)

    def close(self) -> None:
        os.close(self.ours)
        os.close(self.theirs)


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    terminal = Terminal()
    yield terminal
    terminal.close()


@pytest.fixture(params=["lee", "exact"])
def watch(request: pytest.FixtureRequest, tmp_path: Path) -> list[str]:
    """A game of an agent, and one with pieces that only the solver has."""
    if request.param == "lee":
        return ["watch", "lee", "--mode", "sprint", "--max-pieces", "20"]
    policy = tmp_path / "tiny.exact"
    solve = [TETRION, "solve", "--game", "tiny", "--board", "3x3", "--policy", policy]
    subprocess.run(solve, check=True, stdout=subprocess.DEVNULL)
    return ["watch", f"exact:{policy}"]


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_signals_restore_the_terminal(terminal: Terminal, watch: list[str], sent: signal.Signals) -> None:
    before = terminal.settings()
    process = terminal.start(watch, "xterm-256color")
    terminal.read_until(b"q leave")
    assert terminal.settings() != before, "the terminal is raw while the game is shown"
    process.send_signal(sent)
    terminal.read_until(LEAVES_ALTERNATE_SCREEN)
    assert process.wait() == 130
    assert terminal.settings() == before


def test_keys_control_the_game(terminal: Terminal, watch: list[str]) -> None:
    before = terminal.settings()
    process = terminal.start(watch, "xterm-256color")
    terminal.read_until(b"q leave")
    os.write(terminal.ours, b"n")
    terminal.read_until(b"game 1")
    os.write(terminal.ours, b"q")
    terminal.read_until(LEAVES_ALTERNATE_SCREEN)
    assert process.wait() == 0
    assert terminal.settings() == before


def test_a_dumb_terminal_gets_plain_text(terminal: Terminal, watch: list[str]) -> None:
    process = terminal.start(watch, "dumb")
    terminal.read_until(b"game 0: pieces ")
    assert process.wait() == 0
    assert b"\x1b" not in terminal.seen
