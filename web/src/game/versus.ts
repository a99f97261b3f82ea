// What is said of a side of a match: its figures, its streaks, and what waits for it.
import type { PlacementView, SideView, VersusPreset, WaitingAttack } from "../engine";
import type { Wall } from "../ui/Frame.svelte";
import { count, counted } from "./format";

export const PRESETS = ["guideline", "ppt"] as const satisfies readonly VersusPreset[];

/** The rules that can be chosen, in words. */
export const VERSUS_RULES: Record<VersusPreset, { name: string; about: string }> = {
    guideline: { name: "Guideline", about: "Clean garbage, held back while you clear lines" },
    ppt: { name: "PPT", about: "As in Puyo Puyo Tetris: messy garbage, never held back" },
};

/** Lines of attack in a minute. */
export function attackPerMinute({ attack, game }: SideView): string {
    return count(game.time > 0 ? Math.round((attack * 60e6) / game.time) : 0);
}

/** Lines of attack that cancelled garbage on its way, and were not sent. */
export const cancelled = ({ attack, sent }: SideView): number => attack - sent;

/** How many clears in a row were back-to-back. */
export function backToBacks(placed: readonly PlacementView[]): number {
    const newestFirst = placed.filter(({ cleared }) => cleared > 0).reverse();
    const broken = newestFirst.findIndex(({ backToBack }) => !backToBack);
    return broken === -1 ? newestFirst.length : broken;
}

/** The wall of a board, with the garbage that waits. */
export function garbageWall({ waiting, game }: SideView): Wall {
    return { max: game.height, every: 5, waiting };
}

const rows = (waiting: readonly WaitingAttack[]) => waiting.reduce((sum, attack) => sum + attack.rows, 0);

/** What comes for a side, as it is told between the boards; nothing if nothing does. Without a name, it is yours. */
export function warning({ waiting }: SideView, name: string | null): string {
    const due = rows(waiting.filter((attack) => attack.due));
    if (due > 0)
        return `${counted(due, "line")} ${due === 1 ? "lands" : "land"} on ${name ? `${name}'s` : "your"} next piece`;
    const coming = rows(waiting);
    return coming > 0 ? `${counted(coming, "line")} on the way to ${name ?? "you"}` : "";
}
