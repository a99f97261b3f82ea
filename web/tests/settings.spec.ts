import { expect, test } from "@playwright/test";
import { begin, heights, open, pieces, seconds, takes } from "./page";

test("keys are bound anew, conflicts are told, and both last over a reload", async ({ page }) => {
    await open(page, "settings");
    await page.getByRole("radio", { name: "Guideline" }).focus();
    await page.keyboard.press("ArrowRight");
    await expect(page.getByRole("button", { name: "W: remove from Hard drop" })).toBeVisible();
    const add = page.getByTestId("bind-hardDrop");
    const bind = async (key: string) => {
        await add.focus();
        await page.keyboard.press("Enter");
        await expect(add).toHaveText("Press a key…");
        await page.keyboard.press(key);
        await expect(add).toHaveText("+");
    };
    await bind("KeyA");
    await expect(page.getByTestId("conflict")).toContainText(
        "A is bound more than once: it works for Move left, not for Hard drop",
    );
    await page.getByRole("button", { name: "A: remove from Hard drop" }).focus();
    await page.keyboard.press("Enter");
    await expect(page.getByTestId("conflict")).toBeHidden();
    // The browser's own keys, and whatever else is done, end the waiting.
    for (const keys of ["Tab", "F2", "Control+KeyK"]) {
        await add.focus();
        await page.keyboard.press("Enter");
        await expect(add).toHaveText("Press a key…");
        expect([keys, await takes(page, keys)]).toEqual([keys, false]);
        await expect(add).toHaveText("+");
    }
    await add.click();
    await page.getByRole("heading", { level: 1 }).click();
    await expect(add).toHaveText("+");
    await expect(page.getByRole("button", { name: "remove from Hard drop" })).toHaveCount(1);
    await bind("ControlRight");
    await expect(page.getByRole("button", { name: "Right Ctrl: remove from Hard drop" })).toBeVisible();
    await bind("KeyK");
    await page.reload();
    await expect(page.getByRole("button", { name: "K: remove from Hard drop" })).toBeVisible();
    await expect(page.getByRole("radio", { name: "Your own" })).toBeChecked();
    await open(page, "sprint?seed=3");
    await begin(page);
    await page.keyboard.press("Space");
    expect(await pieces(page)).toBe(0);
    await page.keyboard.press("KeyK");
    await expect(page.getByTestId("pieces")).toHaveText("1");
});

