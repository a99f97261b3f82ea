// The endless games that were left, one of each mode: they go on where they were, also after a reload.
import type { RecordedGame } from "../engine";
import { fromBase64, toBase64 } from "./base64";
import { load, onStored, save } from "./stored";

/** The modes whose games never end by themselves. */
export const ENDLESS = ["practice", "zen"] as const;
export type EndlessMode = (typeof ENDLESS)[number];

export interface SuspendedGame {
    mode: EndlessMode;
    /** When it was left, in milliseconds since 1970. */
    at: number;
    /** What the address said of its start: Practice can begin from a position. */
    start: string;
    pieces: number;
    lines: number;
    /** How an agent has helped, in words; empty if none has. */
    help: string;
    /** The replay so far, in Base64. */
    replay: string;
}

const KEY = "suspended";

type Kept = Partial<Record<EndlessMode, SuspendedGame>>;

function isWhole(value: unknown, mode: EndlessMode): value is SuspendedGame {
    const game = Object(value) as Partial<SuspendedGame>;
    const texts = [game.start, game.help, game.replay].every((text) => typeof text === "string");
    return game.mode === mode && texts && [game.at, game.pieces, game.lines].every(Number.isFinite);
}

function read(stored: unknown): Kept {
    const found = Object(stored) as Kept;
    return Object.fromEntries(
        ENDLESS.flatMap((mode) => (isWhole(found[mode], mode) ? [[mode, found[mode]]] : [])),
    ) as Kept;
}

let kept = $state.raw(read(load(KEY)));
onStored(KEY, (stored) => (kept = read(stored)));

function change(mode: EndlessMode, game: SuspendedGame | undefined): void {
    const { [mode]: _, ...others } = read(load(KEY));
    kept = game ? { ...others, [mode]: game } : others;
    save(KEY, kept);
}

export function isEndless(mode: string): mode is EndlessMode {
    return ENDLESS.some((endless) => endless === mode);
}

/** The game that was left in a mode; nothing if there is none. */
export function suspended(mode: EndlessMode): SuspendedGame | null {
    return kept[mode] ?? null;
}

/** The game that was left last, for the menu. */
export function lastSuspended(): SuspendedGame | null {
    const games = ENDLESS.flatMap((mode) => suspended(mode) ?? []);
    return games.sort((one, other) => other.at - one.at)[0] ?? null;
}

/** The replay that the engine goes on with: `LiveGame.goOn(replayOf(game))`. */
export const replayOf = (game: SuspendedGame): Uint8Array => fromBase64(game.replay);

/** Keeps a game that is being left. At once, because the page may be closing; and nothing if there is nothing to lose. */
export function suspend(
    mode: EndlessMode,
    { bytes, about }: RecordedGame,
    start: string,
    help: string,
): void {
    if (about.outcome !== null || about.pieces === 0) return;
    const { pieces, lines } = about;
    change(mode, { mode, at: Date.now(), start, pieces, lines, help, replay: toBase64(bytes) });
}

/** Forgets the game of a mode: it ended, or another one begins. */
export function forgetSuspended(mode: EndlessMode): void {
    if (kept[mode]) change(mode, undefined);
}
