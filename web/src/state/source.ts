// Where the replay of an address comes from: this browser, the score book, or the address itself.
import { loadReplay } from "./replays";
import type { Route } from "./route.svelte";
import { hasServer, scoreReplay } from "./server";
import { fromLink } from "./share";

export interface Source {
    bytes: Uint8Array;
    /** Whether this browser keeps it. */
    kept: boolean;
    /** When it was saved here, in milliseconds since 1970. */
    savedAt: number | null;
}

/** Finds the replay. Throws, in words for the player, if there is none. */
export async function replayOf({ rest, query }: Route): Promise<Source> {
    const elsewhere = (bytes: Uint8Array): Source => ({ bytes, kept: false, savedAt: null });
    if (rest === "shared") {
        const game = query.get("game");
        if (!game) throw new Error("the link is damaged: the game in it is missing");
        return elsewhere(await fromLink(game));
    }
    const [, inScores, id] = /^(score\/)?(\d{1,15})$/.exec(rest) ?? [];
    if (id === undefined) throw new Error("the address names no replay");
    if (inScores) {
        if (!(await hasServer())) throw new Error("there is no server with a score book behind this page");
        return elsewhere(await scoreReplay(Number(id)));
    }
    const saved = await loadReplay(Number(id));
    if (!saved) throw new Error("this browser does not keep it: it was deleted, or is in another browser");
    return { bytes: saved.bytes, kept: true, savedAt: saved.savedAt };
}
