import { expect, test, type Page } from "@playwright/test";
import { readFileSync } from "node:fs";
import { LiveMatch } from "./engine";
import { begin, open, text } from "./page";
import { output } from "./program";

const winner = (page: Page) => page.getByTestId("winner");
const garbage = (page: Page, side: 0 | 1) => page.getByTestId("garbage").nth(side);

/** How many pieces a side has placed. */
async function placed(page: Page, side: 0 | 1): Promise<number> {
    const label = await page.getByRole("img", { name: "pieces placed" }).nth(side).getAttribute("aria-label");
    return Number(/(\d+) pieces placed/.exec(label ?? "")?.[1]);
}

/** Piles pieces up in the middle until the round is lost. */
async function topOut(page: Page): Promise<void> {
    for (let drops = 0; drops < 15; drops++) await page.keyboard.press("Space");
    await expect(winner(page)).toBeVisible();
}

/** Presses a key until the result is gone: one that is pressed too soon after the end does nothing. */
async function leaveResult(page: Page, key: string): Promise<void> {
    await expect(async () => {
        await page.keyboard.press(key);
        await expect(winner(page)).toHaveCount(0, { timeout: 100 });
    }).toPass();
}

test("a person plays versus to its end, and loses by topping out", async ({ page }) => {
    await open(page, "versus?agent=lee&first=1&pace=1");
    await page.getByTestId("start").click();
    await begin(page);
    await expect(page.getByTestId("score")).toHaveText("0–0");
    await topOut(page);
    await expect(winner(page)).toBeFocused();
    await expect(winner(page)).toContainText("You lose");
    await expect(winner(page)).toContainText("You topped out");
    await expect(winner(page)).not.toContainText("in rounds");
    await expect(winner(page)).toContainText("attack/min");
    await expect(winner(page)).toContainText(/sent, \d+ cancelled/);
    await expect(winner(page)).toContainText("pieces/s");
    await expect(winner(page).getByRole("link", { name: "round 1" })).toBeVisible();
    await expect(page.getByTestId("replays").locator("kbd")).toHaveText("1");
    await leaveResult(page, "Enter");
    await begin(page);
    await expect(page.getByTestId("score")).toHaveText("0–0");
});

test("a person wins when the agent tops out", async ({ page }) => {
    await open(page, "versus?agent=random&first=1&pace=6");
    await page.getByTestId("start").click();
    await begin(page);
    for (const key of ["ArrowLeft", "ArrowLeft", "Space", "ArrowUp", "ArrowRight", "Space", "KeyC"])
        await page.keyboard.press(key);
    // A person who waits lets pieces fall for twenty seconds each; random moves fill a board sooner.
    await expect(winner(page)).toContainText("You win", { timeout: 60_000 });
    await expect(winner(page)).toContainText("Agent random topped out");
    expect(await placed(page, 0)).toBeGreaterThanOrEqual(2);
});

test("a pause that hides the boards hides what was called out over them", async ({ page }) => {
    await open(page, "versus?agent=lee&first=1&pace=6");
    await page.getByTestId("start").click();
    await begin(page);
    const called = page.getByTestId("clear").nth(1);
    await expect(called).not.toBeEmpty();
    await page.keyboard.press("Escape");
    await expect(page.getByText("Paused", { exact: true })).toBeVisible();
    await expect(called).toBeEmpty();
});

test("a match goes on until one side has won enough rounds", async ({ page }) => {
    test.slow();
    await open(page, "versus?agent=random&first=3&pace=6");
    await page.getByTestId("start").click();
    await begin(page);
    await expect(winner(page)).toContainText("Round won", { timeout: 60_000 });
    await expect(winner(page)).toContainText(/random topped out \((block|lock) out\) · 1–0, first to 3/);
    await expect(winner(page).getByRole("link")).toHaveCount(0);
    for (const lost of [1, 2, 3]) {
        await leaveResult(page, "Enter");
        await begin(page);
        await expect(page.getByTestId("score")).toHaveText(`1–${lost - 1}`);
        await topOut(page);
        await expect(winner(page)).toContainText(lost < 3 ? "Round lost" : "You lose");
    }
    await expect(winner(page)).toContainText("1–3 in rounds");
    await expect(winner(page).getByRole("link", { name: /^round \d$/ })).toHaveCount(4);
    await expect(page.getByTestId("rematch")).toBeVisible();
    await leaveResult(page, "N");
    await expect(page.getByTestId("start")).toBeVisible();
});

