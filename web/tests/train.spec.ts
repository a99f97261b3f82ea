import { expect, test, type Page } from "@playwright/test";
import type { Row, RunDetails } from "../src/state/api";
import { open, text } from "./page";

const orders = (page: Page) => {
    const sent: { recipe: string; changes: Record<string, string> }[] = [];
    page.on("request", (request) => {
        if (request.method() === "POST" && request.url().endsWith("/api/training"))
            sent.push(request.postDataJSON() as (typeof sent)[number]);
    });
    return sent;
};

/** A run as the server would tell of it. */
function details(changes: Partial<RunDetails>): RunDetails {
    return {
        id: 7,
        name: "lee 7",
        recipe: "lee",
        objective: "lines in practice, 200 pieces",
        game: { mode: "practice", width: 10, height: 20 },
        state: "running",
        generation: 0,
        generations: 40,
        games: 0,
        seconds: 0,
        best: null,
        judging: null,
        error: null,
        rows: [],
        weights: { names: ["holes", "complete_lines"], values: [] },
        judgement: null,
        ...changes,
    };
}

function row(generation: number, scores: Pick<Row, "best" | "mean" | "std" | "min">): Row {
    return {
        generation,
        evaluations: 0,
        games: 100 * generation,
        seconds: 60 * generation,
        saved: 0,
        ...scores,
    };
}

/** Shows a run that no server trains; its events stay as they are told. */
async function show(page: Page, run: RunDetails, news: object[] = []): Promise<void> {
    const { rows, weights, judgement, ...summary } = run;
    void [rows, weights, judgement];
    await page.route("**/api/training", (route) => route.fulfill({ json: [summary] }));
    await page.route("**/api/training/*/best", (route) => route.fulfill({ status: 404, body: "none yet" }));
    await page.route("**/api/training/*/events", (route) =>
        route.fulfill({
            headers: { "Content-Type": "text/event-stream" },
            // The browser asks again only after a long time.
            body: `retry: 600000\n\n${[run, ...news].map((told) => `event: state\ndata: ${JSON.stringify(told)}\n\n`).join("")}`,
        }),
    );
    await open(page, `train/${run.id}`);
}