test("number keys and arrows lead through the subjects, and the address keeps the one that is shown", async ({
    page,
}) => {
    await open(page, "settings");
    await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
    await page.keyboard.press("3");
    await expect(page.getByRole("tab", { name: "Look & sound" })).toHaveAttribute("aria-selected", "true");
    await page.reload();
    await expect(page.getByTestId("themes")).toBeVisible();
    await page.getByRole("tab", { name: "Look & sound" }).focus();
    await page.keyboard.press("ArrowRight");
    await expect(page.getByTestId("name")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("A laboratory for Tetris");
});

test("themes and blocks are chosen by keyboard, act at once, and last over a reload", async ({ page }) => {
    await open(page, "settings?tab=look");
    const html = page.locator("html");
    for (const [name, theme] of [
        ["Dark", "dark"],
        ["Light", "light"],
        ["High contrast", "contrast"],
    ] as const) {
        await page.getByRole("radio", { name }).focus();
        await page.keyboard.press("Space");
        await expect(html).toHaveAttribute("data-theme", theme);
    }
    await page.getByRole("radio", { name: "Classic" }).focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await expect(html).toHaveAttribute("data-skin", "marks");
    await page.getByLabel("Reduced motion").focus();
    await page.keyboard.press("Space");
    await page.reload();
    await expect(page.getByRole("radio", { name: "High contrast" })).toBeChecked();
    await expect(html).toHaveAttribute("data-theme", "contrast");
    await expect(html).toHaveAttribute("data-skin", "marks");
    await expect(html).toHaveAttribute("data-motion", "reduced");
});

test("a reset of all settings can be undone", async ({ page }) => {
    await open(page, "settings?tab=data");
    const name = page.getByTestId("name");
    await name.fill("<b>Ada</b>");
    await name.press("Enter");
    const reset = page.getByTestId("reset");
    await reset.focus();
    await page.keyboard.press("Enter");
    await expect(name).toHaveValue("");
    await expect(reset).toHaveText("Undo reset");
    await page.keyboard.press("Enter");
    await expect(name).toHaveValue("<b>Ada</b>");
    await page.reload();
    await expect(name).toHaveValue("<b>Ada</b>");
});

test("sliders say their value in words", async ({ page }) => {
    await open(page, "settings?tab=handling");
    await page.getByTestId("das").focus();
    await page.keyboard.press("Home");
    await expect(page.getByTestId("das")).toHaveAttribute(
        "aria-valuetext",
        "0 ms, very fast: taps may slide",
    );
    await page.getByTestId("arr").focus();
    await page.keyboard.press("Home");
    await expect(page.getByTestId("arr")).toHaveAttribute("aria-valuetext", "0 ms, straight to the wall");
    await page.keyboard.press("PageUp");
    await expect(page.getByTestId("arr")).toHaveAttribute("aria-valuetext", /^\d+ ms, \d+ cells a second$/);
});

test("Advanced controls set the auto-repeat to 0", async ({ page }) => {
    await open(page, "");
    // So slow that only an interval of 0 brings a piece to the wall.
    await page.evaluate(() => localStorage.setItem("tetrion.settings", '{"repeatInterval":60000}'));
    await open(page, "settings?tab=handling");
    await page.getByLabel("Advanced controls").focus();
    await page.keyboard.press("Space");
    await expect(page.getByTestId("arr")).toBeDisabled();
    await expect(page.getByTestId("arr")).toHaveValue("0");
    await open(page, "practice?seed=3");
    await begin(page);
    await page.keyboard.down("ArrowLeft");
    await seconds(page, 1);
    await page.keyboard.press("Space");
    await expect(page.getByTestId("pieces")).toHaveText("1");
    expect((await heights(page))[0]).toBeGreaterThan(0);
});

test("a handling test takes the keys, and begins again when a setting changes", async ({ page }) => {
    await open(page, "settings?tab=handling");
    await page.getByTestId("handling-test").click();
    await page.keyboard.press("Space");
    await expect(page.getByTestId("pieces")).toHaveText("1");
    await page.getByTestId("das").fill("80");
    await expect(page.getByTestId("pieces")).toHaveText("0");
    // A slider that the mouse has moved gives the keys back; one in focus keeps those that move it.
    await page.getByTestId("das").click();
    await expect(page.getByTestId("das")).not.toBeFocused();
    await expect(page.getByTestId("pieces")).toHaveText("0");
    const delay = await page.getByTestId("das").inputValue();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Space");
    await expect(page.getByTestId("pieces")).toHaveText("1");
    await expect(page.getByTestId("das")).toHaveValue(delay);
    await page.getByLabel("180° rotation").focus();
    await page.keyboard.press("Space");
    await expect(page.getByLabel("180° rotation")).toBeChecked();
    await page.getByRole("button", { name: "End test" }).focus();
    await page.keyboard.press("Space");
    await expect(page.getByTestId("handling-test")).toBeVisible();
});

test("a key for half turns is marked as off until they are turned on", async ({ page }) => {
    await open(page, "settings");
    await page.getByTestId("half-turn-off").click();
    await page.getByLabel("180° rotation").check();
    await page.keyboard.press("Escape");
    await open(page, "settings");
    await expect(page.getByText("Rotate 180°").first()).toBeVisible();
    await expect(page.getByTestId("half-turn-off")).toHaveCount(0);
});

test.describe("with fingers", () => {
    test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });

    test("gestures are named as in the countdown", async ({ page }) => {
        await open(page, "practice");
        const gestures = page.locator("[data-phase=countdown] .fingers");
        await expect(gestures).toBeVisible();
        const words = await gestures.locator("dt, dd").allInnerTexts();
        expect(words).toContain("Flick down");
        await open(page, "settings?tab=controls");
        await expect(page.locator(".touch").locator("dt, dd")).toHaveText(words);
        await expect(page.getByText("Tap a key to remove it")).toBeVisible();
    });
});
