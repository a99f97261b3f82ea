import { expect, test, type Page } from "@playwright/test";
import { begin, frames, open } from "./page";

const board = (page: Page) => page.locator("canvas").first();

test("the board is as large as the window allows, whatever the window was before", async ({ page }) => {
    await open(page, "sprint?seed=3");
    const height = async () => (await board(page).boundingBox())?.height ?? 0;
    const heights: number[] = [];
    for (const [width, high, least] of [
        [1280, 720, 620],
        [1920, 1080, 960],
        [1280, 400, 300],
        [700, 500, 400],
        [1280, 720, 620],
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
        for (const path of ["race", "practice?seed=3"]) {
            await open(page, path);
            if (path === "race") await page.getByTestId("start").tap();
            await begin(page);
            await expect(keys).toHaveCount(8);
            for (const part of [...(await keys.all()), ...(await page.locator("canvas").all())]) {
                await expect(part).toBeInViewport({ ratio: 0.99 });
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
    const [dark, light] = ["rgb(20, 25, 34)", "rgb(251, 252, 254)"];
    await page.emulateMedia({ colorScheme: "dark" });
    await open(page, "settings");
    await page.getByTestId("handling-test").click();
    await expect.poll(colour).toBe(dark);
    await page.emulateMedia({ colorScheme: "light" });
    await expect.poll(colour).toBe(light);
    await page.getByTestId("theme").selectOption("dark");
    await expect.poll(colour).toBe(dark);
});

test("cleared rows shine, unless the system asks for reduced motion", async ({ page }) => {
    await page.addInitScript(() => {
        // The light is painted over whole rows.
        const { fillRect } = CanvasRenderingContext2D.prototype;
        CanvasRenderingContext2D.prototype.fillRect = function (x, y, width, height) {
            const row = width === this.canvas.width && height < this.canvas.height / 2;
            if (row) document.documentElement.dataset["shone"] = "yes";
            fillRect.call(this, x, y, width, height);
        };
        localStorage.setItem("tetrion.settings", JSON.stringify({ agentSpeed: 10 }));
    });
    await page.emulateMedia({ reducedMotion: "reduce" });
    await open(page, "watch");
    await expect.poll(async () => Number(await page.getByTestId("lines").innerText())).toBeLessThan(38);
    await frames(page, 2);
    await expect(page.locator("html")).not.toHaveAttribute("data-shone");
    await page.emulateMedia({ reducedMotion: "no-preference" });
    await expect(page.locator("html")).toHaveAttribute("data-shone", "yes");
});

test("a screen that is come to has the focus at its heading, and the game has the keys", async ({ page }) => {
    await open(page, "");
    await page.getByRole("link", { name: "Sprint" }).click();
    await expect(page.getByRole("heading", { name: "Sprint" })).toBeFocused();
    await begin(page);
    await page.keyboard.press("Space");
    await expect(page.getByTestId("pieces")).toHaveText("1");
    await page.getByRole("link", { name: "Back to the menu" }).click();
    await expect(page.getByRole("heading", { name: "Tetrion" })).toBeFocused();
});
