// A race with the same pieces: who is ahead, and who wins. Races exist only in the page, and so do these rules.
import type { GameView } from "../engine";
import type { Wall } from "../ui/Frame.svelte";
import type { Runner } from "./runner.svelte";

export type Verdict = "left" | "right" | "draw";

/** Sprint: the first to clear wins, or the survivor. Blitz: the higher score wins. Null while it is undecided. */
export function verdict(left: Runner, right: Runner): Verdict | null {
    const [a, b] = [left.view, right.view];
    if (isScored(a)) {
        if (!a.outcome || !b.outcome) return null;
        return compare(b.score, a.score);
    }
    const cleared = [a.outcome === "clear", b.outcome === "clear"];
    if (cleared[0] && cleared[1]) return compare(a.time, b.time);
    if (cleared[0] || b.outcome === "top_out") return a.outcome === "top_out" ? "draw" : "left";
    if (cleared[1] || a.outcome === "top_out") return "right";
    return null;
}

/** The smaller wins. */
function compare(left: number, right: number): Verdict {
    if (left === right) return "draw";
    return left < right ? "left" : "right";
}

/** Whether points decide, not lines. */
export function isScored({ mode }: GameView): boolean {
    return mode === "blitz";
}

/** What both sides are compared by. */
export function standing(view: GameView): number {
    return isScored(view) ? view.score : view.lines;
}

/** The points at the top of a wall while nobody has more. */
const LEAST_POINTS = 20_000;
const POINTS_PER_TICK = 1000;

/** How far a side is, in a tone of its own if it leads. Walls of points grow with the better side, so that both have the same height. */
export function raceWall(own: GameView, other: GameView, leading: Wall["tone"]): Wall {
    const tone = standing(own) > standing(other) ? leading : "plain";
    if (!isScored(own)) return { value: own.lines, max: own.goalLines ?? 1, every: 10, tone };
    const [mine, theirs] = [own.score / POINTS_PER_TICK, other.score / POINTS_PER_TICK];
    let max = LEAST_POINTS / POINTS_PER_TICK;
    while (max < mine || max < theirs) max *= 2;
    return { value: mine, max, every: max / 4, tone };
}
