// The leaderboards: the server's, or where there is none, the ranked games that this browser keeps.
import { count } from "../game/format";
import { leaderboards, standing, type Category, type Competitor, type Mode } from "../engine";
import type { Score } from "./api";
import { dayOf, modeOfGame, seedOfToday, type PlayModeId } from "./modes";
import { address } from "./route.svelte";
import { listReplays, noteAnswer, type SavedReplay } from "./replays";
import {
    Refusal,
    hasServer,
    postScore,
    requestTicket,
    scores,
    serverState,
    type ServerState,
} from "./server";
import type { Standing } from "./standing";
import { sentence } from "./words";

/** The modes that have leaderboards. */
export const rankedModes = (): Mode[] => [...new Set(leaderboards().leaderboards.map(({ mode }) => mode))];
/** The categories that have leaderboards: those that last, and the daily of today. */
export function categories(): Category[] {
    const lasting = leaderboards().leaderboards.map(({ category }) => category);
    return [...new Set(lasting), categoryOfToday()];
}
/** Where a leaderboard is shown. */
export function leaderboardAddress(category: Category, by: Competitor, unverified: boolean): string {
    return address("scores", {
        mode: category,
        by: by === "agent" ? "agents" : "people",
        unverified: unverified ? true : null,
    });
}
export const categoryOfToday = (): Category => `daily-${dayOf(Date.now())}`;
export const isRankedMode = (mode: Mode): boolean => rankedModes().includes(mode);

/** How a leaderboard is ordered, in words. */
export function orderOf(category: Category, by: Competitor): string {
    // A daily is a Sprint with certain pieces.
    const like = category.startsWith("daily-") ? "sprint" : category;
    const found = leaderboards().leaderboards.find((board) => board.category === like && board.by === by);
    return found?.order ?? "";
}

/** A place on a leaderboard. */
export interface Place extends Omit<Score, "keys" | "by" | "outcome"> {
    /** Where its replay is shown. */
    replay: string;
}

export interface Leaderboard {
    places: Place[];
    /** Where it comes from: the server, or this browser because there is none or it is away. */
    server: ServerState;
}

/** The pieces of a game, and the server's ticket for it. */
export interface Deal {
    /** Others each time if it is not given. */
    seed?: bigint;
    ticket?: string;
}

/** Lets the server deal the pieces of a ranked game. Without one, nobody does, except for the daily. */
export async function deal(mode: PlayModeId): Promise<Deal> {
    const own = (): Deal => (mode === "daily" ? { seed: seedOfToday() } : {});
    if (mode === "zen" || mode === "practice" || !(await hasServer())) return own();
    try {
        const { seed, ticket } = await requestTicket(mode);
        return { seed: BigInt(seed), ticket };
    } catch {
        // The game can be played all the same. It will be unverified.
        return own();
    }
}

const MAX_PLACES = 100;

/** What became of a score: it has a place, it was refused, the server is away, or there is none. */
export interface Answer {
    kind: "taken" | "refused" | "away" | "none";
    note: string;
    /** Its place, in words; nothing if it has none. */
    place: string;
    /** What the game is since then; nothing if the server did not say. */
    standing: Standing | null;
}

/** The server looked at it: it is not a replay, others are better, or it does not count. */
const REFUSED = [400, 409, 422];

/** Sends a game to the server's leaderboard. */
export async function sendScore(replay: Uint8Array, ticket: string | null, by: Competitor): Promise<Answer> {
    if ((await serverState()) === "none")
        return {
            kind: "none",
            note: "This page has no server: the game is unranked and stays in this browser.",
            place: "",
            standing: "unranked",
        };
    try {
        const { rank, unverified } = await postScore(replay, ticket);
        const place = `#${count(rank)}`;
        return unverified
            ? {
                  kind: "taken",
                  note: `Unverified: ${sentence(unverified)}`,
                  place: `${place} on the Unverified list`,
                  standing: "unverified",
              }
            : {
                  kind: "taken",
                  note: "",
                  place: `${place} ${by === "agent" ? "among agents" : "on the leaderboard"}`,
                  standing: "ranked",
              };
    } catch (error) {
        // Its pieces and moves are those of a game that was sent before.
        if (error instanceof Refusal && error.message.startsWith("this game is already on the leaderboard"))
            return {
                kind: "taken",
                note: "",
                place: "Already on the leaderboard",
                standing: by === "agent" || ticket ? "ranked" : "unverified",
            };
        const refused = error instanceof Refusal && REFUSED.includes(error.status);
        return {
            kind: refused ? "refused" : "away",
            note: `Not on the leaderboard: ${sentence(error)}`,
            place: "",
            standing: refused ? "unranked" : null,
        };
    }
}

/** Whether the server need not be asked again. */
export const isSettled = ({ kind }: Answer): boolean => kind === "taken" || kind === "refused";

/** Sends the games that ended while the server was away. */
export async function sendWaiting(): Promise<void> {
    try {
        for (const { id, bytes, about, ranked, sent, ticket, standing } of await listReplays()) {
            if (!ranked || sent || standing === "unranked") continue;
            const answer = await sendScore(bytes, ticket ?? null, about.agent ? "agent" : "person");
            if (!isSettled(answer)) return;
            await noteAnswer(id, true, answer.standing ?? "unranked");
        }
    } catch {
        // Without storage no game waits.
    }
}

/** Of equal games, the earlier one is ahead. */
function compare(one: SavedReplay, other: SavedReplay): number {
    const [a, b] = [standing(one.about), standing(other.about)];
    const difference = a.map((number, index) => number - (b[index] ?? 0)).find((number) => number !== 0);
    return difference ?? one.id - other.id;
}

/** What a game is ranked in. Replays kept by earlier versions don't say: they had one category for each mode. */
function categoryOf({ about }: SavedReplay): Category | null {
    return about.category === undefined ? (modeOfGame(about) as Category | null) : about.category;
}

async function ownPlaces(category: Category, by: Competitor): Promise<Place[]> {
    const counted = (await listReplays()).filter(
        (replay) =>
            replay.ranked && categoryOf(replay) === category && replay.about.agent === (by === "agent"),
    );
    return counted
        .sort(compare)
        .slice(0, MAX_PLACES)
        .map(({ id, about, savedAt }, index) => ({
            id,
            rank: index + 1,
            mode: category,
            player: about.player,
            micros: about.timed ? about.duration : null,
            pieces: about.pieces,
            lines: about.lines,
            score: about.score,
            unverified: null,
            at: savedAt / 1000,
            replay: `#/replay/${id}`,
        }));
}

export async function leaderboard(
    category: Category,
    by: Competitor,
    unverified: boolean,
): Promise<Leaderboard> {
    const server = await serverState();
    if (server !== "there") return { places: await ownPlaces(category, by), server };
    try {
        await sendWaiting();
        const listed = await scores(category, by, unverified, MAX_PLACES);
        return {
            places: listed.map((score) => ({ ...score, replay: `#/replay/score/${score.id}` })),
            server,
        };
    } catch (error) {
        if (error instanceof Refusal) throw error;
        return { places: await ownPlaces(category, by), server: "away" };
    }
}
