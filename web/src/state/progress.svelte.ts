// Personal bests and the history of each mode, kept in this browser.
import type { About, PlacementView, RecordedGame } from "../engine";
import { dayOf, modeOfGame, playMode, PLAY_MODES, type Measure, type PlayModeId } from "./modes";
import { course } from "./splits";
import { load, onStored, save } from "./stored";

/** A game that ended. */
export interface PlayedGame {
    /** The same for the same game, wherever it is kept. */
    id: string;
    /** When it ended, in milliseconds since 1970. */
    at: number;
    /** Microseconds, points or lines: what its mode is measured in. */
    value: number;
    /** Microseconds played. */
    micros: number;
    pieces: number;
    /** Whether it was a race against an agent. */
    race?: boolean;
    /** The day of a daily. */
    day?: string;
}

/** The best game of a mode. */
export interface Best extends PlayedGame {
    /** How it went, mark by mark: see `course` in splits.ts. */
    course: number[];
}

export interface Progress {
    /** Games that ended, whether won or lost. */
    played: number;
    /** The best one. Of dailies, the best of the last day that was played. */
    best: Best | null;
    /** The last games with a result, oldest first. */
    games: PlayedGame[];
}

type AllProgress = Record<PlayModeId, Progress>;

const KEY = "progress";
/** The most games that are kept of each mode. */
export const MAX_GAMES = 500;
/** More than any course has. */
const MAX_MARKS = 200;
/** The menu shows this many of the last games. */
const LAST = 10;
/** An endless game that was left earlier says nothing. */
export const MIN_PIECES = 10;

const NONE: Progress = { played: 0, best: null, games: [] };

/** Whether one value is better than another. */
export function isBetter(measure: Measure, value: number, other: number): boolean {
    return measure === "time" ? value < other : value > other;
}

function isGame(value: unknown): value is PlayedGame {
    const { id, at, value: result, micros, pieces } = Object(value) as Partial<PlayedGame>;
    return typeof id === "string" && [at, result, micros, pieces].every(Number.isFinite);
}

function isBest(value: unknown): value is Best {
    const { course } = Object(value) as Partial<Best>;
    const whole = Array.isArray(course) && course.length <= MAX_MARKS && course.every(Number.isFinite);
    return whole && isGame(value);
}

/** What of a stored value is whole: it may come from another version, or be damaged. */
export function readProgress(stored: unknown): AllProgress {
    const all = Object(stored) as Partial<Record<PlayModeId, Partial<Progress>>>;
    const read = ({ id }: { id: PlayModeId }): [PlayModeId, Progress] => {
        const { played, best, games } = Object(all[id]) as Partial<Progress>;
        const whole = Array.isArray(games) ? games.filter(isGame).slice(-MAX_GAMES) : [];
        const count = Number.isSafeInteger(played) ? Number(played) : 0;
        return [
            id,
            { played: Math.max(count, whole.length), best: isBest(best) ? best : null, games: whole },
        ];
    };
    return Object.fromEntries(PLAY_MODES.map(read)) as AllProgress;
}

let all = $state.raw(readProgress(load(KEY)));
onStored(KEY, (stored) => (all = readProgress(stored)));

/** Replaces what is kept. Another tab may have added games meanwhile: the change begins with what is stored. */
export function changeProgress(change: (now: AllProgress) => AllProgress): void {
    all = change(readProgress(load(KEY)));
    save(KEY, all);
}

/** Everything that is kept, for the export. */
export const allProgress = (): AllProgress => all;

/** What is kept of a mode. */
export function progress(mode: PlayModeId): Progress {
    return all[mode] ?? NONE;
}

/** The best game of a mode; of the daily, the best of today. */
export function best(mode: PlayModeId): Best | null {
    const found = progress(mode).best;
    return mode === "daily" && found?.day !== dayOf(Date.now()) ? null : found;
}

/** The last ten games of a mode, oldest first. */
export function lastGames(mode: PlayModeId): PlayedGame[] {
    return progress(mode).games.slice(-LAST);
}

