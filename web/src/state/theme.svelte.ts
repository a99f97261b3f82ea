// The theme: as the player chose, or else as the system asks.
import { MediaQuery } from "svelte/reactivity";
import { settings } from "./settings.svelte";

const light = new MediaQuery("prefers-color-scheme: light");
const still = new MediaQuery("prefers-reduced-motion: reduce");

/** The theme that is shown. */
export function theme(): "dark" | "light" {
    return settings.theme === "system" ? (light.current ? "light" : "dark") : settings.theme;
}

/** Whether needless motion is off. */
export function reducedMotion(): boolean {
    return settings.reducedMotion || still.current;
}

/** Applies the theme; called by an effect that runs before those that read its colours. */
export function dress(): void {
    const { dataset } = document.documentElement;
    dataset["theme"] = theme();
    dataset["motion"] = reducedMotion() ? "reduced" : "full";
}
