// The replays that this browser keeps.
import type { RecordedGame } from "../engine";
import type { Standing } from "./standing";

export interface SavedReplay extends RecordedGame {
    id: number;
    /** Milliseconds since 1970. */
    savedAt: number;
    /** Whether the server accepted or refused it; older replays don't say. */
    sent?: boolean;
    /** The server's ticket for it, if it gave one. */
    ticket?: string | null;
    /** Whether it counts; older replays don't say. */
    standing?: Standing;
    /** Whether it came from a file or a link: nobody played it here. */
    imported?: boolean;
}

/** A game to be kept. */
export type NewReplay = RecordedGame & Pick<SavedReplay, "standing" | "imported">;

export function standingOf({ standing, ranked }: SavedReplay): Standing {
    return standing ?? (ranked ? "ranked" : "unranked");
}

const MAX_REPLAYS = 300;
/** A browser that has not opened its storage after this time never will. */
const OPEN_TIMEOUT_MILLIS = 5000;

let database: Promise<IDBDatabase> | null = null;
/** The saves under way, one after another: readers wait for them. */
let saving: Promise<unknown> = Promise.resolve();

function open(): Promise<IDBDatabase> {
    // Where storage is blocked, this throws, fails, or never answers.
    database ??= new Promise<IDBDatabase>((resolve, reject) => {
        setTimeout(reject, OPEN_TIMEOUT_MILLIS);
        const request = indexedDB.open("tetrion", 1);
        request.onupgradeneeded = () =>
            request.result.createObjectStore("replays", { keyPath: "id", autoIncrement: true });
        request.onsuccess = () => resolve(request.result);
        request.onerror = reject;
    }).catch(() => {
        database = null;
        throw new Error("this browser blocks storage for this page");
    });
    return database;
}

/** Does something in a transaction, and waits until it is on the disk. */
async function use<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
    const transaction = (await open()).transaction("replays", mode);
    const request = act(transaction.objectStore("replays"));
    // It completes even if the page is closed meanwhile.
    transaction.commit();
    return new Promise((resolve, reject) => {
        transaction.oncomplete = () => resolve(request.result);
        transaction.onabort = () => {
            const full = transaction.error?.name === "QuotaExceededError";
            reject(new Error(full ? "the browser's storage is full" : "the browser's storage failed"));
        };
    });
}

/** Keeps a replay, in place of an earlier one of the same game if there is one, and with its ticket. */
export function saveReplay(
    game: NewReplay,
    earlier?: Promise<SavedReplay>,
    ticket?: Promise<string | null>,
): Promise<SavedReplay> {
    const save = async () => {
        const saved = { ...game, savedAt: Date.now(), sent: false, ticket: (await ticket) ?? null };
        const before = await earlier?.catch(() => undefined);
        const record = before ? { ...saved, id: before.id } : saved;
        const id = Number(await use("readwrite", (store) => store.put(record)));
        await makeRoom();
        return { ...saved, id };
    };
    const saved = saving.then(save);
    saving = saved.catch(() => undefined);
    return saved;
}

/** Keeps replays that come from elsewhere: all that are new, or none if that fails. Returns how many were new. */
export function addReplays(replays: readonly Omit<SavedReplay, "id">[]): Promise<number> {
    const add = async () => {
        const known = new Set((await all()).map(({ about }) => about.stateHash));
        const fresh = replays.filter(({ about }) => !known.has(about.stateHash));
        if (fresh.length > 0) {
            const oldestFirst = [...fresh].sort((one, other) => one.savedAt - other.savedAt);
            await use("readwrite", (store) => {
                for (const replay of oldestFirst) store.add(replay);
                return store.count();
            });
            await makeRoom();
        }
        return fresh.length;
    };
    const added = saving.then(add);
    saving = added.catch(() => undefined);
    return added;
}

/** Deletes the oldest replays when there are too many, ranked games last. */
async function makeRoom(): Promise<void> {
    const kept = await all();
    const byWorth = [...kept.filter((one) => one.ranked), ...kept.filter((one) => !one.ranked)];
    for (const old of byWorth.slice(MAX_REPLAYS)) await removeReplay(old.id);
}

async function all(): Promise<SavedReplay[]> {
    const found = (await use("readonly", (store) => store.getAll())) as SavedReplay[];
    // Imported replays are older than their numbers say.
    return found.sort((one, other) => other.savedAt - one.savedAt || other.id - one.id);
}

/** The newest first, including those that are being saved. */
export function listReplays(): Promise<SavedReplay[]> {
    return saving.then(all);
}

/** Notes whether the server has accepted or refused it, and what it is since then. */
export async function noteAnswer(id: number, sent: boolean, standing: Standing): Promise<void> {
    try {
        const replay = await loadReplay(id);
        if (replay) await use("readwrite", (store) => store.put({ ...replay, sent, standing }));
    } catch {
        // It is sent once more, and the server knows it.
    }
}

export function loadReplay(id: number): Promise<SavedReplay | undefined> {
    return use("readonly", (store) => store.get(id)) as Promise<SavedReplay | undefined>;
}

export async function removeReplay(id: number): Promise<void> {
    await use("readwrite", (store) => store.delete(id));
}
