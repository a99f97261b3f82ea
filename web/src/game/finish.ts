// What becomes of a game that is over: its replay is kept, and its score sent where there is a book.
import { markSent, saveReplay, type SavedReplay } from "../state/replays";
import { isRankedMode, isSettled, sendScore } from "../state/scorebook";
import { sentence } from "../state/words";
import type { Runner } from "./runner.svelte";

export interface Finish {
    /** What to tell the player. */
    note: string;
    replayId: number | null;
}

/** Where games are kept: one that is lost, taken back and played on replaces what was kept of it. */
const kept = new WeakMap<Runner, Promise<SavedReplay>>();

export async function finish(runner: Runner): Promise<Finish> {
    const { mode, forAgents } = runner.plan.setup;
    const won = mode === "blitz" ? runner.view.outcome !== null : runner.view.outcome === "clear";
    // An agent's Blitz is ranked by pieces, not by minutes.
    const counts = (runner.ranked || forAgents === true) && won && isRankedMode(mode);
    const bytes = runner.replay();
    const keeping = saveReplay(bytes, counts, kept.get(runner));
    kept.set(runner, keeping);
    let trouble = "";
    const [saved, answer] = await Promise.all([
        keeping.catch((error) => {
            trouble = `The replay is not kept: ${sentence(error)}`;
            return null;
        }),
        // The score does not wait for the store, which may refuse, or never answer.
        counts ? sendScore(bytes) : null,
    ]);
    if (saved && answer && isSettled(answer)) void markSent(saved.id);
    const later = saved && answer?.kind === "away" ? "It is sent when you open Scores." : "";
    const helped = runner.assisted && !forAgents && isRankedMode(mode);
    const unranked = helped ? "Not ranked: an agent played or helped." : "";
    const notes = [answer ? answer.note : unranked, later, trouble];
    return { note: notes.filter(Boolean).join(" "), replayId: saved?.id ?? null };
}
