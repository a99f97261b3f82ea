// Where the replay of an address comes from: this browser, a leaderboard, or the address itself.
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

/** Finds the replay. Throws an error for the player if there is none. */
export async function replayOf({ rest, query }: Route): Promise<Source> {
    const elsewhere = (bytes: Uint8Array): Source => ({ bytes, kept: false, savedAt: null });
    if (rest === "shared") {
        const game = query.get("game");
        if (!game) throw new Error("the link is damaged: the game in it is missing");
        return elsewhere(await fromLink(game));
    }
    const [, inScores, id] = /^(score\/)?(\d{1,15})$/.exec(rest) ?? [];
    if (id === undefined) throw new Error("the address has no replay in it");
    if (inScores) {
        if (!(await hasServer())) throw new Error("this page has no server with a leaderboard");
        return elsewhere(await scoreReplay(Number(id)));
    }
    const saved = await loadReplay(Number(id));
    if (!saved) throw new Error("it is not in this browser: it was deleted, or saved in another browser");
    return { bytes: saved.bytes, kept: true, savedAt: saved.savedAt };
}
