// Whether web/dist was built from the sources as they are: a digest over them is kept beside it.
//   node stamp.mjs          says so, and fails if it was not
//   node stamp.mjs --write  writes the digest, after a build
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const STAMP = join(root, "web/dist/stamp.txt");

/** Everything that the page is made of; tests and documents are not. */
const SOURCES = [
    "Cargo.lock",
    "Cargo.toml",
    ".cargo/config.toml",
    ...["engine", "players", "exact", "interop", "leaderboard", "study", "tetrion", "wasm"].flatMap(
        (name) => [`crates/${name}/src`, `crates/${name}/Cargo.toml`],
    ),
    "crates/players/agents",
    "web/bindgen",
    "web/index.html",
    "web/public",
    "web/src",
    "web/package.json",
    "web/package-lock.json",
    "web/tsconfig.json",
    "web/svelte.config.js",
    "web/vite.config.ts",
];

const listed = execFileSync(
    "git",
    ["ls-files", "--cached", "--others", "--exclude-standard", "-z", "--", ...SOURCES],
    { cwd: root },
);
const files = [...new Set(listed.toString().split("\0"))]
    .filter((file) => file && !file.startsWith("web/src/engine/wasm/"))
    .sort();
const digest = createHash("sha256");
for (const file of files) {
    digest
        .update(`${file}\0`)
        .update(readFileSync(join(root, file)))
        .update("\0");
}
const stamp = `${digest.digest("hex")}\n`;

if (process.argv[2] === "--write") {
    writeFileSync(STAMP, stamp);
} else if (readFileSync(STAMP, "utf8") !== stamp) {
    console.error("web/dist is stale: build it again with web/build.sh, and commit it");
    process.exit(1);
}
