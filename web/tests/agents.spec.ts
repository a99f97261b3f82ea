import { expect, test } from "@playwright/test";
import type { Request } from "../src/engine/messages";
import { agents, type Strength } from "./engine";
import { begin, frames, open, pieces, text } from "./page";

test("an agent is turned on and off in the middle of a game, which then counts for nobody", async ({
    page,
}) => {
    await open(page, "sprint?seed=5");
    await begin(page);
    await page.keyboard.press("Space");
    await page.keyboard.press("KeyG");
    await page.getByTestId("agent-speed").selectOption("30");
    await expect.poll(() => pieces(page)).toBeGreaterThan(10);
    await page.keyboard.press("KeyG");
    await expect(page.getByTestId("agent-toggle")).toContainText("Let the agent play");
    const before = await pieces(page);
    await page.keyboard.press("Space");
    await expect(page.getByTestId("pieces")).toHaveText(String(before + 1));
    await page.getByTestId("agent-speed").selectOption("0");
    await page.getByTestId("agent-toggle").click();
    await expect(page.getByTestId("outcome")).toHaveText("Cleared");
    await expect(page.getByTestId("score-note")).toContainText("Unranked");
});

test("hints and reasons are asked about in ranked games, and at hand in Practice", async ({ page }) => {
    await open(page, "sprint");
    await begin(page);
    for (const key of ["KeyH", "KeyE"]) {
        await page.keyboard.press(key);
        await expect(page.getByTestId("confirm")).toBeVisible();
        await page.keyboard.press("Escape");
        await expect(page.getByTestId("ranked")).toHaveText("Ranked");
    }
    await open(page, "practice?seed=5");
    await begin(page);
    await page.getByTestId("agent").selectOption("lee");
    await page.keyboard.press("KeyH");
    await expect(page.getByTestId("hint-keys")).toContainText("hard drop");
    await page.getByTestId("explain").click();
    const reasons = page.getByTestId("explanation");
    await expect(reasons).toContainText("Aggregate height");
    // The game waits while they are read, until a move is chosen.
    await expect(page.locator(".plate")).toHaveText("Paused to explain");
    const time = await text(page, "time");
    await page.keyboard.press("Space");
    await frames(page, 30);
    await expect(page.getByTestId("time")).toHaveText(time);
    await expect(page.getByTestId("pieces")).toHaveText("0");
    await page.keyboard.press("Enter");
    await expect(page.getByTestId("pieces")).toHaveText("1");
    await page.keyboard.press("KeyU");
    await expect(page.getByTestId("pieces")).toHaveText("0");
    // After a hold, the reasons are those for the piece that came.
    const piece = reasons.getByTestId("move").first().getByRole("img").first();
    const before = await piece.getAttribute("aria-label");
    for (const key of ["KeyE", "KeyC", "KeyE"]) await page.keyboard.press(key);
    await expect(piece).not.toHaveAttribute("aria-label", before ?? "");
    expect(page.workers()).toHaveLength(1);
    await page.keyboard.press("KeyE");
    await expect.poll(() => page.workers()).toHaveLength(0);
    // They are there too if they were asked for in a pause, or in the countdown, which can be paused.
    await page.keyboard.press("Escape");
    await page.keyboard.press("KeyE");
    await page.keyboard.press("Escape");
    await expect(reasons).toContainText("Aggregate height");
    await page.keyboard.press("KeyR");
    await page.keyboard.press("Escape");
    await expect(page.getByRole("heading", { name: "Paused" })).toBeVisible();
    await page.keyboard.press("KeyE");
    await page.keyboard.press("Escape");
    await begin(page);
    await expect(reasons).toContainText("Aggregate height");
    await page.getByTestId("agent").selectOption("random");
    await expect(reasons).toContainText("This agent does not explain its moves. Its choice is outlined.");
});

test("a fast agent's reasons can be read, and a pause shows what it was about to do", async ({ page }) => {
    await open(page, "watch");
    await page.getByTestId("explain").click();
    // In a Sprint its one term is the keys of the move.
    await expect(page.getByTestId("explanation")).toContainText("Next piece");
    await page.getByTestId("mode").selectOption("practice");
    await page.getByTestId("agent").selectOption("lee");
    await page.getByTestId("agent-speed").selectOption("0");
    await expect(page.getByTestId("explanation")).toContainText("Aggregate height");
    expect(page.workers()).toHaveLength(1);
    await page.keyboard.press("Escape");
    await expect(page.getByText("Paused", { exact: true })).toBeVisible();
    for (const preview of await page.locator("ol svg").all())
        await expect(preview).not.toHaveAttribute("aria-label", "none");
});

