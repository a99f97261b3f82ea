// The replays that this browser keeps.
import { Viewer, type About } from "../engine";

export interface SavedReplay {
    id: number;
    /** Milliseconds since 1970. */
    savedAt: number;
    bytes: Uint8Array;
    about: About;
    /** Whether it counts for the score book. */
    ranked: boolean;
    /** Whether the score book has it, or will not have it; older ones don't say. */
    sent?: boolean;
}

const MOST = 300;
/** A browser that has not opened its store after so many milliseconds never will. */
const PATIENCE = 5000;

let database: Promise<IDBDatabase> | null = null;
/** The saves under way, one after another: who reads waits for them. */
let saving: Promise<unknown> = Promise.resolve();

function open(): Promise<IDBDatabase> {
    // Where nothing may be stored, this throws, fails, or is never answered.
    database ??= new Promise<IDBDatabase>((resolve, reject) => {
        setTimeout(reject, PATIENCE);
        const request = indexedDB.open("tetrion", 1);
        request.onupgradeneeded = () =>
            request.result.createObjectStore("replays", { keyPath: "id", autoIncrement: true });
        request.onsuccess = () => resolve(request.result);
        request.onerror = reject;
    }).catch(() => {
        database = null;
        throw new Error("this browser lets the page store nothing");
    });
    return database;
}

/** Does something in a transaction, and waits until it is on the disk. */
async function use<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
    const transaction = (await open()).transaction("replays", mode);
    const request = act(transaction.objectStore("replays"));
    // It is done whole, also if the page is closed meanwhile.
    transaction.commit();
    return new Promise((resolve, reject) => {
        transaction.oncomplete = () => resolve(request.result);
        transaction.onabort = () => {
            const full = transaction.error?.name === "QuotaExceededError";
            reject(new Error(full ? "the browser's store is full" : "the browser's store failed"));
        };
    });
}

/** Reads what a replay says of itself; throws if it is none, or not true. */
export function aboutReplay(bytes: Uint8Array): About {
    const viewer = new Viewer(bytes);
    try {
        return viewer.about();
    } finally {
        viewer.free();
    }
}

/** Keeps a replay; in place of an earlier one of the same game, if there is one. */
export function saveReplay(
    bytes: Uint8Array,
    ranked: boolean,
    earlier?: Promise<SavedReplay>,
): Promise<SavedReplay> {
    const save = async () => {
        const saved = { savedAt: Date.now(), bytes, about: aboutReplay(bytes), ranked, sent: false };
        const before = await earlier?.catch(() => undefined);
        const record = before ? { ...saved, id: before.id } : saved;
        const id = Number(await use("readwrite", (store) => store.put(record)));
        await giveWay();
        return { ...saved, id };
    };
    const saved = saving.then(save);
    saving = saved.catch(() => undefined);
    return saved;
}

/** The oldest give way, those that count for the score book last. */
async function giveWay(): Promise<void> {
    const kept = await all();
    const giving = [...kept.filter((one) => one.ranked), ...kept.filter((one) => !one.ranked)];
    for (const old of giving.slice(MOST)) await removeReplay(old.id);
}

async function all(): Promise<SavedReplay[]> {
    const found = (await use("readonly", (store) => store.getAll())) as SavedReplay[];
    return found.reverse();
}

/** The newest first, with those that are being saved. */
export function listReplays(): Promise<SavedReplay[]> {
    return saving.then(all);
}

/** Notes that the score book has it, or will not have it. */
export async function markSent(id: number): Promise<void> {
    try {
        const replay = await loadReplay(id);
        if (replay) await use("readwrite", (store) => store.put({ ...replay, sent: true }));
    } catch {
        // Then it is sent once more, and the book knows it.
    }
}

export function loadReplay(id: number): Promise<SavedReplay | undefined> {
    return use("readonly", (store) => store.get(id)) as Promise<SavedReplay | undefined>;
}

export async function removeReplay(id: number): Promise<void> {
    await use("readwrite", (store) => store.delete(id));
}
