// The replays that this browser keeps. The oldest give way.
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
        request.onerror = () => reject(request.error ?? new Error("this browser stores nothing"));
    });
    return database;
}

async function use<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
    const store = (await open()).transaction("replays", mode).objectStore("replays");
    const request = act(store);
    return new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error ?? new Error("the browser's store failed"));
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
    const ids = await use("readonly", (store) => store.getAllKeys());
    for (const old of ids.slice(0, Math.max(0, ids.length - MOST))) {
        await use("readwrite", (store) => store.delete(old));
    }
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
