// Keys and gestures that several screens list.
import { settings } from "../state/settings.svelte";
import type { KeyGroup, KeyLine } from "./KeyList.svelte";

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

/** What else keys do in a game. */
export const GAME_KEYS: readonly KeyLine[] = [
    { label: "Pause", actions: ["pause"] },
    { label: "Restart", actions: ["restart"] },
    { label: "Same pieces again", actions: ["samePieces"] },
    { label: "Undo, redo (Practice)", actions: ["undo", "redo"] },
    { label: "Show a hint", actions: ["hint"] },
    { label: "Let the agent play", actions: ["agent"] },
    { label: "Explain", actions: ["explain"] },
];

/** What fingers do on the board in place of keys. */
export const GESTURES: readonly (readonly [gesture: string, effect: string])[] = [
    ["Swipe sideways", "Move"],
    ["Drag down", "Soft drop"],
    ["Flick down", "Hard drop"],
    ["Tap a side", "Rotate that way"],
    ["Swipe up", "Hold"],
];

/** The keys of a race or a match, for `?`; it may have more. */
export function duelKeys(contest: "match" | "race", more: readonly KeyLine[]): KeyGroup[] {
    return [
        { title: "Pieces", lines: moveKeys() },
        {
            title: contest === "match" ? "Match" : "Race",
            lines: [
                { label: contest === "match" ? "Start, next round" : "Start", keys: ["Enter"] },
                { label: "Rematch", actions: ["restart"] },
                { label: `New ${contest}`, keys: ["N"] },
                { label: "Pause", actions: ["pause"] },
                { label: "Replays, at the end", keys: ["1", "2"] },
                ...more,
            ],
        },
    ];
}
