import { expect, test, type Page } from "@playwright/test";
import { begin, open } from "./page";

const choose = (page: Page, testid: string, name: string) =>
    page.getByTestId(testid).getByText(name, { exact: true }).click();

test("two agents race on the same pieces, and one wins", async ({ page }) => {
    await open(page, "race");
    await expect(page.getByText("A race against an agent is unranked.")).toBeVisible();
    await choose(page, "left", "An agent");
    await expect(page.getByText("Finished games are listed under Agents.")).toBeVisible();
    await expect(page.getByText("unranked")).toHaveCount(0);
    await page.getByTestId("left-agent").selectOption("lee");
    await page.getByTestId("right-agent").selectOption("finesse");
    await choose(page, "pace", "In turns");
    await page.getByTestId("start").click();
    await begin(page);
    // Nobody has to be asked whether two agents may go on.
    for (const [hidden, button] of [
        [true, "Resume"],
        [false, "Pause"],
    ] as const) {
        await page.evaluate((hidden) => {
            Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
            document.dispatchEvent(new Event("visibilitychange"));
        }, hidden);
        await expect(page.locator("header").getByRole("button", { name: button })).toBeVisible();
    }
    const winner = page.getByTestId("winner");
    await expect(winner).toContainText("wins", { timeout: 60_000 });
    await expect(winner).toBeFocused();
    await expect(winner.getByRole("link", { name: "Replay of" })).toHaveCount(2);
    await expect(winner).not.toContainText("unranked");
    await expect(winner.getByRole("link", { name: /^#\d+ among agents$/ }).first()).toBeVisible();
    const [left, right] = await page.getByTestId("pieces").allInnerTexts();
    expect(Math.abs(Number(left) - Number(right))).toBeLessThanOrEqual(1);
    // Each replay has its key.
    const [, second] = await winner.getByRole("link", { name: "Replay of" }).all();
    await expect(second!.locator("kbd")).toHaveText("2");
    const href = (await second!.getAttribute("href")) ?? "";
    await expect(async () => {
        await page.keyboard.press("2");
        expect(new URL(page.url()).hash).toBe(href);
    }).toPass();
});

test("on a phone two agents have boards of the same size", async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await open(page, "race?left=lee&agent=finesse");
    await page.getByTestId("start").click();
    await begin(page);
    const [left, right] = await page
        .getByRole("region", { name: "Board of" })
        .evaluateAll((boards) => boards.map((board) => board.getBoundingClientRect().toJSON()));
    expect(right).toMatchObject({ top: left.top, width: left.width, height: left.height });
    expect(left.width).toBeGreaterThan(150);
    expect(right.right).toBeLessThanOrEqual(390);
});

test("a person races an agent at equal pace: it waits for them", async ({ page }) => {
    await open(page, "race");
    await page.getByTestId("mode").selectOption("blitz");
    await choose(page, "pace", "In turns");
    await page.getByTestId("start").click();
    await begin(page);
    await expect(page.getByTestId("time")).toHaveText(/^2:5[0-7]/);
    const both = page.getByTestId("pieces");
    await expect(both).toHaveText(["0", "0"]);
    await page.keyboard.press("Space");
    await expect(both).toHaveText(["1", "1"]);
    // When they are out, it goes on at the speed that was chosen: two a second.
    for (let drops = 0; drops < 15; drops++) await page.keyboard.press("Space");
    await expect(page.locator("[data-phase=over]")).toHaveCount(1);
    const placed = async () => Number(await both.last().innerText());
    const [from, began] = [await placed(), Date.now()];
    await expect.poll(placed).toBeGreaterThan(from + 3);
    expect((await placed()) - from).toBeLessThanOrEqual((Date.now() - began) / 500 + 2);
});

test("a race is chosen, started, played, paused and played again by keyboard alone", async ({ page }) => {
    await open(page, "race");
    await page.getByTestId("left").getByRole("radio", { name: "You" }).focus();
    await page.keyboard.press("Tab");
    await expect(page.getByTestId("mode")).toBeFocused();
    await page.keyboard.press("S");
    await page.keyboard.press("Tab");
    await expect(page.getByTestId("pace").getByRole("radio", { name: "Free" })).toBeFocused();
    await page.keyboard.press("ArrowRight");
    await expect(page.getByTestId("pace").getByRole("radio", { name: "In turns" })).toBeChecked();
    await page.keyboard.press("Enter");
    await begin(page);
    const both = page.getByTestId("pieces");
    await page.keyboard.press("Space");
    await expect(both).toHaveText(["1", "1"]);
    await page.keyboard.press("Escape");
    await expect(page.locator("[data-phase=paused]")).toHaveCount(2);
    await page.keyboard.press("Escape");
    await expect(page.locator("[data-phase=playing]")).toHaveCount(2);
    for (let drops = 0; drops < 15; drops++) await page.keyboard.press("Space");
    const winner = page.getByTestId("winner");
    await expect(winner).toContainText("finesse wins");
    // A key that is pressed too soon after the end does nothing.
    await expect(async () => {
        await page.keyboard.press("Enter");
        await expect(winner).toHaveCount(0, { timeout: 100 });
    }).toPass();
    await begin(page);
    await expect(both).toHaveText(["0", "0"]);
});

test("both frames measure how far each side is, and the lead is shown between them", async ({ page }) => {
    await open(page, "race?left=lee&agent=finesse&mode=sprint-20");
    await page.getByTestId("agent-speed").selectOption("30");
    await page.getByTestId("start").click();
    await begin(page);
    const fills = page.locator("[data-phase] .fill");
    await expect(fills).toHaveCount(2);
    await expect(page.getByTestId("winner")).toBeVisible();
    const left = await page.getByTestId("lines").allInnerTexts();
    const reached = left.map((lines) => 20 - Number(lines));
    const heights = await fills.evaluateAll((all) =>
        all.map((fill) => Number.parseFloat((fill as HTMLElement).style.height)),
    );
    expect(heights).toEqual(reached.map((lines) => Math.min(100, lines * 5)));
});

test("the address holds the sides and the mode of a race", async ({ page }) => {
    await open(page, "race");
    await page.getByTestId("mode").selectOption("blitz");
    await page.getByTestId("right-agent").selectOption("blitz");
    await expect(page).toHaveURL(/agent=blitz/);
    await expect(page).toHaveURL(/mode=blitz/);
    await page.reload();
    await expect(page.getByTestId("mode")).toHaveValue("blitz");
    await expect(page.getByTestId("right-agent")).toHaveValue("blitz");
});
