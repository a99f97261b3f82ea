// What a placement did to the stack, told from the views before and after it.
import { pieceTable, type Cell, type GameView, type PlacementView } from "../engine";
import type { Settling } from "./painter";

/** The stack as the piece left it: a row that was cleared was full, and the others are those that are left. */
function settled(before: GameView, after: GameView, placed: PlacementView): Omit<Settling, "done"> {
    const { width } = after;
    const piece = pieceTable().findIndex((entry) => entry.piece === before.active?.piece) + 1;
    const cleared = new Set(placed.clearedRows);
    const stack = new Uint8Array(after.cells.length);
    const locked: Cell[] = [];
    // Garbage that rose with it is not seen yet.
    for (let y = 0, left = placed.garbage; y * width < stack.length; y++) {
        const row = cleared.has(y) ? null : left++;
        for (let x = 0; x < width; x++) {
            const was = before.cells[y * width + x] ?? 0;
            const is = row === null ? was || piece : (after.cells[row * width + x] ?? 0);
            stack[y * width + x] = is;
            if (is && !was) locked.push([x, y]);
        }
    }
    return {
        locked,
        clear: cleared.size > 0 ? { stack, rows: placed.clearedRows } : null,
        spin: placed.name?.includes("Spin") ?? false,
        backToBack: placed.backToBack,
    };
}

/** How long a lock or a clear is shown; the game goes on meanwhile. */
const SETTLING_MILLIS = 180;

/** The last placement of a game, for as long as it is shown. */
export class LastPlacement {
    #settling: Omit<Settling, "done"> | null = null;
    #since = 0;

    /** Pieces were placed between two views. Of several there is nothing to show but their end. */
    set(before: GameView, after: GameView, placed: readonly PlacementView[], now: number): void {
        const [only] = placed;
        this.#settling = only && placed.length === 1 ? settled(before, after, only) : null;
        this.#since = now;
    }

    /** What is shown of it now; nothing when that is over. */
    at(now: number): Settling | null {
        const done = (now - this.#since) / SETTLING_MILLIS;
        return this.#settling && done < 1 ? { ...this.#settling, done } : null;
    }
}
