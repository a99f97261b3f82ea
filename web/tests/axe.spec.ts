import { expect, test, type Page } from "@playwright/test";
import type { AxeResults } from "axe-core";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { play } from "./engine";
import { begin, open } from "./page";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const THEMES = ["dark", "light", "contrast"] as const;

/** Games of a player who has played before. */
const PROGRESS = {
    sprint: {
        played: 3,
        best: {
            id: "b",
            at: 2,
            value: 40e6,
            micros: 40e6,
            pieces: 101,
            course: Array.from({ length: 40 }, (_, line) => 1e6 * (line + 1)),
        },
        games: [
            { id: "a", at: 1, value: 50e6, micros: 50e6, pieces: 103 },
            { id: "b", at: 2, value: 40e6, micros: 40e6, pieces: 101 },
        ],
    },
};

async function lose(page: Page, path: string): Promise<void> {
    await open(page, path);
    await begin(page);
    for (let drops = 0; drops < 15; drops++) await page.keyboard.press("Space");
    await expect(page.getByTestId("end")).toBeVisible();
}

async function loseMatch(page: Page): Promise<void> {
    await open(page, "versus?agent=lee&first=1");
    await page.getByTestId("start").click();
    await begin(page);
    for (let drops = 0; drops < 15; drops++) await page.keyboard.press("Space");
    await expect(page.getByTestId("winner").getByRole("link")).toBeVisible();
}

async function watchFor(page: Page, path: string, heading: string | RegExp): Promise<void> {
    await open(page, path);
    await expect(page.getByRole("heading", { level: 1, name: heading })).toBeVisible();
}

