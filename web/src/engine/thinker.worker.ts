// The thread of an agent: the game never waits for it.
import init, { Thinker } from "./wasm/tetrion_wasm.js";
import { words } from "../state/words";
import type { Answer, Request } from "./messages";

let ready: Promise<unknown> | null = null;
let thinker: Thinker | null = null;

function answer(message: Answer): void {
    self.postMessage(message);
}

self.onmessage = async ({ data }: MessageEvent<Request>) => {
    const id = data.kind === "think" ? data.id : null;
    try {
        if (data.kind === "be") ready ??= init({ module_or_path: data.module });
        await ready;
        if (data.kind === "be") {
            thinker?.free();
            thinker = null;
            const { who, seed } = data;
            thinker =
                who.file === undefined ? new Thinker(who.name, seed) : Thinker.fromFile(who.file, who.name);
            if (who.nodes !== undefined) thinker.limit(who.nodes);
        } else if (thinker) {
            const began = performance.now();
            const thought = thinker.think(data.position, data.explain) ?? null;
            answer({ kind: "thought", id: data.id, thought, millis: performance.now() - began });
        } else {
            answer({ kind: "failed", id, reason: "no agent was chosen" });
        }
    } catch (error) {
        answer({ kind: "failed", id, reason: words(error) });
    }
};
