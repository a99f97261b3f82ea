import { expect, test, type Page } from "@playwright/test";
import { begin, open, pieces } from "./page";

/** A number as the page writes it, in hundredths. */
const hundredths = (text: string) => Math.round(Number(text.replace("−", "-").replaceAll(",", "")) * 100);

/** Stops the game, so that its reasons stay. */
async function pause(page: Page): Promise<void> {
    await expect.poll(() => pieces(page)).toBeGreaterThan(5);
    await page.keyboard.press("Escape");
    await expect(page.locator("[data-phase=paused]")).toHaveCount(1);
}

test("the address holds the agent and the mode, and a link shows them without changing the visitor's own", async ({
    page,
    browser,
    baseURL,
}) => {
    await open(page, "watch");
    await page.getByTestId("agent").selectOption("lee");
    await page.getByTestId("mode").selectOption("classic");
    await page.keyboard.press("KeyE");
    await expect(page).toHaveURL(/#\/watch\?agent=lee&mode=classic&explain=1$/);
    const link = page.url();
    await page.reload();
    await expect(page.getByTestId("agent")).toHaveValue("lee");
    await expect(page.getByTestId("mode")).toHaveValue("classic");
    await expect(page.getByTestId("explanation")).toBeVisible();
    const visitor = await browser.newContext(baseURL ? { baseURL } : {});
    const other = await visitor.newPage();
    await other.goto(link);
    await expect(other.getByTestId("agent")).toHaveValue("lee");
    await open(other, "watch");
    await expect(other.getByTestId("agent")).toHaveValue("finesse");
    // An address that is opened while the screen is shown counts too.
    await other.goto(link);
    await expect(other.getByTestId("agent")).toHaveValue("lee");
    await visitor.close();
    // An address that names nobody is an address all the same.
    await open(page, "watch?agent=nobody&mode=nothing");
    await expect(page.getByTestId("agent")).toHaveValue("lee");
    await expect(page.getByTestId("mode")).toHaveValue("sprint");
});

test("on a phone on its side the choices are a line, and the explanation has the room", async ({ page }) => {
    await page.setViewportSize({ width: 844, height: 390 });
    await open(page, "watch?agent=lee&mode=practice&explain=1");
    await expect(page.getByText("lee, Practice, ")).toBeVisible();
    await expect(page.getByTestId("agent")).toBeHidden();
    await expect(page.getByTestId("move").first()).toBeInViewport({ ratio: 1 });
    await page.getByTestId("change").click();
    await page.getByTestId("agent").selectOption("dellacherie");
    await page.getByTestId("change").click();
    await expect(page.getByText("dellacherie, Practice, ")).toBeVisible();
    await expect(page.getByTestId("agent")).toBeHidden();
});

test("pointing at a move draws its path key by key, and the game waits", async ({ page }) => {
    await open(page, "watch?agent=lee&mode=practice&explain=1");
    await expect.poll(() => pieces(page)).toBeGreaterThan(3);
    const moves = page.getByTestId("move");
    await expect(page.getByTestId("pointed")).toHaveCount(0);
    await moves.first().hover();
    await expect(page.getByTestId("path")).toBeVisible();
    await expect(page.getByText("Paused while you point")).toBeVisible();
    await expect(page.getByTestId("move-cells").locator(".edge")).not.toHaveClass(/dashed/);
    // As many signs on the board as there are keys.
    const keys = (await page.getByTestId("move-keys").locator("kbd").count()) || -1;
    await expect(page.getByTestId("path").locator(".sign")).toHaveCount(keys);
    // Moves that were not chosen are dashed.
    await moves.nth(1).hover();
    await expect(page.getByTestId("move-cells").locator(".edge")).toHaveClass(/dashed/);
    const before = await pieces(page);
    await page.mouse.move(0, 0);
    await expect(page.getByTestId("pointed")).toHaveCount(0);
    await expect.poll(() => pieces(page)).toBeGreaterThan(before);
});

test("pointing at a feature draws its cells and says what it counts, by keyboard and by touch too", async ({
    page,
}) => {
    await open(page, "watch?agent=dellacherie&mode=classic&explain=1");
    await pause(page);
    const term = (name: string) => page.getByTestId("term").filter({ hasText: name });
    const cells = page.getByTestId("term-cells");
    await term("Row transitions").hover();
    await expect(cells).toHaveAttribute("data-term", "row_transitions");
    await expect(cells.locator(".dimmed")).toHaveAttribute("d", /^M\d/);
    await expect(page.getByRole("list", { name: "Legend" }).getByText("its cells")).toBeVisible();
    const said = page.getByText(/^Row transitions\. .*filled and empty/i);
    // Above the table, not under its sum.
    const [note, table] = [await said.boundingBox(), await page.getByTestId("terms").boundingBox()];
    expect((note?.y ?? 0) + (note?.height ?? 0)).toBeLessThanOrEqual(table?.y ?? 0);
    await page.mouse.move(0, 0);
    await expect(cells).toHaveCount(0);
    await term("Landing height").focus();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await expect(cells).toHaveAttribute("data-term", "row_transitions");
    // What is chosen stays until it is chosen again.
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await page.getByTestId("agent").focus();
    await expect(cells).toHaveAttribute("data-term", "row_transitions");
    await term("Row transitions").click();
    await page.mouse.move(0, 0);
    await expect(cells).toHaveCount(0);
});

test("in Practice the move that is shown can be played", async ({ page }) => {
    await open(page, "practice?seed=7");
    await begin(page);
    await page.getByTestId("explain").click();
    await page.getByTestId("move").nth(1).click();
    await page.keyboard.press("Enter");
    await expect.poll(() => pieces(page)).toBe(1);
    await page.getByTestId("play-move").click();
    await expect.poll(() => pieces(page)).toBe(2);
});

test("the keys are those of the move that is shown, also while a feature of it is pointed at", async ({
    page,
}) => {
    await open(page, "watch?agent=lee&mode=practice&explain=1");
    await pause(page);
    const keys = page.getByTestId("move-keys").locator(".words");
    const texts = new Set<string>();
    for (const move of await page.getByTestId("move").all()) {
        await move.click();
        const text = await keys.innerText();
        texts.add(text);
        await page.getByTestId("term").first().click();
        await expect(page.getByTestId("term-cells")).toHaveCount(1);
        await expect(move).toHaveAttribute("aria-pressed", "true");
        await expect(keys).toHaveText(text);
        await page.mouse.move(0, 0);
        await expect(keys).toHaveText(text);
    }
    expect(texts.size).toBeGreaterThan(1);
});

test("the chosen move has a solid edge while a feature is pointed at, and another a dashed one", async ({
    page,
}) => {
    await open(page, "watch?agent=lee&mode=practice&explain=1");
    await pause(page);
    const edge = page.getByTestId("pointed").locator(".move");
    for (const [place, dashed] of [
        [0, false],
        [1, true],
    ] as const) {
        await page.getByTestId("move").nth(place).click();
        await page.getByTestId("term").first().hover();
        if (dashed) await expect(edge).toHaveClass(/dashed/);
        else await expect(edge).toHaveClass(/chosen/);
    }
});

test("the parts of every shown move add up to its score", async ({ page }) => {
    for (const agent of ["lee", "slide", "bcts", "finesse"]) {
        await open(page, `watch?agent=${agent}&mode=sprint&explain=1`);
        await pause(page);
        for (const move of await page.getByTestId("move").all()) {
            await move.click();
            const amounts = (await page.getByTestId("amount").allInnerTexts()).map(hundredths);
            const total = await page.getByTestId("total").innerText();
            expect(amounts.length).toBeGreaterThan(0);
            expect(amounts.reduce((sum, amount) => sum + amount, 0)).toBe(hundredths(total));
            await expect(move).toContainText(total);
            // All but the best are compared with it, and that adds up too.
            const against = (await page.getByTestId("against").allInnerTexts()).map(hundredths);
            const behind = await page.getByTestId("behind").allInnerTexts();
            expect([against.reduce((sum, amount) => sum + amount, 0)]).toEqual(
                behind.length ? behind.map(hundredths) : [0],
            );
        }
    }
});

test("in Practice a person's explanation points at the board as well, move after move", async ({ page }) => {
    await open(page, "practice?seed=5");
    await begin(page);
    await page.getByTestId("agent").selectOption("lee");
    await page.getByTestId("explain").click();
    await page.getByTestId("move").first().hover();
    await expect(page.getByTestId("path")).toBeVisible();
    // The game waits: a key drops nothing, but the move that is explained can be played.
    await page.keyboard.press("Space");
    await page.getByTestId("play-move").click();
    await expect(page.getByTestId("pieces")).toHaveText("1");
    await page.getByTestId("move").first().hover();
    await expect(page.getByTestId("path")).toBeVisible();
});

test("an agent whose thread stops is started again", async ({ page }) => {
    await page.addInitScript(() => {
        // The first thread dies when it is asked; those after it work.
        const { postMessage } = Worker.prototype;
        let dead = false;
        Worker.prototype.postMessage = function (this: Worker, request: { kind: string }) {
            if (request.kind !== "think" || dead) return postMessage.call(this, request);
            dead = true;
            this.dispatchEvent(new ErrorEvent("error"));
        };
    });
    await open(page, "watch?agent=lee");
    await expect(page.getByTestId("trouble")).toHaveText("The agent's thread stopped.");
    await page.getByRole("button", { name: "Try again" }).click();
    await expect(page.getByTestId("trouble")).toHaveCount(0);
    await expect.poll(() => pieces(page)).toBeGreaterThan(3);
});
