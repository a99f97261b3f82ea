import { expect, test, type Page } from "@playwright/test";
import { open } from "./page";

const heading = (page: Page) => page.getByRole("heading", { level: 1 });

/** Sprints of 60, 59, … seconds, and one Blitz. */
const SPRINTS = Array.from({ length: 20 }, (_, number) => ({
    id: `sprint-${number}`,
    at: 1_700_000_000_000 + number * 3_600_000,
    value: (60 - number) * 1e6,
    micros: (60 - number) * 1e6,
    pieces: 100,
}));
const PROGRESS = {
    sprint: {
        played: 25,
        best: { ...SPRINTS.at(-1), course: Array.from({ length: 40 }, (_, line) => (line + 1) * 1e6) },
        games: SPRINTS,
    },
    blitz: { played: 1, best: null, games: [{ ...SPRINTS[0], id: "blitz", value: 12_345, at: 1 }] },
};

async function keep(page: Page): Promise<void> {
    await open(page, "");
    await page.evaluate((text) => localStorage.setItem("tetrion.progress", text), JSON.stringify(PROGRESS));
}

test("progress shows the history, the best with its splits and the last ten, of the mode that was played last", async ({
    page,
}) => {
    await keep(page);
    await open(page, "progress");
    await expect(page.getByRole("heading", { level: 2, name: "Sprint 40" })).toBeVisible();
    await expect(page.getByTestId("best")).toHaveText("0:41.00");
    await expect(page.getByText("10.00 s faster")).toBeVisible();
    await expect(page.getByText("25 games")).toBeVisible();
    await expect(page.getByRole("img", { name: "Time of 20 games of Sprint 40" })).toBeVisible();
    await expect(page.getByTestId("splits").getByRole("row")).toHaveCount(5);
    await expect(page.getByTestId("splits")).toContainText("0:10.00");
    const games = page.getByTestId("last-games").getByRole("row");
    await expect(games).toHaveCount(11);
    await expect(games.nth(1)).toContainText("best");
    await expect(games.nth(2)).toContainText("+1.00");
});

test("number keys lead through the modes of progress, Enter plays one, Esc goes back", async ({ page }) => {
    await keep(page);
    await open(page, "progress");
    await expect(heading(page)).toBeFocused();
    await page.keyboard.press("5");
    await expect(page.getByRole("heading", { level: 2, name: "Blitz" })).toBeVisible();
    await expect(page.getByTestId("best")).toHaveText("12,345");
    await page.keyboard.press("7");
    await expect(page.getByText("No Zen games yet.")).toBeVisible();
    await page.reload();
    await expect(page.getByText("No Zen games yet.")).toBeVisible();
    await page.keyboard.press("5");
    await page.keyboard.press("Enter");
    await expect(heading(page)).toHaveText("Blitz");
    await page.goto("#/progress");
    await expect(heading(page)).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(heading(page)).toHaveText("A laboratory for Tetris");
});

test("everything goes out as one file, and comes in again elsewhere", async ({
    page,
    browser,
    baseURL,
}, info) => {
    await keep(page);
    await open(page, "progress");
    const download = page.waitForEvent("download");
    await page.getByTestId("backup-export").focus();
    await page.keyboard.press("Enter");
    const file = info.outputPath("backup.json");
    await (await download).saveAs(file);
    await expect(page.getByTestId("backup-note")).toContainText("Saved as tetrion-");

    const elsewhere = await browser.newContext({ ...(baseURL ? { baseURL } : {}) });
    const other = await elsewhere.newPage();
    await open(other, "settings?tab=data");
    await other.getByTestId("backup-file").setInputFiles({
        name: "broken.json",
        mimeType: "application/json",
        buffer: Buffer.from("{"),
    });
    await expect(other.getByTestId("backup-trouble")).toContainText("not a backup");
    await other.getByTestId("backup-file").setInputFiles(file);
    await expect(other.getByTestId("backup-note")).toHaveText("Added 21 games and 0 replays.");
    await other.goto("#/");
    await expect(other.getByTestId("best-sprint")).toHaveText("0:41.00");
    await elsewhere.close();
});

test("keys lead through the leaderboard", async ({ page }) => {
    await open(page, "scores");
    await expect(heading(page)).toHaveText("Leaderboard");
    await expect(page.getByRole("heading", { level: 2, name: "Sprint 40" })).toBeVisible();
    await page.keyboard.press("4");
    await expect(page.getByRole("heading", { level: 2, name: "Sprint 100" })).toBeVisible();
    await page.keyboard.press("ArrowRight");
    await expect(page.getByTestId("scores-agents")).toHaveAttribute("aria-current", "page");
    await page.keyboard.press("ArrowLeft");
    await expect(page.getByTestId("scores-people")).toHaveAttribute("aria-current", "page");
    await page.keyboard.press("Enter");
    await expect(heading(page)).toHaveText("Sprint 100");
});
