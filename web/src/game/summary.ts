// A recorded game at a glance: in a few words, how it went, and its last position.
import { Viewer, type About, type GameView, type PlacementView } from "../engine";
import { modeOfGame, playMode } from "../state/modes";
import { MODES, OUTCOMES, clock, counted } from "./format";

/** What was played. */
export function gameName(about: About): string {
    const mode = modeOfGame(about);
    return mode ? playMode(mode).name : MODES[about.mode];
}

/** How it ended. */
export function outcomeName({ outcome, pieces }: About): string {
    // Agents play a Blitz of so many pieces.
    if (outcome === "piece_limit") return `${counted(pieces, "piece")} placed`;
    return outcome ? OUTCOMES[outcome] : "Not finished";
}

/** What it is judged by. */
export function resultWords({ mode, outcome, timed, agent, ...about }: About): string {
    if (mode === "blitz") return counted(about.score, "point");
    // The time of an agent says how fast the machine is, not how well it plays.
    if (mode === "sprint" && outcome === "clear" && timed && !agent) return clock(about.duration);
    return outcome === "clear" ? counted(about.pieces, "piece") : counted(about.lines, "line");
}

export interface Course {
    placed: PlacementView[];
    end: GameView;
}

const known = new WeakMap<Uint8Array, Course>();

/** How the game of a replay went. It is played again, which takes a moment: ask only for what is seen. */
export function courseOf(bytes: Uint8Array): Course {
    const earlier = known.get(bytes);
    if (earlier) return earlier;
    const viewer = new Viewer(bytes);
    try {
        viewer.seek(viewer.about().duration);
        const course = { placed: viewer.record().placed, end: viewer.view() };
        known.set(bytes, course);
        return course;
    } finally {
        viewer.free();
    }
}
