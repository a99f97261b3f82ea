// Keys that a screen has beside those that the player has bound: by the sign on them, so that they read as they are shown.
import { isForControl, isShortcut } from "../game/input";

/** Listens until the returned function is called; for effects. Controls in focus and games keep their own keys. */
export function shortcuts(keys: Readonly<Record<string, () => void>>): () => void {
    const onkeydown = (event: KeyboardEvent) => {
        const act = keys[event.key.length === 1 ? event.key.toUpperCase() : event.key];
        if (!act || event.defaultPrevented || event.repeat || isShortcut(event) || isForControl(event))
            return;
        event.preventDefault();
        act();
    };
    window.addEventListener("keydown", onkeydown);
    return () => window.removeEventListener("keydown", onkeydown);
}
