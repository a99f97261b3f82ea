import { expect, test } from "@playwright/test";
import { readFile, readdir, stat } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { begin } from "./page";

const dist = join(dirname(fileURLToPath(import.meta.url)), "../dist");
const TYPES: Record<string, string> = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
};

/** A host of plain files, with the page in a folder of it. */
async function host(): Promise<Server> {
    const server = createServer(async (request, response) => {
        const path = normalize(decodeURIComponent(new URL(request.url ?? "/", "http://host").pathname));
        const file = join(dist, path.replace(/^\/games\/tetrion\/?/, "/").replace(/\/$/, "/index.html"));
        try {
            const body = await readFile(file);
            response.writeHead(200, { "Content-Type": TYPES[extname(file)] ?? "text/plain" }).end(body);
        } catch {
            response.writeHead(404).end("not found");
        }
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return server;
}

test("the page works from a plain static host, and says what it can't do there", async ({ page }) => {
    const server = await host();
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/games/tetrion/`;
    const outside: string[] = [];
    page.on("request", (request) => {
        if (!request.url().startsWith(address) && !/^(data|blob):/.test(request.url()))
            outside.push(request.url());
    });
    try {
        await page.goto(`${address}#/sprint`);
        await begin(page);
        await expect(page.getByTestId("ranked")).toHaveText("Unranked");
        await expect(page.getByTestId("unranked-reason")).toHaveText("This page has no server");
        await page.goto(`${address}#/sprint?seed=4`);
        await begin(page);
        await page.keyboard.press("KeyG");
        await page.getByTestId("agent-speed").selectOption("0");
        await expect(page.getByTestId("outcome")).toHaveText("Cleared");
        await page.goto(`${address}#/blitz?seed=4`);
        await begin(page);
        for (let drops = 0; drops < 15; drops++) await page.keyboard.press("Space");
        await expect(page.getByTestId("score-note")).toContainText("stays in this browser");
        await page.goto(`${address}#/scores?mode=blitz&by=people`);
        await expect(page.getByTestId("no-server")).toBeVisible();
        await expect(page.getByTestId("scores")).toContainText("Player");
        await page.goto(`${address}#/train`);
        await expect(page.getByTestId("no-server")).toBeVisible();
        await page.goto(`${address}#/tiny`);
        await expect(page.getByTestId("tiny-optimum")).toContainText("13.16");
        expect(outside).toEqual([]);
    } finally {
        server.closeAllConnections();
        server.close();
    }
});

test("the page has at most two and a half megabytes", async () => {
    const files = await readdir(dist, { recursive: true });
    const sizes = await Promise.all(files.map(async (file) => (await stat(join(dist, file))).size));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(2_500_000);
});
