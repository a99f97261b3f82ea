// A result as it is read: 0:36.84 of a Sprint, 18,420 of a Blitz, 1,304 lines of Zen.
import type { Measure } from "../state/modes";
import { clockParts, count } from "./format";

export interface Figure {
    value: string;
    fraction: string;
    unit: string;
}

export function figure(measure: Measure, result: number): Figure {
    if (measure === "time") return { ...clockParts(result), unit: "" };
    return { value: count(result), fraction: "", unit: measure === "lines" ? "lines" : "" };
}

/** The same in one line of text. */
export function figureText(measure: Measure, result: number): string {
    const { value, fraction, unit } = figure(measure, result);
    return `${value}${fraction}${unit ? ` ${unit}` : ""}`;
}
