import { defineConfig } from "@playwright/test";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PROGRAM } from "./tests/program";

// The page as users get it: served by the program, in a real Chromium, with leaderboards of its own.
const PORT = 7493;
const data = process.env["TETRION_TEST_DATA"] ?? mkdtempSync(join(tmpdir(), "tetrion-page-"));
process.env["TETRION_TEST_DATA"] = data;

export default defineConfig({
    testDir: "tests",
    workers: 1,
    timeout: 90_000,
    // Of no weight where it works, and long enough for a machine that has much else to do.
    expect: { timeout: 20_000 },
    reporter: "list",
    forbidOnly: true,
    use: {
        baseURL: `http://127.0.0.1:${PORT}/`,
        viewport: { width: 1280, height: 720 },
        launchOptions: {
            executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
            args: [
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
            ],
        },
    },
    webServer: {
        command: `${PROGRAM} serve --port ${PORT} --no-open --data "${data}"`,
        url: `http://127.0.0.1:${PORT}/api/about`,
        reuseExistingServer: false,
        gracefulShutdown: { signal: "SIGINT", timeout: 5000 },
    },
});
