// What becomes of a game that is over: it is counted, its replay is kept, and its score is sent if there is a server.
import { isRankedMode, isSettled, sendScore } from "../state/leaderboard";
import { MIN_PIECES, recordGame, type Achievement } from "../state/progress.svelte";
import { markSent, saveReplay, type SavedReplay } from "../state/replays";
import { sentence } from "../state/words";
import type { Runner } from "./runner.svelte";

export interface Finish {
    /** What to tell the player. */
    note: string;
    replayId: number | null;
    /** What the game means among the player's own; nothing if it is not compared. */
    achievement: Achievement | null;
    /** Why the server does not rank it after all. */
    unranked: string | null;
}

export const NO_FINISH: Finish = { note: "", replayId: null, achievement: null, unranked: null };

/** Where games are kept: a game that is lost, undone and played on replaces its earlier replay. */
const kept = new WeakMap<Runner, Promise<SavedReplay>>();

/** In a race, the pieces are dealt here and an agent plays beside the player. */
export async function finish(runner: Runner, { race = false } = {}): Promise<Finish> {
    const { setup, chosenPieces } = runner.plan;
    const { mode, forAgents } = setup;
    const game = runner.recorded();
    // A game that was left at once is not worth a place among the replays.
    const left = game.about.outcome === null && game.about.pieces < MIN_PIECES;
    if (left && !kept.has(runner)) return NO_FINISH;
    // The replay does not show every kind of help.
    const helped = runner.assisted && !forAgents;
    const ranked = game.ranked && !helped;
    const achievement = recordGame(game, runner.placed, {
        assisted: helped,
        chosenPieces: chosenPieces ?? false,
        race,
    });
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
    const later = saved && answer?.kind === "away" ? "It will be sent when you open the leaderboard." : "";
    const unranked = helped && isRankedMode(mode) ? "Not ranked: an agent played or helped." : "";
    const notes = [answer ? answer.note : unranked, later, trouble];
    return {
        note: notes.filter(Boolean).join(" "),
        replayId: saved?.id ?? null,
        achievement,
        unranked: answer?.unranked ?? null,
    };
}
