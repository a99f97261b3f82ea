// The modes that people play, in the order of the menu.
import { dailySeed, type About, type Category, type GameSetup } from "../engine";

/** A mode's name in the address and in what this browser keeps. */
export type PlayModeId =
    "sprint-20" | "sprint" | "sprint-80" | "sprint-100" | "blitz" | "daily" | "zen" | "practice";

/** What makes one game better than another. */
export type Measure = "time" | "score" | "lines";

export interface PlayMode {
    id: PlayModeId;
    name: string;
    about: string;
    setup: Pick<GameSetup, "mode" | "lines">;
    /** Nothing where games are not compared. */
    measure: Measure | null;
}

const sprint = (id: PlayModeId, name: string, lines: number): PlayMode => ({
    id,
    name,
    about: `The fastest ${lines} lines`,
    setup: { mode: "sprint", lines },
    measure: "time",
});

export const PLAY_MODES: readonly PlayMode[] = [
    sprint("sprint-20", "Sprint 20", 20),
    sprint("sprint", "Sprint 40", 40),
    sprint("sprint-80", "Sprint 80", 80),
    sprint("sprint-100", "Sprint 100", 100),
    {
        id: "blitz",
        name: "Blitz",
        about: "Most points in three minutes",
        setup: { mode: "blitz" },
        measure: "score",
    },
    {
        id: "daily",
        name: "Daily",
        about: "40 lines, today's pieces",
        setup: { mode: "sprint", lines: 40 },
        measure: "time",
    },
    {
        id: "zen",
        name: "Zen",
        about: "No goal, no gravity",
        setup: { mode: "zen" },
        measure: "lines",
    },
    {
        id: "practice",
        name: "Practice",
        about: "Undo, hints and reasons",
        setup: { mode: "practice" },
        measure: null,
    },
];

export function isPlayMode(id: string): id is PlayModeId {
    return PLAY_MODES.some((mode) => mode.id === id);
}

export function playMode(id: PlayModeId): PlayMode {
    const found = PLAY_MODES.find((mode) => mode.id === id);
    if (!found) throw new Error(`there is no mode '${id}'`);
    return found;
}

/** The mode that a category belongs to. */
export function modeOfCategory(category: Category): PlayModeId {
    return category.startsWith("daily-") ? "daily" : (category as PlayModeId);
}

/** The mode of a recorded game; nothing if its rules are not a mode's. */
export function modeOfGame({ mode, category }: About): PlayModeId | null {
    if (mode === "zen" || mode === "practice") return mode;
    // Replays kept by earlier versions have no category. They had one length.
    if (category === undefined) return mode === "sprint" || mode === "blitz" ? mode : null;
    return category && modeOfCategory(category);
}

/** A day in UTC, such as 2026-11-18. */
export function dayOf(millis: number): string {
    return new Date(millis).toISOString().slice(0, 10);
}

/** The seed of today's pieces. */
export const seedOfToday = (): bigint => dailySeed(dayOf(Date.now()));
