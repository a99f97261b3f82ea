import { expect, test } from "@playwright/test";
import { readFileSync } from "node:fs";
import type { RowEvent } from "../src/state/api";
import { thin } from "../src/state/history";
import { begin, open } from "./page";

test("Tiny tells what each move was worth after it is made, and keeps the games", async ({ page }) => {
    await open(page, "tiny");
    await expect(page.getByTestId("tiny-optimum")).toContainText("13.16");
    await expect(page.getByTestId("tiny-move")).toHaveCount(0);
    await page.keyboard.press("Space");
    await expect(page.getByTestId("tiny-placed")).toHaveText("1");
    expect(await page.getByTestId("tiny-move").count()).toBeGreaterThan(2);
    await expect(page.getByTestId("tiny-cost")).not.toBeEmpty();
    for (let moves = 0; moves < 60 && !(await page.getByTestId("tiny-over").isVisible()); moves++) {
        await page.keyboard.press("Space");
    }
    await expect(page.getByTestId("tiny-over")).toContainText(
        /With the same pieces, perfect play clears \d+ rows?\./,
    );
    // The move that lost the game counts too.
    const made = await page.getByTestId("tiny-placed").innerText();
    await expect(page.getByTestId("tiny-costs")).toContainText(`of ${made}.`);
    const mean = await page.getByTestId("tiny-mean").innerText();
    await page.reload();
    await expect(page.getByTestId("tiny-mean")).toHaveText(mean);
});

test("what a move of Tiny cost is the difference of the figures beside it", async ({ page }) => {
    await open(page, "tiny");
    const [cost, over] = [page.getByTestId("tiny-cost"), page.getByTestId("tiny-over")];
    for (let moves = 0; moves < 60; moves++) {
        if (await over.isVisible()) await page.keyboard.press("Enter");
        await expect(over).toBeHidden();
        await page.keyboard.press("Space");
        const [lost, made, best] = (await cost.innerText()).match(/\d+\.\d+/g)?.map(Number) ?? [];
        if (best !== undefined) expect(lost).toBeCloseTo(best - (made ?? 0), 8);
    }
});

test("the wall of Tiny has a figure at every fifth row, and one average of perfect play", async ({
    page,
}) => {
    await open(page, "tiny");
    const wall = page.locator(".wall.left");
    await expect(wall.locator(".label")).toHaveText(["5", "10", "15", "20 rows cleared"]);
    await expect(wall.locator(".notch")).toHaveText("perfect average");
});

test("on a phone Tiny's board keeps its place, with what the last move cost in view", async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await open(page, "tiny");
    const board = page.getByTestId("tiny-board");
    const before = await board.boundingBox();
    await page.keyboard.press("Space");
    await expect(page.getByTestId("tiny-cost")).toBeInViewport({ ratio: 1 });
    expect(await board.boundingBox()).toEqual(before);
});

test("the result of Tiny covers nothing on a phone on its side", async ({ page }) => {
    await page.setViewportSize({ width: 844, height: 390 });
    await open(page, "tiny");
    const over = page.getByTestId("tiny-over");
    for (let moves = 0; moves < 60 && !(await over.isVisible()); moves++) await page.keyboard.press("Space");
    await expect(over).toBeInViewport({ ratio: 1 });
    await expect(page.getByTestId("tiny-cleared")).toBeHidden();
    await over.getByRole("button", { name: "Watch perfect play" }).click();
    await expect(over).toBeHidden();
    await expect(page.getByTestId("tiny-cleared")).toBeVisible();
});

test("a training run is started, watched, stopped and resumed, in more tabs than there are connections", async ({
    page,
    context,
}) => {
    await open(page, "train");
    await page.getByTestId("goal-lee").click();
    await page.getByText("All settings").click();
    await page.getByTestId("parameter-population").fill("1");
    await page.getByTestId("train-start").click();
    await expect(page.getByTestId("train-error")).toContainText("give at least 2");
    // Short generations, and more of them than anybody waits for.
    for (const [name, value] of Object.entries({ population: 10, plies: 1, generations: 100_000 }))
        await page.getByTestId(`parameter-${name}`).fill(String(value));
    await page.getByTestId("train-start").click();
    const generation = async () => {
        const text = await page.getByTestId("generation").innerText();
        return Number(/[\d,]+/.exec(text)?.[0].replaceAll(",", "") ?? "0");
    };
    await expect.poll(generation, { timeout: 60_000 }).toBeGreaterThan(2);
    await expect(page.getByRole("img", { name: /^Best and mean/ })).toBeVisible();
    await expect(page.getByTestId("best-game").getByTestId("pieces")).toBeVisible();
    // The best plays long games only so far; and what fails is asked for again after a while, not at once.
    const asked: number[] = [];
    await page.route("**/api/training/*/best", async (route) => {
        asked.push(Date.now());
        if (asked.length === 1)
            await route.fulfill({ body: readFileSync("../crates/players/agents/lee.toml") });
        else await route.fulfill({ status: 500, body: "no" });
    });
    await page.evaluate(() => localStorage.setItem("tetrion.settings", '{"agentSpeed":0}'));
    await page.reload();
    await expect.poll(() => asked.length, { timeout: 60_000 }).toBeGreaterThan(3);
    await expect(page.getByTestId("best-game").getByTestId("pieces")).toHaveText("200of 200");
    const between = asked.slice(1).map((time, index) => time - (asked[index] ?? 0));
    expect(Math.min(...between)).toBeGreaterThan(1000);
    await page.unroute("**/api/training/*/best");
    await page.getByTestId("train-stop").click();
    await expect(page.getByTestId("run-state").first()).toContainText(/stopped/i, { timeout: 60_000 });
    const stopped = await generation();
    await page.getByTestId("train-resume").click();
    await expect.poll(generation, { timeout: 60_000 }).toBeGreaterThan(stopped);
    // While it can't be seen it is not followed, and nothing is missing or double afterwards.
    for (const hidden of [true, false]) {
        await page.evaluate((hidden) => {
            Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
            document.dispatchEvent(new Event("visibilitychange"));
        }, hidden);
    }
    const run = page.getByTestId("run");
    await page.route("**/stop", (request) => request.abort());
    await page.getByTestId("train-stop").click();
    await expect(run.getByRole("alert")).toHaveText("The server does not respond: is it still running?");
    // From another tab it comes to stand: what was wrong here is so no more.
    const other = await context.newPage();
    await other.goto(page.url());
    await other.getByTestId("train-stop").click();
    await expect(run.getByTestId("run-state")).toContainText(/stopped/i, { timeout: 60_000 });
    await expect(run.getByRole("alert")).toBeHidden();
    await expect(page.getByRole("img", { name: /^Best and mean/ })).toHaveAccessibleName(
        `Best and mean score over ${(await generation()).toLocaleString("en-US")} generations`,
    );
    for (let tabs = 0; tabs < 6; tabs++) {
        const tab = await context.newPage();
        await tab.goto(page.url());
        await expect(tab.getByTestId("run")).toContainText(/stopped/i);
    }
});

