// The one figure that a game comes down to, and what it means beside the player's best.
import type { GameView } from "../engine";
import type { Measure } from "../state/modes";
import type { Achievement } from "../state/progress.svelte";
import { clockParts, count, counted, secondsBetween } from "./format";

export interface Figure {
    label: string;
    value: string;
    fraction?: string;
    unit?: string;
}

/** The figure of a game that is over: what its mode is about, or how far it came. */
export function mainFigure(view: GameView): Figure {
    if (view.goalTime !== null) return { label: "Score", value: count(view.score) };
    if (view.goalLines === null)
        return { label: "Lines", value: count(view.lines), unit: view.lines === 1 ? "line" : "lines" };
    if (view.outcome === "clear") return { label: "Time", ...clockParts(view.time) };
    return { label: "Lines", value: count(view.lines), unit: `of ${view.goalLines} lines` };
}

/** A result as it is read in lists of them: 0:36.84 of a Sprint, 18,420 of a Blitz, 1,304 lines of Zen. */
export function resultParts(measure: Measure, value: number): Omit<Figure, "label"> {
    if (measure === "time") return clockParts(value);
    return { value: count(value), ...(measure === "lines" ? { unit: value === 1 ? "line" : "lines" } : {}) };
}

/** The same as a text. */
export function resultText(measure: Measure, value: number): string {
    const { value: whole, fraction = "", unit = "" } = resultParts(measure, value);
    return `${whole}${fraction}${unit && ` ${unit}`}`;
}

/** What a result is beside the best before it, in words. One that is unverified is not celebrated. */
export function achievementWords(
    { measure, value, before, isBest }: Achievement,
    unverified = false,
): string {
    if (!before) return "Your first result: the one to beat";
    const best = unverified ? " than your best" : ", new best";
    if (measure === "time") {
        const seconds = secondsBetween(value, before.value);
        if (Number(seconds) === 0) return isBest ? `Just faster${best}` : "As good as your best";
        return isBest ? `${seconds} s faster${best}` : `${seconds} s slower than your best`;
    }
    const amount = Math.abs(value - before.value);
    if (amount === 0) return "As good as your best";
    const more = counted(amount, measure === "score" ? "point" : "line");
    return isBest ? `${more} more${best}` : `${more} short of your best`;
}
