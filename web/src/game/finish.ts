// What becomes of a game that is over: its replay is kept, and its score sent where there is a book.
import { saveReplay } from "../state/replays";
import { isRankedMode } from "../state/scorebook";
import { hasServer, postScore } from "../state/server";
import { words } from "../state/words";
import type { Runner } from "./runner.svelte";

export interface Finish {
    /** What to tell the player. */
    note: string;
    replayId: number | null;
}

export async function finish(runner: Runner): Promise<Finish> {
    const { mode } = runner.plan.setup;
    const won = mode === "blitz" ? runner.view.outcome !== null : runner.view.outcome === "clear";
    // An agent's Blitz is ranked by pieces, not by minutes.
    const byAgent = runner.plan.setup.forAgents === true;
    const counts = (runner.ranked || byAgent) && won && isRankedMode(mode);
    const bytes = runner.replay();
    let replayId: number | null = null;
    let note = "";
    try {
        replayId = (await saveReplay(bytes, counts)).id;
    } catch (error) {
        note = `The replay is not kept: ${words(error)}`;
    }
    if (!counts) {
        if (runner.assisted && isRankedMode(mode)) note ||= "Not ranked: an agent played or helped.";
        return { note, replayId };
    }
    if (!(await hasServer()))
        return { note: note || "Kept in this browser: there is no server with a score book.", replayId };
    try {
        const { rank } = await postScore(bytes);
        note ||= `In the score book, at place ${rank}.`;
    } catch (error) {
        note ||= `Not in the score book: ${words(error)}`;
    }
    return { note, replayId };
}
