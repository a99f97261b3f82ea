// The agents that can play here: built in, the best of a training run, or from a file that was opened. Each has an address: its
// name, `run-7`, or `file-` and the name of its file.
import { agents, Thinker, type Strength } from "../engine";
import type { AgentSource } from "../engine/thinker";
import type { RunSummary } from "./api";
import { runName } from "./goals";
import { bestAgent, hasServer, runs } from "./server";
import { load, onStored, save } from "./stored";

interface AgentFile {
    name: string;
    text: string;
}

const RUN = "run-";
const FILE = "file-";
/** More than any agent's file has. */
const MAX_FILE_BYTES = 64 << 10;
/** The files that this browser keeps. */
const MAX_FILES = 8;

function readFiles(stored: unknown): AgentFile[] {
    const isFile = (one: Partial<AgentFile> | null) =>
        typeof one?.name === "string" && typeof one.text === "string";
    return Array.isArray(stored) ? stored.filter(isFile) : [];
}

const found = $state({ runs: [] as RunSummary[], files: readFiles(load("agents")) });
onStored("agents", (stored) => (found.files = readFiles(stored)));

/** Looks for training runs, which come and go. */
export async function findRuns(): Promise<void> {
    try {
        if (await hasServer())
            found.runs = (await runs()).filter(({ generation }) => generation > 0).reverse();
    } catch {
        // Those that are known stay.
    }
}

/** The address of the best agent of a training run. */
export const agentOfRun = (id: number): string => `${RUN}${id}`;

/** The address of an agent without its kind. */
const rest = (agent: string, kind: string) => (agent.startsWith(kind) ? agent.slice(kind.length) : null);
const runOf = (agent: string) => (/^run-\d{1,9}$/.test(agent) ? Number(rest(agent, RUN)) : null);
const fileOf = (agent: string) => found.files.find(({ name }) => name === rest(agent, FILE));
const builtIn = (agent: string) => agents().agents.find(({ name }) => name === agent);

/** Whether an address can be one of an agent's. Only the server knows its runs. */
export function isAgent(agent: string): boolean {
    return Boolean(builtIn(agent) ?? fileOf(agent)) || runOf(agent) !== null;
}

/** What people call the agent of an address. */
export function agentName(agent: string): string {
    const id = runOf(agent);
    const run = found.runs.find((run) => run.id === id);
    if (id !== null) return run ? runName(run) : `run ${id}`;
    return rest(agent, FILE) ?? agent;
}

/** The name of an agent among others: those that are built in say what they are, because some are called like modes. */
export function agentTitle(name: string): string {
    return builtIn(name) ? `Agent ${name}` : name;
}

/** What the agent of an address is good at, in a sentence. */
export function agentAbout(agent: string): string {
    const run = found.runs.find(({ id }) => id === runOf(agent));
    if (run) return `The best of a training run, made for ${run.objective}.`;
    if (fileOf(agent)) return "From a file that you opened.";
    // No line ends within the word.
    return (builtIn(agent)?.about ?? "").replaceAll("T-spin", "T-\u2060spin");
}

/** The agents that were trained or opened here, by address and under what they are listed. */
export function ownAgents(): { group: string; agents: string[] }[] {
    return [
        { group: "Trained here", agents: found.runs.map(({ id }) => agentOfRun(id)) },
        { group: "From files", agents: found.files.map(({ name }) => FILE + name) },
    ].filter(({ agents }) => agents.length > 0);
}

/** How to get the agent of an address. If it has strengths, it plays with this one. */
export function agentSource(agent: string, strength: Strength): AgentSource {
    const name = agentName(agent);
    const id = runOf(agent);
    if (id !== null) return { name, file: () => bestAgent(id) };
    const file = fileOf(agent);
    if (file) return { name, file: () => Promise.resolve(file.text) };
    const chosen = builtIn(agent)?.strengths.find((each) => each.strength === strength);
    return chosen ? { name, nodes: chosen.nodes } : { name };
}

/** Keeps an agent's file, and returns its address. Throws an error for the player if it is none. */
export async function openAgentFile(file: File): Promise<string> {
    const name = file.name.replace(/\.[^.]*$/, "").slice(0, 24) || "agent";
    if (file.size > MAX_FILE_BYTES) throw new Error(`${file.name} is too large to be an agent's file`);
    const text = await file.text();
    Thinker.fromFile(text, name).free();
    const others = found.files.filter((other) => other.name !== name);
    found.files = [{ name, text }, ...others].slice(0, MAX_FILES);
    save("agents", found.files);
    return FILE + name;
}
