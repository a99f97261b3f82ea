// Swipes and taps on a board: sideways moves cell by cell, down drops, a flick down drops at once, up holds, a tap rotates to its side.
import type { Button } from "../engine";
import type { PlayedGame } from "./shown";

/** Milliseconds and parts of a cell that tell a tap, a swipe and a flick apart. */
const TAP_MILLIS = 250;
const TAP_CELLS = 0.5;
const HOLD_CELLS = 2;
const FLICK_CELLS = 2;
/** Cells a millisecond. */
const FLICK_SPEED = 0.035;
/** How far back the speed at the end is measured, in milliseconds. */
const LAST_MILLIS = 80;

/** Listens to fingers on an element until it is gone; a cell is a part of its width. */
export function gestures(runner: PlayedGame, cell: () => number): (element: HTMLElement) => () => void {
    return (element) => {
        let finger: number | null = null;
        let from = { x: 0, y: 0, at: 0 };
        /** Cells that it has moved the piece by. */
        let moved = 0;
        let dropping = false;
        let trail: { y: number; at: number }[] = [];

        const tap = (button: Button, at: number) => {
            runner.press(button, at);
            runner.release(button, at);
        };
        const stopDropping = (at: number) => {
            if (dropping) runner.release("softDrop", at);
            dropping = false;
        };
        const onDown = (event: PointerEvent) => {
            if (event.pointerType === "mouse" || finger !== null) return;
            if (event.target instanceof Element && event.target.closest("button, a, dialog")) return;
            finger = event.pointerId;
            from = { x: event.clientX, y: event.clientY, at: event.timeStamp };
            moved = 0;
            trail = [{ y: event.clientY, at: event.timeStamp }];
        };
        const onMove = (event: PointerEvent) => {
            if (event.pointerId !== finger) return;
            const { clientX: x, clientY: y, timeStamp: at } = event;
            trail = [...trail.filter((point) => at - point.at < LAST_MILLIS), { y, at }];
            const across = (x - from.x) / cell();
            const down = (y - from.y) / cell();
            // One that goes down does not waver sideways, nor one that goes sideways down.
            if (!dropping && Math.abs(across - moved) >= 1 && Math.abs(across) > Math.abs(down)) {
                const way = Math.sign(across - moved);
                for (; Math.abs(across - moved) >= 1; moved += way) tap(way < 0 ? "left" : "right", at);
                from.y = y;
            } else if (!dropping && moved === 0 && down >= 1 && at - from.at > TAP_MILLIS) {
                dropping = true;
                runner.press("softDrop", at);
            }
        };
        const onUp = (event: PointerEvent) => {
            if (event.pointerId !== finger) return;
            finger = null;
            const { clientX: x, clientY: y, timeStamp: at } = event;
            stopDropping(at);
            const [first] = trail;
            const across = Math.abs(x - from.x) / cell();
            const down = (y - from.y) / cell();
            const speed = first && at > first.at ? (y - first.y) / cell() / (at - first.at) : 0;
            if (down >= FLICK_CELLS && (speed >= FLICK_SPEED || at - from.at <= TAP_MILLIS)) {
                tap("hardDrop", at);
            } else if (moved === 0 && -down >= HOLD_CELLS && -down > across) {
                tap("hold", at);
            } else if (moved === 0 && Math.hypot(across, down) < TAP_CELLS && at - from.at < TAP_MILLIS) {
                const { left, width } = element.getBoundingClientRect();
                tap(x < left + width / 2 ? "counterClockwise" : "clockwise", at);
            }
        };
        const onCancel = (event: PointerEvent) => {
            if (event.pointerId !== finger) return;
            finger = null;
            stopDropping(event.timeStamp);
        };
        const listeners = [
            ["pointerdown", onDown],
            ["pointermove", onMove],
            ["pointerup", onUp],
            ["pointercancel", onCancel],
        ] as const;
        for (const [type, listener] of listeners) element.addEventListener(type, listener);
        return () => {
            for (const [type, listener] of listeners) element.removeEventListener(type, listener);
        };
    };
}
