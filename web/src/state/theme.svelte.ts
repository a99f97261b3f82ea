// The theme, the block skin and motion: as the player chose, or else as the system asks.
import { MediaQuery } from "svelte/reactivity";
import { settings } from "./settings.svelte";

const light = new MediaQuery("prefers-color-scheme: light");
const contrast = new MediaQuery("prefers-contrast: more");
const still = new MediaQuery("prefers-reduced-motion: reduce");

/** The theme that is shown. */
export function theme(): "dark" | "light" | "contrast" {
    if (settings.theme !== "system") return settings.theme;
    return contrast.current ? "contrast" : light.current ? "light" : "dark";
}

/** Whether needless motion is off. */
export function reducedMotion(): boolean {
    return settings.reducedMotion || still.current;
}

/** Applies them; called by an effect that runs before those that read its colours. */
export function dress(): void {
    const { dataset } = document.documentElement;
    dataset["theme"] = theme();
    dataset["skin"] = settings.skin;
    dataset["motion"] = reducedMotion() ? "reduced" : "full";
}
