// What the tests do in the page.
import { expect, type Page } from "@playwright/test";

/** Opens a screen afresh. */
export async function open(page: Page, path: string): Promise<void> {
    await page.goto(`#/${path}`);
    await page.reload();
}

/** Waits for 3, 2, 1. */
export async function begin(page: Page): Promise<void> {
    await expect(page.locator("[data-phase=playing]")).not.toHaveCount(0);
    await expect(page.locator("[data-phase=countdown]")).toHaveCount(0);
}

export const text = (page: Page, id: string) => page.getByTestId(id).innerText();

export async function pieces(page: Page): Promise<number> {
    return Number.parseInt((await text(page, "pieces")).replaceAll(",", ""), 10);
}

/** The taps that stand for a key of the engine; to the wall is tapped, as far as any board is wide. */
const TAPS: Record<string, string[]> = {
    hold: ["KeyC"],
    left: ["ArrowLeft"],
    right: ["ArrowRight"],
    "far left": Array<string>(9).fill("ArrowLeft"),
    "far right": Array<string>(9).fill("ArrowRight"),
    clockwise: ["ArrowUp"],
    "counter-clockwise": ["KeyZ"],
    "hard drop": ["Space"],
};

export async function tap(page: Page, keys: string[]): Promise<void> {
    for (const key of keys) {
        const taps = TAPS[key];
        if (!taps) throw new Error(`no tap for '${key}'`);
        for (const code of taps) await page.keyboard.press(code);
    }
}

/** Lets the page draw so many frames. */
export async function frames(page: Page, count: number): Promise<void> {
    await page.evaluate(
        (count) =>
            new Promise<void>((resolve) => {
                const next = (left: number) =>
                    left ? requestAnimationFrame(() => next(left - 1)) : resolve();
                next(count);
            }),
        count,
    );
}

/** Counts how often boards are painted from now on. */
export async function countPaints(page: Page): Promise<() => Promise<number>> {
    const counter = await page.evaluateHandle(() => {
        const counter = { paints: 0 };
        const { clearRect } = CanvasRenderingContext2D.prototype;
        CanvasRenderingContext2D.prototype.clearRect = function (...box) {
            counter.paints++;
            clearRect.apply(this, box);
        };
        return counter;
    });
    return () => counter.evaluate(({ paints }) => paints);
}

/** Whether the page keeps a key from the browser. */
export async function takes(page: Page, keys: string): Promise<boolean> {
    await page.evaluate((code) => {
        window.addEventListener("keydown", function look(event) {
            if (event.code !== code) return;
            window.removeEventListener("keydown", look);
            document.body.dataset["prevented"] = String(event.defaultPrevented);
        });
    }, keys.split("+").at(-1));
    await page.keyboard.press(keys);
    return (await page.locator("body").getAttribute("data-prevented")) === "true";
}

/** How many different colours the board shows. */
export async function colours(page: Page): Promise<number> {
    return page.locator("canvas").evaluate((canvas: HTMLCanvasElement) => {
        const pixels = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height).data;
        return new Set(new Uint32Array(pixels?.buffer ?? [])).size;
    });
}

/** How high the stack is in each column. */
export async function heights(page: Page): Promise<number[]> {
    const label = await page.getByRole("img", { name: "column heights" }).getAttribute("aria-label");
    return (/heights ([\d ]+)/.exec(label ?? "")?.[1] ?? "").split(" ").map(Number);
}

/** Lets so many seconds of the game pass. */
export async function seconds(page: Page, count: number): Promise<void> {
    const now = async () =>
        (await text(page, "time")).split(":").reduce((total, part) => total * 60 + Number(part), 0);
    const from = await now();
    await expect.poll(now).toBeGreaterThanOrEqual(from + count);
}
