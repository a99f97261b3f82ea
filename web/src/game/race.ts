// Who wins a race with the same pieces. Races exist only in the page, and so does this rule.
import type { Runner } from "./runner.svelte";

export type Verdict = "left" | "right" | "draw";

/** Sprint: the first to clear wins, or the survivor. Blitz: the higher score wins. Null while it is undecided. */
export function verdict(left: Runner, right: Runner): Verdict | null {
    const [a, b] = [left.view, right.view];
    if (left.plan.setup.mode === "blitz") {
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
