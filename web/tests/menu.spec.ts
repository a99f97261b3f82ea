import { expect, test, type Page } from "@playwright/test";
import { begin, countPaints, frames, open, pieces } from "./page";

const heading = (page: Page) => page.getByRole("heading", { level: 1 });

/** A game in the history that the browser keeps. */
function game(number: number, value: number, micros = value) {
    return { id: `game-${number}`, at: 1_700_000_000_000 + number * 3_600_000, value, micros, pieces: 100 };
}

async function store(page: Page, key: string, value: unknown): Promise<void> {
    await page.addInitScript(
        ([key, text]) => localStorage.setItem(`tetrion.${key}`, text as string),
        [key, JSON.stringify(value)],
    );
}

/** Presses Tab until that has the focus. */
async function tabTo(page: Page, selector: string): Promise<void> {
    const target = page.locator(selector);
    await expect(async () => {
        await page.keyboard.press("Tab");
        await expect(target).toBeFocused({ timeout: 1 });
    }).toPass({ intervals: [0] });
}

test("every way of the menu has a key that leads there", async ({ page }) => {
    for (const [key, screen, title] of [
        ["Enter", "sprint", "Sprint 40"],
        ["1", "sprint", "Sprint 40"],
        ["2", "blitz", "Blitz"],
        ["3", "daily", "Daily"],
        ["4", "zen", "Zen"],
        ["5", "practice", "Practice"],
        ["w", "watch", "Watch"],
        ["r", "race", "Race"],
        ["v", "versus", "Versus"],
        ["t", "train", "Train"],
        ["p", "progress", "Progress"],
        ["e", "replays", "Replays"],
        ["b", "scores", "Leaderboard"],
        ["y", "tiny", "Tiny"],
        [",", "settings", "Settings"],
    ] as const) {
        await page.goto("#/");
        await expect(heading(page)).toHaveText("A laboratory for Tetris");
        await expect(heading(page)).toBeFocused();
        await page.keyboard.press(key);
        await expect(page).toHaveURL(new RegExp(`#/${screen}(\\?|$)`));
        await expect(heading(page)).toContainText(title);
    }
});

test("no link of the menu is dead", async ({ page }) => {
    await open(page, "");
    await expect(heading(page)).toBeVisible();
    const links = await page
        .getByRole("link")
        .evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));
    expect(links.length).toBeGreaterThan(12);
    for (const link of new Set(links)) {
        await page.goto(link);
        await expect(heading(page)).toBeVisible();
        await expect(page.getByTestId("not-found"), link).toHaveCount(0);
    }
});

test("the length of a Sprint is chosen with the keyboard, and the tile follows", async ({ page }) => {
    await store(page, "progress", {
        "sprint-80": {
            played: 1,
            best: { ...game(1, 132_910_000), course: [] },
            games: [game(1, 132_910_000)],
        },
        sprint: { played: 1, best: { ...game(2, 52_910_000), course: [] }, games: [game(2, 52_910_000)] },
    });
    await open(page, "");
    await expect(page.getByTestId("best-sprint")).toHaveText("0:52.91");
    await tabTo(page, "[data-testid=length] input:checked");
    await page.keyboard.press("ArrowRight");
    await expect(page.getByTestId("best-sprint-80")).toHaveText("2:12.91");
    // The keys of the menu still work.
    await page.keyboard.press("1");
    await expect(heading(page)).toHaveText("Sprint 80");
});

test("a tile shows the best and the last ten games; who is new sees the keys of the game", async ({
    page,
}) => {
    await open(page, "");
    await expect(page.getByTestId("first-keys")).toContainText("Rotate");
    await expect(page.getByTestId("mode-blitz")).toContainText("No games yet");
    const scores = [10_000, 184_220, ...Array<number>(9).fill(50_000)];
    await store(page, "progress", {
        blitz: {
            played: 11,
            best: { ...game(1, 184_220, 180e6), course: [] },
            games: scores.map((score, number) => game(number, score, 180e6)),
        },
    });
    await page.reload();
    await expect(page.getByTestId("best-blitz")).toHaveText("184,220");
    await expect(page.getByRole("img", { name: "Last games" })).toHaveAccessibleName(
        `Last games: 184,220, ${Array<string>(9).fill("50,000").join(", ")}`,
    );
});

