// The engine: loaded once, the same code that plays natively.
import init from "./wasm/tetrion_wasm.js";
import wasmUrl from "./wasm/tetrion_wasm_bg.wasm?url";

export * from "./wasm/tetrion_wasm.js";

/** Resolves when the engine can be used. */
export const engineReady: Promise<unknown> = init({ module_or_path: wasmUrl });

/** The buttons of the game, in the order in which the engine numbers them. */
export const BUTTONS = [
    "left",
    "right",
    "softDrop",
    "hardDrop",
    "clockwise",
    "counterClockwise",
    "halfTurn",
    "hold",
    "undo",
    "redo",
] as const;

export type Button = (typeof BUTTONS)[number];

/** A seed that nobody chose. */
export function randomSeed(): bigint {
    return crypto.getRandomValues(new BigUint64Array(1))[0] ?? 0n;
}
