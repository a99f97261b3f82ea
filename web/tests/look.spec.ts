import { expect, test, type Page } from "@playwright/test";
import { begin, open } from "./page";

const board = (page: Page) => page.locator("canvas").first();

test("the board is as large as the window allows, whatever the window was before", async ({ page }) => {
    await open(page, "sprint?seed=3");
    const height = async () => (await board(page).boundingBox())?.height ?? 0;
    const heights: number[] = [];
    for (const [width, high, least] of [
        [1280, 720, 600],
        [1920, 1080, 930],
        [2560, 1440, 1250],
        [1280, 400, 300],
        [700, 500, 390],
        [1280, 720, 600],
    ] as const) {
        await page.setViewportSize({ width, height: high });
        await expect.poll(height).toBeLessThan(high);
        await expect.poll(height).toBeGreaterThan(least);
        await expect(board(page)).toBeInViewport({ ratio: 0.99 });
        heights.push(await height());
    }
    expect(heights.at(-1)).toBe(heights[0]);
});

test("on a phone the board and all touch keys are seen at once, and keys act when they are touched", async ({
    browser,
    baseURL,
}) => {
    const context = await browser.newContext({ hasTouch: true, isMobile: true, baseURL });
    await context.addInitScript(() =>
        localStorage.setItem("tetrion.settings", JSON.stringify({ halfTurns: true })),
    );
    const page = await context.newPage();
    const keys = page.getByRole("group", { name: "Touch controls" }).getByRole("button");
    for (const [width, height] of [
        [390, 664],
        [844, 390],
    ] as const) {
        await page.setViewportSize({ width, height });
        for (const path of ["race", `practice?seed=${width}`]) {
            await open(page, path);
            if (path === "race") await page.getByTestId("start").tap();
            await begin(page);
            // Only Practice takes moves back and makes them again.
            await expect(keys).toHaveCount(path === "race" ? 8 : 10);
            for (const part of [...(await keys.all()), ...(await page.locator("canvas").all())]) {
                await expect(part).toBeInViewport({ ratio: 0.95 });
            }
        }
        await page.getByRole("button", { name: "Rotate 180°" }).tap();
        await page.getByRole("button", { name: "Hard drop" }).tap();
        await expect(page.getByTestId("pieces")).toHaveText("1");
        await page.getByRole("button", { name: "Hold" }).tap();
        await expect(page.getByTestId("hold-label")).toHaveClass(/used/);
    }
    await context.close();
});

test("the board follows the theme, of the system or chosen", async ({ page }) => {
    // The middle of the lower left cell.
    const colour = () =>
        board(page).evaluate((canvas: HTMLCanvasElement) => {
            const half = canvas.width / 20;
            const [red, green, blue] =
                canvas.getContext("2d")?.getImageData(half, canvas.height - half, 1, 1).data ?? [];
            return `rgb(${red}, ${green}, ${blue})`;
        });
    const [dark, light] = ["rgb(14, 13, 12)", "rgb(255, 253, 249)"];
    await page.emulateMedia({ colorScheme: "dark" });
    await open(page, "practice?seed=3");
    await expect.poll(colour).toBe(dark);
    await page.emulateMedia({ colorScheme: "light" });
    await expect.poll(colour).toBe(light);
    await open(page, "settings?tab=look");
    await page.getByRole("radio", { name: "Dark" }).focus();
    await page.keyboard.press("Space");
    await page.goto("#/practice?seed=3");
    await expect.poll(colour).toBe(dark);
});

test("a screen that is come to has the focus at its heading, and the game has the keys", async ({ page }) => {
    await open(page, "");
    await page.getByRole("link", { name: "Sprint" }).click();
    await expect(page.getByRole("heading", { name: "Sprint" })).toBeFocused();
    await begin(page);
    await page.keyboard.press("Space");
    await expect(page.getByTestId("pieces")).toHaveText("1");
    await page.getByRole("link", { name: "Back to the menu" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
});
