// Practice from a position. The address holds all of it, so that it survives a reload and can be shared.
import { LiveGame, type Piece, type StartPosition } from "../engine";
import { go } from "../state/route.svelte";
import { handling } from "../state/settings.svelte";

/** Between rows: no cell is written like this, and an address needs no escape for it. */
const ROW_END = "*";

/** Opens Practice at this position. Throws the engine's error if it makes no game. */
export function beginPractice(start: StartPosition): void {
    new LiveGame({ mode: "practice", opening: start }, 0n, handling()).free();
    const { rows, hold, queue } = start;
    const query = new URLSearchParams({ rows: rows.join(ROW_END), hold: hold ?? "", queue: queue.join("") });
    go(`practice?${query}`);
}

/** The position in an address. */
export function startIn(query: URLSearchParams): StartPosition | null {
    const rows = query.get("rows");
    if (rows === null) return null;
    return {
        rows: rows.split(ROW_END).filter(Boolean),
        hold: (query.get("hold") || null) as Piece | null,
        queue: [...(query.get("queue") ?? "")] as Piece[],
    };
}