test("the meter shows the garbage that waits, and which of it rises next", async ({ page }) => {
    await open(page, "versus?agent=blitz&first=1&pace=6");
    await page.getByTestId("start").click();
    await begin(page);
    const rows = garbage(page, 0).locator("i");
    await expect(rows).not.toHaveCount(0, { timeout: 60_000 });
    await expect(garbage(page, 0).locator(".due")).not.toHaveCount(0);
    await expect(page.getByTestId("warning")).toContainText("on your next piece");
    await expect(garbage(page, 0)).toHaveAttribute("aria-label", /\d+ lines of garbage wait/);
    await expect(page.getByRole("listitem", { name: /^Agent blitz sent \d+$/ })).not.toHaveCount(0);
    // What was sent is seen on its way, unless motion is reduced.
    await expect(page.locator(".way")).toHaveCount(1);
    await page.keyboard.press("Space");
    // More may be on its way, but that has to wait for half a second.
    await expect(garbage(page, 0).locator(".due")).toHaveCount(0);
});

test("an agent in a match sees the other board", () => {
    const match = new LiveMatch({ rules: "guideline", halfTurns: false }, 7n);
    const told = (side: 0 | 1) => JSON.parse(new TextDecoder().decode(match.position(side)));
    expect(told(0).opponent).toEqual(told(1).position);
    expect(told(1).opponent).toEqual(told(0).position);
    match.free();
});

test("attacks do not fly where motion is reduced", async ({ page }) => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    await open(page, "versus?agent=blitz&first=1&pace=6");
    await page.getByTestId("start").click();
    await begin(page);
    await expect(page.getByRole("listitem", { name: /^Agent blitz sent \d+$/ })).not.toHaveCount(0, {
        timeout: 60_000,
    });
    await expect(page.locator(".way")).toHaveCount(0);
});

test("two agents play a match to its end, and it can be stopped and stepped", async ({ page }) => {
    await open(page, "versus?left=random&agent=random&first=3&pace=6");
    await page.getByTestId("start").click();
    await begin(page);
    await expect.poll(() => placed(page, 0)).toBeGreaterThan(2);
    await page.keyboard.press("Escape");
    await expect(page.locator("[data-phase=paused]")).toHaveCount(2);
    const both = async () => (await placed(page, 0)) + (await placed(page, 1));
    const before = await both();
    await page.keyboard.press("ArrowRight");
    await expect.poll(both).toBeGreaterThan(before);
    await page.keyboard.press("Escape");
    await expect(winner(page)).toContainText("wins", { timeout: 80_000 });
    await expect(winner(page)).toContainText("3");
});

