// The page's own engine, in the tests' process: it says which keys to press, and what must come of them.
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { LiveGame, Thinker, initSync, type Mode } from "../src/engine/wasm/tetrion_wasm.js";

export {
    LiveGame,
    LiveMatch,
    Viewer,
    agents,
    dailySeed,
    type Strength,
} from "../src/engine/wasm/tetrion_wasm.js";

/** The built page's code. */
export const ASSETS = join(dirname(fileURLToPath(import.meta.url)), "../dist/assets");
const wasm = readdirSync(ASSETS).find((name) => name.endsWith(".wasm")) ?? "";
initSync({ module: readFileSync(join(ASSETS, wasm)) });

export const HANDLING = { repeatDelay: 167_000, repeatInterval: 33_000, softDropFactor: 20 };

export interface Played {
    replay: Uint8Array;
    stateHash: string;
    pieces: number;
    lines: number;
    /** The keys of each piece, in words. */
    keys: string[][];
}

/** Lets an agent play, a placement every tenth of a second. */
export function play(agent: string, mode: Mode, seed: bigint, most = Infinity): Played {
    const session = new LiveGame({ mode, forAgents: true }, seed, HANDLING);
    const thinker = new Thinker(agent, seed);
    const keys: string[][] = [];
    for (let time = 100_000; keys.length < most; time += 100_000) {
        const position = session.position();
        const thought = position && thinker.think(position, true);
        if (!thought) break;
        keys.push(thought.keys);
        session.place(time, thought.play);
    }
    const { pieces, lines } = session.view();
    const played = {
        replay: session.recorded(agent).bytes,
        stateHash: session.stateHash(),
        pieces,
        lines,
        keys,
    };
    session.free();
    thinker.free();
    return played;
}
