// The score book: the server's, or where there is none, what this browser keeps of ranked games.
import type { Mode } from "../engine";
import { listReplays, markSent, type SavedReplay } from "./replays";
import { Refusal, hasServer, postScore, scores, type Score } from "./server";
import { sentence } from "./words";

export type Ranked = "sprint" | "blitz";
export const RANKED: readonly Ranked[] = ["sprint", "blitz"];
export const isRankedMode = (mode: Mode): mode is Ranked => RANKED.some((ranked) => ranked === mode);

export type By = "people" | "agents";

/** A place in a ranking. */
export interface Standing extends Omit<Score, "keys" | "by"> {
    /** Where its replay is shown. */
    replay: string;
}

export interface ScoreBook {
    standings: Standing[];
    /** Whether it is the server's. */
    shared: boolean;
}

const MOST = 100;

/** What became of a score: it has a place, the book won't have it, nobody answers, or there is no book. */
export interface Answer {
    kind: "taken" | "refused" | "away" | "none";
    note: string;
}

/** The server was there and looked: it is no replay, it is there already, or it does not count. */
const REFUSED = [400, 409, 422];

/** Sends a game to the server's book. */
export async function sendScore(replay: Uint8Array): Promise<Answer> {
    if (!(await hasServer()))
        return {
            kind: "none",
            note: "There is no server with a score book: Scores lists what this browser keeps.",
        };
    try {
        return { kind: "taken", note: `In the score book, at place ${(await postScore(replay)).rank}.` };
    } catch (error) {
        const refused = error instanceof Refusal && REFUSED.includes(error.status);
        return { kind: refused ? "refused" : "away", note: `Not in the score book: ${sentence(error)}` };
    }
}

/** Whether the book need not be asked again. */
export const isSettled = ({ kind }: Answer): boolean => kind === "taken" || kind === "refused";

/** Sends the games that ended while the server was away. */
export async function sendWaiting(): Promise<void> {
    try {
        for (const { id, bytes, ranked, sent } of await listReplays()) {
            if (!ranked || sent) continue;
            if (!isSettled(await sendScore(bytes))) return;
            await markSent(id);
        }
    } catch {
        // Without a store nothing waits.
    }
}

/** Less is better, as in the server's book; of equals, the first to come. */
function order({ about }: SavedReplay): [number, number] {
    if (about.mode === "blitz") return [-about.score, 0];
    return about.agent ? [about.pieces, -about.score] : [about.duration, 0];
}

function compare(one: SavedReplay, other: SavedReplay): number {
    const [a, b] = [order(one), order(other)];
    return a[0] - b[0] || a[1] - b[1] || one.id - other.id;
}

async function ownStandings(mode: Ranked, by: By): Promise<Standing[]> {
    const counted = (await listReplays()).filter(
        ({ ranked, about }) => ranked && about.mode === mode && about.agent === (by === "agents"),
    );
    return counted
        .sort(compare)
        .slice(0, MOST)
        .map(({ id, about, savedAt }, index) => ({
            id,
            rank: index + 1,
            mode,
            player: about.player,
            outcome: about.outcome ?? "",
            micros: about.agent ? null : about.duration,
            pieces: about.pieces,
            lines: about.lines,
            score: about.score,
            at: savedAt / 1000,
            replay: `#/replay/${id}`,
        }));
}

export async function scoreBook(mode: Ranked, by: By): Promise<ScoreBook> {
    if (!(await hasServer())) return { standings: await ownStandings(mode, by), shared: false };
    await sendWaiting();
    const listed = await scores(mode, by, MOST);
    return {
        standings: listed.map((score) => ({ ...score, replay: `#/replay/score/${score.id}` })),
        shared: true,
    };
}
