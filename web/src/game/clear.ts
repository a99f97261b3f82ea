// What a clear is called while it is shown.
import type { PlacementView } from "../engine";

export interface ClearWords {
    text: string;
    detail: string;
    backToBack: boolean;
}

/** The words for a placement; nothing if it has no name. */
export function clearWords(placed: PlacementView): ClearWords | null {
    if (!placed.name && !placed.perfectClear) return null;
    const text = placed.perfectClear ? "All clear" : (placed.name ?? "");
    const details = [
        placed.perfectClear ? placed.name : null,
        placed.backToBack ? "Back-to-back" : null,
        placed.combo > 0 ? `Combo ${placed.combo}` : null,
    ];
    const detail = details.filter((part) => part !== null).join(" · ");
    return { text, detail, backToBack: placed.backToBack };
}

/** The name of a clear, while it is shown. */
export interface Flash extends ClearWords {
    until: number;
}

const FLASH_MILLIS = 2000;

/** The words for a placement that happened now, to be shown for a while; nothing if it has no name. */
export function flashOf(placed: PlacementView, now: number): Flash | null {
    const words = clearWords(placed);
    return words && { ...words, until: now + FLASH_MILLIS };
}

/** Of many placements at once, one is told. */
export function worthTelling(placed: readonly PlacementView[]): PlacementView | undefined {
    return placed.filter(({ cleared }) => cleared > 0).at(-1) ?? placed.at(-1);
}
