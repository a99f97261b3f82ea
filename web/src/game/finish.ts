// What becomes of a game that is over: it is counted, its replay is kept, and its score is sent if there is a server.
import { isRankedMode, isSettled, leaderboardAddress, sendScore } from "../state/leaderboard";
import { MIN_PIECES, recordGame, type Achievement } from "../state/progress.svelte";
import { noteAnswer, saveReplay, type SavedReplay } from "../state/replays";
import type { Standing } from "../state/standing";
import { sentence } from "../state/words";
import type { Runner } from "./runner.svelte";

export interface Finish {
    /** What to tell the player. */
    note: string;
    /** Its place among others, and where that is shown; nothing if it has none. */
    place: { words: string; href: string } | null;
    replayId: number | null;
    /** What the game means among the player's own; nothing if it is not compared. */
    achievement: Achievement | null;
    /** Whether it counts in the end; nothing until that is known. */
    standing: Standing | null;
}

export const NO_FINISH: Finish = {
    note: "",
    place: null,
    replayId: null,
    achievement: null,
    standing: null,
};

/** Where games are kept: a game that is lost, undone and played on replaces its earlier replay. */
const kept = new WeakMap<Runner, Promise<SavedReplay>>();

/** In a race, the pieces are dealt here and an agent plays beside the player, who is not ranked for it. */
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
    const by = game.about.agent ? "agent" : "person";
    const standing = !ranked ? "unranked" : forAgents ? "ranked" : runner.standing;
    const keeping = saveReplay({ ...game, ranked, standing }, kept.get(runner), runner.ticket());
    kept.set(runner, keeping);
    let trouble = "";
    const [saved, answer] = await Promise.all([
        keeping.catch((error) => {
            trouble = `The replay was not saved: ${sentence(error)}`;
            return null;
        }),
        // The score does not wait for the browser's storage, which may refuse or never answer.
        ranked && standing !== "unranked"
            ? runner.ticket().then((ticket) => sendScore(game.bytes, ticket, by))
            : null,
    ]);
    // What reaches the server late cannot be verified any more; the games of agents can.
    const settled = answer?.standing ?? (answer && !forAgents ? "unverified" : standing);
    if (saved && answer) void noteAnswer(saved.id, isSettled(answer), settled);
    const later = saved && answer?.kind === "away" ? "It will be sent when you open the leaderboard." : "";
    const { category } = game.about;
    const place = answer?.place
        ? {
              words: answer.place,
              href: category ? leaderboardAddress(category, by, settled === "unverified") : "#/scores",
          }
        : null;
    const notes = [answer ? answer.note : whyUnranked(), later, trouble];
    return {
        note: notes.filter(Boolean).join(" "),
        place,
        replayId: saved?.id ?? null,
        achievement,
        standing: settled,
    };

    /** Why it was not sent, where the player may expect that. */
    function whyUnranked(): string {
        if (!isRankedMode(mode)) return "";
        if (helped) return "Unranked: an agent played or helped.";
        if (forAgents) return "";
        if (race) return `${runner.plan.unranked}.`;
        if (!game.ranked) return mode === "sprint" ? "Only finished Sprints are ranked." : "";
        return `${runner.unranked}: the game is unranked and stays in this browser.`;
    }
}
