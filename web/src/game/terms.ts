// The parts of a move's score as they are read: names, amounts that add up, and what they count.
import type { ConsideredMoveView } from "../engine";

export interface Part {
    /** The engine's name of it; empty for what comes after the move. */
    label: string;
    name: string;
    /** How much of it there is. */
    value: number | null;
    /** What it adds to the score, in hundredths. */
    hundredths: number;
}

/** What the terms of agents count, in a sentence each. */
const MEANINGS: Record<string, string> = {
    aggregate_height: "The heights of all columns, added up.",
    back_to_back: "A back-to-back that is kept.",
    board_wells: "Cells in wells, deeper ones more.",
    bumpiness: "Steps between neighbouring columns.",
    column_transitions: "Where filled and empty cells meet in a column.",
    combo: "Clears in a row.",
    complete_lines: "Lines that the move clears.",
    continued_wells: "Cells in wells, deeper ones more.",
    diversity: "Different steps between columns: more pieces fit.",
    eroded_piece_cells: "Lines cleared, times the piece's cells in them.",
    height: "How high the stack is.",
    height_variance: "How much the heights differ.",
    hold: "What the held piece is worth.",
    hole_depth: "Filled cells above holes.",
    holes: "Empty cells below a filled one.",
    keys: "Keys pressed for the move.",
    landing_height: "How high the piece comes to rest.",
    mean_height: "The average height of a column.",
    points: "Points that the move scores.",
    row_pairs: "How neighbouring rows fit together.",
    row_transitions: "Where filled and empty cells meet in a row.",
    rows: "How full and connected the rows are.",
    rows_removed: "Lines that the move clears.",
    rows_with_holes: "Rows with a hole.",
    surface: "How well pieces fit on the surface.",
    tunnels: "Empty cells between two filled ones.",
    unreachable_holes: "Cells that no piece can reach.",
    walls: "How the stack meets the walls.",
};

export function meaning(label: string): string {
    return label === "" ? "What the agent expects from the pieces after it." : (MEANINGS[label] ?? "");
}

/** A label of the engine as a name: row_transitions is Row transitions. */
export function termName(label: string): string {
    const words = label.replaceAll("_", " ");
    return words.charAt(0).toUpperCase() + words.slice(1);
}

export function hundredthsOf(score: number): number {
    return Math.round(score * 100);
}

/** The parts of a score. Each is rounded, and the largest takes what rounding left over: so they add up as they are read. */
export function partsOf({ terms, rest, score }: ConsideredMoveView): Part[] {
    const parts = terms.map(({ label, value, weight }): Part => {
        return { label, name: termName(label), value, hundredths: hundredthsOf(value * weight) };
    });
    if (Math.abs(rest) > 1e-9) {
        parts.push({ label: "", name: "Pieces after it", value: null, hundredths: hundredthsOf(rest) });
    }
    const largest = parts.reduce<Part | null>(
        (most, part) => (most && Math.abs(most.hundredths) >= Math.abs(part.hundredths) ? most : part),
        null,
    );
    const sum = parts.reduce((total, part) => total + part.hundredths, 0);
    if (largest) largest.hundredths += hundredthsOf(score) - sum;
    return parts;
}

const AMOUNTS = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** An amount with its sign: +1.25 or −0.84. */
export function signed(hundredths: number): string {
    const sign = hundredths < 0 ? "−" : hundredths > 0 ? "+" : "";
    return sign + AMOUNTS.format(Math.abs(hundredths) / 100);
}

/** A value with as many digits as it needs, at most two after the point. */
export function shortly(value: number): string {
    return value.toLocaleString("en-US", { maximumFractionDigits: 2 }).replace("-", "−");
}
