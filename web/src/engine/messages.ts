// What the page and the thread of an agent tell each other.
import type { Thought } from "./wasm/tetrion_wasm.js";

/** Who thinks: an agent that has a name, or one out of a file's text. */
export interface Who {
    name: string;
    file?: string;
}

export type Request =
    | { kind: "be"; who: Who; seed: bigint }
    | { kind: "think"; id: number; position: Uint8Array; explain: boolean };

export type Answer =
    | { kind: "thought"; id: number; thought: Thought | null; millis: number }
    | { kind: "failed"; id: number | null; reason: string };
