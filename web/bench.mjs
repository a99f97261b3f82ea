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

// From the key's own time stamp to the canvas that shows it.
{
    const page = await (await browser.newContext({ viewport: { width: 1280, height: 720 } })).newPage();
    await page.goto(`${address}#/practice?seed=1`);
    await page.locator("[data-phase=playing]").waitFor();
    await page.evaluate(() => {
        window.delays = [];
        let pressed = null;
        window.addEventListener("keydown", ({ timeStamp }) => (pressed = timeStamp), true);
        const { clearRect } = CanvasRenderingContext2D.prototype;
        CanvasRenderingContext2D.prototype.clearRect = function (...box) {
            clearRect.apply(this, box);
            if (pressed === null) return;
            const began = pressed;
            pressed = null;
            // Once the whole frame is painted.
            queueMicrotask(() => window.delays.push(performance.now() - began));
        };
    });
    for (let press = 0; press < 200; press++) {
        await page.keyboard.press(press % 2 ? "ArrowLeft" : "ArrowRight");
        await page.waitForFunction((count) => window.delays.length > count, press);
    }
    const delays = (await page.evaluate(() => window.delays)).sort((a, b) => a - b);
    console.log(
        `key to canvas: median ${quantile(delays, 0.5).toFixed(1)} ms, ${quantile(delays, 0.95).toFixed(1)} ms at the 95th percentile of ${delays.length}`,
    );
    await page.context().close();
}

// Quick games end several times a second, which is no searching: the quick agent plays on and on.
for (const [agent, mode, hardDrops] of [
    ["lee", "practice", false],
    ["sprint-fast", "sprint", false],
    ["sprint-fast", "sprint", true],
    ["sprint", "sprint", false],
    ["blitz", "blitz", false],
]) {
    const page = await (await browser.newContext({ viewport: { width: 1280, height: 720 } })).newPage();
    const settings = JSON.stringify({ agentSpeed: 0 });
    await page.addInitScript((text) => localStorage.setItem("tetrion.settings", text), settings);
    await page.goto(`${address}#/watch?agent=${agent}&mode=${mode}`);
    if (hardDrops) await page.getByLabel("Hard drops only").check();
    for (const end = Date.now() + 10_000; Date.now() < end;) {
        const again = page.getByTestId("end").getByRole("button", { name: "again" });
        await again.click({ timeout: Math.max(1, end - Date.now()) }).catch(() => {});
    }
    const { frames, thoughts } = await page.evaluate(() => ({
        frames: [...window.tetrion.frameWork].sort((a, b) => a - b),
        thoughts: [...window.tetrion.thinking].sort((a, b) => a - b),
    }));
    const millis = (values, share) => `${quantile(values, share).toFixed(1)} ms`;
    console.log(
        `${agent}${hardDrops ? ", straight drops" : ""}: frame work ${millis(frames, 0.95)} at the 95th percentile of ${frames.length} frames; ` +
            `moves ${millis(thoughts, 0.5)} median, ${millis(thoughts, 0.99)} at the 99th percentile, ${millis(thoughts, 1)} slowest of ${thoughts.length}`,
    );
    await page.context().close();
}
await browser.close();