/** Every screen, and how one comes to it. */
const SCREENS: Record<string, (page: Page, file: string) => Promise<void>> = {
    menu: (page) => watchFor(page, "", "A laboratory for Tetris"),
    "menu of somebody who has played": async (page) => {
        await page.addInitScript(
            (stored) => localStorage.setItem("tetrion.progress", stored),
            JSON.stringify(PROGRESS),
        );
        await watchFor(page, "", "A laboratory for Tetris");
        await expect(page.getByTestId("best-sprint")).toBeVisible();
    },
    keys: async (page) => {
        await watchFor(page, "", "A laboratory for Tetris");
        await page.keyboard.press("?");
        await expect(page.getByTestId("keys")).toBeVisible();
    },
    sprint: async (page) => {
        await open(page, "sprint?seed=3");
        await begin(page);
    },
    blitz: async (page) => {
        await open(page, "blitz?seed=3");
        await begin(page);
    },
    zen: async (page) => {
        await open(page, "zen");
        await begin(page);
    },
    practice: async (page) => {
        await open(page, "practice?seed=3");
        await begin(page);
    },
    pause: async (page) => {
        await open(page, "sprint?seed=3");
        await begin(page);
        await page.keyboard.press("Escape");
        await expect(page.locator("[data-phase=paused]")).toBeVisible();
    },
    "end screen": (page) => lose(page, "blitz?seed=3"),
    watch: async (page) => {
        await open(page, "watch");
        await expect(page.locator("[data-phase=playing]")).toBeVisible();
    },
    "watch with reasons": async (page) => {
        await open(page, "watch?agent=dellacherie&mode=sprint&explain=1");
        await page.getByTestId("term").first().hover();
        await expect(page.getByTestId("pointed")).toBeVisible();
    },
    race: (page) => watchFor(page, "race", "Race"),
    "race under way": async (page) => {
        await open(page, "race");
        await page.getByTestId("start").click();
        await begin(page);
    },
    "end of a race": async (page) => {
        await open(page, "race");
        await page.getByTestId("start").click();
        await begin(page);
        for (let drops = 0; drops < 15; drops++) await page.keyboard.press("Space");
        await expect(page.getByTestId("winner")).toBeVisible();
    },
    versus: (page) => watchFor(page, "versus", "Versus"),
    "versus under way": async (page) => {
        await open(page, "versus?pace=6");
        await page.getByTestId("start").click();
        await begin(page);
        await expect(page.getByTestId("garbage").first().locator("i")).not.toHaveCount(0);
        await page.keyboard.press("Escape");
        await expect(page.locator("[data-phase=paused]")).toHaveCount(2);
    },
    "end of a match": async (page) => {
        await loseMatch(page);
    },
    "replay of a match": async (page) => {
        await loseMatch(page);
        await page.getByRole("link", { name: "round 1" }).click();
        await page.getByTestId("timeline").focus();
        await page.keyboard.press("End");
        await expect(page.getByTestId("match")).toBeVisible();
    },
    replays: async (page) => {
        await open(page, "replays");
        await expect(page.getByTestId("empty")).toBeVisible();
    },
    "replays with one": async (page) => {
        await lose(page, "blitz?seed=3");
        await page.goto("#/replays");
        await expect(page.getByTestId("replays")).toBeVisible();
    },
    replay: async (page, file) => {
        writeFileSync(file, play("lee", "sprint", 11n, 20).replay);
        await open(page, "replays");
        await page.getByTestId("import").setInputFiles(file);
        await expect(page.getByTestId("timeline")).toBeVisible();
    },
    scores: (page) => watchFor(page, "scores", "Leaderboard"),
    "scores with one": async (page) => {
        await lose(page, "blitz?seed=31");
        await page.goto("#/scores?mode=blitz&by=people&unverified=true");
        await expect(page.getByTestId("scores")).toBeVisible();
    },
    progress: async (page) => {
        await page.addInitScript(
            (stored) => localStorage.setItem("tetrion.progress", stored),
            JSON.stringify(PROGRESS),
        );
        await open(page, "progress");
        await expect(page.getByTestId("splits")).toBeVisible();
    },
    "progress without games": (page) => watchFor(page, "progress", "Progress"),
    settings: (page) => watchFor(page, "settings", "Settings"),
    "settings of handling": async (page) => {
        await watchFor(page, "settings?tab=handling", "Settings");
        await page.getByTestId("handling-test").click();
        await expect(page.locator("[data-phase=playing]")).toBeVisible();
    },
    "settings of the look": (page) => watchFor(page, "settings?tab=look", "Settings"),
    "settings of data": (page) => watchFor(page, "settings?tab=data", "Settings"),
    tiny: async (page) => {
        await open(page, "tiny");
        await expect(page.getByTestId("tiny-board")).toBeVisible();
    },
    train: (page) => watchFor(page, "train", /./),
    design: (page) => watchFor(page, "design", "Design"),
    "not found": (page) => watchFor(page, "nonsense", "Not found"),
};

/** What keeps somebody from using the page, in words for whoever has to mend it. */
async function findings(page: Page): Promise<string[]> {
    const { violations } = await page.evaluate(() =>
        (window as unknown as { axe: { run: (options: unknown) => Promise<AxeResults> } }).axe.run({
            resultTypes: ["violations"],
        }),
    );
    return violations
        .filter(({ impact }) => impact === "serious" || impact === "critical")
        .flatMap(({ id, nodes }) => nodes.map(({ target, html }) => `${id}: ${target.join(" ")} ${html}`));
}

for (const [name, arrive] of Object.entries(SCREENS)) {
    test(`axe finds nothing serious in any theme: ${name}`, async ({ page }, info) => {
        // Colours are measured when they have arrived.
        await page.emulateMedia({ reducedMotion: "reduce" });
        await arrive(page, info.outputPath("game.tetrion"));
        // As the browser's own code: the page's policy forbids scripts from elsewhere.
        await page.evaluate(AXE);
        for (const theme of THEMES) {
            await page.evaluate((theme) => (document.documentElement.dataset["theme"] = theme), theme);
            expect.soft(await findings(page), theme).toEqual([]);
        }
    });
}
