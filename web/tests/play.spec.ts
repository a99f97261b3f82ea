import { expect, test } from "@playwright/test";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { play } from "./engine";
import {
    begin,
    colours,
    countPaints,
    frames,
    heights,
    open,
    pieces,
    seconds,
    takes,
    tap,
    text,
} from "./page";

const PROGRAM = process.env["TETRION"] ?? "../target/release/tetrion";

test("a Sprint by key presses comes to the end screen, and its replay is true natively", async ({
    page,
}, info) => {
    const planned = play("finesse", "sprint", 7n);
    await open(page, "sprint?seed=7");
    await begin(page);
    for (const keys of planned.keys) await tap(page, keys);
    await expect(page.getByTestId("outcome")).toHaveText("Cleared");
    await expect(page.getByTestId("pieces")).toHaveText(String(planned.pieces));
    const end = page.getByTestId("end");
    for (const name of ["Score", "Lines", "Pieces", "Pieces/s", "Keys", "Finesse faults"]) {
        await expect(end.getByText(name, { exact: true })).toBeVisible();
    }
    await expect(page.getByTestId("score-note")).toHaveText(/^Unverified: .+ #\d+ on the Unverified list$/);

    await expect(page.getByTestId("result")).toHaveText(/^\d:\d\d\.\d\d$/);
    await end.getByRole("link", { name: "Watch the replay" }).click();
    const download = page.waitForEvent("download");
    await page.getByTestId("export-file").click();
    const file = info.outputPath("game.tetrion");
    await (await download).saveAs(file);
    const report = JSON.parse(execFileSync(PROGRAM, ["replay", "verify", file, "--json"]).toString());
    expect(report).toMatchObject({
        verified: true,
        mode: "sprint",
        outcome: "clear",
        pieces: planned.pieces,
        lines: planned.lines,
    });
});

test("the same moves give the same state in the browser's engine and natively", async ({}, info) => {
    for (const [agent, mode] of [
        ["finesse", "sprint"],
        ["lee", "sprint"],
        ["capstone", "blitz"],
        ["dellacherie", "classic"],
        ["sprint-fast", "sprint"],
    ] as const) {
        for (const seed of [1n, 2n, 18_446_744_073_709_551_615n]) {
            const played = play(agent, mode, seed, 200);
            const file = info.outputPath(`${agent}-${mode}-${seed}.tetrion`);
            writeFileSync(file, played.replay);
            const report = JSON.parse(execFileSync(PROGRAM, ["replay", "verify", file, "--json"]).toString());
            expect(report).toMatchObject({
                verified: true,
                state_hash: played.stateHash,
                pieces: played.pieces,
            });
        }
    }
});

test("a Blitz is over after three minutes", async ({ page }) => {
    await page.clock.install();
    await page.goto("#/blitz?seed=7");
    await page.clock.runFor(2000);
    await expect(page.getByTestId("time")).toHaveText(/^2:5/);
    // A piece every twelve seconds, so that the stack does not reach the top.
    for (const keys of play("finesse", "blitz", 7n, 15).keys) {
        await page.clock.runFor(12_000);
        await tap(page, keys);
    }
    await page.clock.runFor(2000);
    await expect(page.getByTestId("outcome")).toHaveText("Time's up");
    await expect(page.getByTestId("time")).toHaveText("0:00.00");
});

test("a stack that reaches the top ends the game", async ({ page }) => {
    await open(page, "sprint?seed=3");
    await begin(page);
    for (let drops = 0; drops < 15; drops++) await page.keyboard.press("Space");
    await expect(page.getByTestId("outcome")).toHaveText("Topped out");
    await expect(page.getByTestId("result")).toHaveText("0of 40 lines");
    await page.getByTestId("end").getByRole("button", { name: "Same pieces" }).click();
    await begin(page);
    await expect(page.getByTestId("pieces")).toHaveText("0");
    for (let drops = 0; drops < 15; drops++) await page.keyboard.press("Space");
    await expect(page.getByTestId("end")).toBeVisible();
    // A gamepad's button starts another, if it is pressed a moment after the end.
    await page.evaluate(() => {
        const pad = (pressed: boolean) => [{ buttons: [{ pressed }], axes: [] }] as unknown as Gamepad[];
        navigator.getGamepads = () => pad(Math.floor(performance.now() / 200) % 2 === 0);
    });
    await expect(page.getByTestId("end")).toBeHidden();
});

test("the hold is used once for each piece", async ({ page }) => {
    await open(page, "sprint?seed=3");
    await begin(page);
    const label = page.getByTestId("hold-label");
    const held = page.locator(".hold svg");
    await page.keyboard.press("KeyC");
    await expect(held).not.toHaveAttribute("aria-label", "none");
    const first = await held.getAttribute("aria-label");
    await expect(label).toHaveClass(/used/);
    await page.keyboard.press("KeyC");
    await expect(held).toHaveAttribute("aria-label", first ?? "");
    await page.keyboard.press("Space");
    await expect(label).not.toHaveClass(/used/);
});

test("Practice takes placements back and makes them again", async ({ page }) => {
    await open(page, "practice?seed=3");
    await begin(page);
    for (let drops = 0; drops < 4; drops++) await page.keyboard.press("Space");
    await expect(page.getByTestId("pieces")).toHaveText("4");
    await page.keyboard.press("KeyU");
    await page.keyboard.press("KeyU");
    await expect(page.getByTestId("pieces")).toHaveText("2");
    await page.keyboard.press("KeyY");
    await expect(page.getByTestId("pieces")).toHaveText("3");
    for (let drops = 0; drops < 15; drops++) await page.keyboard.press("Space");
    await expect(page.getByTestId("outcome")).toHaveText("Topped out");
    await page.keyboard.press("KeyU");
    await expect(page.getByTestId("end")).toBeHidden();
});

test("a pause stops the time and hides the pieces", async ({ page }) => {
    await open(page, "sprint?seed=3");
    await begin(page);
    const seen = await colours(page);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("heading", { name: "Paused" })).toBeVisible();
    const time = await text(page, "time");
    await page.keyboard.press("KeyC");
    await frames(page, 2);
    const paints = await countPaints(page);
    await frames(page, 25);
    expect(await text(page, "time")).toBe(time);
    expect(await paints(), "nothing is painted").toBe(0);
    for (const preview of await page.locator("ol svg, .hold svg").all())
        await expect(preview).toHaveAttribute("aria-label", "none");
    expect(await colours(page)).toBeLessThan(seen);
    // Space presses the button in focus; a direction that is held acts when the game goes on.
    await expect(page.getByRole("button", { name: "Resume" }).last()).toBeFocused();
    await page.keyboard.down("ArrowLeft");
    await page.keyboard.press("Space");
    await seconds(page, 1);
    await page.keyboard.press("Space");
    await expect(page.getByTestId("pieces")).toHaveText("1");
    expect((await heights(page))[0]).toBeGreaterThan(0);
});

