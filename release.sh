#!/usr/bin/env bash
# Builds the archive for users, with the self-contained program for x86-64-v3 (processors since about 2013) and its licences: ./release.sh
# The program needs the glibc of the machine it is built on at most: built on Debian 12, 2.35 or newer.
set -euo pipefail
cd "$(dirname "$0")"

version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -1)
target=x86_64-unknown-linux-gnu
name=tetrion-$version-x86_64-v3-linux
out=target/package
registry=${CARGO_HOME:-$HOME/.cargo}/registry/src

cargo fetch --locked --target $target
# No path of this machine goes into the program.
flags="-C target-cpu=x86-64-v3 --remap-path-prefix=$PWD=tetrion"
for folder in "$registry"/*/; do
    flags+=" --remap-path-prefix=${folder%/}=crates"
done
# A target folder of its own: builds with other flags would throw each other away.
RUSTFLAGS=$flags CFLAGS="-ffile-prefix-map=$registry=crates" CARGO_PROFILE_RELEASE_STRIP=symbols \
    cargo build --release --locked --target $target --target-dir target/release-archive --package tetrion-cli

rm -rf "$out"
mkdir -p "$out/$name"
cp target/release-archive/$target/release/tetrion README.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE "$out/$name"
(cd web && npm install --silent --no-save --no-audit --no-fund)
python3 python/third_party.py >"$out/$name/THIRD-PARTY-LICENSES.txt"

if grep -aqF -e "$PWD" -e "${CARGO_HOME:-$HOME/.cargo}" "$out/$name/tetrion"; then
    echo "the program contains paths of this machine: a compiler flag above is missing" >&2
    exit 1
fi

# Sorted, owned by nobody in particular, and dated by the commit.
tar --create --directory "$out" --sort=name --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX \
    --mtime="@$(git log -1 --format=%ct)" "$name" | gzip --no-name --best >"$out/$name.tar.gz"
(cd "$out" && sha256sum "$name.tar.gz" | tee "$name.tar.gz.sha256")