/** How many games were played in all modes together. */
export function gamesPlayed(): number {
    return PLAY_MODES.reduce((total, { id }) => total + progress(id).played, 0);
}

/** Who plays the first games sees the keys beside the board. */
const FIRST_GAMES = 5;

export function isNewcomer(): boolean {
    return gamesPlayed() < FIRST_GAMES;
}

/** What else is known of a game that ended. */
export interface Circumstances {
    /** Whether an agent played or helped. */
    assisted: boolean;
    /** Whether the player had asked for these pieces, and could know them. */
    chosenPieces?: boolean;
    race?: boolean;
}

/** What a game means for the player. */
export interface Achievement {
    mode: PlayModeId;
    measure: Measure;
    value: number;
    /** The best before it. */
    before: Best | null;
    isBest: boolean;
}

/** The result of a game in its mode's measure; null if it has none. */
function result({ outcome, duration, score, lines, pieces }: About, measure: Measure): number | null {
    if (measure === "time") return outcome === "clear" ? duration : null;
    if (measure === "score") return outcome === null ? null : score;
    return pieces >= MIN_PIECES ? lines : null;
}

/**
 * Counts a game that ended, once. Tells what it means; null if it is not compared with others: an agent helped, its rules are
 * not a mode's, its pieces were known, or it has no result.
 */
export function recordGame(
    { about }: RecordedGame,
    placed: readonly PlacementView[],
    { assisted, chosenPieces = false, race = false }: Circumstances,
): Achievement | null {
    const mode = modeOfGame(about);
    if (!mode || assisted || about.agent) return null;
    const { measure } = playMode(mode);
    const value = measure && !(chosenPieces && mode !== "daily") ? result(about, measure) : null;
    const known = progress(mode).games.some(({ id }) => id === about.stateHash);
    if (known) return null;
    const day = mode === "daily" && about.category ? about.category.slice("daily-".length) : undefined;
    const game: PlayedGame = {
        id: about.stateHash,
        at: Date.now(),
        value: value ?? 0,
        micros: about.duration,
        pieces: about.pieces,
        ...(race ? { race } : {}),
        ...(day ? { day } : {}),
    };
    let achievement: Achievement | null = null;
    changeProgress((now) => {
        const { played, best, games } = now[mode];
        if (value === null || !measure) return { ...now, [mode]: { ...now[mode], played: played + 1 } };
        // The best of another day had other pieces.
        const before = best && best.day === day ? best : null;
        const isBest = !before || isBetter(measure, value, before.value);
        achievement = { mode, measure, value, before, isBest };
        return {
            ...now,
            [mode]: {
                played: played + 1,
                best: isBest ? { ...game, course: course(playMode(mode), placed) } : best,
                games: [...games, game].slice(-MAX_GAMES),
            },
        };
    });
    return achievement;
}

/** Two histories as one, each game once, with the better best. */
export function mergeProgress(one: AllProgress, other: AllProgress): AllProgress {
    const merge = ({ id, measure }: { id: PlayModeId; measure: Measure | null }): [PlayModeId, Progress] => {
        const [a, b] = [one[id], other[id]];
        const ids = new Set(a.games.map((game) => game.id));
        const added = b.games.filter((game) => !ids.has(game.id));
        const games = [...a.games, ...added].sort((x, y) => x.at - y.at).slice(-MAX_GAMES);
        // Nobody knows which of the lost games both have counted.
        const played = Math.max(a.played, b.played, games.length);
        return [id, { played, best: betterBest(measure, a.best, b.best), games }];
    };
    return Object.fromEntries(PLAY_MODES.map(merge)) as AllProgress;
}

function betterBest(measure: Measure | null, one: Best | null, other: Best | null): Best | null {
    if (!one || !other || !measure) return one ?? other;
    // Of dailies, the later day counts.
    if (one.day !== other.day) return (one.day ?? "") > (other.day ?? "") ? one : other;
    return isBetter(measure, other.value, one.value) ? other : one;
}
