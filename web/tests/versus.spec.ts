import { expect, test, type Page } from "@playwright/test";
import { begin, open } from "./page";

const winner = (page: Page) => page.getByTestId("winner");
const garbage = (page: Page, side: 0 | 1) => page.getByTestId("garbage").nth(side);

/** How many pieces a side has placed. */
async function placed(page: Page, side: 0 | 1): Promise<number> {
    const label = await page.getByRole("img", { name: "pieces placed" }).nth(side).getAttribute("aria-label");
    return Number(/(\d+) pieces placed/.exec(label ?? "")?.[1]);
}

/** Piles pieces up in the middle until the round is lost. */
async function topOut(page: Page): Promise<void> {
    for (let drops = 0; drops < 15; drops++) await page.keyboard.press("Space");
    await expect(winner(page)).toBeVisible();
}

/** Presses a key until the result is gone: one that is pressed too soon after the end does nothing. */
async function leaveResult(page: Page, key: string): Promise<void> {
    await expect(async () => {
        await page.keyboard.press(key);
        await expect(winner(page)).toHaveCount(0, { timeout: 100 });
    }).toPass();
}

test("a person plays versus to its end, and loses by topping out", async ({ page }) => {
    await open(page, "versus?agent=lee&first=1&pace=1");
    await page.getByTestId("start").click();
    await begin(page);
    await expect(page.getByTestId("score")).toHaveText("0–0");
    await topOut(page);
    await expect(winner(page)).toBeFocused();
    await expect(winner(page)).toContainText("You lose");
    await expect(winner(page)).toContainText("0–1 in rounds");
    await expect(winner(page)).toContainText("attack/min");
    await expect(winner(page)).toContainText("pieces/s");
    await expect(winner(page).getByRole("link", { name: "round 1" })).toBeVisible();
    await leaveResult(page, "Enter");
    await begin(page);
    await expect(page.getByTestId("score")).toHaveText("0–0");
});

test("a person wins when the agent tops out", async ({ page }) => {
    await open(page, "versus?agent=random&first=1&pace=6");
    await page.getByTestId("start").click();
    await begin(page);
    for (const key of ["ArrowLeft", "ArrowLeft", "Space", "ArrowUp", "ArrowRight", "Space", "KeyC"])
        await page.keyboard.press(key);
    // A person who waits lets pieces fall for twenty seconds each; random moves fill a board sooner.
    await expect(winner(page)).toContainText("You win", { timeout: 60_000 });
    await expect(winner(page)).toContainText("1–0 in rounds");
    expect(await placed(page, 0)).toBeGreaterThanOrEqual(2);
});

test("a match goes on until one side has won enough rounds", async ({ page }) => {
    test.slow();
    await open(page, "versus?agent=random&first=3&pace=6");
    await page.getByTestId("start").click();
    await begin(page);
    await expect(winner(page)).toContainText("You win", { timeout: 60_000 });
    await expect(winner(page)).toContainText("1–0 · first to 3");
    for (const lost of [1, 2, 3]) {
        await leaveResult(page, "Enter");
        await begin(page);
        await expect(page.getByTestId("score")).toHaveText(`1–${lost - 1}`);
        await topOut(page);
        await expect(winner(page)).toContainText("You lose");
    }
    await expect(winner(page)).toContainText("1–3 in rounds");
    await expect(winner(page).getByRole("link", { name: /^round \d$/ })).toHaveCount(4);
    await expect(page.getByTestId("rematch")).toBeVisible();
    await leaveResult(page, "N");
    await expect(page.getByTestId("start")).toBeVisible();
});

test("the meter shows the garbage that waits, and which of it rises next", async ({ page }) => {
    await open(page, "versus?agent=blitz&first=1&pace=6");
    await page.getByTestId("start").click();
    await begin(page);
    const rows = garbage(page, 0).locator("i");
    await expect(rows).not.toHaveCount(0, { timeout: 60_000 });
    await expect(garbage(page, 0).locator(".due")).not.toHaveCount(0);
    await expect(page.getByTestId("warning")).toContainText("on your next piece");
    await expect(garbage(page, 0)).toHaveAttribute("aria-label", /\d+ lines of garbage wait/);
    await expect(page.getByRole("listitem", { name: /^blitz sent \d+$/ })).not.toHaveCount(0);
    // What was sent is seen on its way, unless motion is reduced.
    await expect(page.locator(".way")).toHaveCount(1);
    await page.keyboard.press("Space");
    // More may be on its way, but that has to wait for half a second.
    await expect(garbage(page, 0).locator(".due")).toHaveCount(0);
});

