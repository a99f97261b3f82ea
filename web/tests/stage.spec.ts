import { expect, test, type BrowserContext, type Page } from "@playwright/test";
import { begin, frames, heights, open, pieces, text } from "./page";

const chip = (page: Page) => page.getByTestId("ranked");
const confirm = (page: Page) => page.getByTestId("confirm");

/** A row that an I in the right column clears, and one above it that stays. */
const ALMOST = "practice?rows=XXX.......*XXXXXXXXX.&hold=&queue=IOTLJSZ";

/** Whether a cell of the board is drawn otherwise than an empty one; rows count from the bottom. */
function isDrawn(page: Page, column: number, row: number): Promise<boolean> {
    return page
        .locator("canvas")
        .first()
        .evaluate(
            (canvas: HTMLCanvasElement, [column, row]) => {
                const size = canvas.width / 10;
                const colour = (column: number, row: number) => {
                    const at = [(column + 0.3) * size, canvas.height - (row + 0.3) * size] as const;
                    return String(canvas.getContext("2d")?.getImageData(...at, 1, 1).data);
                };
                return colour(column, row) !== colour(0, 10);
            },
            [column, row] as const,
        );
}

/** Starts a game on a clock that the test moves, and drops the I that clears a row. */
async function clearRow(page: Page): Promise<void> {
    await page.clock.install({ time: 0 });
    await page.clock.pauseAt(1000);
    await page.goto(`#/${ALMOST}`);
    await expect(page.locator("[data-phase=countdown]")).toBeVisible();
    await page.clock.runFor(3000);
    await begin(page);
    await page.keyboard.press("ArrowUp");
    for (let steps = 0; steps < 9; steps++) await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Space");
}

test("a cleared row dissolves before the stack falls, while the game goes on", async ({ page }) => {
    await clearRow(page);
    await page.clock.runFor(40);
    expect((await heights(page)).slice(0, 4), "the game has cleared the row").toEqual([1, 1, 1, 0]);
    expect(await isDrawn(page, 0, 1), "the row above is still seen above it").toBe(true);
    await page.clock.runFor(300);
    expect(await isDrawn(page, 0, 1)).toBe(false);
    expect(await isDrawn(page, 0, 0)).toBe(true);
});

for (const [who, settings] of [
    ["the system", {}],
    ["the player", { reducedMotion: true }],
] as const) {
    test(`nothing dissolves if ${who} asks for reduced motion`, async ({ page }) => {
        if (who === "the system") await page.emulateMedia({ reducedMotion: "reduce" });
        await page.addInitScript(
            (text) => localStorage.setItem("tetrion.settings", text),
            JSON.stringify(settings),
        );
        await clearRow(page);
        await page.clock.runFor(40);
        expect(await isDrawn(page, 0, 1)).toBe(false);
        const press = await page
            .locator(".btn")
            .first()
            .evaluate((button) => getComputedStyle(button).transitionDuration);
        expect(new Set(press.split(", "))).toEqual(new Set(["0s"]));
    });
}

