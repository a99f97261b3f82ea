// The parts of a move's score as they are read: names, amounts that add up, and what they count.
import type { ConsideredMoveView } from "../engine";

export interface Part {
    /** The engine's name of it; empty for what comes after the move. */
    label: string;
    name: string;
    /** What it counts. */
    about: string;
    /** How much of it there is. */
    value: number | null;
    /** What it adds to the score, in hundredths. */
    hundredths: number;
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
    const parts = terms.map(({ label, brief, value, weight }): Part => {
        return {
            label,
            name: termName(label),
            about: brief,
            value,
            hundredths: hundredthsOf(value * weight),
        };
    });
    if (Math.abs(rest) > 1e-9) {
        const about = "What the agent expects of the pieces after it";
        parts.push({
            label: "",
            name: "Next piece",
            about,
            value: null,
            hundredths: hundredthsOf(rest),
        });
    }
    const largest = parts.reduce<Part | null>(
        (most, part) => (most && Math.abs(most.hundredths) >= Math.abs(part.hundredths) ? most : part),
        null,
    );
    const sum = parts.reduce((total, part) => total + part.hundredths, 0);
    if (largest) largest.hundredths += hundredthsOf(score) - sum;
    return parts;
}

export interface ComparedPart extends Part {
    /** What it adds to the score more than in the other move, in hundredths. */
    against: number;
}

/** The parts of a score beside those of another. They add up too: a part that only the other has counts nothing here. */
export function comparedWith(parts: readonly Part[], other: readonly Part[]): ComparedPart[] {
    const missing = other.filter(({ label }) => !parts.some((part) => part.label === label));
    return [...parts, ...missing.map((part) => ({ ...part, value: null, hundredths: 0 }))].map((part) => {
        const same = other.find(({ label }) => label === part.label);
        return { ...part, against: part.hundredths - (same?.hundredths ?? 0) };
    });
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
