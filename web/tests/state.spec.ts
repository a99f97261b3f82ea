import { expect, test, type Page } from "@playwright/test";
import { readFile, writeFile } from "node:fs/promises";
import { begin, open, pieces } from "./page";
import { HANDLING, LiveGame, Viewer, dailySeed } from "./engine";

/** What this browser keeps under a key. */
const stored = (page: Page, key: string) =>
    page.evaluate((key) => JSON.parse(localStorage.getItem(`tetrion.${key}`) ?? "null"), key);

/** Puts a value where the page keeps it, as another version or another tab would have. */
const store = (page: Page, key: string, value: unknown) =>
    page.evaluate(
        ([key, value]) => localStorage.setItem(`tetrion.${key}`, JSON.stringify(value)),
        [key, value],
    );

/** Drops so many pieces where they come. */
async function drop(page: Page, count: number): Promise<void> {
    const before = await pieces(page);
    for (let drops = 0; drops < count; drops++) await page.keyboard.press("Space");
    await expect(page.getByTestId("pieces")).toHaveText(String(before + count));
}

test("two tabs keep each other's settings", async ({ context }) => {
    const [one, other] = [await context.newPage(), await context.newPage()];
    await open(one, "settings?tab=handling");
    await open(other, "settings?tab=look");
    await expect(one.locator("html")).not.toHaveAttribute("data-theme", "dark");
    await other.getByTestId("themes").getByText("Dark", { exact: true }).click();
    await expect(other.locator("html")).toHaveAttribute("data-theme", "dark");
    await expect(one.locator("html")).toHaveAttribute("data-theme", "dark");
    await one.getByLabel("Advanced controls").check();
    await expect.poll(() => stored(one, "settings")).toMatchObject({ theme: "dark", advancedControls: true });
    await other.evaluate(() => (location.hash = "#/settings?tab=handling"));
    await expect(other.getByLabel("Advanced controls")).toBeChecked();
});

test("a tab that changes one setting stores nothing else", async ({ page }) => {
    await open(page, "settings?tab=handling");
    await page.getByLabel("Advanced controls").check();
    await expect.poll(() => stored(page, "settings")).toEqual({ advancedControls: true });
});

test("the page takes a name only if the server does", async ({ page }) => {
    await open(page, "settings?tab=data");
    const name = page.getByTestId("name");
    for (const bad of ["a name that no leaderboard takes", "A\u0085da", "\u200bAda"]) {
        await name.fill(bad);
        await name.blur();
        await expect(page.getByTestId("bad-name")).toContainText("The name");
        expect((await stored(page, "settings"))?.name ?? "").toBe("");
    }
    // Spaces around it are cut off as the engine does, which knows more kinds than a browser.
    await name.fill("\u0085 Ada ");
    await name.blur();
    await expect.poll(() => stored(page, "settings")).toMatchObject({ name: "Ada" });
    await expect(page.getByTestId("bad-name")).toBeHidden();
});

test("Practice goes on after a reload and after it was left, and a restart begins anew", async ({ page }) => {
    await open(page, "practice");
    await begin(page);
    await drop(page, 4);
    await page.keyboard.press("KeyU");
    await expect(page.getByTestId("pieces")).toHaveText("3");
    await page.reload();
    await begin(page);
    await expect(page.getByTestId("pieces")).toHaveText("3");
    // The history came along.
    await page.keyboard.press("KeyU");
    await expect(page.getByTestId("pieces")).toHaveText("2");
    await page.goto("#/");
    await expect(page.getByTestId("continue")).toContainText("Practice");
    await page.goto("#/practice");
    await begin(page);
    await expect(page.getByTestId("pieces")).toHaveText("2");
    await page.keyboard.press("KeyR");
    await begin(page);
    await expect(page.getByTestId("pieces")).toHaveText("0");
    await page.goto("#/");
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    expect(await stored(page, "suspended")).toEqual({});
});

test("a game that was left and is damaged does not keep Practice from starting", async ({ page }) => {
    await open(page, "");
    const left = { mode: "practice", at: 1, start: "", pieces: 5, lines: 0, help: "", replay: "AAAA" };
    await store(page, "suspended", { practice: left, zen: 7 });
    await open(page, "practice");
    await begin(page);
    await expect(page.getByTestId("pieces")).toHaveText("0");
});

test("restarts in Practice leave no replays of a few pieces", async ({ page }) => {
    await open(page, "practice");
    for (let games = 0; games < 3; games++) {
        await begin(page);
        await drop(page, 1);
        await page.keyboard.press("KeyR");
    }
    await begin(page);
    await open(page, "replays");
    await expect(page.getByTestId("empty")).toBeVisible();
});

test("each length of a Sprint has its own goal", async ({ page }) => {
    for (const [path, lines] of [
        ["sprint-20", 20],
        ["sprint", 40],
        ["sprint-80", 80],
        ["sprint-100", 100],
        ["daily", 40],
    ] as const) {
        await open(page, path);
        await expect(page.getByTestId("lines")).toHaveText(String(lines));
    }
});

