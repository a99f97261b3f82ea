// The page's speeds, in a real Chromium: node bench.mjs [ADDRESS], while `tetrion serve` runs there.
import { chromium } from "@playwright/test";

const address = process.argv[2] ?? "http://127.0.0.1:7421/";
const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
});
const quantile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];

const starts = [];
for (let run = 0; run < 5; run++) {
    const page = await (await browser.newContext()).newPage();
    await page.goto(`${address}#/sprint`);
    await page.waitForFunction(() => window.tetrion?.frameWork.length > 0);
    starts.push(await page.evaluate(() => performance.now()));
    await page.context().close();
}
starts.sort((a, b) => a - b);
console.log(
    `first playable frame: median ${starts[2].toFixed(0)} ms, slowest ${starts[4].toFixed(0)} ms of 5`,
);

for (const agent of ["lee", "sprint-fast", "sprint"]) {
    const page = await (await browser.newContext({ viewport: { width: 1280, height: 720 } })).newPage();
    await page.addInitScript(
        (name) => localStorage.setItem("tetrion.settings", JSON.stringify({ agent: name, agentSpeed: 0 })),
        agent,
    );
    await page.goto(`${address}#/watch`);
    await page.waitForTimeout(5000);
    const { frames, thoughts } = await page.evaluate(() => ({
        frames: [...window.tetrion.frameWork],
        thoughts: [...window.tetrion.thinking],
    }));
    frames.sort((a, b) => a - b);
    thoughts.sort((a, b) => a - b);
    const work = `frame work 95 % ${quantile(frames, 0.95).toFixed(2)} ms, median ${quantile(frames, 0.5).toFixed(2)} ms of ${frames.length}`;
    const moves = `moves median ${quantile(thoughts, 0.5).toFixed(1)} ms, slowest ${quantile(thoughts, 1).toFixed(1)} ms of ${thoughts.length}`;
    console.log(`${agent} at full speed: ${work}; ${moves}`);
    await page.context().close();
}
await browser.close();
