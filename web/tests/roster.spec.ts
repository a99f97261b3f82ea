import { expect, test, type Page } from "@playwright/test";
import { writeFileSync } from "node:fs";
import { begin, open, pieces } from "./page";

/** The file of an agent that looks at one thing. */
const AGENT = `
version = 1
name = "flat"
source = "this test"
about = "keeps the board flat"
judged = "before_clearing"

[weights]
aggregate_height = -0.5
holes = -0.9
bumpiness = -0.2
complete_lines = 0.8

[search]
plies = 1
movement = "hard"
hold = false
`;

/** Lets the server list one training run, and give its best agent if there is one. */
async function trained(page: Page, best: string | null): Promise<void> {
    const run = {
        id: 7,
        name: "lee run 7",
        recipe: "lee",
        objective: "lines in practice",
        game: { mode: "practice", width: 10, height: 20 },
        state: "finished",
        generation: 3,
        generations: 3,
        games: 30,
        seconds: 1,
        best: 5,
        judging: null,
        error: null,
    };
    await page.route("**/api/training", (route) => route.fulfill({ json: [run] }));
    await page.route("**/api/training/7/best", (route) =>
        best === null
            ? route.fulfill({ status: 404, json: { error: "there is no such run" } })
            : route.fulfill({ body: best }),
    );
}

test("the best agent of a training run plays in Watch and races, by its address", async ({ page }) => {
    await trained(page, AGENT);
    await open(page, "watch?agent=run-7&mode=practice");
    await expect.poll(() => pieces(page)).toBeGreaterThan(3);
    await expect(page.getByTestId("agent")).toHaveValue("run-7");
    await expect(page.getByTestId("agent").locator("option:checked")).toHaveText("Surviving, run 7");
    await open(page, "race?agent=run-7");
    await expect(page.getByTestId("right-agent")).toHaveValue("run-7");
    await page.getByTestId("start").click();
    await begin(page);
    await expect
        .poll(async () => Number(await page.getByTestId("pieces").last().innerText()))
        .toBeGreaterThan(2);
    await expect(page.getByRole("region", { name: "Board of Surviving, run 7" })).toBeVisible();
});

test("a training run that is gone says so, and can be tried again", async ({ page }) => {
    await trained(page, null);
    await open(page, "watch?agent=run-7");
    await expect(page.getByTestId("trouble")).toHaveText("There is no such run.");
    await trained(page, AGENT);
    await page.getByRole("button", { name: "Try again" }).click();
    await expect.poll(() => pieces(page)).toBeGreaterThan(3);
});

test("an agent from a file plays, stays in this browser, and a wrong file is refused in words", async ({
    page,
}, info) => {
    const [good, bad] = [info.outputPath("flat.toml"), info.outputPath("bad.toml")];
    writeFileSync(good, AGENT);
    writeFileSync(bad, "nothing");
    await open(page, "race");
    await page.getByTestId("agent-file").setInputFiles(bad);
    await expect(page.getByTestId("agent-file-trouble")).not.toBeEmpty();
    await page.getByTestId("agent-file").setInputFiles(good);
    await expect(page.getByTestId("right-agent")).toHaveValue("file-flat");
    await expect(page.getByTestId("agent-file-trouble")).toHaveCount(0);
    await page.reload();
    await expect(page.getByTestId("right-agent")).toHaveValue("file-flat");
    await page.getByTestId("start").click();
    await begin(page);
    await expect
        .poll(async () => Number(await page.getByTestId("pieces").last().innerText()))
        .toBeGreaterThan(2);
});
