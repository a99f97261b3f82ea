// The keys that move pieces, wherever they are listed.
import { settings } from "../state/settings.svelte";
import type { KeyLine } from "./KeyList.svelte";

export function moveKeys(): KeyLine[] {
    return [
        { label: "Move", actions: ["left", "right"] },
        { label: "Soft drop", actions: ["softDrop"] },
        { label: "Hard drop", actions: ["hardDrop"] },
        { label: "Rotate", actions: ["counterClockwise", "clockwise"] },
        ...(settings.halfTurns ? [{ label: "Rotate 180°", actions: ["halfTurn"] } as const] : []),
        { label: "Hold", actions: ["hold"] },
    ];
}