test("the daily shows today's date until it is played", async ({ page }) => {
    const today = new Date().toLocaleDateString("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
    await open(page, "");
    await expect(page.getByTestId("mode-daily")).toContainText(`Today, ${today}`);
});

test("while the server is away the modes say that games don't count, until it answers again", async ({
    page,
}) => {
    await page.route("**/api/**", (route) => route.abort());
    await open(page, "");
    const modes = ["sprint", "blitz", "daily"].map((mode) => page.getByTestId(`mode-${mode}`));
    for (const mode of modes) await expect(mode).toContainText("Unranked");
    await expect(page.getByTestId("server-away")).toContainText("The server does not answer");
    await page.unroute("**/api/**");
    await page.getByRole("button", { name: "Try again" }).click();
    await expect(page.getByTestId("server-away")).toHaveCount(0);
    for (const mode of modes) await expect(mode).toContainText("Ranked");
});

test("the field of the name keeps its width while somebody types", async ({ page }) => {
    await open(page, "");
    const name = page.getByTestId("name");
    const width = async () => (await name.boundingBox())?.width;
    await name.focus();
    const before = await width();
    await name.pressSequentially("Ad");
    expect(await width()).toBe(before);
});

test("a phone shows gestures where there are no keys", async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await open(page, "");
    await expect(page.getByTestId("first-gestures")).toContainText("Swipe");
    await expect(page.getByTestId("first-keys")).toBeHidden();
    await expect(page.locator("kbd:visible")).toHaveCount(0);
});

test("a game of Practice goes on from the menu where it was left", async ({ page }) => {
    await open(page, "practice");
    await begin(page);
    for (let drops = 0; drops < 3; drops++) await page.keyboard.press("Space");
    await expect(page.getByTestId("pieces")).toHaveText("3");
    await page.goto("#/");
    const left = page.getByTestId("continue");
    await expect(left).toContainText("3 pieces");
    // Nothing of it is cut off, and on a phone it comes first.
    for (const words of await left.locator("b, span").all())
        expect(await words.evaluate((one) => one.scrollWidth - one.clientWidth)).toBeLessThanOrEqual(0);
    for (const [width, height] of [
        [390, 844],
        [844, 390],
    ] as const) {
        await page.setViewportSize({ width, height });
        await expect
            .poll(async () => {
                const [first, then] = [left, page.getByTestId("mode-sprint")];
                return ((await first.boundingBox())?.y ?? 0) < ((await then.boundingBox())?.y ?? 0);
            })
            .toBe(true);
        await expect(left).toBeInViewport({ ratio: 1 });
    }
    await page.reload();
    await expect(page.getByTestId("continue")).toContainText("3 pieces");
    await page.keyboard.press("0");
    await expect(heading(page)).toHaveText("Practice");
    await expect.poll(() => pieces(page)).toBe(3);
});

test("the name is asked for on the menu, and one that the leaderboard refuses is not taken", async ({
    page,
}) => {
    await open(page, "");
    const name = page.getByTestId("name");
    await expect(name).toHaveAttribute("placeholder", "Name (optional)");
    await tabTo(page, "[data-testid=name]");
    await page.keyboard.type("a name that no leaderboard takes");
    await page.keyboard.press("Enter");
    await expect(page.getByTestId("bad-name")).toContainText("The name is too long");
    await page.reload();
    await expect(name).toHaveValue("");
    await tabTo(page, "[data-testid=name]");
    // Letters and digits that are typed are no keys of the menu.
    await page.keyboard.type("Ada 2");
    await page.keyboard.press("Enter");
    await expect(page.getByTestId("bad-name")).toHaveCount(0);
    await expect(heading(page)).toHaveText("A laboratory for Tetris");
    await page.reload();
    await expect(name).toHaveValue("Ada 2");
    await page.goto("#/settings?tab=data");
    await expect(name).toHaveValue("Ada 2");
});