test("a run is started with two choices", async ({ page }) => {
    const sent = orders(page);
    await open(page, "train");
    await page.getByTestId("goal-capstone").click();
    await page.getByTestId("length").getByText("Short").click();
    await expect(page.getByTestId("plan")).toContainText("15 generations of 60 candidates");
    await page.getByTestId("train-start").click();
    await expect(page).toHaveURL(/#\/train\/\d+$/);
    await expect(page.getByTestId("run")).toContainText(/Sprint, run \d+/);
    expect(sent).toEqual([{ recipe: "capstone", changes: { generations: "15" } }]);
    await expect(page.getByTestId("run").getByTestId("run-state")).toHaveText(/Training|Judging|Finished/);
    await expect(page.getByTestId("best-game").getByTestId("pieces")).toBeVisible({ timeout: 60_000 });
    await expect(page.getByTestId("weights-in-words")).toContainText("It ");
});

test("settings are folded, and their line counts what differs from the recipe", async ({ page }) => {
    await open(page, "train");
    const line = page.getByTestId("changed");
    const population = page.getByTestId("parameter-population");
    await expect(line).toHaveText("· none changed");
    await expect(population).toBeHidden();
    await page.getByTestId("length").getByText("Long").click();
    await expect(line).toHaveText("· 1 changed");
    await page.getByText("All settings").click();
    const own = await population.inputValue();
    await population.fill("12");
    await expect(line).toHaveText("· 2 changed");
    await population.fill(own);
    await expect(line).toHaveText("· 1 changed");
    await page.getByRole("button", { name: "Back to the recipe" }).click();
    await expect(line).toHaveText("· none changed");
    // Another goal begins with its own recipe.
    await population.fill("12");
    await page.getByTestId("goal-blitz").click();
    await expect(line).toHaveText("· none changed");
});

test("the chart of a long run under way grows with it, and starting another is not what comes next", async ({
    page,
}) => {
    const rows = [10, 20, 30].map((generation) => row(generation, { best: 80, mean: 60, std: 9, min: 12 }));
    await show(page, details({ generation: 30, generations: 600, rows }));
    await expect(page.getByTestId("run")).toContainText("Surviving, run 7");
    await expect(page.getByTestId("run")).toContainText("recipe lee");
    const chart = page.getByRole("img", { name: /^Best and mean/ });
    await expect(chart).toContainText("Generation, 600 in all");
    const across = await chart.evaluate((svg) => {
        const [line, frame] = [".c-accent path", ".c-frame"].map((name) =>
            (svg.querySelector(name) as SVGPathElement).getBBox(),
        );
        return ((line?.x ?? 0) + (line?.width ?? 0) - (frame?.x ?? 0)) / (frame?.width ?? 1);
    });
    expect(across).toBeCloseTo((30 - 10) / (100 - 10), 1);
    await expect(page.getByTestId("train-start")).toHaveText(/^Start another/);
    await expect(page.getByTestId("train-start")).not.toHaveClass(/primary/);
});

test("each length says how long it takes: as in an earlier run, or else on one core", async ({ page }) => {
    await show(page, details({ state: "stopped", generation: 10, generations: 40, seconds: 20 }));
    const lengths = page.getByTestId("length").locator("label");
    await expect(lengths).toHaveText([/Short\s*20 s/, /Full\s*1 min/, /Long\s*4 min/]);
    await expect(page.getByTestId("plan")).toHaveText(
        "40 generations: 100 candidates, then 30 new ones in each, 5 games per candidate. Takes about 1 min.",
    );
    await page.getByTestId("goal-blitz").click();
    await expect(lengths).toHaveText([/Short\s*½–1 h/, /Full\s*1–2 h/, /Long\s*4–8 h/]);
    await expect(page.getByTestId("plan")).toContainText("Takes 1–2 h on one core.");
    await page.getByTestId("goal-other").click();
    await expect(lengths.first()).toHaveText(/Short\s*\d+ gen\./);
    await expect(page.getByTestId("train-start")).toHaveText(/^Start\s/);
    await expect(page.getByTestId("train-start")).toHaveClass(/primary/);
});

test("judging shows as progress, in games", async ({ page }) => {
    const run = details({ generation: 40, rows: [row(40, { best: 80, mean: 60, std: 9, min: 12 })] });
    const { rows, weights, judgement, ...summary } = run;
    void [rows, weights, judgement];
    await show(page, run, [{ ...summary, judging: { done: 1420, total: 2100 } }]);
    await expect(page.getByTestId("generation")).toHaveText("Judging: 1,420 of 2,100 games");
    await expect(page.getByTestId("run").getByTestId("run-state")).toHaveText("Judging");
    await expect(page.getByRole("progressbar")).toHaveAttribute("aria-valuenow", "1420");
});

test("the chart's band stays within what candidates scored: not below zero", async ({ page }) => {
    const rows = [
        row(1, { best: 6, mean: 2, std: 40, min: 0 }),
        row(2, { best: 90, mean: 20, std: 55, min: 0 }),
        row(3, { best: 120, mean: 60, std: 30, min: 4 }),
    ];
    await show(page, details({ generation: 3, rows, state: "stopped" }));
    const band = page.getByTestId("band").first();
    await expect(band).toHaveAttribute("d", /M/);
    const chart = page.getByRole("img", { name: /^Best and mean/ });
    // The frame's floor is zero, and nothing of the band is under it.
    await expect(chart.locator("text").first()).toHaveText("0");
    const [floor, lowest] = await chart.evaluate((svg) => {
        const frame = svg.querySelector(".c-frame") as SVGPathElement;
        const band = svg.querySelector("[data-testid=band]") as SVGPathElement;
        const bottom = (path: SVGPathElement) => path.getBBox().y + path.getBBox().height;
        return [bottom(frame), bottom(band)] as const;
    });
    expect(lowest).toBeLessThanOrEqual(floor + 0.1);
    await expect(page.getByTestId("generation")).toHaveText("Stopped at generation 3 of 40");
});

test("a run that was stopped after its last generation is finished, and can still be judged", async ({
    page,
}) => {
    const rows = [row(40, { best: 80, mean: 60, std: 9, min: 12 })];
    await show(
        page,
        details({ state: "stopped", generation: 40, generations: 40, games: 4000, seconds: 90, rows }),
    );
    await expect(page.getByTestId("run").getByTestId("run-state")).toHaveText("Finished");
    await expect(page.getByTestId("generation")).toHaveText("40 generations, 4,000 games in 2 min");
    await expect(page.getByTestId("train-resume")).toContainText("Judge it");
});

test("a trained agent is raced and watched from its run", async ({ page }) => {
    await open(page, "train");
    await page.getByText("All settings").click();
    await page.getByTestId("parameter-population").fill("8");
    await page.getByTestId("parameter-generations").fill("2");
    await page.getByTestId("train-start").click();
    await expect(page).toHaveURL(/#\/train\/\d+$/);
    const agent = `run-${page.url().split("/").at(-1)}`;
    await expect(page.getByTestId("race-it")).toHaveAttribute("href", `#/race?agent=${agent}`, {
        timeout: 60_000,
    });
    await page.keyboard.press("w");
    await expect(page).toHaveURL(new RegExp(`#/watch\\?agent=${agent}&mode=practice`));
    await expect(page.getByTestId("pieces")).not.toHaveText("0");
});

test("the agent's file can be had on a phone too", async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await show(page, details({ state: "finished", generation: 40, games: 4000, seconds: 90 }));
    await expect(page.getByRole("link", { name: "Agent file" })).toBeVisible();
});

test("a chart is read off by keys, with thousands separators", async ({ page }) => {
    const rows = [1, 2, 3].map((number) =>
        row(number, { best: 4000 + number, mean: 3000 + number, std: 10, min: 2000 }),
    );
    await show(page, details({ generation: 3, rows, state: "stopped" }));
    const slider = page.getByRole("slider", { name: "Read off: Generation" });
    await slider.focus();
    await page.keyboard.press("ArrowLeft");
    await expect(slider).toHaveAttribute(
        "aria-valuetext",
        "Generation 2: Best of its generation 4,002, Mean 3,002",
    );
});

test("a run that failed says why, and a server that is away is told", async ({ page }) => {
    await show(page, details({ state: "failed", generation: 3, error: "the disk is full" }));
    await expect(page.getByTestId("run").getByTestId("run-state")).toHaveText("Failed");
    await expect(page.getByTestId("run").getByRole("alert")).toHaveText("The disk is full.");
    await expect(page.getByTestId("train-resume")).toBeVisible();
    await page.route("**/api/training/*/resume", (route) => route.abort());
    await page.keyboard.press("s");
    await expect(page.getByTestId("run").getByRole("alert").last()).toContainText("server does not respond");
});

test("a run is deleted only after a question", async ({ page }) => {
    await show(page, details({ state: "stopped", generation: 3 }));
    let deleted = 0;
    await page.route("**/api/training/7", (route) => {
        if (route.request().method() === "DELETE") deleted++;
        return route.fulfill({ status: 204 });
    });
    await page.getByTestId("train-remove").click();
    await page.keyboard.press("Escape");
    await expect(page.getByTestId("confirm")).toBeHidden();
    expect(deleted).toBe(0);
    await page.getByTestId("train-remove").click();
    await page.keyboard.press("d");
    await expect.poll(() => deleted).toBe(1);
    await expect(page).toHaveURL(/#\/train$/);
});

test("where there is no run yet, the page says what will be here and starts one", async ({ page }) => {
    const sent = orders(page);
    await page.route("**/api/training", (route) =>
        route.request().method() === "GET" ? route.fulfill({ json: [] }) : route.abort(),
    );
    await open(page, "train");
    await expect(page.getByTestId("no-runs")).toContainText("No runs yet");
    await expect(page.getByTestId("train-start")).toBeEnabled();
    await page.keyboard.press("Enter");
    await expect(page.getByTestId("train-error")).toContainText("The server does not respond");
    expect(sent).toHaveLength(1);
});

test("Tiny is played by keys alone, to its end and again", async ({ page }) => {
    await open(page, "tiny");
    const board = page.getByTestId("tiny-board");
    await expect(board).toHaveAccessibleName(/over column/);
    // Lying, an S is as wide as the board.
    if ((await board.getAttribute("aria-label"))?.includes("the S")) await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    await expect(board).toHaveAccessibleName(/over column 1$/);
    await page.keyboard.press("ArrowRight");
    await expect(board).toHaveAccessibleName(/over column 2$/);
    for (let moves = 0; moves < 200 && !(await page.getByTestId("tiny-over").isVisible()); moves++) {
        await page.keyboard.press(moves % 2 ? "Space" : "ArrowUp");
    }
    await expect(page.getByTestId("tiny-over")).toBeVisible();
    await page.keyboard.press("Enter");
    await expect(page.getByTestId("tiny-over")).toBeHidden();
    expect(await text(page, "tiny-placed")).toBe("0");
    await page.keyboard.press("o");
    await expect(page.getByTestId("tiny-choice")).toContainText("The move was the best");
    await page.keyboard.press("?");
    await expect(page.getByTestId("keys")).toContainText("Watch perfect play");
});
