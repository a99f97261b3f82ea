// What becomes of a game that is over: its replay is kept, and its score sent where there is a book.
import { saveReplay } from "../state/replays";
import { hasServer, postScore } from "../state/server";
import type { Runner } from "./runner.svelte";

export interface Finish {
    /** What to tell the player. */
    note: string;
    replayId: number | null;
}

export async function finish(runner: Runner, player?: string): Promise<Finish> {
    const { mode } = runner.plan.setup;
    const won = mode === "blitz" ? runner.view.outcome !== null : runner.view.outcome === "clear";
    // An agent's Blitz is ranked by pieces, not by minutes.
    const byAgent = player !== undefined && runner.plan.setup.forAgents === true;
    const counts = (runner.ranked || byAgent) && won && (mode === "sprint" || mode === "blitz");
    const bytes = runner.replay(player);
    let replayId: number | null = null;
    let note = "";
    try {
        replayId = (await saveReplay(bytes, counts)).id;
    } catch (error) {
        note = `The replay is not kept: ${error instanceof Error ? error.message : error}`;
    }
    if (!counts) {
        if (runner.assisted && !byAgent && (mode === "sprint" || mode === "blitz"))
            note ||= "Not ranked: an agent played or helped.";
        return { note, replayId };
    }
    if (!(await hasServer()))
        return { note: note || "Kept in this browser: there is no server with a score book.", replayId };
    try {
        const { rank } = await postScore(bytes);
        note ||= `In the score book, at place ${rank}.`;
    } catch (error) {
        note ||= `Not in the score book: ${error instanceof Error ? error.message : error}`;
    }
    return { note, replayId };
}
