// Keyboard and gamepad input, with the time of each event.
import type { Button } from "../engine";
import { ACTIONS, COMMANDS, actionOf, settings, type Action, type Command } from "../state/settings.svelte";
import type { PlayedGame } from "./shown";

export interface Player {
    /** The game that is played by hand, if there is one. */
    game(): PlayedGame | null;
    /** The commands that work now. */
    commands(): Partial<Record<Command, () => void>>;
    /** Whether Space belongs to the running game even if a button has the focus. */
    gameFirst: boolean;
}

function isButton(action: Action): action is Button {
    return !(COMMANDS as readonly string[]).includes(action);
}

const MODIFIERS = [
    ["ctrlKey", "Control"],
    ["altKey", "Alt"],
    ["metaKey", "Meta"],
] as const;

/** Whether a key is a modifier of shortcuts. */
export function isModifier(code: string): boolean {
    return MODIFIERS.some(([, name]) => code.startsWith(name));
}

/** Shortcuts belong to the browser. But if Ctrl is bound in the game, the other buttons also work while it is held. */
export function isShortcut(event: KeyboardEvent, action: Action | null = null): boolean {
    const inGame = (name: string) =>
        action !== null &&
        isButton(action) &&
        ACTIONS.some(
            (other) =>
                isButton(other.action) &&
                settings.bindings[other.action].some((code) => code.startsWith(name)),
        );
    return MODIFIERS.some(([held, name]) => event[held] && !event.code.startsWith(name) && !inGame(name));
}

function isOn({ target }: Event, selector: string): boolean {
    return target instanceof Element && target.closest(selector) !== null;
}

/** Whether the button or link in focus is pressed by the key. */
function pressesButton(event: KeyboardEvent): boolean {
    if (event.code === "Space") return isOn(event, "button, summary");
    return event.code === "Enter" && isOn(event, "button, summary, a");
}

/** Whether the control in focus has a use for the key. */
export function isForControl(event: KeyboardEvent): boolean {
    if (isOn(event, "input[type=range]")) return /^(Arrow|Page|Home|End)/.test(event.code);
    if (isOn(event, "input[type=checkbox]")) return event.code === "Space";
    if (isOn(event, "input[type=radio]")) return /^(Arrow|Space)/.test(event.code);
    return isOn(event, "input, select, textarea") || pressesButton(event);
}

/** Listens to the keyboard and to gamepads until the returned function is called. */
export function listen(player: Player): () => void {
    /** The actions of the keys that are down. */
    const taken = new Map<string, Action>();
    /** Whether the last input came from a pointer, not a key. */
    let pointed = false;
    const onPointer = () => (pointed = true);
    const act = (action: Action, time: number) => {
        if (isButton(action)) player.game()?.press(action, time);
        else player.commands()[action]?.();
    };
    const takes = (action: Action) =>
        isButton(action) ? player.game()?.takes(action) === true : player.commands()[action] !== undefined;
    const onDown = (event: KeyboardEvent) => {
        pointed = false;
        if (event.repeat && taken.has(event.code)) return event.preventDefault();
        const action = actionOf(event.code);
        if (!action || isShortcut(event, action) || !takes(action)) return;
        const gameFirst = player.gameFirst && isButton(action) && pressesButton(event);
        if (isForControl(event) && !gameFirst) return;
        event.preventDefault();
        if (event.repeat) return;
        taken.set(event.code, action);
        act(action, event.timeStamp);
    };
    // Browsers press a button when Space is released: only the game's own keys are kept from them.
    const onUp = (event: KeyboardEvent) => {
        const action = taken.get(event.code);
        if (!action) return;
        taken.delete(event.code);
        event.preventDefault();
        if (isButton(action)) player.game()?.release(action, event.timeStamp);
    };
    const onBlur = () => {
        taken.clear();
        player.game()?.releaseAll(performance.now());
    };
    // A control changed with the pointer gives up the focus, and so does a select beside a game.
    const onChange = ({ target }: Event) => {
        const beside = target instanceof HTMLSelectElement && player.game() !== null;
        if (target instanceof HTMLElement && (pointed || beside)) target.blur();
    };
    window.addEventListener("pointerdown", onPointer);
    window.addEventListener("change", onChange);
    window.addEventListener("keydown", onDown);
    window.addEventListener("keyup", onUp);
    window.addEventListener("blur", onBlur);
    const stopGamepads = listenToGamepads(player, act);
    return () => {
        window.removeEventListener("keydown", onDown);
        window.removeEventListener("keyup", onUp);
        window.removeEventListener("blur", onBlur);
        window.removeEventListener("change", onChange);
        window.removeEventListener("pointerdown", onPointer);
        stopGamepads();
    };
}

/** The standard gamepad's buttons. */
const GAMEPAD: Record<number, Action> = {
    0: "counterClockwise",
    1: "clockwise",
    2: "halfTurn",
    3: "clockwise",
    4: "hold",
    5: "hold",
    8: "restart",
    9: "pause",
    12: "hardDrop",
    13: "softDrop",
    14: "left",
    15: "right",
};

/** These start another game, but not right after the end: players don't stop pressing at once. */
const CONFIRM: readonly Action[] = ["counterClockwise", "hardDrop"];
const END_MILLIS = 600;

function listenToGamepads(player: Player, act: (action: Action, time: number) => void): () => void {
    let down = new Set<Action>();
    let frame = 0;
    /** When the game was last not over. */
    let alive = Infinity;
    const poll = (now: number) => {
        if (player.game()?.phase !== "over") alive = now;
        const next = new Set<Action>();
        for (const gamepad of navigator.getGamepads?.() ?? []) {
            gamepad?.buttons.forEach((button, index) => {
                const action = GAMEPAD[index];
                if (button.pressed && action) next.add(action);
            });
            const [x = 0, y = 0] = gamepad?.axes ?? [];
            if (x < -0.5) next.add("left");
            if (x > 0.5) next.add("right");
            if (y > 0.5) next.add("softDrop");
        }
        for (const action of next) {
            if (down.has(action)) continue;
            const again = CONFIRM.includes(action) && now > alive + END_MILLIS;
            act(again ? "restart" : action, now);
        }
        for (const action of down) {
            if (!next.has(action) && isButton(action)) player.game()?.release(action, now);
        }
        down = next;
        frame = requestAnimationFrame(poll);
    };
    frame = requestAnimationFrame(poll);
    return () => cancelAnimationFrame(frame);
}