test("a ranked game asks before an agent, a hint or an explanation unranks it", async ({ page }) => {
    await open(page, "sprint");
    await begin(page);
    await expect(chip(page)).toHaveText("Ranked");
    await expect(page.getByTestId("agent-toggle"), "agents are folded away").toHaveCount(0);
    for (const [key, question] of [
        ["KeyG", "Let the agent play?"],
        ["KeyH", "Show a hint?"],
        ["KeyE", "Show explanations?"],
    ] as const) {
        await page.keyboard.press(key);
        await expect(page.getByRole("dialog", { name: question })).toContainText("no longer count");
        await expect(page.locator("[data-phase=paused]"), "the game waits").toBeVisible();
        await page.keyboard.press("Escape");
        await expect(confirm(page)).toBeHidden();
        await expect(page.locator("[data-phase=playing]")).toBeVisible();
        await expect(chip(page)).toHaveText("Ranked");
    }
    await page.keyboard.press("KeyG");
    await expect(page.getByRole("button", { name: "Keep playing" })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(confirm(page)).toBeHidden();
    await expect(chip(page)).toHaveText("Ranked");
    await page.keyboard.press("KeyG");
    await expect(confirm(page)).toBeVisible();
    await page.keyboard.press("KeyG");
    await expect(chip(page)).toHaveText("Unranked");
    await expect(page.getByTestId("unranked-reason")).toHaveText("An agent played");
    await expect(page.getByTestId("agent-toggle")).toBeVisible();
    await expect.poll(() => pieces(page)).toBeGreaterThan(0);
    // It is said once, beside the chip, and no game asks twice.
    await expect(page.getByRole("tooltip")).toHaveCount(0);
    await page.keyboard.press("KeyG");
    await page.keyboard.press("KeyE");
    await expect(page.getByTestId("explain")).toHaveAttribute("aria-pressed", "true");
    await expect(confirm(page)).toBeHidden();
});

test("a game with chosen pieces says that it does not count, and Practice is never ranked", async ({
    page,
}) => {
    await open(page, "sprint");
    await begin(page);
    await expect(chip(page)).toHaveText("Ranked");
    await page.keyboard.press("KeyT");
    await begin(page);
    await expect(chip(page)).toHaveText("Unverified");
    await expect(page.getByTestId("unranked-reason")).toHaveText("Pieces you chose");
    await open(page, "practice");
    await expect(chip(page)).toHaveText("Unranked");
});

test("a lost Sprint is unranked at its end and in Replays, and says why", async ({ page }) => {
    await open(page, "sprint");
    await begin(page);
    await expect(chip(page)).toHaveText("Ranked");
    for (let drops = 0; drops < 20; drops++) await page.keyboard.press("Space");
    await expect(page.getByTestId("score-note")).toHaveText("Only finished Sprints are ranked.");
    await expect(chip(page)).toHaveText("Unranked");
    await page.goto("#/replays");
    await expect(page.getByTestId("replays")).toContainText("Unranked");
});

test("a game with chosen pieces is unverified in play, at its end and in Replays", async ({ page }) => {
    await open(page, "blitz?seed=9307");
    await begin(page);
    await expect(chip(page)).toHaveText("Unverified");
    for (let drops = 0; drops < 20; drops++) await page.keyboard.press("Space");
    await expect(page.getByTestId("score-note")).toContainText("on the Unverified list");
    await expect(chip(page)).toHaveText("Unverified");
    await page.goto("#/replays");
    await expect(page.getByTestId("replays")).toContainText("Unverified");
});

test("from the end screen the agent's key leads to a race", async ({ page }) => {
    await open(page, "sprint");
    await begin(page);
    for (let drops = 0; drops < 20; drops++) await page.keyboard.press("Space");
    await expect(page.getByTestId("end")).toBeVisible();
    await expect(async () => {
        await page.keyboard.press("KeyG");
        await expect(page).toHaveURL(/#\/race\?mode=sprint/, { timeout: 100 });
    }).toPass();
});

test("Enter on the end screen plays again, and the result stands first", async ({ page }) => {
    await open(page, "sprint");
    await begin(page);
    for (let drops = 0; drops < 20; drops++) await page.keyboard.press("Space");
    await expect(page.getByTestId("end")).toBeVisible();
    await expect(page.getByTestId("result")).toBeVisible();
    for (const name of ["Same pieces", "Watch the replay", "Race an agent", "Menu"])
        await expect(page.getByTestId("end").getByText(name)).toBeVisible();
    await page.keyboard.press("Enter");
    await expect(page.getByTestId("end")).toBeHidden();
    await begin(page);
    await expect(page.getByTestId("pieces")).toHaveText("0");
});

test("keys are shown in the countdown, in the pause, beside the board at first, and behind ?", async ({
    page,
}) => {
    await open(page, "sprint");
    const listed = page.locator("dl").filter({ hasText: "Hard drop" });
    const key = listed.locator("dt", { hasText: "Space" });
    await expect(page.locator("[data-phase=countdown]").locator(key)).toBeVisible();
    await begin(page);
    await expect(page.locator("[data-phase=playing]").locator(key)).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.locator("[data-phase=paused]").locator(key)).toBeVisible();
    await page.keyboard.press("Escape");
    await page.keyboard.press("?");
    const keys = page.getByTestId("keys");
    await expect(keys).toContainText("Same pieces again");
    await expect(page.locator("[data-phase=paused]"), "the game waits").toBeVisible();
    await page.keyboard.press("?");
    await expect(keys).toBeHidden();
    // Keys that are bound anew are shown as they are.
    await page.evaluate(() => {
        const kept = JSON.parse(localStorage.getItem("tetrion.settings") ?? "{}");
        const bindings = { ...kept.bindings, hardDrop: ["KeyK"] };
        localStorage.setItem("tetrion.settings", JSON.stringify({ ...kept, bindings }));
        const games = Array.from({ length: 5 }, (_, index) => ({
            id: String(index),
            at: index,
            value: 1,
            micros: 1,
            pieces: 10,
        }));
        localStorage.setItem("tetrion.progress", JSON.stringify({ sprint: { played: 5, games } }));
    });
    await open(page, "sprint");
    await begin(page);
    await expect(listed, "after five games they are behind ?").toHaveCount(0);
    await page.keyboard.press("?");
    await expect(keys.locator("dt", { hasText: "K" }).first()).toBeVisible();
});

/** A finger that goes along points, each with its time in milliseconds. */
async function swipe(
    context: BrowserContext,
    page: Page,
    points: readonly (readonly [x: number, y: number, at: number])[],
): Promise<void> {
    const devtools = await context.newCDPSession(page);
    const now = Date.now() / 1000;
    const send = (type: "touchStart" | "touchMove" | "touchEnd", point: readonly [number, number, number]) =>
        devtools.send("Input.dispatchTouchEvent", {
            type,
            touchPoints: type === "touchEnd" ? [] : [{ x: point[0], y: point[1] }],
            timestamp: now + point[2] / 1000,
        });
    const [first, ...others] = points;
    const last = points.at(-1);
    if (!first || !last) return;
    await send("touchStart", first);
    for (const point of others) await send("touchMove", point);
    await send("touchEnd", last);
    await devtools.detach();
}

test("hold stands at one place in all modes, with splits and without", async ({ page }) => {
    const course = Array.from({ length: 40 }, (_, line) => (line + 1) * 1e6);
    const game = { id: "1", at: 1_700_000_000_000, value: 40e6, micros: 40e6, pieces: 100 };
    await page.addInitScript(
        (kept) => localStorage.setItem("tetrion.progress", kept),
        JSON.stringify({ sprint: { played: 1, best: { ...game, course }, games: [game] } }),
    );
    const edges = new Set<number>();
    for (const mode of ["sprint", "blitz", "daily", "zen"]) {
        await open(page, mode);
        await expect(page.getByText("Split times")).toHaveCount(mode === "sprint" ? 1 : 0);
        const box = await page.getByTestId("hold-label").boundingBox();
        edges.add(Math.round((box?.x ?? 0) + (box?.width ?? 0)));
    }
    expect(edges.size).toBe(1);
});

test("the figures stand still when the lead over the best comes up", async ({ page }) => {
    const course = Array.from({ length: 180 }, (_, second) => (second + 1) * 100);
    const game = { id: "1", at: 1_700_000_000_000, value: 18_000, micros: 180e6, pieces: 300 };
    await page.addInitScript(
        (kept) => localStorage.setItem("tetrion.progress", kept),
        JSON.stringify({ blitz: { played: 1, best: { ...game, course }, games: [game] } }),
    );
    await open(page, "blitz");
    await begin(page);
    const before = await page.getByTestId("score").boundingBox();
    await expect(page.getByTestId("difference")).toContainText("behind best");
    expect((await page.getByTestId("score").boundingBox())?.y).toBe(before?.y);
});

test("a hint in a Sprint leaves the board where it is", async ({ page }) => {
    await open(page, "sprint");
    await begin(page);
    const board = page.locator("canvas");
    const before = await board.boundingBox();
    await page.keyboard.press("KeyH");
    await expect(page.getByTestId("confirm")).toBeVisible();
    await page.keyboard.press("KeyH");
    await expect(page.getByTestId("agent-toggle")).toBeVisible();
    expect(await board.boundingBox()).toEqual(before);
});

test("in a narrow window too, a hint leaves the board where it is", async ({ page }) => {
    await page.setViewportSize({ width: 1024, height: 768 });
    await open(page, "sprint");
    await begin(page);
    const board = page.locator("canvas");
    const before = await board.boundingBox();
    await page.keyboard.press("KeyH");
    await expect(page.getByTestId("confirm")).toBeVisible();
    await page.keyboard.press("KeyH");
    await expect(page.getByTestId("unranked-reason")).toHaveText("A hint was shown");
    // The agent's other help is in the header.
    await expect(page.locator("header").getByTestId("explain")).toBeVisible();
    expect(await board.boundingBox()).toEqual(before);
});

test("a daily goes by its day", async ({ page }) => {
    const today = new Date().toLocaleDateString("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
    await open(page, "daily");
    await expect(page.locator(".plate")).toHaveText(`Daily · ${today}`);
});

test.describe("on a phone", () => {
    test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });

    test("swipes move, drop and hold, and taps rotate", async ({ page, context }) => {
        await open(page, "practice?rows=&hold=&queue=IOTLJSZ");
        await begin(page);
        const box = await page.locator("canvas").boundingBox();
        if (!box) throw new Error("there is no board");
        const [cell, x, y] = [box.width / 10, box.x + box.width / 2, box.y + box.height / 3];
        // Three cells to the left: the I lies in the columns 0 to 3. A flick down drops it.
        await swipe(context, page, [
            [x, y, 0],
            [x - 1.6 * cell, y, 60],
            [x - 3.2 * cell, y, 120],
        ]);
        await swipe(context, page, [
            [x, y, 300],
            [x, y + 4 * cell, 340],
            [x, y + 8 * cell, 380],
        ]);
        await expect.poll(() => pieces(page)).toBe(1);
        expect((await heights(page)).slice(0, 5)).toEqual([1, 1, 1, 1, 0]);
        // Up holds.
        await swipe(context, page, [
            [x, y, 600],
            [x, y - 4 * cell, 700],
        ]);
        await expect(page.getByTestId("hold-label")).toHaveClass(/used/);
        // A tap on the right half rotates clockwise: the T stands up and fills two columns.
        await page.touchscreen.tap(x + 2 * cell, y);
        await page.getByRole("button", { name: "Hard drop" }).tap();
        await expect.poll(() => pieces(page)).toBe(2);
        expect((await heights(page)).filter((height) => height > 1)).toHaveLength(2);
    });

    test("the end screen keeps its title and its actions in view", async ({ page }) => {
        for (const [width, height] of [
            [390, 664],
            [844, 390],
        ] as const) {
            await page.setViewportSize({ width, height });
            await open(page, "sprint?seed=3");
            await begin(page);
            for (let drops = 0; drops < 20; drops++) await page.keyboard.press("Space");
            await expect(page.getByTestId("end")).toBeVisible();
            await page.getByTestId("end").getByText("Height of the stack").scrollIntoViewIfNeeded();
            await expect(page.getByTestId("outcome")).toBeInViewport({ ratio: 1 });
            await expect(page.getByTestId("result")).toBeInViewport({ ratio: 1 });
            await expect(page.getByRole("button", { name: "Play again" })).toBeInViewport({ ratio: 1 });
        }
    });

    test("touch keys and actions say what they do, and actions stand apart", async ({ page }) => {
        await open(page, "sprint");
        await begin(page);
        const keys = page.getByRole("group", { name: "Touch controls" }).getByRole("button");
        await expect(keys).toHaveText([
            "Left",
            "Right",
            "Hold",
            "Rotate left",
            "Rotate right",
            "Soft drop",
            "Hard drop",
        ]);
        const [restart, pause] = ["Restart", "Pause"].map((name) =>
            page.locator("header").getByText(name, { exact: true }),
        );
        const [left, right] = [await restart?.boundingBox(), await pause?.boundingBox()];
        expect((right?.x ?? 0) - (left?.x ?? 0) - (left?.width ?? 0)).toBeGreaterThanOrEqual(8);
    });

    test("in Practice the explanation takes the place of the touch keys, and the board stays in view", async ({
        page,
    }) => {
        for (const [width, height] of [
            [390, 844],
            [844, 390],
        ] as const) {
            await page.setViewportSize({ width, height });
            await open(page, "practice?seed=7");
            await begin(page);
            const keys = page.getByRole("group", { name: "Touch controls" });
            await expect(keys.getByRole("button", { name: "Undo" })).toBeInViewport({ ratio: 1 });
            await page.getByTestId("hint").tap();
            await page.getByTestId("explain").tap();
            await expect(keys).toHaveCount(0);
            for (const move of await page.getByTestId("move").all()) {
                await move.tap();
                await expect(move).toHaveAttribute("aria-pressed", "true");
                await expect(page.locator("canvas")).toBeInViewport({ ratio: 0.9 });
                await expect(page.getByTestId("path")).toBeInViewport();
            }
            await page.getByTestId("term").last().tap();
            await expect(page.getByTestId("term-cells")).toHaveCount(1);
            await expect(page.locator("canvas")).toBeInViewport({ ratio: 0.9 });
            // The agent is at hand there, and so is undo.
            await page.getByTestId("agent-toggle").tap();
            await expect.poll(() => pieces(page)).toBeGreaterThan(1);
            await page.getByTestId("agent-toggle").tap();
            await expect(page.getByTestId("agent-toggle")).toContainText("Let the agent play");
            const before = await pieces(page);
            await page.getByRole("button", { name: "Undo" }).tap();
            await expect.poll(() => pieces(page)).toBe(before - 1);
            await page.getByTestId("explain").tap();
            await expect(keys).toBeVisible();
        }
    });

    test("while an explanation takes the place of the touch keys, the game waits until a move is chosen", async ({
        page,
    }) => {
        await open(page, "practice?seed=7");
        await begin(page);
        await page.getByTestId("explain").tap();
        await expect(page.locator(".plate")).toHaveText("Paused to explain");
        await expect(page.getByTestId("play-move")).toBeEnabled();
        const time = await text(page, "time");
        await frames(page, 30);
        await expect(page.getByTestId("time")).toHaveText(time);
        await page.getByTestId("play-move").tap();
        await expect(page.getByTestId("play-move")).toBeEnabled();
        await page.getByTestId("play-move").tap();
        await page.getByRole("button", { name: "Undo" }).tap();
        await expect(page.getByTestId("time")).toHaveText(time);
        // A pause in between changes nothing, and at the end the time goes on.
        for (const name of ["Pause", "Resume"])
            await page.locator("header").getByRole("button", { name }).tap();
        await expect(page.getByTestId("time")).toHaveText(time);
        await page.getByTestId("explain").tap();
        await expect(page.locator(".plate")).toHaveText("Practice");
        await expect(page.getByTestId("time")).not.toHaveText(time);
    });

    test("a pause says what no longer counts, upright and on its side", async ({ page }) => {
        for (const [width, height] of [
            [390, 844],
            [844, 390],
        ] as const) {
            await page.setViewportSize({ width, height });
            await open(page, "sprint");
            await begin(page);
            await page.locator("header").getByRole("button", { name: "Pause" }).tap();
            const note = page.getByText("After 5 minutes of pause in total").filter({ visible: true });
            await expect(note).toBeInViewport({ ratio: 1 });
            for (const name of ["Let the agent play", "Hint", "Same pieces"]) {
                const costs = page.locator("section").getByRole("button", { name: `${name} not ranked` });
                await expect(costs).toBeInViewport({ ratio: 1 });
            }
        }
    });

    test("no key cap is shown, and nothing to press is smaller than a finger", async ({ page }) => {
        await open(page, "practice?seed=3");
        await begin(page);
        await expect(page.locator("kbd").filter({ visible: true })).toHaveCount(0);
        const keys = page.getByRole("group", { name: "Touch controls" }).getByRole("button");
        for (const key of await keys.all()) {
            const box = await key.boundingBox();
            expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
        }
    });
});

