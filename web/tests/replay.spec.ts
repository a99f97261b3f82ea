import { expect, test, type Page } from "@playwright/test";
import { readFileSync, writeFileSync } from "node:fs";
import { play } from "./engine";
import { begin, open, pieces } from "./page";

/** Takes a finished Sprint into the browser's replays, and opens it. */
async function bring(page: Page, file: string, seed = 11n): Promise<void> {
    writeFileSync(file, play("lee", "sprint", seed).replay);
    await open(page, "replays");
    await page.getByTestId("import").setInputFiles(file);
    await expect(page.getByTestId("timeline")).toBeVisible();
}

/** The heights of the columns, as the board's label says them. */
async function heights(page: Page): Promise<string> {
    const label = await page
        .getByRole("img", { name: /^Board with column heights/ })
        .getAttribute("aria-label");
    return /heights ([\d ]+)/.exec(label ?? "")?.[1] ?? "";
}

test("a replay is scrubbed, stepped, and played on from", async ({ page }, info) => {
    await bring(page, info.outputPath("game.tetrion"));
    const timeline = page.getByTestId("timeline");
    await timeline.focus();
    await page.keyboard.press("End");
    await expect.poll(() => pieces(page)).toBeGreaterThan(99);
    await page.keyboard.press("Home");
    await expect(page.getByTestId("pieces")).toHaveText("0");
    for (let steps = 0; steps < 5; steps++) await page.getByTestId("step-forward").click();
    await expect(page.getByTestId("pieces")).toHaveText("5");
    await page.getByTestId("step-back").click();
    await expect(page.getByTestId("pieces")).toHaveText("4");
    const stack = await heights(page);
    const next = await page.locator("ol svg").first().getAttribute("aria-label");
    expect(stack).toMatch(/[1-9]/);
    await page.getByTestId("play-on").click();
    await expect(page).toHaveURL(/#\/practice/);
    await begin(page);
    expect(await heights(page)).toBe(stack);
    await page.reload();
    await begin(page);
    expect(await heights(page)).toBe(stack);
    await expect(page.locator("ol svg").first()).toHaveAttribute("aria-label", next ?? "");
    await page.keyboard.press("Space");
    await expect(page.getByTestId("pieces")).toHaveText("1");
});

test("the result of an agent's replay is what it is ranked by: its pieces", async ({ page }, info) => {
    await bring(page, info.outputPath("game.tetrion"));
    await expect(page.getByTestId("result")).toHaveText(/^1\d\d\s*pieces$/);
});

test("the last clear stays in view in every size of the window, below a header with the same edges", async ({
    page,
}, info) => {
    await bring(page, info.outputPath("game.tetrion"));
    await page.getByTestId("timeline").focus();
    await page.keyboard.press("End");
    for (let steps = 0; steps < 30; steps++) await page.keyboard.press("ArrowLeft");
    const clear = page.locator("li[aria-current=true]");
    for (const [width, height] of [
        [1280, 720],
        [1920, 1080],
        [2560, 1440],
        [1280, 720],
    ] as const) {
        await page.setViewportSize({ width, height });
        await expect(clear).toBeInViewport({ ratio: 0.9 });
        const [home, game] = await page
            .locator("header .home svg, [data-limited]")
            .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().left));
        expect(Math.abs((home ?? 0) - (game ?? 0))).toBeLessThan(2);
    }
});

test("a replay is exported as an animation, a picture, a diagram and a link that carries it", async ({
    page,
    context,
}, info) => {
    await bring(page, info.outputPath("game.tetrion"));
    for (const [id, magic] of [
        ["export-gif", "GIF89a"],
        ["export-png", "\x89PNG"],
    ] as const) {
        const download = page.waitForEvent("download");
        await page.getByTestId(id).click();
        const file = info.outputPath(id);
        await (await download).saveAs(file);
        expect(readFileSync(file).toString("latin1").startsWith(magic)).toBe(true);
    }
    await page.getByTestId("export-fumen").click();
    await expect(page.getByTestId("shown-text")).toHaveValue(/^v115@/);
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByTestId("copy-link").click();
    await expect(page.getByTestId("note")).not.toBeEmpty();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    expect(link).toContain("#/replay/shared?game=");
    const other = await context.newPage();
    await other.goto(link);
    await expect(other.getByTestId("game")).toContainText("Cleared");
    await other.goto(link.slice(0, -20));
    await other.reload();
    await expect(other.getByTestId("trouble")).toContainText("damaged");
});

