// Whether a game counts: one word, the same on every screen.

/** On the leaderboard, listed apart because the server could not confirm it, or the player's own affair. */
export type Standing = "ranked" | "unverified" | "unranked";

export const STANDINGS: Record<Standing, string> = {
    ranked: "Ranked",
    unverified: "Unverified",
    unranked: "Unranked",
};
