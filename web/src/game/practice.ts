// Practice from a position, where the engine takes it.
import { Session, type Start } from "../engine";
import { practiceFrom } from "../state/opening";
import { hands } from "../state/settings.svelte";

/** Goes to Practice with this position. Throws what the engine has against it. */
export function beginPractice(start: Start): void {
    new Session({ mode: "practice", opening: start }, 0n, hands()).free();
    practiceFrom(start);
}
