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
