// What becomes of a game that is over: its replay is kept, and its score is sent if there is a server.
import { isRankedMode, isSettled, sendScore } from "../state/leaderboard";
import { markSent, saveReplay, type SavedReplay } from "../state/replays";
import { sentence } from "../state/words";
import type { Runner } from "./runner.svelte";

export interface Finish {
    /** What to tell the player. */
    note: string;
    replayId: number | null;
}

/** Where games are kept: a game that is lost, undone and played on replaces its earlier replay. */
const kept = new WeakMap<Runner, Promise<SavedReplay>>();

export async function finish(runner: Runner): Promise<Finish> {
    const { mode, forAgents } = runner.plan.setup;
    const game = runner.recorded();
    // The replay does not show every kind of help.
    const helped = runner.assisted && !forAgents;
    const ranked = game.ranked && !helped;
    const keeping = saveReplay({ ...game, ranked }, kept.get(runner), runner.ticket());
    kept.set(runner, keeping);
    let trouble = "";
    const [saved, answer] = await Promise.all([
        keeping.catch((error) => {
            trouble = `The replay was not saved: ${sentence(error)}`;
            return null;
        }),
        // The score does not wait for the browser's storage, which may refuse or never answer.
        ranked ? runner.ticket().then((ticket) => sendScore(game.bytes, ticket)) : null,
    ]);
    if (saved && answer && isSettled(answer)) void markSent(saved.id);
    const later = saved && answer?.kind === "away" ? "It will be sent when you open Scores." : "";
    const unranked = helped && isRankedMode(mode) ? "Not ranked: an agent played or helped." : "";
    const notes = [answer ? answer.note : unranked, later, trouble];
    return { note: notes.filter(Boolean).join(" "), replayId: saved?.id ?? null };
}
