#!/usr/bin/env bash
# Every test of the project, with what it needs installed: ./test.sh
# The slow truths as well (perft to depth 7, every opening's perfect clear, splitting on tall boards, thousands of slow clients, a million
# inputs for each fuzz target): ./test.sh --full
# Only the server, under mixed traffic for an hour, or for SOAK_MINUTES: ./test.sh --soak
set -euo pipefail
cd "$(dirname "$0")"

full=false
case "${1-}" in
    "") ;;
    --full) full=true ;;
    --soak) cargo build --release && exec python3 python/soak.py ;;
    *) echo "usage: ./test.sh [--full | --soak]" >&2; exit 2 ;;
esac

step() { printf '\n== %s\n' "$*"; }

step "tools"
command -v cargo >/dev/null || { echo "Rust is missing: install it from https://rustup.rs" >&2; exit 1; }
command -v python3 >/dev/null || { echo "Python is missing: install python3 with its venv module" >&2; exit 1; }
command -v npm >/dev/null || { echo "Node.js is missing: install version 20 or newer, with npm" >&2; exit 1; }
chromium=${CHROMIUM-$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)}
if [ -z "$chromium" ]; then
    { command -v apt-get && [ "$(id -u)" = 0 ]; } >/dev/null ||
        { echo "Chromium is missing: install it, or say where it is with CHROMIUM=PATH" >&2; exit 1; }
    apt-get install -qq -y chromium >/dev/null || { apt-get update -qq && apt-get install -qq -y chromium >/dev/null; }
    chromium=$(command -v chromium)
fi
cargo fmt --version >/dev/null 2>&1 || rustup component add rustfmt
cargo clippy --version >/dev/null 2>&1 || rustup component add clippy
cargo --version

# Downloads what the later steps need, and checks the page, while cargo builds. Its output is shown when its turn comes.
mkdir -p target
python=target/python/bin
prepare() {
    { [ -x "$python/python" ] || python3 -m venv target/python; } &&
        "$python/pip" install --quiet --disable-pip-version-check -r python/requirements-test.txt &&
        cd web && npm install --silent --no-save --no-audit --no-fund &&
        npm run --silent check && npm run --silent style && node stamp.mjs
}
prepare >target/prepare.log 2>&1 &
prepared=$!
trap wait EXIT
# Each crate is built once here, so there is nothing to gain from incremental builds.
export CARGO_INCREMENTAL=${CARGO_INCREMENTAL-0}

step "format and lints"
cargo fmt --all --check
cargo clippy --workspace --all-targets --quiet -- -D warnings
RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --quiet

step "tests, with assertions"
cargo test --workspace --quiet

step "the same games in a release build"
cargo test --release -p tetrion-engine --test game --quiet

step "the page: types, style, and that it is built from its sources"
wait "$prepared" || { cat target/prepare.log >&2; exit 1; }
cat target/prepare.log

step "Python: licences of dependencies, optimisers against pycma, watch in a terminal"
"$python/python" python/dependencies.py
"$python/ruff" check --quiet python
"$python/ruff" format --check --quiet python
"$python/pytest" -q python

step "the page in Chromium"
# The program that the tests above have built.
(cd web && CHROMIUM="$chromium" TETRION=../target/debug/tetrion npm test --silent)

if $full; then
    step "perft to depth 7"
    cargo test --release -p tetrion-engine --test suite --quiet -- --ignored perft

    step "the perfect clear of every opening"
    cargo test --release -p tetrion-players --test suite --quiet -- --ignored four_rows

    step "splitting against published figures"
    cargo test --release -p tetrion-training --test suite --quiet -- --ignored splitting

    step "the server beside two thousand slow clients"
    cargo test --release -p tetrion-cli --test slow_clients --quiet -- --ignored --nocapture

    step "fuzzing"
    command -v cargo-fuzz >/dev/null || cargo install cargo-fuzz --locked --quiet
    for target in replay clock fumen agent recipe api ticket tbp; do
        # Fuzzing needs a compiler flag that stable Rust keeps behind this variable.
        # What the fuzzer finds of interest goes to the first folder; the second is in the repository.
        mkdir -p "target/fuzz-corpus/$target"
        RUSTC_BOOTSTRAP=1 cargo fuzz run --features fuzzer --sanitizer none "$target" \
            "target/fuzz-corpus/$target" "fuzz/corpus/$target" -- -runs=1000000 -rss_limit_mb=1024 2>"target/fuzz-corpus/$target.log" ||
            { tail -50 "target/fuzz-corpus/$target.log" >&2; exit 1; }
        echo "$target: $(grep '^Done' "target/fuzz-corpus/$target.log"), $(grep 'were accepted$' "target/fuzz-corpus/$target.log" | tail -1)"
    done
fi

step "all passed"