test("the daily has the pieces of the day", async ({ page }) => {
    await open(page, "");
    const dealt = page.waitForResponse("**/api/tickets");
    await page.goto("#/daily");
    const answer = await dealt;
    expect(answer.request().postDataJSON()).toEqual({ mode: "daily" });
    const days = [0, 86_400_000].map((ago) => new Date(Date.now() - ago).toISOString().slice(0, 10));
    // Midnight may pass meanwhile.
    expect(days.map((day) => String(dailySeed(day)))).toContain((await answer.json()).seed);
});

test("a finished game counts once: in its mode's history, and as the best", async ({ page }) => {
    await open(page, "blitz");
    await begin(page);
    for (let drops = 0; drops < 15; drops++) await page.keyboard.press("Space");
    await expect(page.getByTestId("outcome")).toBeVisible();
    const progress = await stored(page, "progress");
    expect(progress.blitz.played).toBe(1);
    expect(progress.blitz.games).toHaveLength(1);
    expect(progress.blitz.best.value).toBe(progress.blitz.games[0].value);
    expect(progress.blitz.best.course).toHaveLength(180);
    expect(progress.sprint.games).toEqual([]);
});

test("a game with pieces that the player chose is not compared", async ({ page }) => {
    await open(page, "blitz?seed=4");
    await begin(page);
    for (let drops = 0; drops < 15; drops++) await page.keyboard.press("Space");
    await expect(page.getByTestId("outcome")).toBeVisible();
    const { blitz } = await stored(page, "progress");
    expect(blitz).toMatchObject({ played: 1, best: null, games: [] });
});

test("damaged progress is left out, and what is whole stays", async ({ page }) => {
    await open(page, "");
    const game = { id: "a", at: 1, value: 60_000_000, micros: 60_000_000, pieces: 100 };
    const best = { ...game, course: [1, "x"] };
    await store(page, "progress", {
        sprint: { played: "many", best, games: [game, null, { id: 7 }] },
        blitz: 5,
    });
    await open(page, "blitz");
    await begin(page);
    for (let drops = 0; drops < 15; drops++) await page.keyboard.press("Space");
    await expect(page.getByTestId("outcome")).toBeVisible();
    const { sprint, blitz } = await stored(page, "progress");
    expect(sprint).toEqual({ played: 1, best: null, games: [game] });
    expect(blitz.games).toHaveLength(1);
});

test("everything is exported as one file and imported whole, with the better best", async ({
    page,
    browser,
}, info) => {
    await open(page, "blitz");
    await begin(page);
    for (let drops = 0; drops < 15; drops++) await page.keyboard.press("Space");
    await expect(page.getByTestId("outcome")).toBeVisible();
    await open(page, "settings?tab=data");
    const download = page.waitForEvent("download");
    await page.getByTestId("backup-export").click();
    const file = info.outputPath("backup.json");
    await (await download).saveAs(file);
    const backup = JSON.parse(await readFile(file, "utf8"));
    expect(backup).toMatchObject({ kind: "tetrion-backup", version: 1 });
    expect(backup.replays).toHaveLength(1);

    const context = await browser.newContext({ baseURL: page.url() });
    const other = await context.newPage();
    await other.goto(page.url());
    const better = { ...backup.progress.blitz.best, id: "better", value: 1e9 };
    await store(other, "progress", { blitz: { played: 1, best: better, games: [better] } });
    await open(other, "settings?tab=data");
    const choose = (path: string) => other.getByTestId("backup-file").setInputFiles(path);
    for (const [name, text] of [
        ["cut off", JSON.stringify(backup).slice(0, 200)],
        ["not a backup", '{"kind":"photo"}'],
        ["version", JSON.stringify({ ...backup, version: 2 })],
        ["replay 1", JSON.stringify({ ...backup, replays: [{ ...backup.replays[0], bytes: "AAAA" }] })],
    ] as const) {
        const broken = info.outputPath(`${name}.json`);
        await writeFile(broken, text);
        await choose(broken);
        await expect(other.getByTestId("backup-trouble")).toContainText(name);
        expect((await stored(other, "progress")).blitz.games).toHaveLength(1);
    }
    await choose(file);
    await expect(other.getByTestId("backup-note")).toHaveText("Added 1 game and 1 replay.");
    const { blitz } = await stored(other, "progress");
    expect(blitz.best.value).toBe(1e9);
    expect(blitz.games).toHaveLength(2);
    await open(other, "replays");
    await expect(other.getByTestId("replays").getByRole("link")).toHaveCount(1);
    await context.close();
});

test("an address that leads nowhere says so", async ({ page }) => {
    await open(page, "nonsense");
    await expect(page.getByTestId("not-found")).toBeVisible();
    await page.getByRole("link", { name: "Menu" }).first().click();
    await expect(page.getByTestId("not-found")).toBeHidden();
});

test("a picture of piece 0 shows the piece in the air", () => {
    const game = new LiveGame({ mode: "sprint" }, 3n, HANDLING);
    game.down(100_000, "left");
    game.up(110_000, "left");
    game.advance(200_000);
    const viewer = new Viewer(game.recorded("Ada").bytes);
    const picture = (time: number) => {
        viewer.seek(time);
        return Buffer.from(viewer.png());
    };
    expect(picture(50_000).equals(picture(0))).toBe(true);
    expect(picture(150_000).equals(picture(0))).toBe(false);
    viewer.free();
    game.free();
});
