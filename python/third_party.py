"""Prints the licence texts of everything that the program for Linux is made of, and the page within it."""

import json
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MIT = ROOT / "LICENSE-MIT"
# What the archive holds: our packages, each with the platform that it is built for.
PROGRAMS = {"tetrion-cli": "x86_64-unknown-linux-gnu", "tetrion-wasm": "wasm32-unknown-unknown"}
# What the page takes from npm. Everything else there only builds or tests it.
PAGE = ("clsx", "esm-env", "svelte")
# How the names of licence texts begin.
NAMES = ("LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE", "OFL")


@dataclass(frozen=True, order=True)
class Library:
    """A library in a version, and where its files are."""

    name: str
    version: str
    licence: str
    folder: Path

    def __str__(self) -> str:
        return f"{self.name} {self.version}"

    def texts(self) -> list[str]:
        """Reads the licence texts that come with the library."""
        paths = sorted(path for path in self.folder.rglob("*") if path.is_file())
        texts = [path for path in paths if path.name.upper().startswith(NAMES) and path.suffix != ".rs"]
        if not texts and self.licence == "MIT":
            # Some crates name their licence but leave its text out.
            holder = f"Copyright (c) the authors of {self.name}"
            return [re.sub("Copyright .*", holder, MIT.read_text()).strip()]
        return [path.read_text(errors="replace").replace("\r\n", "\n").strip() for path in texts]


def cargo(*arguments: str) -> str:
    """Runs cargo, and returns what it prints."""
    command = ["cargo", *arguments, "--locked"]
    return subprocess.run(command, check=True, cwd=ROOT, stdout=subprocess.PIPE, text=True).stdout


def crates() -> list[Library]:
    """Lists the crates that end up in the archive."""
    linked = set()
    for package, target in PROGRAMS.items():
        tree = cargo(
            "tree",
            "--package",
            package,
            "--target",
            target,
            "--edges",
            "normal,no-proc-macro",
            "--prefix",
            "none",
        )
        # A line is "name v1.2.3" and remarks.
        linked.update(tuple(line.split()[:2]) for line in tree.splitlines())
    packages = json.loads(cargo("metadata", "--format-version", "1"))["packages"]
    return [
        Library(
            package["name"], package["version"], package["license"], Path(package["manifest_path"]).parent
        )
        for package in packages
        if package["source"] and (package["name"], f"v{package['version']}") in linked
    ]


def page_libraries() -> list[Library]:
    """Lists the npm packages that end up in the page."""
    folders = [ROOT / "web/node_modules" / name for name in PAGE]
    packages = [(json.loads((folder / "package.json").read_text()), folder) for folder in folders]
    return [
        Library(package["name"], package["version"], package["license"], folder)
        for package, folder in packages
    ]


def main() -> None:
    """Prints each text once, below the libraries that it belongs to."""
    libraries = sorted([*crates(), *page_libraries()])
    libraries_by_text: dict[str, list[str]] = {}
    print("Tetrion contains the Rust standard library (MIT OR Apache-2.0) and these libraries:\n")
    for library in libraries:
        texts = library.texts()
        if not texts:
            sys.exit(f"{library} has no licence text in {library.folder}")
        for text in texts:
            libraries_by_text.setdefault(text, []).append(str(library))
        print(f"{library}: {library.licence}")
    for text, names in libraries_by_text.items():
        print(f"\n{'=' * 80}\n{', '.join(dict.fromkeys(names))}\n{'=' * 80}\n\n{text}")


if __name__ == "__main__":
    main()
