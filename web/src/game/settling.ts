// What a placement did to the stack, told from the views before and after it.
import { pieceTable, type Cell, type GameView, type PlacementView } from "../engine";
import type { Settling } from "./painter";

/** The stack as the piece left it: a row that was cleared was full, and the others are those that are left. */
export function settled(before: GameView, after: GameView, placed: PlacementView): Omit<Settling, "done"> {
    const { width } = after;
    const piece = pieceTable().findIndex((entry) => entry.piece === before.active?.piece) + 1;
    const cleared = new Set(placed.clearedRows);
    const stack = new Uint8Array(after.cells.length);
    const locked: Cell[] = [];
    for (let y = 0, left = 0; y * width < stack.length; y++) {
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
