// A game beside the player's best, as the frame shows it: the left wall with its splits, and how far ahead the game is.
import type { GameView, PlacementView } from "../engine";
import type { PlayMode } from "../state/modes";
import type { Best } from "../state/progress.svelte";
import { bestNow, lead, splits } from "../state/splits";
import type { Difference, Wall } from "../ui/Frame.svelte";
import { clockParts, count } from "./format";

const SECOND = 1e6;
/** One tick of the wall in a game against the clock, in seconds. */
const TICK = 5;
/** Above this part of the wall there is no room for splits: hold is there. */
const SPLITS_END = 0.78;
/** Two words closer than this part of the wall would stand on each other. */
const WORD = 0.03;

/** Seconds with hundredths, and minutes if there are any: 13.02, 1:13.02. */
export function shortTime(micros: number): string {
    const { value, fraction } = clockParts(micros);
    return value.replace(/^0:0?/, "") + fraction;
}

/** A difference with its sign, which is never left to the colour. */
export function signed(difference: number, inTime: boolean): string {
    const amount = Math.abs(difference);
    return (difference < 0 ? "−" : "+") + (inTime ? (amount / SECOND).toFixed(2) : count(amount));
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
        .filter(({ part }) => now === null || Math.abs(part - now) > WORD)
        .map(({ mark, value, best, difference }) => ({
            at: mark / unit,
            // A time without a word is this game's.
            name: (inTime ? String(mark) : clockParts(mark * SECOND).value) + (value === null ? " best" : ""),
            value: inTime ? shortTime(value ?? best ?? 0) : count(value ?? best ?? 0),
            difference:
                difference === null
                    ? null
                    : { text: signed(difference, inTime), ahead: inTime ? difference <= 0 : difference >= 0 },
        }));
    return {
        value: inTime ? view.lines : Math.floor(view.time / SECOND / TICK),
        max,
        every: first.mark / unit,
        labels,
        notch: now === null ? null : { at: now * max, label: "best" },
    };
}

/** How far the game is ahead of the best, in words. */
export function leadWords(
    mode: PlayMode,
    best: Best | null,
    view: GameView,
    placed: readonly PlacementView[],
): Difference | null {
    const ahead = lead(mode, best, view, placed);
    if (ahead === null) return null;
    const amount = mode.measure === "time" ? (Math.abs(ahead) / SECOND).toFixed(2) : count(Math.abs(ahead));
    return { text: `${amount} ${ahead >= 0 ? "ahead of" : "behind"} best`, ahead: ahead >= 0 };
}
