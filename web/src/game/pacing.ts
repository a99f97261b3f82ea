// A game beside the player's best, as the frame shows it: the left wall with its splits, and how far ahead the game is.
import type { GameView, PlacementView } from "../engine";
import type { PlayMode } from "../state/modes";
import type { Best } from "../state/progress.svelte";
import { bestNow, lead, splits, type Comparison } from "../state/splits";
import type { Difference, Wall } from "../ui/Frame.svelte";
import { clockParts, count, secondsBetween } from "./format";

const SECOND = 1e6;
/** One tick of the wall in a game against the clock, in seconds. */
const TICK = 5;
/** Above this part of the wall there is no room for words: hold is there. */
const SPLITS_END = 0.78;

/** Seconds with hundredths, and minutes if there are any: 13.02, 1:13.02. */
export function shortTime(micros: number): string {
    const { value, fraction } = clockParts(micros);
    return value.replace(/^0:0?/, "") + fraction;
}

/** How far apart a game and the best are, as their own figures are shown; and whether that is good. */
function apart({ own, best }: Comparison, inTime: boolean): { amount: string; ahead: boolean } {
    return inTime
        ? { amount: secondsBetween(own, best), ahead: own <= best }
        : { amount: count(Math.abs(own - best)), ahead: own >= best };
}

/** A difference with its sign, which is never left to the colour. */
function signed(comparison: Comparison, inTime: boolean): Difference {
    const { amount, ahead } = apart(comparison, inTime);
    return { text: (comparison.own < comparison.best ? "−" : "+") + amount, ahead };
}

/** What the left wall shows; nothing in games without a goal. */
export function measuredWall(
    mode: PlayMode,
    best: Best | null,
    view: GameView,
    placed: readonly PlacementView[],
): Wall | undefined {
    const inTime = mode.measure === "time";
    const reached = splits(mode, best, view, placed);
    const [first] = reached;
    if (!first) return undefined;
    const unit = inTime ? 1 : TICK;
    const max = first.mark / first.part / unit;
    const now = inTime ? bestNow(mode, best, view) : null;
    const labels = reached
        .filter(({ part, value, best }) => part < SPLITS_END && (value ?? best) !== null)
        .map(({ mark, value, best }) => ({
            at: mark / unit,
            // A time without a word is this game's.
            name: (inTime ? String(mark) : clockParts(mark * SECOND).value) + (value === null ? " best" : ""),
            value: inTime ? shortTime(value ?? best ?? 0) : count(value ?? best ?? 0),
            difference: value === null || best === null ? null : signed({ own: value, best }, inTime),
        }));
    return {
        value: inTime ? view.lines : Math.floor(view.time / SECOND / TICK),
        max,
        every: first.mark / unit,
        heading: inTime ? "Split times" : "Split scores",
        labels,
        notch: now === null ? null : { at: now * max, label: now < SPLITS_END ? "best" : "" },
    };
}

/** How far the game is ahead of the best, in words. */
export function leadWords(
    mode: PlayMode,
    best: Best | null,
    view: GameView,
    placed: readonly PlacementView[],
): Difference | null {
    const comparison = lead(mode, best, view, placed);
    if (!comparison) return null;
    const { amount, ahead } = apart(comparison, mode.measure === "time");
    return { text: `${amount} ${ahead ? "ahead of" : "behind"} best`, ahead };
}