test("stored settings that don't fit are left out, and a screen that fails has a way out", async ({
    page,
}) => {
    const store = (key: string, value: unknown) =>
        page.evaluate(
            ([key, value]) => localStorage.setItem(`tetrion.${key}`, JSON.stringify(value)),
            [key, value],
        );
    await open(page, "");
    await store("settings", {
        bindings: { left: null, hold: [7], hardDrop: ["KeyK"] },
        repeatDelay: "abc",
        palette: "x",
        name: 7,
        agent: "nobody",
        theme: "light",
    });
    await store("tiny", [null, { cleared: "many" }]);
    await open(page, "practice?seed=3");
    await begin(page);
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("KeyK");
    await expect(page.getByTestId("pieces")).toHaveText("1");
    await expect(page.getByTestId("agent")).toHaveValue("finesse");
    await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
    await open(page, "tiny");
    await expect(page.getByTestId("tiny-mean")).toHaveText("–");
    await store("settings", { repeatDelay: 1e15 });
    await open(page, "practice?seed=4");
    await expect(page.getByTestId("failed")).toContainText("can't be shown");
    await page.getByTestId("failed").getByRole("link", { name: "Menu" }).click();
    await page.goto("#/practice?seed=4");
    await page.getByRole("button", { name: "Reset settings" }).click();
    await begin(page);
});

test("Space presses what is in focus, unless a game is played with it", async ({ page }) => {
    await open(page, "race");
    await page.getByTestId("start").focus();
    await page.keyboard.press("Space");
    await begin(page);
    await page.keyboard.press("Space");
    await expect(page.getByTestId("pieces").first()).toHaveText("1");

    await open(page, "watch");
    await page.getByLabel("Hard drops only").focus();
    await page.keyboard.press("Space");
    await expect(page.getByLabel("Hard drops only")).toBeChecked();

    await open(page, "sprint?seed=3");
    await begin(page);
    // Those that come after the end start no other game.
    for (let drops = 0; drops < 20; drops++) await page.keyboard.press("Space");
    await expect(page.getByTestId("outcome")).toHaveText("Topped out");
    await expect(page.getByTestId("end")).toBeFocused();
    await page.getByTestId("end").getByRole("button", { name: "Play again" }).focus();
    await page.keyboard.press("Space");
    await expect(page.getByTestId("end")).toBeHidden();
});

