import { expect, test } from "@playwright/test";
import { readFileSync } from "node:fs";
import { begin, open, pieces } from "./page";

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
    await expect(page.getByTestId("tiny-over")).toBeVisible();
    const mean = await page.getByTestId("tiny-mean").innerText();
    await page.reload();
    await expect(page.getByTestId("tiny-mean")).toHaveText(mean);
});

test("a training run is started, watched, stopped and resumed", async ({ page }) => {
    await open(page, "train");
    await page.getByTestId("recipe").selectOption("lee");
    await page.getByTestId("parameter-population").fill("1");
    await page.getByTestId("train-start").click();
    await expect(page.getByTestId("train-error")).toContainText("give at least 2");
    // Short generations, and more of them than anybody waits for.
    for (const [name, value] of Object.entries({ population: 10, plies: 1, generations: 100_000 }))
        await page.getByTestId(`parameter-${name}`).fill(String(value));
    await page.getByTestId("train-start").click();
    const generation = async () =>
        Number.parseInt(/\d+/.exec(await page.getByTestId("generation").innerText())?.[0] ?? "0", 10);
    await expect.poll(generation, { timeout: 60_000 }).toBeGreaterThan(2);
    await expect(page.locator(".uplot canvas").first()).toBeVisible();
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
    expect(await pieces(page)).toBeLessThanOrEqual(500);
    const between = asked.slice(1).map((time, index) => time - (asked[index] ?? 0));
    expect(Math.min(...between)).toBeGreaterThan(1000);
    await page.unroute("**/api/training/*/best");
    await page.getByTestId("train-stop").click();
    await expect(page.getByTestId("job-state").first()).toContainText(/stopped/i, { timeout: 60_000 });
    const stopped = await generation();
    await page.getByTestId("train-resume").click();
    await expect.poll(generation, { timeout: 60_000 }).toBeGreaterThan(stopped);
    await page.getByTestId("train-stop").click();
    await expect(page.getByTestId("job-state").first()).toContainText(/stopped/i, { timeout: 60_000 });
});

test("names in the score book are text", async ({ page }) => {
    await page.addInitScript(() => {
        localStorage.setItem("tetrion.settings", JSON.stringify({ name: "<img src=x>", agentSpeed: 0 }));
    });
    await open(page, "blitz?seed=21");
    await begin(page);
    for (let drops = 0; drops < 15; drops++) await page.keyboard.press("Space");
    await expect(page.getByTestId("score-note")).toContainText("In the score book");
    await open(page, "scores?mode=blitz&by=people");
    await expect(page.getByTestId("scores")).toContainText("<img src=x>");
    await expect(page.getByTestId("scores").locator("img")).toHaveCount(0);
    await page.getByTestId("scores").getByRole("link").first().click();
    await expect(page.getByTestId("game")).toContainText("Top Out!");
});
