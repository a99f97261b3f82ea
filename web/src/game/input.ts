// Keys, gamepads and touches, at the time that they happened.
import { BUTTONS, type Button } from "../engine";
import { actionOf, type Action } from "../state/settings.svelte";

export interface Player {
    /** Whether keys are for the game, even those that press buttons of the page. */
    playing(): boolean;
    press(button: Button, timeStamp: number): void;
    release(button: Button, timeStamp: number): void;
    releaseAll(timeStamp: number): void;
    command(action: Exclude<Action, Button>): void;
}

function isButton(action: Action): action is Button {
    return (BUTTONS as readonly string[]).includes(action);
}

/** Listens to the keyboard and to gamepads until the returned function is called. */
export function listen(player: Player): () => void {
    const onKey = (event: KeyboardEvent) => {
        const target = event.target as HTMLElement | null;
        const action = actionOf(event.code);
        if (!action) return;
        if (event.type === "keydown") {
            if (target?.closest("input, select, textarea") || event.altKey || event.metaKey) return;
            const presses = ["Space", "Enter"].includes(event.code) && target?.closest("button, a");
            if (presses && !player.playing()) return;
        }
        event.preventDefault();
        if (isButton(action)) {
            if (event.type === "keyup") player.release(action, event.timeStamp);
            else if (!event.repeat) player.press(action, event.timeStamp);
        } else if (event.type === "keydown" && !event.repeat) {
            player.command(action);
        }
    };
    const onBlur = () => player.releaseAll(performance.now());
    // A choice that was made gives the keys back to the game.
    const onChange = (event: Event) => {
        if (event.target instanceof HTMLSelectElement) event.target.blur();
    };
    window.addEventListener("change", onChange);
    window.addEventListener("keydown", onKey);
    window.addEventListener("keyup", onKey);
    window.addEventListener("blur", onBlur);
    const stopGamepads = listenToGamepads(player);
    return () => {
        window.removeEventListener("keydown", onKey);
        window.removeEventListener("keyup", onKey);
        window.removeEventListener("blur", onBlur);
        window.removeEventListener("change", onChange);
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

function listenToGamepads(player: Player): () => void {
    let down = new Set<Action>();
    let frame = 0;
    const poll = (now: number) => {
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
            if (isButton(action)) player.press(action, now);
            else player.command(action);
        }
        for (const action of down) {
            if (!next.has(action) && isButton(action)) player.release(action, now);
        }
        down = next;
        frame = requestAnimationFrame(poll);
    };
    frame = requestAnimationFrame(poll);
    return () => cancelAnimationFrame(frame);
}
