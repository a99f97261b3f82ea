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
}

const MOST = 300;

let database: Promise<IDBDatabase> | null = null;

function open(): Promise<IDBDatabase> {
    database ??= new Promise((resolve, reject) => {
        const request = indexedDB.open("tetrion", 1);
        request.onupgradeneeded = () =>
            request.result.createObjectStore("replays", { keyPath: "id", autoIncrement: true });
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => {
            database = null;
            reject(request.error ?? new Error("this browser stores nothing"));
        };
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
        transaction.onabort = () => reject(transaction.error ?? new Error("the browser's store is full"));
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

export async function saveReplay(bytes: Uint8Array, ranked: boolean): Promise<SavedReplay> {
    const saved = { savedAt: Date.now(), bytes, about: aboutReplay(bytes), ranked };
    const id = Number(await use("readwrite", (store) => store.add(saved)));
    const kept = await listReplays();
    // The oldest give way, those that count for the score book last.
    const giving = [...kept.filter((one) => one.ranked), ...kept.filter((one) => !one.ranked)];
    for (const old of giving.slice(MOST)) await removeReplay(old.id);
    return { ...saved, id };
}

/** The newest first. */
export async function listReplays(): Promise<SavedReplay[]> {
    const all = (await use("readonly", (store) => store.getAll())) as SavedReplay[];
    return all.reverse();
}

export function loadReplay(id: number): Promise<SavedReplay | undefined> {
    return use("readonly", (store) => store.get(id)) as Promise<SavedReplay | undefined>;
}

export async function removeReplay(id: number): Promise<void> {
    await use("readwrite", (store) => store.delete(id));
}
