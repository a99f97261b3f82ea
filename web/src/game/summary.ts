// A recorded game at a glance: in a few words, how it went, and its last position.
import {
    MatchViewer,
    Viewer,
    type About,
    type GameView,
    type PlacementView,
    type RecordedGame,
} from "../engine";
import { modeOfGame, playMode } from "../state/modes";
import { agentTitle } from "../state/roster.svelte";
import { MODES, OUTCOMES, clock, counted } from "./format";

/** What was played. */
export function gameName(about: About): string {
    const mode = modeOfGame(about);
    return mode ? playMode(mode).name : MODES[about.mode];
}

/** Who played each side. */
export function sideNames({ player, agent, opponent }: About): [own: string, other: string] {
    return [agent ? agentTitle(player) : player, agentTitle(opponent?.player ?? "")];
}

/** Who played it. */
export function playerNames(about: About): string {
    const [own, other] = sideNames(about);
    return about.opponent ? `${own} against ${other}` : own;
}

/** How it ended. */
export function outcomeName(about: About): string {
    const { outcome, pieces, opponent } = about;
    const [own, other] = sideNames(about);
    if (opponent && outcome !== "top_out")
        return opponent.winner === null ? "Not finished" : `${other} topped out`;
    if (opponent) return opponent.winner === null ? "Both topped out" : `${own} topped out`;
    // Agents play a Blitz of so many pieces.
    if (outcome === "piece_limit") return `Ended at ${counted(pieces, "piece")}`;
    return outcome ? OUTCOMES[outcome] : "Not finished";
}

/** What it is judged by. */
export function resultWords(about: About): string {
    const { mode, outcome, timed, agent, opponent } = about;
    if (opponent) {
        if (opponent.winner === null) return outcome ? "Draw" : "No winner";
        if (agent) return `${sideNames(about)[opponent.winner]} won`;
        return opponent.winner === 0 ? "Won" : "Lost";
    }
    if (mode === "blitz") return counted(about.score, "point");
    // The time of an agent says how fast the machine is, not how well it plays.
    if (mode === "sprint" && outcome === "clear" && timed && !agent) return clock(about.duration);
    return outcome === "clear" ? counted(about.pieces, "piece") : counted(about.lines, "line");
}

export interface Course {
    placed: PlacementView[];
    end: GameView;
}

/** The side of a match that is meant: the player's, or among agents the winner's. */
export function shownSide({ agent, opponent }: About): 0 | 1 {
    return agent && opponent?.winner === 1 ? 1 : 0;
}

const known = new WeakMap<Uint8Array, Course>();

/** How the game of a replay went, or the side of a match that is meant. It is played again, which takes a moment: ask only for what is seen. */
export function courseOf({ bytes, about }: Pick<RecordedGame, "bytes" | "about">): Course {
    const course =
        known.get(bytes) ?? (about.opponent ? courseOfMatch(bytes, shownSide(about)) : courseOfGame(bytes));
    known.set(bytes, course);
    return course;
}

function courseOfGame(bytes: Uint8Array): Course {
    const viewer = new Viewer(bytes);
    try {
        viewer.seek(viewer.about().duration);
        return { placed: viewer.record().placed, end: viewer.view() };
    } finally {
        viewer.free();
    }
}

function courseOfMatch(bytes: Uint8Array, side: 0 | 1): Course {
    const viewer = new MatchViewer(bytes);
    try {
        viewer.seek(viewer.about().duration);
        return { placed: viewer.record().placed[side], end: viewer.view().sides[side].game };
    } finally {
        viewer.free();
    }
}
