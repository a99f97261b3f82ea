// What the server adds: leaderboards and training. A static host has no server, and the page says so.
import type { Category, Competitor, GameSeal } from "../engine";
import type {
    AcceptedScore,
    ErrorBody,
    IssuedTicket,
    RecipeInfo,
    RunDetails,
    RunSummary,
    Score,
    ScoreList,
    ServerAbout,
    StartedRun,
    TicketText,
    TrainingOrder,
} from "./api";

/** A request that the server refused. */
export class Refusal extends Error {
    readonly status: number;

    constructor(status: number, reason: string) {
        super(reason);
        this.status = status;
    }
}

async function call(path: string, init?: RequestInit): Promise<Response> {
    const response = await fetch(new URL(`api/${path}`, document.baseURI), init).catch(() => {
        throw new Error("the server does not respond: is it still running?");
    });
    if (response.ok) return response;
    const text = await response.text();
    let reason = text || response.statusText;
    try {
        reason = (JSON.parse(text) as Partial<ErrorBody>).error ?? reason;
    } catch {
        // Not JSON of ours: show the text.
    }
    throw new Refusal(response.status, reason);
}

async function get<T>(path: string): Promise<T> {
    return (await (await call(path)).json()) as T;
}

function post(path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
    const headers = { "Content-Type": "application/json" };
    return call(path, { method: "POST", headers, body: JSON.stringify(body ?? {}), signal: signal ?? null });
}

/** Whether there is a server behind the page, there is none, or nothing answers. */
export type ServerState = "there" | "none" | "away";

/** How a server is started, in Tetrion's source folder. */
export const START_COMMAND = "cargo run --release";

let known: boolean | null = null;

/** Looks for the server. A failed request is not remembered. */
export async function serverState(): Promise<ServerState> {
    try {
        known ??= (await get<Partial<ServerAbout>>("about")).name === "Tetrion";
    } catch (error) {
        if (!(error instanceof Refusal)) return "away";
        known = false;
    }
    return known ? "there" : "none";
}

export const hasServer = async (): Promise<boolean> => (await serverState()) === "there";

const PLURALS: Record<Competitor, string> = { person: "people", agent: "agents" };

export async function scores(
    mode: Category,
    by: Competitor,
    unverified: boolean,
    limit: number,
): Promise<Score[]> {
    const query = `mode=${mode}&by=${PLURALS[by]}&unverified=${unverified}&limit=${limit}`;
    return (await get<ScoreList>(`scores?${query}`)).scores;
}

/** A server that has not given a ticket after this time is as good as none. */
const TICKET_TIMEOUT_MILLIS = 3000;

/** A ticket for a ranked game, with its pieces. */
export async function requestTicket(mode: Category | "daily"): Promise<IssuedTicket> {
    return (await post("tickets", { mode }, AbortSignal.timeout(TICKET_TIMEOUT_MILLIS))).json();
}

/** Tells the server that the game of a ticket is paused. */
export async function pauseTicket(ticket: string, seal: GameSeal): Promise<string> {
    const response = await post("tickets/pause", { ticket, ...seal });
    return ((await response.json()) as TicketText).ticket;
}

/** Tells the server that the game of a ticket goes on. */
export async function resumeTicket(ticket: string): Promise<string> {
    const response = await post("tickets/resume", { ticket });
    return ((await response.json()) as TicketText).ticket;
}

export async function postScore(replay: Uint8Array, ticket: string | null): Promise<AcceptedScore> {
    const headers = {
        "Content-Type": "application/octet-stream",
        ...(ticket ? { "Tetrion-Ticket": ticket } : {}),
    };
    const response = await call("scores", { method: "POST", headers, body: replay as BodyInit });
    return (await response.json()) as AcceptedScore;
}

export async function scoreReplay(id: number): Promise<Uint8Array> {
    return new Uint8Array(await (await call(`scores/${id}/replay`)).arrayBuffer());
}

export const recipes = (): Promise<RecipeInfo[]> => get("recipes");
export const runs = (): Promise<RunSummary[]> => get("training");
export const runDetails = (id: number): Promise<RunDetails> => get(`training/${id}`);

export async function startRun(order: TrainingOrder): Promise<number> {
    const response = await post("training", order);
    return ((await response.json()) as StartedRun).id;
}

export async function stopRun(id: number): Promise<void> {
    await post(`training/${id}/stop`);
}

export async function resumeRun(id: number): Promise<void> {
    await post(`training/${id}/resume`);
}

export async function removeRun(id: number): Promise<void> {
    await call(`training/${id}`, { method: "DELETE" });
}

/** The best agent so far, as the text of its file. */
export async function bestAgent(id: number): Promise<string> {
    return (await call(`training/${id}/best`)).text();
}

/** Where its file can be downloaded. */
export function bestAgentAddress(id: number): string {
    return new URL(`api/training/${id}/best`, document.baseURI).href;
}

/** What happens in a run: events `state` with RunDetails at first and a RunSummary later; events `row` with a RowEvent. */
export function runEvents(id: number): EventSource {
    return new EventSource(new URL(`api/training/${id}/events`, document.baseURI));
}
