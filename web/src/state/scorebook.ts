// The score book: the server's, or where there is none, what this browser keeps of ranked games.
import type { Mode } from "../engine";
import { listReplays, type SavedReplay } from "./replays";
import { hasServer, scores, type Score } from "./server";

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
    const listed = await scores(mode, by, MOST);
    return {
        standings: listed.map((score) => ({ ...score, replay: `#/replay/score/${score.id}` })),
        shared: true,
    };
}
