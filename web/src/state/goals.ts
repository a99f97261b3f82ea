// What people want an agent to be good at, how long it may train, and what its scores mean.
import type { Piece } from "../engine";
import type { RecipeInfo, RunSummary } from "./api";

export interface Goal {
    title: string;
    about: string;
    piece: Piece;
    /** The recipe that it is trained by; null lets people choose. */
    recipe: string | null;
    /** What a generation took on one core: what to expect before this machine has trained any. */
    generationSeconds?: number;
}

export const GOALS: readonly Goal[] = [
    {
        title: "Surviving",
        about: "Clear lines without topping out",
        piece: "O",
        recipe: "lee",
        generationSeconds: 1.3,
    },
    {
        title: "Sprint",
        about: "40 lines with the fewest pieces",
        piece: "I",
        recipe: "capstone",
        generationSeconds: 0.04,
    },
    {
        title: "Blitz",
        about: "The most points in three minutes",
        piece: "T",
        recipe: "blitz",
        generationSeconds: 240,
    },
    { title: "Another recipe", about: "Choose a published method", piece: "S", recipe: null },
];

/** How long a run may take, each up to so many seconds: before this machine has trained, nobody knows better. */
const SPANS: readonly (readonly [seconds: number, words: string])[] = [
    [5, "under 5 s"],
    [15, "5–15 s"],
    [30, "15–30 s"],
    [60, "½–1 min"],
    [120, "1–2 min"],
    [300, "2–5 min"],
    [900, "5–15 min"],
    [1800, "15–30 min"],
    [3600, "½–1 h"],
    [7200, "1–2 h"],
    [14_400, "2–4 h"],
    [28_800, "4–8 h"],
];

export function roughly(seconds: number): string {
    return SPANS.find(([most]) => seconds <= most)?.[1] ?? "over 8 h";
}

/** The recipes that no goal names. */
export function otherRecipes(recipes: readonly RecipeInfo[]): RecipeInfo[] {
    return recipes.filter(({ name }) => !GOALS.some(({ recipe }) => recipe === name));
}

/** A length, as a share of the recipe's generations. */
export const LENGTHS = [
    { label: "Short", share: 0.25 },
    { label: "Full", share: 1 },
    { label: "Long", share: 3 },
] as const;

/** The generations of each length; none if the recipe has no end of its own. */
export function lengths(recipe: RecipeInfo): { label: string; generations: string }[] {
    const own = Number(recipe.parameters.find(({ name }) => name === "generations")?.value);
    if (!(own > 0)) return [];
    return LENGTHS.map(({ label, share }) => ({
        label,
        generations: String(Math.max(1, Math.round(own * share))),
    }));
}

/** What a run is called: what it should be good at, or its recipe where no goal names it. */
export function runName({ recipe, id }: Pick<RunSummary, "recipe" | "id">): string {
    return `${GOALS.find((goal) => goal.recipe === recipe)?.title ?? recipe}, run ${id}`;
}

/** Whether it has trained all its generations; what may be missing is the judgement. */
export const isTrained = ({ generation, generations }: RunSummary): boolean =>
    generations !== null && generation >= generations;

export interface Measure {
    title: string;
    unit: string;
    /** Scores are better the higher they are; what people count in a Sprint is better the lower it is. */
    sign: 1 | -1;
    /** The most that is possible, where it is known. */
    most: number | null;
}

/** By how the words of an objective begin. */
const MEASURES: Record<string, Omit<Measure, "most">> = {
    lines: { title: "Lines per game", unit: "lines", sign: 1 },
    "sprint reward": { title: "Pieces to clear 40 lines", unit: "pieces", sign: -1 },
    "sprint keys": { title: "Keys to clear 40 lines", unit: "keys", sign: -1 },
    "points of a match": { title: "Share of matches won", unit: "points", sign: 1 },
    "blitz score": { title: "Points in Blitz", unit: "points", sign: 1 },
};

/** What the scores of a run mean, by its objective in words: "lines in classic 10x10", for instance. */
export function measureOf(objective: string): Measure {
    const measured = Object.keys(MEASURES).find((words) => objective.startsWith(words)) ?? "";
    const measure = MEASURES[measured] ?? { title: "Score", unit: "score", sign: 1 as const };
    const rules = objective.slice(measured.length).replace(/(\d)x(\d)/, "$1×$2");
    // Each piece has four cells, and a line as many as the board is wide.
    const pieces = Number(/(\d+) pieces/.exec(objective)?.[1]);
    const width = Number(/(\d+)x\d/.exec(objective)?.[1] ?? 10);
    const most = measured === "lines" && pieces ? Math.floor((pieces * 4) / width) : null;
    return { ...measure, title: measure.title + rules, most };
}