test("an agent plays beside the menu, and stands still where motion is not wanted", async ({ page }) => {
    await open(page, "");
    const demo = page.getByRole("complementary", { name: "An agent at play" });
    const lines = demo.getByText(/ of 40 lines$/);
    await expect(demo.getByText("Live")).toBeVisible();
    // So many are placed at once before it is shown.
    await expect(lines).not.toHaveText(/^[0-4] of/);
    const before = await lines.innerText();
    await expect(lines).not.toHaveText(before);
    await page.emulateMedia({ reducedMotion: "reduce" });
    await expect(demo.getByText("Still")).toBeVisible();
    const paints = await countPaints(page);
    // What was on its way when it stopped is painted to its end.
    await expect(async () => {
        const before = await paints();
        await frames(page, 25);
        expect(await paints()).toBe(before);
    }).toPass();
    const still = await paints();
    await page.emulateMedia({ reducedMotion: "no-preference" });
    await expect(demo.getByText("Live")).toBeVisible();
    await expect.poll(paints).toBeGreaterThan(still);
});

test("? shows all keys of the menu, and closes again", async ({ page }) => {
    await open(page, "");
    await expect(heading(page)).toBeFocused();
    await page.keyboard.press("?");
    for (const name of ["Sprint 40", "Daily", "Watch", "Leaderboard", "Settings"])
        await expect(page.getByTestId("keys").getByText(name, { exact: true })).toBeVisible();
    const inGames = page.getByTestId("keys").locator("section").filter({ hasText: "In a game" });
    await expect(inGames.locator("kbd")).toHaveText(["Esc", "R", "T", "U", "Y", "H", "G", "E"]);
    await page.keyboard.press("Escape");
    await expect(page.getByTestId("keys")).toBeHidden();
    await expect(page).toHaveURL(/#\/$/);
});

test("tools lead to each other, but not while a game is played, nor where there is no room", async ({
    page,
}) => {
    await open(page, "tiny");
    const tools = page.getByRole("navigation", { name: "Tools" });
    await tools.getByRole("link", { name: "Leaderboard" }).click();
    await expect(heading(page)).toHaveText("Leaderboard");
    await tools.getByRole("link", { name: "Race" }).click();
    await expect(heading(page)).toHaveText("Race");
    await page.keyboard.press("Enter");
    await expect(page.locator("[data-phase]").first()).toBeVisible();
    await expect(tools).toHaveCount(0);
    await page.setViewportSize({ width: 390, height: 844 });
    await open(page, "tiny");
    await expect(heading(page)).toHaveText("Tiny");
    await expect(tools.getByRole("link")).toHaveCount(0);
});

test("an address that leads nowhere says so, and Enter leads to the menu", async ({ page }) => {
    await open(page, "nonsense");
    await expect(page.getByTestId("not-found")).toContainText("#/nonsense");
    await page.keyboard.press("Enter");
    await expect(heading(page)).toHaveText("A laboratory for Tetris");
});

test("nothing of the menu overflows, on any window", async ({ page }) => {
    await open(page, "");
    for (const [width, height] of [
        [1280, 720],
        [1920, 1080],
        [2560, 1440],
        [1024, 768],
        [844, 390],
        [390, 844],
        [320, 640],
    ] as const) {
        await page.setViewportSize({ width, height });
        await frames(page, 2);
        const [across, down] = await page.evaluate(() => {
            const { scrollWidth, scrollHeight } = document.documentElement;
            return [scrollWidth, scrollHeight] as const;
        });
        expect(across, `${width}×${height}`).toBeLessThanOrEqual(width);
        if (width >= 1280) expect(down, `${width}×${height}`).toBeLessThanOrEqual(height);
    }
});
