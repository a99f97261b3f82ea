// The screens beside the games, as the menu lists them.
import type { Glyph } from "../ui/glyphs";

export interface Tool {
    path: string;
    name: string;
    about: string;
    /** What it is without a server, if that is something else. */
    alone?: string;
    /** Its key in the menu. */
    key: string;
    icon: Glyph;
}

export const TOOLS: readonly { title: string; tools: readonly Tool[] }[] = [
    {
        title: "Agents",
        tools: [
            {
                path: "versus",
                name: "Versus",
                about: "Garbage, until one tops out",
                key: "V",
                icon: "versus",
            },
            { path: "watch", name: "Watch", about: "Any agent, with its reasons", key: "W", icon: "watch" },
            { path: "race", name: "Race", about: "Side by side, same pieces", key: "R", icon: "race" },
        ],
    },
    {
        title: "Your games",
        tools: [
            {
                path: "progress",
                name: "Progress",
                about: "Bests, splits and history",
                key: "P",
                icon: "analysis",
            },
            { path: "replays", name: "Replays", about: "Watch, share, play on", key: "E", icon: "replays" },
            {
                path: "scores",
                name: "Leaderboard",
                about: "Best times and scores",
                alone: "Your games in this browser",
                key: "B",
                icon: "leaderboard",
            },
        ],
    },
    {
        title: "More",
        tools: [
            {
                path: "train",
                name: "Train",
                about: "Make an agent of your own",
                alone: "Needs the Tetrion server",
                key: "T",
                icon: "train",
            },
            { path: "tiny", name: "Tiny", about: "3×3, against perfect play", key: "Y", icon: "tiny" },
        ],
    },
];