test("the browser keeps its shortcuts, and the keys that no game takes", async ({ page }) => {
    await open(page, "sprint?seed=3");
    await begin(page);
    for (const keys of ["ArrowDown", "Control+KeyC"])
        expect([keys, await takes(page, keys)]).toEqual([keys, true]);
    for (const keys of [
        "Control+KeyR",
        "Control+Shift+KeyR",
        "Control+KeyP",
        "Alt+ArrowLeft",
        "Control+KeyU",
        "KeyU",
    ])
        expect([keys, await takes(page, keys)]).toEqual([keys, false]);
    await expect(page.locator("[data-phase=playing]")).toBeVisible();
    for (const screen of ["watch", "race"]) {
        await open(page, screen);
        await expect(page.getByTestId("mode")).toBeVisible();
        for (const keys of ["ArrowDown", "Space", "Control+KeyC", "Control+KeyR"])
            expect([screen, keys, await takes(page, keys)]).toEqual([screen, keys, false]);
    }
    await open(page, "tiny");
    await expect(page.getByTestId("tiny-board")).toBeVisible();
    expect(await takes(page, "Control+KeyR")).toBe(false);
    expect(await takes(page, "ArrowLeft")).toBe(true);
});

test("a lost game of Practice is kept once, and keys that were down at its end act anew after an undo", async ({
    page,
}) => {
    const lose = async () => {
        await begin(page);
        for (let drops = 0; drops < 15; drops++) await page.keyboard.press("Space");
        await expect(page.getByTestId("outcome")).toHaveText("Topped out");
    };
    await open(page, "practice?seed=3");
    await lose();
    await page.keyboard.press("KeyY");
    await page.keyboard.press("KeyY");
    await expect(page.getByTestId("end").getByRole("link", { name: "Watch the replay" })).toBeVisible();
    await open(page, "replays");
    await expect(page.getByTestId("replays").getByRole("link")).toHaveCount(1);
    await open(page, "practice?seed=3");
    await lose();
    for (let undos = 0; undos < 3; undos++) await page.keyboard.press("KeyU");
    const left = await pieces(page);
    await page.keyboard.press("Space");
    await expect(page.getByTestId("pieces")).toHaveText(String(left + 1));
    // Started again, it is there as it was left, in place of what was kept at its loss.
    await page.keyboard.press("KeyR");
    await begin(page);
    await page.goto("#/replays");
    const kept = page.getByTestId("replays").getByRole("listitem");
    await expect(kept).toHaveCount(2);
    await expect(kept.first()).toContainText("Not finished");
});

test("an agent that is turned on in the countdown with a key held begins at time 0", async ({ page }) => {
    await open(page, "blitz?seed=3");
    await expect(page.locator("[data-phase=countdown]")).toBeVisible();
    await page.keyboard.down("ArrowLeft");
    await page.keyboard.press("KeyG");
    await begin(page);
    await expect(page.getByTestId("time")).toHaveText(/^(3:00|2:5)/);
    await page.keyboard.up("ArrowLeft");
    await expect.poll(() => pieces(page)).toBeGreaterThan(1);
});

test("a Blitz played by hand is verified, with its pause, and counts once", async ({ page }) => {
    const tickets: string[] = [];
    page.on("request", (request) => {
        const ticket = request.headers()["tetrion-ticket"];
        if (ticket) tickets.push(ticket);
    });
    await open(page, "blitz");
    await begin(page);
    const end = page.getByTestId("end");
    for (let piece = 0; !(await end.isVisible()); piece++) {
        // Hands need time for a piece, and never the same.
        await page.waitForTimeout(120 + ((piece * 37) % 90));
        if (piece === 5) {
            await page.getByRole("button", { name: "Pause" }).click();
            await expect(page.getByText("After 5 minutes of pause in total")).toBeVisible();
            const renewed = page.waitForResponse("**/api/tickets/resume");
            await page.getByRole("button", { name: "Resume" }).last().click();
            expect((await renewed).status()).toBe(200);
        }
        await page.keyboard.press("Space", { delay: 40 });
    }
    await expect(page.getByTestId("score-note")).toHaveText(/^#\d+ on the leaderboard$/);
    const [best] = (await (await page.request.get("/api/scores?mode=blitz&by=people")).json()).scores;
    const replay = await page.request.get(`/api/scores/${best.id}/replay`);
    const again = await page.request.post("/api/scores", {
        headers: { "Tetrion-Ticket": tickets.at(-1) ?? "" },
        data: await replay.body(),
    });
    expect(again.status()).toBe(409);
});
