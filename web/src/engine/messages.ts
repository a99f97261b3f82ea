// Messages between the page and an agent's thread.
import type { Thought } from "./wasm/tetrion_wasm.js";

/** Where an agent comes from: its name, or the text of its file. */
export interface AgentSource {
    name: string;
    file?: string;
    /** Placements to evaluate per move, if not as many as usual. */
    nodes?: number;
}

export type Request =
    | { kind: "be"; who: AgentSource; seed: bigint; module: WebAssembly.Module }
    | { kind: "think"; id: number; position: Uint8Array; explain: boolean };

export type Answer =
    | { kind: "thought"; id: number; thought: Thought | null; millis: number }
    | { kind: "failed"; id: number | null; reason: string };
