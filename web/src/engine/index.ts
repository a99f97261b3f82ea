// The engine: loaded once, the same code that plays natively.
import init, { shapes, type Cell, type PieceShape } from "./wasm/tetrion_wasm.js";
import wasmUrl from "./wasm/tetrion_wasm_bg.wasm?url";

export * from "./wasm/tetrion_wasm.js";

/** Compiled once, also for the threads of agents: they need no server any more. */
export const engineModule: Promise<WebAssembly.Module> = fetch(wasmUrl).then((response) =>
    // Some static hosts don't know the type that streaming asks for.
    response.headers.get("Content-Type") === "application/wasm"
        ? WebAssembly.compileStreaming(response)
        : response.arrayBuffer().then((bytes) => WebAssembly.compile(bytes)),
);

/** Resolves when the engine can be used. */
export const engineReady: Promise<unknown> = engineModule.then((module) => init({ module_or_path: module }));

let table: PieceShape[] | null = null;

/** The pieces in the order in which cells are numbered, from 1, with their cells as they enter. */
export function pieceTable(): PieceShape[] {
    return (table ??= shapes().pieces);
}

/** The cells of a term, which come as column and row of each. */
export function cellsOf(bytes: Uint8Array): Cell[] {
    return Array.from({ length: bytes.length / 2 }, (_, index) => [
        bytes[2 * index] ?? 0,
        bytes[2 * index + 1] ?? 0,
    ]);
}

/** A seed that nobody chose. */
export function randomSeed(): bigint {
    return crypto.getRandomValues(new BigUint64Array(1))[0] ?? 0n;
}
