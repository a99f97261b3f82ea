import { expect, test, type Page } from "@playwright/test";
import { writeFileSync } from "node:fs";
import { play } from "./engine";
import { open } from "./page";

/** Takes a Sprint and a Blitz of agents into the browser's replays. */
async function keepTwo(page: Page, path: (name: string) => string, most = 20): Promise<void> {
    const files = [
        [path("sprint.tetrion"), play("lee", "sprint", 11n).replay],
        [path("blitz.tetrion"), play("lee", "blitz", 12n, most).replay],
    ] as const;
    for (const [file, replay] of files) writeFileSync(file, replay);
    await open(page, "replays");
    await page.getByTestId("import").setInputFiles(files.map(([file]) => file));
    await expect(page.getByText("2 replays imported.")).toBeVisible();
}

const rows = (page: Page) => page.getByTestId("replays").getByRole("listitem");

test("no result is cut off on a phone", async ({ page }, info) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await keepTwo(page, (name) => info.outputPath(name), 360);
    const result = rows(page).getByText("Ended at 360 pieces");
    await expect(result).toBeVisible();
    expect(await result.evaluate((text) => text.scrollWidth - text.clientWidth)).toBe(0);
});

test("a replay is chosen by keys, shown beside the list, opened, deleted and brought back", async ({
    page,
}, info) => {
    await keepTwo(page, (name) => info.outputPath(name));
    await expect(rows(page)).toHaveText([/Blitz/, /Sprint 40/]);
    // Each row draws how its game went.
    await expect(rows(page).locator("path.c-you")).toHaveCount(2);
    const preview = page.getByTestId("preview");
    await expect(preview).toContainText("Blitz · Agent lee");
    await page.keyboard.press("ArrowDown");
    await expect(preview).toContainText("Sprint 40 · Agent lee · Cleared");
    await expect(preview.getByRole("img", { name: "The last position" })).toBeVisible();
    await page.keyboard.press("Enter");
    await expect(page.getByTestId("timeline")).toBeVisible();
    await page.goBack();
    await expect(preview).toContainText("Blitz");
    await page.keyboard.press("Delete");
    await expect(rows(page)).toHaveText([/Sprint 40/]);
    await page.keyboard.press("Enter");
    await expect(rows(page)).toHaveCount(2);
});

test("replays are filtered by mode and by who played", async ({ page }, info) => {
    await keepTwo(page, (name) => info.outputPath(name));
    await page.getByTestId("filter-mode").selectOption("Blitz");
    await expect(rows(page)).toHaveText([/Blitz/]);
    await expect(page.getByTestId("replay-count")).toHaveText("1 of 2 replays");
    await page.getByTestId("filter-by").getByText("People").click();
    await expect(rows(page)).toHaveCount(0);
    await page.getByRole("button", { name: "Show all" }).click();
    await expect(rows(page)).toHaveCount(2);
});

test("a row of the replays opens as a whole, and fits a phone both ways", async ({ page }, info) => {
    await keepTwo(page, (name) => info.outputPath(name));
    for (const [width, height] of [
        [390, 844],
        [844, 390],
    ] as const) {
        await page.setViewportSize({ width, height });
        await open(page, "replays");
        for (const row of await rows(page).all()) await expect(row).toBeInViewport({ ratio: 1 });
        await rows(page)
            .first()
            .click({ position: { x: 4, y: 20 } });
        await expect(page.getByTestId("timeline")).toBeVisible();
    }
});
