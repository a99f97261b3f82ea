#!/usr/bin/env bash
# Builds the page into web/dist, which is kept in the repository so that serving it needs nothing but Rust.
set -euo pipefail
cd "$(dirname "$0")/.."

rustup target list --installed | grep -qx wasm32-unknown-unknown || rustup target add wasm32-unknown-unknown
# No path of this machine goes into the file.
cargo fetch --quiet
remap=$(for folder in "${CARGO_HOME:-$HOME/.cargo}"/registry/src/*/; do printf "'--remap-path-prefix=%s=crates/'," "$folder"; done)
cargo build --package tetrion-wasm --target wasm32-unknown-unknown --profile page \
    --config "target.wasm32-unknown-unknown.rustflags=[$remap]"
cargo build --manifest-path web/bindgen/Cargo.toml --target-dir target/bindgen --release
rm -rf web/src/engine/wasm
target/bindgen/release/bindgen target/wasm32-unknown-unknown/page/tetrion_wasm.wasm web/src/engine/wasm

cd web
npm install --silent --no-save --no-audit --no-fund
npm run --silent check
npm run --silent build
node stamp.mjs --write