test("every action of the replay viewer works by its key", async ({ page, context }, info) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await bring(page, info.outputPath("game.tetrion"));
    const where = page.getByTestId("where");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowLeft");
    await expect(where).toHaveText(/^piece 1 of/);
    await page.keyboard.press("Space");
    await expect(page.getByTestId("play")).toContainText("Pause");
    await page.keyboard.press("Space");
    await expect(page.getByTestId("play")).toContainText("Play");
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowLeft");
    for (const key of ["G", "I", "D"]) {
        const download = page.waitForEvent("download");
        await page.keyboard.press(key);
        await download;
    }
    await page.keyboard.press("F");
    await expect(page.getByTestId("note")).toHaveText("Fumen copied.");
    await page.keyboard.press("L");
    await expect(page.getByTestId("note")).toContainText("Link copied.");
    await page.keyboard.press("?");
    await expect(page.getByTestId("keys")).toContainText("Play on from here");
    await page.keyboard.press("Escape");
    await page.keyboard.press("P");
    await expect(page).toHaveURL(/#\/practice/);
});

test("the chart and the clears of a replay are places to go to", async ({ page }, info) => {
    await bring(page, info.outputPath("game.tetrion"));
    const chart = page.getByRole("img", { name: /stack height and clears over the game/ });
    const box = await chart.boundingBox();
    await chart.click({ position: { x: (box?.width ?? 0) / 2, y: 20 } });
    const middle = await pieces(page);
    expect(middle).toBeGreaterThan(30);
    expect(middle).toBeLessThan(80);
    const clear = page.getByRole("listitem").filter({ hasText: "Single" }).first().getByRole("button");
    const number = (await clear.innerText()).split("\n")[0];
    await clear.click();
    await expect(page.getByTestId("pieces")).toHaveText(number ?? "");
});

test("a damaged file is refused in words, and nothing is kept", async ({ page }, info) => {
    const file = info.outputPath("broken.tetrion");
    const { replay } = play("lee", "sprint", 12n);
    writeFileSync(file, replay.slice(0, 100));
    await open(page, "replays");
    await page.getByTestId("import").setInputFiles(file);
    await expect(page.getByTestId("trouble")).toContainText("cut off");
    await expect(page.getByTestId("empty")).toBeVisible();
});

test("a fumen is a start for Practice, and a broken one is refused in words", async ({ page }) => {
    await open(page, "replays");
    await page.getByTestId("fumen").fill("v115@zzzz");
    await page.keyboard.press("Enter");
    await expect(page.getByTestId("fumen-trouble")).not.toBeEmpty();
    await page.getByTestId("fumen").fill("v115@9gB8HeC8GeE8EeF8NeAgH");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/#\/practice/);
    await begin(page);
    expect(await heights(page)).toBe("4 4 3 2 2 1 0 0 0 0");
    await page.reload();
    await begin(page);
    expect(await heights(page)).toBe("4 4 3 2 2 1 0 0 0 0");
});

test("a file that is dropped is taken in on any screen, and never takes the place of a game", async ({
    page,
}) => {
    const drag = async (kind: string) => {
        const event = await page.evaluateHandle(
            ([kind, bytes]) => {
                const dataTransfer = new DataTransfer();
                dataTransfer.items.add(new File([new Uint8Array(bytes as number[])], "game.tetrion"));
                const event = new DragEvent(kind as string, {
                    dataTransfer,
                    bubbles: true,
                    cancelable: true,
                });
                document.body.dispatchEvent(event);
                return event;
            },
            [kind, [...play("lee", "sprint", 13n).replay]] as const,
        );
        expect(await event.evaluate((event) => event.defaultPrevented)).toBe(true);
    };
    await open(page, "sprint?seed=3");
    await begin(page);
    await drag("dragover");
    await expect(page.getByTestId("drop")).toContainText("Leave the game");
    await drag("drop");
    await expect(page.getByTestId("drop")).toBeHidden();
    await page.keyboard.press("Space");
    await expect(page.getByTestId("pieces")).toHaveText("1");
    await page.goto("#/scores");
    await drag("drop");
    await expect(page.getByTestId("timeline")).toBeVisible();
    await expect(page.getByTestId("game")).toContainText("Cleared");
});
