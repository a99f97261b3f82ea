// Whether a game counts: one word, the same on every screen.

/** On the leaderboard, listed apart because the server could not confirm it, or the player's own affair. */
export type Standing = "ranked" | "unverified" | "unranked";

export const STANDINGS: Record<Standing, string> = {
    ranked: "Ranked",
    unverified: "Unverified",
    unranked: "Unranked",
};

/** Which games are what, in a sentence or two. */
export const STANDING_MEANINGS: Record<Standing, string> = {
    ranked: "The server dealt the pieces and has replayed the game.",
    unverified:
        "The server can't confirm it: the pieces were known, it was paused too long, or it was sent later. Listed apart.",
    unranked:
        "An agent helped or played along, the Sprint was not finished, the server did not answer when the game began, or the mode has no leaderboard. Kept in this browser.",
};

/** What is meant by it of a person's game, or of an agent's. */
export function standingMeaning(standing: Standing, agent: boolean): string {
    return agent && standing === "ranked" ? "On the agents' leaderboard." : STANDING_MEANINGS[standing];
}
