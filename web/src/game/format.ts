// Numbers and names as people read them.
import type { Mode, Outcome } from "../engine";

/** Minutes, seconds and tenths of microseconds, as 01:23.4; never rounded up. */
export function clockText(micros: number): string {
    const tenths = Math.floor(Math.max(0, micros) / 100_000);
    const [minutes, rest] = [Math.floor(tenths / 600), tenths % 600];
    return `${String(minutes).padStart(2, "0")}:${String(Math.floor(rest / 10)).padStart(2, "0")}.${rest % 10}`;
}

/** Minutes and seconds, and apart from them the hundredths, as 0:36 and .84; never rounded up. */
export function clockParts(micros: number): { value: string; fraction: string } {
    const hundredths = Math.floor(Math.max(0, micros) / 10_000);
    const [minutes, rest] = [Math.floor(hundredths / 6000), hundredths % 6000];
    return {
        value: `${minutes}:${String(Math.floor(rest / 100)).padStart(2, "0")}`,
        fraction: `.${String(rest % 100).padStart(2, "0")}`,
    };
}

/** The seconds between two times as the clock shows them, so that lists of times and differences agree. */
export function secondsBetween(from: number, to: number): string {
    return (Math.abs(Math.floor(to / 10_000) - Math.floor(from / 10_000)) / 100).toFixed(2);
}

/** To the millisecond, never rounded up: 83.412 s, or 1:23.412. */
export function preciseTime(micros: number): string {
    const millis = Math.floor(micros / 1000);
    const [minutes, rest] = [Math.floor(millis / 60_000), millis % 60_000];
    const seconds = (rest / 1000).toFixed(3);
    return minutes ? `${minutes}:${seconds.padStart(6, "0")}` : `${seconds} s`;
}

const NUMBERS = new Intl.NumberFormat("en-US");

export function count(number: number): string {
    return NUMBERS.format(number);
}

/** A measured value: fewer decimals the larger it is, or exactly as many as are asked for. */
export function figure(value: number, decimals?: number): string {
    const size = Math.abs(value);
    const most = decimals ?? (size < 10 ? 2 : size < 100 ? 1 : 0);
    const digits = { minimumFractionDigits: decimals ?? 0, maximumFractionDigits: most };
    return value.toLocaleString("en-US", digits).replace("-", "−");
}

/** A number with its noun: 1 line, 2 lines. */
export function counted(number: number, noun: string): string {
    return `${count(number)} ${noun}${number === 1 ? "" : "s"}`;
}

/** A span of time, in the units that matter: 45 s, 8 min, 2 h 10 min. */
export function duration(seconds: number): string {
    if (seconds < 60) return `${Math.max(1, Math.round(seconds))} s`;
    const minutes = Math.round(seconds / 60);
    if (minutes < 60) return `${minutes} min`;
    const rest = minutes % 60;
    return `${count(Math.floor(minutes / 60))} h${rest ? ` ${rest} min` : ""}`;
}

export function rate(amount: number, per: number): string {
    return per > 0 ? (amount / per).toFixed(2) : "0.00";
}

/** The day alone: 18 Nov. */
export function shortDay(millis: number): string {
    return new Date(millis).toLocaleDateString("en-GB", { day: "numeric", month: "short" });
}

export function day(millis: number): string {
    return new Date(millis).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}

export const OUTCOMES: Record<Outcome, string> = {
    clear: "Cleared",
    top_out: "Topped out",
    time_up: "Time's up",
    piece_limit: "All pieces placed",
};

export const MODES: Record<Mode, string> = {
    sprint: "Sprint",
    blitz: "Blitz",
    practice: "Practice",
    classic: "Classic",
    zen: "Zen",
};
