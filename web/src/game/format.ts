// Numbers, times, days and names as people read them, everywhere in the same way:
// - A number has thousands separators: 18,420.
// - A time has minutes, seconds and hundredths: 0:36.84. What is below them is cut off, as on any stopwatch, also in results and on
//   leaderboards. A difference is that of the times as shown, in seconds: 0.74.
// - A day is 18 Nov, and names its year if that is not this one. A moment adds hours and minutes: 18 Nov, 02:53.
import type { Mode, Outcome } from "../engine";

/** Minutes and seconds, and apart from them the hundredths, as 0:36 and .84. */
export function clockParts(micros: number): { value: string; fraction: string } {
    const hundredths = Math.floor(Math.max(0, micros) / 10_000);
    const [minutes, rest] = [Math.floor(hundredths / 6000), hundredths % 6000];
    return {
        value: `${minutes}:${String(Math.floor(rest / 100)).padStart(2, "0")}`,
        fraction: `.${String(rest % 100).padStart(2, "0")}`,
    };
}

/** A time as a text: 0:36.84. */
export function clock(micros: number): string {
    const { value, fraction } = clockParts(micros);
    return value + fraction;
}

/** The seconds between two times as the clock shows them, so that lists of times and differences agree. */
export function secondsBetween(from: number, to: number): string {
    return (Math.abs(Math.floor(to / 10_000) - Math.floor(from / 10_000)) / 100).toFixed(2);
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

const THIS_YEAR = { day: "numeric", month: "short" } as const;
const ANY_YEAR = { ...THIS_YEAR, year: "numeric" } as const;
const dayStyle = (date: Date) => (date.getFullYear() === new Date().getFullYear() ? THIS_YEAR : ANY_YEAR);

/** The day alone: 18 Nov, or 18 Nov 2025 in another year. */
export function shortDay(millis: number): string {
    const date = new Date(millis);
    return date.toLocaleDateString("en-GB", dayStyle(date));
}

/** The day and the time: 18 Nov, 02:53. */
export function day(millis: number): string {
    const date = new Date(millis);
    return date.toLocaleString("en-GB", { ...dayStyle(date), hour: "2-digit", minute: "2-digit" });
}

/** A day of the daily, which changes everywhere at once: 18 Nov for 2026-11-18. */
export function dailyDay(day: string): string {
    return new Date(`${day}T00:00Z`).toLocaleDateString("en-GB", { ...THIS_YEAR, timeZone: "UTC" });
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
    versus: "Versus",
};
