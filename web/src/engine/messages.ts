// Messages between the page and an agent's thread.
import type { Thought } from "./wasm/tetrion_wasm.js";

/** An agent: its name, or the text of its file. */
export interface Agent {
    name: string;
    file?: string | undefined;
    /** Placements to evaluate per move, if not as many as usual. */
    nodes?: number | undefined;
}

export type Request =
    | { kind: "be"; who: Agent; seed: bigint; module: WebAssembly.Module }
    | { kind: "think"; id: number; position: Uint8Array; explain: boolean };

export type Answer =
    | { kind: "thought"; id: number; thought: Thought | null; millis: number }
    | { kind: "failed"; id: number | null; reason: string };