test("versus is set up, started, paused and left by keyboard alone", async ({ page }) => {
    await open(page, "");
    await expect(page.getByRole("heading", { level: 1, name: "A laboratory for Tetris" })).toBeVisible();
    await page.keyboard.press("V");
    await expect(page).toHaveURL(/#\/versus/);
    await page.getByTestId("first-to").getByRole("radio", { name: "3" }).focus();
    await page.keyboard.press("ArrowLeft");
    await expect(page.getByTestId("first-to").getByRole("radio", { name: "1" })).toBeChecked();
    await page.keyboard.press("Tab");
    await page.keyboard.press("ArrowRight");
    await expect(page.getByTestId("rules").getByRole("radio", { name: "PPT" })).toBeChecked();
    await page.keyboard.press("Tab");
    await expect(page.getByTestId("pace")).toBeFocused();
    await page.keyboard.press("End");
    await page.keyboard.press("Tab");
    await expect(page.getByTestId("start")).toBeFocused();
    await expect(page).toHaveURL(/rules=ppt&first=1&pace=6/);
    await page.keyboard.press("Enter");
    await begin(page);
    await page.keyboard.press("Space");
    await expect.poll(() => placed(page, 0)).toBe(1);
    await page.keyboard.press("Escape");
    await expect(page.locator("[data-phase=paused]")).toHaveCount(2);
    const still = await placed(page, 1);
    await page.keyboard.press("Escape");
    await expect(page.locator("[data-phase=playing]")).toHaveCount(2);
    await expect.poll(() => placed(page, 1)).toBeGreaterThan(still);
    // Leaving is asked first, and the match waits.
    await page.keyboard.press("N");
    await expect(page.getByTestId("confirm")).toBeVisible();
    await expect(page.locator("[data-phase=paused]")).toHaveCount(2);
    await page.keyboard.press("Escape");
    await expect(page.locator("[data-phase=playing]")).toHaveCount(2);
    await page.getByRole("link", { name: "Back to the menu" }).click();
    await page.keyboard.press("L");
    await expect(page.getByRole("heading", { level: 1, name: "A laboratory for Tetris" })).toBeVisible();
});

test("a match stops while the page is hidden", async ({ page }) => {
    await open(page, "versus?agent=lee&first=1&pace=2");
    await page.getByTestId("start").click();
    await begin(page);
    await page.evaluate(() => {
        Object.defineProperty(document, "hidden", { value: true, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
    });
    await expect(page.locator("[data-phase=paused]")).toHaveCount(2);
});

test("a match is stepped through, and its file verifies elsewhere", async ({ page }) => {
    await open(page, "versus?agent=lee&first=1&pace=4");
    await page.getByTestId("start").click();
    await begin(page);
    await topOut(page);
    await winner(page).getByRole("link", { name: "round 1" }).click();
    // How it ended is told at its end.
    await expect(page.getByTestId("match")).not.toContainText("topped out");
    const where = () => text(page, "where");
    expect(await where()).toMatch(/^Piece 0 of \d+$/);
    expect([await placed(page, 0), await placed(page, 1)]).toEqual([0, 0]);
    const both = async () => (await placed(page, 0)) + (await placed(page, 1));
    for (const pieces of [1, 2, 3]) {
        await page.keyboard.press("ArrowRight");
        await expect.poll(both).toBe(pieces);
    }
    await page.keyboard.press("ArrowLeft");
    await expect.poll(both).toBe(2);
    await page.keyboard.press("End");
    const all = Number(/of (\d+)/.exec(await where())?.[1]);
    await expect.poll(both).toBe(all);
    await expect(page.getByTestId("match")).toContainText("topped out");
    await expect(page.getByTestId("apm")).toHaveCount(2);
    await page.keyboard.press("Home");
    await expect.poll(both).toBe(0);
    const saving = page.waitForEvent("download");
    await page.keyboard.press("D");
    const path = await (await saving).path();
    expect(output("replay", "verify", path)).toContain("lee");
    await open(page, "replays");
    await expect(page.getByRole("listitem").filter({ hasText: "Versus" })).toContainText("Lost");
    await page.locator("input[type=file]").setInputFiles({
        name: "match.tetrion",
        mimeType: "application/octet-stream",
        buffer: readFileSync(path),
    });
    await expect(page.getByTestId("match")).toBeVisible();
});

test("on a phone the start of a contest is always in reach", async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    for (const screen of ["versus?left=blitz&agent=versus", "race?left=blitz&agent=versus"]) {
        await open(page, screen);
        await expect(page.getByTestId("start")).toBeInViewport({ ratio: 1 });
    }
});

/** Whether something ends within the window. */
const isInView = (page: Page, id: string) =>
    page.getByTestId(id).evaluate((part) => part.getBoundingClientRect().bottom <= innerHeight);

test("a match can be played at once on any screen, and nothing of it covers anything else", async ({
    page,
}) => {
    await open(page, "versus?left=random&agent=random&first=1&pace=6");
    await page.getByTestId("start").click();
    await expect(winner(page)).toBeVisible({ timeout: 80_000 });
    await winner(page).getByRole("link", { name: "round 1" }).click();
    await page.getByTestId("timeline").focus();
    await page.keyboard.press("End");
    await expect(page.getByTestId("match")).toContainText("topped out");
    for (const [width, height] of [
        [1280, 720],
        [1920, 1080],
        [390, 844],
        [844, 390],
    ] as const) {
        await page.setViewportSize({ width, height });
        expect(await isInView(page, "play"), `Play at ${width}×${height}`).toBe(true);
        const [previews, attacks] = await page.getByTestId("match").evaluate((match) => {
            const box = (part: Element | null) => part?.getBoundingClientRect() ?? new DOMRect();
            const lists = [...match.querySelectorAll("ol[aria-label^='Next pieces'] li:last-child")];
            return [
                Math.max(...lists.map((list) => box(list).bottom)),
                box(match.querySelector("figure")).top,
            ];
        });
        // On a phone on its side they stand beside each other.
        if (height > 480)
            expect(previews, `previews at ${width}×${height}`).toBeLessThanOrEqual(attacks ?? 0);
    }
});

type Cell = [number, number];
/** Pieces as they spawn, around their centres. */
const SHAPES: Record<string, Cell[]> = {
    T: [
        [-1, 0],
        [0, 0],
        [1, 0],
        [0, 1],
    ],
    I: [
        [-1, 0],
        [0, 0],
        [1, 0],
        [2, 0],
    ],
    O: [
        [0, 0],
        [1, 0],
        [0, 1],
        [1, 1],
    ],
};
const TURNS: Record<string, (cell: Cell) => Cell> = {
    north: (cell) => cell,
    east: ([x, y]) => [y, -x],
    south: ([x, y]) => [-x, -y],
    west: ([x, y]) => [-y, x],
};
interface Location {
    type: string;
    orientation: string;
    x: number;
    y: number;
}

test("the bot speaks the Tetris Bot Protocol as a worker module", async ({ page }) => {
    await page.goto("");
    const talk = await page.evaluateHandle(() => {
        const worker = new Worker("tbp.js", { type: "module" });
        const heard: { type: string; [name: string]: unknown }[] = [];
        const waiting: ((message: unknown) => void)[] = [];
        worker.onmessage = ({ data }) => {
            const next = waiting.shift();
            if (next) next(data);
            else heard.push(data);
        };
        return {
            send: (message: unknown) => worker.postMessage(message),
            hear: () => heard.shift() ?? new Promise((resolve) => waiting.push(resolve)),
        };
    });
    const send = (message: unknown) => talk.evaluate((talk, message) => talk.send(message), message);
    const hear = () => talk.evaluate((talk) => talk.hear()) as Promise<Record<string, unknown>>;
    const suggestion = async () => {
        await send({ type: "suggest" });
        const answer = await hear();
        expect(answer["type"]).toBe("suggestion");
        return answer["moves"] as { location: Location; spin: string }[];
    };

    expect(await hear()).toMatchObject({ type: "info", name: expect.stringMatching(/^Tetrion /) });
    await send({ type: "rules", randomizer: "seven_bag" });
    expect(await hear()).toEqual({ type: "ready" });
    expect(await suggestion()).toEqual([]);
    const start = {
        type: "start",
        hold: null,
        queue: ["T", "I", "O"],
        combo: 0,
        back_to_back: false,
        board: [],
    };
    await send(start);
    const moves = await suggestion();
    const best = moves[0];
    if (!best) throw new Error("there is no move");
    for (const { location } of moves) {
        // The current piece, or the next after a hold; on an empty board it rests on the floor, within the walls.
        expect(["T", "I"]).toContain(location.type);
        const cells = (SHAPES[location.type] ?? []).map(
            (cell) => TURNS[location.orientation]?.(cell) ?? cell,
        );
        const xs = cells.map(([x]) => x + location.x);
        expect(Math.min(...xs)).toBeGreaterThanOrEqual(0);
        expect(Math.max(...xs)).toBeLessThanOrEqual(9);
        expect(Math.min(...cells.map(([, y]) => y + location.y))).toBe(0);
    }
    // Messages that make no sense are ignored, and the conversation goes on.
    await send("hello");
    await send({ type: "play", move: best });
    await send({ type: "new_piece", piece: "S" });
    expect(await suggestion()).not.toEqual([]);
    await send({ type: "stop" });
    expect(await suggestion()).toEqual([]);
    await send(start);
    expect(await suggestion()).not.toEqual([]);
    await send({ type: "quit" });
});
