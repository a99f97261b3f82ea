import { expect, test, type Page } from "@playwright/test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Agent, Answer, Request } from "../src/engine/messages";
import { HANDLING, LiveGame, Viewer } from "./engine";
import { output } from "./program";

type Think = (position: Uint8Array) => Promise<Uint8Array | null>;

/** What the page starts its threads from. */
interface Threads {
    source?: Blob;
    module?: WebAssembly.Module;
}

/** Keeps it, for threads that the test starts. */
async function keepThreads(page: Page): Promise<void> {
    await page.addInitScript(() => {
        const threads: Threads = {};
        Object.assign(window, { threads });
        const { createObjectURL } = URL;
        URL.createObjectURL = (source) => {
            if (source instanceof Blob && source.type.startsWith("text/javascript")) threads.source = source;
            return createObjectURL.call(URL, source);
        };
        const { postMessage } = Worker.prototype;
        Worker.prototype.postMessage = function (message: Request) {
            if (message.kind === "be") threads.module = message.module;
            postMessage.call(this, message);
        };
    });
}

/** An agent in a thread of the page: the move that it chooses. */
async function workerOf(page: Page, who: Agent, seed: bigint): Promise<Think> {
    const started = () => {
        const { threads } = window as unknown as { threads: Threads };
        return threads.source && threads.module ? threads : null;
    };
    const threads = await page.waitForFunction(started);
    const worker = await threads.evaluateHandle(
        (threads, { who, seed }) => {
            const { source, module } = threads as Required<Threads>;
            const worker = new Worker(URL.createObjectURL(source), { type: "module" });
            worker.postMessage({ kind: "be", who, seed: BigInt(seed), module } satisfies Request);
            return worker;
        },
        { who, seed: String(seed) },
    );
    return async (position) => {
        const play = await worker.evaluate(
            (worker, position) =>
                new Promise<number[] | null>((resolve, reject) => {
                    worker.onerror = (event) => reject(new Error(event.message));
                    worker.onmessage = ({ data }: MessageEvent<Answer>) => {
                        if (data.kind === "failed") reject(new Error(data.reason));
                        else resolve(data.thought && [...data.thought.play]);
                    };
                    const request: Request = {
                        kind: "think",
                        id: 0,
                        position: new Uint8Array(position),
                        explain: false,
                    };
                    worker.postMessage(request);
                }),
            [...position],
        );
        return play && new Uint8Array(play);
    };
}

for (const { nodes, maxPieces } of [
    { nodes: 3_000, maxPieces: 30 },
    // As many as it takes to draw samples of the unknown pieces.
    { nodes: 200_000, maxPieces: 14 },
]) {
    test(`blitz with ${nodes} nodes makes the same moves in the page as natively`, async ({ page }, info) => {
        const folder = info.outputPath("native");
        const limits = [`--nodes=${nodes}`, `--max-pieces=${maxPieces}`];
        output("run", "blitz", "--mode=blitz", "--seed=7", ...limits, `--replays=${folder}`);
        const replay = join(folder, readdirSync(folder)[0] ?? "");
        const about = output("replay", "show", replay, "--json");
        // Numbers in JavaScript are too short for a seed.
        const seed = BigInt(/"seed":(\d+)/.exec(about)?.[1] ?? "");

        await keepThreads(page);
        await page.goto("");
        const think = await workerOf(page, { name: "blitz", nodes }, seed);
        const game = new LiveGame({ mode: "blitz", forAgents: true, maxPieces }, seed, HANDLING);
        for (let position = game.position(), time = 1; position; position = game.position(), time++) {
            const play = await think(position);
            if (!play) break;
            game.place(time, play);
        }
        expect(game.view().pieces).toBe(maxPieces);
        // A page of the diagram for each placement.
        const played = new Viewer(game.recorded("blitz").bytes);
        expect(played.fumen()).toBe(output("replay", "export", replay, "--to", "-").trim());
        expect(about).toContain(`"state_hash":"${game.stateHash()}"`);
    });
}