test("attacks do not fly where motion is reduced", async ({ page }) => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    await open(page, "versus?agent=blitz&first=1&pace=6");
    await page.getByTestId("start").click();
    await begin(page);
    await expect(page.getByRole("listitem", { name: /^blitz sent \d+$/ })).not.toHaveCount(0, {
        timeout: 60_000,
    });
    await expect(page.locator(".way")).toHaveCount(0);
});

test("two agents play a match to its end, and it can be stopped and stepped", async ({ page }) => {
    await open(page, "versus?left=random&agent=random&first=3&pace=6");
    await page.getByTestId("start").click();
    await begin(page);
    await expect.poll(() => placed(page, 0)).toBeGreaterThan(2);
    await page.keyboard.press("Escape");
    await expect(page.locator("[data-phase=paused]")).toHaveCount(2);
    const both = async () => (await placed(page, 0)) + (await placed(page, 1));
    const before = await both();
    await page.keyboard.press("ArrowRight");
    await expect.poll(both).toBeGreaterThan(before);
    await page.keyboard.press("Escape");
    await expect(winner(page)).toContainText("wins", { timeout: 80_000 });
    await expect(winner(page)).toContainText("3");
});

test("versus is set up, started, paused and left by keyboard alone", async ({ page }) => {
    await open(page, "");
    await page.keyboard.press("V");
    await expect(page).toHaveURL(/#\/versus/);
    await page.getByTestId("first-to").getByRole("radio", { name: "3" }).focus();
    await page.keyboard.press("ArrowLeft");
    await expect(page.getByTestId("first-to").getByRole("radio", { name: "1" })).toBeChecked();
    await page.keyboard.press("Tab");
    await page.keyboard.press("ArrowRight");
    await expect(page.getByTestId("rules").getByRole("radio", { name: "PPT" })).toBeChecked();
    await page.keyboard.press("Tab");
    await expect(page.getByTestId("pace")).toBeFocused();
    await page.keyboard.press("End");
    await page.keyboard.press("Tab");
    await expect(page.getByTestId("start")).toBeFocused();
    await expect(page).toHaveURL(/rules=ppt&first=1&pace=6/);
    await page.keyboard.press("Enter");
    await begin(page);
    await page.keyboard.press("Space");
    await expect.poll(() => placed(page, 0)).toBe(1);
    await page.keyboard.press("Escape");
    await expect(page.locator("[data-phase=paused]")).toHaveCount(2);
    const still = await placed(page, 1);
    await page.keyboard.press("Escape");
    await expect(page.locator("[data-phase=playing]")).toHaveCount(2);
    await expect.poll(() => placed(page, 1)).toBeGreaterThan(still);
    // Leaving is asked first, and the match waits.
    await page.keyboard.press("N");
    await expect(page.getByTestId("confirm")).toBeVisible();
    await expect(page.locator("[data-phase=paused]")).toHaveCount(2);
    await page.keyboard.press("Escape");
    await expect(page.locator("[data-phase=playing]")).toHaveCount(2);
    await page.getByRole("link", { name: "Back to the menu" }).click();
    await page.keyboard.press("L");
    await expect(page.getByRole("heading", { level: 1, name: "A laboratory for Tetris" })).toBeVisible();
});

test("a match stops while the page is hidden", async ({ page }) => {
    await open(page, "versus?agent=lee&first=1&pace=2");
    await page.getByTestId("start").click();
    await begin(page);
    await page.evaluate(() => {
        Object.defineProperty(document, "hidden", { value: true, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
    });
    await expect(page.locator("[data-phase=paused]")).toHaveCount(2);
});