test("an agent plays as strong as was chosen, and the choice is kept", async ({ page }) => {
    // The limits that agents are given, in the order of their games.
    await page.addInitScript(() => {
        const limits: unknown[] = [];
        const { postMessage } = Worker.prototype;
        Worker.prototype.postMessage = function (this: Worker, request: Request) {
            if (request.kind === "be") limits.push(request.who.nodes ?? null);
            postMessage.call(this, request);
        };
        Object.assign(window, { limits });
    });
    const limit = () => page.evaluate(() => (window as unknown as { limits: unknown[] }).limits.at(-1));
    const known = agents().agents;
    const nodes = (strength: Strength) =>
        known.find(({ name }) => name === "blitz")?.strengths.find((each) => each.strength === strength)
            ?.nodes ?? 0;
    await open(page, "watch");
    await expect(page.getByTestId("strength")).toHaveCount(0);
    expect(await limit()).toBeNull();
    await page.getByTestId("mode").selectOption("blitz");
    await page.getByTestId("agent").selectOption("blitz");
    const strength = (name: string) => page.getByTestId("strength").last().getByRole("radio", { name });
    await expect(strength("Medium")).toBeChecked();
    await expect.poll(limit).toBe(nodes("normal"));
    await page.getByTestId("strength").getByText("Short").click();
    await expect.poll(limit).toBe(nodes("fast"));
    await expect.poll(() => pieces(page)).toBeGreaterThan(3);
    await page.reload();
    await expect(strength("Short")).toBeChecked();
    await expect.poll(limit).toBe(nodes("fast"));
    // The sides of a race have their own.
    await open(page, "race");
    await page.getByTestId("left").getByText("An agent").click();
    await page.getByTestId("left-agent").selectOption("blitz");
    await page.getByTestId("right-agent").selectOption("blitz");
    await page.getByTestId("strength").last().getByText("Long").click();
    await page.getByTestId("start").click();
    await begin(page);
    const limits = await page.evaluate(() => (window as unknown as { limits: unknown[] }).limits);
    expect(new Set(limits)).toEqual(new Set([nodes("fast"), nodes("strong")]));
});

test("an agent is watched to its end, and its score is on the leaderboard", async ({ page }) => {
    await open(page, "watch");
    await expect(page.locator("canvas")).toBeInViewport({ ratio: 0.99 });
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(720);
    await page.getByTestId("agent-speed").selectOption("0");
    await page.getByTestId("agent").selectOption("lee");
    await expect(page.getByTestId("outcome")).toHaveText("Cleared");
    await expect(page.getByTestId("score-note")).toHaveText(/^#\d+ among agents$/);
    await expect(page.getByRole("link", { name: "among agents" })).toHaveAttribute(
        "href",
        "#/scores?mode=sprint&by=agents",
    );
    await expect(page.getByRole("button", { name: "Watch again" })).toBeVisible();
    // The same game counts once.
    await page.getByTestId("end").getByRole("button", { name: "Same pieces" }).click();
    await expect(page.getByTestId("score-note")).toContainText("Already on the leaderboard");
    // Its replay runs at a speed that can be seen.
    await page.getByTestId("end").getByRole("link", { name: "Replay" }).click();
    const where = page.getByTestId("where");
    await expect(where).toHaveText(/^piece 0 of \d+$/);
    await page.getByTestId("speed").selectOption("1/s");
    await page.getByTestId("play").click();
    await expect(where).toHaveText(/^piece [1-9]\d? of/);
    await page.getByTestId("play").click();
    await page.getByTestId("timeline").fill("50");
    await expect(page.getByTestId("pieces")).toHaveText("50");
    await open(page, "watch");
    for (const mode of ["blitz", "practice", "classic"]) {
        await page.getByTestId("mode").selectOption(mode);
        await expect.poll(() => pieces(page)).toBeGreaterThan(5);
    }
});
