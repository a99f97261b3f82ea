// An agent in a thread of its own.
import { engineModule, type Thought } from ".";
import type { Answer, Request } from "./messages";
// A part of the page itself: a thread starts even if the server is gone.
import ThinkerWorker from "./thinker.worker?worker&inline";

/** Where an agent comes from: its name alone, or its file too, which may have to be fetched. */
export interface AgentSource {
    name: string;
    file?: () => Promise<string>;
    /** Placements to evaluate per move, if not as many as usual. */
    nodes?: number;
}

interface Waiting {
    resolve: (thought: Thought | null) => void;
    reject: (reason: Error) => void;
}

/** How long the last thoughts took, in milliseconds. */
export const thinking: number[] = [];

export class RemoteThinker {
    readonly who: AgentSource;
    #worker: Worker;
    #waiting = new Map<number, Waiting>();
    #next = 0;
    #failed: Error | null = null;
    /** Resolves when the thread knows whom to be. */
    #ready: Promise<void>;

    constructor(who: AgentSource, seed: bigint) {
        this.who = who;
        this.#worker = new ThinkerWorker();
        this.#worker.onmessage = ({ data }: MessageEvent<Answer>) => this.#take(data);
        this.#worker.onerror = (event) =>
            this.#fail(new Error(event.message || "the agent's thread stopped"));
        this.#ready = this.#be(who, seed).catch((error) => this.#fail(error));
    }

    async #be({ name, file, nodes }: AgentSource, seed: bigint): Promise<void> {
        const [module, text] = await Promise.all([engineModule, file?.()]);
        this.#send({ kind: "be", who: { name, file: text, nodes }, seed, module });
    }

    /** What the agent would do; nothing if there is no move. */
    think(position: Uint8Array, explain: boolean): Promise<Thought | null> {
        if (this.#failed) return Promise.reject(this.#failed);
        const id = this.#next++;
        return new Promise((resolve, reject) => {
            this.#waiting.set(id, { resolve, reject });
            void this.#ready.then(() => this.#send({ kind: "think", id, position, explain }));
        });
    }

    /** Ends the thread; what was asked stays without an answer. */
    stop(): void {
        this.#worker.terminate();
        this.#waiting.clear();
    }

    #send(request: Request): void {
        this.#worker.postMessage(request);
    }

    #take(answer: Answer): void {
        if (answer.kind === "failed" && answer.id === null) return this.#fail(new Error(answer.reason));
        const id = answer.id ?? -1;
        const waiting = this.#waiting.get(id);
        this.#waiting.delete(id);
        if (answer.kind === "thought") {
            thinking.push(answer.millis);
            if (thinking.length > 3600) thinking.shift();
            waiting?.resolve(answer.thought);
        } else {
            waiting?.reject(new Error(answer.reason));
        }
    }

    #fail(error: Error): void {
        this.#failed = error;
        for (const waiting of this.#waiting.values()) waiting.reject(error);
        this.#waiting.clear();
    }
}
