// A position that one screen hands to Practice.
import type { Start } from "../engine";
import { go } from "./route.svelte";

let waiting: Start | null = null;

/** Goes to Practice with this position. */
export function practiceFrom(start: Start): void {
    waiting = start;
    go(`practice?from=${Date.now()}`);
}

/** The position that was handed over; once. */
export function takeOpening(): Start | null {
    const start = waiting;
    waiting = null;
    return start;
}
