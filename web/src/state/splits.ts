// Split times: a game in progress beside the player's best.
import type { GameView, PlacementView } from "../engine";
import type { Best } from "./progress.svelte";
import type { PlayMode } from "./modes";

const SECOND = 1_000_000;
/** How far Blitz is followed, in seconds. */
const BLITZ_SECONDS = 180;

/** The splits that are shown: after every so many lines, or seconds. */
const STEPS: Record<number, number> = { 20: 5, 40: 10, 80: 20, 100: 20 };
const BLITZ_STEP = 30;

/**
 * How a game went: of a Sprint, the microseconds at which each line was cleared; of a Blitz, the score after each second. Games
 * without a goal have no course.
 */
export function course({ setup, measure }: PlayMode, placed: readonly PlacementView[]): number[] {
    if (measure === "time") {
        const times: number[] = [];
        for (const { lines, at } of placed) {
            while (times.length < Math.min(lines, setup.lines ?? 0)) times.push(at);
        }
        return times;
    }
    if (measure !== "score") return [];
    const scores = Array<number>(BLITZ_SECONDS).fill(0);
    for (const { at, score } of placed) scores.fill(score, Math.max(0, Math.ceil(at / SECOND - 1)));
    return scores;
}

/** A point of the game at which it is compared with the best. */
export interface Split {
    /** Lines of a Sprint, or seconds of a Blitz. */
    mark: number;
    /** The part of the goal: 0 to 1. */
    part: number;
    /** Microseconds of a Sprint, points of a Blitz; null until the game gets there. */
    value: number | null;
    /** The same in the best game; null if there is none. */
    best: number | null;
}

/** What the best game had reached at each split, first to last; none in modes without a goal. */
export function bestSplits(mode: PlayMode, best: Best): { mark: number; value: number }[] {
    return splits(mode, best, null, []).flatMap(({ mark, best }) =>
        best === null ? [] : { mark, value: best },
    );
}

/** The splits of a game, first to last; none in modes without a goal. Without a view, of one that has not begun. */
export function splits(
    mode: PlayMode,
    best: Best | null,
    view: GameView | null,
    placed: readonly PlacementView[],
): Split[] {
    const { measure, setup } = mode;
    if (measure !== "time" && measure !== "score") return [];
    const goal = measure === "time" ? (setup.lines ?? 0) : BLITZ_SECONDS;
    const step = measure === "time" ? (STEPS[goal] ?? goal) : BLITZ_STEP;
    const own = course(mode, placed);
    const reached = measure === "time" ? (view?.lines ?? 0) : (view?.time ?? 0) / SECOND;
    return Array.from({ length: goal / step }, (_, index) => {
        const mark = (index + 1) * step;
        const value = mark <= reached ? (own[mark - 1] ?? null) : null;
        return { mark, part: mark / goal, value, best: best?.course[mark - 1] ?? null };
    });
}

/** A game and the best at the same point, in microseconds of a Sprint or points of a Blitz. */
export interface Comparison {
    own: number;
    best: number;
}

/** What a game is compared by now; null if there is nothing to compare yet. */
export function lead(
    { measure }: PlayMode,
    best: Best | null,
    view: GameView,
    placed: readonly PlacementView[],
): Comparison | null {
    if (!best || best.course.length === 0) return null;
    if (measure === "score")
        return view.time < SECOND ? null : { own: view.score, best: scoreAt(best, view.time) };
    if (measure !== "time" || view.lines === 0) return null;
    const reached = placed.find(({ lines }) => lines >= view.lines)?.at ?? view.time;
    const atLine = { own: reached, best: best.course[view.lines - 1] ?? best.value };
    const next = best.course[view.lines];
    if (next === undefined || view.outcome) return atLine;
    // The lead shrinks already while the next line takes longer than it did.
    return next - view.time < atLine.best - atLine.own ? { own: view.time, best: next } : atLine;
}

/** How far the best game was at this moment: the part of its goal in a Sprint, its score in a Blitz. */
export function bestNow({ measure, setup }: PlayMode, best: Best | null, view: GameView): number | null {
    if (!best || best.course.length === 0) return null;
    if (measure === "score") return scoreAt(best, view.time);
    const lines = best.course.filter((at) => at <= view.time).length;
    return measure === "time" ? lines / (setup.lines ?? lines) : null;
}

function scoreAt({ course }: Best, time: number): number {
    const second = Math.min(Math.floor(time / SECOND), course.length);
    return second > 0 ? (course[second - 1] ?? 0) : 0;
}
