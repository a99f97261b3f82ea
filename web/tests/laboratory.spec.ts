import { expect, test } from "@playwright/test";
import { open } from "./page";

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
    await page.getByTestId("recipe").selectOption("capstone");
    await page.getByTestId("parameter-population").fill("1");
    await page.getByTestId("train-start").click();
    await expect(page.getByTestId("train-error")).toContainText("give at least 2");
    await page.getByTestId("parameter-population").fill("10");
    await page.getByTestId("parameter-generations").fill("500");
    await page.getByTestId("train-start").click();
    const generation = async () =>
        Number.parseInt(/\d+/.exec(await page.getByTestId("generation").innerText())?.[0] ?? "0", 10);
    await expect.poll(generation, { timeout: 60_000 }).toBeGreaterThan(2);
    await expect(page.locator(".uplot canvas").first()).toBeVisible();
    await expect(page.getByTestId("best-game").getByTestId("pieces")).toBeVisible();
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
    await expect(page.getByRole("button", { name: "Pause" })).toBeEnabled();
    for (let drops = 0; drops < 15; drops++) await page.keyboard.press("Space");
    await expect(page.getByTestId("score-note")).toContainText("In the score book");
    await open(page, "scores?mode=blitz&by=people");
    await expect(page.getByTestId("scores")).toContainText("<img src=x>");
    await expect(page.getByTestId("scores").locator("img")).toHaveCount(0);
    await page.getByTestId("scores").getByRole("link").first().click();
    await expect(page.getByTestId("game")).toContainText("Top Out!");
});
