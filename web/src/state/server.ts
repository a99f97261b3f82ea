// What the server adds: the score book and training. On a static host there is none, and the page says so.
import type { Mode } from "../engine";

export interface Score {
    id: number;
    rank: number;
    mode: string;
    player: string;
    by: "person" | "agent";
    outcome: string;
    /** Microseconds played; nothing for games without time. */
    micros: number | null;
    pieces: number;
    lines: number;
    score: number;
    keys: number | null;
    /** Seconds since 1970. */
    at: number;
}

export interface Parameter {
    name: string;
    about: string;
    value: string | null;
}

export interface Recipe {
    name: string;
    about: string;
    text: string;
    parameters: Parameter[];
}

/** A training run. */
export interface Job {
    id: number;
    name: string;
    recipe: string;
    /** What is played; nothing if the run can't be looked into. */
    game: { mode: Mode; width: number; height: number } | null;
    state: "running" | "stopped" | "finished" | "failed";
    generation: number;
    generations: number | null;
    games: number;
    /** The best score of a candidate in any generation. */
    best: number | null;
    error: string | null;
}

/** A generation. */
export interface GenerationRow {
    generation: number;
    evaluations: number;
    games: number;
    best: number;
    mean: number;
    /** The standard deviation of the scores. */
    std: number;
    min: number;
    seconds: number;
}

/** How good the best of a run is, on games that training never saw. */
export interface Judgement {
    objective: string;
    games: number;
    verdicts: { agent: string; mean: number; ci95: [number, number] | null }[];
}

/** A training run with everything that happened. */
export interface WholeJob extends Job {
    rows: GenerationRow[];
    /** After each generation, in the order of the names. */
    weights: { names: string[]; values: number[][] };
    judgement: Judgement | null;
}

/** What the server said was wrong. */
export class Refusal extends Error {
    readonly status: number;

    constructor(status: number, reason: string) {
        super(reason);
        this.status = status;
    }
}

async function call(path: string, init?: RequestInit): Promise<Response> {
    const response = await fetch(new URL(`api/${path}`, document.baseURI), init).catch(() => {
        throw new Error("the server does not answer: is it still running?");
    });
    if (response.ok) return response;
    const text = await response.text();
    let reason = text || response.statusText;
    try {
        reason = (JSON.parse(text) as { error?: string }).error ?? reason;
    } catch {
        // Not one of ours: the text will do.
    }
    throw new Refusal(response.status, reason);
}

async function get<T>(path: string): Promise<T> {
    return (await (await call(path)).json()) as T;
}

function post(path: string, body?: unknown): Promise<Response> {
    const headers = { "Content-Type": "application/json" };
    return call(path, { method: "POST", headers, body: JSON.stringify(body ?? {}) });
}

let known: boolean | null = null;

/** Whether there is a server behind the page. What one failed request says is not remembered. */
export async function hasServer(): Promise<boolean> {
    if (known !== null) return known;
    try {
        known = (await get<{ name?: string }>("about")).name === "Tetrion";
    } catch (error) {
        if (error instanceof Refusal) known = false;
    }
    return known ?? false;
}

export async function scores(mode: string, by: "people" | "agents", limit = 50): Promise<Score[]> {
    return (await get<{ scores: Score[] }>(`scores?mode=${mode}&by=${by}&limit=${limit}`)).scores;
}

export async function postScore(replay: Uint8Array): Promise<{ id: number; rank: number }> {
    const headers = { "Content-Type": "application/octet-stream" };
    const response = await call("scores", { method: "POST", headers, body: replay as BodyInit });
    return (await response.json()) as { id: number; rank: number };
}

export async function scoreReplay(id: number): Promise<Uint8Array> {
    return new Uint8Array(await (await call(`scores/${id}/replay`)).arrayBuffer());
}

export const recipes = (): Promise<Recipe[]> => get("recipes");
export const jobs = (): Promise<Job[]> => get("training");
export const wholeJob = (id: number): Promise<WholeJob> => get(`training/${id}`);

export async function startJob(recipe: string, changes: Record<string, string>): Promise<number> {
    const response = await post("training", { recipe, changes });
    return ((await response.json()) as { id: number }).id;
}

export async function stopJob(id: number): Promise<void> {
    await post(`training/${id}/stop`);
}

export async function resumeJob(id: number): Promise<void> {
    await post(`training/${id}/resume`);
}

export async function removeJob(id: number): Promise<void> {
    await call(`training/${id}`, { method: "DELETE" });
}

/** The best agent so far, as the text of its file. */
export async function bestAgent(id: number): Promise<string> {
    return (await call(`training/${id}/best`)).text();
}

/**
 * What happens to a job: events `state` with a WholeJob at first, and with a Job later; events `row` with a generation and its
 * weights.
 */
export function jobEvents(id: number): EventSource {
    return new EventSource(new URL(`api/training/${id}/events`, document.baseURI));
}