test("an agent plays even if the server has died since the page was opened", async ({ page, context }) => {
    await open(page, "practice?seed=3");
    await begin(page);
    await context.route("**", (route) => route.abort());
    await page.keyboard.press("KeyG");
    await expect.poll(() => pieces(page)).toBeGreaterThan(2);
    await page.keyboard.press("KeyG");
    await page.keyboard.press("KeyH");
    await expect(page.getByTestId("hint-keys")).toBeVisible();
    await expect(page.getByTestId("trouble")).toHaveCount(0);
});

test("themes and skins are applied, and a palette of an earlier version is understood", async ({ page }) => {
    await open(page, "");
    for (const [kept, theme, skin] of [
        [{ theme: "contrast", skin: "paper" }, "contrast", "paper"],
        [{ theme: "light", palette: "colour-blind" }, "light", "marks"],
        [{ theme: "dark", palette: "guideline" }, "dark", "classic"],
        [{ theme: "none", skin: "none" }, /^(dark|light)$/, "classic"],
    ] as const) {
        await page.evaluate(
            (kept) => localStorage.setItem("tetrion.settings", JSON.stringify(kept)),
            kept as object,
        );
        await open(page, "design");
        await expect(page.locator("html")).toHaveAttribute("data-theme", theme);
        await expect(page.locator("html")).toHaveAttribute("data-skin", skin);
    }
});

test("the page's own font is used, and its figures are all as wide as each other", async ({ page }) => {
    await open(page, "design");
    await page.evaluate(() => document.fonts.ready);
    expect(await page.evaluate(() => document.fonts.check('16px "Inter"'))).toBe(true);
    const widths = await page.evaluate(() =>
        [..."0123456789"].map((digit) => {
            const span = document.createElement("span");
            span.textContent = digit.repeat(20);
            document.body.append(span);
            const { width } = span.getBoundingClientRect();
            span.remove();
            return width;
        }),
    );
    expect(new Set(widths).size).toBe(1);
});