test("a score that was played while the server was away is sent later, and once", async ({ page }) => {
    await page.addInitScript(() => {
        localStorage.setItem("tetrion.settings", JSON.stringify({ name: "Late" }));
    });
    await open(page, "scores?mode=blitz&by=people");
    await expect(page.getByRole("heading", { name: "Leaderboard" })).toBeVisible();
    await page.goto("#/blitz?seed=22");
    await begin(page);
    await page.route("**/api/**", (request) => request.abort());
    for (let drops = 0; drops < 15; drops++) await page.keyboard.press("Space");
    await expect(page.getByTestId("score-note")).toHaveText(
        "Not on the leaderboard: the server does not respond: is it still running? It will be sent when you open the leaderboard.",
    );
    await page.goto("#/scores?mode=blitz&by=people&unverified=true");
    await expect(page.getByTestId("server-away")).toContainText("The server does not answer");
    await page.unroute("**/api/**");
    await page.goto("#/");
    await page.goto("#/scores?mode=blitz&by=people&unverified=true");
    const late = page.getByTestId("scores").getByText("Late");
    await expect(late).toHaveCount(1);
    const sent: string[] = [];
    page.on("request", (request) => sent.push(request.method()));
    await open(page, "scores?mode=blitz&by=people&unverified=true");
    await expect(late).toHaveCount(1);
    expect(sent).not.toContain("POST");
});

test("where nothing can be stored, the score is sent, and the page says what is not kept", async ({
    page,
}) => {
    await page.addInitScript(() => {
        // As some browsers do: nothing ever comes of it.
        IDBFactory.prototype.open = () => new EventTarget() as IDBOpenDBRequest;
    });
    await open(page, "blitz?seed=23");
    await begin(page);
    for (let drops = 0; drops < 15; drops++) await page.keyboard.press("Space");
    await expect(page.getByTestId("score-note")).toHaveText(
        /^Unverified: .+ The replay was not saved: this browser blocks storage for this page\. #\d+ on the Unverified list$/,
    );
    await page.evaluate(() => Object.defineProperty(window, "indexedDB", { value: undefined }));
    await page.goto("#/replays");
    await expect(page.getByTestId("trouble")).toHaveText(
        "Your replays can't be listed: this browser blocks storage for this page.",
    );
    await expect(page.getByTestId("empty")).toBeHidden();
});

test("names on the leaderboard are text", async ({ page }) => {
    await page.addInitScript(() => {
        localStorage.setItem("tetrion.settings", JSON.stringify({ name: "<img src=x>", agentSpeed: 0 }));
    });
    await open(page, "blitz?seed=21");
    await begin(page);
    for (let drops = 0; drops < 15; drops++) await page.keyboard.press("Space");
    await expect(page.getByTestId("score-note")).toContainText("on the Unverified list");
    await open(page, "scores?mode=blitz&by=people&unverified=true");
    await expect(page.getByTestId("scores")).toContainText("<img src=x>");
    await expect(page.getByTestId("scores").locator("img")).toHaveCount(0);
    await page.getByTestId("scores").getByRole("link").first().click();
    await expect(page.getByTestId("game")).toContainText("Topped out");
});

test("a long training run is thinned evenly, and keeps its first, its best and its last generation", () => {
    const generation = (number: number): RowEvent => ({
        row: {
            generation: number,
            evaluations: 0,
            games: 0,
            best: number === 6_788 ? 2 : 1,
            mean: 0,
            std: 0,
            min: 0,
            seconds: 0,
            saved: 0,
        },
        weights: [number],
    });
    let kept: RowEvent[] = [];
    for (let number = 1; number <= 13_594; number++) {
        kept = thin([...kept, generation(number)]);
        if (number === 1_000) expect(kept).toHaveLength(1_000);
    }
    const numbers = kept.map(({ row }) => row.generation);
    const even = Array.from({ length: Math.ceil(13_594 / 16) }, (_, index) => 1 + 16 * index);
    expect(new Set(numbers)).toEqual(new Set([...even, 6_788, 13_594]));
    expect(kept.every(({ row, weights }) => weights[0] === row.generation)).toBe(true);
});
