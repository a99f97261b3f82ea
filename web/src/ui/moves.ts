// The keys and gestures that move pieces, wherever they are listed.
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

/** What fingers do on the board in place of keys. */
export const GESTURES: readonly (readonly [gesture: string, effect: string])[] = [
    ["Swipe sideways", "Move"],
    ["Drag down", "Soft drop"],
    ["Flick down", "Hard drop"],
    ["Tap a side", "Rotate"],
    ["Swipe up", "Hold"],
];
