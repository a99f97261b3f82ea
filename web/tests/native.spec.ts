import { expect, test, type Page } from "@playwright/test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { AgentSource, Answer, Request } from "../src/engine/messages";
import { ASSETS, HANDLING, LiveGame, Viewer } from "./engine";
import { output } from "./program";

type Think = (position: Uint8Array) => Promise<Uint8Array | null>;

/** An agent in the page's own worker: the move that it chooses. */
async function workerOf(page: Page, who: AgentSource, seed: bigint): Promise<Think> {
    const file = readdirSync(ASSETS).find((name) => /^thinker\.worker.*\.js$/.test(name)) ?? "";
    const worker = await page.evaluateHandle(
        (url) => new Worker(url, { type: "module" }),
        new URL(`assets/${file}`, page.url()).href,
    );
    const be: Request = { kind: "be", who, seed };
    await worker.evaluate((worker, request) => worker.postMessage(request), be);
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
